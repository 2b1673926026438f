"""Connects a controller of Elastune with the agents on the nodes of a Ray cluster.

The controller sends this source and the frames of the protocol to standard input, and reads frames
from standard output. A frame is one line of JSON; if it has `bytes: N`, N raw bytes follow.

    request  {"id": 1, "op": "attach", ...}
    answer   {"re": 1, "ok": {...}}  or  {"re": 1, "error": {"kind": "io", "message": "..."}}
    event    {"ev": "report", ...}

The bridge ends with its standard input. It has no state that is not on the nodes: the controller
starts it again after a failure, and repeats the requests that were not answered.

`Agent` runs on a node: as a detached Ray actor, one per lease, or with the address `loopback` in
this process, without Ray. It starts shims (elastune_shim.py) and reads their files. Its folder is

    lease              when the workers and the folder end unless renewed (CLOCK_BOOTTIME)
    owner              run and epoch: which controller of the run has sent the last command
    containers         exists if workers run in containers
    instance           an ID, the start of the lease, and its tags
    shim.py            source of the shim
    acceptance/        source of the check of the node
    code/VERSION/      code of the run, and what `setup` has added
    setup-NAME.log     output of `setup`; NAME tells the code and the command
    setup-NAME.json    its exit code
    attempts/ATTEMPT/  see elastune_shim.py
    trials/TRIAL/      the trial's checkpoints
    work/TRIAL/        the trial's working folder, with a copy of the code
"""

import asyncio
import base64
import concurrent.futures
import fcntl
import grp
import hashlib
import http.client
import itertools
import json
import os
import pwd
import re
import resource
import shutil
import signal
import socket
import stat
import subprocess
import sys
import tarfile
import threading
import time
import urllib.parse
import uuid

PROTOCOL = 1
MAX_REQUESTS = 1024
NAMESPACE = "elastune"
NODE_LABEL = "ray.io/node-id"  # Ray sets it to the identifier of the node
MAX_BYTES = 4 << 20  # of an answer, and of the manifest of a checkpoint
MAX_FILES = 10_000
MAX_UNITS = 1_000  # in one list of a trial's checkpoints: the newest
MAX_NAME = 1_000
MAX_FOLDERS = 32
MAX_LOG = 1 << 20
MAX_BACKLOG = 64 << 20
MAX_CHECK = 20_000
MAX_COPIED = 10_000_000
KILLED = 137
CANNOT_START = 127
PREPARE_S = 4
CALL_S = 8
WAITING_END_S = 15  # the shim kills them after 10
START_S = 40  # on a busy node: Ray runs agents at a low priority
TRANSFER_S = 50
CONNECT_S = 5
DESCRIBE_S = 3
PENDING_S = 1
BUCKET_S = 14 * 60
HTTP_S = 60
POLL_S = 0.5
LOOK_S = 0.03
SWEEP_S = 1
DOCKER_S = 20
GPU_QUERY_S = 20
GPU_S = 5  # for a driver that frees a GPU after the end of its processes
SAMPLE_S = 5
RLIMIT_LOCKS = 10
TICK_S = 0.02  # the start of a process is known that exactly
MIN_CPU_SHARE = 0.004
REMAINS_S = 600
REMOVALS = 100
UNIT = re.compile(r"[1-9][0-9]{0,8}\Z")
INHERITED = ("PATH", "HOME", "USER", "LOGNAME", "LANG", "LC_ALL", "LC_CTYPE")
INHERITED += ("LD_LIBRARY_PATH", "TMPDIR")


class Failure(Exception):
    """An error for the controller. Kinds: bad-request, version, auth, no-ray, no-cluster, no-node,
    no-agent, agent-silent, agent-unavailable (both: try again), unsafe (the node has no private
    folder), epoch, io, torn, internal."""

    def __init__(self, kind, message, node=""):
        super().__init__(message)
        self.kind = kind
        self.node = node

    def answer(self):
        return {"error": {"kind": self.kind, "message": str(self), "node": self.node}}


def boottime():
    return time.clock_gettime(time.CLOCK_BOOTTIME)


def private_folder(path: str) -> str:
    """Returns a folder of this user alone, with the mode 0700, as a path without links.

    Creates it and its missing parents. Raises a PermissionError with the reason if another user
    owns it, can write to it, or can replace it or a folder that it is in, or if it is a link. A
    group counts as others, unless it is the one that many systems give to each user.
    """

    def refusal(folder: str, reason: str) -> PermissionError:
        return PermissionError(f"the folder {folder} is not private: {reason}")

    def trusted(about: os.stat_result) -> bool:
        owners = {0, os.geteuid()}
        try:  # the owner that the kernel shows for users which a container does not have
            with open("/proc/self/uid_map") as file:
                if not file.read().strip().endswith("4294967295"):
                    owners.add(65534)
        except OSError:
            pass  # not Linux
        return about.st_uid in owners

    def own_group(about: os.stat_result) -> bool:
        try:
            name = grp.getgrgid(about.st_gid).gr_name
            return about.st_gid in (0, about.st_uid) or name == pwd.getpwuid(about.st_uid).pw_name
        except KeyError:
            return about.st_gid in (0, about.st_uid)

    def others_can_write(about: os.stat_result) -> bool:
        by_group = bool(about.st_mode & stat.S_IWGRP) and not own_group(about)
        return by_group or bool(about.st_mode & stat.S_IWOTH)

    real, links = "/", 0
    parts = os.path.abspath(path).split("/")
    while parts:
        part = parts.pop(0)
        if part in ("", "."):
            continue
        if part == "..":
            real = os.path.dirname(real)
            continue
        about = os.lstat(real)
        if not stat.S_ISDIR(about.st_mode):
            raise refusal(real, "it is not a folder")
        if not trusted(about):
            raise refusal(real, f"it belongs to the user {about.st_uid}")
        if others_can_write(about) and not about.st_mode & stat.S_ISVTX:
            raise refusal(real, "other users can replace the folders in it")
        found = os.path.join(real, part)
        try:
            about = os.lstat(found)
        except FileNotFoundError:
            try:
                os.mkdir(found, 0o700)
            except FileExistsError:
                pass  # another process has just created it
            about = os.lstat(found)
        if not stat.S_ISLNK(about.st_mode):
            real = found
            continue
        links += 1
        if not any(parts):
            raise refusal(found, "it is a link")
        if not trusted(about) or links > 40:
            raise refusal(path, f"{found} is a link of the user {about.st_uid}")
        target = os.readlink(found)
        parts = target.split("/") + parts
        real = "/" if target.startswith("/") else real
    about = os.lstat(real)
    if not stat.S_ISDIR(about.st_mode):
        raise refusal(real, "it is not a folder")
    if about.st_uid != os.geteuid():
        raise refusal(real, f"it belongs to the user {about.st_uid}")
    if others_can_write(about):
        raise refusal(real, "other users can write to it")
    if about.st_mode & 0o077:
        os.chmod(real, 0o700)
        if os.lstat(real).st_mode & 0o077:
            raise refusal(real, "its file system gives access to other users")
    return real


def default_root():
    """Returns the folder of the agents of this user on this node."""
    root = "/var/lib/elastune"
    try:
        if os.lstat(root).st_uid == os.geteuid():
            return private_folder(root)
    except OSError:
        pass  # it is absent, or others can change it
    return private_folder(f"/tmp/elastune-{os.getuid()}")


def replace(path, text):
    """Writes a file that is complete or absent."""
    with open(os.open(path + ".part", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        file.write(text)
    os.rename(path + ".part", path)


def is_locked(path):
    try:
        fd = os.open(path, os.O_RDWR)
    except FileNotFoundError:
        return False
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return False
    except OSError:
        return True
    finally:
        os.close(fd)


def limit_mark(marks):
    """Returns the digits in the hard limit of file locks that mark the processes of a lease, or of an
    attempt or a setup there. Linux does not use this limit, every process inherits it, and an
    ordinary user can only lower it: it also marks those that have cleared their environment."""

    def number(text, numbers):
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") % numbers

    lease = 10**9 + number(marks["ELASTUNE_LEASE"], 8 * 10**9)
    part = marks.get("ELASTUNE_ATTEMPT", marks.get("ELASTUNE_SETUP"))
    return str(lease) + (f"{number(part, 10**9):09}" if part else "")


def set_mark(pid, marks):
    """Marks a process that has just started. Not between fork and exec: this process has threads."""
    number = int(limit_mark(marks))
    try:
        resource.prlimit(pid, RLIMIT_LOCKS, (number, number))
    except (OSError, ValueError):
        pass  # it has a lower limit, or has ended


def processes(marks):
    """Returns the processes with all of these variables, or with their mark in the limits."""
    wanted = [b"\0" + f"{name}={value}".encode() + b"\0" for name, value in marks.items()]
    limit = re.compile(rb"^Max file locks +\S+ +%b" % limit_mark(marks).encode(), re.MULTILINE)
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
        if all(mark in environment for mark in wanted) or limit.search(limits):
            found.append(int(name))
    return found


def kill_all(marks):
    """Kills the processes with these variables until none is left."""
    while True:
        found = processes(marks)
        if not found:
            return
        for pid in found:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        time.sleep(0.02)


def remove_containers(**labels):
    """Removes the containers with these labels."""
    filters = [f"--filter=label=elastune-{name}={value}" for name, value in labels.items()]
    options = {"stdin": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "timeout": DOCKER_S}
    try:
        command = ["docker", "ps", "--all", "--quiet", *filters]
        found = subprocess.run(command, stdout=subprocess.PIPE, **options).stdout.decode().split()
        if found:
            command = ["docker", "rm", "--force", *found]
            subprocess.run(command, stdout=subprocess.DEVNULL, **options)
    except (OSError, subprocess.SubprocessError):
        return  # an engine that does not answer has probably ended, and so have its containers


def cpu_seconds(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except OSError:
        return 0.0


def query_gpus(query):
    """Returns the rows of a query of the driver; none without it, or if it fails."""
    tool = shutil.which("nvidia-smi")
    if tool is None:
        return []
    command = [tool, query, "--format=csv,noheader,nounits"]
    options = {"stdin": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "timeout": GPU_QUERY_S}
    try:
        lines = subprocess.run(command, stdout=subprocess.PIPE, check=True, **options).stdout
    except (OSError, subprocess.SubprocessError):
        return []
    return [[part.strip() for part in line.split(",", 2)] for line in lines.decode().splitlines()]


def left_on_gpus(devices, since):
    """Returns the first process that an attempt has left on one of these GPUs: one of this user
    that began after a time, and that is of no lease any more, as (GPU, process ID, name)."""
    found = []
    for row in query_gpus("--query-compute-apps=gpu_uuid,pid,process_name"):
        if len(row) == 3 and row[1].isdigit() and is_left(int(row[1]), since):
            found.append((row[0], int(row[1]), row[2]))
    if not found:
        return None
    rows = query_gpus("--query-gpu=index,uuid")
    uuids = {row[1] for row in rows if len(row) == 2 and (row[0] in devices or row[1] in devices)}
    return next((holder for holder in found if holder[0] in uuids), None)


def is_left(pid, since):
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            fields = file.read().rpartition(b")")[2].split()
        with open(f"/proc/{pid}/environ", "rb") as file:
            leased = b"ELASTUNE_LEASE=" in file.read()
        own = os.stat(f"/proc/{pid}").st_uid == os.getuid()
    except OSError:
        return False  # ended meanwhile, or of another user
    began = int(fields[19]) / os.sysconf("SC_CLK_TCK")  # after the start of the system
    return own and not leased and fields[0] != b"Z" and began >= since - TICK_S


def clean_environment():
    return {name: os.environ[name] for name in INHERITED if name in os.environ}


def extract(archive, folder):
    """Unpacks a tar file. Refuses every entry that could write outside the folder."""
    with tarfile.open(archive, "r:") as tar:
        extract_all(tar, folder)


def extract_all(tar, folder):
    for member in tar:
        target = os.path.normpath(os.path.join(folder, member.name))
        inside = target == folder or target.startswith(folder + os.sep)
        parent = os.path.realpath(os.path.dirname(target))
        if not inside or not (parent + os.sep).startswith(os.path.realpath(folder) + os.sep):
            raise Failure("bad-request", f"{member.name} leaves the folder of the archive")
        if member.isdir():
            os.makedirs(target, 0o700, exist_ok=True)
        elif member.issym():
            linked = os.path.normpath(os.path.join(os.path.dirname(target), member.linkname))
            if os.path.isabs(member.linkname) or not linked.startswith(folder + os.sep):
                raise Failure("bad-request", f"the link {member.name} leaves the archive")
            os.symlink(member.linkname, target)
        elif member.isfile():
            mode = 0o700 if member.mode & stat.S_IXUSR else 0o600
            os.makedirs(os.path.dirname(target), 0o700, exist_ok=True)
            with open(os.open(target, os.O_WRONLY | os.O_CREAT, mode), "wb") as file:
                shutil.copyfileobj(tar.extractfile(member), file)
        else:
            raise Failure("bad-request", f"{member.name} is no file, folder or link")


def open_file(path):
    """Opens a file that a trial has written: a pipe or a device may never end."""
    file = open(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW), "rb")
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise OSError(f"{path} is no ordinary file")
    return file


def move_aside(path):
    os.rename(path, f"{path}.left-{time.monotonic_ns()}")


def restore_folder(folder):
    """Creates a folder of a trial where it is missing, or where the trial has put something else.

    What is behind a link belongs to others. A folder may deny its owner the access."""
    if os.path.lexists(folder) and (os.path.islink(folder) or not os.path.isdir(folder)):
        move_aside(folder)
    os.makedirs(folder, 0o700, exist_ok=True)
    os.chmod(folder, 0o700)


def remove(path):
    """Deletes what a trial has left, whatever it is. What cannot be deleted is moved aside."""
    if not os.path.lexists(path):
        return
    if os.path.islink(path) or not os.path.isdir(path):
        os.remove(path)
        return
    os.chmod(path, 0o700)
    for parent, names, _ in os.walk(path):  # folders may deny their owner the access
        for name in names:
            if not os.path.islink(os.path.join(parent, name)):
                os.chmod(os.path.join(parent, name), 0o700)
    try:
        shutil.rmtree(path)
    except OSError:
        move_aside(path)


def exceeds_disk(path):
    """Whether a file is larger than its disk, so mostly holes: reading it may take for ever."""
    disk = os.statvfs(os.path.dirname(path))
    total = disk.f_blocks * disk.f_frsize
    return 0 < total < os.lstat(path).st_size


def checkpoint_problem(folder, unit):
    """Returns why a checkpoint is torn: the rules of docs/trial-protocol.md. None if complete."""
    try:
        manifest = read_manifest(folder)
        if manifest.get("unit") != unit:
            return f"its manifest.json belongs to unit {manifest.get('unit')}"
        for entry in manifest["files"]:
            flaw = name_flaw(entry["name"]) or name_flaw(entry.get("link", ""))
            if flaw:
                return f"the name of one of its files {flaw}"
            name, path = entry["name"], os.path.normpath(os.path.join(folder, entry["name"]))
            if not path.startswith(folder + os.sep):
                return f"its file {name} is outside the checkpoint"
            if "link" in entry:
                flaw = link_flaw(folder, name, entry["link"])
                if flaw:
                    return f"its link {name} to {entry['link']} {flaw}"
                continue
            parts = name.split("/")
            if any(os.path.islink(os.path.join(folder, *parts[:i])) for i in range(1, len(parts) + 1)):
                return f"its file {name} is a link, which its manifest.json does not say"
            if not os.path.isfile(path):
                return f"its file {name} is missing"
            if os.path.getsize(path) != entry["size"]:
                return f"its file {name} has {os.path.getsize(path)} bytes, not {entry['size']}"
            if exceeds_disk(path):
                return f"its file {name} is larger than its disk"
            if sha256(path) != entry["sha256"]:
                return f"its file {name} does not match its checksum"
    except FileNotFoundError:
        return "it has no manifest.json"
    except OSError as e:
        return f"it cannot be read: {e}"
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as e:
        return f"its manifest.json cannot be read: {e!r}"
    return None


def read_manifest(folder):
    """Returns the manifest of a checkpoint, which a trial has written: it has limits."""
    with open_file(os.path.join(folder, "manifest.json")) as file:
        content = file.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise ValueError("larger than 4 MiB")
    manifest = json.loads(content)
    if len(manifest["files"]) > MAX_FILES:
        raise ValueError(f"more than {MAX_FILES} files")
    return manifest


def name_flaw(name):
    """Returns why a checkpoint must not have a file or link of this name: as in the helper."""
    if len(name) > MAX_NAME:
        return f"has more than {MAX_NAME} characters"
    if name.count("/") > MAX_FOLDERS:
        return f"has more than {MAX_FOLDERS} folders"
    if any(ord(char) < 32 or 127 <= ord(char) < 160 for char in name):
        return "has a control character"
    return None


def link_flaw(folder, name, link):
    """Returns why a checkpoint must not have a link: the rule of docs/trial-protocol.md."""
    path = os.path.join(folder, name)
    if not os.path.islink(path) or os.readlink(path) != link:
        return "is missing"
    if os.path.isabs(link):
        return "is absolute"
    parts, steps = name.split("/")[:-1], link.split("/")
    for index, step in enumerate(steps):
        if step == "..":
            if not parts:
                return "leaves the checkpoint"
            parts.pop()
        elif step not in ("", "."):
            parts.append(step)
        is_last = index == len(steps) - 1
        if not is_last and parts and os.path.islink(os.path.join(folder, *parts)):
            return "goes through another link"
    if not parts:
        return "leads to the checkpoint itself"
    return None if os.path.exists(os.path.join(folder, *parts)) else "leads to nothing"


def create_links(folder):
    """Creates the links that the manifest of a copied checkpoint lists: copies have only files.

    Those that leave the checkpoint, or that are below another link, are not created: it is torn."""
    try:
        entries = [entry for entry in read_manifest(folder)["files"] if "link" in entry]
        for entry in entries:
            if name_flaw(entry["name"]) or name_flaw(entry["link"]):
                return
            path = os.path.normpath(os.path.join(folder, entry["name"]))
            if not path.startswith(folder + os.sep) or os.path.lexists(path):
                continue
            parts = path[len(folder) + 1 :].split(os.sep)
            below = any(os.path.islink(os.path.join(folder, *parts[:i])) for i in range(1, len(parts)))
            target = os.path.normpath(os.path.join(os.path.dirname(path), entry["link"]))
            if not below and (target + os.sep).startswith(folder + os.sep):
                os.makedirs(os.path.dirname(path), 0o700, exist_ok=True)
                os.symlink(entry["link"], path)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        pass  # the checkpoint is torn, which its validation reports


def sha256(path):
    digest = hashlib.sha256()
    with open_file(path) as file:
        for piece in iter(lambda: file.read(1 << 20), b""):
            digest.update(piece)
    return digest.hexdigest()


class Archive:
    """The bytes of a tar file of a folder, which is not written to disk."""

    def __init__(self, folder):
        self.pieces = []  # (offset, header or None, path or None, size)
        self.size = 0
        for parent, names, files in os.walk(folder):
            names.sort()
            for name in sorted(files):
                path = os.path.join(parent, name)
                if not stat.S_ISREG(os.lstat(path).st_mode) or exceeds_disk(path):
                    continue  # the manifest has the links
                entry = tarfile.TarInfo(os.path.relpath(path, folder))
                entry.size, entry.mode = os.path.getsize(path), 0o600
                self._add(entry.tobuf(tarfile.PAX_FORMAT, "utf-8"), None)
                self._add(None, path, entry.size)
                self._add(bytes(-entry.size % tarfile.BLOCKSIZE), None)
        self._add(bytes(2 * tarfile.BLOCKSIZE), None)

    def _add(self, data, path, size=None):
        size = len(data) if size is None else size
        if size:
            self.pieces.append((self.size, data, path, size))
            self.size += size

    def read(self, offset, length):
        """Yields the bytes from an offset."""
        for start, data, path, size in self.pieces:
            first, last = max(offset, start) - start, min(offset + length, start + size) - start
            if last <= first:
                continue
            if data is not None:
                yield data[first:last]
                continue
            with open_file(path) as file:
                file.seek(first)
                while first < last:
                    piece = file.read(min(1 << 20, last - first))
                    if not piece:
                        raise Failure("io", f"{path} has become shorter")
                    first += len(piece)
                    yield piece


class Transfer:
    """One HTTP request to a signed URL. The URL is a secret: no message contains it."""

    def __init__(self, method, url, headers, body=None):
        parts = urllib.parse.urlsplit(url)
        secure = parts.scheme == "https"
        kind = http.client.HTTPSConnection if secure else http.client.HTTPConnection
        self.connection = kind(parts.netloc, timeout=HTTP_S)
        self.request = (method, parts.path + "?" + parts.query, body, headers)
        self.host = parts.hostname

    def __enter__(self):
        try:
            self.connection.request(*self.request)
            response = self.connection.getresponse()
            if response.status >= 300:
                code = re.search(rb"<Code>([A-Za-z.]+)</Code>", response.read(4096))
                reason = code.group(1).decode() if code else response.reason
                raise Failure("io", f"{self.host} answered {response.status} {reason}")
            return response
        except (OSError, http.client.HTTPException) as e:
            self.connection.close()
            raise Failure("io", f"the connection to {self.host} failed: {type(e).__name__}")

    def __exit__(self, *unused):
        self.connection.close()


class Agent:
    """Starts and observes the attempts on one lease. Methods `op_…` answer the requests."""

    def __init__(self, lease, root, shim, ttl_s, run, tags=None):
        self.lease = lease
        self.lock = threading.Lock()
        self.epoch = 0
        self.wakes = 0
        self.starting = set()
        self.used = False  # whether an attempt has been started, by this agent or an earlier one
        self.trial_locks = {}
        self.tidying = threading.Lock()
        self.setups = {}
        self.checks = {}
        self.ended = set()
        self.activity = {}
        self.closed = False
        self.run = run
        self.refusal = None
        try:
            root = private_folder(root) if root else default_root()
            self.folder = private_folder(os.path.join(root, lease))
            private_folder(os.path.join(self.folder, "attempts"))
        except OSError as e:  # nothing may be written or executed there
            self.refusal = f"the node {self._ip()} cannot be used: {e}"
            return
        replace(self._path("shim.py"), shim)
        owner = self._owner()
        self.run = owner.get("run", run)
        if not os.path.exists(self._path("lease")):
            self._renew(ttl_s)
        if not os.path.exists(self._path("instance")):
            instance = {"id": uuid.uuid4().hex, "began": time.time(), "tags": tags or {}}
            replace(self._path("instance"), json.dumps(instance))
        threading.Thread(target=self._remove_remains, daemon=True).start()
        threading.Thread(target=self._sweep, daemon=True).start()

    def handle(self, op, fields, payload):
        """Answers a request; also the only method that Ray calls."""
        try:
            if self.refusal:
                return self._refuse(op)
            if op != "end":
                self._check_open()
            if "epoch" in fields:
                self._check_epoch(fields["epoch"])
            answer = getattr(self, "op_" + op)(fields, payload)
            value, data = answer if isinstance(answer, tuple) else (answer, b"")
            return {"ok": value}, data
        except Failure as e:
            return e.answer(), b""
        except OSError as e:
            return Failure("io", str(e)).answer(), b""
        except Exception as e:
            return Failure("internal", repr(e)).answer(), b""

    def _refuse(self, op):
        if op == "end":
            self.closed = True
            return {"ok": {}}, b""
        return Failure("unsafe", self.refusal, self._ip()).answer(), b""

    def _path(self, *names):
        path = os.path.normpath(os.path.join(self.folder, *names))
        if not path.startswith(self.folder + os.sep):
            raise Failure("bad-request", f"{path} is outside the folder of the lease")
        return path

    def _owner(self):
        try:
            with open(self._path("owner")) as file:
                return json.load(file)
        except FileNotFoundError:
            return {}

    def _check_epoch(self, epoch):
        """A late command of an earlier controller must not start or end anything."""
        with self.lock:
            self.epoch = max(self.epoch, self._owner().get("epoch", 0))
            if epoch < self.epoch:
                raise Failure("epoch", f"controller {epoch} of the run was followed by {self.epoch}")
            if epoch > self.epoch and not self.closed:
                replace(self._path("owner"), json.dumps({"run": self.run, "epoch": epoch}))
                self.epoch = epoch

    # Lease

    def op_describe(self, fields, payload):
        with open(self._path("instance")) as file:
            instance = json.load(file)
        return {
            "state": "ready",
            "instance": instance["id"],
            "age_ms": round(1000 * max(0.0, time.time() - instance["began"])),
            "tags": instance["tags"],
            "left_s": self._expiry() - boottime(),
            "run": self.run,
            "pid": os.getpid(),
            "folder": self.folder,
            "devices": self._devices(),
            "ip": self._ip(),
            "cpus": os.cpu_count(),
            "memory": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
            "attempts": {name: self._state(name) for name in self._attempts()},
            "code": self._versions(),
        }

    def _ip(self):
        if "ray" not in sys.modules:
            return "127.0.0.1"
        import ray

        return ray.util.get_node_ip_address()

    def _devices(self):
        """The GPUs that Ray has reserved for this actor."""
        if "ray" not in sys.modules:
            return []
        import ray

        return [str(device) for device in ray.get_gpu_ids()]

    def op_renew(self, fields, payload):
        self._renew(fields["ttl_s"])
        return {}

    def _renew(self, ttl_s):
        with self.lock:
            self._check_open()
            replace(self._path("lease"), str(boottime() + ttl_s))

    def _check_open(self):
        """What is written after the end of the lease would stay on the node."""
        if self.closed:
            raise Failure("no-agent", f"lease {self.lease} has ended")

    def _expiry(self):
        try:
            with open(self._path("lease")) as file:
                return float(file.read())
        except (OSError, ValueError):
            return boottime()

    def op_end(self, fields, payload):
        """Ends all workers and removes the folder. The caller ends the actor."""
        with self.lock:
            self.closed = True
        while self.starting:
            time.sleep(0.02)
        kill_all({"ELASTUNE_LEASE": self.lease})
        if os.path.exists(self._path("containers")):
            remove_containers(lease=self.lease)
        for attempt in self._attempts():
            while is_locked(self._path("attempts", attempt, "lock")):
                time.sleep(0.02)
        for _ in range(REMOVALS):
            shutil.rmtree(self.folder, ignore_errors=True)
            if not os.path.exists(self.folder):
                break
            time.sleep(0.02)  # a request under way has just written a file
        return {}

    # Files

    def op_put(self, fields, payload):
        path = self._path(fields["path"])
        os.makedirs(os.path.dirname(path), 0o700, exist_ok=True)
        if fields["offset"] > 0 and not os.path.exists(path + ".part"):
            if os.path.exists(path):
                return {}  # the last piece again: its answer was lost
            raise Failure("io", f"the first pieces of {path} are missing")
        with open(os.open(path + ".part", os.O_WRONLY | os.O_CREAT, 0o600), "wb") as file:
            file.truncate(fields["offset"])
            file.seek(fields["offset"])
            file.write(payload)
            if fields["last"]:
                file.flush()
                os.fsync(file.fileno())
        if fields["last"]:
            os.rename(path + ".part", path)
        return {}

    def op_get(self, fields, payload):
        with open(self._path(fields["path"]), "rb") as file:
            file.seek(fields["offset"])
            return {}, file.read(min(fields["length"], MAX_BYTES))

    def _versions(self):
        try:
            return [name for name in os.listdir(self._path("code")) if "." not in name]
        except FileNotFoundError:
            return []

    def op_unpack(self, fields, payload):
        """Unpacks code. The folder of a version is complete or absent."""
        archive, target = self._path(fields["path"]), self._path("code", fields["code"])
        if os.path.isdir(target):
            return {}
        temporary = f"{target}.{threading.get_ident()}"
        shutil.rmtree(temporary, ignore_errors=True)
        os.makedirs(temporary, 0o700)
        extract(archive, temporary)
        folders = [
            os.path.relpath(os.path.join(parent, name), temporary)
            for parent, names, _ in os.walk(temporary)
            for name in names
            if not os.path.islink(os.path.join(parent, name))
        ]
        replace(target + ".folders", json.dumps(folders))
        try:
            os.rename(temporary, target)
        except OSError:
            shutil.rmtree(temporary)
            if not os.path.isdir(target):
                raise
        os.remove(archive)
        return {}

    def op_prepare(self, fields, payload):
        """Runs `setup` once and returns its output from an offset on; waits for news of it.

        It runs in the folder of the code, or in a given one. Its result is kept in a file. With
        the offset -1, the output of a setup that succeeded earlier is not wanted again.
        """
        name, offset = fields["setup"], fields["offset"]
        result, log = self._path(f"setup-{name}.json"), self._path(f"setup-{name}.log")
        deadline = time.monotonic() + PREPARE_S
        with self.lock:
            if name not in self.setups and not os.path.exists(result):
                folder = self._path("code", fields["code"]) if fields["code"] else fields["cwd"]
                self.setups[name] = None
                runner = (name, fields["command"], folder, fields["env"], log, result)
                threading.Thread(target=self._run_setup, args=runner, daemon=True).start()
        while True:
            value = self._setup_result(name, result)  # before its output: complete then
            if offset < 0 and value is not None and value["exit"] == 0:
                return value, b""
            output = self._setup_output(log, max(0, offset))
            if value is not None or output or time.monotonic() >= deadline:
                more = len(output) == MAX_LOG
                return value if value is not None and not more else {"running": True}, output
            time.sleep(LOOK_S)

    def _run_setup(self, name, command, folder, environment, log, result):
        marks = {"ELASTUNE_LEASE": self.lease, "ELASTUNE_SETUP": name}
        try:
            kill_all(marks)  # of an agent that was killed
            with open(os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as out:
                process = subprocess.Popen(
                    [shutil.which("bash") or "sh", "-e", "-c", command],
                    cwd=folder,
                    env={**clean_environment(), **environment, **marks},
                    stdin=subprocess.DEVNULL,
                    stdout=out,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                )
                set_mark(process.pid, marks)
                value = {"exit": process.wait()}
        except OSError as e:
            value = {"exit": CANNOT_START, "message": str(e)}
        try:
            replace(result, json.dumps(value))
        finally:
            self.setups[name] = value

    def _setup_result(self, name, path):
        if self.setups.get(name) is not None or not os.path.exists(path):
            return self.setups.get(name)
        with open(path) as file:
            return json.load(file)

    def _setup_output(self, log, offset):
        try:
            with open(log, "rb") as file:
                file.seek(offset)
                return file.read(MAX_LOG)
        except FileNotFoundError:
            return b""

    def op_accept(self, fields, payload):
        """Runs the program in the payload once per name of a check; waits for its output."""
        name, deadline = fields["check"], time.monotonic() + fields["wait_s"]
        with self.lock:
            if name not in self.checks:
                self.checks = {name: None}  # earlier ones have been read
                runner = (name, fields, payload.decode())
                threading.Thread(target=self._run_check, args=runner, daemon=True).start()
        while self.checks.get(name) is None and time.monotonic() < deadline:
            time.sleep(LOOK_S)
        value = self.checks.get(name) or {"running": True}
        return {**value, "time": time.time(), "free": shutil.disk_usage(self.folder).free}

    def _run_check(self, name, fields, program):
        variables = {"ELASTUNE_LEASE": self.lease, "ELASTUNE_PYTHON": sys.executable}
        try:
            folder = self._path("acceptance")
            os.makedirs(folder, 0o700, exist_ok=True)
            replace(os.path.join(folder, "acceptance.py"), program)
            process = subprocess.Popen(
                ["sh", "-c", fields["command"]],
                cwd=folder,
                env={**clean_environment(), **variables},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
            try:
                output, errors = process.communicate(timeout=fields["limit_s"])
                value = {"exit": process.returncode, "output": output[-MAX_CHECK:].decode()}
                value["message"] = errors[-MAX_CHECK:].decode("utf-8", "replace")
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)  # not waited for: a driver may hang
                if fields["container"]:
                    remove_containers(lease=self.lease, attempt="acceptance")
                value = {"timed_out": True}
        except (OSError, ValueError) as e:
            value = {"exit": CANNOT_START, "message": str(e)}
        if name in self.checks:
            self.checks[name] = value

    def _trial(self, fields):
        """The folder of a trial's checkpoints: on a shared file system, or of this lease."""
        return fields.get("folder") or self._path("trials", str(fields["trial"]))

    def op_read(self, fields, payload):
        """Reads a small file of a shared file system."""
        with open(fields["path"], "rb") as file:
            return {}, file.read(MAX_BYTES)

    def op_pack(self, fields, payload):
        """Checks a checkpoint, and tells the size of its archive."""
        folder = os.path.join(self._trial(fields), str(fields["unit"]))
        problem = checkpoint_problem(folder, fields["unit"])
        if problem:
            raise Failure("torn", problem)
        return {"size": Archive(folder).size}

    def op_upload(self, fields, payload):
        """Sends a part of a checkpoint's archive to the signed URL in the payload."""
        archive = Archive(os.path.join(self._trial(fields), str(fields["unit"])))
        offset, length = fields["offset"], fields["length"]
        if offset + length > archive.size:
            raise Failure("io", "the checkpoint has changed")
        headers = {"Content-Length": str(length)}
        try:
            digest = hashlib.md5()
            for piece in archive.read(offset, length):
                digest.update(piece)
            headers["Content-MD5"] = base64.b64encode(digest.digest()).decode()
        except ValueError:
            pass  # a Python that allows no MD5
        url, body = payload.decode(), archive.read(offset, length)
        with Transfer("PUT", url, headers, body) as response:
            response.read()
            return {"tag": response.headers.get("ETag", "")}

    def op_download(self, fields, payload):
        """Places a checkpoint from the signed URL of its archive in the payload."""
        folder, unit = self._trial(fields), str(fields["unit"])
        target = os.path.join(folder, unit)
        if os.path.isdir(target):
            return {}  # again: the answer was lost
        temporary = f"{target}.tmp"
        shutil.rmtree(temporary, ignore_errors=True)
        os.makedirs(temporary, 0o700)
        with Transfer("GET", payload.decode(), {}) as response:
            try:
                with tarfile.open(fileobj=response, mode="r|") as tar:
                    extract_all(tar, temporary)
            except (tarfile.TarError, EOFError, http.client.HTTPException) as e:
                raise Failure("io", f"the archive is incomplete: {type(e).__name__}")
        create_links(temporary)
        problem = checkpoint_problem(temporary, fields["unit"])
        if problem:
            raise Failure("torn", problem)
        os.rename(temporary, target)
        return {}

    def op_checkpoints(self, fields, payload):
        """Lists the complete-looking checkpoints of a trial, and their files."""
        folder = self._trial(fields)
        units = []
        torn = []
        for unit in sorted(int(name) for name in self._list(folder) if UNIT.match(name)):
            base = os.path.join(folder, str(unit))
            try:
                with open_file(os.path.join(base, "manifest.json")) as file:
                    content = file.read(MAX_BYTES + 1)
                paths = (
                    os.path.join(parent, name) for parent, _, names in os.walk(base) for name in names
                )
                paths = (path for path in paths if stat.S_ISREG(os.lstat(path).st_mode))
                paths = list(itertools.islice(paths, MAX_FILES + 2))  # with the manifest
                files = [[os.path.relpath(path, base), os.path.getsize(path)] for path in paths]
                "".join(name for name, _ in files).encode()  # fails if a name is no text
                flawed = any(name_flaw(name) for name, _ in files) or any(map(exceeds_disk, paths))
                if len(content) > MAX_BYTES or len(files) > MAX_FILES + 1 or flawed:
                    torn.append(unit)
                    continue
            except (OSError, ValueError):
                if os.path.isdir(base):  # not deleted meanwhile
                    torn.append(unit)
                continue
            manifest = hashlib.sha256(content).hexdigest()
            units.append({"unit": unit, "manifest": manifest, "files": files})
        return {"torn": torn}, json.dumps(units[-MAX_UNITS:]).encode()

    def _list(self, folder):
        try:
            return os.listdir(folder)
        except FileNotFoundError:
            return []

    def op_tidy(self, fields, payload):
        """Deletes all checkpoints of a trial but one, which may be absent, and half-written ones.

        A late or repeated request must not delete what the trial's next attempt saves.
        """
        trial = str(fields["trial"])
        with self.tidying:
            attempts = [a for a in self._attempts() if a.split("-")[0] == trial]
            if not any(a in self.starting or self._state(a) == "running" for a in attempts):
                self._tidy(self._path("trials", trial), fields["keep"])
        return {}

    def _tidy(self, folder, keep):
        restore_folder(folder)
        half = os.path.join(folder, "0.tmp")
        remove(half)
        for name in os.listdir(folder):
            if name != str(keep):
                os.rename(os.path.join(folder, name), half)  # no remainder looks like a checkpoint
                remove(half)

    def op_place(self, fields, payload):
        """Makes a checkpoint visible whose files were put to UNIT.tmp."""
        folder, unit = self._path("trials", str(fields["trial"])), str(fields["unit"])
        if not os.path.isdir(os.path.join(folder, unit)):
            create_links(os.path.join(folder, unit + ".tmp"))
            os.rename(os.path.join(folder, unit + ".tmp"), os.path.join(folder, unit))
        return {}

    # Attempts

    def op_port(self, fields, payload):
        with socket.socket() as free:
            free.bind(("", 0))
            return {"port": free.getsockname()[1]}

    def _attempts(self):
        return self._list(self._path("attempts"))

    def _state(self, attempt):
        if attempt in self.ended or self._last_record(attempt).get("k") == "ended":
            self.ended.add(attempt)
            return "ended"
        if attempt in self.starting:
            return "running"
        return "running" if os.path.exists(self._path("attempts", attempt, "journal")) else "unknown"

    def _last_record(self, attempt):
        try:
            with open(self._path("attempts", attempt, "journal"), "rb") as file:
                file.seek(max(0, os.path.getsize(file.name) - (256 << 10)))
                lines = file.read().splitlines(keepends=True)
        except FileNotFoundError:
            return {}
        whole = [line for line in lines if line.endswith(b"\n")]
        try:
            return json.loads(whole[-1]) if whole else {}
        except ValueError:
            return {}

    def op_wake(self, fields, payload):
        self.wakes += 1
        return {}

    def op_start(self, fields, payload):
        """Starts an attempt once. Its specification is in the payload."""
        attempt, spec = fields["attempt"], json.loads(payload)
        with self.lock:
            turn = self.trial_locks.setdefault(attempt.split("-")[0], threading.Lock())
        with turn:  # another start of the trial may be under way, of an earlier controller too
            self._check_epoch(fields["epoch"])
            return self._start(attempt, spec)

    def _start(self, attempt, spec):
        folder = self._path("attempts", attempt)
        with self.lock:
            self._check_open()
            self.starting.add(attempt)
            os.makedirs(folder, 0o700, exist_ok=True)
        try:
            replace(self._path("attempts", attempt, "slots"), json.dumps(spec["slots"]))
            replace(self._path("attempts", attempt, "mark"), spec["mark"])
            if self._continue(attempt, spec):
                return {"state": "continued"}
            self._end_waiting(attempt, spec)
            self._forget_earlier(attempt)
            if self._end_earlier(attempt):
                with self.tidying:
                    self._tidy(spec["checkpoint_dir"], spec["from"])
            os.makedirs(spec["checkpoint_dir"], 0o700, exist_ok=True)
            if spec["code"]:
                self._fill(spec["code"], spec["cwd"])
            self._await_gpus(attempt, spec)
            spec["lease_file"] = self._path("lease")
            spec["limit"] = limit_mark(self._marks(attempt))
            if spec.get("container"):
                replace(self._path("containers"), "")
            shim = subprocess.run(
                [sys.executable, "-I", "-S", self._path("shim.py"), folder],
                input=json.dumps(spec).encode(),
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=clean_environment(),
                timeout=START_S,
            )
            if shim.returncode:
                raise Failure("io", f"the shim did not start: {shim.stderr.decode()[-500:]}")
            return {"state": shim.stdout.decode().strip()}
        finally:
            self.starting.discard(attempt)
            self.wakes += 1

    def _await_gpus(self, attempt, spec):
        """Asks the driver whether the GPUs of an attempt are free of what earlier ones have left."""
        used = self.used or any(other != attempt for other in self._attempts())
        self.used = True
        variables = [worker["env"].get("CUDA_VISIBLE_DEVICES", "") for worker in spec["workers"]]
        devices = {device for value in variables for device in value.split(",") if device}
        if not used or not devices:
            return
        with open(self._path("instance")) as file:
            age = max(0.0, time.time() - json.load(file)["began"])
        deadline = time.monotonic() + GPU_S
        while True:
            left = left_on_gpus(devices, boottime() - age)
            if left is None:
                return
            if time.monotonic() > deadline:
                what = "GPU %s is still used by process %d (%s), which began during this lease"
                raise Failure("agent-unavailable", what % left)
            time.sleep(POLL_S)

    def _read_json(self, *names):
        try:
            with open(self._path(*names)) as file:
                return json.load(file)
        except (FileNotFoundError, ValueError):
            return None

    def _waiting(self):
        """Returns the attempts whose workers wait for the next one of their trial."""
        found = {}
        for attempt in self._attempts():
            kept = self._read_json("attempts", attempt, "kept")
            if kept and is_locked(self._path("attempts", attempt, "lock")):
                found[attempt] = kept
        return found

    def _continue(self, attempt, spec):
        """Passes an attempt to the workers of its trial that wait. False if there are none."""
        trial = attempt.split("-")[0]
        folder = self._path("attempts", attempt)
        for other, kept in self._waiting().items():
            fits = kept["identity"] == spec.get("continues") and kept["unit"] == spec["from"]
            if other.split("-")[0] != trial or other == attempt or not fits:
                continue
            lasting = ("from", "to", "keep", "slots", "grace_s")
            following = {
                "folder": folder,
                "spec": {name: spec[name] for name in lasting},
                "trial_files": [worker["trial_file"] for worker in spec["workers"]],
            }
            replace(self._path("attempts", other, "next"), json.dumps(following))
            self._request(other, b"C")
            deadline = time.monotonic() + CALL_S
            while not os.path.exists(os.path.join(folder, "journal")):
                if not is_locked(self._path("attempts", other, "lock")):
                    return os.path.exists(os.path.join(folder, "journal"))
                if time.monotonic() > deadline:
                    return False
                time.sleep(LOOK_S)
            os.remove(self._path("attempts", other, "kept"))
            return True
        return False

    def _end_waiting(self, attempt, spec):
        """Ends workers that wait on the GPUs of an attempt, and those of its trial."""
        waiting = self._waiting()
        used = [
            self._read_json("attempts", other, "slots") or []
            for other in self._attempts()
            if other != attempt and other not in waiting and self._state(other) == "running"
        ]
        ends = {other for other in waiting if other.split("-")[0] == attempt.split("-")[0]}
        for slot in set(spec["slots"]):
            here = [other for other, kept in waiting.items() if slot in kept["slots"]]
            running = sum(slot in slots for slots in used)
            surplus = running + 1 + len(set(here) - ends) - spec["trials_per_gpu"]
            ends.update(sorted(set(here) - ends)[: max(0, surplus)])
        for other in ends:
            self._request(other, b"E")
        deadline = time.monotonic() + WAITING_END_S
        while any(is_locked(self._path("attempts", other, "lock")) for other in ends):
            if time.monotonic() > deadline:
                raise Failure("agent-unavailable", "workers that wait on these GPUs have not ended")
            time.sleep(LOOK_S)

    def op_release(self, fields, payload):
        """Kills all workers that wait."""
        for attempt in self._waiting():
            self._request(attempt, b"K")
        return {}

    def _marks(self, attempt):
        try:
            with open(self._path("attempts", attempt, "mark")) as file:
                mark = file.read()
        except FileNotFoundError:
            mark = f"{self.run}/{attempt}"
        return {"ELASTUNE_LEASE": self.lease, "ELASTUNE_ATTEMPT": mark}

    def _end_earlier(self, attempt):
        """A trial never runs twice. An earlier attempt runs if its controller has lost contact.

        Returns whether one was ended.
        """
        deadline = time.monotonic() + CALL_S
        found = False
        for other in self._attempts():
            if other == attempt or other.split("-")[0] != attempt.split("-")[0]:
                continue
            while self._state(other) == "running":
                if time.monotonic() > deadline:
                    raise Failure("agent-unavailable", f"attempt {other} of the trial has not ended")
                found = True
                self._request(other, b"K")
                time.sleep(LOOK_S)
        return found

    def _forget_earlier(self, attempt):
        """An attempt follows the end of the trial's earlier attempts, which are told by then.

        One that this start itself has to end is not: its files stay until the next attempt.
        """
        trial = attempt.split("-")[0]
        for other in self._attempts():
            if other != attempt and other.split("-")[0] == trial and self._state(other) == "ended":
                shutil.rmtree(self._path("attempts", other), ignore_errors=True)

    def _fill(self, code, work):
        """Gives the trial its own copy of the code, and links to large files and to the rest."""
        source = self._path("code", code)
        with open(source + ".folders") as file:
            folders = set(json.load(file))

        def fill(below):
            os.makedirs(os.path.join(work, below), 0o700, exist_ok=True)
            for entry in os.scandir(os.path.join(source, below)):
                path = os.path.join(below, entry.name) if below else entry.name
                target = os.path.join(work, path)
                if path in folders:
                    fill(path)
                elif os.path.lexists(target):
                    continue
                elif entry.is_symlink():
                    os.symlink(os.readlink(entry.path), target)
                elif entry.is_file() and entry.stat().st_size <= MAX_COPIED:
                    shutil.copy2(entry.path, target + ".part")
                    os.rename(target + ".part", target)
                else:
                    os.symlink(entry.path, target)

        fill("")

    def op_stop(self, fields, payload):
        if "grace_s" in fields:
            self._grant(fields["attempt"], fields["grace_s"])
        return self._request(fields["attempt"], b"T")

    def _grant(self, attempt, seconds):
        """Writes the grace period of the next request to stop; the shim removes the file."""
        path = self._path("attempts", attempt, "grace")
        try:
            with open(path + ".part", "w") as file:
                file.write(repr(float(seconds)))
            os.rename(path + ".part", path)
        except OSError:
            pass  # the attempt has ended, or the disk is full: the usual time applies

    def op_kill(self, fields, payload):
        return self._request(fields["attempt"], b"K")

    def _request(self, attempt, letter):
        try:
            fd = os.open(self._path("attempts", attempt, "ctl"), os.O_WRONLY | os.O_NONBLOCK)
        except OSError:
            return {"running": False}  # no shim reads it
        with open(fd, "wb", buffering=0) as control:
            control.write(letter)
        return {"running": True}

    def op_activity(self, fields, payload):
        """Tells the time since the last output or CPU activity of any worker."""
        if self._state(fields["attempt"]) != "running":
            return {"running": False}
        last = self.activity.get(fields["attempt"])  # absent in the first second
        return {"running": True, "silence_s": max(0.0, boottime() - last["at"]) if last else 0.0}

    def op_poll(self, fields, payload):
        """Returns what happened after the cursors {attempt: [journal, log, begun]}; waits for it.

        `begun` says that the files of the attempt existed: without them it is `gone`.
        """
        wakes, deadline = self.wakes, time.monotonic() + POLL_S
        while True:
            events, data = [], []
            for attempt, (journal, log, begun) in fields["cursors"].items():
                for event, part in self._news(attempt, journal, log, begun):
                    events.append({**event, "attempt": attempt, "bytes": len(part)})
                    data.append(part)
            if events or self.wakes != wakes or time.monotonic() >= deadline:
                return {"events": events}, b"".join(data)
            time.sleep(LOOK_S)

    def _news(self, attempt, journal, log, begun):
        folder = self._path("attempts", attempt)
        try:
            if os.path.getsize(os.path.join(folder, "journal")) == journal and journal > 0:
                records = b""
            else:
                with open(os.path.join(folder, "journal"), "rb") as file:
                    file.seek(journal)
                    records = file.read(256 << 10)
        except FileNotFoundError:
            if attempt not in self.starting and (begun or journal > 0):
                yield {"ev": "gone"}, b""
            return  # not started yet
        output = self._output(folder, log)
        if output:
            log += output[1] + len(output[2])
            yield {"ev": "log", "log": log, "skipped": output[1]}, output[2]
        for line in records.splitlines(keepends=True):
            if not line.endswith(b"\n"):
                return
            record = json.loads(line)
            if record["k"] == "ended" and record["log"] > log:
                return  # told after all output
            journal += len(line)
            report = record.pop("line", "").encode()
            age_ms = round(1000 * max(0.0, boottime() - record.pop("t")))
            yield {"ev": record.pop("k"), **record, "journal": journal, "age_ms": age_ms}, report

    def _output(self, folder, offset):
        """Returns the start, the number of skipped bytes, and the output after `offset`."""
        starts = sorted(int(n[4:]) for n in self._list(folder) if n.startswith("log-"))
        if not starts:
            return None
        end = starts[-1] + os.path.getsize(os.path.join(folder, f"log-{starts[-1]}"))
        begin = max(offset, starts[0], end - MAX_BACKLOG)
        start = max(s for s in starts if s <= begin)
        with open(os.path.join(folder, f"log-{start}"), "rb") as file:
            file.seek(begin - start)
            data = file.read(MAX_LOG)
        return (offset, begin - offset, data) if data or begin > offset else None

    # Every second

    def _sweep(self):
        while not self.closed:
            try:
                alive = [a for a in self._attempts() if self._observe(a)]
                if not alive and not self.starting and boottime() > self._expiry():
                    self._expire()
            except OSError:
                pass  # a folder was removed meanwhile
            time.sleep(SWEEP_S)

    def _observe(self, attempt):
        """Ends an attempt whose shim was killed, and records signs of life. False if it ended."""
        if attempt in self.starting or self._state(attempt) != "running":
            return False
        folder = self._path("attempts", attempt)
        if not is_locked(os.path.join(folder, "lock")) and self._state(attempt) == "running":
            self._end_lost(attempt)
            return False
        marks = self._marks(attempt)
        sizes = [os.path.getsize(os.path.join(folder, n)) for n in ("journal", *self._logs(folder))]
        now, last = boottime(), self.activity.get(attempt)
        if last is None or last["sizes"] != sizes:
            cpu = last["cpu"] if last else {}
            sampled = last["sampled"] if last else now
            self.activity[attempt] = {"at": now, "sizes": sizes, "cpu": cpu, "sampled": sampled}
        elif now - last["sampled"] >= SAMPLE_S:
            cpu = {pid: cpu_seconds(pid) for pid in processes(marks)}
            used = sum(max(0.0, s - last["cpu"].get(pid, 0.0)) for pid, s in cpu.items())
            if used >= MIN_CPU_SHARE * (now - last["sampled"]):
                last["at"] = now
            last.update(cpu=cpu, sampled=now)
        return True

    def _logs(self, folder):
        return sorted(name for name in self._list(folder) if name.startswith("log-"))

    def _end_lost(self, attempt):
        folder = self._path("attempts", attempt)
        marks = self._marks(attempt)
        kill_all(marks)
        if os.path.exists(self._path("containers")):
            remove_containers(lease=self.lease, attempt=marks["ELASTUNE_ATTEMPT"])
        starts = [int(name[4:]) for name in self._logs(folder)]
        size = max((s + os.path.getsize(f"{folder}/log-{s}") for s in starts), default=0)
        record = {"k": "ended", "t": boottime(), "code": KILLED, "reason": "shim-lost"}
        message = "its shim was killed; processes with other limits and variables may still run"
        record.update(message=message, full=False, log=size)
        if os.path.exists(f"{folder}/reserve"):
            os.remove(f"{folder}/reserve")
        with open(os.path.join(folder, "journal"), "r+b") as file:
            text = file.read()
            file.seek(text.rfind(b"\n") + 1)  # a half-written record was never told
            file.truncate()
            file.write(json.dumps(record).encode() + b"\n")

    def _remove_remains(self):
        """Removes the folders of leases that were lost with this node, which has come back."""
        root = os.path.dirname(self.folder)
        for name in os.listdir(root):
            folder = os.path.join(root, name)
            try:
                if os.lstat(folder).st_uid != os.geteuid() or os.path.islink(folder):
                    continue
                with open(os.path.join(folder, "lease")) as file:
                    expired = boottime() > float(file.read()) + REMAINS_S
            except (OSError, ValueError):
                continue
            attempts = os.path.join(folder, "attempts")
            alive = any(is_locked(os.path.join(attempts, a, "lock")) for a in self._list(attempts))
            if expired and not alive and name != self.lease:
                shutil.rmtree(folder, ignore_errors=True)

    def _expire(self):
        """No controller has renewed the lease, and no worker is left."""
        self.op_end({}, b"")
        if "ray" in sys.modules:
            import ray

            ray.kill(ray.get_runtime_context().current_actor, no_restart=True)


class Loopback:
    """Agents in this process, without Ray: for tests."""

    CPUS = 64

    def __init__(self, hello):
        self.root = hello["root"]
        self.shim = hello["shim"]
        self.run = hello["run"]
        self.agents = {}
        self.faults = {}
        self.labels = []
        self.pool = concurrent.futures.ThreadPoolExecutor(64)

    def versions(self):
        return {}

    async def nodes(self):
        resources = {"CPU": self.CPUS, "GPU": 0}
        node = {"id": "loopback", "ip": "127.0.0.1", "alive": True, "resources": resources}
        return [node] + [{**node, "labels": {"elastune-lease": name}} for name in self.labels]

    async def attach(self, fields):
        agent = self._find(fields["lease"])
        if agent is None and fields["create"]:
            if fields.get("cpus", 0) > self.CPUS:
                await asyncio.sleep(fields.get("wait_s", CALL_S))
                return {"ok": {"state": "pending"}}, b""
            arguments = (fields["ttl_s"], self.run, fields.get("tags"))
            agent = Agent(fields["lease"], self.root, self.shim, *arguments)
            self.agents[fields["lease"]] = agent
        return await self.call(fields["lease"], "describe", fields, b"")

    def _find(self, lease):
        """An agent continues from its folder, as a restarted one does."""
        agent = self.agents.get(lease)
        if agent is not None and not agent.closed:
            return agent
        if os.path.isdir(os.path.join(self.root, lease)):
            if agent is not None:
                raise Failure("agent-unavailable", f"the agent of lease {lease} is ending")
            agent = Agent(lease, self.root, self.shim, 60, self.run)
            self.agents[lease] = agent
            return agent
        return None

    async def call(self, lease, op, fields, payload, timeout_s=CALL_S):
        if self.faults.get(op, 0) > 0:
            self.faults[op] -= 1
            raise Failure("io", "a fault of the test")
        agent = self._find(lease)
        if agent is None:
            raise Failure("no-agent", f"lease {lease} has no agent")
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self.pool, agent.handle, op, fields, payload)

    async def kill(self, lease):
        agent = self.agents.pop(lease, None)
        if agent is not None:
            agent.closed = True

    async def fault(self, fields):
        """Injects faults: {"op": N} fails the next N calls; an agent forgets all but its files.

        The leases in `join` become labels of nodes."""
        self.faults.update(fields.get("fail", {}))
        self.labels += fields.get("join", [])
        for lease in fields.get("kill", []):
            await self.kill(lease)
        return {}

    async def list(self):
        return os.listdir(self.root)


class Cluster:
    """Agents as detached, named actors of a Ray cluster."""

    def __init__(self, hello):
        os.environ.update(hello.get("environment", {}))
        try:
            import ray
        except ImportError as e:
            raise Failure("no-ray", f"{sys.executable} has no package ray: {e}")

        self.ray = ray
        self.root = hello["root"]
        self.shim = hello["shim"]
        self.run = hello["run"]
        self.actor = ray.remote(Agent)
        self.handles = {}
        self.address = self._address(hello["address"])
        self.cluster = self._check(self.address)
        try:
            ray.init(
                address=self.address,
                namespace=NAMESPACE,
                log_to_driver=False,
                configure_logging=False,
            )
        except ConnectionError as e:
            raise Failure("no-cluster", f"no Ray cluster at {hello['address']}: {e}")
        except RuntimeError as e:
            kind = "version" if "ersion mismatch" in str(e) else "no-cluster"
            raise Failure(kind, str(e))

    @staticmethod
    def _address(given):
        """Returns HOST:PORT of the cluster; `auto` is the one of which this machine is a node."""
        if given != "auto":
            return given
        from ray._private.services import canonicalize_bootstrap_address_or_die

        try:
            return canonicalize_bootstrap_address_or_die("auto")
        except (ConnectionError, ValueError) as e:
            raise Failure("no-cluster", f"no Ray cluster runs on this machine: {e}")

    def _check(self, address):
        """Names the cause of a failure within seconds: ray.init takes up to a minute, or hangs."""
        host, _, port = address.rpartition(":")
        if not host or not port.isdigit():
            raise Failure("bad-request", f"the address {address} is not HOST:PORT")
        try:
            socket.create_connection((host, int(port)), CONNECT_S).close()
        except OSError as e:
            raise Failure("no-cluster", f"no Ray cluster answers at {address}: {e}")
        from ray._raylet import GcsClient

        try:
            client = GcsClient(address=address)
            found = client.internal_kv_get(b"CLUSTER_METADATA", b"cluster", CONNECT_S)
        except Exception as e:
            if "Unauthenticated" in str(e) or "AuthToken" in str(e):
                raise Failure("auth", f"the Ray cluster at {address} refuses the token, or needs one")
            raise Failure("no-cluster", f"no Ray cluster answers at {address}: {e}")
        cluster = json.loads(found) if found else {}
        self._compare("Ray", cluster.get("ray_version"), self.ray.__version__, 3)
        python = ".".join(map(str, sys.version_info[:3]))
        self._compare("Python", cluster.get("python_version"), python, 2)
        return {"ray": cluster.get("ray_version"), "python": cluster.get("python_version")}

    @staticmethod
    def _compare(name, there, here, parts):
        if there and there.split(".")[:parts] != here.split(".")[:parts]:
            text = f"{name} {there} runs on the cluster, and {sys.executable} has {name} {here}"
            raise Failure("version", text)

    def versions(self):
        return {"ray": self.ray.__version__, "cluster": self.cluster, "address": self.address}

    def _nodes(self):
        return self.ray.nodes(), self.ray._private.state.state.get_draining_nodes()

    async def nodes(self):
        found, draining = await asyncio.get_running_loop().run_in_executor(None, self._nodes)
        return [
            {
                "id": node["NodeID"],
                "ip": node["NodeManagerAddress"],
                "alive": node["Alive"],
                "labels": node.get("Labels") or {},
                "resources": node.get("Resources") or {},
                "draining": node["NodeID"] in draining,
                "death": node.get("DeathReasonMessage") or "",
            }
            for node in found
        ]

    async def attach(self, fields):
        """Returns the agent of a lease. A new one may be pending until a node has its GPUs."""
        if not fields["create"]:
            return await self._find(fields)
        for again in (True, False):
            await self._create(fields)
            try:
                wait_s = fields.get("wait_s", CALL_S)
                return await self.call(fields["lease"], "describe", fields, b"", wait_s)
            except Failure as e:
                if e.kind == "agent-silent":
                    break
                if e.kind not in ("agent-unavailable", "no-agent") or not again:
                    raise
                # It is bound to a node that has ended. Its files are found by another one.
                await self.kill(fields["lease"])
        return {"ok": {"state": "pending"}}, b""

    async def _find(self, fields):
        try:
            wait_s = fields.get("wait_s", CALL_S)
            return await self.call(fields["lease"], "describe", fields, b"", wait_s)
        except Failure as e:
            if e.kind == "agent-silent" and "wait_s" in fields:
                return {"ok": {"state": "pending"}}, b""
            raise

    async def _create(self, fields):
        options = {
            "name": fields["lease"],
            "lifetime": "detached",
            "get_if_exists": True,
            "max_restarts": -1 if fields.get("node") else 0,  # Ray may select another node
            "max_concurrency": 16,
            "num_cpus": fields.get("cpus", 0),
            "num_gpus": fields.get("gpus", 0),
            "resources": fields.get("resources") or {},
        }
        if fields.get("node"):
            options["scheduling_strategy"] = await self._pin(fields["node"])
        elif fields.get("avoid"):
            options["scheduling_strategy"] = await self._elsewhere(fields["avoid"])
        arguments = (fields["lease"], self.root, self.shim, fields["ttl_s"], self.run)
        arguments += (fields.get("tags"),)
        self.actor.options(**options).remote(*arguments)

    async def _pin(self, wanted):
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        for node in await self.nodes():
            labels = node["labels"]
            if node["alive"] and (
                node["id"] == wanted.get("id")
                or node["ip"] == wanted.get("ip")
                or ("label" in wanted and labels.get("elastune-lease") == wanted["label"])
            ):
                return NodeAffinitySchedulingStrategy(node["id"], soft=False)
        raise Failure("no-node", f"the cluster has no node {wanted}")

    async def _elsewhere(self, avoided):
        """Selects any other node; also one of these with a Ray whose nodes have no such label."""
        refused = [n for n in await self.nodes() if n["alive"] and n["ip"] in avoided]
        if not any(NODE_LABEL in node["labels"] for node in refused):
            return None
        from ray.util.scheduling_strategies import NodeLabelSchedulingStrategy, NotIn

        return NodeLabelSchedulingStrategy(hard={NODE_LABEL: NotIn(*(n["id"] for n in refused))})

    async def call(self, lease, op, fields, payload, timeout_s=CALL_S):
        errors = self.ray.exceptions
        try:
            if lease not in self.handles:
                self.handles[lease] = self.ray.get_actor(lease)
            future = self.handles[lease].handle.remote(op, fields, payload).future()
            return await asyncio.wait_for(asyncio.wrap_future(future), timeout_s)
        except ValueError as e:
            raise Failure("no-agent", f"lease {lease} has no agent: {e}")
        except asyncio.TimeoutError:
            raise Failure("agent-silent", f"no answer for {timeout_s} s")
        except errors.ActorDiedError as e:
            self.handles.pop(lease, None)
            raise Failure("no-agent", str(e))
        except errors.RayError as e:
            raise Failure("agent-unavailable", str(e))

    async def kill(self, lease):
        self.handles.pop(lease, None)
        try:
            self.ray.kill(self.ray.get_actor(lease), no_restart=True)
        except ValueError:
            return  # it has ended itself

    async def list(self):
        names = self.ray.util.list_named_actors(all_namespaces=True)
        return [n["name"] for n in names if n["namespace"] == NAMESPACE]


class Bridge:
    """Reads requests, calls the agents, and writes answers and events."""

    FORWARDED = {
        "describe": CALL_S,
        "put": TRANSFER_S,
        "get": TRANSFER_S,
        "unpack": TRANSFER_S,
        "prepare": CALL_S,
        "accept": CALL_S,
        "checkpoints": TRANSFER_S,
        "tidy": TRANSFER_S,
        "place": TRANSFER_S,
        "pack": BUCKET_S,
        "upload": BUCKET_S,
        "download": BUCKET_S,
        "read": CALL_S,
        "port": CALL_S,
        "stop": CALL_S,
        "kill": CALL_S,
        "release": CALL_S,
        "activity": CALL_S,
    }

    def __init__(self, output):
        self.output = output
        self.writer = concurrent.futures.ThreadPoolExecutor(1)
        self.write_lock = asyncio.Lock()
        self.transport = None
        self.epoch = 0
        self.cursors = {}
        self.polls = {}
        self.tasks = set()

    async def run(self):
        loop = asyncio.get_running_loop()
        frames = asyncio.Queue()
        free = threading.Semaphore(MAX_REQUESTS)
        threading.Thread(target=self._read, args=(loop, frames, free), daemon=True).start()
        while True:
            frame = await frames.get()
            if frame is None:
                os._exit(0)  # the controller has ended; asyncio would wait for calls under way
            task = loop.create_task(self._answer(*frame))
            self.tasks.add(task)
            task.add_done_callback(self.tasks.discard)
            task.add_done_callback(lambda done: free.release())

    @staticmethod
    def _read(loop, frames, free):
        """Reads requests, as long as not too many of them are under way."""
        source = sys.stdin.buffer
        for line in source:
            free.acquire()
            header = json.loads(line)
            payload = source.read(header.get("bytes", 0))
            loop.call_soon_threadsafe(frames.put_nowait, (header, payload))
        loop.call_soon_threadsafe(frames.put_nowait, None)

    async def _send(self, header, payload=b""):
        if payload:
            header["bytes"] = len(payload)
        data = json.dumps(header).encode() + b"\n" + payload
        async with self.write_lock:
            loop = asyncio.get_running_loop()
            await loop.run_in_executor(self.writer, self._write, data)

    def _write(self, data):
        self.output.write(data)
        self.output.flush()

    async def _answer(self, request, payload):
        try:
            answer, data = await self._dispatch(request.get("op"), request, payload)
        except Failure as e:
            answer, data = e.answer(), b""
        except KeyError as e:
            answer, data = Failure("bad-request", f"{request.get('op')} needs {e}").answer(), b""
        except Exception as e:
            answer, data = Failure("internal", repr(e)).answer(), b""
        await self._send({"re": request.get("id"), **answer}, data)

    async def _dispatch(self, op, request, payload):
        if op == "hello":
            return {"ok": await self._hello(request, payload)}, b""
        if self.transport is None:
            raise Failure("bad-request", "the first request must be hello")
        request["epoch"] = self.epoch
        if op in self.FORWARDED:
            timeout_s = self.FORWARDED[op]
            return await self.transport.call(request["lease"], op, request, payload, timeout_s)
        method = getattr(self, "op_" + str(op), None)
        if method is None:
            raise Failure("bad-request", f"unknown operation {op}")
        return await method(request, payload)

    async def _hello(self, request, payload):
        if request["protocol"] != PROTOCOL:
            raise Failure("version", f"protocol {PROTOCOL}, not {request['protocol']}")
        request["shim"] = payload.decode()
        self.epoch = request["epoch"]
        kind = Loopback if request["address"] == "loopback" else Cluster
        loop = asyncio.get_running_loop()
        self.transport = await loop.run_in_executor(None, kind, request)
        python = ".".join(map(str, sys.version_info[:3]))
        return {"protocol": PROTOCOL, "python": python, **self.transport.versions()}

    async def op_nodes(self, request, payload):
        return {"ok": self.transport.versions()}, json.dumps(await self.transport.nodes()).encode()

    async def op_agents(self, request, payload):
        """Lists the leases of all runs; with `describe` also what their agents report."""
        names = await self.transport.list()
        agents = [{"lease": name} for name in names]
        if request.get("describe"):
            agents = await asyncio.gather(*(self._described(name) for name in names))
        return {"ok": {}}, json.dumps(agents).encode()

    async def _described(self, lease):
        try:
            answer, _ = await self.transport.call(lease, "describe", {}, b"", DESCRIBE_S)
            return {"lease": lease, **answer.get("ok", {})}
        except Failure as e:
            state = "pending" if e.kind == "agent-silent" else e.kind
            return {"lease": lease, "state": state}

    async def op_attach(self, request, payload):
        return await self.transport.attach(request)

    async def op_renew(self, request, payload):
        """Renews several leases. The answer names those that could not be renewed."""
        fields = {"epoch": self.epoch, "ttl_s": request["ttl_s"]}
        calls = [self._result(lease, fields) for lease in request["leases"]]
        results = await asyncio.gather(*calls)
        return {"ok": {"failed": {k: v for k, v in zip(request["leases"], results) if v}}}, b""

    async def _result(self, lease, fields):
        try:
            answer, _ = await self.transport.call(lease, "renew", fields, b"", CALL_S)
            return answer.get("error", {}).get("kind")
        except Failure as e:
            return e.kind

    async def op_start(self, request, payload):
        self._follow(request["lease"], request["attempt"], [0, 0, False])
        timeout_s = CALL_S + START_S  # less than the controller's limit
        return await self.transport.call(request["lease"], "start", request, payload, timeout_s)

    async def op_follow(self, request, payload):
        cursor = [request["journal"], request["log"], request["begun"]]
        self._follow(request["lease"], request["attempt"], cursor)
        return await self.transport.call(request["lease"], "wake", request, payload)

    async def op_detach(self, request, payload):
        """Ends the workers of a lease and its agent. With `by_user`, whichever controller was last."""
        lease = request["lease"]
        if request.get("by_user"):
            del request["epoch"]
        timeout_s = PENDING_S if request.get("pending") else TRANSFER_S
        try:
            answer, _ = await self.transport.call(lease, "end", request, b"", timeout_s)
        except Failure as e:
            if e.kind != "no-agent" and not request.get("pending"):
                raise
            answer = {"ok": {}}  # ended before, or pending
        if "ok" in answer:
            await self.transport.kill(lease)
        return answer, b""

    async def op_fault(self, request, payload):
        if not isinstance(self.transport, Loopback):
            raise Failure("bad-request", "faults are for tests")
        return {"ok": await self.transport.fault(request)}, b""

    def _follow(self, lease, attempt, cursor):
        followed = self.cursors.setdefault(lease, {})
        followed.setdefault(attempt, cursor)
        if lease not in self.polls:
            self.polls[lease] = asyncio.get_running_loop().create_task(self._poll(lease))

    async def _poll(self, lease):
        """Reads the events of all followed attempts of a lease until the last one has ended."""
        followed = self.cursors[lease]
        while followed:
            fields = {"cursors": {attempt: list(c) for attempt, c in followed.items()}}
            try:
                answer, data = await self.transport.call(lease, "poll", fields, b"")
            except Failure as e:
                if e.kind == "no-agent":
                    followed.clear()
                    await self._send({"ev": "agent", "lease": lease, "message": str(e)})
                answer = e.answer()
            if "error" in answer:
                await asyncio.sleep(POLL_S)
                continue
            await self._tell(lease, followed, answer["ok"]["events"], data)
        del self.polls[lease]

    async def _tell(self, lease, followed, events, data):
        position = 0
        for event in events:
            size = event.pop("bytes")
            payload = data[position : position + size]
            position += size
            cursor = followed.get(event["attempt"])
            if cursor is None:
                continue
            if event["ev"] == "gone":
                del followed[event["attempt"]]
                message = f"the files of attempt {event['attempt']} were removed"
                await self._send({"ev": "agent", "lease": lease, "message": message})
                continue
            if event["ev"] == "log":
                cursor[1] = event["log"]
            else:
                cursor[0] = event["journal"]
            if event["ev"] == "ended":
                del followed[event["attempt"]]
            await self._send({**event, "lease": lease}, payload)


def main():
    # Ray prints on standard output: only this program may write to the original one.
    output = open(os.dup(1), "wb")
    os.dup2(2, 1)
    os.environ.setdefault("RAY_gcs_rpc_server_reconnect_timeout_s", "5")
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_DEFAULT_PYTHON_VERSION_MATCH_LEVEL", "minor")
    asyncio.run(Bridge(output).run())


if __name__ == "__main__":
    main()
