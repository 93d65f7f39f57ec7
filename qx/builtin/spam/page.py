"""A hit as detectors see it, and the word lists that they match."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from importlib.resources import files
from typing import Any

from qx.serial import value
from qx.text.normalise import characters_simplified, fold
from qx.types import Hit
from qx.urls import host_of

CLIP = 3000
"""Code points of a text that detectors read."""


@value
class Page:
    """Title and text folded (NFKC, case, spaces, Simplified characters); ``asked`` is the query, folded likewise."""

    title: str
    text: str
    raw: str
    url: str
    host: str
    metadata: Mapping[str, object]
    asked: str = ""


Detector = Callable[[Page], str | None]


def page(hit: Hit, asked: str = "") -> Page:
    """Return ``hit`` as detectors see it; ``asked`` is the query's text."""
    return Page(
        title=compared(hit.title[:CLIP]),
        text=compared(hit.text[:CLIP]),
        raw=hit.text[:CLIP],
        url=hit.url or "",
        host=host_of(hit.url),
        metadata=hit.metadata,
        asked=compared(asked),
    )


def compared(text: str) -> str:
    """Return the form in which texts and word lists are compared."""
    return characters_simplified(fold(text))


@cache
def entries(name: str) -> tuple[str, ...]:
    """Return the entries of the list ``name``: one a line, ``#`` begins a comment."""
    text = (files("qx.builtin.spam") / "data" / f"{name}.txt").read_text(encoding="utf-8")
    lines = (line.partition("#")[0].strip() for line in text.splitlines())
    return tuple(dict.fromkeys(compared(line) for line in lines if line))


@cache
def phrases(name: str) -> re.Pattern[str]:
    """Return a pattern for any entry of the list ``name``, whole words where they are Latin."""
    longest_first = sorted(entries(name), key=lambda entry: (-len(entry), entry))
    return re.compile("|".join(rf"{_edge(e[0])}{re.escape(e)}{_edge(e[-1])}" for e in longest_first))


def _edge(character: str) -> str:
    return r"\b" if character.isascii() and character.isalnum() else ""


def found(pattern: re.Pattern[str], text: str, asked: str) -> tuple[str, ...]:
    """Return what of ``pattern`` is in ``text``, each once, without what the query asks for."""
    if _quick(pattern).search(text.encode(errors="replace")) is None:
        return ()
    return tuple(p for p in dict.fromkeys(pattern.findall(text)) if p not in asked)


@cache
def _quick(pattern: re.Pattern[str]) -> Any:
    """``pattern`` in RE2, a hundred times as fast over a text that has none of a list's entries, as most have none.

    It matches whatever ``pattern`` matches, and more: a Latin word right beside a Chinese one has an edge there, too.
    """
    module: Any = import_module("re2")  # a native library without types: loaded with the first text
    return module.compile(pattern.pattern.encode())


__all__ = ["Detector", "Page", "compared", "entries", "found", "page", "phrases"]
