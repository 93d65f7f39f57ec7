"""The packs' cues of intents in a text, weighed.

A longer cue hides the shorter ones within it (怎么办 hides 怎么), whatever their intents.  Of two that cross, that of the
profile's own packs counts (the 办证 of 怎么办证), else one that cuts no word, else the longer one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from qx.domain import Knowledge
from qx.rules import asked
from qx.rules.patterns import Patterns, is_pattern
from qx.rules.phrases import Found, PhraseIndex, aligned, is_han, keep_longest
from qx.rules.reading import Reading, inside
from qx.rules.structure import LONG, PATTERN, SHORT
from qx.rules.unmeant import is_denied
from qx.text import negation
from qx.text.lexicons import load

PARTICULAR = 1.6
"""The weight of a cue of the profile's own packs: more than any one cue of the general pack."""
_PARTICULAR_PATTERN = 2.2
_BUYING = re.compile(r"[要想]?买|推荐|buy|recommend|suggest")
"""Cues of a choice that one may say not to be after: "not planning to buy"."""
_SPOKEN = (("什么", "啥"), ("怎么", "咋"))
"""Words that people say otherwise: a pack that knows 有什么不一样 knows 有啥不一样."""
_NONE = ""
"""Stands for the intent of words that are no cue of any, though a part of them is."""
Span = tuple[int, int]


class Cues:
    """What the cues of one text say.

    Attributes:
        scores: Intent -> its weight.
        spans: Where the cues are.
        own: Intents for which the profile's own packs spoke.
    """

    def __init__(self) -> None:
        self.scores: dict[str, float] = {}
        self.spans: list[Span] = []
        self.own: set[str] = set()

    def add(self, intent: str, weight: float) -> None:
        """Add ``weight`` to an intent."""
        self.scores[intent] = self.scores.get(intent, 0.0) + weight
        if weight in (PARTICULAR, _PARTICULAR_PATTERN):
            self.own.add(intent)


class _Place:
    """Where in a text no cue counts, or not every one."""

    def __init__(self, reading: Reading, quoted: Sequence[Span], names: Sequence[Span]) -> None:
        self.left = negation.requests(reading.text)  # "please don't tell me to buy a new one" is about no purchase
        self.ruled_out = [(n.start, n.end) for n in reading.negations]  # "it cannot be red" tells no fault
        self.ruled_out += asked.faultless(reading.folded)
        self.quoted, self.names = quoted, names


class CueFinder:
    """Weighs the cues of ``knowledge``.

    Raises:
        PackError: a cue pattern is not valid RE2.
    """

    def __init__(self, knowledge: Knowledge) -> None:
        intents = knowledge.taxonomy.intents
        known = {i.id for i in intents}
        self._particular = {
            (i, aligned(c)) for i, cues in knowledge.particular.items() for cue in cues for c in spoken(cue)
        }
        plain = [(c, i.id) for i in intents for cue in i.cues if not is_pattern(cue) for c in spoken(cue)]
        plain += [(words, _NONE) for words in load("no_cues") if words not in {cue for cue, _ in plain}]
        self._cues: PhraseIndex[str] = PhraseIndex(plain, loose=True)
        patterns = [(c, i.id) for i in intents for c in i.cues if is_pattern(c)]
        patterns += [(f"/{p.pattern}/", p.intent) for p in knowledge.patterns if p.intent is not None]
        self._patterns = Patterns((c[1:-1], c, (intent, self._weight(intent, c))) for c, intent in patterns)
        own = [
            (c, i)
            for i, cues in knowledge.particular.items()
            for cue in cues
            if not is_pattern(cue) and i in known
            for c in spoken(cue)
        ]
        self._own: PhraseIndex[str] = PhraseIndex(own, loose=True)

    def _weight(self, intent: str, pattern: str) -> float:
        return _PARTICULAR_PATTERN if (intent, aligned(pattern)) in self._particular else PATTERN

    def find(self, reading: Reading, quoted: Sequence[Span], names: Sequence[Span] = ()) -> Cues:
        """Return the score of each intent by its cues, where the cues are, and for which intents own packs spoke.

        Args:
            quoted: Spans whose words are no cues: quotes, titles.
            names: Spans of names, in which shorter words are none either (推荐系统).
        """
        found, place = Cues(), _Place(reading, quoted, names)
        own = self._own.longest(reading.folded, reading.borders) if self._particular else ()
        hits = self._uncrossed(reading, own)
        place.names = (*names, *((h.start, h.end) for h in hits if h.items == (_NONE,)))
        for hit in hits:
            if self._counts(hit, reading, place):
                self._add(hit, reading, found)
        self._add_hidden(own, reading, place, found)
        self._add_patterns(own, reading, place, found)
        failing = [s for s in negation.failures(reading.text) if not inside(*s, [*quoted, *place.ruled_out])]
        if failing:
            found.add("troubleshooting", LONG)
            found.spans += failing
        return found

    def _uncrossed(self, reading: Reading, own: Sequence[Found[str]]) -> tuple[Found[str], ...]:
        hits = list(self._cues.all(reading.folded, reading.borders))
        if len(hits) < 2:
            return tuple(hits)
        firm = [(o.start, o.end) for o in own]
        firm += [(h.start, h.end) for h in hits if h.start in reading.borders and h.end in reading.borders]
        return keep_longest(h for h in hits if not self._cut(h, reading, firm, len(own)))

    @staticmethod
    def _cut(hit: Found[str], reading: Reading, firm: Sequence[Span], own: int) -> bool:
        """Whether ``hit`` crosses a cue that goes before it: an own one (the first ``own``), or, where it cuts a word, a whole one."""
        span = (hit.start, hit.end)
        if span in firm[:own]:
            return False
        if any(_cross(span, other) for other in firm[:own]):
            return True
        whole = hit.start in reading.borders and hit.end in reading.borders
        return not whole and any(_cross(span, other) for other in firm[own:])

    def _counts(self, hit: Found[str], reading: Reading, place: _Place) -> bool:
        span, folded = (hit.start, hit.end), reading.folded
        if hit.items == (_NONE,):
            return False
        trouble = "troubleshooting" in hit.items
        if inside(*span, place.left) or (trouble and inside(*span, place.ruled_out)):
            return False
        if inside(*span, place.quoted) or (span not in place.names and inside(*span, place.names)):
            return False
        if any(_cross(span, name) for name in place.names):
            return False  # the 新手 of 新手机
        if trouble and hit.start and folded[hit.start - 1] == "不":
            return False  # 不掉毛: no trouble
        phrase = folded[hit.start : hit.end]
        wished = any((intent, phrase) in self._particular for intent in hit.items)
        wished |= "recommendation" in hit.items and _BUYING.match(phrase) is not None
        return not (wished and is_denied(folded, hit.start))

    def _add(self, hit: Found[str], reading: Reading, found: Cues) -> None:
        phrase = reading.folded[hit.start : hit.end]
        long = len(phrase) > 2 if is_han(phrase[0]) else " " in phrase
        for intent in hit.items:
            found.add(intent, PARTICULAR if (intent, phrase) in self._particular else LONG if long else SHORT)
        found.spans.append((hit.start, hit.end))

    @staticmethod
    def _add_hidden(own: Sequence[Found[str]], reading: Reading, place: _Place, found: Cues) -> None:
        """Add the cues of the profile's own packs that stand within a longer one of the general pack."""
        for hit in own:
            span = (hit.start, hit.end)
            if span in found.spans or inside(*span, [*place.left, *place.quoted]):
                continue
            if not inside(*span, found.spans) or is_denied(reading.folded, hit.start):
                continue
            for intent in hit.items:
                found.add(intent, PARTICULAR)
            found.spans.append(span)

    def _add_patterns(self, own: Sequence[Found[str]], reading: Reading, place: _Place, found: Cues) -> None:
        seen: set[str] = set()
        crossing = [(o.start, o.end) for o in own]
        for pattern, (intent, weight) in self._patterns.matching(reading.folded):
            match = None if intent in seen else pattern.search(reading.folded)
            if match is None:
                continue
            start, end = match.span()
            if intent == "troubleshooting" and inside(start, end, place.ruled_out):
                continue
            particular = weight == _PARTICULAR_PATTERN
            if particular and is_denied(reading.folded, start):
                continue
            if not particular and any(_cross((start, end), span) for span in crossing):
                continue  # the 怎么办 of 怎么办证
            if start == 0 and any(s == 0 and " " in reading.folded[:e] for s, e in place.names):
                continue  # the "transfer" of "transfer learning" is not to be done
            if not inside(start, end, place.quoted):
                seen.add(intent)
                found.add(intent, weight)


def spoken(cue: str) -> Iterator[str]:
    """Yield ``cue`` and, where it is words, how it is said in speech: 有什么不一样, 有啥不一样."""
    yield cue
    if is_pattern(cue):
        return
    said = cue
    for written, spoken_ in _SPOKEN:
        said = said.replace(written, spoken_)
    if said != cue:
        yield said


def _cross(one: Span, other: Span) -> bool:
    """Whether two spans overlap and neither holds the other."""
    return one[0] < other[0] < one[1] < other[1] or other[0] < one[0] < other[1] < one[1]


__all__ = ["PARTICULAR", "CueFinder", "Cues", "spoken"]
