"""A trial that sleeps: START_S seconds, and UNIT_S seconds per unit. It reports every EVERY units,
and at its end."""

import json
import os
import time

with open(os.environ["ELASTUNE_TRIAL_JSON"]) as file:
    trial = json.load(file)
unit_s = float(os.environ["UNIT_S"])
every = int(os.environ.get("EVERY", "1"))
time.sleep(float(os.environ.get("START_S", "0")))


def save(unit):
    folder = os.path.join(trial["checkpoint_dir"], str(unit))
    os.mkdir(folder + ".tmp")
    with open(os.path.join(folder + ".tmp", "manifest.json"), "w") as file:
        json.dump({"unit": unit, "files": []}, file)
    os.rename(folder + ".tmp", folder)


begin = time.monotonic()
for unit in range(trial["from"] + 1, trial["to"] + 1):
    time.sleep(max(0, begin + (unit - trial["from"]) * unit_s - time.monotonic()))
    if unit == trial["to"]:
        save(unit)
    if unit % every == 0 or unit == trial["to"]:
        metrics = {"acc": trial["config"]["x"]}
        print("ELASTUNE " + json.dumps({"unit": unit, "metrics": metrics}), flush=True)
