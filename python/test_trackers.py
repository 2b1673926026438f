"""Runs the recipes of docs/trackers.md in two attempts of a trial, as Elastune starts them."""

import http.server
import importlib.util
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import unittest
import urllib.parse

HERE = os.path.dirname(os.path.abspath(__file__))
PAGE = os.path.join(HERE, os.pardir, "docs", "trackers.md")
DRIVER = """
import os
trial = elastune_trial.load()
def write(folder):
    open(os.path.join(folder, "state"), "w").close()
trial.restore(lambda folder: None)
train(trial, lambda unit: {"acc": unit / 10}, write)
"""
# Stands in for the package if it is absent: it records its calls as the offline mode does.
WANDB = """
import json
def init(**arguments):
    return Run(arguments)
class Run:
    def __init__(self, arguments):
        self.lines = [arguments]
    def log(self, metrics, step):
        self.lines.append({"step": step, **metrics})
    def finish(self):
        with open("calls.jsonl", "a") as file:
            file.writelines(json.dumps(line) + "\\n" for line in self.lines)
"""


def recipes():
    """Returns the blocks of Python on the page: W&B, the class for MLflow, and its use."""
    with open(PAGE, encoding="utf-8") as file:
        return re.findall(r"^```python\n(.*?)^```", file.read(), re.DOTALL | re.MULTILINE)


class Server(http.server.BaseHTTPRequestHandler):
    """The part of the MLflow REST interface that the recipe uses, with its rules."""

    def do_GET(self):
        url = urllib.parse.urlsplit(self.path)
        name = urllib.parse.parse_qs(url.query).get("experiment_name", [""])[0]
        found = [e for e in self.server.experiments if e["name"] == name]
        if url.path != "/api/2.0/mlflow/experiments/get-by-name" or not found:
            return self.reply(404, {"error_code": "RESOURCE_DOES_NOT_EXIST"})
        return self.reply(200, {"experiment": found[0]})

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.tokens.add(self.headers.get("Authorization"))
        action = self.path[len("/api/2.0/mlflow/"):].replace("/", "_").replace("-", "_")
        self.reply(200, getattr(self, action)(**body))

    def experiments_create(self, name):
        self.server.experiments.append({"name": name, "experiment_id": "1"})
        return {"experiment_id": "1"}

    def runs_search(self, experiment_ids, filter, max_results):
        wanted = dict(re.findall(r"tags\.(\w+) = '([^']*)'", filter))
        runs = [
            run for run in self.server.runs.values()
            if run["experiment_id"] in experiment_ids and wanted.items() <= run["tags"].items()
        ]
        return {"runs": [{"info": run["info"]} for run in runs[:max_results]]} if runs else {}

    def runs_create(self, experiment_id, run_name, start_time, tags):
        info = {"run_id": "r%d" % len(self.server.runs), "status": "RUNNING"}
        self.server.runs[info["run_id"]] = {
            "experiment_id": experiment_id, "info": info, "params": {}, "metrics": [],
            "tags": {tag["key"]: tag["value"] for tag in tags},
        }
        return {"run": {"info": info}}

    def runs_log_batch(self, run_id, params=(), metrics=()):
        run = self.server.runs[run_id]
        for param in params:
            assert param["key"] not in run["params"], "MLflow refuses to change a parameter"
            run["params"][param["key"]] = param["value"]
        run["metrics"] += [(metric["step"], metric["key"], metric["value"]) for metric in metrics]
        return {}

    def runs_update(self, run_id, status, end_time=None):
        self.server.runs[run_id]["info"]["status"] = status
        return {}

    def reply(self, code, document):
        data = json.dumps(document).encode()
        self.send_response(code)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format, *args):
        pass


class TrackersTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def attempt(self, script, from_, to, trial=7, **variables):
        spec = {
            "trial": trial, "config": {"lr": 0.1}, "unit": "epoch", "from": from_, "to": to,
            "checkpoint_dir": os.path.join(self.folder, "t%d" % trial), "rank": 0, "world_size": 1,
            "seed": 5,
        }
        path = os.path.join(self.folder, "trial.json")
        with open(path, "w") as file:
            json.dump(spec, file)
        environment = dict(
            os.environ, ELASTUNE_TRIAL_JSON=path, ELASTUNE_RUN="job-20261129-abcd", **variables
        )
        environment["PYTHONPATH"] = os.pathsep.join([self.folder, HERE])
        ended = subprocess.run(
            [sys.executable, "-c", script], env=environment, cwd=self.folder, timeout=120,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True,
        )
        self.assertEqual(ended.returncode, 0, ended.stderr)
        return ended

    def test_mlflow_has_one_run_per_trial(self):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
        self.addCleanup(server.server_close)
        server.experiments, server.runs, server.tokens = [], {}, set()
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.shutdown)
        uri = "http://127.0.0.1:%d" % server.server_port
        script = "import elastune_trial\n" + "\n".join(recipes()[1:]) + DRIVER
        for trial in (7, 8):
            for from_, to in ((0, 2), (2, 3)):
                self.attempt(
                    script, from_, to, trial, MLFLOW_TRACKING_URI=uri, MLFLOW_TRACKING_TOKEN="key"
                )
        self.assertEqual(len(server.experiments), 1)
        self.assertEqual(server.tokens, {"Bearer key"})
        self.assertEqual([run["tags"]["elastune_trial"] for run in server.runs.values()], ["7", "8"])
        for run in server.runs.values():
            self.assertEqual(run["params"], {"lr": "0.1"})
            self.assertEqual(run["metrics"], [(1, "acc", 0.1), (2, "acc", 0.2), (3, "acc", 0.3)])
            self.assertEqual(run["info"]["status"], "FINISHED")

    def test_training_continues_without_the_mlflow_server(self):
        script = "import elastune_trial\n" + "\n".join(recipes()[1:]) + DRIVER
        ended = self.attempt(script, 0, 1, MLFLOW_TRACKING_URI="http://127.0.0.1:9")
        self.assertIn("the training continues", ended.stderr)
        self.assertIn('ELASTUNE {"unit": 1', ended.stdout)

    def test_wandb_has_one_run_per_trial(self):
        with open(os.path.join(self.folder, "wandb.py"), "w") as file:
            file.write(WANDB)
        for from_, to in ((0, 2), (2, 3)):
            self.attempt(recipes()[0] + DRIVER, from_, to)
        with open(os.path.join(self.folder, "calls.jsonl")) as file:
            calls = [json.loads(line) for line in file]
        started = [call for call in calls if "id" in call]
        self.assertEqual([call["id"] for call in started], ["job-20261129-abcd-7"] * 2)
        self.assertEqual([call["resume"] for call in started], ["allow"] * 2)
        self.assertEqual(started[0]["config"], {"lr": 0.1})
        steps = [(call["step"], call["acc"]) for call in calls if "step" in call]
        self.assertEqual(steps, [(1, 0.1), (2, 0.2), (3, 0.3)])

    def test_wandb_offline(self):
        if not importlib.util.find_spec("wandb"):
            self.skipTest("wandb is not installed")
        for from_, to in ((0, 2), (2, 3)):
            self.attempt(recipes()[0] + DRIVER, from_, to, WANDB_MODE="offline", WANDB_SILENT="true")
        folders = [n for n in os.listdir(os.path.join(self.folder, "wandb")) if "offline-run" in n]
        self.assertEqual(len(folders), 2)
        for name in folders:
            self.assertTrue(name.endswith("-job-20261129-abcd-7"), name)


if __name__ == "__main__":
    unittest.main()
