"""A trial whose unit is a step: logistic regression that reports every 500 steps."""

import os

import numpy as np

import elastune_trial

trial = elastune_trial.load({"lr": 0.1}, units=1000)
FEATURES = 64
target = np.random.default_rng(1).normal(size=FEATURES)


def examples(count, seed):
    random = np.random.default_rng(seed)
    x = random.normal(size=(count, FEATURES))
    return x, (x @ target + random.normal(size=count) > 0).astype(float)


def predict(x):
    return 1 / (1 + np.exp(-(x @ weights).clip(-30, 30)))


def validate():
    p = predict(test_x).clip(1e-9, 1 - 1e-9)
    return -np.mean(test_y * np.log(p) + (1 - test_y) * np.log(1 - p))


def write(folder):
    np.save(os.path.join(folder, "weights.npy"), weights)


test_x, test_y = examples(2_000, seed=0)
weights = trial.restore(
    lambda folder: np.load(os.path.join(folder, "weights.npy")), lambda: np.zeros(FEATURES)
)
for step in trial.units():
    x, y = examples(32, seed=(trial.seed + step) % 2**63)
    weights += trial.config["lr"] * x.T @ (y - predict(x)) / len(x)
    trial.save(step, write)  # writes only if a checkpoint is due
    if trial.due(step, every=500):
        trial.report(step, val_loss=validate())
