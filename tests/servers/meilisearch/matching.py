"""How Meilisearch matches and orders: every word, dropped one after the other; then its ranking rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from heapq import nsmallest
from itertools import pairwise
from typing import Any

from servers.meilisearch.text import QueryText, Term

Positions = Mapping[str, Sequence[int]]
FAR = 8


class Words:
    """The inverted index of one Meilisearch index.

    Attributes:
        postings: Word -> document -> (rank of the attribute, position), the best place of it.
        texts: Document -> attribute's rank -> its words.
    """

    def __init__(self) -> None:
        self.postings: dict[str, dict[int, tuple[int, int]]] = {}
        self.texts: dict[int, list[list[str]]] = {}
        self._sorted: list[str] | None = None

    def add(self, document: int, texts: Sequence[Sequence[str]]) -> None:
        self.texts[document] = [list(text) for text in texts]
        for attribute, text in enumerate(texts):
            for position, word in enumerate(text):
                self.postings.setdefault(word, {}).setdefault(document, (attribute, position))
        self._sorted = None

    def remove(self, document: int) -> None:
        for text in self.texts.pop(document, ()):
            for word in text:
                self.postings.get(word, {}).pop(document, None)

    def beginning(self, prefix: str) -> Iterable[str]:
        from bisect import bisect_left

        if self._sorted is None:
            self._sorted = sorted(self.postings)
        at = bisect_left(self._sorted, prefix)
        while at < len(self._sorted) and self._sorted[at].startswith(prefix):
            yield self._sorted[at]
            at += 1

    def find(self, term: Term, attributes: frozenset[int] | None) -> dict[int, tuple[int, int, int]]:
        """Return document -> (attribute, position, 0 for the word itself or 1 for a longer one)."""
        if term.phrase:
            return self._phrase(term.words, attributes)
        found: dict[int, tuple[int, int, int]] = {}
        (word,) = term.words
        for form in self.beginning(word) if term.prefix else (word,):
            for document, place in self.postings.get(form, {}).items():
                at = place if attributes is None else self._place(document, form, attributes)
                if at is not None:
                    better = (*at, int(form != word))
                    found[document] = min(found.get(document, better), better, key=lambda p: (p[2], p))
        return found

    def _place(self, document: int, word: str, attributes: frozenset[int]) -> tuple[int, int] | None:
        for attribute in sorted(attributes):
            if word in (text := self.texts[document][attribute]):
                return attribute, text.index(word)
        return None

    def _phrase(self, words: Sequence[str], attributes: frozenset[int] | None) -> dict[int, tuple[int, int, int]]:
        rarest = min((self.postings.get(word, {}) for word in words), key=len)
        found: dict[int, tuple[int, int, int]] = {}
        for document in rarest:
            for attribute, text in enumerate(self.texts[document]):
                if attributes is not None and attribute not in attributes:
                    continue
                at = next((i for i in range(len(text)) if text[i : i + len(words)] == list(words)), None)
                if at is not None:
                    found[document] = (attribute, at, 0)
                    break
        return found


def matched(
    words: Words, query: QueryText, strategy: str, universe: set[int], attributes: frozenset[int] | None
) -> list[tuple[set[int], list[Mapping[int, tuple[int, int, int]]]]]:
    """Return the buckets of the rule ``words``: documents, and where they hold the terms that counted for them."""
    excluded = {d for term in query.excluded for d in words.find(term, attributes)}
    universe = universe - excluded
    found = [words.find(term, attributes) for term in query.terms]
    if not found:
        return [(universe, [])]
    buckets: list[tuple[set[int], list[Mapping[int, tuple[int, int, int]]]]] = []
    seen: set[int] = set()
    for kept in _removals(query, found, strategy):
        lists = [found[i] for i in kept]
        smallest = min(lists, key=len)
        documents = {d for d in smallest if d in universe and d not in seen and all(d in found for found in lists)}
        seen |= documents
        buckets.append((documents, lists))
    return buckets


def _removals(query: QueryText, found: Sequence[Mapping[int, Any]], strategy: str) -> list[list[int]]:
    """Which terms must match, first all of them, then fewer; phrases always must."""
    every = list(range(len(found)))
    loose = [i for i in every if not query.terms[i].phrase]
    if strategy == "all":
        return [every]
    if strategy == "last":
        groups = [[i] for i in reversed(loose)]
    else:
        groups = []
        counts = {i: len(found[i]) or 10**9 for i in loose}
        for count in sorted(set(counts.values()), reverse=True):
            groups.append([i for i in loose if counts[i] == count])
    if len(loose) == len(every) and groups:
        groups.pop()
    kept, rounds = set(every), [every]
    for group in groups:
        kept -= set(group)
        rounds.append(sorted(kept))
    return rounds


def ordered(
    words: Words,
    bucket: set[int],
    lists: Sequence[Mapping[int, tuple[int, int, int]]],
    most: int,
    query: QueryText,
) -> list[int]:
    """Return the first ``most`` documents of a bucket by proximity, attribute, position and exactness."""
    names = [term.words[0] for term in query.terms[: len(lists)]]

    def key(document: int) -> tuple[Any, ...]:
        places = [found[document] for found in lists]
        near = _distance(words.texts[document], names) if len(places) > 1 and len(bucket) < 3000 else 0
        attribute = sum(p[0] for p in places)
        position = sum(p[1] for p in places)
        return near, attribute, position, sum(p[2] for p in places), document

    return nsmallest(most, bucket, key=key)


def _distance(texts: Sequence[Sequence[str]], names: Sequence[str]) -> int:
    total = 0
    for left, right in pairwise(names):
        best = FAR
        for text in texts:
            starts = [i for i, word in enumerate(text) if word.startswith(left)]
            ends = [i for i, word in enumerate(text) if word.startswith(right)]
            for i in starts:
                for j in ends:
                    apart = j - i if j > i else i - j + 1
                    best = min(best, apart)
        total += best
    return total
