"""Everything a training script needs to be a trial of Elastune, in one file.

Copy it beside your script. Python 3.8 or newer, standard library only. The protocol behind it is
described in docs/trial-protocol.md.

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
PLEASE_RETRY = 75


class ProtocolError(Exception):
    """The trial was started wrongly, or breaks the protocol itself."""


def load(config=None, units=1):
    """Returns the trial that this process is a worker of.

    Not started by Elastune, it is a trial with the given configuration, of that many units, whose
    checkpoints go below ./elastune-by-hand: to try a script by hand.
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
            "ELASTUNE_TRIAL_JSON is not set, so this was not started by Elastune. To try the"
            " script by hand, give load() a configuration: load(config={'lr': 0.1}, units=3)"
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
        """Whether this worker was asked, by SIGTERM, to save and end within 30 seconds."""
        return self._should_stop

    def units(self):
        """Yields the units to train: from + 1 to `to`. After a stop request it ends the process."""
        for unit in range(self.from_ + 1, self.to + 1):
            self._stopping = False
            yield unit
            if unit < self.to and self._stopping:
                sys.exit(PLEASE_RETRY)

    def restore(self, reader):
        """Returns reader(folder) for the checkpoint to go on from, or None for a fresh start."""
        if self.from_ == 0:
            return None
        folder = self._folder(self.from_)
        flaw = find_flaw(folder, self.from_)
        if flaw:
            raise ProtocolError("cannot go on from checkpoint %s: %s" % (folder, flaw))
        return reader(folder)

    def save(self, unit, writer, stop=None):
        """Has writer(folder) write a checkpoint if one is due: at the last unit, or before a stop.

        Call it after every unit, at every worker, and before report(). Several workers pass in
        `stop` what they have agreed on, for example any worker's should_stop, so that all of them
        end after the same unit.
        """
        self._stopping = self.should_stop if stop is None else bool(stop)
        due = unit == self.to or self._stopping
        if due and self.rank == 0 and find_flaw(self._folder(unit), unit):
            write_checkpoint(self.checkpoint_dir, unit, writer)

    def report(self, unit, **metrics):
        """Tells the controller the metrics after a unit. At workers other than 0 it is silent."""
        if self.rank != 0:
            return
        if not self._reported < unit <= self.to:
            raise ProtocolError(
                "report of unit %s, after unit %d and with units up to %d asked for"
                % (unit, self._reported, self.to)
            )
        if unit == self.to:
            flaw = find_flaw(self._folder(unit), unit)
            if flaw:
                raise ProtocolError("save(%d, ...) must come before its report: %s" % (unit, flaw))
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
    """Writes N.tmp, its manifest last, and renames it to N: who sees N sees all of it."""
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
    """Says what keeps a folder from being a whole checkpoint of a unit; None if nothing does."""
    try:
        with open(os.path.join(folder, MANIFEST), encoding="utf-8") as file:
            manifest = json.load(file)
        if manifest["unit"] != unit:
            return "its manifest is of unit %s" % manifest["unit"]
        for entry in manifest["files"]:
            path = os.path.join(folder, *entry["name"].split("/"))
            if os.path.getsize(path) != entry["size"]:
                return "%s has another size than its manifest says" % entry["name"]
            if _sha256(path) != entry["sha256"]:
                return "%s has another checksum than its manifest says" % entry["name"]
    except FileNotFoundError as missing:
        return "%s is missing" % missing.filename
    except (ValueError, KeyError, TypeError) as wrong:
        return "its manifest cannot be read: %r" % wrong
    return None


def _sha256(path):
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        for block in iter(lambda: file.read(1 << 20), b""):
            digest.update(block)
    return digest.hexdigest()


def _sync(path):
    """Makes a file's bytes, or a folder's names, outlive a power cut."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
