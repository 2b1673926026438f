"""Callbacks that turn trainings of PyTorch Lightning, Hugging Face and Keras into trials.

Install them with `pip install ./python`, or copy this file and elastune_trial.py to the folder of
your script. A unit of the job is an epoch. Each callback reports the framework's metrics after
every epoch, saves and restores with the framework's own checkpoints, ends after epoch `to`, stops
on SIGTERM with exit code 75, and reports an early end of the training. With `trial.keep_alive` of
the job, it waits after epoch `to` for the next group of the trial, and the training continues. For
this, the number of epochs must be the one of all groups. A framework is imported only when its
callback is created.

    trial = elastune_trial.load()

    callback = elastune_callbacks.lightning_callback(trial)
    trainer = lightning.pytorch.Trainer(max_epochs=64, callbacks=[callback])
    trainer.fit(model, data, ckpt_path=callback.checkpoint)

    callback = elastune_callbacks.transformers_callback(trial)
    args = transformers.TrainingArguments(num_train_epochs=64, ...)
    trainer = transformers.Trainer(model, args, callbacks=[callback], ...)
    trainer.train(resume_from_checkpoint=callback.checkpoint)

    callback = elastune_callbacks.keras_callback(trial)
    model.fit(x, y, initial_epoch=trial.from_, epochs=64, callbacks=[callback])
"""

from __future__ import annotations

import importlib
import json
import os
import random
import shutil
import signal
import sys
from typing import Any, Mapping, Optional

from elastune_trial import EXIT_RETRY, ProtocolError, Trial, _plain

__all__ = ["keras_callback", "lightning_callback", "transformers_callback"]

LIGHTNING_FILE = "lightning.ckpt"
KERAS_FILE = "model.weights.h5"
KERAS_RANDOM_FILE = "random.json"


class _Epochs:
    """Reports each epoch as soon as the framework has decided whether training continues.

    Only then is it known whether another callback, for example for early stopping, has ended it.
    """

    def __init__(self, trial: Trial) -> None:
        self.trial = trial
        self.stopping = False
        self._unit = trial.from_
        self._ended = False
        self._waited = False
        self._metrics: dict[str, Any] = {}

    def requires(self, epochs: Optional[float], setting: str) -> None:
        """Rejects a training that would end before the trial does."""
        if epochs is not None and 0 <= epochs < self.trial.to:
            raise ProtocolError(
                "%s is %g, but the trial must train up to epoch %d: set it to trial.to or higher"
                % (setting, epochs, self.trial.to)
            )

    def end(self, unit: int, stop: bool) -> bool:
        """Records the end of an epoch. Returns whether training must end and be saved."""
        if unit <= self.trial.from_:
            raise ProtocolError(
                "epoch %d was trained, but the trial resumes after epoch %d: pass the checkpoint,"
                " or the initial epoch, as elastune_callbacks.py shows" % (unit, self.trial.from_)
            )
        self._unit = unit
        self._ended = True
        self.stopping = stop and unit < self.trial.to
        return self.stopping or unit >= self.trial.to

    def add(self, metrics: Mapping[str, Any]) -> None:
        """Adds the metrics to the report of the current epoch, or of the one that has ended."""
        self._metrics.update(_plain(dict(metrics)))

    def report(self) -> None:
        """Reports the epoch that has ended: training continues."""
        if self._ended:
            self.trial.report(self._unit, **self._metrics)
        self._ended = False
        self._metrics = {}

    def continues(self, may_wait: bool) -> bool:
        """Reports epoch `to` and waits for the next ones. False if training must end."""
        if self.stopping or not may_wait or not self.trial.keep_alive:
            return False
        self.report()
        self._waited = self.trial._continues()
        return self._waited

    def finish(self) -> None:
        """Reports the last epoch: training has ended. Exits if the end was requested."""
        if self._ended and self._unit < self.trial.to and not self.stopping:
            self.trial.finish(self._unit, **self._metrics)
        else:
            self.report()
        if self.stopping or (self._waited and self._unit <= self.trial.from_):
            sys.exit(EXIT_RETRY)  # in the second case, before any of the next epochs


def _restored_path(trial: Trial, file: str = "") -> Optional[str]:
    """Returns the path of a file in the checkpoint to resume from; None for a new trial."""
    return trial.restore(lambda folder: os.path.join(folder, file), lambda: None)


def lightning_callback(trial: Trial) -> Any:
    """Returns a Callback for a Trainer of PyTorch Lightning.

    Pass its attribute `checkpoint` to Trainer.fit as ckpt_path. It reports callback_metrics.
    """
    newer = "lightning.pytorch"
    older = "pytorch_lightning"
    name = older if older in sys.modules and newer not in sys.modules else newer
    try:
        module = importlib.import_module(name + ".callbacks")
    except ModuleNotFoundError:
        module = importlib.import_module(older + ".callbacks")
    base: Any = module.Checkpoint

    class ElastuneCallback(base):  # type: ignore[misc]
        """As a Checkpoint, it is called after all other callbacks."""

        def __init__(self) -> None:
            super().__init__()
            self.checkpoint = _restored_path(trial, LIGHTNING_FILE)
            self._epochs = _Epochs(trial)
            self._random: dict[str, Any] = {}

        # Lightning's checkpoints have no state of random generators. Without it, shuffling and
        # dropout would repeat those of the first epoch.
        def state_dict(self) -> dict[str, Any]:
            return _random_state() if trial.world_size == 1 else {}

        def load_state_dict(self, state_dict: dict[str, Any]) -> None:
            self._random = state_dict

        def on_fit_start(self, trainer: Any, pl_module: Any) -> None:
            _set_random_state(self._random)

        def on_train_start(self, trainer: Any, pl_module: Any) -> None:
            self._epochs.requires(trainer.max_epochs, "max_epochs")
            # Lightning's own handler would end the training in the middle of an epoch.
            signal.signal(signal.SIGTERM, trial._on_sigterm)

        def on_train_epoch_start(self, trainer: Any, pl_module: Any) -> None:
            self._epochs.report()

        def on_train_epoch_end(self, trainer: Any, pl_module: Any) -> None:
            unit = trainer.current_epoch + 1
            stop = trainer.strategy.reduce_boolean_decision(trial.should_stop, all=False)
            ends = self._epochs.end(unit, stop)
            if ends or trial.checkpoint_due(unit) or trial.keeps_best:
                self._save(trainer, unit)
            self._epochs.add(trainer.callback_metrics)
            if not ends:
                return
            to = trial.to
            if not self._epochs.continues(may_wait=not trainer.should_stop):
                trainer.should_stop = True
            elif trainer.max_epochs == to:
                trainer.fit_loop.max_epochs = trial.to  # the script has passed trial.to
            else:
                self._epochs.requires(trainer.max_epochs, "max_epochs")

        def _save(self, trainer: Any, unit: int) -> None:
            # All workers must call save_checkpoint; worker 0 writes the file.
            unfinished = os.path.join(trial.checkpoint_dir, LIGHTNING_FILE + ".unfinished")
            trainer.save_checkpoint(unfinished)
            trial.save(
                unit,
                lambda folder: os.replace(unfinished, os.path.join(folder, LIGHTNING_FILE)),
                stop=self._epochs.stopping,
            )

        def on_train_end(self, trainer: Any, pl_module: Any) -> None:
            self._epochs.finish()

    return ElastuneCallback()


def _random_state() -> dict[str, Any]:
    """Returns the state of all random generators, in types that every loader of PyTorch accepts."""
    version, words, gauss = random.getstate()
    state: dict[str, Any] = {"python": [version, list(words), gauss]}
    torch = sys.modules.get("torch")
    if torch is not None:
        state["torch"] = torch.get_rng_state()
        if torch.cuda.is_available():
            state["cuda"] = torch.cuda.get_rng_state()
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        name, keys, *others = numpy.random.get_state()
        state["numpy"] = [name, keys.tolist(), *others]
    return state


def _set_random_state(state: dict[str, Any]) -> None:
    if "python" in state:
        version, words, gauss = state["python"]
        random.setstate((version, tuple(words), gauss))
    if "torch" in state:
        torch = importlib.import_module("torch")
        torch.set_rng_state(torch.as_tensor(state["torch"], dtype=torch.uint8).cpu())
        if "cuda" in state and torch.cuda.is_available():
            torch.cuda.set_rng_state(torch.as_tensor(state["cuda"], dtype=torch.uint8).cpu())
    if "numpy" in state:
        importlib.import_module("numpy").random.set_state(tuple(state["numpy"]))


def transformers_callback(trial: Trial) -> Any:
    """Returns a TrainerCallback for a Trainer of Hugging Face Transformers.

    Pass its attribute `checkpoint` to Trainer.train as resume_from_checkpoint. It reports the logs
    and evaluations at the end of each epoch, for example loss and eval_loss.
    """
    base: Any = importlib.import_module("transformers").TrainerCallback

    class ElastuneCallback(base):  # type: ignore[misc]
        def __init__(self) -> None:
            self.checkpoint = _restored_path(trial)
            self._epochs = _Epochs(trial)
            self._unit = trial.from_
            self._evaluated = 0
            self._ends = False
            self._saving = False

        def on_train_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
            self._epochs.requires(state.num_train_epochs, "num_train_epochs")
            if _word(args, "save_strategy") == "best":
                raise ProtocolError(
                    'save_strategy is "best", which skips the checkpoint that the trial continues'
                    ' from: set it to "epoch" or "no"'
                )

        def on_epoch_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
            self._epochs.report()

        def on_epoch_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> Any:
            self._unit = round(state.epoch)
            control.should_log = True
            self._ends = self._epochs.end(self._unit, _any_worker(trial, args))
            if self._ends or trial.checkpoint_due(self._unit) or trial.keeps_best:
                self._saving = control.should_save = True
            if self._ends and _word(args, "eval_strategy") == "steps":
                # Trials are compared by what is measured now, whatever eval_steps is.
                control.should_evaluate = self._evaluated != state.global_step
            return control

        def on_log(
            self, args: Any, state: Any, control: Any, logs: Any = None, **kwargs: Any
        ) -> None:
            self._epochs.add(logs or {})

        def on_evaluate(
            self, args: Any, state: Any, control: Any, metrics: Any = None, **kwargs: Any
        ) -> None:
            self._evaluated = state.global_step
            self._epochs.add(metrics or {})

        def on_save(self, args: Any, state: Any, control: Any, **kwargs: Any) -> Any:
            if not self._saving:
                return control
            self._saving = False
            saved = os.path.join(args.output_dir, "checkpoint-%d" % state.global_step)
            trial.save(
                self._unit,
                lambda folder: shutil.copytree(
                    saved, folder, copy_function=_link_or_copy, dirs_exist_ok=True
                ),
                stop=self._epochs.stopping,
            )
            if self._ends:
                # Here, other callbacks have decided whether training ends, and nothing follows.
                more = self._unit < state.num_train_epochs and not control.should_training_stop
                if self._epochs.continues(may_wait=more):
                    self._epochs.requires(state.num_train_epochs, "num_train_epochs")
                else:
                    control.should_training_stop = True
            return control

        def on_train_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
            self._epochs.finish()

    return ElastuneCallback()


def _word(args: Any, name: str) -> object:
    """Returns a setting of TrainingArguments, whose enumerations have words as their values."""
    setting = getattr(args, name, None)
    return getattr(setting, "value", setting)


def _any_worker(trial: Trial, args: Any) -> bool:
    """Returns whether any worker must stop, so that all stop after the same epoch."""
    if trial.world_size == 1:
        return trial.should_stop
    torch = importlib.import_module("torch")
    votes = torch.tensor([int(trial.should_stop)], device=args.device)
    torch.distributed.all_reduce(votes)
    return bool(votes.item() > 0)


def _link_or_copy(source: str, target: str) -> None:
    try:
        os.link(source, target)
    except OSError:  # another file system
        shutil.copy2(source, target)


def keras_callback(trial: Trial) -> Any:
    """Returns a Callback for Model.fit of Keras.

    Pass initial_epoch=trial.from_ to fit, and as epochs the number of all groups. The model must be
    built before it. It restores the weights and the optimizer's state, and reports the logs of each
    epoch. It is the last callback, so that the others have decided whether training ends.
    """
    base: Any = importlib.import_module("keras").callbacks.Callback

    class ElastuneCallback(base):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self._epochs = _Epochs(trial)

        def on_train_begin(self, logs: Any = None) -> None:
            self._epochs.requires(self.params.get("epochs"), "epochs")
            path = _restored_path(trial, KERAS_FILE)
            if path is not None:
                if not self.model.built:
                    raise ProtocolError("the model must be built before fit() to restore it")
                self.model.optimizer.build(self.model.trainable_variables)
                self.model.load_weights(path)
                _set_keras_random_state(
                    self.model, os.path.join(os.path.dirname(path), KERAS_RANDOM_FILE)
                )

        def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
            self._epochs.report()

        def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
            ends = self._epochs.end(epoch + 1, trial.should_stop)
            if ends or trial.checkpoint_due(epoch + 1) or trial.keeps_best:
                trial.save(epoch + 1, self._save, stop=self._epochs.stopping)
            self._epochs.add(logs or {})
            epochs = self.params.get("epochs")
            more = epoch + 1 < epochs and not self.model.stop_training
            if ends and self._epochs.continues(may_wait=more):
                self._epochs.requires(epochs, "epochs")
            elif ends:
                self.model.stop_training = True

        def _save(self, folder: str) -> None:
            self.model.save_weights(os.path.join(folder, KERAS_FILE))
            with open(os.path.join(folder, KERAS_RANDOM_FILE), "w") as file:
                json.dump(_keras_random_state(self.model), file)

        def on_train_end(self, logs: Any = None) -> None:
            self._epochs.finish()

    return ElastuneCallback()


# The weights of Keras have no state of random generators. Without it, shuffling and dropout would
# repeat those of the first epoch.
def _keras_random_state(model: Any) -> dict[str, Any]:
    state = {
        name: value.tolist() if hasattr(value, "tolist") else value
        for name, value in _random_state().items()
    }
    return {**state, "keras": [_numbers(variable) for variable in _seed_states(model)]}


def _set_keras_random_state(model: Any, path: str) -> None:
    try:
        with open(path) as file:
            state = json.load(file)
    except FileNotFoundError:  # a checkpoint of an earlier version
        return
    states = _seed_states(model)
    if len(states) == len(state["keras"]):
        for variable, value in zip(states, state["keras"]):
            variable.assign(value)
    _set_random_state(state)


def _seed_states(model: Any) -> list[Any]:
    """Returns the variables of a model that are no weights: the states of its seed generators."""
    weights = {id(variable) for variable in model.non_trainable_weights}
    return [variable for variable in model.non_trainable_variables if id(variable) not in weights]


def _numbers(variable: Any) -> Any:
    return importlib.import_module("keras").ops.convert_to_numpy(variable).tolist()
