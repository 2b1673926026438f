"""Runs the workers of one attempt on one instance. Needs Python 3.8 and Linux, and nothing else.

    python -I -S elastune_shim.py FOLDER < SPECIFICATION

Prints `started`, or `known` if the attempt was started before, and continues in the background.
It outlives the agent that started it, Ray and the controller. FOLDER has everything it knows:

    lock          locked as long as the shim lives
    journal       what happened, as JSON lines that are only appended
    log-N         output of the workers from byte N on; the two newest pieces are kept
    ctl           a FIFO: T requests the exit of the workers, K kills them; of workers that wait,
                  E ends the input, and C continues with the attempt in next
    kept          the GPUs of workers that wait for the next attempt, and what it must be
    next          the folder and the trial files of that attempt
    grace         the seconds that the next T grants, if not the usual ones
    trial-R.json  the trial file of the worker with rank R
    reports       a FIFO for the reports of rank 0; without it, they are in its standard output
    reserve       space for the last record of the journal on a full disk

The specification is JSON on standard input, because it has secrets: it is written nowhere.
Times are seconds of CLOCK_BOOTTIME.
"""

import ctypes
import errno
import fcntl
import json
import os
import re
import resource
import selectors
import shutil
import signal
import stat
import subprocess
import sys
import time

MAX_LINE = 64 * 1024
MAX_METRICS = 1 << 20
MAX_RECORD = 200_000  # the agent reads records of up to 256 KiB
MAX_ESCAPED = MAX_RECORD // 12  # characters, each of which is at most two times \uXXXX
MAX_LOG_PIECE = 64 * 1024 * 1024
REPORT = b"ELASTUNE "
REPORT_START = b"ELASTUNE {"
CHANNEL = "ELASTUNE_REPORTS"
LINE_CUT = " … (line cut)".encode()
TICK_S = 0.5
WAIT_S = 3600
TERM_S = 5
SWEEP_S = 0.05
LAST_OUTPUT_S = 3
FOREIGN_S = 1
DOCKER_S = 20
CONTAINERS_S = 60
FULL_DISK = 1 << 20
RESERVE = 1 << 16
KILLED = 128 + signal.SIGKILL
CANNOT_START = 127
INHERITED = ("PATH", "HOME", "USER", "LOGNAME", "LANG", "LC_ALL", "LC_CTYPE")
INHERITED += ("LD_LIBRARY_PATH", "TMPDIR")
PR_SET_PDEATHSIG = 1
RLIMIT_LOCKS = 10
PR_SET_CHILD_SUBREAPER = 36


def now():
    return time.clock_gettime(time.CLOCK_BOOTTIME)


def family(marks, limit):
    """Returns the processes with all of these variables, or with this hard limit of file locks."""
    wanted = [b"\0" + f"{name}={value}".encode() + b"\0" for name, value in marks.items()]
    locks = re.compile(rb"^Max file locks +\S+ +%b " % limit.encode(), re.MULTILINE)
    found = []
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/environ", "rb") as file:
                environment = b"\0" + file.read()
            with open(f"/proc/{name}/limits", "rb") as file:
                limits = file.read()
        except OSError:
            continue  # ended meanwhile, or of another user
        if all(mark in environment for mark in wanted) or locks.search(limits):
            found.append(int(name))
    return found


def descendants(root):
    """Returns the running processes that descend from this one."""
    children = {}
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/stat", "rb") as file:
                state, parent = file.read().rpartition(b")")[2].split()[:2]
        except (OSError, ValueError):
            continue  # ended meanwhile
        children.setdefault(int(parent), []).append((int(name), state != b"Z"))
    found, pending = [], [root]
    while pending:
        for pid, runs in children.get(pending.pop(), ()):
            pending.append(pid)
            if runs:
                found.append(pid)
    return found


def remove_containers(attempt, lease):
    """Removes the containers of an attempt. False if Docker has not confirmed it."""
    labels = (f"label=elastune-attempt={attempt}", f"label=elastune-lease={lease}")
    filters = [f"--filter={label}" for label in labels]
    options = {"stdin": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "timeout": DOCKER_S}
    try:
        command = ["docker", "ps", "--all", "--quiet", *filters]
        found = subprocess.run(command, stdout=subprocess.PIPE, check=True, **options)
        names = found.stdout.decode().split()
        if names:
            command = ["docker", "rm", "--force", *names]
            subprocess.run(command, stdout=subprocess.DEVNULL, check=True, **options)
        return True
    except (OSError, subprocess.SubprocessError):
        return False


def reserve_space(folder):
    with open(os.path.join(folder, "reserve"), "wb") as file:
        file.write(bytes(RESERVE))


def send(call, target, number):
    """Sends a signal. False if the target is of another user, such as a program started by sudo."""
    try:
        call(target, number)
    except ProcessLookupError:
        pass  # ended meanwhile
    except PermissionError:
        return False
    return True


def write_private(path, text):
    os.makedirs(os.path.dirname(path), 0o700, exist_ok=True)
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        file.write(text)


def waiting_unit(line):
    """Returns the unit after which workers report that they wait; None for any other line."""
    if b'"waiting"' not in line:
        return None
    try:
        return int(json.loads(line[line.index(b"{") :])["waiting"])
    except (KeyError, TypeError, ValueError):
        return None


def is_unit(name):
    """Whether a name is that of a checkpoint; some other characters are digits, too."""
    return name.isascii() and name.isdigit() and len(name) < 10


def open_journal(folder):
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
    return os.open(os.path.join(folder, "journal"), flags, 0o600)


class LineSplitter:
    """Splits output into lines. A carriage return also ends a line. Long lines are cut.

    A report in a long line begins a new line where it would be cut off otherwise.
    """

    def __init__(self, sink):
        self.sink = sink
        self.line = bytearray()
        self.cut = False
        self.dropped = b""  # the end of what was cut off
        self.after_return = False

    def feed(self, data):
        if not data:
            return
        if self.after_return and data[:1] == b"\n":
            data = data[1:]
        self.after_return = data[-1:] == b"\r"
        *lines, rest = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
        for line in lines:
            self._append(line)
            self._emit()
        self._append(rest)

    def finish(self):
        if self.line:
            self._emit()

    def _append(self, part):
        while True:
            room = MAX_LINE - len(self.line)
            self.line += part[:room]
            part = part[room:]
            if not part:
                return
            if not self.cut:
                begin = self.line.rfind(REPORT_START)
                if begin > 0:
                    self._emit(begin)
                    continue
                self.cut = True
                self.dropped = bytes(self.line[1 - len(REPORT_START) :])
            unseen = self.dropped + part
            begin = unseen.find(REPORT_START)
            if begin < 0:
                self.dropped = unseen[1 - len(REPORT_START) :]
                return
            self._emit(len(self.line))
            part = unseen[begin:]

    def _emit(self, length=None):
        length = len(self.line) if length is None else length
        line, cut = bytes(self.line[:length]), self.cut
        del self.line[:length]
        self.cut = False
        self.dropped = b""
        self.sink(line, cut)


def is_full(folder):
    """Whether nothing can be written there: by free bytes and inodes, and by a probe for quotas."""
    probe = os.path.join(folder, ".elastune-probe-%d" % os.getpid())
    try:
        disk = os.statvfs(folder)
        if disk.f_bavail * disk.f_frsize < FULL_DISK or (disk.f_files and not disk.f_favail):
            return True
        file = os.open(probe, os.O_CREAT | os.O_WRONLY, 0o600)
        try:
            os.write(file, bytes(RESERVE))
            os.fsync(file)
        finally:
            os.close(file)
            os.remove(probe)
    except OSError as e:  # others are no full disk: a folder that is missing or read-only
        return e.errno in (errno.ENOSPC, errno.EDQUOT)
    return False


class Log:
    """The output of the workers. A full disk must not stop the training: lines are dropped."""

    def __init__(self, folder):
        self.folder = folder
        self.starts = []
        self.size = 0
        self._begin()

    def _begin(self):
        self.starts.append(self.size)
        path = os.path.join(self.folder, f"log-{self.size}")
        self.fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

    def write(self, line):
        data = memoryview(line)
        try:
            while data:
                written = os.write(self.fd, data)
                self.size += written
                data = data[written:]
            if self.size - self.starts[-1] >= MAX_LOG_PIECE:
                os.close(self.fd)
                self._begin()
                for start in self.starts[:-2]:
                    os.remove(os.path.join(self.folder, f"log-{start}"))
                self.starts = self.starts[-2:]
        except OSError:
            return

    def close(self):
        os.close(self.fd)


class MetricFile:
    """A file with metrics that the trial writes, relative to its working folder.

    One that an earlier attempt, or the code itself, has left there does not count, and neither
    does one that other trials write, too.
    """

    def __init__(self, folder, name):
        self.folder = os.path.realpath(folder)
        self.path = os.path.join(folder, name)
        self.name = name
        self.before = self._version()

    def content(self):
        """Returns its JSON object, or its last lines, and why it has none."""
        after = self._version()
        if after is None:
            exists = os.path.exists(self.path)
            return "", f"{self.name} {'is not a file' if exists else 'does not exist'}"
        if after == self.before:
            return "", f"{self.name} was not written"
        real = os.path.realpath(self.path)
        if not real.startswith(os.path.join(self.folder, "")):
            return "", f"{self.name} is outside of the working folder of the trial: {real}"
        try:
            with open(self.path, "rb") as file:
                file.seek(max(0, os.path.getsize(self.path) - MAX_METRICS))
                text = file.read(MAX_METRICS).decode("utf-8", "replace")
        except OSError as e:
            return "", f"{self.name} cannot be read: {e.strerror}"
        try:
            json.loads(text.lstrip("\ufeff"))
        except ValueError:
            lines = text.strip().splitlines()
            while len(lines) > 1 and len(json.dumps("\n".join(lines))) > MAX_RECORD:
                del lines[: (len(lines) + 1) // 2]
            text = "\n".join(lines)
        large = len(json.dumps(text)) > MAX_RECORD
        return ("", f"{self.name} has too many metrics") if large else (text, "")

    def _version(self):
        try:
            found = os.stat(self.path)
        except OSError:
            return None
        regular = stat.S_ISREG(found.st_mode)
        return (found.st_mtime_ns, found.st_size, found.st_ino) if regular else None


class Worker:
    def __init__(self, rank, process):
        self.rank = rank
        self.process = process
        self.reaped = False


class Shim:
    """One attempt, from the start of its workers to its `ended` record. Uses one thread."""

    def __init__(self, folder, spec):
        self.folder = folder
        self.spec = spec
        self.marks = {"ELASTUNE_ATTEMPT": spec["mark"], "ELASTUNE_LEASE": spec["lease"]}
        self.workers = []
        self.code = 0
        self.reason = "exit"
        self.message = ""
        self.kill_at = None  # when the grace period of a stop request ends
        self.outputs = 0
        self.quiet_since = None
        self.looked = 0.0
        self.waiting = False  # whether the attempt has ended, and its workers have not
        self.term_at = None  # when workers that wait get a SIGTERM
        self.containers_until = None  # when to end without Docker's answer
        self.removed = 0.0
        self.checkpoints = set()
        self.foreign = set()  # processes that this user cannot end, such as those started by sudo
        self.foreign_since = 0.0
        self.channel = None
        self.channel_used = False
        self.metric_file = None
        self.on_errors = False  # whether a report is on standard error, where it does not count
        self.selector = selectors.DefaultSelector()
        self.wait_until = float("inf")
        self.trial_files = [self._trial_file(worker) for worker in spec["workers"]]
        self.journal = open_journal(folder)
        self.log = Log(folder)

    def run(self):
        self._open_control()
        self._wake_on_exit()
        self.checkpoints = self._units()
        self._watch_metric_file()
        try:
            for worker in self.spec["workers"]:
                self._start(worker)
            self.record("started", pids=[worker.process.pid for worker in self.workers])
        except (OSError, ValueError) as e:
            self.code, self.reason, self.message = CANNOT_START, "cannot-start", str(e)
            self.kill_at = now()
        while not self._is_over():
            for key, _ in self.selector.select(self._timeout()):
                key.data(key.fileobj)
            self._reap()
            self._check_expiry()
            if now() - self.looked >= TICK_S:
                self._find_checkpoints()
            if self.term_at is not None and now() >= self.term_at:
                self.term_at = None
                self._signal(signal.SIGTERM)
            if self.kill_at is not None and now() >= self.kill_at:
                self._signal(signal.SIGKILL)
            if self.waiting and now() >= self.wait_until:
                self._end_waiting()
        self._end_channel()
        if self.code == 0:
            self._record_metric_file()
        self._find_checkpoints()
        self._end(self.code, self.reason, self.message)

    def _watch_metric_file(self):
        if self.spec.get("metric_file"):
            self.metric_file = MetricFile(self.spec["cwd"], self.spec["metric_file"])

    def _record_metric_file(self):
        if self.metric_file is not None:
            text, problem = self.metric_file.content()
            self.record("metric_file", line=text, problem=problem)

    def fail(self, message):
        while not self._family() <= self.foreign:
            self._signal(signal.SIGKILL)
            time.sleep(SWEEP_S)
        self._end(KILLED, "shim-failed", message)

    def _end(self, code, reason, message):
        if self.waiting:
            return  # told when they began to wait
        folders = [self.folder, self.spec["cwd"], self.spec["checkpoint_dir"]]
        full = is_full(folders[0]) or (code != 0 and any(is_full(folder) for folder in folders[1:]))
        os.remove(os.path.join(self.folder, "reserve"))
        fields = {"full": full, "log": self.log.size, "on_errors": self.on_errors}
        self.record("ended", code=code, reason=reason, message=message, **fields)

    def record(self, kind, **fields):
        if self.waiting:
            return
        line = (json.dumps({"k": kind, "t": now(), **fields}) + "\n").encode()
        size = os.fstat(self.journal).st_size
        if os.write(self.journal, line) < len(line):
            os.ftruncate(self.journal, size)  # a later record must not continue this line
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    # Start

    def _trial_file(self, worker):
        here = os.path.join(self.folder, f"trial-{worker['rank']}.json")
        return worker["env"].get("ELASTUNE_TRIAL_JSON", here)

    def _start(self, worker):
        cwd = self.spec["cwd"]
        if not os.path.isdir(cwd):
            raise OSError(f"folder {cwd} does not exist")
        rank = worker["rank"]
        write_private(self._trial_file(worker), worker["trial_file"])
        environment = {name: os.environ[name] for name in INHERITED if name in os.environ}
        environment.update(worker["env"])
        if rank == 0:
            environment.update(self._open_channel())
        shell = shutil.which("bash") or "sh"
        process = subprocess.Popen(
            [shell, "-e", "-c", self.spec["command"]],
            cwd=cwd,
            env=environment,
            stdin=subprocess.PIPE if self.spec.get("keep") else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
            preexec_fn=lambda: before_exec(self.spec["limit"]),
        )
        self.workers.append(Worker(rank, process))
        prefix = f"[{rank}] ".encode() if self.spec["world"] > 1 else b""
        log = self._log_sink(prefix)
        self._watch(process.stdout, LineSplitter(self._report_sink(log) if rank == 0 else log))
        self._watch(process.stderr, LineSplitter(self._error_sink(log) if rank == 0 else log))

    def _watch(self, pipe, splitter):
        os.set_blocking(pipe.fileno(), False)
        self.outputs += 1

        def read(pipe):
            try:
                data = os.read(pipe.fileno(), MAX_LINE)
            except BlockingIOError:
                return
            if data:
                splitter.feed(data)
            else:
                splitter.finish()
                self.selector.unregister(pipe)
                self.outputs -= 1

        self.selector.register(pipe, selectors.EVENT_READ, read)

    def _log_sink(self, prefix):
        def sink(line, cut):
            self.log.write(prefix + line + (LINE_CUT if cut else b"") + b"\n")

        return sink

    def _report_sink(self, log):
        def sink(line, cut):
            begin = 0 if line.startswith(REPORT) else line.find(REPORT_START)
            if begin >= 0:
                self._drain_channel()  # what was written to it first counts first
            if begin < 0 or self.channel_used:
                log(line, cut)
                return
            if line[:begin].strip():
                log(line[:begin], False)
            self._report(line[begin:], cut)

        return sink

    def _error_sink(self, log):
        def sink(line, cut):
            self.on_errors = self.on_errors or REPORT_START in line
            log(line, cut)

        return sink

    def _report(self, line, cut, **fields):
        unit = waiting_unit(line)
        if unit is not None:
            self._wait(unit)
            return
        self._find_checkpoints()  # the checkpoint of a unit precedes its report
        text = line.decode("utf-8", "replace")
        if len(json.dumps(text)) > MAX_RECORD:
            text, cut = text[:MAX_ESCAPED], True
        self.record("report", line=text, **({"cut": True} if cut else {}), **fields)

    # Report channel

    def _open_channel(self):
        """Returns the variable with its path; nothing where the file system has no FIFOs."""
        path = os.path.join(os.path.dirname(self.trial_files[0]), "reports")
        try:
            if os.path.lexists(path):
                os.unlink(path)  # of workers that have ended
            os.mkfifo(path, 0o600)
            # Opened for writing too, so that the FIFO never ends.
            self.channel = os.open(path, os.O_RDWR | os.O_NONBLOCK)
        except OSError:
            return {}
        self.channel_lines = LineSplitter(self._channel_sink)
        self.selector.register(self.channel, selectors.EVENT_READ, self._read_channel)
        return {CHANNEL: path}

    def _read_channel(self, fd):
        """Returns whether there was something to read."""
        try:
            data = os.read(fd, MAX_LINE)
        except BlockingIOError:
            return False
        self.channel_used = self.channel_used or bool(data)
        self.channel_lines.feed(data)
        return bool(data)

    def _channel_sink(self, line, cut):
        self._report(line, cut, channel=True)

    def _drain_channel(self):
        if self.channel is not None:
            while self._read_channel(self.channel):
                pass

    def _end_channel(self):
        if self.channel is not None:
            self._drain_channel()
            self.channel_lines.finish()

    # Workers that wait

    def _wait(self, unit):
        """Ends the attempt while its workers stay, if they have its checkpoint."""
        self._find_checkpoints()
        if (
            not self.spec.get("keep")
            or unit != self.spec["to"]
            or unit not in self.checkpoints
            or self.kill_at is not None
            or any(worker.reaped for worker in self.workers)
        ):
            self._end_input()
            return
        kept = {"identity": self.spec["keep"], "unit": unit, "slots": self.spec["slots"]}
        write_private(os.path.join(self.folder, "kept"), json.dumps(kept))
        self._record_metric_file()
        self._end(0, "waits", "")
        self.waiting = True
        self.wait_until = now() + WAIT_S

    def _end_waiting(self):
        """Ends the input of workers that wait: they end, or are killed a little later."""
        if self.kill_at is None:
            self.wait_until = float("inf")
            self.term_at = now() + TERM_S
            self.kill_at = now() + 2 * TERM_S
        self._end_input()

    def _end_input(self):
        for worker in self.workers:
            if worker.process.stdin:
                try:
                    worker.process.stdin.close()
                except OSError:
                    pass  # it has ended

    def _continue(self):
        """Moves to the next attempt of the trial, and passes it to the workers."""
        with open(os.path.join(self.folder, "next")) as file:
            following = json.load(file)
        self._reap()
        if self.kill_at is not None or any(worker.reaped for worker in self.workers):
            return
        self.folder = following["folder"]
        lock = os.open(os.path.join(self.folder, "lock"), os.O_RDWR | os.O_CREAT, 0o600)
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        reserve_space(self.folder)
        os.close(self.journal)
        self.journal = open_journal(self.folder)
        self.log.close()
        self.log = Log(self.folder)
        self.selector.unregister(self.control)
        os.close(self.control)
        self._open_control()
        self.waiting = False
        self.spec.update(following["spec"])
        self.checkpoints = self._units()
        self._watch_metric_file()
        pids = [worker.process.pid for worker in self.workers]
        self.record("started", pids=pids, continued=True)
        for worker, trial_file, path in zip(
            self.workers, following["trial_files"], self.trial_files
        ):
            write_private(path, trial_file)
            try:
                worker.process.stdin.write(trial_file.encode() + b"\n")
            except OSError:
                pass  # it has ended, which ends the attempt

    # Events

    def _open_control(self):
        path = os.path.join(self.folder, "ctl")
        os.mkfifo(path, 0o600)
        # Opened for writing too, so that the FIFO never ends.
        self.control = os.open(path, os.O_RDWR | os.O_NONBLOCK)
        self.selector.register(self.control, selectors.EVENT_READ, self._control)

    def _wake_on_exit(self):
        wake, wakeup = os.pipe()
        os.set_blocking(wake, False)
        os.set_blocking(wakeup, False)
        signal.signal(signal.SIGCHLD, lambda number, frame: None)
        signal.set_wakeup_fd(wakeup, warn_on_full_buffer=False)
        self.selector.register(wake, selectors.EVENT_READ, lambda fd: os.read(fd, 4096))

    def _control(self, fd):
        for request in os.read(fd, 4096):
            if request == ord("K"):
                self.reason = "killed"
                self.kill_at = now()
            elif request == ord("T"):
                self._stop(now() + self._grace())
            elif request == ord("E"):
                self._end_waiting()
            elif request == ord("C") and self.waiting:
                self._continue()

    def _stop(self, kill_at):
        """A later request may shorten the grace period, and never extends it."""
        self._end_input()  # for workers that wait for others
        if self.kill_at is None:
            self.reason = "stopped"
            self.kill_at = kill_at
            self._signal(signal.SIGTERM)
        else:
            self.kill_at = min(self.kill_at, kill_at)

    def _grace(self):
        """Takes the grace period that was granted to this request, or the usual one."""
        path = os.path.join(self.folder, "grace")
        try:
            with open(path) as file:
                seconds = float(file.read())
            os.unlink(path)
            return seconds
        except (OSError, ValueError):
            return self.spec["grace_s"]

    def _reap(self):
        self._reap_workers()
        self._reap_orphans()

    def _reap_workers(self):
        for worker in self.workers:
            code = None if worker.reaped else worker.process.poll()
            if code is None:
                continue
            worker.reaped = True
            code = 128 - code if code < 0 else code
            self.code = self.code or code
            self._end_input()  # none waits if one ends
            self.record("exit", rank=worker.rank, code=code)

    def _check_expiry(self):
        """Kills the workers once no controller has renewed the lease in time."""
        if self.reason == "dead-man":
            return
        try:
            with open(self.spec["lease_file"]) as file:
                expiry = float(file.read())
        except (OSError, ValueError):
            return
        if now() > expiry:
            self.reason, self.code = "dead-man", KILLED
            self.kill_at = now()
            self.record("dead-man")

    def _units(self):
        folder = self.spec["checkpoint_dir"]
        try:
            names = os.listdir(folder)
        except OSError:
            return set()
        return {
            int(name)
            for name in names
            if is_unit(name) and os.path.isfile(os.path.join(folder, name, "manifest.json"))
        }

    def _find_checkpoints(self):
        self.looked = now()
        units = self._units()
        for unit in sorted(units - self.checkpoints):
            self.record("checkpoint", unit=unit)
        self.checkpoints = units

    # End

    def _is_over(self):
        """Whether all workers have exited, no process of theirs is left, and all output is read."""
        if any(not worker.reaped for worker in self.workers):
            return False
        left = self._family()
        if left:
            if self.kill_at is None:
                self._signal(signal.SIGKILL)
            if not left <= self.foreign or now() - self.foreign_since < FOREIGN_S:
                return False
            names = ", ".join(str(pid) for pid in sorted(left))
            self.message = f"processes of another user cannot be ended, and still run: {names}"
        if self.spec.get("container") and not self._containers_ended():
            return False
        self.quiet_since = self.quiet_since or now()
        # Longer than that, a process that escaped detection holds the pipe.
        return self.outputs == 0 or now() - self.quiet_since > LAST_OUTPUT_S

    def _containers_ended(self):
        """Containers outlive their workers if those were killed."""
        if self.containers_until is None:
            self.containers_until = now() + CONTAINERS_S
            self.removed = 0.0
        elif self.containers_until == 0:
            return True
        if self._remove_containers():
            self.containers_until = 0
        elif now() > self.containers_until:
            self.containers_until = 0
            self.message = "Docker does not answer: a container of the trial may still run"
        return self.containers_until == 0

    def _remove_containers(self):
        if now() - self.removed < 1:
            return False
        self.removed = now()
        return remove_containers(self.spec["mark"], self.spec["lease"])

    def _family(self):
        """Returns the processes of the workers, whatever they have done: what loses its parent
        becomes a child of this process."""
        return set(family(self.marks, self.spec["limit"])) | set(descendants(os.getpid()))

    def _reap_orphans(self):
        workers = {worker.process.pid for worker in self.workers if not worker.reaped}
        while True:
            try:
                ended = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            except ChildProcessError:
                return
            if ended is None or ended.si_pid in workers:
                return  # the next look finds a worker that has just ended
            os.waitpid(ended.si_pid, 0)

    def _timeout(self):
        if all(worker.reaped for worker in self.workers):
            return SWEEP_S
        ends = [at - now() for at in (self.term_at, self.kill_at) if at is not None]
        left = min(ends, default=TICK_S)
        return max(SWEEP_S, min(TICK_S, left))

    def _signal(self, number):
        groups = {worker.process.pid for worker in self.workers if not worker.reaped}
        # The client passes a signal on to its container, whose processes would get it twice.
        passed_on = self.spec.get("container") and number != signal.SIGKILL
        others = [] if passed_on else self._family()
        for group in groups:
            send(os.killpg, group, number)
        for pid in others:
            try:
                group = os.getpgid(pid)
            except ProcessLookupError:
                continue
            if group not in groups and not send(os.kill, pid, number):
                if pid not in self.foreign:
                    self.foreign_since = now()
                self.foreign.add(pid)
        if self.spec.get("container") and number == signal.SIGKILL:
            self._remove_containers()


LIBC = ctypes.CDLL(None)


def keep_orphans():
    """Makes this process the parent of all descendants that lose theirs."""
    LIBC.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def before_exec(limit):
    os.umask(0o077)
    try:
        resource.setrlimit(RLIMIT_LOCKS, (int(limit), int(limit)))  # not used by Linux, but inherited
    except (OSError, ValueError):
        pass  # a lower one exists
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def detach(folder):
    """Leaves the session and the process tree of the caller: Ray ends those with an actor."""
    if os.fork():
        os._exit(0)
    os.setsid()
    if os.fork():
        os._exit(0)
    null = os.open(os.devnull, os.O_RDWR)
    errors = os.path.join(folder, "shim.err")
    error = os.open(errors, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    for source, target in ((null, 0), (null, 1), (error, 2)):
        os.dup2(source, target)


def main(folder):
    spec = json.load(sys.stdin)
    lock = os.open(os.path.join(folder, "lock"), os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as e:
        if e.errno not in (errno.EAGAIN, errno.EACCES):
            raise
        print("known")
        return
    if os.path.exists(os.path.join(folder, "journal")):
        print("known")
        return
    reserve_space(folder)
    # The attempt runs from now on: the next start of the trial must find it.
    os.close(os.open(os.path.join(folder, "journal"), os.O_WRONLY | os.O_CREAT, 0o600))
    print("started", flush=True)
    detach(folder)  # the lock stays with the child
    keep_orphans()
    shim = Shim(folder, spec)
    try:
        shim.run()
    except OSError as e:  # such as a full disk
        shim.fail(f"its journal cannot be written: {e.strerror}")
        raise
    except Exception as e:
        shim.fail(repr(e))
        raise


if __name__ == "__main__":
    main(sys.argv[1])
