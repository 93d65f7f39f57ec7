"""The word lists that ship with qx (``qx/text/data``): one entry a line, ``#`` begins a comment."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def load(name: str) -> tuple[str, ...]:
    """Return the entries of the list ``name`` in the order of the file.

    Args:
        name: File name without ``.txt``: ``stopwords_zh``, ``stopwords_en``, ``words_zh``, ``words_en``...

    Raises:
        FileNotFoundError: there is no such list.
    """
    text = (files("qx.text") / "data" / f"{name}.txt").read_text(encoding="utf-8")
    entries: list[str] = []
    for line in text.splitlines():
        entries.extend(line.split("#", 1)[0].split() if not line.startswith("=") else [line[1:].strip()])
    return tuple(dict.fromkeys(entries))


@cache
def load_set(name: str) -> frozenset[str]:
    """Return the entries of the list ``name`` as a set."""
    return frozenset(load(name))
