"""The sentences of passages against one question, the best first.

A sentence is weighed by ``Question``; beside that count whether it has the kind of thing that is asked for, whether it is a
sentence at all, and whether its source is about the very thing.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence

from qx.serial import replace
from qx.text.segment import HAN
from qx_answer import addressing, compounds, naming
from qx_answer.claims import Source
from qx_answer.kinds import denies
from qx_answer.relevance import Question, Shares, Weighed
from qx_answer.sentences import spans
from qx_answer.shares import JOINED, Prepared, Term, prepared, share
from qx_answer.table_rows import table_begin
from qx_answer.values import SAID, Passage, Sentence

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
_MOST = 0.75
"""Coverage from which on a sentence is taken for one about the thing, whatever titles name."""
_HALF = 0.5
"""Share of a question, names aside, from which on a sentence that says it itself is about it."""
_BEYOND = 0.25
"""Share of what is asked beyond the title of its source that a sentence must say."""
_DENIED = 0.6
"""Share of the question that a sentence must say itself to answer it by saying that it is not so."""
_IN_CLAUSE = 0.45
"""The same of the clause that denies."""
_CLAUSES = re.compile(r"[;；,，]")
_OWN_LANGUAGE = 0.05
"""What a sentence gains in the script of the question: of two that say the same, it is read more easily."""
_LED = 0.6
"""Share of what a source's first sentence says that counts for those after it."""
_UNSAID = 0.3
"""What a question, and a piece of text that is no sentence, lose against one."""
_LISTED = 4
"""Commas from which on short pieces between them are a list of keywords."""
_ITEM = re.compile(r"\s*(?:[-*•·]|\d{1,3}[.)、]|[（(]?[一二三四五六七八九十]+[）)、.])\s*\S")
_HAN_CHARACTER = re.compile(f"[{HAN}]")
_SHORTEST = 2
_OF_ALL = re.compile(r"\b(?:only|alone|all|both|each|every|neither|except)\b|只|仅|都|均|各|除", re.IGNORECASE)
"""What says something of all that is listed, by what it says of one."""
_OPENING = 60
"""Characters of a sentence in which a name that begins it is looked for."""


class _Reading:
    """One source against one question: its sentences are found and weighed once, whatever windows have them."""

    def __init__(self, question: Question, source: Source) -> None:
        self._question = question
        self._source = source
        title = source.title or ""
        self._title = question.shares(prepared(title))
        self.titled = frozenset(i for i, share in enumerate(self._title) if share >= JOINED)
        self._titled = len(title) > 1 and prepared(title).folded in question.folded
        extended = question.is_extended(title)
        self._given = (_TITLED if self._titled else 0.0) - (_TITLED if extended else 0.0)
        whole = list(spans(source.text)) if len(source.text) <= _WHOLE else None
        self._whole = whole
        self._begins = [start for start, _ in whole or ()]
        self._shares: dict[tuple[int, int], Shares] = {}
        self._lead = self._led()
        self._listed, self._asked_of = self._lists()
        self._about = self.titled.union(i for i, share in enumerate(self._lead) if share)

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

    def _led(self) -> Shares:
        """What a source says first, and so goes on about: its shares, less."""
        first = self._whole[0] if self._whole else (0, 0)
        if not 0 < first[1] - first[0] <= LONGEST:
            return ()
        asks_fact = self._question.asks_kind or self._question.expects in ("time", "number")
        if asks_fact and self._question.has_kind(self._source.text[first[0] : first[1]]):
            return ()  # it tells the price, or the time, of what it names: those after it tell another's
        return tuple(_LED * share if share >= JOINED else 0.0 for share in self._of(first))

    def _lists(self) -> tuple[list[Prepared], list[Term]]:
        """What the first sentence lists, where the question asks of some of it, and the terms that do."""
        start, end = self._whole[0] if self._whole else (0, 0)
        if not 0 < end - start <= LONGEST or max(self._of((start, end)), default=0.0) < JOINED:
            return [], []
        found = [prepared(one) for one in compounds.listed(self._source.text[start:end])]
        asked = [term for term in self._question.terms if any(share(term, one) >= JOINED for one in found)]
        return (found, asked) if asked else ([], [])

    def _is_of_the_other(self, text: str) -> bool:
        """Whether a sentence speaks of one of what the first one lists (violins and cellos), and is asked of the other."""
        if _OF_ALL.search(text):
            return False  # toilets only at the one: none at the other
        named = prepared(text)
        others = any(not one.stems.isdisjoint(named.stems) or one.folded in named.folded for one in self._listed)
        return others and all(share(term, named) < JOINED for term in self._asked_of)

    def _of(self, place: tuple[int, int]) -> Shares:
        known = self._shares.get(place)
        if known is None:
            text = self._source.text[place[0] : place[1]][:2000]
            known = self._shares[place] = self._question.shares(prepared(text), self._title)
        return known

    def _leaves_open(self, text: str, own: Shares, before: tuple[int, Shares] | None) -> bool:
        """Whether a sentence tells an amount that is none of what is asked, with its title and the one it goes on from."""
        around = tuple(map(max, own, self._title))
        wider = around if before is None else tuple(map(max, around, before[1]))
        return self._question.is_left_open(text, wider, self._lead) or self._question.leaves_out_what_is_sought(
            text, around
        )

    def _begins_anew(self, place: tuple[int, int], before: int) -> bool:
        """Whether a sentence begins with a name that neither the one before it nor the question has: it goes on from none."""
        text = self._source.text
        name = naming.opening(text[place[0] : place[0] + _OPENING])
        return bool(name) and name not in text[before : place[0]] and name.casefold() not in self._question.folded

    def _denies(self, text: str, own: Shares) -> bool:
        """Whether what a sentence says is not so is what is asked for, and not another thing beside it."""
        question = self._question
        if not denies(text) or (question.counted is not None and own[question.counted] < _COUNTED):
            return False
        said = (question.shares(prepared(one)) for one in _CLAUSES.split(text) if denies(one))
        return any(question.coverage(shares) >= _IN_CLAUSE for shares in said)

    def _answers(
        self, place: tuple[int, int], own: Shares, before: tuple[int, Shares] | None, weighed: Weighed
    ) -> tuple[bool, float]:
        """Whether a sentence has what is asked for, and how much of the question it says by its own words, at most.

        Args:
            before: Begin and shares of the sentence that it goes on from.
        """
        question, source, (start, end) = self._question, self._source, place
        text = source.text[start:end]
        itself = weighed.itself
        # a pattern costs more than all else, and tells nothing of what is about other things
        typed = weighed.coverage >= _LOOKED_AT and question.has_kind(text) and not _is_heading(source, text)
        if question.expects == "number" and question.counted is not None:
            typed = typed and own[question.counted] >= _COUNTED
        if (question.asks_kind or question.expects == "reason") and not typed:
            itself = min(itself, SAID - 0.01)  # what says all else says no amount, and no place
        if not typed and question.expects in ("time", "number", "reason", "way", "place"):
            # whoever asks when it may be done learns that it may not
            typed = itself >= _DENIED and self._denies(text, own) and not _is_heading(source, text)
        if weighed.beyond < _BEYOND and (weighed.rest < _HALF or question.asks_kind):
            typed, itself = False, min(itself, SAID - 0.01)  # its title alone speaks of it, or it costs something else
        if question.may_be_left_open and self._leaves_open(text, own, before):
            typed, itself = False, min(itself, SAID - 0.01)
        if typed or itself >= SAID:
            goes_on_from = source.text[before[0] : start] if before is not None else ""
            if question.is_of_another_kind(text, f"{source.title or ''} {goes_on_from}"):
                typed, itself = False, min(itself, SAID - 0.01)
        return typed, itself

    def sentence(self, place: tuple[int, int], own: Shares, before: tuple[int, Shares] | None) -> Sentence:
        """Return one of its sentences, weighed."""
        question, source, (start, end) = self._question, self._source, place
        text = source.text[start:end]
        near = before if before is not None and end - before[0] <= LONGEST else None
        of_the_other = bool(self._listed) and self._is_of_the_other(text)
        lead = () if of_the_other else self._lead
        weighed = question.weighed(own, self._title, near[1] if near is not None else None, lead)
        if near is not None and weighed.joined and self._begins_anew(place, near[0]):
            near, weighed = None, question.weighed(own, self._title, None, lead)
        typed, itself = self._answers(place, own, near if weighed.joined else None, weighed)
        if of_the_other:
            typed, itself = False, min(itself, SAID - 0.01)
        told = typed and question.expects in ("time", "number", "reason", "way")
        asks, prose = text.rstrip().endswith(("?", "？")), is_prose(text)
        asks = asks or (
            addressing.commands(text) and not addressing.asks_of_commands(question.text)
        )  # tells nothing, too
        score = 0.5 * (weighed.beside if self._titled else itself) + 0.5 * weighed.coverage + self._given
        chinese = not text.isascii() and _HAN_CHARACTER.search(text) is not None
        score += _OWN_LANGUAGE if chinese is question.is_chinese else 0.0
        score += (_TYPED if told else 0.0) - (_UNSAID if asks or not prose else 0.0)
        if near is not None and weighed.joined:
            start = near[0]
        table = table_begin(source.text, start)
        start = start if table is None or end - table > LONGEST else table
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
            beside=weighed.beside,
            about=self._about,
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
    subjects = frozenset[int]().union(*(reading.titled for reading in readings.values()))
    return sorted((_of_its_subject(one, subjects) for one in found.values()), key=lambda one: -one.score)


def _of_its_subject(sentence: Sentence, subjects: frozenset[int]) -> Sentence:
    """A sentence that says none of what titles name answers nothing that is asked of those: it is about another thing."""
    says_most = sentence.coverage >= _MOST
    if says_most or not subjects or not subjects.isdisjoint(sentence.about | sentence.said):
        return sentence
    return replace(sentence, typed=False, itself=min(sentence.itself, SAID - 0.01))


def is_prose(text: str) -> bool:
    """Whether a text is a sentence: of some words and with an end, or an item of a list."""
    if _ITEM.match(text):
        return True
    words, commas = len(text.split()), text.count(",")
    if commas >= _LISTED and words <= 3 * (commas + 1):
        return False  # a line of keywords
    han = 0 if text.isascii() else len(_HAN_CHARACTER.findall(text))
    long_enough = words >= 4 or han >= 5 or (han >= 3 and any(c.isdigit() for c in text))
    return long_enough and text.rstrip("”’」』）)\"' ")[-1:] in ".。!！?？;；…:："


def _is_heading(source: Source, text: str) -> bool:
    """A heading, and the title once more, say what follows and nothing themselves."""
    return text.startswith("#") or (source.title is not None and text.strip(" .。#") == source.title.strip(" .。"))
