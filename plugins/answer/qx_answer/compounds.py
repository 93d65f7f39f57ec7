"""Kinds of a thing: what is said of the main telescope answers nothing that is asked of the solar telescope.

Only where the sources name the kind that is asked for: else the question's word for it may be its own, or mean all of them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from qx.serial import value
from qx.text.normalise import fold, simplified
from qx.text.segment import HAN, Word, comparable, words
from qx_answer.concepts import concept
from qx_answer.naming import asking

_HAN = re.compile(f"[{HAN}]")
_OF_EACH_WORDS = (
    "half full whole new old small large big first second third next last own same other another double single extra free normal usual "
    "ordinary whole entire"
)
_OF_EACH = frozenset(_OF_EACH_WORDS.split())
"""Words before a thing that make no other kind of it."""
_OF_EACH_ZH = frozenset("每各该此这那一两几本全整旧新大小其")
_SHORTEST = 2
_AFTER_THING = re.compile(r"[的是有在几多哪什怎能可要会每，,]")


@value
class Kind:
    """A thing that a question names with the word that says which kind of it.

    Attributes:
        kind, thing: Folded: 太阳 and 望远镜; of Latin, as words are compared.
    """

    kind: str
    thing: str


def kinds_of(question: str, sources: Sequence[str]) -> tuple[Kind, ...]:
    """Return the kinds of things that a question names, and that one of the (folded) sources names as well."""
    found: list[Kind] = []
    for one, two in pairwise(words(question)):
        together = question[one.start : two.end]
        if not (_names(one) and _is_thing(two, question[two.end :])) or question[one.end : two.start].strip():
            continue
        folded = simplified(fold(together))
        if any(folded in source for source in sources):
            found.append(Kind(kind=_form(one.text), thing=_form(two.text)))
    return tuple(found)


_AND = frozenset(("and", "or", "和", "与", "及", "或", "、", ","))


def listed(sentence: str) -> tuple[str, ...]:
    """Return the things that a sentence lists beside each other: violins and cellos; none where it lists none."""
    found = words(sentence)
    beside: list[str] = []
    for before, between, after in zip(found, found[1:], found[2:], strict=False):
        if between.text.lower() in _AND and before.content and after.content:
            beside += [before.text, after.text]
    return tuple(dict.fromkeys(beside))


def is_of_another(kinds: Sequence[Kind], sentence: str, beside: str) -> bool:
    """Whether a sentence speaks of another kind of a thing alone.

    Args:
        beside: Its title, and what it goes on from: what names the kind there is about it.
    """
    return any(_is_of_another(kind, sentence, beside) for kind in kinds)


def _is_of_another(kind: Kind, sentence: str, beside: str) -> bool:
    folded = simplified(fold(f"{sentence} {beside}"))
    if kind.thing not in folded or kind.kind in folded:
        return False
    listed = words(sentence)
    befores = [before for before, word in pairwise(listed) if _form(word.text) == kind.thing]
    starts = bool(listed) and _form(listed[0].text) == kind.thing
    return bool(befores) and not starts and all(_is_a_kind(before) for before in befores)


def _is_a_kind(word: Word) -> bool:
    text = word.text.casefold()
    if not any(character.isalnum() for character in text) or any(character.isdigit() for character in text):
        return False
    if _HAN.match(text):
        return word.content and not set(text) & _OF_EACH_ZH
    return word.content and text not in _OF_EACH


def _names(word: Word) -> bool:
    return word.content and len(word.text) >= _SHORTEST and word.text.casefold() not in _OF_EACH


def _is_thing(word: Word, after: str) -> bool:
    """Whether a word names a thing, and no doing: of Han, by what follows it."""
    if _HAN.match(word.text):
        return word.content and _AFTER_THING.match(after) is not None
    return _names(word) and comparable(word.text) not in asking() and concept(word.text) not in ("price", "payment")


def _form(text: str) -> str:
    return simplified(fold(text)) if _HAN.match(text) else comparable(text)
