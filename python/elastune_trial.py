"""Turns a training script into an Elastune trial.

Install it with `pip install ./python`, or copy this file to the folder of your script. It needs
Python 3.9 or newer and only the standard library. docs/trial-protocol.md describes the protocol.

    import elastune_trial

    trial = elastune_trial.load()
    state = trial.restore(read_state, fresh_state)
    for unit in trial.units():
        train_one_unit(state)
        trial.save(unit, lambda folder: write_state(state, folder))
        trial.report(unit, val_acc=accuracy(state))
"""

from __future__ import annotations

import ast
import hashlib
import json
import linecache
import os
import shutil
import signal
import sys
from types import FrameType
from typing import Any, Callable, Iterator, NoReturn, Optional, SupportsFloat, TypeVar, overload

__all__ = ["EXIT_RETRY", "ProtocolError", "Trial", "find_flaw", "load", "write_checkpoint"]

MANIFEST = "manifest.json"
EXIT_RETRY = 75

State = TypeVar("State")


class ProtocolError(Exception):
    """The trial was started incorrectly or violates the trial protocol."""


def load(
    config: Optional[dict[str, Any]] = None,
    units: int = 1,
    from_: int = 0,
    checkpoint_dir: Optional[str] = None,
) -> Trial:
    """Returns the trial of which this process is a worker.

    If Elastune did not start the process, returns a trial with the given configuration, which
    trains `units` units. Use this to test a script by hand. With `from_` above 0 the trial resumes
    from the checkpoint that an earlier call by hand saved after that unit in `checkpoint_dir`
    (default: ./elastune-by-hand).
    """
    path = os.environ.get("ELASTUNE_TRIAL_JSON")
    if path:
        with open(path, encoding="utf-8") as file:
            spec = json.load(file)
    elif config is not None:
        folder = checkpoint_dir or os.environ.get("ELASTUNE_CHECKPOINT_DIR", "elastune-by-hand")
        spec = {
            "trial": 0, "config": config, "unit": "unit", "from": from_, "to": from_ + units,
            "checkpoint_dir": os.path.abspath(folder), "rank": 0, "world_size": 1, "seed": 1,
        }
    else:
        raise ProtocolError(
            "ELASTUNE_TRIAL_JSON is not set, so this process was not started by Elastune. To test"
            " the script without Elastune, pass a configuration: load(config={'lr': 0.1}, units=3)"
        )
    trial = Trial(spec)
    trial._by_hand = not path  # replaces the checkpoints of earlier calls by hand
    signal.signal(signal.SIGTERM, trial._on_sigterm)
    return trial


class Trial:
    """One worker of a trial; its fields are those of ELASTUNE_TRIAL_JSON."""

    def __init__(self, spec: dict[str, Any]) -> None:
        try:
            self.trial: int = spec["trial"]
            self.config: dict[str, Any] = spec["config"]
            self.unit: str = spec["unit"]
            self.from_ = int(spec["from"])
            self.to = int(spec["to"])
            self.checkpoint_dir: str = spec["checkpoint_dir"]
            self.rank = int(spec["rank"])
            self.world_size = int(spec["world_size"])
            self.seed = int(spec["seed"])
        except KeyError as missing:
            raise ProtocolError("ELASTUNE_TRIAL_JSON lacks the field %s" % missing) from None
        self.resumable = bool(spec.get("resumable", True))
        self._should_stop = False
        self._stopping = False
        self._done = False
        self._reported = self.from_
        self._last: Optional[dict[str, Any]] = None
        self._by_hand = False

    @property
    def should_stop(self) -> bool:
        """Whether SIGTERM requested this worker to write a checkpoint and exit within 30 seconds."""
        return self._should_stop

    def units(self) -> Iterator[int]:
        """Yields the units to train: from + 1 to `to`.

        Ends after finish(). Exits with code 75 after a unit with a stop request.
        """
        for unit in range(self.from_ + 1, self.to + 1):
            self._stopping = False
            yield unit
            if self._done:
                return
            if unit < self.to and (self._stopping or self._stops_without_checkpoint()):
                sys.exit(EXIT_RETRY)

    @overload
    def restore(self, reader: Callable[[str], State], fresh: Callable[[], State]) -> State: ...

    @overload
    def restore(self, reader: Callable[[str], State]) -> Optional[State]: ...

    def restore(
        self, reader: Callable[[str], Any], fresh: Optional[Callable[[], Any]] = None
    ) -> Any:
        """Returns fresh() for a new trial, otherwise reader(folder) for its validated checkpoint.

        Without `fresh` it returns None for a new trial. Compare that result by `is None`, or ignore
        it if the reader loads in place. Do not write `restore(reader) or fresh()`: it fails for
        arrays, and starts again if the restored state is false, for example 0 or an empty list.
        """
        if self.from_ == 0:
            return None if fresh is None else fresh()
        folder = self._folder(self.from_)
        flaw = find_flaw(folder, self.from_)
        if flaw:
            raise ProtocolError("cannot resume from checkpoint %s: %s" % (folder, flaw))
        state = reader(folder)
        if fresh is not None:
            return state
        if state is None:
            return _RestoredInPlace()
        if not _is_plainly_true(state) and _is_tested_by_or(sys._getframe(1)):
            raise ProtocolError(_OR_TRAP % ("its truth value is false or undefined"))
        return state

    def save(
        self,
        unit: int,
        writer: Callable[[str], object],
        stop: Optional[bool] = None,
        done: bool = False,
    ) -> None:
        """Calls writer(folder) to write a checkpoint after the last unit or before a stop.

        Call it after every unit, at every worker, and before report(). Several workers pass their
        common decision in `stop`, for example whether should_stop is set at any worker, so that
        all of them stop after the same unit. With `done`, it also writes a checkpoint of a trial
        that ends early by finish().
        """
        self._stopping = self.should_stop if stop is None else bool(stop)
        due = unit == self.to or self._stopping or done
        if due and self.rank == 0 and (self._by_hand or find_flaw(self._folder(unit), unit)):
            write_checkpoint(self.checkpoint_dir, unit, writer)

    def due(self, unit: int, every: int) -> bool:
        """Returns whether to report after a unit, if not all units are reported.

        This is every `every`-th unit, the last one, and one after which save() stops the trial.
        """
        return unit % every == 0 or unit == self.to or self._stopping

    def report(self, unit: int, /, **metrics: SupportsFloat) -> None:
        """Reports the metrics after a unit to the controller. Only worker 0 reports."""
        self._report(unit, metrics, done=False)

    def finish(self, unit: Optional[int] = None, /, **metrics: SupportsFloat) -> None:
        """Reports the metrics after a unit, and that the trial needs no more training.

        Without a unit it repeats the last report. Call it at every worker. Then units() ends, and
        the script must exit with code 0. The trial keeps its metrics and its rank.
        """
        if unit is not None:
            self._report(unit, metrics, done=True)
        elif self._last is not None:
            _print_report({**self._last, "done": True})
        elif self.rank == 0:
            raise ProtocolError("finish() without a unit and metrics: no report to repeat")
        self._done = True

    def _report(self, unit: int, metrics: dict[str, SupportsFloat], done: bool) -> None:
        if self.rank != 0:
            return
        if self._done:
            raise ProtocolError("report of unit %s after finish()" % unit)
        if not self._reported < unit <= self.to:
            raise ProtocolError(
                "report of unit %s is out of order: the last was %d, and the final unit is %d"
                % (unit, self._reported, self.to)
            )
        if unit == self.to and self.resumable and not done:
            flaw = find_flaw(self._folder(unit), unit)
            if flaw:
                raise ProtocolError("save(%d, ...) must be called before report(): %s" % (unit, flaw))
        self._reported = unit
        numbers = {name: float(value) for name, value in metrics.items()}
        self._last = {"unit": unit, "metrics": numbers}
        _print_report({**self._last, "done": True} if done else self._last)

    def _stops_without_checkpoint(self) -> bool:
        return self._should_stop and not self.resumable and self.world_size == 1

    def _folder(self, unit: int) -> str:
        return os.path.join(self.checkpoint_dir, str(unit))

    def _on_sigterm(self, _signal: int, _frame: Optional[FrameType]) -> None:
        self._should_stop = True


def _print_report(report: dict[str, Any]) -> None:
    sys.stdout.write("ELASTUNE " + json.dumps(report) + "\n")
    sys.stdout.flush()


_OR_TRAP = (
    "restore(read) or fresh() would discard the restored state, because %s. Write"
    " restore(read, fresh) instead"
)


class _RestoredInPlace:
    """The result of a reader without a result: it may be ignored, but not used as a state."""

    def __bool__(self) -> NoReturn:
        raise ProtocolError(_OR_TRAP % "read returned None")

    def __getattr__(self, name: str) -> NoReturn:
        raise AttributeError("read returned None, so restore(read) has no state with %r" % name)


def _is_plainly_true(state: object) -> bool:
    try:
        return bool(state)
    except Exception:  # for example a ValueError of an array with several elements
        return False


def _is_tested_by_or(frame: FrameType) -> bool:
    """Returns whether the line that a caller is at contains `restore(...) or ...`."""
    source = "".join(linecache.getlines(frame.f_code.co_filename, frame.f_globals))
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return False
    return any(
        isinstance(node, ast.BoolOp)
        and isinstance(node.op, ast.Or)
        and node.lineno <= frame.f_lineno <= (node.end_lineno or node.lineno)
        and any(
            isinstance(operand, ast.Call)
            and isinstance(operand.func, ast.Attribute)
            and operand.func.attr == "restore"
            for operand in node.values[:-1]
        )
        for node in ast.walk(tree)
    )


def write_checkpoint(checkpoint_dir: str, unit: int, writer: Callable[[str], object]) -> None:
    """Writes N.tmp, with its manifest last, and renames it to N, so that N is always complete."""
    folder = os.path.join(checkpoint_dir, str(unit))
    unfinished = folder + ".tmp"
    shutil.rmtree(unfinished, ignore_errors=True)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(unfinished)
    writer(unfinished)
    files = []
    for parent, _, names in sorted(os.walk(unfinished)):
        for name in sorted(names):
            path = os.path.join(parent, name)
            _sync(path)
            relative = os.path.relpath(path, unfinished).replace(os.sep, "/")
            files.append(
                {"name": relative, "size": os.path.getsize(path), "sha256": _sha256(path)}
            )
        _sync(parent)
    manifest = os.path.join(unfinished, MANIFEST)
    with open(manifest, "w", encoding="utf-8") as file:
        json.dump({"unit": unit, "files": files}, file)
        file.write("\n")
    _sync(manifest)
    _sync(unfinished)
    os.rename(unfinished, folder)
    _sync(checkpoint_dir)


def find_flaw(folder: str, unit: int) -> Optional[str]:
    """Returns why a folder is not a complete checkpoint of a unit; None if it is one."""
    try:
        with open(os.path.join(folder, MANIFEST), encoding="utf-8") as file:
            manifest = json.load(file)
        if manifest["unit"] != unit:
            return "its manifest is for unit %s" % manifest["unit"]
        for entry in manifest["files"]:
            path = os.path.join(folder, *entry["name"].split("/"))
            if os.path.getsize(path) != entry["size"]:
                return "the size of %s differs from the manifest" % entry["name"]
            if _sha256(path) != entry["sha256"]:
                return "the checksum of %s differs from the manifest" % entry["name"]
    except FileNotFoundError as missing:
        return "%s is missing" % missing.filename
    except (ValueError, KeyError, TypeError) as wrong:
        return "its manifest is invalid: %r" % wrong
    return None


def _sha256(path: str) -> str:
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        for block in iter(lambda: file.read(1 << 20), b""):
            digest.update(block)
    return digest.hexdigest()


def _sync(path: str) -> None:
    """Flushes a file or folder to disk, so that it survives a power failure."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
