"""qx: the query-understanding layer between people and search engines.

The public names are imported on first use, so that ``import qx`` costs next to nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from qx.combinators import fan_out, recover, then
    from qx.context import Context, Step
    from qx.engine import Engine, Steps
    from qx.errors import QxError
    from qx.hookspecs import Contribution, hookimpl
    from qx.profiles import load_profile
    from qx.settings import Profile
    from qx.types import (
        Constraint,
        Entity,
        Expansion,
        Query,
        Sentiment,
        SubQuery,
        Turn,
        Understanding,
        Understood,
        Usage,
    )

_PLACES = {
    "Constraint": "qx.types",
    "Context": "qx.context",
    "Contribution": "qx.hookspecs",
    "Engine": "qx.engine",
    "Entity": "qx.types",
    "Expansion": "qx.types",
    "Profile": "qx.settings",
    "Query": "qx.types",
    "QxError": "qx.errors",
    "Sentiment": "qx.types",
    "Step": "qx.context",
    "Steps": "qx.engine",
    "SubQuery": "qx.types",
    "Turn": "qx.types",
    "Understanding": "qx.types",
    "Understood": "qx.types",
    "Usage": "qx.types",
    "fan_out": "qx.combinators",
    "hookimpl": "qx.hookspecs",
    "load_profile": "qx.profiles",
    "recover": "qx.combinators",
    "then": "qx.combinators",
}

__all__ = [
    "Constraint",
    "Context",
    "Contribution",
    "Engine",
    "Entity",
    "Expansion",
    "Profile",
    "Query",
    "QxError",
    "Sentiment",
    "Step",
    "Steps",
    "SubQuery",
    "Turn",
    "Understanding",
    "Understood",
    "Usage",
    "fan_out",
    "hookimpl",
    "load_profile",
    "recover",
    "then",
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
