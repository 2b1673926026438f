"""Tests of the shim on real processes."""

import fcntl
import importlib.util
import json
import os
import pathlib
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
import unittest
from unittest import mock

SOURCES = pathlib.Path(__file__).parents[1].joinpath("../main/resources/io/elastune/executor/ray")
SHIM = str(SOURCES.joinpath("elastune_shim.py").resolve())
MARK = f"test-{os.getpid()}"
TIMEOUT_S = 120


def load(name):
    found = importlib.util.spec_from_file_location(name, str(SOURCES / f"{name}.py"))
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


shim = load("elastune_shim")
SYSTEM_PYTHON = "/usr/bin/python3"
bridge = load("elastune_bridge")


class TrialFilesTest(unittest.TestCase):
    """What a trial puts in the place of its files is no checkpoint, and keeps nothing waiting."""

    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = os.path.join(place.name, "3")
        os.mkdir(self.folder)
        self.file = os.path.join(self.folder, "state")
        self.manifest = os.path.join(self.folder, "manifest.json")
        self.write({"name": "state", "size": 0, "sha256": "00"})

    def write(self, *entries):
        with open(self.manifest, "w") as file:
            json.dump({"unit": 3, "files": entries}, file)

    def problem(self):
        return bridge.checkpoint_problem(self.folder, 3)

    def test_a_pipe_is_no_manifest(self):
        os.remove(self.manifest)
        os.mkfifo(self.manifest)
        self.assertIn("no ordinary file", self.problem())

    def test_a_device_is_no_manifest(self):
        os.remove(self.manifest)
        os.symlink("/dev/zero", self.manifest)
        self.assertIn("cannot be read", self.problem())

    def test_a_pipe_is_no_file(self):
        os.mkfifo(self.file)
        self.assertIn("is missing", self.problem())

    def test_a_file_is_not_larger_than_its_disk(self):
        size = 1 << 43
        try:
            with open(self.file, "wb") as file:
                file.truncate(size)
        except OSError:
            self.skipTest("the file system has no such files")
        self.write({"name": "state", "size": size, "sha256": "00"})
        self.assertIn("larger than its disk", self.problem())
        self.assertLess(bridge.Archive(self.folder).size, 1 << 20)

    def test_whatever_is_left_is_removed(self):
        os.makedirs(os.path.join(self.folder, "a/b"))
        os.symlink("/etc", os.path.join(self.folder, "link"))
        os.mkfifo(self.file)
        os.chmod(os.path.join(self.folder, "a/b"), 0)
        os.chmod(os.path.join(self.folder, "a"), 0)
        os.chmod(self.folder, 0)
        bridge.remove(self.folder)
        self.assertFalse(os.path.lexists(self.folder))
        os.symlink("/etc", self.folder)
        bridge.remove(self.folder)
        self.assertFalse(os.path.lexists(self.folder))
        self.assertTrue(os.path.isdir("/etc"))

    def test_a_replaced_folder_is_moved_aside(self):
        other = self.folder + ".other"
        os.makedirs(os.path.join(other, "5"))
        bridge.remove(self.folder)
        os.symlink(other, self.folder)
        bridge.restore_folder(self.folder)
        self.assertEqual(os.listdir(self.folder), [])
        self.assertEqual(os.listdir(other), ["5"])


class LineSplitterTest(unittest.TestCase):
    def lines(self, *parts):
        found = []
        splitter = shim.LineSplitter(lambda line, cut: found.append((line, cut)))
        for part in parts:
            splitter.feed(part)
        splitter.finish()
        return found

    def test_every_split_of_the_stream_gives_the_same_lines(self):
        stream = b"a\nbc\r\n\r50%\r100%\n\n\xff\nend"
        expected = [b"a", b"bc", b"", b"50%", b"100%", b"", b"\xff", b"end"]
        for first in range(len(stream) + 1):
            for second in range(first, len(stream) + 1):
                parts = stream[:first], stream[first:second], stream[second:]
                self.assertEqual([line for line, _ in self.lines(*parts)], expected, parts)

    def test_long_lines_are_cut(self):
        found = self.lines(b"x" * 70_000, b"x" * 70_000 + b"\nshort\n")
        self.assertEqual([(len(line), cut) for line, cut in found], [(65536, True), (5, False)])

    def test_a_report_in_a_long_line_begins_a_new_line(self):
        report = b'ELASTUNE {"unit": 1}'
        for dots in (65536, 65530, 65520, 100_000, 200_000):
            for size in (7, 4096, 10**6):
                stream = b"." * dots + report + b"\n"
                parts = [stream[i : i + size] for i in range(0, len(stream), size)]
                lines = [line for line, _ in self.lines(*parts)]
                self.assertEqual([set(lines[0][:65520]), lines[1]], [{46}, report], (dots, size))


class PrivateFolderTest(unittest.TestCase):
    """The cases of PrivateFolderTest.java."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="private-")
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name).resolve()

    def create(self, name, mode):
        folder = self.folder / name
        folder.mkdir()
        folder.chmod(mode)
        return folder

    def assert_refused(self, path, reason):
        with self.assertRaises(PermissionError) as refusal:
            bridge.private_folder(str(path))
        self.assertIn(reason, str(refusal.exception))

    def open(self, path):
        real = pathlib.Path(bridge.private_folder(str(path)))
        self.assertEqual(0o700, stat.S_IMODE(real.stat().st_mode))
        return real

    def test_missing_folders_are_created(self):
        self.assertEqual(self.folder / "a/b", self.open(self.folder / "a/b"))
        self.assertEqual(0o700, stat.S_IMODE((self.folder / "a").stat().st_mode))

    def test_folder_that_others_can_only_read_is_restricted(self):
        self.open(self.create("own", 0o755))

    def test_folder_that_others_can_write_is_refused(self):
        self.assert_refused(self.create("own", 0o777), "other users can write to it")

    def test_only_own_links_to_parents_are_followed(self):
        own = self.create("own", 0o700)
        (self.folder / "link").symlink_to(own)
        (self.folder / "relative").symlink_to("own/../own")
        self.assert_refused(self.folder / "link", "it is a link")
        self.assertEqual(own / "a", self.open(self.folder / "link/a"))
        self.assertEqual(own / "a", self.open(self.folder / "relative/a"))
        (self.folder / "loop").symlink_to("loop")
        self.assert_refused(self.folder / "loop/a", "is a link")

    def test_folder_that_others_can_replace_is_refused(self):
        parent = self.create("parent", 0o777)
        self.assert_refused(parent / "own", "other users can replace")
        parent.chmod(0o1777)
        self.open(parent / "own")

    def test_file_is_refused(self):
        (self.folder / "file").touch()
        self.assert_refused(self.folder / "file", "it is not a folder")
        self.assert_refused(self.folder / "file/a", "it is not a folder")

    @unittest.skipUnless(os.geteuid() == 0, "only the administrator may give files to others")
    def test_folders_and_links_of_others_are_refused(self):
        theirs = self.create("theirs", 0o700)
        os.chown(theirs, 4322, 4322)
        (self.folder / "link").symlink_to(self.create("own", 0o700))
        os.chown(self.folder / "link", 4322, 4322, follow_symlinks=False)
        self.assert_refused(theirs, "it belongs to the user 4322")
        self.assert_refused(theirs / "a", "it belongs to the user 4322")
        self.assert_refused(self.folder / "link/a", "is a link of the user 4322")

    def test_launcher_of_the_wheels_has_the_same_function(self):
        copy = pathlib.Path(__file__).parents[5] / "python/elastune/_private.py"
        function = copy.read_text().partition("def private_folder")[2].strip()
        self.assertIn(function, (SOURCES / "elastune_bridge.py").read_text())


@unittest.skipUnless(os.geteuid() == 0, "only the administrator can become other users")
class TwoUsersTest(unittest.TestCase):
    """A neighbor creates the folder of a user's agent first."""

    VICTIM, NEIGHBOR = 4321, 4322

    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="users-")
        self.addCleanup(temporary.cleanup)
        os.chmod(temporary.name, 0o1777)
        self.root = os.path.join(temporary.name, "elastune")

    def run_as(self, user, action):
        """Runs an action as a user; returns its result."""
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                os.setgroups([])
                os.setgid(user)
                os.setuid(user)
                os.write(write, json.dumps(action()).encode())
            finally:
                os._exit(0)
        os.close(write)
        with open(read, "rb") as result:
            text = result.read()
        os.waitpid(child, 0)
        return json.loads(text)

    def occupy(self):
        os.mkdir(self.root)
        os.chmod(self.root, 0o777)

    def link_elsewhere(self):
        os.symlink(os.path.join(os.path.dirname(self.root), "mine"), self.root)

    def use(self):
        agent = bridge.Agent("lease-1", self.root, "print('shim')", 600, "run-1")
        spec = json.dumps({"slots": [], "mark": "m"}).encode()
        fields = {"attempt": "1-1-1", "epoch": 1}
        answers = [agent.handle("describe", {}, b"")[0], agent.handle("start", fields, spec)[0]]
        return answers + [agent.handle("end", {}, b"")[0]]

    def assert_refused(self, reason):
        described, started, ended = self.run_as(self.VICTIM, self.use)
        self.assertEqual("unsafe", described["error"]["kind"])
        self.assertIn(reason, described["error"]["message"])
        self.assertEqual("127.0.0.1", described["error"]["node"])
        self.assertEqual("unsafe", started["error"]["kind"])
        self.assertEqual({"ok": {}}, ended)

    def test_folder_of_a_neighbor_is_refused(self):
        self.run_as(self.NEIGHBOR, self.occupy)
        self.assert_refused(f"{self.root} is not private: it belongs to the user 4322")
        self.assertEqual([], os.listdir(self.root))

    def test_link_of_a_neighbor_is_refused(self):
        self.run_as(self.NEIGHBOR, self.link_elsewhere)
        self.assert_refused(f"{self.root} is not private: it is a link")

    def test_own_folder_is_used(self):
        described, _, ended = self.run_as(self.VICTIM, self.use)
        self.assertEqual("ready", described["ok"]["state"])
        self.assertEqual({"ok": {}}, ended)
        self.assertEqual(0o40700, os.lstat(self.root).st_mode)


class GpuHoldersTest(unittest.TestCase):
    """Asks a fake of nvidia-smi on the PATH about a real process."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="gpus-")
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.process = None
        self.addCleanup(self.end)
        path = mock.patch.dict(os.environ, {"PATH": f"{self.folder}:{os.environ['PATH']}"})
        limit = mock.patch.object(bridge, "GPU_S", 0)
        for patch in (path, limit):
            patch.start()
            self.addCleanup(patch.stop)

    def end(self):
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def begin(self, **environment):
        self.process = subprocess.Popen(["/bin/sleep", "1000"], env=environment)
        tool = self.folder / "nvidia-smi"
        tool.write_text(
            '#!/bin/sh\ncase "$1" in\n'
            f"*compute-apps*) echo 'GPU-b, {self.process.pid}, sleep' ;;\n"
            "*) printf '0, GPU-a\\n1, GPU-b\\n' ;;\nesac\n"
        )
        tool.chmod(0o700)

    def agent(self):
        agent = bridge.Agent("lease-1", str(self.folder / "root"), "", 600, "run-1")
        self.addCleanup(agent.handle, "end", {}, b"")
        return agent

    def await_gpus(self, agent, devices):
        agent._await_gpus("2-1-1", {"workers": [{"env": {"CUDA_VISIBLE_DEVICES": devices}}]})

    def test_process_that_an_attempt_has_left_keeps_its_gpu(self):
        agent = self.agent()
        self.await_gpus(agent, "1")  # the first attempt
        self.begin()
        for devices in ("1", "GPU-b", "0,1"):
            with self.assertRaises(bridge.Failure) as kept:
                self.await_gpus(agent, devices)
            text = f"GPU GPU-b is still used by process {self.process.pid} (sleep)"
            self.assertIn(text, str(kept.exception))
        self.await_gpus(agent, "0")
        self.await_gpus(agent, "")
        self.end()
        self.await_gpus(agent, "1")

    def test_processes_of_leases_and_earlier_ones_do_not_keep_it(self):
        self.begin()
        time.sleep(0.05)
        agent = self.agent()
        self.await_gpus(agent, "1")
        self.await_gpus(agent, "1")
        self.end()
        self.begin(ELASTUNE_LEASE="lease-1")
        self.await_gpus(agent, "1")


class ShimIT(unittest.TestCase):
    """Each attempt has a lease of its own, so that no test sees processes of another one."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="shim-")
        self.addCleanup(temporary.cleanup)
        self.root = pathlib.Path(temporary.name)
        self.folder = self.root / "attempts/7-1-1"
        self.folder.mkdir(parents=True)
        self.checkpoints = self.root / "trials/7"
        self.checkpoints.mkdir(parents=True)
        self.marks = {"ELASTUNE_ATTEMPT": MARK, "ELASTUNE_LEASE": self.root.name}
        self.addCleanup(bridge.kill_all, self.marks)

    def start(self, command, world=1, grace_s=1.0, user=None, **changes):
        environment = {**self.marks, "ELASTUNE_CHECKPOINT_DIR": str(self.checkpoints)}
        workers = [
            {"rank": r, "env": {**environment, "RANK": str(r)}, "trial_file": f"[{r}]"}
            for r in range(world)
        ]
        spec = {
            "mark": MARK,
            "lease": self.root.name,
            "limit": bridge.limit_mark(self.marks),
            "command": command,
            "cwd": str(self.root),
            "world": world,
            "grace_s": grace_s,
            "workers": workers,
            "checkpoint_dir": str(self.checkpoints),
            "lease_file": str(self.root / "lease"),
            **changes,
        }
        program = [sys.executable, "-I", "-S", SHIM]
        if user is not None:  # who may not read the folders of this one
            program = [SYSTEM_PYTHON, "-I", "-S", shutil.copy(SHIM, self.root)]
        process = subprocess.run(
            [*program, str(self.folder)],
            input=json.dumps(spec).encode(),
            stdout=subprocess.PIPE,
            timeout=TIMEOUT_S,
            check=True,
            preexec_fn=None if user is None else lambda: os.setuid(user),
        )
        return process.stdout.decode().strip()

    def family(self):
        return shim.family(self.marks, bridge.limit_mark(self.marks))

    def records(self, kind=None):
        try:
            lines = (self.folder / "journal").read_text().splitlines(keepends=True)
        except FileNotFoundError:
            return []
        found = [json.loads(line) for line in lines if line.endswith("\n")]
        return [record for record in found if kind in (None, record["k"])]

    def wait(self, condition):
        deadline = time.monotonic() + TIMEOUT_S
        while not condition():
            self.assertLess(time.monotonic(), deadline, self.records())
            time.sleep(0.02)

    def wait_for(self, kind):
        self.wait(lambda: self.records(kind))
        return self.records(kind)[0]

    def log(self):
        return (self.folder / "log-0").read_text()

    def request(self, letter):
        with open(self.folder / "ctl", "wb", buffering=0) as control:
            control.write(letter)

    def locked(self):
        return bridge.is_locked(str(self.folder / "lock"))

    def shim_pid(self):
        for file in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
            try:
                arguments = file.read_bytes().split(b"\0")
            except OSError:
                continue  # ended meanwhile
            if str(self.folder).encode() in arguments:
                return int(file.parent.name)
        raise AssertionError("no shim")

    def test_output_reports_and_exit_code(self):
        self.assertEqual(self.start("echo a; echo 'ELASTUNE {}'; echo b >&2; exit 3"), "started")
        ended = self.wait_for("ended")
        self.assertEqual((ended["code"], ended["reason"]), (3, "exit"))
        self.assertEqual([r["line"] for r in self.records("report")], ["ELASTUNE {}"])
        self.assertEqual(sorted(self.log().split()), ["a", "b"])
        self.assertEqual(ended["log"], 4)
        self.wait(lambda: not self.locked())

    def test_reports_behind_other_output(self):
        self.start("printf ' 67%%|## |'; echo 'ELASTUNE {1}ELASTUNE {2}'; echo 'ELASTUNE {3}' >&2")
        ended = self.wait_for("ended")
        found = [record["line"] for record in self.records("report")]
        self.assertEqual(found, ["ELASTUNE {1}ELASTUNE {2}"])
        self.assertEqual(sorted(self.log().splitlines()), [" 67%|## |", "ELASTUNE {3}"])
        self.assertTrue(ended["on_errors"])

    def test_report_channel_replaces_standard_output(self):
        use = 'echo "{$i}" >> "$ELASTUNE_REPORTS"'
        await_go = "while [ ! -e go ]; do sleep 0.05; done"
        self.start(f"i=1; {use}; {await_go}; echo 'ELASTUNE {{0}}'; i=2; {use}")
        self.wait_for("report")
        (self.root / "go").touch()
        self.wait_for("ended")
        found = [(record["line"], record["channel"]) for record in self.records("report")]
        self.assertEqual(found, [("{1}", True), ("{2}", True)])
        self.assertEqual(self.log(), "ELASTUNE {0}\n")

    def test_a_report_of_many_escaped_characters_fits_into_a_record(self):
        begin = r"printf 'ELASTUNE {'; head -c 70000 /dev/zero | tr '\0' "
        self.start(f"{begin} '\\1'; echo; {begin} '\\377'; echo")
        self.wait_for("ended")
        self.assertEqual([record["cut"] for record in self.records("report")], [True, True])
        lines = (self.folder / "journal").read_bytes().splitlines()
        self.assertLess(max(map(len, lines)), 256 << 10)

    def metric_file(self, command):
        self.start(command, metric_file="out/metrics.json")
        self.wait_for("ended")
        return [(record["line"], record["problem"]) for record in self.records("metric_file")]

    def test_the_file_with_metrics_is_told(self):
        found = self.metric_file("mkdir out; echo '{\"a\": 1}' > out/metrics.json")
        self.assertEqual(found, [('{"a": 1}\n', "")])

    def test_of_a_file_of_lines_the_last_ones_are_told(self):
        found = self.metric_file("mkdir out; printf '{\"a\": 1}\\n{\"a\": 2}\\n' > out/metrics.json")
        self.assertEqual(found, [('{"a": 1}\n{"a": 2}', "")])

    def test_of_a_long_file_of_lines_what_fits_is_told(self):
        line = '{"a": %d, "b": "' + "x" * 30 + '"}'
        command = f"mkdir out; seq 9000 | xargs printf '{line}\\n' > out/metrics.json"
        ((text, problem),) = self.metric_file(command)
        self.assertEqual((text.splitlines()[-1][:11], problem), ('{"a": 9000,', ""))

    def test_a_file_that_other_trials_write_does_not_count(self):
        elsewhere = self.root.parent / "elsewhere"
        ((text, problem),) = self.metric_file(
            f"mkdir -p {elsewhere}; ln -s {elsewhere} out; echo '{{}}' > out/metrics.json"
        )
        self.assertEqual(text, "")
        self.assertIn("out/metrics.json is outside of the working folder of the trial", problem)

    def test_an_older_or_missing_file_with_metrics_does_not_count(self):
        (self.root / "out").mkdir()
        (self.root / "out/metrics.json").write_text("{}")
        self.assertEqual(self.metric_file("true"), [("", "out/metrics.json was not written")])
        (self.folder / "journal").unlink()
        (self.folder / "ctl").unlink()
        (self.folder / "reports").unlink()
        found = self.metric_file("rm out/metrics.json")
        self.assertEqual(found, [("", "out/metrics.json does not exist")])

    def test_only_rank_0_has_a_report_channel(self):
        self.start("echo ${ELASTUNE_REPORTS:+yes}", world=2)
        self.wait_for("ended")
        self.assertEqual(sorted(self.log().splitlines()), ["[0] yes", "[1] "])

    def test_two_workers(self):
        self.start("echo ELASTUNE $RANK; exit $RANK", world=2)
        self.assertEqual(self.wait_for("ended")["code"], 1)
        self.assertEqual([r["line"] for r in self.records("report")], ["ELASTUNE 0"])
        self.assertEqual(self.log(), "[1] ELASTUNE 1\n")
        self.assertEqual({r["rank"]: r["code"] for r in self.records("exit")}, {0: 0, 1: 1})

    def test_checkpoint_precedes_its_report(self):
        save = "cd $ELASTUNE_CHECKPOINT_DIR; mkdir $u.tmp; echo {} > $u.tmp/manifest.json; mv $u.tmp $u"
        self.start(f"for u in 1 2 3; do ({save}); echo ELASTUNE $u; done")
        self.wait_for("ended")
        kinds = [r["k"] for r in self.records() if r["k"] in ("checkpoint", "report")]
        self.assertEqual(sorted(kinds), ["checkpoint"] * 3 + ["report"] * 3)
        # A busy machine lets the shim see the next checkpoint before it reads the report.
        for end in range(1, 7):
            self.assertGreaterEqual(
                kinds[:end].count("checkpoint"), kinds[:end].count("report"), kinds
            )

    def test_workers_get_no_other_environment(self):
        os.environ["RAY_SOMETHING"] = "1"
        self.addCleanup(os.environ.pop, "RAY_SOMETHING")
        self.start("env")
        self.wait_for("ended")
        names = {line.split("=")[0] for line in self.log().splitlines()}
        allowed = {*shim.INHERITED, *self.marks, "ELASTUNE_CHECKPOINT_DIR", "RANK", shim.CHANNEL}
        self.assertEqual(names - {"PWD", "SHLVL", "_", "OLDPWD"} - allowed, set())

    def test_files_are_private(self):
        self.start("mkdir out; echo x > out/a")
        self.wait_for("ended")
        self.assertEqual((self.root / "out").stat().st_mode & 0o777, 0o700)
        for path in [self.root / "out/a", *self.folder.iterdir()]:
            self.assertEqual(path.stat().st_mode & 0o077, 0, path)

    def test_secrets_are_in_no_file(self):
        worker = {"rank": 0, "env": {**self.marks, "KEY": "s3cr3t"}, "trial_file": "{}"}
        self.start("exit 0", workers=[worker])
        self.wait_for("ended")
        for path in self.folder.iterdir():
            if path.is_file():
                self.assertNotIn("s3cr3t", path.read_text(), path)

    def test_stop_lets_the_trial_save(self):
        self.start("trap 'echo saved; exit 75' TERM; echo ELASTUNE up; while true; do sleep 0.05; done")
        self.wait_for("report")
        self.request(b"T")
        ended = self.wait_for("ended")
        self.assertEqual((ended["code"], ended["reason"]), (75, "stopped"))
        self.assertIn("saved\n", self.log())

    def test_deaf_trial_is_killed_after_the_grace_period(self):
        self.start("trap '' TERM; echo ELASTUNE up; while true; do sleep 0.05; done", grace_s=0.3)
        self.wait_for("report")
        self.request(b"T")
        self.assertEqual(self.wait_for("ended")["code"], 137)

    def test_kill(self):
        self.start("trap '' TERM; echo ELASTUNE up; sleep 1000 & sleep 1000", grace_s=1000)
        self.wait_for("report")
        self.request(b"T")
        self.request(b"K")
        self.assertEqual(self.wait_for("ended")["code"], 137)
        self.assertEqual(self.family(), [])

    def state(self, pid):
        try:
            return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return "gone"

    def pid_in(self, name):
        path = self.root / name
        self.wait(lambda: path.exists() and path.read_text().endswith("\n"))
        return int(path.read_text())

    def test_processes_that_leave_group_environment_and_parents_are_ended(self):
        escapes = {
            "empty": "env -i /usr/bin/setsid sh -c 'echo $$ > empty; exec sleep 1000'",
            "double": "(env -i setsid sh -c '(echo $$ > double; exec sleep 1000) &' &)",
            "title": f"{sys.executable} {self.root}/title.py",
        }
        (self.root / "title.py").write_text(
            "import ctypes, os, time\n"
            "os.setsid()\n"
            "libc = ctypes.CDLL(None)\n"
            "env = ctypes.POINTER(ctypes.c_void_p).in_dll(libc, 'environ')\n"
            "i = 0\n"
            "while env[i]:\n"
            "    ctypes.memset(env[i], 0, len(ctypes.string_at(env[i]))); i += 1\n"
            "open('title', 'w').write('%d\\n' % os.getpid())\n"
            "time.sleep(1000)\n"
        )
        quiet = " </dev/null >/dev/null 2>&1 & "
        command = "".join(f"{escape}{quiet}" for escape in escapes.values())
        wait = "".join(f"while ! [ -s {name} ]; do sleep 0.02; done; " for name in escapes)
        self.start(command + wait + "exit 0")
        pids = [self.pid_in(name) for name in escapes]
        ended = self.wait_for("ended")
        self.assertEqual(0, ended["code"])
        for name, pid in zip(escapes, pids):
            self.assertNotIn(self.state(pid), "RSD", name)

    def test_stop_signals_processes_that_have_left_the_group(self):
        catcher = "trap 'echo caught > caught; exit' TERM; echo $$ > pid; while :; do sleep 0.02; done"
        (self.root / "catcher.sh").write_text(catcher)
        self.start("env -i setsid sh catcher.sh </dev/null >/dev/null 2>&1 & sleep 1000", grace_s=30.0)
        self.pid_in("pid")
        self.request(b"T")
        self.wait_for("ended")
        self.assertEqual("caught\n", (self.root / "caught").read_text())

    def test_leftover_processes_are_killed(self):
        self.start("setsid sleep 1000 & sleep 1000 & exit 0")
        self.assertEqual(self.wait_for("ended")["code"], 0)
        self.assertEqual(self.family(), [])

    def test_mark_remains_without_shim_and_environment(self):
        self.start("(env -i setsid sh -c 'echo $$ > pid; exec sleep 1000' &); kill -9 $PPID; exit 0")
        pid = self.pid_in("pid")
        self.wait(lambda: self.family() == [pid])
        bridge.kill_all({**self.marks, "ELASTUNE_ATTEMPT": "other"})
        self.assertEqual(self.family(), [pid])
        bridge.kill_all({"ELASTUNE_LEASE": self.root.name})
        self.assertEqual(self.family(), [])

    @unittest.skipUnless(
        os.geteuid() == 0 and shutil.which("setpriv") and os.path.exists(SYSTEM_PYTHON),
        "needs two users",
    )
    def test_processes_of_another_user_do_not_keep_the_attempt(self):
        sudo = self.root / "sudo"
        shutil.copy(shutil.which("setpriv"), sudo)
        sudo.chmod(0o4755)
        for path in (self.root, *self.root.rglob("*")):
            path.chmod(path.stat().st_mode | 0o755 | (0o022 if path.is_dir() else 0))
        options = {"preexec_fn": lambda: os.setuid(65534), "check": False}
        if subprocess.run([str(sudo), "--reuid=0", "true"], stderr=subprocess.DEVNULL, **options).returncode:
            self.skipTest("the file system ignores the bit setuid")
        become = f"{sudo} --reuid=0 --clear-groups sh -c 'echo $$ > pid; exec sleep 1000'"
        quiet = " </dev/null >/dev/null 2>&1 &"
        self.start(f"{become}{quiet} while ! [ -s pid ]; do sleep .02; done; exit 0", user=65534)
        pid = self.pid_in("pid")
        try:
            ended = self.wait_for("ended")
            self.assertEqual(ended["code"], 0)
            self.assertIn(f"another user cannot be ended, and still run: {pid}", ended["message"])
        finally:
            os.kill(pid, signal.SIGKILL)

    def test_expired_lease_ends_the_workers(self):
        (self.root / "lease").write_text(str(shim.now() + 1000))
        self.start("echo ELASTUNE up; sleep 1000")
        self.wait_for("report")
        self.assertEqual(self.records("ended"), [])
        (self.root / "lease").write_text(str(shim.now() - 1))
        ended = self.wait_for("ended")
        self.assertEqual((ended["code"], ended["reason"]), (137, "dead-man"))

    def test_second_shim_ends_at_once(self):
        self.start("echo once; echo ELASTUNE up; sleep 1000")
        self.wait_for("report")
        self.assertEqual(self.start("echo twice"), "known")
        self.request(b"K")
        self.wait_for("ended")
        self.wait(lambda: not self.locked())
        self.assertEqual(self.start("echo twice"), "known")
        self.assertEqual(self.log(), "once\n")

    def test_missing_folder(self):
        self.start("exit 0", cwd="/nowhere")
        ended = self.wait_for("ended")
        self.assertEqual((ended["code"], ended["reason"]), (127, "cannot-start"))
        self.assertIn("/nowhere does not exist", ended["message"])

    def test_worker_killed_by_a_signal(self):
        self.start("kill -SEGV $$")
        self.assertEqual(self.wait_for("ended")["code"], 128 + signal.SIGSEGV)

    def test_killed_shim_takes_its_shells_along(self):
        self.start("trap '' TERM; echo ELASTUNE up; while true; do sleep 0.05; done")
        self.wait_for("report")
        os.kill(self.shim_pid(), signal.SIGKILL)
        self.wait(lambda: not self.family())
        self.assertEqual(self.records("ended"), [])
        self.assertFalse(self.locked())

    def small_disk(self):
        """Mounts a disk for the attempts, which only root may do."""
        mount = ["mount", "-t", "tmpfs", "-o", "size=512k", "none", str(self.folder.parent)]
        if subprocess.run(mount, stderr=subprocess.DEVNULL).returncode:
            self.skipTest("no permission to mount a small disk")
        self.addCleanup(subprocess.run, ["umount", "-l", str(self.folder.parent)], check=True)
        self.folder.mkdir()

    def test_full_disk_of_the_journal_ends_the_attempt(self):
        self.small_disk()
        self.start("yes | head -c 600000; while :; do echo ELASTUNE $(seq -s, 999); done")
        self.wait_for("ended")
        ended = self.records("ended")[0]
        self.assertEqual((ended["code"], ended["reason"]), (137, "shim-failed"))
        self.assertEqual(ended["message"], "its journal cannot be written: No space left on device")
        self.assertTrue(ended["full"])
        self.assertEqual(bridge.processes(self.marks), [])
        lines = (self.folder / "journal").read_bytes().splitlines(keepends=True)
        self.assertEqual(len(self.records()), len(lines))

    def test_disk_without_inodes_is_full(self):
        mount = ["mount", "-t", "tmpfs", "-o", "size=40m,nr_inodes=5", "none", str(self.folder)]
        self.folder.mkdir(parents=True, exist_ok=True)
        if subprocess.run(mount, stderr=subprocess.DEVNULL).returncode:
            self.skipTest("no permission to mount a small disk")
        self.addCleanup(subprocess.run, ["umount", "-l", str(self.folder)], check=True)
        self.assertFalse(shim.is_full(str(self.folder)))
        self.assertEqual(list(self.folder.iterdir()), [])
        with self.assertRaises(OSError):
            for number in range(9):
                (self.folder / str(number)).touch()
        self.assertTrue(shim.is_full(str(self.folder)))

    def test_missing_folder_is_not_full(self):
        self.assertFalse(shim.is_full(str(self.folder / "missing")))

    def test_disk_that_is_full_before_the_start_refuses_it(self):
        self.small_disk()
        with self.assertRaises(OSError), open(self.folder.parent / "file", "wb") as file:
            while True:
                file.write(bytes(4096))
                file.flush()
        with self.assertRaises(subprocess.CalledProcessError):
            self.start("exit 0")
        self.assertEqual(self.records(), [])

    def test_large_output_is_rotated(self):
        log = shim.Log(str(self.folder))
        line = b"x" * (1 << 20)
        for _ in range(200):
            log.write(line)
        names = sorted(path.name for path in self.folder.iterdir())
        self.assertEqual(names, [f"log-{128 << 20}", f"log-{192 << 20}"])
        self.assertEqual(log.size, 200 << 20)


class AgentTest(unittest.TestCase):
    """Tests of what the agent does without a controller."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="agent-")
        self.addCleanup(temporary.cleanup)
        self.root = pathlib.Path(temporary.name)

    def agent(self, ttl_s=1000):
        agent = bridge.Agent("lease", str(self.root), pathlib.Path(SHIM).read_text(), ttl_s, "run")
        self.addCleanup(setattr, agent, "closed", True)
        return agent

    def ask(self, agent, op, payload=b"", **fields):
        return agent.handle(op, fields, payload)[0]

    def test_commands_of_an_earlier_controller_are_refused(self):
        agent = self.agent()
        self.assertEqual(self.ask(agent, "tidy", epoch=2, trial=1, keep=0), {"ok": {}})
        late = self.ask(agent, "tidy", epoch=1, trial=1, keep=0)
        self.assertEqual(late["error"]["kind"], "epoch")
        again = self.ask(self.agent(), "tidy", epoch=1, trial=1, keep=0)
        self.assertEqual(again["error"]["kind"], "epoch")

    def test_no_path_leaves_the_folder(self):
        agent = self.agent()
        for path in ("../x", "/etc/x", "a/../../x", ""):
            put = self.ask(agent, "put", b"x", path=path, offset=0, last=True)
            self.assertEqual(put["error"]["kind"], "bad-request", path)

    def test_unsafe_archives_are_refused(self):
        import io
        import tarfile

        def archive(name, **fields):
            stream = io.BytesIO()
            with tarfile.open(fileobj=stream, mode="w") as tar:
                info = tarfile.TarInfo(name)
                for field, value in fields.items():
                    setattr(info, field, value)
                tar.addfile(info)
            return stream.getvalue()

        agent = self.agent()
        unsafe = [
            archive("../x"),
            archive("/tmp/x"),
            archive("link", type=tarfile.SYMTYPE, linkname="/etc"),
            archive("link", type=tarfile.SYMTYPE, linkname="../../x"),
            archive("link", type=tarfile.LNKTYPE, linkname="x"),
            archive("device", type=tarfile.CHRTYPE),
        ]
        for content in unsafe:
            self.ask(agent, "put", content, path="code.tar", offset=0, last=True)
            answer = self.ask(agent, "unpack", path="code.tar", code="sha")
            self.assertEqual(answer.get("error", {}).get("kind"), "bad-request")
            self.assertFalse((self.root / "lease/code/sha").exists())

    def prepare(self, agent, **fields):
        """Asks until the setup has ended; returns its result and its output."""
        output = b""
        fields = {"setup": "sha-1", "code": "sha", "env": {"KEY": "k"}, **fields}
        while True:
            answer, news = agent.handle("prepare", {**fields, "offset": len(output)}, b"")
            output += news
            if not answer["ok"].get("running"):
                return answer["ok"], output

    def test_setup_runs_once(self):
        agent = self.agent()
        (self.root / "lease/code/sha").mkdir(parents=True)
        command = "echo done $KEY; echo x >> count; exit 3"
        for asked in (agent, agent, self.agent()):
            result = self.prepare(asked, command=command)
            self.assertEqual(result, ({"exit": 3}, b"done k\n"))
        self.assertEqual((self.root / "lease/code/sha/count").read_text(), "x\n")

    def test_output_of_a_running_setup_is_told(self):
        agent = self.agent()
        os.mkfifo(self.root / "wait")
        fields = {"setup": "1", "code": "", "cwd": str(self.root), "env": {}, "offset": 0}
        fields["command"] = "echo begun; cat wait; printf '%0200000d' 0"
        self.assertEqual(agent.handle("prepare", fields, b""), ({"ok": {"running": True}}, b"begun\n"))
        (self.root / "wait").write_text("")
        result, output = self.prepare(agent, **{k: v for k, v in fields.items() if k != "offset"})
        self.assertEqual((result, len(output)), ({"exit": 0}, 6 + 200_000))

    def test_process_of_a_setup_without_environment_ends_with_its_lease(self):
        agent = self.agent()
        escape = "(env -i setsid sh -c 'echo $$ > pid; exec sleep 1000' </dev/null >/dev/null 2>&1 &)"
        command = f"sleep .3; {escape}; while ! [ -s pid ]; do sleep .02; done"
        result, _ = self.prepare(agent, setup="1", code="", cwd=str(self.root), command=command)
        self.assertEqual(result, {"exit": 0})
        pid = int((self.root / "pid").read_text())
        self.assertEqual(bridge.processes({"ELASTUNE_LEASE": agent.lease}), [pid])
        agent.op_end({}, b"")
        self.assertEqual(bridge.processes({"ELASTUNE_LEASE": agent.lease}), [])

    def test_setup_that_cannot_start_has_a_reason(self):
        result, _ = self.prepare(self.agent(), setup="1", code="", cwd="/absent", command="true")
        self.assertEqual(result["exit"], 127)
        self.assertIn("/absent", result["message"])

    def test_folder_ends_unless_renewed(self):
        self.agent(ttl_s=0.1)
        deadline = time.monotonic() + TIMEOUT_S
        while (self.root / "lease").exists():
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.05)

    def test_attempt_of_a_killed_shim_ends(self):
        agent = self.agent()
        attempt = self.root / "lease/attempts/7-1-1"
        attempt.mkdir()
        (attempt / "lock").touch()
        (attempt / "log-0").write_text("out")
        with open(attempt / "lock") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            (attempt / "journal").write_text('{"k": "started", "t": 1}\n{"k": "half')
            time.sleep(1.5)
            self.assertNotIn("ended", (attempt / "journal").read_text())
        deadline = time.monotonic() + TIMEOUT_S
        while "ended" not in (attempt / "journal").read_text():
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.05)
        lines = (attempt / "journal").read_text().splitlines()
        self.assertEqual(len(lines), 2)
        self.assertEqual(json.loads(lines[1])["reason"], "shim-lost")
        events = agent.op_poll({"cursors": {"7-1-1": [0, 0, False]}}, b"")[0]["events"]
        self.assertEqual([e["ev"] for e in events], ["log", "started", "ended"])

    def test_removed_files_of_an_attempt_are_reported(self):
        agent = self.agent()
        for cursor, expected in (([0, 0, False], []), ([0, 0, True], ["gone"]), ([9, 0, False], ["gone"])):
            events = agent.op_poll({"cursors": {"7-1-2": cursor}}, b"")[0]["events"]
            self.assertEqual([e["ev"] for e in events], expected)


if __name__ == "__main__":
    unittest.main()
