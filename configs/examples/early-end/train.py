"""A trial that ends early: ridge regression by gradient descent until the loss stops improving."""

import os

import numpy as np

import elastune_trial

PATIENCE = 3  # epochs without an improvement of 1 %

trial = elastune_trial.load({"lr": 0.2}, units=8)
random = np.random.default_rng(1)
x, test_x = random.normal(size=(8_000, 200)), random.normal(size=(1_000, 200))
x[:, 100:] *= 0.1
test_x[:, 100:] *= 0.1
target = random.normal(size=200)
y, test_y = x @ target + random.normal(size=8_000), test_x @ target + random.normal(size=1_000)


def fresh():
    return {"weights": np.zeros(200), "losses": np.zeros(0)}


def read(folder):
    return dict(np.load(os.path.join(folder, "state.npz")))


def write(folder):
    np.savez(os.path.join(folder, "state.npz"), **state)


state = trial.restore(read, fresh)
for unit in trial.units():
    for _ in range(200):
        state["weights"] -= trial.config["lr"] * x.T @ (x @ state["weights"] - y) / len(x)
    loss = np.mean((test_x @ state["weights"] - test_y) ** 2)
    state["losses"] = np.append(state["losses"], loss)
    recent, before = state["losses"][-PATIENCE:], state["losses"][:-PATIENCE]
    done = len(before) > 0 and recent.min() > 0.99 * before.min()
    trial.save(unit, write, done=done)
    (trial.finish if done else trial.report)(unit, val_loss=loss)
