"""Whether a candidate speaks of another thing altogether: what the query asks about is gone, a known name has come."""

from __future__ import annotations

from collections.abc import Sequence

from qx.domain import Knowledge
from qx.rules.drift import said_otherwise, serves_need
from qx.rules.kinds import type_of
from qx.rules.phrases import PhraseIndex, aligned
from qx.rules.terms import entity_forms, folded_text, holds, keeping, plain, synonyms, wider_terms
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


class Subjects:
    """What one query is about, by the types that rules know: asked of every candidate.

    Args:
        original: The query in its own words.
    """

    def __init__(self, original: str, understanding: Understanding, knowledge: Knowledge) -> None:
        self._original = original
        self._understanding = understanding
        self._knowledge = knowledge
        self._intents = knowledge.widened(understanding.intent)
        named = [(e, type_of(e, knowledge)) for e in understanding.entities if not e.verbatim]
        self._subjects = tuple([e for e, kind in named if kind in _SUBJECTS])
        self._are_brands = all(kind in _BRANDS for _, kind in named if kind in _SUBJECTS)
        self._keepers = [keeping(knowledge)(form, True) for e in self._subjects for form in entity_forms(e)]
        words = [plain(e.text).split() for e in self._subjects]
        self._heads = {one[-1] for one in words if len(one) > 1}  # "shirt" of "dress shirt"

    def displaced(self, text: str) -> tuple[str, str] | None:
        """Return (new name, what it displaced) if ``text`` names none of them, but a brand that the query has not.

        A product that the query has not (手机 for 冲锋衣) displaces as a brand does, except where it may be the cause of a
        trouble, answers a need, is a kind of the thing or may be made by the brand that was asked about.  Who wants a
        recommendation is answered by names: there nothing is displaced.
        """
        if not self._subjects or "recommendation" in self._intents or self._kept(plain(text)):
            return None
        names = _names(self._knowledge)
        hits = names.longest(aligned(text))
        if not hits:
            return None
        own = {item for hit in names.all(aligned(self._original)) for item in hit.items}
        foreign = self._displacing(text)
        for hit in hits:
            new = [item for item in hit.items if item[0] in foreign]
            name = text[hit.start : hit.end]
            if new and not own.intersection(hit.items) and not self._answers(name):
                return name, self._subjects[0].text
        return None

    def _kept(self, folded: str) -> bool:
        """Whether a text names one of them, if only by the head of its English name or as a set of synonyms says it."""
        said = folded_text(folded)
        for keeps in self._keepers:
            if keeps(said):
                return True
        if self._heads and not self._heads.isdisjoint(folded.split()):
            return True
        original = plain(self._original)  # 行车记录仪 is what 车载摄像头 means
        return any(said_otherwise(plain(e.text), folded, original, self._knowledge) for e in self._subjects)

    def _displacing(self, text: str) -> frozenset[str]:
        """The types of what may displace them."""
        open_ = "troubleshooting" in self._intents or serves_need(text, self._understanding, self._knowledge)
        return _BRANDS if open_ or self._are_brands else _BRANDS | _PRODUCTS

    def _answers(self, name: str) -> bool:
        """Whether what is named is a kind of them, or what the query says in other words."""
        kind = _kind_of(name, self._subjects, self._knowledge)
        return kind or _same(name, plain(self._original), self._knowledge)


def _kind_of(name: str, subjects: Sequence[Entity], knowledge: Knowledge) -> bool:
    wider = {plain(word) for word in wider_terms(knowledge).get(plain(name), ())}
    return any(plain(form) in wider for subject in subjects for form in entity_forms(subject))


def _same(name: str, original: str, knowledge: Knowledge) -> bool:
    """Whether ``name`` is, by the synonyms, what the query says in other words: a kettle for the "water boiler"."""
    return any(holds(original, plain(other)) for other, _ in synonyms(name, knowledge))
