"""Readings of ambiguous words: settled by the query and the conversation, else listed as senses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field

from qx.domain import Knowledge, SenseRule
from qx.rules import bounds
from qx.rules.phrases import PhraseIndex, is_han
from qx.rules.reading import Reading
from qx.serial import empty, value
from qx.types import Entity, Sense

_OPEN_WORDS = 4
"""In a longer query a word is read by what stands around it, even if no rule names those words."""
COMPANY = ("公司", "品牌", "company", "brand")
"""What the reading of a word is called that names a maker: ``苹果 (公司)``."""
_GOAL_WORDS = 4
"""In a query of more content words than this the goal is plain."""


@value
class Senses:
    """What is open, and what was settled: folded word -> label of its reading."""

    open: tuple[Sense, ...] = ()
    settled: Mapping[str, str] = field(default_factory=empty)
    goal: bool = False

    def names_company(self, folded: str) -> bool:
        """Whether the query or the conversation settles that a word is a maker's name."""
        label = self.settled.get(folded, "")
        return any(word in label for word in COMPANY)


class SenseFinder:
    """Reads the sense rules of ``knowledge`` (those of the query's language and those of none)."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._rules: PhraseIndex[int] = PhraseIndex((r.word, n) for n, r in enumerate(knowledge.senses))
        self._list = knowledge.senses
        self._evidence: list[PhraseIndex[str]] = [
            PhraseIndex(((w, label) for label, words in r.senses.items() for w in words), plurals=True)
            for r in knowledge.senses
        ]

    def find(
        self, reading: Reading, history: Sequence[str], keywords: Sequence[str], entities: Sequence[Entity]
    ) -> Senses:
        """Return the readings that stay open and those that the query or the conversation settles.

        Args:
            history: Folded earlier texts, the latest last.
        """
        settled: dict[str, str] = {}
        senses: list[Sense] = []
        goal = False
        read = set[str]()
        tag = "zh" if reading.chinese else "en"
        inside_names = [(e.start, e.end) for e in entities if e.start >= 0]
        for hit in self._rules.longest(reading.folded):
            rules = [n for n in hit.items if self._list[n].language in (None, tag)]
            rule = self._list[rules[0]] if rules else None
            if rule is None or any(
                s <= hit.start and hit.end <= e and e - s > hit.end - hit.start for s, e in inside_names
            ):
                continue
            word = reading.folded[hit.start : hit.end]
            if word in read:
                continue
            if len(read) == bounds.SENSES:
                break
            read.add(word)
            label = self._settle(rules[0], reading, hit.start, hit.end, history)
            if label is not None:
                settled[word] = label
            elif self._within(reading, hit.start, hit.end):
                continue  # 苹果派 is neither
            elif len(keywords) <= (_GOAL_WORDS if rule.goal else _OPEN_WORDS):
                goal = goal or rule.goal
                senses += _senses(rule, reading)
        return Senses(open=tuple(senses), settled=settled, goal=goal)

    @staticmethod
    def _within(reading: Reading, start: int, end: int) -> bool:
        """Whether a Chinese word is only a part of a longer one."""
        return any(
            w.start <= start and end <= w.end and w.end - w.start > end - start
            for w in reading.words
            if reading.chinese
        )

    def _settle(self, rule: int, reading: Reading, start: int, end: int, history: Sequence[str]) -> str | None:
        """Count the words that speak for each reading: in the query, else in the conversation, the latest turn first."""
        rest = f"{reading.folded[:start]} {reading.folded[end:]}"
        for text in (rest, *reversed(history)):
            votes: dict[str, int] = {}
            for hit in self._evidence[rule].longest(text):
                for label in hit.items:
                    votes[label] = votes.get(label, 0) + 1
            if votes:
                best = max(votes.values())
                leaders = [label for label, count in votes.items() if count == best]
                if len(leaders) == 1:
                    return leaders[0]
        return None


def _senses(rule: SenseRule, reading: Reading) -> list[Sense]:
    """The readings, with the words of the query's language first (all of them where there is none)."""
    found: list[Sense] = []
    for label, words in rule.senses.items():
        own = [w for w in words if any(is_han(c) for c in w) == reading.chinese]
        found.append(Sense(word=rule.word, label=label, words=tuple(own or words)[:4]))
    return found
