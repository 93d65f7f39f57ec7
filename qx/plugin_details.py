"""What one plugin brings, down to its settings: ``qx plugins info NAME``."""

from __future__ import annotations

import inspect
from typing import Any

from pydantic import BaseModel

from qx.errors import QxError, UsageError
from qx.names import normal
from qx.options import Option, options
from qx.plugins import PluginInfo, Plugins
from qx.registry import suggest
from qx.serial import value


@value
class ContributionDetails:
    """One name that a plugin brings.

    Attributes:
        kind, name: The registry, and the name that a profile chooses it by.
        target: Where it is: ``package.module:attribute``, or a data file.
        summary: The first sentence of its documentation.
        options: The keys of its settings.
        problem: Why it cannot be used; "" where it can.
    """

    kind: str
    name: str
    target: str = ""
    summary: str = ""
    options: tuple[Option, ...] = ()
    problem: str = ""


@value
class PluginDetails:
    """One plugin: its line of ``qx plugins``, and each of its contributions."""

    plugin: PluginInfo
    contributions: tuple[ContributionDetails, ...] = ()


def find(plugins: Plugins, name: str) -> tuple[PluginInfo, ...]:
    """Return the plugins called ``name``, by entry point or distribution; built-in ones are called ``qx``.

    Raises:
        UsageError: there is none; with the nearest name.
    """
    report = plugins.report()
    wanted = normal(name)
    found = tuple(one for one in report if wanted in (normal(one.name), normal(one.origin)))
    if not found:
        known = {label for one in report for label in (one.name, one.origin) if label != "built in"}
        raise UsageError(f"no plugin is called {name!r} ({suggest(name, known) or 'see `qx plugins`'})")
    return found


def details(plugins: Plugins, name: str) -> tuple[PluginDetails, ...]:
    """Return what the plugins called ``name`` bring; each contribution is imported.

    Raises:
        UsageError: there is none.
    """
    return tuple(
        PluginDetails(plugin=one, contributions=tuple(_contribution(plugins, said) for said in one.contributions))
        for one in find(plugins, name)
    )


def _contribution(plugins: Plugins, said: str) -> ContributionDetails:
    kind, _, name = said.partition(":")
    registry = plugins.registry(kind)
    try:
        target = registry.target(name)
        found = registry.get(name)
    except QxError as error:
        return ContributionDetails(kind=kind, name=name, problem=str(error))
    settings: object = getattr(found, "Settings", None)
    model = settings if inspect.isclass(settings) and issubclass(settings, BaseModel) else None
    return ContributionDetails(
        kind=kind,
        name=name,
        target=target,
        summary=_summary(found),
        options=() if model is None else _options(kind, model),
        problem="" if model is not None or kind not in FACTORIES else "it has no `Settings`, so no engine can make it",
    )


FACTORIES = frozenset(
    ("llm_providers", "embedders", "backends", "fusions", "processors", "caches", "observers", "fetchers", "describers")
)
"""Kinds whose target is a class with ``Settings`` and ``create``."""
_OF_THE_CORE = {"backends": ("name",)}


def _options(kind: str, settings: type[BaseModel]) -> tuple[Option, ...]:
    """The keys that people write; what the core sets is not among them."""
    return tuple(option for option in options(settings) if option.key not in _OF_THE_CORE.get(kind, ()))


def _summary(found: Any) -> str:
    """The first paragraph of what a class says of itself, of a command its help, of a pack its intents."""
    if hasattr(found, "get_short_help_str"):
        return str(found.get_short_help_str(200))
    taxonomy = getattr(found, "taxonomy", found)
    if intents := getattr(taxonomy, "intents", None):
        return "intents: " + ", ".join(dict.fromkeys(intent.id for intent in intents))
    text = inspect.getdoc(found) if inspect.isclass(found) or inspect.isroutine(found) else None
    return " ".join((text or "").split("\n\n")[0].split()).replace("``", "`")


__all__ = ["FACTORIES", "ContributionDetails", "PluginDetails", "details", "find"]
