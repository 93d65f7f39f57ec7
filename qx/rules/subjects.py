"""Whether a candidate speaks of another thing altogether: what the query asks about is gone, a known name has come."""

from __future__ import annotations

from collections.abc import Sequence

from qx.domain import Knowledge
from qx.rules.drift import said_otherwise, serves_need
from qx.rules.kinds import type_of
from qx.rules.phrases import PhraseIndex, aligned
from qx.rules.terms import entity_forms, holds, keeps_entity, plain, synonyms, wider_terms
from qx.serial import replace
from qx.text.remembered import made_once
from qx.types import Entity, Understanding

_SUBJECTS = frozenset(
    ["thing", "product", "products", "brand", "food", "media", "place", "service", "device", "medicine", "animal"]
)
"""Types of what a query is about; parts, faults and symptoms are what befell it."""
_BRANDS = frozenset({"brand"})
_PRODUCTS = frozenset({"product", "products"})


@made_once
def _names(knowledge: Knowledge) -> PhraseIndex[tuple[str, str]]:
    """The names of brands and products: (type, canonical name)."""
    return PhraseIndex(
        (
            (name, (kind.broader or kind.id, canonical))
            for kind in knowledge.taxonomy.entity_types
            if kind.is_any(_BRANDS | _PRODUCTS)
            for canonical, others in kind.names.items()
            for name in (canonical, *others)
        ),
        plurals=True,
    )


@made_once
def _known(understanding: Understanding) -> dict[int, tuple[Entity, ...]]:
    del understanding  # whose subjects they are, by the knowledge that tells them
    return {}


def _subjects(understanding: Understanding, knowledge: Knowledge) -> tuple[Entity, ...]:
    """What a query is about, by the types that rules know; nothing where names are the answer."""
    known = _known(understanding)
    if id(knowledge) not in known:
        answered = "recommendation" in knowledge.widened(understanding.intent)
        named = (
            []
            if answered
            else [replace(e, type=type_of(e, knowledge)) for e in understanding.entities if not e.verbatim]
        )
        known[id(knowledge)] = tuple([e for e in named if e.type in _SUBJECTS])
    return known[id(knowledge)]


def displaced(text: str, original: str, understanding: Understanding, knowledge: Knowledge) -> tuple[str, str] | None:
    """Return (new name, what it displaced) if ``text`` names none of what the query is about, but a brand that it has not.

    A product that the query has not (手机 for 冲锋衣) displaces as a brand does, except where it may be the cause of a
    trouble, answers a need, is a kind of the thing or may be made by the brand that was asked about.  Who wants a
    recommendation is answered by names: there nothing is displaced.
    """
    subjects = _subjects(understanding, knowledge)
    if not subjects:
        return None
    folded = plain(text)
    for subject in subjects:
        if _kept(folded, subject, knowledge):
            return None
        if said_otherwise(plain(subject.text), folded, plain(original), knowledge):
            return None  # a set says so: 行车记录仪 is what 车载摄像头 means
    names = _names(knowledge)
    hits = names.longest(aligned(text))
    if not hits:
        return None
    own = {item for hit in names.all(aligned(original)) for item in hit.items}
    open_ = "troubleshooting" in knowledge.widened(understanding.intent) or serves_need(text, understanding, knowledge)
    foreign = _BRANDS if open_ or all(e.type in _BRANDS for e in subjects) else _BRANDS | _PRODUCTS
    for hit in hits:
        new = [item for item in hit.items if item[0] in foreign]
        name = text[hit.start : hit.end]
        if (
            new
            and not own.intersection(hit.items)
            and not (_kind_of(name, subjects, knowledge) or _same(name, plain(original), knowledge))
        ):
            return name, subjects[0].text
    return None


def _kind_of(name: str, subjects: Sequence[Entity], knowledge: Knowledge) -> bool:
    wider = {plain(word) for word in wider_terms(knowledge).get(plain(name), ())}
    return any(plain(form) in wider for subject in subjects for form in entity_forms(subject))


def _same(name: str, original: str, knowledge: Knowledge) -> bool:
    """Whether ``name`` is, by the synonyms, what the query says in other words: a kettle for the "water boiler"."""
    return any(holds(original, plain(other)) for other, _ in synonyms(name, knowledge))


def _kept(folded: str, subject: Entity, knowledge: Knowledge) -> bool:
    if keeps_entity(folded, subject, knowledge, wider=True):
        return True
    words = plain(subject.text).split()  # the head of an English name: "shirt" of "dress shirt"
    return len(words) > 1 and words[-1] in folded.split()
