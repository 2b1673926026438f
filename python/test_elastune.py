"""Unit tests of the package elastune, with a fake command. Run with: python3 -m unittest"""

import json
import os
import pathlib
import shlex
import signal
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

import elastune

# Records its arguments, and answers as tests have prepared it.
FAKE = """
import json, os, pathlib, signal, sys
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
arguments = sys.argv[1:]
with open("calls", "a") as calls:
    calls.write(json.dumps(arguments) + "\\n")
answer = json.loads(pathlib.Path("answers.json").read_text())[arguments[0]]
if answer.get("keep"):
    count = len(pathlib.Path("calls").read_text().splitlines())
    pathlib.Path(f"kept-{count}").write_text(pathlib.Path(arguments[1]).read_text())
if arguments[0] == "run":
    pathlib.Path("jobs").write_text(json.dumps([str(one) for one in pathlib.Path().glob(".elastune-*")]))
for option, text in answer.get("files", {}).items():
    if option in arguments:
        file = arguments[arguments.index(option) + 1]
        pathlib.Path(file).write_text(text)
        answer["screen"] = answer.get("screen", "").replace("{" + option + "}", file)
sys.stderr.write(answer.get("screen", ""))
sys.stdout.write(answer["json"])
sys.stdout.flush()
if answer.get("wait"):
    signal.sigwait({signal.SIGINT})
    pathlib.Path("end").write_text("ended")
sys.exit(answer.get("exit", 0))
"""
PLAN = {"feasible": True, "plan": [{"group": "1"}], "estimate": {"completion_s": {"mean": 5}}}
ROWS = "run,trial,status,cost_usd,config.lr,metric.loss,simulated\nr-1,1,completed,0.5,1e-3,,true\n"


class Number:
    """Like a number of NumPy."""

    def __init__(self, value):
        self.value = value

    def tolist(self):
        return self.value


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
            ["--deadline", "2h", "--infra", "local,simulated", "--verbose", "--json"], self.calls()[0][7:]
        )

    def test_plan_without_solution_is_no_error(self):
        self.answer(plan={"json": json.dumps({**PLAN, "feasible": False}), "screen": "No plan for a", "exit": 10})
        plan = elastune.plan("job.yaml")
        self.assertFalse(plan.feasible)
        self.assertEqual(10, plan.exit)
        with self.assertRaisesRegex(elastune.ElastuneError, "^No plan for a$"):  # there is nothing to run
            plan.run()
        self.assertEqual(1, len(self.calls()))

    def test_frontier_lists_the_alternatives_and_their_chart(self):
        alternatives = [{"choice": 1, "cost_usd": 2.5, "plan": []}, {"choice": 2, "cost_usd": 1.5, "plan": []}]
        self.answer(
            plan={
                "json": json.dumps({**PLAN, "frontier": alternatives}),
                "screen": "choices\nPage saved to {--html}.\n",
                "files": {"--html": "<div><table>a</table></div>"},
            }
        )
        frontier = elastune.plan("job.yaml", seed=3).frontier()
        self.assertEqual(2, len(frontier))
        self.assertEqual(alternatives, list(frontier))
        self.assertEqual("<div><table>a</table></div>", frontier._repr_html_())
        self.assertEqual("choices", repr(frontier))  # without the name of a temporary file
        self.assertIn("--frontier", self.calls()[1])
        self.assertEqual(["--seed", "3", "--json"], self.calls()[1][-3:])

    def test_estimate_lists_the_cases_and_shows_their_page(self):
        figures = {"completion_s": {"mean": 9.0}, "cost_usd": {"mean": 1.5}}
        cases = [
            {"infra": ["aws/us-east-1"], "market": "spot", "feasible": True, "plan": [{"group": "1"}], "estimate": figures},
            {"infra": ["gcp/us-central1"], "market": "spot", "feasible": False, "plan": [], "estimate": None},
        ]
        self.answer(
            estimate={
                "json": json.dumps({"job": "a", "estimates": cases}),
                "screen": "Estimate for a\nPage saved to {--html}.\n",
                "files": {"--html": "<div>b</div>"},
            }
        )
        estimate = elastune.estimate("job.yaml", unit_time="90s@A10G", market=["spot"])
        self.assertEqual(2, len(estimate))
        self.assertEqual(cases, list(estimate))
        self.assertEqual("Estimate for a", repr(estimate))
        self.assertEqual("<div>b</div>", estimate._repr_html_())
        self.assertEqual(["--unit-time", "90s@A10G", "--market", "spot", "--json"], self.calls()[0][-5:])
        with mock.patch.dict(sys.modules, {"pandas": None}):
            first, second = estimate.table()
        self.assertEqual(1.5, first["estimate.cost_usd.mean"])
        self.assertNotIn("plan", first)
        self.assertIsNone(second["estimate"])

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

    def test_dict_is_a_job_file_in_the_current_folder_while_it_is_needed(self):
        self.answer(
            plan={"json": json.dumps(PLAN), "keep": 1, "files": {"-o": "{}"}},
            run={"json": '{"event": "started", "run": "r-1"}\n'},
        )
        job = {"name": "a b", "deadline": "3h", "space": {"lr": Number(0.5), "batch": {8}}, "dir": pathlib.Path("x")}
        plan = elastune.plan(job)
        other = elastune.plan(job)
        plan.run(progress=False)
        first, second, run = self.calls()
        self.assertNotEqual(first[1], second[1])
        self.assertEqual(self.folder.resolve(), pathlib.Path(first[1]).parent.resolve())
        self.assertRegex(first[1], r"/\.elastune-a-b-[0-9-]+\.yaml$")
        expected = {"name": "a b", "deadline": "3h", "space": {"lr": 0.5, "batch": [8]}, "dir": "x"}
        self.assertEqual([expected] * 2, [json.loads((self.folder / f"kept-{i}").read_text()) for i in (1, 2)])
        # A saved plan is compared with its job file, which is there again.
        self.assertEqual([pathlib.Path(first[1]).name], json.loads((self.folder / "jobs").read_text()))
        self.assertEqual([], list(self.folder.glob(".elastune-*")))
        del other

    def test_values_that_no_job_has_are_named(self):
        with self.assertRaisesRegex(TypeError, "a job cannot have the value .* of type object"):
            elastune.plan({"name": object()})

    def test_run_passes_each_event_and_returns_the_run(self):
        events = [{"event": "started", "run": "r-1"}, {"event": "finished", "run": "r-1", "exit": 0}]
        self.answer(run={"json": "".join(json.dumps(event) + "\n" for event in events)})
        seen = []
        run = elastune.run("job.yaml", progress=seen.append, trials=2)
        self.assertEqual(events, seen)
        self.assertEqual("r-1", run.name)
        self.assertEqual(["run", "job.yaml", "-y", "--trials", "2", "--json"], self.calls()[0])

    def test_plan_runs_as_it_was_shown(self):
        self.answer(
            plan={"json": json.dumps(PLAN), "files": {"-o": "{}"}}, run={"json": '{"event": "started", "run": "r-1"}\n'}
        )
        plan = elastune.plan("job.yaml")
        plan.run(progress=False)
        saved = self.calls()[0][3]
        page = self.calls()[0][5]
        self.assertEqual(["plan", "job.yaml", "-o", saved, "--html", page, "--fragment", "--json"], self.calls()[0])
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

    def test_notebook_shows_the_fragments_of_the_pages(self):
        fragment = '<div class="elastune">a</div>'
        self.answer(
            plan={"json": json.dumps(PLAN), "files": {"--html": fragment}},
            report={"json": "{}", "files": {"--html": fragment + "b"}},
        )
        self.assertEqual(fragment, elastune.plan("job.yaml")._repr_html_())
        self.assertEqual(fragment + "b", elastune.Run("r-1")._repr_html_())
        self.assertIn("--fragment", self.calls()[1])

    def test_notebook_shows_why_a_run_has_no_report(self):
        error = {"exit": 2, "problems": [{"message": "no such run"}]}
        self.answer(report={"json": json.dumps({"error": error}), "exit": 2})
        self.assertIn("no such run", elastune.Run("r-1")._repr_html_())

    def test_interrupt_stops_the_run_and_waits_for_its_end(self):
        self.answer(run={"json": '{"event": "started", "run": "r-1"}\n', "wait": True})

        def interrupt(event):
            if event["event"] == "started":
                raise KeyboardInterrupt

        with self.assertRaises(KeyboardInterrupt):
            elastune.run("job.yaml", progress=interrupt)
        self.assertEqual("ended", (self.folder / "end").read_text())

    def test_second_interrupt_returns_at_once(self):
        self.answer(run={"json": '{"event": "started", "run": "r-1"}\n', "wait": True})

        def interrupt(event):
            raise KeyboardInterrupt

        signaled = []

        def again(process, number):
            signaled.append(process)
            raise KeyboardInterrupt

        with mock.patch.object(subprocess.Popen, "send_signal", again):
            with self.assertRaises(KeyboardInterrupt):
                elastune.run("job.yaml", progress=interrupt)
        self.assertFalse((self.folder / "end").exists())
        os.kill(signaled[0].pid, signal.SIGINT)  # the command is still there, and ends by itself
        self.assertEqual(0, signaled[0].wait())

    def test_interrupt_before_the_run_has_a_name_ends_the_command(self):
        self.answer(run={"json": '{"event": "planning"}\n', "wait": True, "exit": 130})

        def interrupt(event):
            raise KeyboardInterrupt

        with self.assertRaises(KeyboardInterrupt):
            elastune.run("job.yaml", progress=interrupt)
        self.assertEqual("ended", (self.folder / "end").read_text())

    def test_interrupt_of_profiling_releases_its_instances(self):
        self.answer(profile={"json": '{"event": "started"}\n', "wait": True, "exit": 130})

        def interrupt(event):
            raise KeyboardInterrupt

        with self.assertRaises(KeyboardInterrupt):
            elastune.profile("job.yaml", progress=interrupt)
        self.assertEqual("ended", (self.folder / "end").read_text())

    def test_error_of_the_progress_function_stops_the_run(self):
        self.answer(run={"json": '{"event": "started", "run": "r-1"}\n', "wait": True})

        def fail(event):
            raise ValueError("of the user")

        with self.assertRaisesRegex(ValueError, "of the user"):
            elastune.run("job.yaml", progress=fail)
        self.assertEqual("ended", (self.folder / "end").read_text())

    def test_much_output_is_read_also_if_it_cannot_be_shown(self):
        events = '{"event": "started", "run": "r-1"}\n' + '{"event": "tick"}\n' * 10_000
        self.answer(run={"json": events, "screen": "line ×\n" * 20_000})
        with mock.patch.object(elastune._api, "_display", lambda: lambda line: 1 / 0):
            self.assertEqual("r-1", elastune.run("job.yaml").name)

    def test_missing_command_is_named(self):
        with mock.patch.dict(os.environ, {"ELASTUNE_COMMAND": "/nowhere/elastune"}):
            with self.assertRaisesRegex(elastune.ElastuneError, "/nowhere/elastune cannot be started.*ELASTUNE_COMMAND"):
                elastune.runs()

    def test_missing_runtime_is_named(self):
        del os.environ["ELASTUNE_COMMAND"]
        with mock.patch.dict(sys.modules, {"elastune_runtime": None}):
            with self.assertRaisesRegex(elastune.ElastuneError, "^elastune: .*has no wheel"):
                elastune.runs()

    def test_command_that_prints_no_json_is_quoted(self):
        self.answer(runs={"json": "Usage: elastune", "exit": 2})
        with self.assertRaisesRegex(elastune.ElastuneError, "something else than JSON: Usage: elastune"):
            elastune.runs()

    def test_texts_that_only_python_reads_as_numbers_stay_texts(self):
        self.answer(report={"json": "{}", "files": {"--csv": "a,b,c,d\n1_000,nan,NaN,-.5e3\n"}})
        with mock.patch.dict(sys.modules, {"pandas": None}):
            row = elastune.Run("r-1").trials()[0]
        self.assertEqual(("1_000", "nan", -500.0), (row["a"], row["b"], row["d"]))
        self.assertNotEqual(row["c"], row["c"])

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
