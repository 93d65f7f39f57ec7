"""Constraints of a query: amounts, wishes, exact values, exclusions, times.

How amounts become constraints:

- a bound (``5000元以下``, ``at least 16GB``) is one hard constraint, a range two (``ge`` and ``le``);
- an approximate amount (``预算2000左右``) is three soft ones, all with the words of the query: ``prefer 2000`` to order
  by, and ``ge 1600`` and ``le 2400`` (20 % about it) that a filter can use and that are relaxed first;
- a bare price of a thing to buy (``2000元的手机``) is read as approximate; other bare amounts are ``eq``: hard where
  they specify the thing (memory, storage, screen, resolution), soft where they describe a state (38.5 °C, 3 km).

Words of colour, material, feature and the like limit a thing that is looked for; where nothing is looked for
("why is the sky blue") they are only words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from qx.domain import ConstraintField, Knowledge
from qx.rules import bounds
from qx.rules.amounts import amounts
from qx.rules.compared_years import alternatives
from qx.rules.dates import dated, model_years, speaks_of_documents
from qx.rules.phrases import Found, PhraseIndex, aligned, is_han
from qx.rules.preferred import preferred
from qx.rules.reading import Reading, covered
from qx.rules.readings import Senses
from qx.rules.sizes import sizes
from qx.rules.softened import softened
from qx.rules.stated import Stated
from qx.rules.titled import in_a_name
from qx.serial import replace, value
from qx.text.negation import Negation
from qx.types import Constraint, Entity

LOOKED_FOR = frozenset({"product", "food", "media", "place", "service", "activity", "brand", "technology"})
"""Types of entities that people look for with wishes about them."""
_ALWAYS = frozenset(
    {"price", "battery_life", "sound", "font", "screen", "camera", "weight", "thickness", "performance"}
)
_NEGATED = re.compile(r"(?:[不没无]|\b(?:not|isn't|aren't|never|no|non)(?:\s+(?:too|very|so|really))?[\s-]+)$")
_DOING_WITHOUT = frozenset({"without", "w/o", "不用", "不使用", "不借助", "不依赖"})
_GOODS_WORDS = ("products", "product", "brands", "brand", "stuff", "goods")
_FILLING = re.compile(r"\b(?:a|an|the|any|or|and|nor|s)\b")


@value
class Limits:
    """What was found: constraints, excluded words, and the spans that they take up."""

    constraints: tuple[Constraint, ...]
    negations: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]


@value
class Wish:
    """A value of a field that words of the packs ask for; ``soft``: a preference."""

    field: str
    wanted: str
    soft: bool


Wishes = tuple[Found[Wish], ...]


_MEASURED = frozenset({"number", "money"})
_WITH_NUMBERS = frozenset({"size", "resolution"})
"""Fields whose words name what an amount beside them measures; "for a 30 m² room" says no audience."""


class ConstraintFinder:
    """Finds constraints by the fields that ``knowledge`` knows."""

    def __init__(self, knowledge: Knowledge) -> None:
        fields = knowledge.taxonomy.fields
        self._fields: dict[str, ConstraintField] = {f.id: f for f in fields}
        self._wishes: PhraseIndex[Wish] = PhraseIndex(
            (
                (word, Wish(field=f.id, wanted=wanted, soft=soft))
                for f in fields
                for words, soft in ((f.values, False), (softened(f.soft), True))
                for word, wanted in words.items()
            ),
            loose=True,
        )
        measured = [f for f in fields if f.type in _MEASURED or f.id in _WITH_NUMBERS]
        self._words: PhraseIndex[str] = PhraseIndex((word, f.id) for f in measured for word in f.words)
        self._stated: Stated = Stated(knowledge.patterns, self._fields)
        published = self._fields.get("published")
        self._documents = published is not None and bool(
            published.words
        )  # a pack of documents names when they appeared

    def wishes(self, reading: Reading) -> Wishes:
        """Return the words that may limit something: colours, features, audiences."""
        return self._wishes.longest(reading.folded, reading.borders)

    def find(
        self, reading: Reading, entities: Sequence[Entity], wishes: Wishes, senses: Senses, *, looking: bool
    ) -> Limits:
        """Return the constraints of ``reading``.

        Args:
            wishes: Its ``wishes``.
            entities: The named entities.
            senses: What its ambiguous words are read as.
            looking: Whether something is looked for, so that "red" or "for men" limits it.
        """
        # "不要太贵" is a wish of its own, not the exclusion of 贵.
        turned = [
            n
            for n in reading.negations
            if n.start < n.target_start and any(w.start <= n.start and n.target_end <= w.end for w in wishes)
        ]
        negated = [n for n in reading.negations if n not in turned and not _asked(reading, n)]
        excluded = [(n.start, n.end) for n in negated]
        said = self._said(reading, entities, wishes, excluded, looking=looking)
        kept = [item for item, _ in said]
        limited = [span for _, span in said]
        spans = [*excluded, *limited]
        negations: list[str] = []
        for negation in negated:
            words, limits = self._excluded(reading, negation, entities, senses)
            negations += words
            kept += limits
            limited += [(negation.start, negation.end)] * len(limits)
        wished = preferred(reading.folded, limited)
        kept = [replace(c, hard=False) if span in wished else c for c, span in zip(kept, limited, strict=True)]
        unique = {(c.field, c.op, str(c.value)): c for c in reversed(kept)}
        ordered = [c for c in kept if unique[c.field, c.op, str(c.value)] is c]
        return Limits(
            constraints=tuple(_first(ordered)),
            negations=tuple(dict.fromkeys(negations))[: bounds.NEGATIONS],
            spans=tuple(dict.fromkeys(spans)),
        )

    def _said(
        self,
        reading: Reading,
        entities: Sequence[Entity],
        wishes: Wishes,
        excluded: Sequence[tuple[int, int]],
        *,
        looking: bool,
    ) -> list[tuple[Constraint, tuple[int, int]]]:
        """Return what is wanted, with its span: patterns of packs first, whose words are nobody else's."""
        stated = list(self._stated.find(reading))
        taken = [span for _, span in stated]
        amounted = amounts(reading, self._fields, self._words, entities, looking=looking)
        measured, written = _sized(
            [m for m in amounted if not covered(*m[1], taken)],
            [w for w in _written(reading) if not covered(*w[1], taken)],
        )
        wishes = tuple(w for w in wishes if not covered(w.start, w.end, taken))
        priced = [span for item, span in measured if item.field == "price"]
        documents = self._documents or speaks_of_documents(reading)
        found = (
            *stated,
            *measured,
            *self._wanted(reading, wishes, entities, excluded, looking=looking),
            *written,
            *dated(reading, entities, [*priced, *taken], documents=documents),
        )
        return list(alternatives(reading.folded, found, documents=documents))

    @staticmethod
    def described(wishes: Wishes) -> bool:
        """Whether the text describes a thing by two exact values or more (纯棉黑色女士短袖), or wants it cheap."""
        if any(item.field == "price" and item.soft for hit in wishes for item in hit.items):
            return True
        return len({h.items[0].field for h in wishes if not h.items[0].soft}) > 1

    def _wanted(
        self,
        reading: Reading,
        wishes: Wishes,
        entities: Sequence[Entity],
        excluded: Sequence[tuple[int, int]],
        *,
        looking: bool,
    ) -> Iterator[tuple[Constraint, tuple[int, int]]]:
        alone = not entities and _only(wishes, reading)
        for hit in wishes:
            if (
                reading.folded[hit.start] in "不没"
                and reading.folded[hit.start - 1 : hit.start] == reading.folded[hit.start + 1 : hit.start + 2]
            ):
                continue  # 是不是很贵 asks
            if covered(hit.start, hit.end, excluded) or covered(
                hit.start, hit.end, [(q.start, q.end) for q in reading.quantities]
            ):
                continue
            if _NEGATED.search(reading.folded[max(0, hit.start - 12) : hit.start]):
                continue  # 不耐用, "not wireless": nothing that is wished for, whether or not it is ruled out
            for wish in hit.items:
                if self._counts(wish, hit, entities, looking=looking) or (
                    alone and wish.soft and wish.field in _ALWAYS
                ):
                    made = self._constraint(wish, reading.text[hit.start : hit.end])
                    if made.hard and in_a_name(reading, hit.start, hit.end, wish, entities):
                        made = replace(made, op="prefer", hard=False)
                    yield made, (hit.start, hit.end)

    def _counts(self, wish: Wish, hit: Found[Wish], entities: Sequence[Entity], *, looking: bool) -> bool:
        """Whether the words limit something here: not within a name (``red wine``), except features of a product."""
        for entity in entities:
            if entity.start < hit.end and hit.start < entity.end:
                if entity.verbatim:
                    return False
                longer = entity.end - entity.start > hit.end - hit.start
                if longer and hit.start > entity.start and wish.field == "size":
                    return False  # the mini of an iPad mini
                if longer and not (entity.type == "product" and wish.field in ("feature", "audience", "size")):
                    return False
                if not longer and (entity.start, entity.end) == (hit.start, hit.end) and entity.type != "component":
                    return False
        if looking:
            kinds = {e.type for e in entities}
            return not (
                wish.field == "feature" and wish.soft and "media" in kinds and "product" not in kinds
            )  # 好看的剧
        return wish.field in _ALWAYS and any(e.type == "product" for e in entities) and wish.soft

    @staticmethod
    def _constraint(wish: Wish, text: str, *, excluded: bool = False) -> Constraint:
        if excluded:
            return Constraint(field=wish.field, op="ne", value=wish.wanted, text=text, hard=True)
        return Constraint(
            field=wish.field, op="prefer" if wish.soft else "eq", value=wish.wanted, text=text, hard=not wish.soft
        )

    def _excluded(
        self, reading: Reading, negation: Negation, entities: Sequence[Entity], senses: Senses
    ) -> tuple[list[str], list[Constraint]]:
        """The words that an exclusion names and, where they are values of a field, the constraints."""
        target = reading.folded[negation.target_start : negation.target_end]
        text = reading.text[negation.start : negation.end]
        within = [e for e in entities if e.start >= negation.target_start and e.end <= negation.target_end]
        names = [(e.start - negation.target_start, e.end - negation.target_start) for e in within]
        wishes = [h for h in self._wishes.longest(target) if not _part_of(h, names)]
        limits = [self._constraint(h.items[0], text, excluded=True) for h in wishes]
        brands = [(e.canonical or e.text).removesuffix(f" ({senses.settled.get(aligned(e.text))})") for e in within
                  if e.type == "brand"]  # fmt: skip
        if not within and senses.names_company(target.strip()):
            brands = [negation.target.strip()]
        left = target.strip()
        for entity in within:
            left = left.replace(entity.text.lower(), "", 1)
        makers = [left] if within and left and is_han(left[0]) and senses.names_company(left) else []
        brands = [*makers, *brands]
        without = negation.cue.lower() in _DOING_WITHOUT
        if without and (
            not _all_said(target, [*(e.text for e in within), *_GOODS_WORDS]) or not _goods(negation, entities)
        ):
            brands = []  # a Microsoft account, or a way to do something without Huawei, is no make of goods
        limits += [Constraint(field="brand", op="ne", value=b, text=text, hard=True) for b in brands]
        words = [negation.target[h.start : h.end] for h in wishes]
        if not words and not (without and not limits) and _all_said(target, [e.text for e in within]):
            words = [*makers, *(e.text for e in within)]
        return words or [negation.target.strip()], limits


def _goods(negation: Negation, entities: Sequence[Entity]) -> bool:
    """Whether something besides what is ruled out is looked for that has a make."""
    return any(
        e.type in ("product", "food", "media", "place", "service")
        and not negation.target_start <= e.start < negation.target_end
        for e in entities
    )


def _only(wishes: Wishes, reading: Reading) -> bool:
    """Whether wishes are all that a text says: 便宜点的."""
    spans = [(h.start, h.end) for h in wishes]
    return bool(spans) and all(not w.content or covered(w.start, w.end, spans) for w in reading.words)


def _part_of(hit: Found[Wish], names: Sequence[tuple[int, int]]) -> bool:
    """Whether a word is only the beginning or the end of a name: 老人 of 老人机."""
    return any(s <= hit.start and hit.end <= e and e - s > hit.end - hit.start for s, e in names)


def _all_said(target: str, words: Sequence[str]) -> bool:
    """Whether ``words`` are all that ``target`` rules out: of "chinese ev" the ev alone is not."""
    if any(is_han(c) for c in target):
        return True
    left = target
    for word in words:
        left = left.replace(word.lower(), " ", 1)
    return not any(c.isalnum() for c in _FILLING.sub(" ", left))


def _first(found: Sequence[Constraint]) -> Sequence[Constraint]:
    """As many as are kept, hard ones before soft ones, in their order."""
    if len(found) <= bounds.CONSTRAINTS:
        return found
    places = sorted(range(len(found)), key=lambda i: not found[i].hard)[: bounds.CONSTRAINTS]
    return [found[i] for i in sorted(places)]


def _asked(reading: Reading, negation: Negation) -> bool:
    """Whether the negation tells a fault: "why does it not rise"."""
    return negation.cue == "not" and bool(re.search(r"\bwhy\b", reading.folded[: negation.start]))


_Limit = tuple[Constraint, tuple[int, int]]


def _sized(measured: Sequence[_Limit], written: Sequence[_Limit]) -> tuple[list[_Limit], list[_Limit]]:
    """Both without what the other reads better: of 36码以上 the bound is measured, of 36或37码 each is written."""
    bounded = [span for item, span in measured if item.field == "size" and item.op != "eq"]
    written = [w for w in written if not covered(*w[1], bounded)]
    spans = [span for item, span in written if item.field == "size"]
    return [m for m in measured if not (m[0].field == "size" and covered(*m[1], spans))], list(written)


def _written(reading: Reading) -> Iterator[tuple[Constraint, tuple[int, int]]]:
    """Sizes and model years, which no unit marks."""
    yield from sizes(reading)
    yield from model_years(reading)
