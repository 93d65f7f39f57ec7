"""Merging domain packs into one ``Knowledge``.  Called through ``qx.domain``."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any, TypeVar, cast

from pydantic import BaseModel

from qx.domain import (
    ConstraintField,
    DomainPack,
    EntityType,
    Example,
    Intent,
    Knowledge,
    SynonymSet,
    Taxonomy,
)
from qx.errors import PackError
from qx.packs.entity_types import EntityTypes
from qx.packs.joining import unique
from qx.read_only import read_only
from qx.text.normalise import fold
from qx.text.remembered import made_once

T = TypeVar("T")
GENERAL = "general"
"""The built-in pack of everyday words, which every other one knows better than."""
PLATFORM = "platform"
"""The type of entity that a pack's ``platforms`` are."""


class _Merger:
    def __init__(self) -> None:
        self.conflicts: list[str] = []

    def mapping(self, what: str, sources: Iterable[tuple[str, Mapping[str, T]]]) -> dict[str, T]:
        """Merge mappings, the first source of a key winning."""
        merged: dict[str, T] = {}
        owner: dict[str, str] = {}
        for pack, mapping in sources:
            for key, item in mapping.items():
                if key not in merged:
                    merged[key], owner[key] = item, pack
                elif merged[key] != item and owner[key] != pack:
                    self.conflicts.append(f"{what} {key!r}: {owner[key]} wins over {pack}")
        return merged

    def intents(self, sources: Sequence[tuple[str, Intent]]) -> tuple[Intent, ...]:
        merged: dict[str, Intent] = {}
        owner: dict[str, str] = {}
        for pack, intent in sources:
            first = merged.get(intent.id)
            if first is None:
                merged[intent.id], owner[intent.id] = intent, pack
                continue
            if intent.definition and first.definition and intent.definition != first.definition:
                self.conflicts.append(f"definition of intent {intent.id!r}: {owner[intent.id]} wins over {pack}")
            merged[intent.id] = Intent(
                id=intent.id,
                broader=first.broader or intent.broader,
                when=unique((*first.when, *intent.when)),
                takes=unique((*first.takes, *intent.takes)),
                labels={**intent.labels, **first.labels},
                definition={**intent.definition, **first.definition},
                cues=unique((*first.cues, *intent.cues)),
                needs=unique((*first.needs, *intent.needs)),
            )
        return tuple(merged.values())

    def entity_types(self, sources: Sequence[tuple[str, EntityType]]) -> tuple[EntityType, ...]:
        types = EntityTypes(self.conflicts)
        for pack, kind in sources:
            types.add(pack, kind)
        return types.merged()

    def fields(self, sources: Sequence[tuple[str, ConstraintField]]) -> tuple[ConstraintField, ...]:
        grouped: dict[str, list[tuple[str, ConstraintField]]] = {}
        for pack, item in sources:
            grouped.setdefault(item.id, []).append((pack, item))
        merged: list[ConstraintField] = []
        for id_, items in grouped.items():
            said = [one for one in items if {"type", "unit"} & one[1].model_fields_set]  # who adds words says neither
            pack, first = (said or items)[0]
            for other, item in said[1:]:
                if (item.type, item.unit) != (first.type, first.unit) and other != pack:
                    self.conflicts.append(f"type or unit of field {id_!r}: {pack} wins over {other}")
            merged.append(
                ConstraintField(
                    id=id_,
                    labels=self.mapping(f"label of field {id_}", [(p, i.labels) for p, i in items]),
                    type=first.type,
                    unit=first.unit,
                    words=unique(w for _, i in items for w in i.words),
                    soft=self.mapping(f"preference of field {id_}", [(p, i.soft) for p, i in items]),
                    values=self.mapping(f"value of field {id_}", [(p, i.values) for p, i in items]),
                )
            )
        return tuple(merged)

    def named(self, what: str, sources: Sequence[tuple[str, str, T]]) -> tuple[T, ...]:
        """Merge items that have a name: (pack, name, item)."""
        merged: dict[str, T] = {}
        owner: dict[str, str] = {}
        for pack, name, item in sources:
            if name not in merged:
                merged[name], owner[name] = item, pack
            elif merged[name] != item:
                self.conflicts.append(f"{what} {name!r}: {owner[name]} wins over {pack}")
        return tuple(merged.values())

    def synonyms(self, sources: Sequence[tuple[str, SynonymSet]]) -> dict[str, tuple[tuple[str, str], ...]]:
        """Add up what every source says of a word, in the order of ``sources``; what two say is the first one's."""
        merged: dict[str, dict[str, tuple[str, str]]] = {}
        for source, group in sources:
            pairs = [(group.of, group.words)] if group.of else [(w, group.words) for w in group.words]
            for word, others in pairs:
                key = fold(word)
                known = merged.setdefault(key, {})
                for other in others:
                    if fold(other) != key:
                        known.setdefault(fold(other), (other, source))
        return {word: tuple(others.values()) for word, others in merged.items() if others}


def _taxonomy(pack: DomainPack, packs: Sequence[DomainPack], taxonomies: Mapping[str, Taxonomy]) -> Taxonomy:
    if isinstance(pack.taxonomy, Taxonomy):
        return pack.taxonomy
    own = {p.taxonomy.name: p.taxonomy for p in packs if isinstance(p.taxonomy, Taxonomy)}
    found = taxonomies.get(pack.taxonomy) or own.get(pack.taxonomy)
    if found is None:
        known = ", ".join(sorted({*taxonomies, *own})) or "none"
        raise PackError(f"pack {pack.name!r} names the taxonomy {pack.taxonomy!r}, which is not there; known: {known}")
    return found


def merge_packs(
    packs: Sequence[DomainPack],
    *,
    synonyms: Sequence[SynonymSet],
    lexicon: Sequence[str],
    taxonomies: Mapping[str, Taxonomy],
) -> Knowledge:
    """See ``qx.domain.merge``."""
    if synonyms or lexicon or taxonomies:
        return _merged(packs, synonyms, lexicon, taxonomies)
    # of packs alone there are few combinations in a process: their engines share one object that none of them can
    # change, and what is made of it
    key = tuple(map(id, packs))
    known = _of_packs.get(key)
    if known is None:
        if len(_of_packs) >= COMBINATIONS:
            _of_packs.clear()
        known = _of_packs[key] = (tuple(packs), _merged(packs, (), (), {}))
    return known[1]


COMBINATIONS = 16
"""Combinations of packs that are remembered; then all are forgotten and it begins anew."""
_of_packs: dict[tuple[int, ...], tuple[tuple[DomainPack, ...], Knowledge]] = {}
"""The packs stand beside what was made of them, so that no other object gets the id of one."""


def _merged(
    packs: Sequence[DomainPack],
    synonyms: Sequence[SynonymSet],
    lexicon: Sequence[str],
    taxonomies: Mapping[str, Taxonomy],
) -> Knowledge:
    packs = [_shared(pack) for pack in packs]
    merger = _Merger()
    trees = [(p.name, _taxonomy(p, packs, taxonomies)) for p in packs]
    words = [("profile", s) for s in synonyms]
    words += [(p.name, s) for p in _above("synonyms", packs) for s in p.synonyms]
    named = [(p.name, _platforms(p)) for p in packs if p.platforms]
    kept = {p.name for p in _above("intents", packs)}
    taxonomy = Taxonomy(
        name="+".join(dict.fromkeys(t.name for _, t in trees)) or "none",
        intents=merger.intents([(n, i) for n, t in trees if n in kept for i in t.intents]),
        entity_types=merger.entity_types([*named, *((n, e) for n, t in trees for e in t.entity_types)]),
        fields=merger.fields([(n, f) for n, t in trees for f in t.fields]),
    )
    knowledge = Knowledge(
        name="+".join(p.name for p in packs),
        taxonomy=taxonomy,
        synonyms=merger.synonyms(words),
        lexicon=unique((*lexicon, *(w for p in packs for w in p.lexicon))),
        examples=unique(_examples(packs, taxonomy)),
        patterns=merger.named("pattern", [(p.name, r.name, r) for p in packs for r in p.patterns]),
        templates=unique(t for p in _above("templates", packs) for t in p.templates),
        sites=unique(s for p in _above("sites", packs) for s in p.sites),
        platforms=merger.named("platform", [(p.name, one.name, one) for p in packs for one in p.platforms]),
        units=merger.named("spelling of unit", [(p.name, one.unit, one) for p in packs for one in p.units]),
        cues=unique(c for p in packs for c in p.cues),
        signals=unique(s for p in packs for s in p.signals),
        needs=unique(n for p in packs for n in p.needs),
        senses=merger.named(
            "senses of",
            [
                (p.name, f"{fold(s.word)} {s.language or ''}".strip(), s)
                for p in _above("senses", packs)
                for s in p.senses
            ],
        ),
        generalize=merger.mapping("generalisation of", [(p.name, p.generalize) for p in _above("generalize", packs)]),
        contrasts=merger.named("contrast", [(p.name, c.name, c) for p in packs for c in p.contrasts]),
        variants=unique(v for p in packs for v in p.variants),
        prompts=merger.mapping("prompt slot", [(p.name, p.prompts) for p in packs]),
        particular=_particular(trees),
        own_sites=len(unique(s for p in _above("sites", packs) if p.name != GENERAL for s in p.sites)),
    )
    knowledge = replace(knowledge, fingerprint=_fingerprint(knowledge), conflicts=unique(merger.conflicts))
    return replace(knowledge, **{f.name: read_only(getattr(knowledge, f.name)) for f in fields(knowledge)})


@made_once
def _shared(pack: DomainPack) -> DomainPack:
    """``pack`` for all that is merged of it: what several tenants take from it is there once."""
    return read_only(pack)


def _examples(packs: Sequence[DomainPack], taxonomy: Taxonomy) -> Iterator[Example]:
    """The examples of all packs; of ``general`` without those that call a ``product`` what a pack has a kind of."""
    broad = {kind.broader for kind in taxonomy.entity_types if kind.broader is not None}
    for pack in packs:
        for example in pack.examples:
            named = cast("Sequence[Mapping[str, Any]]", example.understanding.get("entities", ()))
            if pack.name != GENERAL or broad.isdisjoint(str(entity.get("type")) for entity in named):
                yield example


def _platforms(pack: DomainPack) -> EntityType:
    """The platforms of a pack as the names of a type of entity."""
    names = {one.name: one.names for one in pack.platforms}
    return EntityType(id=PLATFORM, labels={"en": "platform", "zh": "平台"}, names=names)


def _above(part: str, packs: Sequence[DomainPack]) -> Sequence[DomainPack]:
    """The packs whose ``part`` counts: down to the first that replaces those below it."""
    for at, pack in enumerate(packs, 1):
        if part in pack.replaces or (part in pack.model_fields_set and not getattr(pack, part)):
            return packs[:at]
    return packs


def _particular(trees: Sequence[tuple[str, Taxonomy]]) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for name, taxonomy in trees:
        for intent in taxonomy.intents:
            if name != GENERAL and intent.cues:
                found[intent.id] = unique((*found.get(intent.id, ()), *intent.cues))
    return found


def _fingerprint(knowledge: Knowledge) -> str:
    """A digest of all that the packs say: what differs in one word differs here."""
    said = {f.name: getattr(knowledge, f.name) for f in fields(knowledge)}
    text = json.dumps(said, default=_plain, ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _plain(item: object) -> Any:
    """What JSON does not write itself."""
    if isinstance(item, BaseModel):
        return item.model_dump(mode="json")
    return dict(cast("Mapping[str, object]", item))
