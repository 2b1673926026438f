"""Fits a polynomial to noisy samples: an ordinary script, which knows nothing of Elastune.

    python3 train.py --ridge 0.01 --degree 5
"""

import argparse
import json
import math
import random


def features(x, degree):
    return [x**power for power in range(degree + 1)]


def solve(matrix, vector):
    """Solves a system of linear equations by elimination with pivots."""
    rows = [row[:] + [value] for row, value in zip(matrix, vector)]
    for i in range(len(rows)):
        pivot = max(range(i, len(rows)), key=lambda row: abs(rows[row][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for j in range(i + 1, len(rows)):
            factor = rows[j][i] / rows[i][i]
            rows[j] = [b - factor * a for a, b in zip(rows[i], rows[j])]
    solution = [0.0] * len(rows)
    for i in reversed(range(len(rows))):
        known = sum(rows[i][j] * solution[j] for j in range(i + 1, len(rows)))
        solution[i] = (rows[i][-1] - known) / rows[i][i]
    return solution


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--ridge", type=float, default=0.01, help="weight of the penalty")
    parser.add_argument("--degree", type=int, default=5)
    options = parser.parse_args()

    source = random.Random(1)
    points = [source.uniform(-1, 1) for _ in range(60)]
    samples = [(x, math.sin(3 * x) + source.gauss(0, 0.2)) for x in points]
    training, validation = samples[:40], samples[40:]

    size = options.degree + 1
    matrix = [[options.ridge if i == j else 0.0 for j in range(size)] for i in range(size)]
    vector = [0.0] * size
    for x, y in training:
        inputs = features(x, options.degree)
        for i in range(size):
            vector[i] += inputs[i] * y
            for j in range(size):
                matrix[i][j] += inputs[i] * inputs[j]
    weights = solve(matrix, vector)

    errors = [
        y - sum(w * f for w, f in zip(weights, features(x, options.degree))) for x, y in validation
    ]
    print(json.dumps({"val_loss": sum(error * error for error in errors) / len(errors)}))


if __name__ == "__main__":
    main()
