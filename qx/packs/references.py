"""What a pack names and any pack of the profile may bring: fields of conditions, types of entities, intents it takes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from qx.domain import DomainPack, Taxonomy
from qx.packs.loading import ReadPack
from qx.registry import suggest
from qx.validation import Problem
from qx.yaml import Loc, Place

BY_RULES = frozenset(
    {
        *(
            "thing",
            "product",
            "title",
            "quote",
            "platform",
            "identifier",
            "url",
            "email",
            "path",
            "doi",
            "arxiv",
            "isbn",
            "cve",
        ),
        *("error-code", "exception", "model-number", "version", "ip-address", "mac-address", "standard"),
    }
)
"""Types of entities that rules find whatever the packs say."""


def missing_fields(packs: Mapping[str, ReadPack]) -> Iterator[Problem]:
    """Yield the patterns that state a condition on a field that none of ``packs`` has; each would fail every request."""
    known = {field.id for read in packs.values() for field in _taxonomy(read.pack).fields}
    for name, read in packs.items():
        for at, rule in enumerate(read.pack.patterns):
            if rule.field is None or rule.field in known:
                continue
            loc: Loc = ("patterns", at, "field")
            yield Problem(
                message=f"patterns.{at}.field: no pack of the profile has a field {rule.field!r}",
                place=read.place(loc) if read.place else Place(file=f"pack {name}"),
                hint=suggest(rule.field, known) or "add it to the taxonomy's 'fields:', or name the pack that has it",
            )


def unread(pack: DomainPack, packs: Sequence[DomainPack]) -> Iterator[tuple[Loc, str]]:
    """Yield the types and intents that ``pack`` names and none of ``packs``, nor any rule, brings, each with where it is
    named: often misspelled.

    Of conditions only those are told that no other entry of their list makes up for, or that are near a type's name: a
    pack may name types of another one that is not there.
    """
    types = BY_RULES | {type for one in packs for type in _types(one)}
    intents = {intent.id for one in packs for intent in _taxonomy(one).intents}
    for at, kind in enumerate(_taxonomy(pack).entity_types):
        for key, names in (("broader", (kind.broader,) if kind.broader else ()), ("takes", kind.takes)):
            for name in names:
                yield from _missing(("taxonomy", "entity_types", at, key), "a type", name, types)
    for where, entries in _conditions(pack):
        named = [_types_in(entry) for entry in entries]
        vain = all(names - types for names in named)
        for name in sorted({name for names in named for name in names}):
            if vain or suggest(name, types):
                yield from _missing(where, "a type", name, types)
    for at, intent in enumerate(_taxonomy(pack).intents):
        for name in intent.takes:
            yield from _missing(("taxonomy", "intents", at, "takes"), "an intent", name, intents)


def _missing(loc: Loc, what: str, name: str, known: Collection[str]) -> Iterator[tuple[Loc, str]]:
    if name not in known:
        near, where = suggest(name, known), ".".join(map(str, loc))
        yield loc, f"{where}: no pack has {what} {name!r}{f' ({near})' if near else ''}: nothing of it is ever read"


def _taxonomy(pack: DomainPack) -> Taxonomy:
    """Its own; one that it only names was brought when it was read."""
    return pack.taxonomy if isinstance(pack.taxonomy, Taxonomy) else Taxonomy(name=pack.taxonomy, intents=())


def _types(pack: DomainPack) -> Iterator[str]:
    yield from (kind.id for kind in _taxonomy(pack).entity_types)
    yield from (rule.type for rule in pack.patterns if rule.type is not None)


def _conditions(pack: DomainPack) -> Iterator[tuple[Loc, Sequence[str]]]:
    """The lists of words and ``@types`` of which one must be in a query, or none, with where they stand."""
    for at, intent in enumerate(_taxonomy(pack).intents):
        where: Loc = ("taxonomy", "intents", at)
        yield (*where, "when"), intent.when
        yield from _of(intent.needs, (*where, "needs"))
    for name in ("templates", "sites", "needs"):
        yield from _of(getattr(pack, name), (name,))


def _of(rules: Iterable[object], where: Loc) -> Iterator[tuple[Loc, Sequence[str]]]:
    for at, rule in enumerate(rules):
        for key in ("when", "unless"):
            yield (*where, at, key), getattr(rule, key, ())


def _types_in(entry: str) -> set[str]:
    """The types that an entry asks for: ``@a + word + @b`` is a and b."""
    parts = {part.strip() for part in entry.split(" + ")}
    return {part[1:] for part in parts - {"@bare"} if part.startswith("@")}
