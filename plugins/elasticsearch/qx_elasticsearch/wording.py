"""Words as Elasticsearch will cut them: what has anything to look for, how many clauses it takes, and the cap on them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator

from qx.syntax.tree import (
    NOTHING,
    And,
    Expression,
    Field,
    Not,
    Or,
    Phrase,
    Terms,
    conjunction,
    disjunction,
)
from qx_elasticsearch.values import readable

CLAUSES = 1000
"""Clauses of one query at most: Elasticsearch's own limit is 1,024 or more (``maxClauseCount``, by its memory)."""

_CJK = (
    "\u2e80-\u2fdf\u3005-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
_PIECE = re.compile(rf"[{_CJK}]|[^\W_{_CJK}]+(?:['’.][^\W_{_CJK}]+)*|[^\w\s]")


def pieces(word: str) -> list[str]:
    """Return the parts of a word that are looked for singly: each CJK character, each run of letters and digits."""
    return [piece for piece in _PIECE.findall(word) if _sayable(piece)]


def pruned(expression: Expression) -> Expression:
    """Return ``expression`` without what holds no letter, digit or pictogram; alternatives of words become one run."""
    if isinstance(expression, Terms):
        words = (readable(word) for word in expression.words)  # a word said twice weighs twice
        return Terms(words=tuple(word for word in words if pieces(word)))
    if isinstance(expression, Phrase):
        text = readable(expression.text)
        return Phrase(text=text) if pieces(text) else NOTHING
    if isinstance(expression, And):
        return conjunction([pruned(part) for part in expression.parts])
    if isinstance(expression, Or):
        return _alternatives(disjunction([pruned(part) for part in expression.parts]))
    if isinstance(expression, (Not, Field)):
        inner = pruned(expression.expression)
        if inner == NOTHING:
            return NOTHING
        return Not(expression=inner) if isinstance(expression, Not) else Field(name=expression.name, expression=inner)
    return expression


def _alternatives(expression: Expression) -> Expression:
    """Any of some words or any of others is any of all of them."""
    if not isinstance(expression, Or):
        return expression
    words = dict.fromkeys(w for part in expression.parts if isinstance(part, Terms) for w in part.words)
    others = [part for part in expression.parts if not isinstance(part, Terms) and part != NOTHING]
    return disjunction([Terms(words=tuple(words)), *others]) if words else disjunction(others)


def capped(expression: Expression, clauses: int) -> tuple[Expression, int]:
    """Return ``expression`` with at most ``clauses`` words, each run of words keeping its first ones, each once.

    Returns:
        The expression, and how many words it lost.
    """
    if sum(_cost(run) for run in _runs(expression)) <= clauses:
        return expression, 0
    expression = _mapped(expression, lambda run: Terms(words=tuple(dict.fromkeys(run.words))))
    runs = list(_runs(expression))
    share = max(1, clauses // len(runs))
    spare = clauses - sum(min(_cost(run), share) for run in runs)
    lost = 0
    left = clauses

    def cut(run: Terms) -> Terms:
        nonlocal spare, lost, left
        more = min(spare, max(0, _cost(run) - share))
        spare -= more
        kept = _cut(run, min(share + more, left))
        left -= _cost(kept)
        lost += len(run.words) - len(kept.words)
        return kept

    return _mapped(expression, cut), lost


def _cut(run: Terms, clauses: int) -> Terms:
    kept: list[str] = []
    for word in run.words:
        size = len(pieces(word))
        if size > clauses:
            if clauses:
                kept.append("".join(pieces(word)[:clauses]))  # a run of CJK: its beginning
            break
        kept.append(word)
        clauses -= size
    return Terms(words=tuple(kept))


def _runs(expression: Expression) -> Iterator[Terms]:
    if isinstance(expression, Terms):
        yield expression
    elif isinstance(expression, (And, Or)):
        for part in expression.parts:
            yield from _runs(part)
    elif isinstance(expression, (Not, Field)):
        yield from _runs(expression.expression)


def _mapped(expression: Expression, change: Callable[[Terms], Terms]) -> Expression:
    if isinstance(expression, Terms):
        return change(expression)
    if isinstance(expression, And):
        return conjunction([_mapped(part, change) for part in expression.parts])
    if isinstance(expression, Or):
        return disjunction([p for part in expression.parts if (p := _mapped(part, change)) != NOTHING])
    if isinstance(expression, Not):
        inner = _mapped(expression.expression, change)
        return NOTHING if inner == NOTHING else Not(expression=inner)
    if isinstance(expression, Field):
        inner = _mapped(expression.expression, change)
        return NOTHING if inner == NOTHING else Field(name=expression.name, expression=inner)
    return expression


def _cost(run: Terms) -> int:
    return sum(len(pieces(word)) for word in run.words)


def _sayable(piece: str) -> bool:
    return any(char.isalnum() or unicodedata.category(char) == "So" for char in piece)
