"""One trial: trains a small neural network in PyTorch. Replace the parts marked with dashes.

Run it without Elastune: python3 train.py
"""

import os

import torch
from torch import nn

import elastune_trial

trial = elastune_trial.load(config={"lr": 0.03, "decay": 0.0}, units=2)


# ---- data: the same for every trial, so that their losses are comparable ----------------
def points(count, seed):
    random = torch.Generator().manual_seed(seed)
    x = torch.rand((count, 2), generator=random) * 6 - 3
    noise = torch.randn((count, 1), generator=random) * 0.05
    return x, torch.sin(x[:, :1]) * torch.cos(x[:, 1:]) + noise


x, y = points(20_000, seed=1)
test_x, test_y = points(2_000, seed=2)
BATCH = 16

# ---- model -------------------------------------------------------------------------------
torch.manual_seed(trial.seed % 2**63)
model = nn.Sequential(nn.Linear(2, 64), nn.Tanh(), nn.Linear(64, 1))
optimizer = torch.optim.SGD(
    model.parameters(), lr=trial.config["lr"], weight_decay=trial.config["decay"]
)


def train_epoch(unit):
    random = torch.Generator().manual_seed((trial.seed + unit) % 2**63)
    for batch in torch.randperm(len(x), generator=random).split(BATCH):
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x[batch]), y[batch]).backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1)
        optimizer.step()


@torch.no_grad()
def validate():
    return nn.functional.mse_loss(model(test_x), test_y)


# ---- checkpoint: everything that the next epoch depends on -------------------------------
def read(folder):
    state = torch.load(os.path.join(folder, "state.pt"), weights_only=True)
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])


def write(folder):
    state = {"model": model.state_dict(), "optimizer": optimizer.state_dict()}
    torch.save(state, os.path.join(folder, "state.pt"))


# ------------------------------------------------------------------------------------------
trial.restore(read)  # loads in place
for unit in trial.units():
    train_epoch(unit)
    trial.save(unit, write)
    trial.report(unit, val_loss=validate())
