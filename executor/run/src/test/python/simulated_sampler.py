"""A sampler with the interface of optuna_bridge.py that needs no library.

It proposes the middle of every range, moved by the number of results. The file named by
SAMPLER_BEHAVIOR holds what it does with each of its next requests: ok, die, silent, garbage, short,
outside, wrong-id or error, one per line.
"""

import json
import os
import sys
import time


def behavior():
    path = os.environ.get("SAMPLER_BEHAVIOR", "")
    lines = open(path).read().split() if os.path.exists(path) else []
    if lines:
        with open(path, "w") as file:
            file.write("\n".join(lines[1:]))
    return lines[0] if lines else "ok"


def value(parameter, shift):
    if parameter["type"] == "categorical":
        return shift % parameter["choices"]
    middle = parameter["low"] + (parameter["high"] - parameter["low"]) * (0.5 + 0.01 * (shift % 10))
    return round(middle) if parameter["type"] == "int" else middle


def propose(request, index):
    config = {}
    for parameter in request["parameters"]:
        met = all(config.get(name) in allowed for name, allowed in parameter["when"].items())
        if met:
            config[parameter["name"]] = value(parameter, len(request["results"]) + index)
    return config


for line in sys.stdin:
    request = json.loads(line)
    configs = [propose(request, index) for index in range(request["count"])]
    reply = {"id": request["id"], "configs": configs}
    act = behavior()
    if act == "die":
        sys.exit(3)
    if act == "silent":
        time.sleep(60)
    if act == "short":
        reply["configs"] = configs[1:]
    if act == "outside":
        reply["configs"] = [{name: 1e9 for name in config} for config in configs]
    if act == "wrong-id":
        reply["id"] += 1
    if act == "error":
        reply = {"id": request["id"], "error": "ModuleNotFoundError: No module named 'optuna'"}
    print("{" if act == "garbage" else json.dumps(reply), flush=True)
