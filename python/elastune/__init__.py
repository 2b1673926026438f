"""Elastune in scripts and notebooks.

    import elastune

    plan = elastune.plan("job.yaml", deadline="2h")
    plan.frontier()
    run = plan.run()
    run.trials()

Each call starts one process of the command, and returns what it prints with --json. See docs/python.md.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from elastune._api import Estimate, Frontier, Plan, Run, estimate, plan, profile, run, runs
    from elastune._command import ElastuneError, Problem

__all__ = ["ElastuneError", "Estimate", "Frontier", "Plan", "Problem", "Run", "estimate", "plan", "profile", "run", "runs"]


def __getattr__(name: str) -> Any:
    # The command does not need these modules, whose import would delay its start.
    if name in __all__:
        from elastune import _api, _command

        return getattr(_command if hasattr(_command, name) else _api, name)
    raise AttributeError(f"module 'elastune' has no attribute '{name}'")
