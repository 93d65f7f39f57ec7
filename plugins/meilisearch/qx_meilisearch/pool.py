"""Puts the lists of one request together: one list, the documents with more and rarer of the words first.

Meilisearch gives no score that compares between queries, so a document's score is the sum of the weights of the words
that it is known to hold: the inverse document frequency of BM25 (Robertson and Zaragoza 2009, section 3.1), from the
counts that come with the lists, slightly less for hits further down.  A list ends at its depth, so the texts that came
with the hits are looked at too: a word in the title counts most.  The order in full (frequencies within documents,
lengths) is the core's, by ``rerank``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from qx.serial import value
from qx_meilisearch.documents import Layout, at
from qx_meilisearch.plan import Lookup

_PLACE = 0.2
"""Share of a word's weight that is lost at the end of its list."""
_TITLE, _TEXT = 1.5, 1.0
"""What a word counts that stands in the title, or in the text; one that is only like the document's counts 1 or less."""
_WHOLE = 0.3
"""Share of all words' weight that the first hit of the whole query gets on top."""
_NAMED = 100.0
"""What the id of a document counts, as a share of all words' weight: more than all of them."""


@value
class Listed:
    """What one query of the multi-search brought.

    Attributes:
        lookup: The query.
        hits: Documents as they are stored, best first, with what they must hold already checked.
        total: How many match, as Meilisearch estimates.
        complete: Whether ``hits`` are all of them.
    """

    lookup: Lookup
    hits: Sequence[Mapping[str, object]]
    total: int
    complete: bool


@value
class Pooled:
    """``keys`` best first; ``documents`` by key; ``total`` where every list was read to its end."""

    keys: tuple[str, ...]
    scores: tuple[float, ...]
    documents: Mapping[str, Mapping[str, object]]
    total: int | None


def frequencies(lists: Sequence[Listed]) -> dict[str, int]:
    """Return the document frequency of every word that was asked for alone."""
    return {found.lookup.words[0]: found.total for found in lists if _alone(found)}


def pool(lists: Sequence[Listed], layout: Layout, documents: int, vector_share: float) -> Pooled:
    """Merge lists.

    Args:
        lists: Those of one request.
        layout: Where the documents keep their titles and texts.
        documents: How many there are in the index; 0: not known.
        vector_share: Weight of a list by vectors, as a share of all words' weight.
    """
    held: dict[str, dict[str, float]] = {}
    extra: dict[str, float] = {}
    best: dict[str, tuple[int, int]] = {}
    stored: dict[str, Mapping[str, object]] = {}
    known = frequencies(lists)
    size = max([documents, *known.values(), 1])
    weights = {word: _weight(count, size) for word, count in known.items()}
    whole = sum(weights.values()) or 1.0
    for number, found in enumerate(lists):
        for rank, hit in enumerate(found.hits):
            name = str(hit.get(layout.key))
            if name not in stored:
                stored[name] = hit
                held[name] = _seen(hit, layout, weights)
            best[name] = min(best.get(name, (rank, number)), (rank, number))
            words = held[name]
            share = 1.0 - _PLACE * rank / max(1, len(found.hits))
            for word in found.lookup.words:
                words[word] = max(words.get(word, 0.0), weights.get(word, 1.0) * (share if _alone(found) else 1.0))
            if found.lookup.kind in ("whole", "browse"):
                extra[name] = extra.get(name, 0.0) + _WHOLE * whole * 10 / (10 + rank)
            elif found.lookup.kind == "named":
                extra[name] = extra.get(name, 0.0) + _NAMED * whole
            elif found.lookup.kind == "vector":
                extra[name] = extra.get(name, 0.0) + vector_share * whole * 10 / (10 + rank)
    scores = {name: sum(words.values()) + extra.get(name, 0.0) for name, words in held.items()}
    keys = sorted(scores, key=lambda name: (-scores[name], best[name], name))
    return Pooled(
        keys=tuple(keys),
        scores=tuple(scores[name] for name in keys),
        documents=stored,
        total=len(keys) if all(found.complete for found in lists) else _only(lists),
    )


def _seen(hit: Mapping[str, object], layout: Layout, weights: Mapping[str, float]) -> dict[str, float]:
    """The weights of the words that stand in the title or the text."""
    title = str(at(hit, layout.title) or "").casefold()
    text = str(at(hit, layout.text) or "").casefold()
    return {w: weight * (_TITLE if w in title else _TEXT) for w, weight in weights.items() if w in title or w in text}


def _only(lists: Sequence[Listed]) -> int | None:
    """The estimate of the one list by words that there is, and what is called by its id besides."""
    by_words = [found for found in lists if found.lookup.kind != "named"]
    if len(by_words) != 1 or by_words[0].lookup.check:
        return None
    seen = by_words[0].hits
    return by_words[0].total + sum(
        hit not in seen for found in lists if found.lookup.kind == "named" for hit in found.hits
    )


def _alone(found: Listed) -> bool:
    return found.lookup.kind in ("word", "count") and len(found.lookup.words) == 1


def _weight(count: int, size: int) -> float:
    return math.log(1 + (size - count + 0.5) / (count + 0.5))
