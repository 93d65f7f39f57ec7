"""What a vague reference may mean, by the names in the first hits: 特斯拉最近那个车 where they speak of the Model Y.

A name that two of the first hits have in their titles is put into the query as a conversation that names it would
(``qx.rules.standalone``).  It is a reading beside the query, which stays: nobody has said that it is meant.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

from qx.rules.terms import plain
from qx.types import Hit, Query, Turn, Understanding

NAMED = frozenset({"product", "model-number", "model", "category"})
"""Types of entities that a reference like "the new one" may mean."""
LEAST, MOST = 2, 2
"""Hits that must name a thing, and things that are tried."""


def readings(
    query: Query, understanding: Understanding, hits: Sequence[Hit], read: Callable[[Query], Understanding]
) -> tuple[tuple[str, str], ...]:
    """Return (name, the query with the name in the place of the reference), the most frequent name first.

    Args:
        query: The query as typed.
        understanding: Its analysis; only a vague one that nothing has resolved has readings.
        hits: The first hits.
        read: Reads a query by rules.
    """
    if understanding.kind != "vague" or understanding.standalone or query.history:
        return ()
    held: Counter[str] = Counter()
    shown: dict[str, str] = {}
    for hit in hits:
        found = read(Query(text=hit.title)).entities if hit.title else ()
        for name in dict.fromkeys(_beside(query.text, e.text) for e in found if e.type in NAMED):
            if name:
                held[plain(name)] += 1
                shown.setdefault(plain(name), name)
    names = [shown[name] for name, count in held.most_common() if count >= LEAST][:MOST]
    meant = [(name, read(replace(query, history=(Turn(role="user", content=name),))).standalone) for name in names]
    return tuple((name, text) for name, text in meant if text)


def _beside(text: str, name: str) -> str:
    """The words of a name that a query lacks: of 小米 SU7 the SU7 beside 小米最近那个车."""
    said = plain(text)
    return " ".join(word for word in name.split() if plain(word) not in said)


__all__ = ["readings"]
