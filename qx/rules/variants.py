"""Whether a candidate speaks of another model of a name: ``小米14 Pro`` for ``小米14``, ``MacBook Air`` for ``MacBook Pro``.

A model is a name, a number and the words that make another model of it (``Knowledge.variants``: Pro, Max, 青春版).  Such
a word is no answer to who asked without it, nor may it be left out: the price of the one is not that of the other.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from qx.domain import Knowledge
from qx.rules.terms import holds_exact, plain
from qx.serial import value
from qx.text.remembered import made_once

_NAMED = frozenset({"product", "brand"})
_LATIN = re.compile("[a-z]")


@value
class Model:
    """One model of a text, folded: ``iphone``, ``15``, (``pro``, ``max``); ``text`` as it stands there."""

    name: str
    number: str
    suffixes: tuple[str, ...]
    text: str


@made_once
def _finder(knowledge: Knowledge) -> Callable[[str], tuple[Model, ...]]:
    """Folded text -> its models; the query is asked about beside every candidate."""
    suffix = "|".join(re.escape(plain(w)) for w in sorted(knowledge.variants, key=len, reverse=True))
    tail = rf"[\s\-]?(?:{suffix})(?![a-z])"
    model = (
        r"(?:(?<![a-z])(?P<latin>[a-z]{1,14})|(?P<han>[\u3400-\u9fff]{2}))"
        rf"(?:[\s\-]?(?P<number>\d{{1,4}}(?:(?!{suffix})[a-z]{{1,2}})?)(?P<after>(?:{tail}){{0,3}})(?![a-z\d.%年月元块])"
        rf"|(?P<only>(?:{tail}){{1,3}})(?![\s\-]?\d))"
    )
    models, suffixes = re.compile(model), re.compile(suffix)

    def find(folded: str) -> tuple[Model, ...]:
        return tuple(
            Model(
                name=m["latin"] or m["han"],
                number=m["number"] or "",
                suffixes=tuple(suffixes.findall(m["after"] or m["only"] or "")),
                text=m[0].strip(),
            )
            for m in models.finditer(folded)
        )

    return lru_cache(maxsize=1024)(find)


@made_once
def _lines(knowledge: Knowledge) -> frozenset[str]:
    """The names of goods that are names, not words: MacBook, iPad; of 手机 (phone) there are no models."""
    kinds = (kind for kind in knowledge.taxonomy.entity_types if kind.is_any(_NAMED))
    return frozenset(plain(name) for kind in kinds for name in kind.names if name.isascii() and " " not in name)


def concerned(original: str, knowledge: Knowledge, *, open_: bool) -> bool:
    """Whether ``altered`` may tell of any text that it makes another model of a name of ``original``."""
    if not knowledge.variants:
        return False
    folded = plain(original)
    return bool(_finder(knowledge)(folded)) or (not open_ and bool(_LATIN.search(folded)))


def altered(original: str, text: str, knowledge: Knowledge, *, open_: bool) -> tuple[str, str] | None:
    """Return (the model of ``text``, that of ``original``) where ``text`` makes another model of a name of ``original``.

    Words that the query has itself ("iPhone 15 or the Pro") may be put to the name.

    Args:
        open_: Whether models of a name without a number answer the query, as they do who wants a recommendation.
    """
    if not concerned(original, knowledge, open_=open_):
        return None  # it names nothing that there are models of
    folded, models = plain(original), _finder(knowledge)
    mine = models(folded)
    for other in models(plain(text)):
        own = [m for m in mine if (m.name, m.number) == (other.name, other.number)]
        if not own and not other.number and not open_ and other.name in _lines(knowledge):
            own = (
                [Model(name=other.name, number="", suffixes=(), text=other.name)]
                if holds_exact(folded, other.name)
                else []
            )
        if not own or any(m.suffixes == other.suffixes for m in own):
            continue
        if other.suffixes and all(holds_exact(folded, word) for word in other.suffixes) and not own[0].suffixes:
            continue
        return other.text, own[0].text
    return None
