"""The package elastune on a system that cannot start Elastune: see _launcher."""

from typing import Any


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    from elastune import _launcher

    raise ImportError(_launcher.refusal())
