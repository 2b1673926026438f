"""A trial that works instead of sleeping: it computes (WORK=cpu) or reads memory (WORK=memory).

UNIT_S is the approximate time of a unit on an idle core. SAVE_MB is the size of its checkpoints.
With SLOW, the probability of a trial that takes three times as long. A configuration with a width
takes width times as long."""

import json
import os
import random
import time

with open(os.environ["ELASTUNE_TRIAL_JSON"]) as file:
    trial = json.load(file)
config = trial["config"]
unit_s = float(os.environ["UNIT_S"]) * config.get("width", 1)
save_mb = float(os.environ.get("SAVE_MB", "0"))
slow = float(os.environ.get("SLOW", "0"))
if random.Random(trial["trial"]).random() < slow:
    unit_s *= 3
block = bytearray(64 << 20) if os.environ["WORK"] == "memory" else bytearray(1)


def compute():
    total = 0
    for i in range(20_000):
        total += i * i
    return total


def read():
    return block.count(1)


step = read if os.environ["WORK"] == "memory" else compute


def steps_per_second():
    count, begin = 0, time.process_time()
    while time.process_time() - begin < 0.5:
        step()
        count += 1
    return count / (time.process_time() - begin)


def save(unit):
    folder = os.path.join(trial["checkpoint_dir"], str(unit))
    os.mkdir(folder + ".tmp")
    files = []
    if save_mb:
        with open(os.path.join(folder + ".tmp", "model"), "wb") as model:
            for _ in range(int(save_mb)):
                model.write(os.urandom(1 << 20))
            model.flush()
            os.fsync(model.fileno())
    with open(os.path.join(folder + ".tmp", "manifest.json"), "w") as manifest:
        json.dump({"unit": unit, "files": files}, manifest)
    os.rename(folder + ".tmp", folder)


steps = max(1, round(unit_s * steps_per_second()))
for unit in range(trial["from"] + 1, trial["to"] + 1):
    for _ in range(steps):
        step()
    if unit == trial["to"]:
        save(unit)
    print("ELASTUNE " + json.dumps({"unit": unit, "metrics": {"acc": config["x"]}}), flush=True)
