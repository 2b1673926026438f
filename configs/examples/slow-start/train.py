"""A trial with a slow start: it computes its features before the first epoch."""

import os

import numpy as np

import elastune_trial

trial = elastune_trial.load({"lr": 0.01}, units=2)


def features(x):
    """Returns slow features of numbers: averages of waves with many frequencies."""
    frequencies = np.linspace(0.1, 8, 1_600)
    return np.array([np.sin(np.outer(x, f + frequencies)).mean(1) for f in range(8)]).T


def read(folder):
    return np.load(os.path.join(folder, "weights.npy"))


def write(folder):
    np.save(os.path.join(folder, "weights.npy"), weights)


points = np.random.default_rng(1).uniform(0, 3, 10_000)
x = features(points)
x /= x.std(0)
y = np.sin(2 * points)
weights = trial.restore(read, lambda: np.zeros(x.shape[1]))
for unit in trial.units():
    order = np.random.default_rng((trial.seed + unit) % 2**63).permutation(len(x) * 24) % len(x)
    for batch in order.reshape(-1, 4):
        weights -= trial.config["lr"] * x[batch].T @ (x[batch] @ weights - y[batch]) / 4
    trial.save(unit, write)
    trial.report(unit, val_loss=np.mean((x @ weights - y) ** 2))
