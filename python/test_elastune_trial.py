"""Tests elastune_trial by running trials as separate processes, as Elastune does."""

import importlib.util
import json
import os
import signal
import subprocess
import sys
import tempfile
import textwrap
import unittest
from unittest import mock

HERE = os.path.dirname(os.path.abspath(__file__))

# A synthetic training program whose state is one number that reveals lost or repeated units.
COUNTING = """
import json, os, sys, time
import elastune_trial

def read(folder):
    with open(os.path.join(folder, "state.json")) as file:
        return json.load(file)

def write(folder):
    with open(os.path.join(folder, "state.json"), "w") as file:
        json.dump(state, file)

trial = elastune_trial.load()
state = trial.restore(read, lambda: {"sum": 0})
for unit in trial.units():
    print("training unit", unit, flush=True)
    state["sum"] = state["sum"] * 10 + unit * trial.config["factor"]
    time.sleep(float(os.environ.get("UNIT_S", "0")))
    trial.save(unit, write)
    trial.report(unit, acc=state["sum"])
"""


class TrialTestCase(unittest.TestCase):
    """Starts trials in a temporary folder."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.checkpoints = os.path.join(self.folder, "checkpoints")

    def start(self, script=COUNTING, from_=0, to=2, rank=0, unit_s=0, **fields):
        spec = {
            "trial": 7, "config": {"factor": 1}, "unit": "epoch", "from": from_, "to": to,
            "checkpoint_dir": self.checkpoints, "rank": rank, "world_size": 1, "seed": 5, **fields,
        }
        path = os.path.join(self.folder, "trial-%d.json" % rank)
        with open(path, "w") as file:
            json.dump(spec, file)
        environment = dict(
            os.environ, ELASTUNE_TRIAL_JSON=path, PYTHONPATH=HERE, UNIT_S=str(unit_s)
        )
        return self.python(script, environment)

    def python(self, script, environment):
        path = os.path.join(self.folder, "train.py")
        with open(path, "w") as file:
            file.write(textwrap.dedent(script))
        return subprocess.Popen(
            [sys.executable, path], env=environment, cwd=self.folder, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True,
        )

    def reports(self, process, code=0):
        out, err = process.communicate(timeout=300)
        self.assertEqual(code, process.returncode, err)
        lines = [line for line in out.splitlines() if line.startswith("ELASTUNE ")]
        return [json.loads(line[len("ELASTUNE "):]) for line in lines], err

    def manifest(self, unit):
        with open(os.path.join(self.checkpoints, str(unit), "manifest.json")) as file:
            return json.load(file)


class HelperTest(TrialTestCase):
    def test_break_names_finish(self):
        script = COUNTING + "    if unit == 2:\n        break\n"
        process = self.start(script, to=4)
        out, err = process.communicate()
        self.assertEqual(process.returncode, 0)
        self.assertIn("the loop over units() was left at unit 2 of 4.", err)
        self.assertIn("call finish(unit, name=value)", err)

    def test_break_at_the_end_or_after_finish_is_no_early_exit(self):
        for ending in [
            "    if unit == 4:\n        break\n",
            "    if unit == 2:\n        break\ntrial.finish()\n",
        ]:
            process = self.start(COUNTING + ending, to=4)
            self.assertEqual((process.communicate()[1], process.returncode), ("", 0))

    def test_exception_is_no_early_exit(self):
        process = self.start(COUNTING + "    raise ValueError(unit)\n", to=4)
        err = process.communicate()[1]
        self.assertIn("ValueError: 1", err)
        self.assertNotIn("the loop over", err)

    def test_reports_each_unit_and_saves_the_last(self):
        reports, _ = self.reports(self.start(to=3))
        self.assertEqual([1, 2, 3], [report["unit"] for report in reports])
        self.assertEqual({"acc": 123.0}, reports[2]["metrics"])
        self.assertEqual(["3"], os.listdir(self.checkpoints))
        self.assertEqual(3, self.manifest(3)["unit"])
        self.assertEqual("state.json", self.manifest(3)["files"][0]["name"])

    def test_saves_after_every_unit_that_is_due(self):
        self.reports(self.start(from_=0, to=7, checkpoint_every=3))
        self.assertEqual(["3", "6", "7"], sorted(os.listdir(self.checkpoints)))
        self.reports(self.start(from_=6, to=10, checkpoint_every=3))  # counted from its start
        self.assertEqual(["10", "3", "6", "7", "9"], sorted(os.listdir(self.checkpoints)))

    def test_saves_only_the_last_unit_with_interval_0(self):
        self.reports(self.start(to=4, checkpoint_every=0))
        self.assertEqual(["4"], os.listdir(self.checkpoints))

    def test_resumes_from_a_checkpoint_without_difference(self):
        self.reports(self.start(to=2))
        reports, _ = self.reports(self.start(from_=2, to=4))
        self.assertEqual([(3, 123), (4, 1234)], [(r["unit"], r["metrics"]["acc"]) for r in reports])

    def test_waits_for_the_next_units_with_keep_alive(self):
        following = {"from": 2, "to": 4, "keep_alive": True}
        process = self.start(to=2, keep_alive=True)
        out, err = process.communicate(json.dumps(following) + "\n", timeout=60)
        lines = [line[len("ELASTUNE "):] for line in out.splitlines() if line.startswith("ELASTUNE ")]
        written = [json.loads(line) for line in lines]
        self.assertEqual(0, process.returncode, err)
        self.assertEqual([2, 4], [report["waiting"] for report in written if "waiting" in report])
        units = [(r["unit"], r["metrics"]["acc"]) for r in written if "unit" in r]
        self.assertEqual([(1, 1), (2, 12), (3, 123), (4, 1234)], units)
        self.assertEqual(4, self.manifest(4)["unit"])

    def test_sigterm_ends_the_wait_for_the_next_units(self):
        process = self.start(to=1, keep_alive=True)
        for line in process.stdout:
            if "waiting" in line:
                break
        process.send_signal(signal.SIGTERM)
        self.assertEqual(0, process.wait(timeout=60))
        process.communicate()

    def test_rejects_a_corrupt_checkpoint(self):
        self.reports(self.start(to=2))
        with open(os.path.join(self.checkpoints, "2", "state.json"), "a") as file:
            file.write(" ")
        reports, err = self.reports(self.start(from_=2, to=4), code=1)
        self.assertEqual([], reports)
        self.assertIn("the size of state.json differs from the manifest", err)

    def test_rejects_a_missing_checkpoint(self):
        _, err = self.reports(self.start(from_=2, to=4), code=1)
        self.assertIn("manifest.json is missing", err)

    def test_replaces_an_incomplete_checkpoint_of_the_same_unit(self):
        os.makedirs(os.path.join(self.checkpoints, "2"))
        os.makedirs(os.path.join(self.checkpoints, "2.tmp"))
        self.reports(self.start(to=2))
        self.assertEqual(["2"], os.listdir(self.checkpoints))
        self.assertEqual(2, self.manifest(2)["unit"])

    def test_sigterm_saves_the_current_unit_and_requests_a_retry(self):
        trial = self.start(to=1000, unit_s=0.2)
        self.assertEqual("training unit 1\n", trial.stdout.readline())
        trial.send_signal(signal.SIGTERM)
        reports, _ = self.reports(trial, code=75)
        self.assertEqual([1], [report["unit"] for report in reports])
        self.assertEqual(1, self.manifest(1)["unit"])

    def test_only_worker_0_reports_and_saves(self):
        reports, _ = self.reports(self.start(rank=1))
        self.assertEqual([], reports)
        self.assertFalse(os.path.exists(self.checkpoints))

    def test_workers_stop_after_the_agreed_unit(self):
        agreed = COUNTING.replace("trial.save(unit, write)", "trial.save(unit, write, unit == 2)")
        for rank in (0, 1):
            self.reports(self.start(agreed, to=9, rank=rank), code=75)
        self.assertEqual(["2"], os.listdir(self.checkpoints))

    def test_rejects_the_last_report_without_a_checkpoint(self):
        unsaved = COUNTING.replace("trial.save(unit, write)", "")
        reports, err = self.reports(self.start(unsaved), code=1)
        self.assertEqual([1], [report["unit"] for report in reports])
        self.assertIn("save(2, ...) must be called before report()", err)

    def test_rejects_reports_out_of_order(self):
        for wrong in ("1", "trial.to + 1", "trial.from_"):
            script = COUNTING.replace("report(unit,", "report(%s if unit == 2 else unit," % wrong)
            _, err = self.reports(self.start(script, to=3), code=1)
            self.assertIn("ProtocolError: report of unit", err)

    def test_reports_values_that_are_not_finite(self):
        diverged = COUNTING.replace('acc=state["sum"]', 'acc=float("nan"), loss=float("inf")')
        out, _ = self.start(diverged, to=1).communicate(timeout=60)
        self.assertIn('ELASTUNE {"unit": 1, "metrics": {"acc": NaN, "loss": Infinity}}\n', out)

    def test_one_report_by_hand_without_checkpoint(self):
        script = "import elastune_trial; elastune_trial.load({'lr': 1}).report(1, auc=0.5)"
        environment = dict(os.environ, PYTHONPATH=HERE)
        environment.pop("ELASTUNE_TRIAL_JSON", None)
        process = self.python(script, environment)
        out, err = process.communicate()
        self.assertEqual(process.returncode, 0, err)
        self.assertIn('ELASTUNE {"unit": 1, "metrics": {"auc": 0.5}}', out)
        self.assertIn("set trial.resumable: false in the job file, or call save(1, ...)", err)

    def test_explains_how_to_run_without_elastune(self):
        environment = {k: v for k, v in os.environ.items() if not k.startswith("ELASTUNE_")}
        environment["PYTHONPATH"] = HERE
        _, err = self.reports(self.python(COUNTING, environment), code=1)
        self.assertIn("not started by Elastune", err)
        by_hand = COUNTING.replace("load()", "load({'factor': 1}, units=2)")
        reports, _ = self.reports(self.python(by_hand, environment))
        self.assertEqual(12, reports[1]["metrics"]["acc"])
        other = COUNTING.replace("load()", "load({'factor': 2}, units=2)")
        self.reports(self.python(other, environment))
        resumed = COUNTING.replace("load()", "load({'factor': 1}, units=2, from_=2)")
        reports, _ = self.reports(self.python(resumed, environment))
        self.assertEqual([(3, 243), (4, 2434)], [(r["unit"], r["metrics"]["acc"]) for r in reports])
        self.reports(self.python(by_hand, environment))
        reports, _ = self.reports(self.python(resumed, environment))
        self.assertEqual([(3, 123), (4, 1234)], [(r["unit"], r["metrics"]["acc"]) for r in reports])
        elsewhere = COUNTING.replace("load()", "load({}, from_=4, checkpoint_dir='elsewhere')")
        _, err = self.reports(self.python(elsewhere, environment), code=1)
        self.assertIn(os.path.join(self.folder, "elsewhere", "4", "manifest.json"), err)

    def test_reports_through_the_channel_if_there_is_one(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "reports")
            os.mkfifo(path)
            channel = os.open(path, os.O_RDWR | os.O_NONBLOCK)
            try:
                with mock.patch.dict(os.environ, ELASTUNE_REPORTS=path):
                    on_stdout, _ = self.reports(self.start(to=2))
                lines = os.read(channel, 1 << 16).decode().splitlines()
            finally:
                os.close(channel)
        self.assertEqual([], on_stdout)
        self.assertEqual("", lines[0])
        self.assertEqual(
            'ELASTUNE {"unit": 2, "metrics": {"acc": 12.0}}', lines[2], "after a line that opens it"
        )

    def test_without_the_channel_reports_are_on_standard_output(self):
        with mock.patch.dict(os.environ, ELASTUNE_REPORTS="/nowhere/reports"):
            reports, _ = self.reports(self.start(to=2))
        self.assertEqual([1, 2], [report["unit"] for report in reports])

    def test_reports_metrics_of_any_type(self):
        typed = COUNTING.replace(
            'acc=state["sum"]', 'acc=1, val={"top": True}, name="m.pt", grid=[1], none=None'
        )
        reports, _ = self.reports(self.start(typed, to=1))
        metrics = {"acc": 1.0, "val": {"top": 1.0}, "name": "m.pt", "grid": ["list"], "none": None}
        self.assertEqual(metrics, reports[0]["metrics"])

    def test_finish_reports_done_and_ends_the_units(self):
        stopping_early = COUNTING.replace(
            'trial.report(unit, acc=state["sum"])',
            '(trial.finish if unit == 2 else trial.report)(unit, acc=state["sum"])',
        )
        reports, _ = self.reports(self.start(stopping_early, to=9))
        self.assertEqual([False, True], [report.get("done", False) for report in reports])
        self.assertEqual({"unit": 2, "metrics": {"acc": 12.0}, "done": True}, reports[1])
        self.assertFalse(os.path.exists(self.checkpoints))
        saving = stopping_early.replace("write)", "write, done=unit == 2)")
        self.reports(self.start(saving, to=9))
        self.assertEqual(["2"], os.listdir(self.checkpoints))
        repeating = COUNTING + "\n    if unit == 2: trial.finish()"
        reports, _ = self.reports(self.start(repeating, to=9))
        self.assertEqual([1, 2, 2], [report["unit"] for report in reports])
        self.assertEqual([False, False, True], [report.get("done", False) for report in reports])
        unreported = "import elastune_trial\nelastune_trial.load().finish()"
        _, err = self.reports(self.start(unreported), code=1)
        self.assertIn("no report to repeat", err)
        continuing = stopping_early + "\ntrial.report(3, acc=1)"
        _, err = self.reports(self.start(continuing, to=9), code=1)
        self.assertIn("report of unit 3 after finish()", err)

    def test_trial_that_cannot_resume_needs_no_checkpoint(self):
        unsaved = COUNTING.replace("trial.save(unit, write)", "")
        reports, _ = self.reports(self.start(unsaved, resumable=False))
        self.assertEqual([1, 2], [report["unit"] for report in reports])
        trial = self.start(unsaved, to=1000, unit_s=0.2, resumable=False)
        self.assertEqual("training unit 1\n", trial.stdout.readline())
        trial.send_signal(signal.SIGTERM)
        reports, _ = self.reports(trial, code=75)
        self.assertEqual([1], [report["unit"] for report in reports])

    def test_due_selects_sparse_reports(self):
        sparse = COUNTING.replace("    trial.report(", "    if trial.due(unit, 3): trial.report(")
        reports, _ = self.reports(self.start(sparse, to=8))
        self.assertEqual([3, 6, 8], [report["unit"] for report in reports])
        trial = self.start(sparse, to=1000, unit_s=0.2)
        self.assertEqual("training unit 1\n", trial.stdout.readline())
        trial.send_signal(signal.SIGTERM)
        reports, _ = self.reports(trial, code=75)
        self.assertEqual([1], [report["unit"] for report in reports])


# Restores a state in various ways, and prints it.
RESTORING = """
import os
import elastune_trial

class Array:  # like an array of numpy, it has no truth value
    def __bool__(self):
        raise ValueError("the truth value is ambiguous")
    def __repr__(self):
        return "restored array"

model = "fresh model"

def load_in_place(folder):
    global model
    model = "restored model"

trial = elastune_trial.load()
%s
trial.save(1, lambda folder: open(os.path.join(folder, "empty"), "w").close())
"""


class CheckpointLinkTest(unittest.TestCase):
    """The rule for links is the same in the helper, in the bridge to Ray and in Java."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = os.path.realpath(folder.name)

    @staticmethod
    def load(path):
        spec = importlib.util.spec_from_file_location(os.path.basename(path)[:-3], path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    @staticmethod
    def write(folder, case):
        for name in case["files"]:
            os.makedirs(os.path.dirname(os.path.join(folder, name)), exist_ok=True)
            with open(os.path.join(folder, name), "w") as file:
                file.write(name)
        for name, link in case["links"].items():
            os.makedirs(os.path.dirname(os.path.join(folder, name)), exist_ok=True)
            os.symlink(link, os.path.join(folder, name))

    def test_shared_cases(self):
        root = os.path.dirname(HERE)
        helper = self.load(os.path.join(HERE, "elastune_trial.py"))
        resources = "executor/ray/src/main/resources/io/elastune/executor/ray"
        bridge = self.load(os.path.join(root, resources, "elastune_bridge.py"))
        with open(os.path.join(root, "docs/checkpoint-vectors.json")) as file:
            cases = json.load(file)["cases"]
        self.assertGreater(len(cases), 10)
        for number, case in enumerate(cases):
            with self.subTest(case["name"]):
                store = os.path.join(self.folder, str(number))
                os.makedirs(store)
                folder = os.path.join(store, "4")
                if case["valid"]:
                    helper.write_checkpoint(store, 4, lambda to: self.write(to, case))
                    with open(os.path.join(folder, "manifest.json")) as file:
                        entries = json.load(file)["files"]
                    links = {e["name"]: e["link"] for e in entries if "link" in e}
                    self.assertEqual(case["links"], links)
                else:
                    with self.assertRaisesRegex(ValueError, "checkpoint 4 cannot be saved"):
                        helper.write_checkpoint(store, 4, lambda to: self.write(to, case))
                    self.assertFalse(os.path.exists(folder))
                    self.by_hand(helper, folder, case)
                self.assertEqual(case["valid"], helper.find_flaw(folder, 4) is None)
                self.assertEqual(case["valid"], bridge.checkpoint_problem(folder, 4) is None)
                for name in case["links"]:
                    os.remove(os.path.join(folder, name))
                self.assertEqual(not case["links"], bridge.checkpoint_problem(folder, 4) is None)
                bridge.create_links(folder)
                self.assertEqual(case["valid"], bridge.checkpoint_problem(folder, 4) is None)

    def test_copied_links_stay_inside(self):
        root = os.path.dirname(HERE)
        resources = "executor/ray/src/main/resources/io/elastune/executor/ray"
        bridge = self.load(os.path.join(root, resources, "elastune_bridge.py"))
        folder, outside = os.path.join(self.folder, "4"), os.path.join(self.folder, "outside")
        os.makedirs(folder)
        os.makedirs(outside)
        links = {"a": "../outside", "b": "c", "b/x": "y", "d": outside, "e/f": "../b"}
        files = [{"name": name, "link": link} for name, link in links.items()]
        with open(os.path.join(folder, "manifest.json"), "w") as file:
            json.dump({"unit": 4, "files": files}, file)
        os.symlink(outside, os.path.join(folder, "c"))
        bridge.create_links(folder)
        self.assertEqual([], os.listdir(outside))
        self.assertEqual({"b", "c", "e", "manifest.json"}, set(os.listdir(folder)))

    def by_hand(self, helper, folder, case):
        os.makedirs(folder)
        self.write(folder, case)
        entries = [{"name": name, "link": link} for name, link in case["links"].items()]
        for name in case["files"]:
            path = os.path.join(folder, name)
            entries.append(
                {"name": name, "size": len(name), "sha256": helper._sha256(path)}
            )
        with open(os.path.join(folder, "manifest.json"), "w") as file:
            json.dump({"unit": 4, "files": entries}, file)


class RestoreTest(TrialTestCase):
    def restored(self, statements, code=0):
        """Returns what the statements print for a new and for a resumed trial, and the errors."""
        script = RESTORING % statements
        out, err = self.start(script, to=1).communicate(timeout=60)
        resumed = self.start(script, from_=1, to=2)
        out_resumed, err_resumed = resumed.communicate(timeout=60)
        self.assertEqual(code, resumed.returncode, err_resumed)
        return out.strip(), out_resumed.strip(), err + err_resumed

    def test_reads_or_starts_fresh(self):
        for state, shown in (("Array()", "restored array"), ("{}", "{}"), ("0.0", "0.0")):
            program = "print(trial.restore(lambda folder: %s, lambda: 'fresh'))" % state
            self.assertEqual(("fresh", shown, ""), self.restored(program))

    def test_loads_in_place(self):
        for call in (
            "trial.restore(load_in_place)",
            "trial.restore(load_in_place, lambda: None)",
            "if trial.restore(load_in_place) is None: model = 'fresh model'",
        ):
            shown = self.restored(call + "\nprint(model)")
            self.assertEqual(("fresh model", "restored model", ""), shown)

    def test_keeps_correct_calls_without_fresh(self):
        for state in ("{'sum': 1}", "Array()", "0.0"):
            program = "state = trial.restore(lambda folder: %s)\nprint(state is None)" % state
            self.assertEqual(("True", "False", ""), self.restored(program))
        program = "print(trial.restore(lambda folder: [1]) or [0])"
        self.assertEqual(("[0]", "[1]", ""), self.restored(program))

    def test_rejects_or_that_would_discard_the_state(self):
        for reader in ("load_in_place", "lambda folder: Array()", "lambda folder: {}"):
            program = "print(trial.restore(%s)\n    or 'fresh')" % reader
            new, resumed, err = self.restored(program, code=1)
            self.assertEqual(("fresh", ""), (new, resumed))
            self.assertIn("ProtocolError: restore(read) or fresh() would discard", err)
            self.assertIn("Write restore(read, fresh) instead", err)


if __name__ == "__main__":
    unittest.main()
