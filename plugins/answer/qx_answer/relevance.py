"""How much passages and sentences say of a question, by its words: no model, Chinese and English alike.

    coverage(text) = sum over terms of  weight · idf · share  /  sum over terms of  weight · idf

``share`` is how much of a term the text has (``qx_answer.terms``), idf is by the sources that were read.  A sentence counts
by its own words and, half, by those of its title and of the sentence before it, which it goes on from.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from qx.serial import value
from qx.text.segment import HAN, comparable
from qx_answer.claims import Source
from qx_answer.expects import asks_amount, asks_where, counted, expects, has, tells_where
from qx_answer.sentences import spans
from qx_answer.terms import Prepared, Term, prepared, share, terms
from qx_answer.values import SAID, Expects, Passage, Sentence

OFFERED = 0.45
"""Coverage from which on a sentence is shown where nothing better is there."""
LONGEST = 480
"""Characters of a sentence that can be quoted as one."""
_WHOLE = 60_000
"""Characters of a text whose sentences are all looked for at once."""
_TYPED = 0.12
_LOOKED_AT = 0.3
_TITLED = 0.07
"""What a sentence gains where the question has the title of its source whole."""
_COUNTED = 0.5
"""Share of what is counted that a sentence must have."""
_GOES_ON = 0.3
"""Coverage that the sentence before adds from which on both are quoted."""
_UNSAID = 0.3
"""What a question, and a piece of text that is no sentence, lose against one."""
_LISTED = 4
"""Commas from which on short pieces between them are a list of keywords."""
_ITEM = re.compile(r"\s*(?:[-*•·]|\d{1,3}[.)、]|[（(]?[一二三四五六七八九十]+[）)、.])\s*\S")
_HAN_CHARACTER = re.compile(f"[{HAN}]")
_SHORTEST = 2


Shares: TypeAlias = tuple[float, ...]
"""How much of each term of a question a text has, 0..1."""


@value
class Weighed:
    """What a sentence says of a question.

    Attributes:
        joined: Whether it is quoted with the sentence before it: only that names the thing, or says of what it goes on.
        named: Whether every name is there.
        coverage, itself, asked: As of ``Sentence``.
        beside: How much it says of what its title does not.
        said: Indices of the terms that it says itself.
    """

    joined: bool
    named: bool
    coverage: float
    itself: float
    asked: float
    beside: float
    said: frozenset[int]


class Question:
    """A question that texts are measured against.

    Args:
        text: The question.
        texts: What was read, for how much each term tells.
        synonyms: Other wordings of words.
        names: What is known to be a name in it.
    """

    def __init__(
        self,
        text: str,
        texts: Sequence[Prepared],
        synonyms: Mapping[str, Sequence[tuple[str, str]]] | None = None,
        names: Sequence[str] = (),
    ) -> None:
        self.text = text
        self.terms = terms(text, synonyms, names)
        self.expects: Expects = expects(text)
        self._where = asks_where(text)
        self.asks_kind = self._where or asks_amount(text)
        """Whether nothing answers it that has no thing of the kind."""
        own = set(re.findall(r"\d+(?:\.\d+)?", text))
        self._own_numbers = re.compile(rf"(?<![\d.])(?:{'|'.join(map(re.escape, own))})(?!\.?\d)") if own else None
        self.counted = _index_of(counted(text), self.terms)
        self.folded = prepared(text).folded
        counts = [sum(share(term, one) >= 1 for one in texts) for term in self.terms]
        total = max(len(texts), 1)
        self.weights = [
            term.weight * math.log(1 + (total + 1) / (count + 0.5))
            for term, count in zip(self.terms, counts, strict=True)
        ]
        self._all = sum(self.weights) or 1.0
        self._weighed: dict[tuple[Shares, Shares, Shares | None], Weighed] = {}

    def shares(self, text: Prepared) -> Shares:
        """Return how much of each term a text has."""
        return tuple([share(term, text) for term in self.terms])

    def weighed(self, own: Shares, title: Shares, before: Shares | None) -> Weighed:
        """Return what a sentence says, worked out once for all that say the same: there are few different ones.

        Args:
            own, title, before: The shares of the sentence, of its title, of the sentence right before it (None: there is none
                that may be quoted with it).
        """
        key = own, title, before
        known = self._weighed.get(key)
        if known is None:
            known = self._weighed[key] = self._weigh(own, title, before)
        return known

    def _weigh(self, own: Shares, title: Shares, before: Shares | None) -> Weighed:
        around = tuple(map(max, own, title))
        named, joined = self.named(around), False
        if before is not None:
            wider = tuple(map(max, around, before))
            only_so = not named and self.named(wider) and self.coverage(own) > 0
            if only_so or (named and self.goes_on(around, own, before)):
                around, named, joined = wider, True, True
        return Weighed(
            joined=joined,
            named=named,
            coverage=self.coverage(around),
            itself=self.coverage(own),
            asked=self.asked(around),
            beside=self.beside(own, title),
            said=frozenset(i for i, s in enumerate(own) if s >= 1),
        )

    def coverage(self, shares: Sequence[float]) -> float:
        """Return how much of the question these shares are, 0..1."""
        return sum(w * s for w, s in zip(self.weights, shares, strict=True)) / self._all if self.terms else 0.0

    def asked(self, shares: Sequence[float]) -> float:
        """Return the same without names; 1 where there is nothing else."""
        rest = [(w, s) for t, w, s in zip(self.terms, self.weights, shares, strict=True) if not t.name]
        total = sum(w for w, _ in rest)
        return sum(w * s for w, s in rest) / total if total else 1.0

    def beside(self, own: Sequence[float], title: Sequence[float]) -> float:
        """Return how much of what the title does not say a sentence says: all of its source speaks of the title's thing."""
        rest = [(w, s) for w, s, t in zip(self.weights, own, title, strict=True) if t < 1]
        total = sum(w for w, _ in rest)
        return sum(w * s for w, s in rest) / total if total else self.coverage(own)

    def has_kind(self, text: str) -> bool:
        """Whether a text has a thing of the kind that is asked for; the 2 of "building 2" counts no floors."""
        if self.expects == "number" and self._own_numbers is not None:
            text = self._own_numbers.sub(" ", text)
        return has(self.expects, text) and (not self._where or tells_where(text))

    def is_extended(self, title: str) -> bool:
        """Whether a title has a word of the question with more of a name on it: 星灯Max, where 星灯 is asked of."""
        folded = prepared(title).folded
        runs = [re.escape(run) for term in self.terms for run in term.runs if _HAN_CHARACTER.match(run)]
        found = re.search(rf"(?:{'|'.join(runs)})([a-z0-9]+)", folded) if runs and folded else None
        return found is not None and found[1] not in self.folded

    def goes_on(self, around: Sequence[float], own: Sequence[float], before: Sequence[float]) -> bool:
        """Whether a sentence says what is asked for, and the one before it of what: 分机号是8021, of the head of IT."""
        sought = any(term.required and s >= 1 for term, s in zip(self.terms, own, strict=True))
        wider = [max(a, b) for a, b in zip(around, before, strict=True)]
        return sought and self.coverage(wider) - self.coverage(around) >= _GOES_ON

    def named(self, shares: Sequence[float]) -> bool:
        """Whether every name is there."""
        return all(s >= 1 for term, s in zip(self.terms, shares, strict=True) if term.name or term.required)


def _index_of(word: str, found: Sequence[Term]) -> int | None:
    """Which of the terms says what is counted; None: none does."""
    form = comparable(word) if word else ""
    return next((i for i, term in enumerate(found) if form and comparable(term.text) == form), None)


class _Reading:
    """One source against one question: its sentences are found and weighed once, whatever windows have them."""

    def __init__(self, question: Question, source: Source) -> None:
        self._question = question
        self._source = source
        title = source.title or ""
        self._title = question.shares(prepared(title))
        self._titled = len(title) > 1 and prepared(title).folded in question.folded
        extended = question.is_extended(title)
        self._given = (_TITLED if self._titled else 0.0) - (_TITLED if extended else 0.0)
        whole = list(spans(source.text)) if len(source.text) <= _WHOLE else None
        self._whole = whole
        self._begins = [start for start, _ in whole or ()]
        self._shares: dict[tuple[int, int], Shares] = {}

    def within(self, passage: Passage) -> Iterator[tuple[tuple[int, int], Shares, tuple[int, Shares] | None]]:
        """Yield the sentences that begin in a passage: place, shares, and begin and shares of the one before."""
        places, first = self._places(passage)
        for i in range(first, len(places)):
            place = places[i]
            if place[0] >= passage.end:
                return
            own = self._of(place)
            long_enough = _SHORTEST <= place[1] - place[0] <= LONGEST
            if place[0] >= passage.start and long_enough and (any(self._title) or any(own)):
                yield place, own, (places[i - 1][0], self._of(places[i - 1])) if i else None

    def _places(self, passage: Passage) -> tuple[Sequence[tuple[int, int]], int]:
        """The sentences of a passage, with those beside it, and which of them is the first: a window may begin within one."""
        if self._whole is not None:
            return self._whole, bisect_left(self._begins, passage.start)
        text = self._source.text
        low, high = max(0, passage.start - LONGEST), min(len(text), passage.end + LONGEST)
        found = [
            (low + start, low + end)
            for start, end in spans(text[low:high])
            if (start > 0 or low == 0) and (end < high - low or high == len(text))
        ]
        return found, 0

    def _of(self, place: tuple[int, int]) -> Shares:
        known = self._shares.get(place)
        if known is None:
            text = self._source.text[place[0] : place[1]][:2000]
            known = self._shares[place] = self._question.shares(prepared(text))
        return known

    def sentence(self, place: tuple[int, int], own: Shares, before: tuple[int, Shares] | None) -> Sentence:
        """Return one of its sentences, weighed."""
        question, source, (start, end) = self._question, self._source, place
        near = before is not None and end - before[0] <= LONGEST
        weighed = question.weighed(own, self._title, before[1] if before is not None and near else None)
        text, itself = source.text[start:end], weighed.itself
        # a pattern costs more than all else, and tells nothing of what is about other things
        typed = weighed.coverage >= _LOOKED_AT and question.has_kind(text) and not _is_heading(source, text)
        if question.expects == "number" and question.counted is not None:
            typed = typed and own[question.counted] >= _COUNTED
        if question.asks_kind and not typed:
            itself = min(itself, SAID - 0.01)  # what says all else says no amount, and no place
        told = typed and question.expects in ("time", "number", "reason", "way")
        asks, prose = text.rstrip().endswith(("?", "？")), is_prose(text)
        score = 0.5 * (weighed.beside if self._titled else itself) + 0.5 * weighed.coverage + self._given
        score += (_TYPED if told else 0.0) - (_UNSAID if asks or not prose else 0.0)
        if before is not None and weighed.joined:
            start = before[0]
        return Sentence(
            source_id=source.id,
            text=source.text[start:end],
            start=start,
            end=end,
            score=score,
            coverage=weighed.coverage,
            itself=0.0 if asks else itself,
            asked=weighed.asked,
            named=weighed.named,
            typed=typed and not asks,
            prose=prose,
            said=weighed.said,
            titled=self._titled,
        )


def best_sentences(question: Question, sources: Mapping[str, Source], passages: Sequence[Passage]) -> list[Sentence]:
    """Return the sentences of ``passages``, the best first, each stretch of a source once."""
    found: dict[tuple[str, int], Sentence] = {}
    readings: dict[str, _Reading] = {}
    for passage in passages:
        id_ = passage.source_id
        reading = readings[id_] = readings.get(id_) or _Reading(question, sources[id_])
        for place, own, before in reading.within(passage):
            if (id_, place[0]) not in found:
                found[id_, place[0]] = reading.sentence(place, own, before)
    return sorted(found.values(), key=lambda one: -one.score)


def is_prose(text: str) -> bool:
    """Whether a text is a sentence: of some words and with an end, or an item of a list."""
    if _ITEM.match(text):
        return True
    words, commas = len(text.split()), text.count(",")
    if commas >= _LISTED and words <= 3 * (commas + 1):
        return False  # a line of keywords
    han = len(_HAN_CHARACTER.findall(text))
    long_enough = words >= 4 or han >= 5 or (han >= 3 and any(c.isdigit() for c in text))
    return long_enough and text.rstrip("”’」』）)\"' ")[-1:] in ".。!！?？;；…:："


def _is_heading(source: Source, text: str) -> bool:
    """A heading, and the title once more, say what follows and nothing themselves."""
    return text.startswith("#") or (source.title is not None and text.strip(" .。#") == source.title.strip(" .。"))
