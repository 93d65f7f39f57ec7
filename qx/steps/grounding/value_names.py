"""The values of one field, looked up as a query names them: whole, with an initial left out, or by a surname."""

from __future__ import annotations

import re
from collections.abc import Sequence

from qx.domain import Knowledge
from qx.rules.terms import plain
from qx.steps.grounding.spellings import pressed

LONGEST = 60
"""Characters of a text in which a value is looked for."""
_SHORTEST = 3
"""Letters of a surname that a text may name."""
_WORD = re.compile(r"[^\W_]+")
_AROUND = " ,，.。、;；:：的"


class ValueNames:
    """The names of some values.

    Args:
        known: The stored values.
        knowledge: Other names of values.
    """

    def __init__(self, known: Sequence[str], knowledge: Knowledge) -> None:
        self._whole: dict[str, list[str]] = {}
        self._short: dict[str, list[str]] = {}
        self._last: dict[str, list[str]] = {}
        for item in known:
            self._add(item)
        others = [(other, item) for item in known for other, _ in knowledge.synonyms.get(plain(item), ())]
        for name, item in (*others, *self._otherwise(knowledge)):
            self._whole.setdefault(pressed(name), []).append(item)

    def find(self, said: str, *, surname: bool = False) -> tuple[str, ...]:
        """Return the stored values that ``said`` names; several where they are spelt alike.

        Args:
            surname: Whether the last words of a name will do (Le Guin).
        """
        key = pressed(said)
        if not key:
            return ()
        for names in (self._whole, self._short, self._last if surname else {}):
            if key in names:
                return tuple(dict.fromkeys(names[key]))
        return ()

    def after(self, text: str, at: int, *, surname: bool = False) -> tuple[int, tuple[str, ...]]:
        """Return where the longest value ends that begins at ``at``, and the stored values; (at, ()) where none does."""
        for end in range(min(len(text), at + LONGEST), at, -1):
            if _parts(text, end) and (found := self._within(text, at, end, surname=surname)):
                return end, found
        return at, ()

    def before(self, text: str, end: int, *, surname: bool = False) -> tuple[int, tuple[str, ...]]:
        """Return where the longest value begins that ends at ``end``, and the stored values; (end, ()) where none does."""
        for start in range(max(0, end - LONGEST), end):
            if _parts(text, start) and (found := self._within(text, start, end, surname=surname)):
                return start, found
        return end, ()

    def _within(self, text: str, start: int, end: int, *, surname: bool) -> tuple[str, ...]:
        said = text[start:end]
        return self.find(said, surname=surname) if said == said.strip(_AROUND) else ()

    def _otherwise(self, knowledge: Knowledge) -> list[tuple[str, str]]:
        """What a field's values are called in the packs: ``white`` is 白色."""
        found: list[tuple[str, str]] = []
        for field in knowledge.taxonomy.fields:
            for word, meant in field.values.items():
                for name, other in ((word, meant), (meant, word)):
                    found += [(name, item) for item in self._whole.get(pressed(other), ())]
        return found

    def _add(self, item: str) -> None:
        self._whole.setdefault(pressed(item), []).append(item)
        first, comma, last = item.partition(",")
        name = f"{last} {first}" if comma and "," not in last else item
        words = _WORD.findall(plain(name))
        if len(words) < 2 or not all(word.isascii() for word in words):
            return
        self._whole.setdefault("".join(words), []).append(item)
        telling = [word for word in words if len(word) > 1]
        if len(telling) > 1:
            self._short.setdefault("".join(telling), []).append(item)
        for at in range(1, len(words)):
            rest = "".join(words[at:])
            if len(words[at]) > 1 and len(rest) >= _SHORTEST:
                self._last.setdefault(rest, []).append(item)


def _parts(text: str, at: int) -> bool:
    """Whether a word may begin or end at a place: a Latin one does not within itself."""
    before, here = text[max(at - 1, 0) : at], text[at : at + 1]
    return not (here.isascii() and here.isalnum() and before.isascii() and before.isalnum())


__all__ = ["ValueNames"]
