"""A trial in PyTorch: a small convolutional network on scikit-learn's 8 x 8 digits.

Run it without Elastune: PYTHONPATH=../../python python3 train.py
"""

import os

import torch
import torch.distributed as dist
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch import nn
from torch.nn.functional import cross_entropy
from torch.nn.parallel import DistributedDataParallel

import elastune_trial


def load_data():
    # The same split for every trial, so that their accuracies are comparable.
    images, test_images, digits, test_digits = train_test_split(
        *load_digits(return_X_y=True), test_size=0.25, random_state=0
    )
    digits, test_digits = torch.tensor(digits), torch.tensor(test_digits)
    return as_images(images), digits, as_images(test_images), test_digits


def as_images(rows):
    return torch.tensor(rows, dtype=torch.float32).reshape(-1, 1, 8, 8) / 16


def new_model():
    return nn.Sequential(
        nn.Conv2d(1, 32, 3, padding=1), nn.ReLU(),
        nn.Conv2d(32, 64, 3, padding=1), nn.ReLU(),
        nn.MaxPool2d(2), nn.Flatten(), nn.Linear(64 * 4 * 4, 10),
    )


def train_epoch(trial, unit, net, optimizer, images, digits):
    """Trains one epoch in its own random order; each worker takes its share of every batch."""
    randomness = torch.Generator().manual_seed((trial.seed + unit) % 2**63)
    order = torch.randperm(len(digits), generator=randomness)
    batch = trial.config["batch"]
    total = 0.0
    steps = len(order) // batch
    for step in range(steps):
        mine = order[step * batch : (step + 1) * batch][trial.rank :: trial.world_size]
        loss = cross_entropy(net(images[mine]), digits[mine])
        optimizer.zero_grad()
        loss.backward()  # DistributedDataParallel averages the gradients of the workers here
        optimizer.step()
        total += loss.item()
    return total / steps


def any_worker(trial, stop):
    """Returns whether any worker must stop, so that all stop after the same epoch."""
    if trial.world_size == 1:
        return stop
    votes = torch.tensor([int(stop)])
    dist.all_reduce(votes)
    return votes.item() > 0


def main():
    trial = elastune_trial.load(
        config={"lr": 0.1, "momentum": 0.9, "batch": 64, "weight_decay": 1e-4}, units=3
    )
    torch.manual_seed(trial.seed % 2**63)
    if trial.world_size > 1:
        dist.init_process_group("gloo")  # connects through RANK, MASTER_ADDR and so on
    images, digits, test_images, test_digits = load_data()

    model = new_model()
    optimizer = torch.optim.SGD(
        model.parameters(), lr=trial.config["lr"], momentum=trial.config["momentum"],
        weight_decay=trial.config["weight_decay"],
    )
    state = trial.restore(
        lambda folder: torch.load(os.path.join(folder, "state.pt"), weights_only=True)
    )
    if state is not None:
        model.load_state_dict(state["model"])
        optimizer.load_state_dict(state["optimizer"])
    net = DistributedDataParallel(model) if trial.world_size > 1 else model

    def write(folder):
        # The plain model, not the distributed one: the next attempt may have another number of workers.
        state = {"model": model.state_dict(), "optimizer": optimizer.state_dict()}
        torch.save(state, os.path.join(folder, "state.pt"))

    for unit in trial.units():
        loss = train_epoch(trial, unit, net, optimizer, images, digits)
        with torch.no_grad():
            right = (model(test_images).argmax(dim=1) == test_digits).float().mean().item()
        trial.save(unit, write, stop=any_worker(trial, trial.should_stop))
        trial.report(unit, test_acc=right, train_loss=loss)

    if dist.is_initialized():
        dist.barrier()  # no worker closes its connections while another one still uses them
        dist.destroy_process_group()


if __name__ == "__main__":
    main()
