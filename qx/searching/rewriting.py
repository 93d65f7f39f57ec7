"""The profile's rules for single queries: replace, add, pin, block.  Applied before everything else."""

from __future__ import annotations

import re
from collections.abc import Sequence

from qx.ranking import Ranking
from qx.serial import replace, value
from qx.settings import RewriteRule
from qx.text.normalise import fold
from qx.text.segment import WORD_BEGINS, WORD_ENDS
from qx.types import Expansion, Hit, Query, SubQuery


@value
class Rewritten:
    """A query after its rules.

    Attributes:
        query: It, with what was replaced.
        typed: Its text before.
        add: Queries to run besides.
        pin, block: Ids, for a search.
        notes: Which rules applied.
        wording: Those of them that replaced or added.
    """

    query: Query
    typed: str
    add: tuple[str, ...] = ()
    pin: tuple[str, ...] = ()
    block: frozenset[str] = frozenset()
    notes: tuple[str, ...] = ()
    wording: tuple[str, ...] = ()


def rewrite(query: Query, rules: Sequence[RewriteRule]) -> Rewritten:
    """Apply the rules whose words are in ``query``, in their order; each sees what the ones before it left."""
    text = query.text
    add: list[str] = []
    pin: list[str] = []
    block: set[str] = set()
    notes: list[str] = []
    wording: list[str] = []
    for rule in rules:
        found = _pattern(rule.match).search(_even(text))
        if found is None:
            continue
        if rule.replace is not None:
            text = " ".join((text[: found.start()] + rule.replace + text[found.end() :]).split())
        add += rule.add
        pin += rule.pin
        block |= set(rule.block)
        notes.append(f"rule for {rule.match!r}: " + ", ".join(_said(rule)))
        if rule.replace is not None or rule.add:
            wording.append(notes[-1])
    return Rewritten(
        query=query if text == query.text else replace(query, text=text),
        typed=query.text,
        add=tuple(add),
        pin=tuple(dict.fromkeys(pin)),
        block=frozenset(block),
        notes=tuple(notes),
        wording=tuple(wording),
    )


def ruled(expansion: Expansion, rewritten: Rewritten) -> Expansion:
    """Return the expansion of a rewritten query as that of the query as typed, with what the rules add."""
    more = tuple(SubQuery(text=text, strategy="rule", weight=0.9, why="rule of the profile") for text in rewritten.add)
    if not rewritten.wording:
        return expansion
    notes = (*rewritten.wording, *expansion.notes)
    return replace(expansion, original=rewritten.typed, queries=(*expansion.queries, *more), notes=notes)


def _said(rule: RewriteRule) -> list[str]:
    parts = [f"replaced by {rule.replace!r}"] if rule.replace is not None else []
    for verb, items in (("added", rule.add), ("pinned", rule.pin), ("blocked", rule.block)):
        parts += [f"{verb} {', '.join(items)}"] if items else []
    return parts


def _even(text: str) -> str:
    """Fold case and width one code point at a time, so that places stay."""
    return "".join(one if len(one := fold(c) or c) == 1 else c for c in text)


def _pattern(match: str) -> re.Pattern[str]:
    """The words of ``match`` with any space between; Latin words end at word borders."""
    words = r"\s+".join(re.escape(word) for word in _even(match).split())
    before = WORD_BEGINS if match[:1].isascii() and match[:1].isalnum() else ""
    after = WORD_ENDS if match[-1:].isascii() and match[-1:].isalnum() else ""
    return re.compile(f"{before}{words}{after}" if words else r"(?!)")


def arrange(ranking: Ranking, rewritten: Rewritten) -> Ranking:
    """Take out what is blocked, and put what is pinned first, as far as it was found."""
    if not rewritten.pin and not rewritten.block:
        return ranking
    hits: list[Hit] = [ranking.hit(index) for index in range(len(ranking.keys))]
    allowed = [i for i, hit in enumerate(hits) if hit.id not in rewritten.block]
    place = {hits[i].id: i for i in reversed(allowed)}
    first = [place[id] for id in rewritten.pin if id in place]
    order = [*first, *(i for i in allowed if i not in set(first))]
    scores = sorted((ranking.scores[i] for i in order), reverse=True)
    dropped = tuple((ranking.keys[i], "blocked by a rule") for i in range(len(hits)) if i not in set(allowed))
    arranged = ranking.pick(order, scores)
    return replace(arranged, dropped=(*arranged.dropped, *dropped))
