"""Literal words in a query line: the same for what a person typed and for what was generated.

A word that the engine would take for syntax is put in quotes; quotes and parentheses, which no engine escapes, become
blanks (the inch of ``27"`` stays).
"""

from __future__ import annotations

import re

from qx.syntax.dialects import Dialect
from qx.syntax.parser import parse
from qx.syntax.tree import Terms

_MARKS = re.compile(r'(?:(?<![0-9])"|"(?!\Z)|[“”„「」『』()（）])+')
_ANY_QUOTE = re.compile(r'["“”„「」『』]+')


def escaped(word: str, dialect: Dialect) -> list[str]:
    """Return the pieces that stand for a literal word in the dialect's query line; none where nothing is left of it."""
    if not dialect.phrase or (word.isalnum() and not word.isupper()):  # nothing to protect, nearly always
        return [word]
    return [_protected(piece, dialect) for piece in _MARKS.sub(" ", word).split()]


def sayable(word: str, dialect: Dialect) -> bool:
    """Return whether anything of a literal word is left in the dialect's query line."""
    return not dialect.phrase or bool(_MARKS.sub("", word).strip())


def quoted(text: str) -> str:
    """Return ``text`` as a phrase in quotes; empty where nothing is left of it."""
    inner = " ".join(_ANY_QUOTE.sub(" ", text).split())
    return f'"{inner}"' if inner else ""


def _protected(piece: str, dialect: Dialect) -> str:
    marks = {mark for mark in (dialect.either, dialect.both, "AND", "OR", "NOT") if mark}
    operator = piece in marks or (len(piece) > 1 and piece[0] in "-－+~")
    alternative = dialect.either if dialect.either and not dialect.either.isalpha() else None
    if operator or (alternative and alternative in piece) or parse(piece) != Terms(words=(piece,)):
        return quoted(piece) or piece
    return piece
