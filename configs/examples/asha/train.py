"""A trial in numpy: a small neural network learns a function of two variables."""

import os

import numpy as np

import elastune_trial

BATCH = 16

trial = elastune_trial.load({"lr": 0.1, "decay": 0.0}, units=2)


def points(count, seed):
    random = np.random.default_rng(seed)
    x = random.uniform(-3, 3, (count, 2))
    return x, np.sin(x[:, :1]) * np.cos(x[:, 1:]) + random.normal(0, 0.05, (count, 1))


def fresh():
    random = np.random.default_rng(trial.seed % 2**63)
    return {
        "w1": random.normal(0, 1, (2, 64)), "b1": np.zeros(64),
        "w2": random.normal(0, 0.1, (64, 1)), "b2": np.zeros(1),
    }


def read(folder):
    return dict(np.load(os.path.join(folder, "model.npz")))


def write(folder):
    np.savez(os.path.join(folder, "model.npz"), **model)


def train_epoch(unit):
    # The order depends on the seed and the epoch only, so the checkpoint needs no random state.
    order = np.random.default_rng((trial.seed + unit) % 2**63).permutation(len(x))
    for batch in order.reshape(-1, BATCH):
        hidden = np.tanh(x[batch] @ model["w1"] + model["b1"])
        error = 2 / BATCH * (hidden @ model["w2"] + model["b2"] - y[batch])
        back = error @ model["w2"].T * (1 - hidden**2)
        gradients = {
            "w1": x[batch].T @ back, "b1": back.sum(0), "w2": hidden.T @ error, "b2": error.sum(0)
        }
        for name, gradient in gradients.items():
            step = gradient.clip(-1, 1) + trial.config["decay"] * model[name]
            model[name] -= trial.config["lr"] * step


def validate():
    hidden = np.tanh(test_x @ model["w1"] + model["b1"])
    return np.mean((hidden @ model["w2"] + model["b2"] - test_y) ** 2)


x, y = points(120_000, seed=1)
test_x, test_y = points(2_000, seed=2)
model = trial.restore(read, fresh)
for unit in trial.units():
    train_epoch(unit)
    trial.save(unit, write)
    trial.report(unit, val_loss=validate())
