"""How much passages and sentences say of a question, by its words: no model, Chinese and English alike.

    coverage(text) = sum over terms of  weight · idf · share  /  sum over terms of  weight · idf

``share`` is how much of a term the text has (``qx_answer.terms``), idf is by the sources that were read.  A sentence counts
by its own words and, half, by those of its title and of the sentence before it, which it goes on from.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence

from qx.text.segment import HAN, comparable
from qx_answer.claims import Source
from qx_answer.expects import asks_amount, counted, expects, has
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
        self.counted = _index_of(counted(text), self.terms)
        self.folded = prepared(text).folded
        counts = [sum(share(term, one) >= 1 for one in texts) for term in self.terms]
        total = max(len(texts), 1)
        self.weights = [
            term.weight * math.log(1 + (total + 1) / (count + 0.5))
            for term, count in zip(self.terms, counts, strict=True)
        ]
        self._all = sum(self.weights) or 1.0

    def shares(self, text: Prepared) -> list[float]:
        """Return how much of each term a text has."""
        return [share(term, text) for term in self.terms]

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


def best_sentences(question: Question, sources: Mapping[str, Source], passages: Sequence[Passage]) -> list[Sentence]:
    """Return the sentences of ``passages``, the best first, each stretch of a source once."""
    found: dict[tuple[str, int], Sentence] = {}
    for passage in passages:
        source = sources[passage.source_id]
        title = question.shares(prepared(source.title or ""))
        about = any(title)
        before: tuple[int, list[float]] | None = None
        for at, end in _sentences(source.text, passage):
            text = source.text[at:end]
            own = question.shares(prepared(text[:2000]))
            inside = passage.start <= at < passage.end and (about or any(own))
            if inside and (source.id, at) not in found and _SHORTEST <= len(text) <= LONGEST:
                found[source.id, at] = _sentence(question, source, (at, end), own, title, before)
            before = (at, own)
    return sorted(found.values(), key=lambda one: -one.score)


def _sentences(text: str, passage: Passage) -> Iterator[tuple[int, int]]:
    """The whole sentences of a passage, and those beside it: a window may begin and end within one."""
    if len(text) <= _WHOLE:
        yield from spans(text)
        return
    low, high = max(0, passage.start - LONGEST), min(len(text), passage.end + LONGEST)
    for start, end in spans(text[low:high]):
        cut = (start == 0 and low > 0) or (end == high - low and high < len(text))
        if not cut:
            yield low + start, low + end


def _sentence(
    question: Question,
    source: Source,
    place: tuple[int, int],
    own: Sequence[float],
    title: Sequence[float],
    before: tuple[int, Sequence[float]] | None,
) -> Sentence:
    start, end = place
    text = source.text[start:end]
    around = [max(a, b) for a, b in zip(own, title, strict=True)]
    named = question.named(around)
    if before is not None:
        wider = [max(a, b) for a, b in zip(around, before[1], strict=True)]
        if not named and question.named(wider) and question.coverage(own) > 0 and end - before[0] <= LONGEST:
            start, named, around = before[0], True, wider
    near = before is not None and named and start == place[0] and end - before[0] <= LONGEST
    if before is not None and near and question.goes_on(around, own, before[1]):
        start, around = before[0], [max(a, b) for a, b in zip(around, before[1], strict=True)]
    coverage, itself = question.coverage(around), question.coverage(own)
    worth = (
        coverage >= _LOOKED_AT
    )  # a pattern costs more than all else, and tells nothing of what is about other things
    typed = worth and has(question.expects, text) and not _is_heading(source, text)
    if question.expects == "number" and question.counted is not None:
        typed = typed and own[question.counted] >= _COUNTED
    if asks_amount(question.text) and not typed:
        itself = min(itself, SAID - 0.01)  # what says all else says no amount
    titled = (
        bool(source.title) and len(source.title or "") > 1 and prepared(source.title or "").folded in question.folded
    )
    told = question.expects in ("time", "number", "reason", "way") and typed
    asks = text.rstrip().endswith(("?", "？"))
    prose = is_prose(text)
    telling = question.beside(own, title) if titled else itself
    score = 0.5 * telling + 0.5 * coverage + (_TYPED if told else 0.0) - (_UNSAID if asks or not prose else 0.0)
    score += _TITLED if titled else 0.0
    score -= _TITLED if question.is_extended(source.title or "") else 0.0
    return Sentence(
        source_id=source.id,
        text=source.text[start:end],
        start=start,
        end=end,
        score=score,
        coverage=coverage,
        itself=0.0 if asks else itself,
        asked=question.asked(around),
        named=named,
        typed=typed and not asks,
        prose=prose,
        said=frozenset(i for i, s in enumerate(own) if s >= 1),
        titled=titled,
    )


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
