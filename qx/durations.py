"""Durations as settings hold them: seconds, written as a number or such as ``300ms``, ``1.5s``, ``7d``."""

from __future__ import annotations

import re
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, WithJsonSchema

_DURATION = re.compile(r"\s*(\d{1,12}(?:\.\d{1,9})?)\s*(ms|s|m|h|d|w)\s*", re.ASCII)
_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0, "w": 604800.0}


def seconds(item: object) -> object:
    """Turn ``1.5s``, ``300ms``, ``7d`` or a number into seconds; anything else is pydantic's to refuse."""
    if isinstance(item, str):
        if match := _DURATION.fullmatch(item):
            return float(match[1]) * _UNITS[match[2]]
        raise ValueError("a duration is a number of seconds or such as 300ms, 1.5s, 10m, 2h, 7d")
    return item


_DURATION_SCHEMA: dict[str, Any] = {
    "anyOf": [
        {"type": "number", "exclusiveMinimum": 0},
        {"type": "string", "pattern": r"^\s*\d+(\.\d+)?\s*(ms|s|m|h|d|w)\s*$", "examples": ["300ms", "1.5s", "7d"]},
    ]
}
Duration = Annotated[
    float,
    BeforeValidator(seconds),
    Field(gt=0, le=3650 * 86400, allow_inf_nan=False),
    WithJsonSchema(_DURATION_SCHEMA, mode="validation"),
]
"""Seconds, ten years at most; written as a number or such as ``300ms``, ``1.5s``, ``7d``."""
Wait = Annotated[Duration, Field(le=86400)]
"""A ``Duration`` that somebody waits for: a day at most."""
