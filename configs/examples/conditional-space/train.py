"""A trial with conditional hyperparameters: momentum for SGD, beta2 for Adam."""

import os

import numpy as np

import elastune_trial

BATCH = 16
SHAPES = {"w1": (2, 64), "b1": (64,), "w2": (64, 1), "b2": (1,)}

trial = elastune_trial.load({"optimizer": "adam", "lr": 0.01, "beta2": 0.99}, units=2)
config = trial.config


def points(count, seed):
    random = np.random.default_rng(seed)
    x = random.uniform(-3, 3, (count, 2))
    return x, np.sin(x[:, :1]) * np.cos(x[:, 1:]) + random.normal(0, 0.05, (count, 1))


def fresh():
    random = np.random.default_rng(trial.seed % 2**63)
    model = {name: random.normal(0, 0.5, shape) for name, shape in SHAPES.items()}
    averages = {"mean of " + name: np.zeros(shape) for name, shape in SHAPES.items()}
    squares = {"square of " + name: np.zeros(shape) for name, shape in SHAPES.items()}
    return {**model, **averages, **squares, "steps": np.array(0)}


def read(folder):
    return dict(np.load(os.path.join(folder, "state.npz")))


def write(folder):
    np.savez(os.path.join(folder, "state.npz"), **state)


def update(name, gradient):
    mean, square = state["mean of " + name], state["square of " + name]
    if config["optimizer"] == "sgd":
        mean *= config["momentum"]  # drawn only for SGD
        mean += gradient
        state[name] -= config["lr"] * mean
    else:
        beta2 = config["beta2"]  # drawn only for Adam
        mean += 0.1 * (gradient - mean)
        square += (1 - beta2) * (gradient**2 - square)
        scale = np.sqrt(square / (1 - beta2 ** state["steps"])) + 1e-8
        state[name] -= config["lr"] * mean / (1 - 0.9 ** state["steps"]) / scale


def train_epoch(unit):
    order = np.random.default_rng((trial.seed + unit) % 2**63).permutation(len(x))
    for batch in order.reshape(-1, BATCH):
        state["steps"] += 1
        hidden = np.tanh(x[batch] @ state["w1"] + state["b1"])
        error = 2 / BATCH * (hidden @ state["w2"] + state["b2"] - y[batch])
        back = error @ state["w2"].T * (1 - hidden**2)
        gradients = x[batch].T @ back, back.sum(0), hidden.T @ error, error.sum(0)
        for name, gradient in zip(SHAPES, gradients):
            update(name, gradient.clip(-1, 1))


def validate():
    hidden = np.tanh(test_x @ state["w1"] + state["b1"])
    return np.mean((hidden @ state["w2"] + state["b2"] - test_y) ** 2)


x, y = points(80_000, seed=1)
test_x, test_y = points(2_000, seed=2)
state = trial.restore(read, fresh)
for unit in trial.units():
    train_epoch(unit)
    trial.save(unit, write)
    trial.report(unit, val_loss=validate())
