"""Unit tests of the package elastune, with a fake command. Run with: python3 -m unittest"""

import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

import elastune

# Records its arguments, and answers as tests have prepared it.
FAKE = """
import json, os, pathlib, sys
arguments = sys.argv[1:]
with open("calls", "a") as calls:
    calls.write(json.dumps(arguments) + "\\n")
answer = json.loads(pathlib.Path("answers.json").read_text())[arguments[0]]
for option, text in answer.get("files", {}).items():
    if option in arguments:
        file = arguments[arguments.index(option) + 1]
        pathlib.Path(file).write_text(text)
        answer["screen"] = answer.get("screen", "").replace("{" + option + "}", file)
sys.stderr.write(answer.get("screen", ""))
sys.stdout.write(answer["json"])
sys.exit(answer.get("exit", 0))
"""
PLAN = {"feasible": True, "plan": [{"group": "1"}], "estimate": {"completion_s": {"mean": 5}}}
ROWS = "run,trial,status,cost_usd,config.lr,metric.loss,simulated\nr-1,1,completed,0.5,1e-3,,true\n"


class InterfaceTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "fake.py").write_text(FAKE)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)
        command = f"{shlex.quote(sys.executable)} fake.py"
        variables = mock.patch.dict(os.environ, {"ELASTUNE_COMMAND": command})
        variables.start()
        self.addCleanup(variables.stop)

    def answer(self, **answers):
        (self.folder / "answers.json").write_text(json.dumps(answers))

    def calls(self):
        return [json.loads(line) for line in (self.folder / "calls").read_text().splitlines()]

    def test_plan_has_the_document_and_shows_the_screen(self):
        self.answer(plan={"json": json.dumps(PLAN, indent=2), "screen": "Plan for <a>\n"})
        plan = elastune.plan("job.yaml", deadline="2h", infra=["local", "simulated"], frontier=False, verbose=True)
        self.assertTrue(plan.feasible)
        self.assertEqual([{"group": "1"}], plan.groups)
        self.assertEqual(5, plan.estimate["completion_s"]["mean"])
        self.assertEqual("Plan for <a>", repr(plan))
        self.assertRegex(plan._repr_html_(), "^<pre[^>]*>Plan for &lt;a&gt;</pre>$")
        self.assertEqual(
            ["--deadline", "2h", "--infra", "local,simulated", "--verbose", "--json"], self.calls()[0][4:]
        )

    def test_plan_without_solution_is_no_error(self):
        self.answer(plan={"json": json.dumps({**PLAN, "feasible": False}), "exit": 10})
        plan = elastune.plan("job.yaml")
        self.assertFalse(plan.feasible)
        self.assertEqual(10, plan.exit)

    def test_frontier_lists_the_alternatives_and_their_chart(self):
        alternatives = [{"choice": 1, "cost_usd": 2.5, "plan": []}, {"choice": 2, "cost_usd": 1.5, "plan": []}]
        self.answer(
            plan={
                "json": json.dumps({**PLAN, "frontier": alternatives}),
                "screen": "choices\nChart saved to {--svg}.\n",
                "files": {"--svg": "<svg>a</svg>"},
            }
        )
        frontier = elastune.plan("job.yaml", seed=3).frontier()
        self.assertEqual(2, len(frontier))
        self.assertEqual(alternatives, list(frontier))
        self.assertIn("&lt;svg&gt;a&lt;/svg&gt;", frontier._repr_html_())
        self.assertEqual("choices", repr(frontier))  # without the name of a temporary file
        self.assertIn("--frontier", self.calls()[1])
        self.assertEqual(["--seed", "3", "--json"], self.calls()[1][-3:])

    def test_problems_become_an_exception_with_all_of_them(self):
        problems = [
            {"file": "job.yaml", "line": 8, "field": "search.trials", "message": "must be at least 1, is 0", "hint": None},
            {"file": None, "line": 0, "field": "--infra", "message": "unknown", "hint": "did you mean local?"},
        ]
        self.answer(plan={"json": json.dumps({"error": {"exit": 2, "problems": problems}}), "exit": 2})
        with self.assertRaises(elastune.ElastuneError) as raised:
            elastune.plan("job.yaml")
        self.assertEqual(2, raised.exception.exit)
        self.assertEqual(8, raised.exception.problems[0].line)
        self.assertEqual("search.trials", raised.exception.problems[0].field)
        self.assertEqual(
            "job.yaml:8: search.trials: must be at least 1, is 0\n--infra: unknown (did you mean local?)",
            str(raised.exception),
        )

    def test_command_that_prints_no_json_is_an_error(self):
        self.answer(status={"json": "", "screen": "elastune: it failed\n", "exit": 1})
        with self.assertRaisesRegex(elastune.ElastuneError, "it failed"):
            elastune.Run("r-1").status()

    def test_dict_is_written_as_a_job_file_and_only_when_it_changes(self):
        self.answer(plan={"json": json.dumps(PLAN)})
        job = {"name": "a", "deadline": "3h"}
        elastune.plan(job)
        file = self.folder / self.calls()[0][1]
        self.assertEqual(job, json.loads(file.read_text()))
        os.utime(file, (1, 1))
        elastune.plan(job)
        self.assertEqual(1, file.stat().st_mtime)

    def test_run_passes_each_event_and_returns_the_run(self):
        events = [{"event": "started", "run": "r-1"}, {"event": "finished", "run": "r-1", "exit": 0}]
        self.answer(run={"json": "".join(json.dumps(event) + "\n" for event in events)})
        seen = []
        run = elastune.run("job.yaml", progress=seen.append, trials=2)
        self.assertEqual(events, seen)
        self.assertEqual("r-1", run.name)
        self.assertEqual(["run", "job.yaml", "-y", "--trials", "2", "--json"], self.calls()[0])

    def test_plan_runs_as_it_was_shown(self):
        self.answer(plan={"json": json.dumps(PLAN)}, run={"json": '{"event": "started", "run": "r-1"}\n'})
        plan = elastune.plan("job.yaml")
        plan.run(progress=False)
        saved = self.calls()[0][3]
        self.assertEqual(["plan", "job.yaml", "-o", saved, "--json"], self.calls()[0])
        self.assertEqual(["run", saved, "-y", "--json"], self.calls()[1])

    def test_run_that_does_not_start_is_an_error(self):
        self.answer(run={"json": '{"feasible": false}\n', "screen": "no plan meets the limits", "exit": 10})
        with self.assertRaisesRegex(elastune.ElastuneError, "no plan meets the limits") as raised:
            elastune.run("job.yaml", progress=False)
        self.assertEqual(10, raised.exception.exit)

    def test_trials_have_typed_values(self):
        self.answer(report={"json": "{}", "files": {"--csv": ROWS}})
        with mock.patch.dict(sys.modules, {"pandas": None}):
            trials = elastune.Run("r-1").trials()
        row = {"run": "r-1", "trial": 1, "status": "completed", "cost_usd": 0.5, "config.lr": 0.001}
        self.assertEqual([{**row, "metric.loss": None, "simulated": True}], trials)

    def test_trials_are_a_data_frame_if_pandas_is_installed(self):
        self.answer(report={"json": "{}", "files": {"--csv": ROWS}})
        pandas = mock.Mock(DataFrame=lambda rows: ("frame", rows))
        with mock.patch.dict(sys.modules, {"pandas": pandas}):
            kind, rows = elastune.Run("r-1").trials()
        self.assertEqual("frame", kind)
        self.assertEqual(1, len(rows))

    def test_notebook_shows_the_page_of_the_report(self):
        self.answer(report={"json": "{}", "files": {"--html": "<html>\"page\"</html>"}})
        shown = elastune.Run("r-1")._repr_html_()
        self.assertIn("&lt;html&gt;&quot;page&quot;&lt;/html&gt;", shown)

    def test_interrupt_stops_the_run_and_waits_for_its_end(self):
        self.answer(
            run={"json": '{"event": "started", "run": "r-1"}\n{"event": "finished", "run": "r-1"}\n'},
            stop={"json": '{"run": "r-1"}'},
        )

        def interrupt(event):
            if event["event"] == "started":
                raise KeyboardInterrupt

        with self.assertRaises(KeyboardInterrupt):
            elastune.run("job.yaml", progress=interrupt)
        self.assertIn(["stop", "r-1", "--json"], self.calls())

    def test_import_of_the_launcher_reads_no_other_module(self):
        done = subprocess.run(
            [sys.executable, "-c", "import sys, elastune._launcher; sys.exit('elastune._api' in sys.modules)"],
            env={**os.environ, "PYTHONPATH": str(pathlib.Path(elastune.__file__).parent.parent)},
        )
        self.assertEqual(0, done.returncode)

    def test_unknown_names_are_reported(self):
        with self.assertRaises(AttributeError):
            elastune.unknown


if __name__ == "__main__":
    unittest.main()
