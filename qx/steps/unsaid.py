"""Conditions that a model read out of a query: those that the query does not say are no filters.

A condition is said where its value is among the query's words, or where the words that it is read from are there and
are more than the name of the thing itself: of "laptop" alone no brand, year or exclusion can be read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from qx.domain import Knowledge
from qx.rules import negations
from qx.rules.kinds import type_of
from qx.rules.terms import plain
from qx.serial import value
from qx.steps.grounding.spellings import spellings
from qx.text.segment import WORD_BEGINS, WORD_ENDS, keywords
from qx.text.times import speaks_of_time
from qx.types import Constraint, Scalar, Understanding

_NAMED = frozenset({"brand", "author", "publisher", "source", "site", "model", "title", "language", "category", "tags"})
"""Fields of names: what such a one is called cannot be read out of other words."""
_KNOWN = frozenset({"zh", "en", "ru", "und"})
"""Languages in which rules read what is ruled out."""
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_DATE = re.compile(r"\d{4}(?:-\d{1,2}(?:-\d{1,2})?)?(?:[T ].*)?")


@value
class Said:
    """What a query says: its words with those of the conversation, and what rules read of it."""

    words: str
    rules: Understanding
    knowledge: Knowledge

    @property
    def numbers(self) -> frozenset[str]:
        """The numbers of the words, each in its shortest form."""
        return frozenset(f"{float(n):g}" for n in _NUMBER.findall(self.words))

    def supports(self, condition: Constraint) -> bool:
        """Whether a model's condition is in the words; a wish, which excludes nothing, may be read between them."""
        if condition.text and plain(condition.text) not in plain(self.words):
            return False
        items = condition.value if isinstance(condition.value, tuple) else (condition.value,)
        if not self._counted(items):
            return False
        if condition.op == "prefer":
            return True
        if condition.op == "ne" and not self._ruled_out(condition, items):
            return False
        return all(self._has(item, condition) for item in items)

    def _counted(self, items: Sequence[Scalar]) -> bool:
        """Whether nothing is counted in it that is not in the words; the digits of a date may stand for "last year"."""
        return all(
            number in self.numbers
            for item in items
            if not isinstance(item, bool) and not (isinstance(item, str) and _DATE.fullmatch(item))
            for number in (
                [f"{float(n):g}" for n in _NUMBER.findall(str(item))] if isinstance(item, str) else [f"{item:g}"]
            )
        )

    def _has(self, item: Scalar, condition: Constraint) -> bool:
        if isinstance(item, (int, float)) and not isinstance(item, bool):
            return True  # it is counted, and so among the words
        words = "" if isinstance(item, bool) else str(item)
        if words and _DATE.fullmatch(words):
            return words[:4] in self.numbers or (bool(condition.text) and speaks_of_time(condition.text))
        if words and _holds(self.words, words):
            return True
        if condition.field in _NAMED:
            return bool(words and condition.text and spellings(condition.text, (words,), self.knowledge))
        return bool(condition.text) and not self._only_names(condition.text)

    def _only_names(self, text: str) -> bool:
        """Whether words only name the thing that is looked for."""
        things = " ".join(plain(e.text) for e in self.rules.entities if type_of(e, self.knowledge) == "product")
        return all(plain(word) in things for word in keywords(text) or (text,))

    def _ruled_out(self, condition: Constraint, items: Sequence[Scalar]) -> bool:
        if condition.text and negations.speaks_against(condition.text):
            return True
        if condition.text and self.rules.language.split("-")[0] not in _KNOWN:  # its words of negation are not known
            return plain(condition.text) not in [plain(str(item)) for item in items]
        parts = [part for part in (condition.text, *map(str, items)) if part]
        known = [plain(word) for word in self.rules.negations]
        return any(
            negations.excluded(self.words, part) or any(w and (w in plain(part) or plain(part) in w) for w in known)
            for part in parts
        )


def _holds(said: str, words: str) -> bool:
    """Whether ``words`` stand in ``said``, as whole words where they are written in an alphabet."""
    wanted, there = plain(words), plain(said)
    pattern = f"{WORD_BEGINS}{re.escape(wanted)}{WORD_ENDS}" if wanted.isascii() else re.escape(wanted)
    return bool(wanted) and re.search(pattern, there) is not None


__all__ = ["Said"]
