"""The functions and classes of the package. They call the command and hold no rules of their own."""

import contextlib
import csv
import html
import importlib
import itertools
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import weakref
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Union

from elastune._command import Answer, ElastuneError, Problem, call, options, warn

Job = Union[str, "os.PathLike[str]", Mapping[str, Any]]
Progress = Union[bool, Callable[[Dict[str, Any]], None]]


def plan(job: Job, **settings: Any) -> "Plan":
    """Finds the cheapest plan of a job, as `elastune plan` does: nothing is started or charged.

    job is the path of a job file, or its content as a dict. settings are the options of the command, such
    as deadline="2h", budget=40, infra=["aws/us-east-1"] or choice=3.
    """
    return Plan(_JobFile(job), settings)


def estimate(job: Job, **settings: Any) -> "Estimate":
    """Compares places, markets and limits from one known time, as `elastune estimate` does.

    Example: estimate("job.yaml", unit_time="90s@A10G", infra=["aws/us-east-1"], market=["on-demand", "spot"])
    """
    return Estimate(_JobFile(job), settings)


def profile(job: Job, progress: Progress = True, **settings: Any) -> Dict[str, Any]:
    """Measures the training program of a job, as `elastune profile -y` does, and returns the profile.

    plan and run use the stored profile. It costs what its instances cost: see the job's section profile.
    """
    show = _display() if progress is True else None
    on_event = progress if callable(progress) else None

    def stop(process: "subprocess.Popen[str]") -> None:
        warn("stopping: all instances are released")
        process.send_signal(signal.SIGINT)

    with _JobFile(job) as file:
        document: Dict[str, Any] = call(["profile", file, "-y", *options(settings)], on_event, show, stop).document
    return document


def run(job: Job, progress: Progress = True, **settings: Any) -> "Run":
    """Plans and executes a job until its end, as `elastune run -y` does: the call is the confirmation.

    progress: True shows each change, False nothing; a function gets each event of the JSON output.
    An interrupt stops the run gracefully: it can be resumed.
    """
    with _JobFile(job) as file:
        return _execute(file, progress, settings)


def runs() -> List[Dict[str, Any]]:
    """Returns all stored runs, latest first, as `elastune runs list` does."""
    documents: List[Dict[str, Any]] = call(["runs", "list"]).document
    return documents


class _Screen:
    """A document with the text that the command shows for it."""

    def __init__(self, answer: Answer, internal: str = "\0", fragment: str = "") -> None:
        """internal is a folder whose mention is left out, fragment what notebooks show in place of the text."""
        self.document: Any = answer.document
        self.exit = answer.exit
        self._screen = "\n".join(line for line in answer.screen.rstrip().splitlines() if internal not in line)
        self._fragment = fragment

    def __getitem__(self, name: str) -> Any:
        return self.document[name]

    def __repr__(self) -> str:
        return self._screen

    def _repr_html_(self) -> str:
        return self._fragment or _screen(self._screen)


class Estimate(_Screen):
    """The cases of `elastune estimate`: places, markets and limits. document is its JSON."""

    def __init__(self, job: "_JobFile", settings: Mapping[str, Any]) -> None:
        with tempfile.TemporaryDirectory(prefix="elastune-") as folder, job as file:
            page = pathlib.Path(folder, "estimate.html")
            answer = call(["estimate", file, *_fragment(page), *options(dict(settings))])
            super().__init__(answer, folder, _text(page))

    def __len__(self) -> int:
        return len(self.document["estimates"])

    def __iter__(self) -> Iterator[Dict[str, Any]]:
        return iter(self.document["estimates"])

    def table(self) -> Any:
        """Returns the cases as a data frame if pandas is installed, otherwise as a list of dicts.

        A column of a nested figure is named by its path, such as estimate.cost_usd.mean. The groups of plans
        are left out.
        """
        return _table([_flat({name: value for name, value in one.items() if name != "plan"}) for one in self])


class Plan(_Screen):
    """A plan of `elastune plan`. document is its JSON, and exit 10 means that no plan meets the limits."""

    def __init__(self, job: "_JobFile", settings: Mapping[str, Any]) -> None:
        self._job = job
        self._settings = dict(settings)
        folder = tempfile.mkdtemp(prefix="elastune-")
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        self._file = os.path.join(folder, "plan.json")
        page = pathlib.Path(folder, "plan.html")
        with job as file:
            answer = call(["plan", file, "-o", self._file, *_fragment(page), *options(self._settings)])
        super().__init__(answer, folder, _text(page))

    @property
    def feasible(self) -> bool:
        """Whether a plan meets the limits of the job."""
        return bool(self.document["feasible"])

    @property
    def groups(self) -> List[Dict[str, Any]]:
        """The allocation of each trial group."""
        groups: List[Dict[str, Any]] = self.document["plan"]
        return groups

    @property
    def estimate(self) -> Dict[str, Any]:
        """Completion time and cost of the plan: mean and percentiles."""
        figures: Dict[str, Any] = self.document["estimate"]
        return figures

    def frontier(self) -> "Frontier":
        """Returns the alternatives: what less time costs, and what more time saves."""
        return Frontier(self._job, self._settings)

    def run(self, progress: Progress = True, **settings: Any) -> "Run":
        """Executes exactly this plan until its end. The call is the confirmation."""
        if not os.path.exists(self._file):  # no plan meets the limits: there is none to execute
            raise ElastuneError(self.exit, [Problem("", 0, "", self._screen)])
        with self._job:  # a saved plan is compared with its job file
            return _execute(self._file, progress, settings)


class Frontier(_Screen):
    """The alternatives of `elastune plan --frontier`, numbered for choice=N, with a chart."""

    def __init__(self, job: "_JobFile", settings: Mapping[str, Any]) -> None:
        with tempfile.TemporaryDirectory(prefix="elastune-") as folder, job as file:
            page = pathlib.Path(folder, "frontier.html")
            answer = call(["plan", file, "--frontier", *_fragment(page), *options(dict(settings))])
            super().__init__(answer, folder, _text(page))

    def __len__(self) -> int:
        return len(self.document["frontier"])

    def __iter__(self) -> Iterator[Dict[str, Any]]:
        return iter(self.document["frontier"])

    def table(self) -> Any:
        """Returns the alternatives as a data frame if pandas is installed, otherwise as a list of dicts."""
        return _table([{name: value for name, value in one.items() if name != "plan"} for one in self])


class Run:
    """A run, in progress or ended, by its name or a unique prefix of it."""

    def __init__(self, name: str) -> None:
        self.name: str = name

    def __repr__(self) -> str:
        return f"elastune.Run({self.name!r})"

    def status(self) -> Dict[str, Any]:
        """Returns state, trials, cost so far and forecast."""
        document: Dict[str, Any] = call(["status", self.name]).document
        return document

    def report(self) -> Dict[str, Any]:
        """Returns results, and predicted and actual time and cost of every group."""
        document: Dict[str, Any] = call(["report", self.name]).document
        return document

    def explain(self) -> List[Dict[str, Any]]:
        """Returns every decision with its reason."""
        document: List[Dict[str, Any]] = call(["explain", self.name]).document
        return document

    def trials(self) -> Any:
        """Returns all trials, with configuration, metrics, time and cost, as in `report --csv`.

        The result is a data frame if pandas is installed, otherwise a list of dicts.
        """
        with tempfile.TemporaryDirectory(prefix="elastune-") as folder:
            file = os.path.join(folder, "trials.csv")
            call(["report", self.name, "--csv", file])
            with open(file, encoding="utf-8", newline="") as rows:
                return _table([{name: _value(text) for name, text in row.items()} for row in csv.DictReader(rows)])

    def stop(self) -> Dict[str, Any]:
        """Stops the run gracefully, and returns once no instance is left. It can be resumed."""
        document: Dict[str, Any] = call(["stop", self.name]).document
        return document

    def resume(self, progress: Progress = True, **settings: Any) -> "Run":
        """Continues the run after a stop or a crash, until its end."""
        return _follow(["resume", self.name, "-y", *options(settings)], progress)

    def _repr_html_(self) -> str:
        with tempfile.TemporaryDirectory(prefix="elastune-") as folder:
            page = pathlib.Path(folder, "run.html")
            try:
                call(["report", self.name, *_fragment(page)])
            except ElastuneError as error:  # for example, a run that has not started
                return _screen(f"{self!r}: {error}")
            return _text(page)


def _execute(file: str, progress: Progress, settings: Mapping[str, Any]) -> Run:
    return _follow(["run", file, "-y", *options(dict(settings))], progress)


def _follow(arguments: List[str], progress: Progress) -> Run:
    names: List[str] = []

    def on_event(event: Dict[str, Any]) -> None:
        if isinstance(event.get("run"), str) and event["run"] not in names:
            names.append(event["run"])
        if callable(progress):
            progress(event)

    def stop(process: "subprocess.Popen[str]") -> None:
        if names:
            warn(f"stopping run {names[-1]}: trials write checkpoints, and all instances are released. Interrupt again")
            warn(f"to return at once; then elastune.Run({names[-1]!r}) has its state, and .resume() continues it.")
        else:
            warn("stopping: no trial has started")
        process.send_signal(signal.SIGINT)

    show = _display() if progress is True else None
    answer = call(arguments, on_event, show, stop)
    if not names:  # for example, no plan meets the limits
        raise ElastuneError(answer.exit, [Problem("", 0, "", answer.screen.strip())])
    return Run(names[-1])


def _display() -> Callable[[str], None]:
    """Returns what shows lines of progress: in a notebook, the latest ones in one output."""
    shell = sys.modules.get("IPython")
    if shell is None or shell.get_ipython() is None or not hasattr(shell.get_ipython(), "kernel"):
        return warn
    notebook = importlib.import_module("IPython.display")
    handle = notebook.display(notebook.HTML(""), display_id=True)
    lines: List[str] = []

    def show(line: str) -> None:
        lines.append(line)
        handle.update(notebook.HTML(_screen("\n".join(lines[-30:]))))

    return show


class _JobFile:
    """The file of a job. That of a dict is in the current folder, because its paths are relative to it,
    and exists only while commands need it."""

    def __init__(self, job: Job) -> None:
        self._text = json.dumps(job, indent=2, default=_plain) + "\n" if isinstance(job, Mapping) else ""
        if isinstance(job, Mapping):
            name = re.sub(r"[^A-Za-z0-9-]", "-", str(job.get("name", "job")))
            self._path = os.path.abspath(f".elastune-{name}-{os.getpid()}-{next(_NUMBERS)}.yaml")
        else:
            self._path = os.fspath(job)
        self._users = 0
        self._lock = threading.Lock()

    def __enter__(self) -> str:
        with self._lock:
            self._users += 1
            if self._text and self._users == 1:
                pathlib.Path(self._path).write_text(self._text, encoding="utf-8")  # JSON is YAML
        return self._path

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._users -= 1
            if self._text and self._users == 0:
                with contextlib.suppress(OSError):
                    os.remove(self._path)


_NUMBERS = itertools.count(1)


def _plain(value: Any) -> Any:
    """Returns numbers and arrays of NumPy as those of Python, and paths as texts."""
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, (set, frozenset, range)) or hasattr(value, "__next__"):
        return list(value)
    raise TypeError(f"a job cannot have the value {value!r} of type {type(value).__name__}")


def _value(text: Optional[str]) -> Any:
    if text is None or text == "":
        return None
    if text in ("true", "false"):
        return text == "true"
    if re.fullmatch(r"-?[0-9]+", text):
        return int(text)
    number = re.fullmatch(r"-?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?|NaN|-?Infinity", text)
    return float(text) if number else text


def _table(rows: List[Dict[str, Any]]) -> Any:
    try:
        pandas = importlib.import_module("pandas")
    except ImportError:
        return rows
    return pandas.DataFrame(rows)


def _flat(document: Mapping[str, Any], prefix: str = "") -> Dict[str, Any]:
    row: Dict[str, Any] = {}
    for name, value in document.items():
        if isinstance(value, Mapping):
            row.update(_flat(value, f"{prefix}{name}."))
        else:
            row[prefix + name] = value
    return row


def _screen(text: str) -> str:
    style = "font-family: monospace; line-height: 1.25; white-space: pre; overflow-x: auto"
    return f'<pre style="{style}">{html.escape(text)}</pre>'


def _fragment(page: pathlib.Path) -> List[str]:
    return ["--html", str(page), "--fragment"]


def _text(page: pathlib.Path) -> str:
    return page.read_text(encoding="utf-8") if page.exists() else ""
