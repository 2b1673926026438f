"""Turns a training script into an Elastune trial.

Copy this file to the folder of your script. It needs Python 3.8 or newer and only the standard
library. docs/trial-protocol.md describes the protocol that it implements.

    import elastune_trial

    trial = elastune_trial.load()
    state = trial.restore(read_state) or fresh_state(trial.config, trial.seed)
    for unit in trial.units():
        train_one_unit(state)
        trial.save(unit, lambda folder: write_state(state, folder))
        trial.report(unit, val_acc=accuracy(state))
"""

import hashlib
import json
import os
import shutil
import signal
import sys

MANIFEST = "manifest.json"
EXIT_RETRY = 75


class ProtocolError(Exception):
    """The trial was started incorrectly or violates the trial protocol."""


def load(config=None, units=1):
    """Returns the trial of which this process is a worker.

    If Elastune did not start the process, returns a trial with the given configuration and number
    of units, which writes its checkpoints to ./elastune-by-hand. Use this to test a script.
    """
    path = os.environ.get("ELASTUNE_TRIAL_JSON")
    if path:
        with open(path, encoding="utf-8") as file:
            spec = json.load(file)
    elif config is not None:
        folder = os.environ.get("ELASTUNE_CHECKPOINT_DIR", "elastune-by-hand")
        spec = {
            "trial": 0, "config": config, "unit": "unit", "from": 0, "to": units,
            "checkpoint_dir": folder, "rank": 0, "world_size": 1, "seed": 1,
        }
    else:
        raise ProtocolError(
            "ELASTUNE_TRIAL_JSON is not set, so this process was not started by Elastune. To test"
            " the script without Elastune, pass a configuration: load(config={'lr': 0.1}, units=3)"
        )
    trial = Trial(spec)
    signal.signal(signal.SIGTERM, trial._on_sigterm)
    return trial


class Trial:
    """One worker of a trial; its fields are those of ELASTUNE_TRIAL_JSON."""

    def __init__(self, spec):
        try:
            self.trial = spec["trial"]
            self.config = spec["config"]
            self.unit = spec["unit"]
            self.from_ = int(spec["from"])
            self.to = int(spec["to"])
            self.checkpoint_dir = spec["checkpoint_dir"]
            self.rank = int(spec["rank"])
            self.world_size = int(spec["world_size"])
            self.seed = int(spec["seed"])
        except KeyError as missing:
            raise ProtocolError("ELASTUNE_TRIAL_JSON lacks the field %s" % missing) from None
        self._should_stop = False
        self._stopping = False
        self._reported = self.from_

    @property
    def should_stop(self):
        """Whether SIGTERM requested this worker to write a checkpoint and exit within 30 seconds."""
        return self._should_stop

    def units(self):
        """Yields the units to train: from + 1 to `to`. Exits after a unit with a stop request."""
        for unit in range(self.from_ + 1, self.to + 1):
            self._stopping = False
            yield unit
            if unit < self.to and self._stopping:
                sys.exit(EXIT_RETRY)

    def restore(self, reader):
        """Returns reader(folder) for the checkpoint to resume from, or None for a new trial."""
        if self.from_ == 0:
            return None
        folder = self._folder(self.from_)
        flaw = find_flaw(folder, self.from_)
        if flaw:
            raise ProtocolError("cannot resume from checkpoint %s: %s" % (folder, flaw))
        return reader(folder)

    def save(self, unit, writer, stop=None):
        """Calls writer(folder) to write a checkpoint after the last unit or before a stop.

        Call it after every unit, at every worker, and before report(). Several workers pass their
        common decision in `stop`, for example whether should_stop is set at any worker, so that
        all of them stop after the same unit.
        """
        self._stopping = self.should_stop if stop is None else bool(stop)
        due = unit == self.to or self._stopping
        if due and self.rank == 0 and find_flaw(self._folder(unit), unit):
            write_checkpoint(self.checkpoint_dir, unit, writer)

    def report(self, unit, **metrics):
        """Reports the metrics after a unit to the controller. Only worker 0 reports."""
        if self.rank != 0:
            return
        if not self._reported < unit <= self.to:
            raise ProtocolError(
                "report of unit %s is out of order: the last was %d, and the final unit is %d"
                % (unit, self._reported, self.to)
            )
        if unit == self.to:
            flaw = find_flaw(self._folder(unit), unit)
            if flaw:
                raise ProtocolError("save(%d, ...) must be called before report(): %s" % (unit, flaw))
        self._reported = unit
        numbers = {name: float(value) for name, value in metrics.items()}
        line = "ELASTUNE " + json.dumps({"unit": unit, "metrics": numbers})
        sys.stdout.write(line + "\n")
        sys.stdout.flush()

    def _folder(self, unit):
        return os.path.join(self.checkpoint_dir, str(unit))

    def _on_sigterm(self, _signal, _frame):
        self._should_stop = True


def write_checkpoint(checkpoint_dir, unit, writer):
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


def find_flaw(folder, unit):
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


def _sha256(path):
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        for block in iter(lambda: file.read(1 << 20), b""):
            digest.update(block)
    return digest.hexdigest()


def _sync(path):
    """Flushes a file or folder to disk, so that it survives a power failure."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
