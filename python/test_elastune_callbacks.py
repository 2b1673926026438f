"""Tests elastune_callbacks with fake_frameworks, and with the real ones that are installed."""

import importlib.util
import json
import os
import signal
import unittest

import elastune_trial
from test_elastune_trial import TrialTestCase

FAKE_LIGHTNING = """
import fake_frameworks
from lightning.pytorch import Trainer
import elastune_callbacks, elastune_trial

trial = elastune_trial.load()
callback = elastune_callbacks.lightning_callback(trial)
trainer = Trainer(
    max_epochs=20, callbacks=[callback], early=trial.config.get("early")
)
trainer.fit(ckpt_path=callback.checkpoint)
"""

FAKE_TRANSFORMERS = """
import fake_frameworks
import transformers
import elastune_callbacks, elastune_trial

trial = elastune_trial.load()
callback = elastune_callbacks.transformers_callback(trial)
trainer = transformers.Trainer(
    num_train_epochs=20, callbacks=[callback], early=trial.config.get("early")
)
trainer.train(resume_from_checkpoint=callback.checkpoint)
"""

FAKE_KERAS = """
import fake_frameworks
import keras
import elastune_callbacks, elastune_trial

trial = elastune_trial.load()
keras.Model().fit(
    initial_epoch=trial.from_, epochs=20, early=trial.config.get("early"),
    callbacks=[elastune_callbacks.keras_callback(trial)],
)
"""

LIGHTNING = """
import torch
import lightning.pytorch as pl
from lightning.pytorch.callbacks import EarlyStopping
import elastune_callbacks, elastune_trial

class Model(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Sequential(torch.nn.Dropout(0.2), torch.nn.Linear(4, 1))

    def training_step(self, batch, _):
        loss = ((self.layer(batch[0]) - batch[1]) ** 2).mean()
        self.log("loss", loss, on_step=False, on_epoch=True)
        return loss

    def validation_step(self, batch, _):
        self.log("val_loss", ((self.layer(batch[0]) - batch[1]) ** 2).mean())

    def configure_optimizers(self):
        optimizer = torch.optim.Adam(self.parameters(), lr=0.1)
        return [optimizer], [torch.optim.lr_scheduler.StepLR(optimizer, 1, 0.5)]

trial = elastune_trial.load()
callback = elastune_callbacks.lightning_callback(trial)
torch.manual_seed(0)
x = torch.randn(32, 4)
rows = torch.utils.data.TensorDataset(x, x.sum(1, keepdim=True))
train = torch.utils.data.DataLoader(rows, 8, shuffle=True)
data = torch.utils.data.DataLoader(rows, 8)
extra = [EarlyStopping("val_loss", patience=1, min_delta=1e9)] if trial.config.get("early") else []
trainer = pl.Trainer(
    max_epochs=20, accelerator="cpu", logger=False, callbacks=[callback] + extra,
    enable_progress_bar=False, enable_model_summary=False,
)
trainer.fit(Model(), train, data, ckpt_path=callback.checkpoint)
"""

TRANSFORMERS = """
import torch
from transformers import (
    EarlyStoppingCallback, PretrainedConfig, PreTrainedModel, Trainer, TrainingArguments
)
import elastune_callbacks, elastune_trial

class Model(PreTrainedModel):
    config_class = PretrainedConfig

    def __init__(self, config):
        super().__init__(config)
        self.layer = torch.nn.Linear(4, 1)
        self.post_init()

    def forward(self, x=None, labels=None):
        y = self.layer(x)
        return {"loss": ((y - labels) ** 2).mean(), "logits": y}

trial = elastune_trial.load()
callback = elastune_callbacks.transformers_callback(trial)
torch.manual_seed(0)
x = torch.randn(32, 4)
data = [{"x": row, "labels": row.sum().reshape(1)} for row in x]
early = trial.config.get("early")
args = TrainingArguments(
    "out", num_train_epochs=20, per_device_train_batch_size=8, learning_rate=0.1,
    eval_strategy="epoch", save_strategy="epoch" if early else "no", report_to=[],
    disable_tqdm=True, use_cpu=True, metric_for_best_model="loss", load_best_model_at_end=bool(early),
)
extra = [EarlyStoppingCallback(1, 1e9)] if early else []
trainer = Trainer(
    Model(PretrainedConfig()), args, train_dataset=data, eval_dataset=data,
    callbacks=[callback] + extra,
)
trainer.train(resume_from_checkpoint=callback.checkpoint)
"""

KERAS = """
import os
os.environ["KERAS_BACKEND"] = "torch"
import keras
import numpy as np
import elastune_callbacks, elastune_trial

trial = elastune_trial.load()
keras.utils.set_random_seed(0)
x = np.random.default_rng(0).normal(size=(32, 4)).astype("float32")
model = keras.Sequential([keras.Input((4,)), keras.layers.Dropout(0.3), keras.layers.Dense(1)])
rate = keras.optimizers.schedules.ExponentialDecay(0.1, 4, 0.5)
model.compile(keras.optimizers.Adam(rate), loss="mse")
callbacks = [elastune_callbacks.keras_callback(trial)]
if trial.config.get("early"):
    callbacks.insert(0, keras.callbacks.EarlyStopping("loss", patience=1, min_delta=1e9))
model.fit(
    x, x.sum(1), batch_size=8, validation_data=(x, x.sum(1)), verbose=0,
    initial_epoch=trial.from_, epochs=20, callbacks=callbacks,
)
"""

# Sends SIGTERM to this process in its second epoch.
TERMINATED = """
import os, signal
epochs = 0
original = elastune_callbacks._Epochs.report
def report(self):
    global epochs
    epochs += 1
    if epochs == 2:
        os.kill(os.getpid(), signal.SIGTERM)
    original(self)
elastune_callbacks._Epochs.report = report
trial = elastune_trial.load()
"""


class Scenarios:
    """What each framework must do."""

    script = ""
    metrics = ("loss",)
    ended_early = 0  # the exit code if another callback ends the training at the end of a group

    def test_resumes_as_if_it_had_not_been_interrupted(self):
        straight, _ = self.reports(self.start(self.script, to=4))
        self.assertEqual([1, 2, 3, 4], [report["unit"] for report in straight])
        self.assertEqual(["4"], os.listdir(self.checkpoints))
        self.checkpoints += " in two attempts"
        first, _ = self.reports(self.start(self.script, to=2))
        second, _ = self.reports(self.start(self.script, from_=2, to=4))
        for expected, actual in zip(straight, first + second):
            for name in self.metrics:
                self.assertAlmostEqual(
                    expected["metrics"][name], actual["metrics"][name], places=6, msg=name
                )

    def test_early_stopping_finishes_the_trial(self):
        reports, _ = self.reports(self.start(self.script, to=9, config={"early": True}))
        self.assertEqual([(1, None), (2, True)], [(r["unit"], r.get("done")) for r in reports])
        self.assertEqual(set(), set(self.metrics) - set(reports[1]["metrics"]))

    def test_sigterm_saves_and_requests_a_retry(self):
        script = self.script.replace("trial = elastune_trial.load()\n", TERMINATED)
        reports, _ = self.reports(self.start(script, to=9), code=75)
        last = len(reports)
        self.assertIn(last, (1, 2))
        self.assertEqual(last, self.manifest(last)["unit"])
        reports, _ = self.reports(self.start(self.script, from_=last, to=4))
        self.assertEqual(4, reports[-1]["unit"])

    def test_saves_at_the_interval_and_resumes_from_such_a_checkpoint(self):
        straight, _ = self.reports(self.start(self.script, to=5, checkpoint_every=2))
        self.assertEqual([1, 2, 3, 4, 5], [report["unit"] for report in straight])
        self.assertEqual(["2", "4", "5"], sorted(os.listdir(self.checkpoints)))
        self.assertEqual(4, self.manifest(4)["unit"])
        again, _ = self.reports(self.start(self.script, from_=4, to=5, checkpoint_every=2))
        for name in self.metrics:
            self.assertAlmostEqual(
                straight[4]["metrics"][name], again[0]["metrics"][name], places=6, msg=name
            )

    def test_waits_for_the_next_epochs_with_keep_alive(self):
        straight, _ = self.reports(self.start(self.script, to=4))
        self.checkpoints += " in one process"
        following = {"from": 2, "to": 4, "keep_alive": True}
        reports, waits = self.waiting(self.start(self.script, to=2, keep_alive=True), following)
        self.assertEqual([2, 4], waits)
        self.assertEqual([1, 2, 3, 4], [report["unit"] for report in reports])
        for expected, actual in zip(straight, reports):
            for name in self.metrics:
                self.assertAlmostEqual(
                    expected["metrics"][name], actual["metrics"][name], places=6, msg=name
                )
        self.assertEqual(["2", "4"], sorted(os.listdir(self.checkpoints)))
        self.assertIsNone(elastune_trial.find_flaw(os.path.join(self.checkpoints, "2"), 2))
        again, _ = self.reports(self.start(self.script, from_=2, to=4))
        for name in self.metrics:
            self.assertAlmostEqual(
                straight[3]["metrics"][name], again[1]["metrics"][name], places=6, msg=name
            )

    def test_does_not_wait_after_the_last_group(self):
        following = {"from": 1, "to": 2}
        reports, waits = self.waiting(self.start(self.script, to=1, keep_alive=True), following)
        self.assertEqual([1], waits)
        self.assertEqual([1, 2], [report["unit"] for report in reports])

    def test_sigterm_ends_the_wait(self):
        process = self.start(self.script, to=1, keep_alive=True)
        for line in process.stdout:
            if "waiting" in line:
                break
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=300)
        self.assertEqual(0, process.returncode, err)

    def test_training_that_ends_early_does_not_continue(self):
        process = self.start(self.script, to=2, keep_alive=True, config={"early": True})
        reports, _ = self.waiting(process, {"from": 2, "to": 4}, code=self.ended_early)
        self.assertEqual([1, 2], [report["unit"] for report in reports])
        self.assertEqual(["2"], os.listdir(self.checkpoints))

    def waiting(self, process, following, code=0):
        """Returns the reports of a worker that gets one more line, and the units of its waits."""
        out, err = process.communicate(json.dumps(following) + "\n", timeout=300)
        self.assertEqual(code, process.returncode, err)
        found = [json.loads(line[9:]) for line in out.splitlines() if line.startswith("ELASTUNE ")]
        waits = [entry["waiting"] for entry in found if "waiting" in entry]
        return [entry for entry in found if "unit" in entry], waits

    def test_rejects_a_resumed_trial_without_its_checkpoint(self):
        self.reports(self.start(self.script, to=1))
        fresh = self.script.replace("ckpt_path=callback.checkpoint", "ckpt_path=None")
        fresh = fresh.replace("checkpoint=callback.checkpoint", "checkpoint=None")
        fresh = fresh.replace("initial_epoch=trial.from_", "initial_epoch=0")
        reports, err = self.reports(self.start(fresh, from_=1, to=3), code=1)
        self.assertEqual([], reports)
        self.assertIn("epoch 1 was trained, but the trial resumes after epoch 1", err)

    def test_rejects_fewer_epochs_than_the_trial_needs(self):
        short = self.script.replace("epochs=20", "epochs=1")
        _, err = self.reports(self.start(short, to=3), code=1)
        self.assertIn("is 1, but the trial must train up to epoch 3", err)


class FakeLightningTest(Scenarios, TrialTestCase):
    script = FAKE_LIGHTNING

    def test_continues_also_if_max_epochs_is_the_end_of_the_group(self):
        script = self.script.replace("max_epochs=20", "max_epochs=trial.to")
        following = {"from": 2, "to": 4}
        reports, _ = self.waiting(self.start(script, to=2, keep_alive=True), following)
        self.assertEqual([1, 2, 3, 4], [report["unit"] for report in reports])


class FakeTransformersTest(Scenarios, TrialTestCase):
    script = FAKE_TRANSFORMERS
    metrics = ("loss", "eval_loss")

    def test_does_not_wait_if_training_ends_with_the_group(self):
        script = self.script.replace("epochs=20", "epochs=trial.to")
        following = {"from": 2, "to": 4}
        reports, waits = self.waiting(self.start(script, to=2, keep_alive=True), following)
        self.assertEqual([], waits)
        self.assertEqual([1, 2], [report["unit"] for report in reports])


class FakeKerasTest(Scenarios, TrialTestCase):
    script = FAKE_KERAS
    ended_early = 75  # the other callback follows


def installed(*modules):
    missing = [module for module in modules if importlib.util.find_spec(module) is None]
    return unittest.skipIf(missing, "needs " + ", ".join(missing))


@installed("torch", "lightning")
class LightningTest(Scenarios, TrialTestCase):
    script = LIGHTNING
    metrics = ("loss", "val_loss")


@installed("torch", "transformers", "accelerate")
class TransformersTest(Scenarios, TrialTestCase):
    script = TRANSFORMERS
    metrics = ("loss", "eval_loss")

    def test_reports_what_was_logged_or_evaluated_by_steps(self):
        # 4 steps are an epoch: both happen at its last step, or only the first of both does
        for logging, evaluation in ((2, 4), (4, 100)):
            self.checkpoints += " %d %d" % (logging, evaluation)
            steps = 'eval_strategy="steps", eval_steps=%d, logging_steps=%d'
            script = self.script.replace('eval_strategy="epoch"', steps % (evaluation, logging))
            reports, _ = self.reports(self.start(script, to=2))
            self.assertEqual([1, 2], [report["unit"] for report in reports])
            self.assertEqual(set(), {"loss", "eval_loss"} - set(reports[1]["metrics"]))

    def test_rejects_saving_only_the_best(self):
        script = self.script.replace('save_strategy="epoch" if early else "no"', 'save_strategy="best"')
        _, err = self.reports(self.start(script), code=1)
        self.assertIn('save_strategy is "best"', err)


@installed("keras", "torch")
class KerasTest(Scenarios, TrialTestCase):
    script = KERAS
    metrics = ("loss", "val_loss")


if __name__ == "__main__":
    unittest.main()
