"""Methods that are not qx's own, over the same understanding, filters, engines and model: what expansion is held against.

================================  =====================================================================================
``bm25``                          the raw query: no expansion
``rm3`` (``rm3.py``)              pseudo-relevance feedback: the yardstick of query expansion without a model
``querygym:METHOD``               a method of the package QueryGym, with the profile's model (``querygym.py``)
================================  =====================================================================================

Each replaces steps of an engine: ``Engine.open(profile, steps=steps("rm3"))``.
"""

from __future__ import annotations

from collections.abc import Callable

from qx.engine import Steps
from qx.errors import UsageError
from qx.eval.baselines.second_query import replacing

QUERYGYM = "querygym:"


def names() -> tuple[str, ...]:
    """Return the names that ``steps`` knows; QueryGym's methods where it is installed."""
    from qx.eval.baselines import querygym

    return ("bm25", "rm3", *(f"{QUERYGYM}{method}" for method in querygym.methods()))


def steps(name: str) -> Callable[[Steps], Steps]:
    """Return what replaces an engine's steps, so that it works by a baseline.

    Raises:
        UsageError: there is no baseline of that name, or QueryGym is not installed.
    """
    if name == "bm25":
        return replacing(None)
    if name == "rm3":
        from qx.eval.baselines.rm3 import RM3

        return replacing(RM3())
    if name.startswith(QUERYGYM):
        from qx.eval.baselines.querygym import QueryGym

        return replacing(QueryGym.named(name.removeprefix(QUERYGYM)))
    from qx.registry import suggest

    near = suggest(name, names())
    raise UsageError(f"there is no baseline {name!r}{f' ({near})' if near else ''}; known: {', '.join(names())}")


__all__ = ["QUERYGYM", "names", "steps"]
