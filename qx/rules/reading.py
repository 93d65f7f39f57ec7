"""One text with everything that ``qx.text`` finds in it: what the rules reason about."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime, tzinfo
from itertools import islice

from qx.rules import bounds
from qx.rules.phrases import aligned
from qx.serial import value
from qx.text import identifiers, negation, quantities, quotes, times
from qx.text.identifiers import Identifier
from qx.text.negation import Negation
from qx.text.quantities import Quantity
from qx.text.quotes import Phrase
from qx.text.segment import Segmenter, Word
from qx.text.times import TimeMention

_ASKED = re.compile(r"[吗么嘛][?？]?\s*$")


@value
class Reading:
    """A cleaned text, its words and the parts that need no knowledge of a domain.

    Attributes:
        folded: The text as ``aligned``: same positions.
        language: BCP 47 tag.
        borders: Where words begin and end.
    """

    text: str
    folded: str
    language: str
    words: tuple[Word, ...]
    borders: frozenset[int]
    identifiers: tuple[Identifier, ...]
    phrases: tuple[Phrase, ...]
    quantities: tuple[Quantity, ...]
    times: tuple[TimeMention, ...]
    negations: tuple[Negation, ...]
    now: datetime

    @property
    def chinese(self) -> bool:
        """Whether output is in Chinese."""
        return self.language.startswith("zh")


def read(text: str, language: str, segmenter: Segmenter, *, now: datetime, zone: tzinfo) -> Reading:
    """Read ``text`` (already cleaned)."""
    words = segmenter.words(text)
    quoted = quotes.phrases(text)
    amounts, mentions = quantities.find(text), times.find(text, now=now, zone=zone)
    return Reading(
        text=text,
        folded=aligned(text),
        language=language,
        words=words,
        borders=frozenset([*[w.start for w in words], *[w.end for w in words]]),
        identifiers=identifiers.find(text),
        phrases=quoted,
        quantities=amounts,
        times=mentions,
        negations=tuple(_negations(text, quoted, (*amounts, *mentions))) if negation.find(text) else (),
        now=now,
    )


def _negations(text: str, quoted: Sequence[Phrase], measured: Sequence[Quantity | TimeMention]) -> Iterator[Negation]:
    """The exclusions outside of quotes; that of "nothing over $500" is in the amount already."""
    spans, limits = spans_of(quoted), spans_of(measured)
    asked = _ASKED.search(aligned(text)) is not None  # 没有3000以上的手机吗 wishes for one
    found = (
        n
        for n in negation.find(text)
        if not covered(n.start, n.end, spans)
        and not inside(n.start, n.end, limits)
        and not any(start < n.target_start and n.target_end <= end for start, end in limits)
        and not any(start <= n.start < n.target_start < end for start, end in limits)
        and not (asked and n.cue == "没有" and covered(n.target_start, n.target_end, limits))
    )
    return islice(found, bounds.NEGATIONS)


def spans_of(items: Sequence[Phrase | Identifier | Quantity | TimeMention]) -> tuple[tuple[int, int], ...]:
    """Return the spans of found things."""
    return tuple((i.start, i.end) for i in items)


def covered(start: int, end: int, spans: Sequence[tuple[int, int]]) -> bool:
    """Return whether ``[start, end)`` overlaps any of ``spans``."""
    for s, e in spans:  # noqa: SIM110 - a generator costs four times as much, and it is asked of every word and name
        if start < e and end > s:
            return True
    return False


def inside(start: int, end: int, spans: Sequence[tuple[int, int]]) -> bool:
    """Return whether ``[start, end)`` lies within one of ``spans``."""
    for s, e in spans:  # noqa: SIM110 - as above
        if s <= start and end <= e:
            return True
    return False
