"""A trial that needs only Python: a polynomial is fitted to a noisy curve."""

import json
import math
import os
import random

import elastune_trial

POINTS = 24_000
DEGREE = 5

trial = elastune_trial.load({"optimizer": "adam", "lr": 0.01}, units=2)
config = trial.config


def points(count, seed):
    noise = random.Random(seed)
    xs = [noise.uniform(-1, 1) for _ in range(count)]
    return [([x**k for k in range(DEGREE)], math.sin(3 * x) + noise.gauss(0, 0.05)) for x in xs]


def fresh():
    return {"weights": [0.0] * DEGREE, "means": [0.0] * DEGREE, "squares": [0.0] * DEGREE}


def read(folder):
    with open(os.path.join(folder, "state.json")) as file:
        return json.load(file)


def write(folder):
    with open(os.path.join(folder, "state.json"), "w") as file:
        json.dump(state, file)


def error(powers, y):
    return sum(weight * power for weight, power in zip(state["weights"], powers)) - y


def update(k, gradient):
    weights, means, squares = state["weights"], state["means"], state["squares"]
    if config["optimizer"] == "sgd":
        means[k] = config["momentum"] * means[k] + gradient
        weights[k] -= 0.1 * config["lr"] * means[k]
    else:
        means[k] += 0.1 * (gradient - means[k])
        squares[k] += 0.01 * (gradient**2 - squares[k])
        weights[k] -= 0.1 * config["lr"] * means[k] / (math.sqrt(squares[k]) + 1e-8)


def train_epoch(unit):
    order = list(train)
    random.Random(trial.seed + unit).shuffle(order)
    for powers, y in order:
        slope = max(-1.0, min(1.0, error(powers, y)))
        for k, power in enumerate(powers):
            update(k, slope * power)


def validate():
    return sum(error(powers, y) ** 2 for powers, y in test) / len(test)


train, test = points(POINTS, seed=1), points(1_000, seed=2)
state = trial.restore(read, fresh)
for unit in trial.units():
    train_epoch(unit)
    trial.save(unit, write)
    trial.report(unit, val_loss=validate())
