"""Tests elastune_trial by running trials as separate processes, as Elastune does."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import textwrap
import unittest

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
state = trial.restore(read) or {"sum": 0}
for unit in trial.units():
    print("training unit", unit, flush=True)
    state["sum"] = state["sum"] * 10 + unit * trial.config["factor"]
    time.sleep(float(os.environ.get("UNIT_S", "0")))
    trial.save(unit, write)
    trial.report(unit, acc=state["sum"])
"""


class HelperTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.checkpoints = os.path.join(self.folder, "checkpoints")

    def start(self, script=COUNTING, from_=0, to=2, rank=0, unit_s=0):
        spec = {
            "trial": 7, "config": {"factor": 1}, "unit": "epoch", "from": from_, "to": to,
            "checkpoint_dir": self.checkpoints, "rank": rank, "world_size": 1, "seed": 5,
        }
        path = os.path.join(self.folder, "trial-%d.json" % rank)
        with open(path, "w") as file:
            json.dump(spec, file)
        environment = dict(
            os.environ, ELASTUNE_TRIAL_JSON=path, PYTHONPATH=HERE, UNIT_S=str(unit_s)
        )
        return self.python(script, environment)

    def python(self, script, environment):
        return subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(script)], env=environment, cwd=self.folder,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True,
        )

    def reports(self, process, code=0):
        out, err = process.communicate(timeout=60)
        self.assertEqual(code, process.returncode, err)
        lines = [line for line in out.splitlines() if line.startswith("ELASTUNE ")]
        return [json.loads(line[len("ELASTUNE "):]) for line in lines], err

    def manifest(self, unit):
        with open(os.path.join(self.checkpoints, str(unit), "manifest.json")) as file:
            return json.load(file)

    def test_reports_each_unit_and_saves_the_last(self):
        reports, _ = self.reports(self.start(to=3))
        self.assertEqual([1, 2, 3], [report["unit"] for report in reports])
        self.assertEqual({"acc": 123.0}, reports[2]["metrics"])
        self.assertEqual(["3"], os.listdir(self.checkpoints))
        self.assertEqual(3, self.manifest(3)["unit"])
        self.assertEqual("state.json", self.manifest(3)["files"][0]["name"])

    def test_resumes_from_a_checkpoint_without_difference(self):
        self.reports(self.start(to=2))
        reports, _ = self.reports(self.start(from_=2, to=4))
        self.assertEqual([(3, 123), (4, 1234)], [(r["unit"], r["metrics"]["acc"]) for r in reports])

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

    def test_explains_how_to_run_without_elastune(self):
        environment = {k: v for k, v in os.environ.items() if not k.startswith("ELASTUNE_")}
        environment["PYTHONPATH"] = HERE
        _, err = self.reports(self.python(COUNTING, environment), code=1)
        self.assertIn("not started by Elastune", err)
        by_hand = COUNTING.replace("load()", "load(config={'factor': 1}, units=2)")
        reports, _ = self.reports(self.python(by_hand, environment))
        self.assertEqual(12, reports[1]["metrics"]["acc"])


if __name__ == "__main__":
    unittest.main()
