"""Presets: the APIs that are described already, one YAML file each, and how a profile's own keys go over them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, cast

from qx.registry import suggest

_PACKAGE = "qx.builtin.web"


def preset_names() -> tuple[str, ...]:
    """Return the names of the presets, sorted."""
    folder = files(_PACKAGE) / "presets"
    return tuple(sorted(entry.name.removesuffix(".yaml") for entry in folder.iterdir() if entry.name.endswith(".yaml")))


@cache
def preset(name: str) -> Mapping[str, Any]:
    """Return the settings that a preset stands for.

    Raises:
        ValueError: there is none of that name; the text has the nearest one.
    """
    known = preset_names()
    if name not in known:
        raise ValueError(f"there is no preset {name[:80]!r} ({suggest(name, known) or 'known: ' + ', '.join(known)})")
    import yaml

    text = (files(_PACKAGE) / "presets" / f"{name}.yaml").read_text("utf-8")
    return cast("Mapping[str, Any]", yaml.safe_load(text))


def over(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """Return ``below`` with the keys of ``above`` over it, mapping by mapping; null takes a key away."""
    merged = dict(below)
    for key, item in above.items():
        lower = merged.get(key)
        if item is None:
            merged.pop(key, None)
        elif isinstance(item, Mapping) and isinstance(lower, Mapping):
            merged[key] = over(cast("Mapping[str, Any]", lower), cast("Mapping[str, Any]", item))
        else:
            merged[key] = item
    return merged
