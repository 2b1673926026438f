"""Proposes configurations with Optuna: one JSON request per line on stdin, one reply on stdout.

The process keeps no state: every request holds all results, from which an in-memory study is built.
So the same request has the same reply, and a process that was killed is simply started again.

A request has id, sampler, startup, options, seed, goal, count, parameters and results. A parameter
has name, type (float, int or categorical), low, high, log, step, choices (their number), and when:
the values of earlier parameters with which it is used. A result has config, state (complete, pruned
or running), and unit and value unless it is running. A pruned result without a value is the worst: the
configuration cannot be trained. The reply has id, and configs or error.
"""

import json
import math
import sys


def distribution(optuna, parameter):
    kind = parameter["type"]
    if kind == "categorical":
        return optuna.distributions.CategoricalDistribution(list(range(parameter["choices"])))
    if kind == "int":
        return optuna.distributions.IntDistribution(
            parameter["low"], parameter["high"], log=parameter["log"], step=parameter["step"]
        )
    return optuna.distributions.FloatDistribution(
        parameter["low"], parameter["high"], log=parameter["log"], step=parameter["step"]
    )


def is_used(parameter, config):
    for name, allowed in parameter["when"].items():
        value = config.get(name)
        if value is None or not any(math.isclose(value, other) for other in allowed):
            return False
    return True


def sampler(optuna, request):
    name, seed, options = request["sampler"], request["seed"], dict(request["options"])
    samplers = optuna.samplers
    if name == "tpe":
        options.setdefault("constant_liar", True)  # trials that run repel new ones
        return samplers.TPESampler(
            **{"n_startup_trials": request["startup"], "seed": seed, **options}
        )
    if name == "gp":
        return samplers.GPSampler(
            **{"n_startup_trials": request["startup"], "seed": seed, **options}
        )
    if name == "cmaes":
        return samplers.CmaEsSampler(
            **{"n_startup_trials": request["startup"], "seed": seed, **options}
        )
    return samplers.QMCSampler(**{"seed": seed, "scramble": True, **options})


def add(optuna, study, distributions, result):
    states = optuna.trial.TrialState
    state = {"complete": states.COMPLETE, "pruned": states.PRUNED, "running": states.RUNNING}
    value = result.get("value")
    study.add_trial(
        optuna.trial.create_trial(
            state=state[result["state"]],
            value=value if result["state"] == "complete" else None,
            params=result["config"],
            distributions={name: distributions[name] for name in result["config"]},
            intermediate_values={} if value is None else {result["unit"]: value},
        )
    )


def suggest_one(trial, name, allowed):
    if hasattr(allowed, "choices"):
        return trial.suggest_categorical(name, allowed.choices)
    ask = trial.suggest_int if isinstance(allowed.low, int) else trial.suggest_float
    return ask(name, allowed.low, allowed.high, step=allowed.step, log=allowed.log)


def suggest(trial, parameters, distributions):
    config = {}
    for parameter in parameters:
        if is_used(parameter, config):
            name = parameter["name"]
            config[name] = suggest_one(trial, name, distributions[name])
    return config


def configurations(request):
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    study = optuna.create_study(direction=request["goal"], sampler=sampler(optuna, request))
    distributions = {p["name"]: distribution(optuna, p) for p in request["parameters"]}
    for result in request["results"]:
        add(optuna, study, distributions, result)
    return [
        suggest(study.ask(), request["parameters"], distributions)
        for _ in range(request["count"])
    ]


def reply(request):
    try:
        return {"id": request["id"], "configs": configurations(request)}
    except ImportError as error:
        return {"id": request["id"], "error": "%s; install it: pip install optuna" % error}
    except Exception as error:
        return {"id": request["id"], "error": "%s: %s" % (type(error).__name__, error)}


def main():
    replies = sys.stdout
    sys.stdout = sys.stderr  # a print of a library must not appear among the replies
    for line in sys.stdin:
        replies.write(json.dumps(reply(json.loads(line))) + "\n")
        replies.flush()


if __name__ == "__main__":
    main()
