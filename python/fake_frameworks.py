"""Minimal copies of the interfaces of PyTorch Lightning, Transformers and Keras for tests.

They call the hooks of callbacks in the frameworks' order, and "train" a number that reveals lost or
repeated epochs. With `early`, another callback ends the training after epoch 2.
"""

import json
import os
import signal
import sys
import types


class Training:
    """The state of a training; loss is the state after an epoch."""

    def __init__(self):
        self.epoch = 0
        self.sum = 0

    def train(self):
        self.epoch += 1
        self.sum = self.sum * 10 + self.epoch

    def write(self, path):
        with open(path, "w") as file:
            json.dump({"epoch": self.epoch, "sum": self.sum}, file)

    def read(self, path):
        with open(path) as file:
            self.__dict__.update(json.load(file))


class LightningCheckpoint:
    def on_train_start(self, trainer, pl_module): ...
    def on_train_epoch_start(self, trainer, pl_module): ...
    def on_train_epoch_end(self, trainer, pl_module): ...
    def on_train_end(self, trainer, pl_module): ...


class LightningTrainer:
    def __init__(self, max_epochs, callbacks, early=False):
        self.max_epochs, self.early, self.should_stop = max_epochs, early, False
        self.callback, self.training = callbacks[0], Training()
        self.callback_metrics, self.strategy, self.fit_loop = {}, self, self

    @property
    def current_epoch(self):  # is incremented after on_train_epoch_end
        return max(0, self.training.epoch - 1)

    def reduce_boolean_decision(self, decision, all=True):
        return decision

    def save_checkpoint(self, path):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        self.training.write(path)

    def fit(self, ckpt_path=None):
        if ckpt_path is not None:
            self.training.read(ckpt_path)
        signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped in the middle of an epoch"))
        self.callback.on_train_start(self, None)
        while self.training.epoch < self.max_epochs and not self.should_stop:
            self.callback.on_train_epoch_start(self, None)
            self.training.train()
            self.callback_metrics = {"loss": self.training.sum, "text": "not a number"}
            self.should_stop = self.early and self.training.epoch == 2
            self.callback.on_train_epoch_end(self, None)
        self.callback.on_train_end(self, None)


class TrainerCallback:
    def on_train_begin(self, args, state, control, **kwargs): ...
    def on_epoch_begin(self, args, state, control, **kwargs): ...
    def on_epoch_end(self, args, state, control, **kwargs): ...
    def on_log(self, args, state, control, **kwargs): ...
    def on_evaluate(self, args, state, control, **kwargs): ...
    def on_save(self, args, state, control, **kwargs): ...
    def on_train_end(self, args, state, control, **kwargs): ...


class TransformersTrainer:
    def __init__(self, num_train_epochs, callbacks, early=False):
        self.args = types.SimpleNamespace(output_dir="out")
        self.state = types.SimpleNamespace(num_train_epochs=num_train_epochs, global_step=0, epoch=0)
        self.control = types.SimpleNamespace(should_training_stop=False)
        self.callback, self.training, self.early = callbacks[0], Training(), early

    def call(self, event, **kwargs):
        getattr(self.callback, event)(self.args, self.state, self.control, **kwargs)

    def train(self, resume_from_checkpoint=None):
        if resume_from_checkpoint is not None:
            self.training.read(os.path.join(resume_from_checkpoint, "model.json"))
        self.call("on_train_begin")
        while self.training.epoch < self.state.num_train_epochs:
            self.call("on_epoch_begin")
            self.control.should_save = self.control.should_log = False
            self.training.train()
            self.state.epoch = float(self.training.epoch)
            self.state.global_step = 4 * self.training.epoch
            self.call("on_epoch_end")
            if self.control.should_log:
                self.call("on_log", logs={"loss": self.training.sum})
            self.call("on_evaluate", metrics={"eval_loss": self.training.sum + 1})
            if self.early and self.training.epoch == 2:
                self.control.should_training_stop = True
            if self.control.should_save:
                folder = "out/checkpoint-%d" % self.state.global_step
                os.makedirs(folder, exist_ok=True)
                self.training.write(os.path.join(folder, "model.json"))
                self.call("on_save")
            if self.control.should_training_stop:
                break
        self.call("on_train_end")


class KerasCallback:
    def on_train_begin(self, logs=None): ...
    def on_epoch_begin(self, epoch, logs=None): ...
    def on_epoch_end(self, epoch, logs=None): ...
    def on_train_end(self, logs=None): ...


class KerasModel:
    def __init__(self):
        self.training, self.built, self.trainable_variables = Training(), True, []
        self.non_trainable_variables, self.non_trainable_weights = [], []
        self.optimizer = types.SimpleNamespace(build=lambda variables: None)

    def save_weights(self, path):
        self.training.write(path)

    def load_weights(self, path):
        self.training.read(path)

    def fit(self, initial_epoch, epochs, callbacks, early=False):
        callback = callbacks[0]
        callback.model, callback.params, self.stop_training = self, {"epochs": epochs}, False
        callback.on_train_begin()
        for epoch in range(initial_epoch, epochs):
            callback.on_epoch_begin(epoch)
            self.training.train()
            callback.on_epoch_end(epoch, {"loss": self.training.sum})
            self.stop_training = self.stop_training or (early and epoch == 1)
            if self.stop_training:
                break
        callback.on_train_end()


def module(name, **members):
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__dict__.update(members)


module("lightning")
module("lightning.pytorch", Trainer=LightningTrainer)
module("lightning.pytorch.callbacks", Checkpoint=LightningCheckpoint)
module("transformers", Trainer=TransformersTrainer, TrainerCallback=TrainerCallback)
module("keras", callbacks=types.SimpleNamespace(Callback=KerasCallback), Model=KerasModel)
