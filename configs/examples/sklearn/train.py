"""A trial in scikit-learn: one fit of a neural network, with cross-validation."""

import os
import pickle
import warnings

from sklearn.datasets import load_digits
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import cross_val_score
from sklearn.neural_network import MLPClassifier

import elastune_trial

trial = elastune_trial.load({"lr": 0.001, "alpha": 1e-4})
warnings.simplefilter("ignore", ConvergenceWarning)  # the number of iterations is fixed

x, y = load_digits(return_X_y=True)
model = MLPClassifier(
    64, learning_rate_init=trial.config["lr"], alpha=trial.config["alpha"],
    max_iter=20, n_iter_no_change=20, random_state=trial.seed % 2**32,
)
accuracy = cross_val_score(model, x / 16, y, cv=3).mean()
model.fit(x / 16, y)


def write(folder):
    with open(os.path.join(folder, "model.pickle"), "wb") as file:
        pickle.dump(model, file)


trial.save(1, write)  # the fitted model; there is nothing to resume
trial.report(1, accuracy=accuracy)
