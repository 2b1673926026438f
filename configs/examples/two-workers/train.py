"""A trial with several workers: each trains its share of every batch, and all add their gradients.

Worker 0 listens at MASTER_PORT, and the others connect to it. With PyTorch, DistributedDataParallel
does the same; see configs/pytorch-digits.
"""

import os
import time
from multiprocessing.connection import Client, Listener

import numpy as np

import elastune_trial

BATCH = 2_000
FEATURES = 400

trial = elastune_trial.load({"lr": 0.1}, units=2)


def connections():
    """Connects worker 0 with every other worker."""
    if trial.world_size == 1:
        return []
    address = os.environ["MASTER_ADDR"], int(os.environ["MASTER_PORT"])
    key = str(trial.seed).encode()
    if trial.rank == 0:
        listener = Listener(address, authkey=key)
        return [listener.accept() for _ in range(trial.world_size - 1)]
    for _ in range(100):
        try:
            return [Client(address, authkey=key)]
        except ConnectionRefusedError:  # worker 0 does not listen yet
            time.sleep(0.1)
    raise ConnectionError("worker 0 does not listen at %s:%d" % address)


def sum_of_workers(vector):
    """Returns the sum of the vectors of all workers; the same bits at every worker."""
    if trial.rank == 0:
        total = sum((peer.recv() for peer in peers), vector)
    else:
        peers[0].send(vector)
        return peers[0].recv()
    for peer in peers:
        peer.send(total)
    return total


def read(folder):
    return np.load(os.path.join(folder, "weights.npy"))


def write(folder):
    np.save(os.path.join(folder, "weights.npy"), weights)


random = np.random.default_rng(1)
x = random.normal(size=(24_000, FEATURES))
y = x @ random.normal(size=FEATURES) + random.normal(size=len(x))
peers = connections()
weights = trial.restore(read, lambda: np.zeros(FEATURES))
for unit in trial.units():
    for _ in range(40):
        for start in range(0, len(x), BATCH):
            mine = slice(start + trial.rank, start + BATCH, trial.world_size)
            gradient = x[mine].T @ (x[mine] @ weights - y[mine]) / BATCH
            weights -= trial.config["lr"] * sum_of_workers(gradient)
    stop = sum_of_workers(np.array([float(trial.should_stop)]))[0] > 0
    trial.save(unit, write, stop=stop)
    trial.report(unit, val_loss=np.mean((x @ weights - y) ** 2))
