"""qx: the query-understanding layer between people and search engines.

The public names are imported on first use, so that ``import qx`` costs next to nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from qx.combinators import fan_out, recover, then
    from qx.context import Context, Step
    from qx.engine import Engine, Steps
    from qx.engines import Engines
    from qx.errors import QxError
    from qx.fetch import FetchLimits, Page
    from qx.filters import And, Compare, Exists, Filter, Not, Or
    from qx.hookspecs import Contribution, hookimpl
    from qx.operation import Operation, Principal
    from qx.profiles import load_profile
    from qx.serial import from_json, to_json
    from qx.settings import Profile
    from qx.types import (
        Constraint,
        Entity,
        Expansion,
        Hit,
        Query,
        SearchResult,
        Sentiment,
        SortBy,
        SubQuery,
        Turn,
        Understanding,
        Understood,
        Usage,
    )

_PLACES = {
    "And": "qx.filters",
    "Compare": "qx.filters",
    "Constraint": "qx.types",
    "Context": "qx.context",
    "Contribution": "qx.hookspecs",
    "Engine": "qx.engine",
    "Engines": "qx.engines",
    "Entity": "qx.types",
    "Exists": "qx.filters",
    "Expansion": "qx.types",
    "FetchLimits": "qx.fetch",
    "Filter": "qx.filters",
    "Hit": "qx.types",
    "Not": "qx.filters",
    "Operation": "qx.operation",
    "Or": "qx.filters",
    "Page": "qx.fetch",
    "Principal": "qx.operation",
    "Profile": "qx.settings",
    "Query": "qx.types",
    "QxError": "qx.errors",
    "SearchResult": "qx.types",
    "Sentiment": "qx.types",
    "SortBy": "qx.types",
    "Step": "qx.context",
    "Steps": "qx.engine",
    "SubQuery": "qx.types",
    "Turn": "qx.types",
    "Understanding": "qx.types",
    "Understood": "qx.types",
    "Usage": "qx.types",
    "fan_out": "qx.combinators",
    "from_json": "qx.serial",
    "hookimpl": "qx.hookspecs",
    "load_profile": "qx.profiles",
    "recover": "qx.combinators",
    "then": "qx.combinators",
    "to_json": "qx.serial",
}

__all__ = [
    "And",
    "Compare",
    "Constraint",
    "Context",
    "Contribution",
    "Engine",
    "Engines",
    "Entity",
    "Exists",
    "Expansion",
    "FetchLimits",
    "Filter",
    "Hit",
    "Not",
    "Operation",
    "Or",
    "Page",
    "Principal",
    "Profile",
    "Query",
    "QxError",
    "SearchResult",
    "Sentiment",
    "SortBy",
    "Step",
    "Steps",
    "SubQuery",
    "Turn",
    "Understanding",
    "Understood",
    "Usage",
    "fan_out",
    "from_json",
    "hookimpl",
    "load_profile",
    "recover",
    "then",
    "to_json",
]


def __getattr__(name: str) -> Any:
    if name in _PLACES:
        import importlib

        found = getattr(importlib.import_module(_PLACES[name]), name)
        globals()[name] = found
        return found
    if name == "__version__":
        from importlib.metadata import version

        return version("qx-query")
    raise AttributeError(f"module 'qx' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
