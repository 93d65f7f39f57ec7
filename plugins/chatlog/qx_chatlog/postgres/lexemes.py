"""Words as the lexemes of a ``tsvector``, each behind the scope of its user; vectors as pgvector reads them."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from typing import Final

_MOST: Final = 255
_ROOM: Final = 900_000
"""Bytes of one message's lexemes: PostgreSQL takes a megabyte.  Words beyond it are kept, and not searched."""


def vector(scope: int, counted: Mapping[str, int]) -> str:
    """Return the text of the ``tsvector`` of a message.

    Args:
        counted: How often each word is in it: its lexeme has as many positions.
    """
    parts: list[str] = []
    room = _ROOM
    for word, often in counted.items():
        one = quoted(lexeme(scope, word)) + ":" + ",".join(map(str, range(1, min(often, _MOST) + 1)))
        if often > 1:
            one += " " + quoted(repeated(scope, word))
        room -= 2 * len(one.encode())
        if room < 0:
            break
        parts.append(one)
    return " ".join(parts)


def lexeme(scope: int, word: str) -> str:
    """Return the lexeme of a word."""
    return f"{scope}:{word}"


def repeated(scope: int, word: str) -> str:
    """Return the lexeme that says that a word is there more than once."""
    return f"{scope}+{word}"


def quoted(text: str) -> str:
    """Return a lexeme as ``tsvector`` and ``tsquery`` read it."""
    return "'" + text.replace("\\", "\\\\").replace("'", "''") + "'"


def spelled(vector: bytes) -> str:
    """Return a vector (float32, little endian) as pgvector reads it."""
    return "[" + ",".join(map(repr, struct.unpack(f"<{len(vector) // 4}f", vector))) + "]"
