"""The languages that a pack names: what is no tag fits no query, so that its rules would never count."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from qx.addresses import language_hint, language_problem
from qx.domain import DomainPack, Taxonomy
from qx.yaml import Loc

_SAID = ("synonyms", "templates", "sites", "platforms", "needs", "senses", "examples")
"""The lists of a pack whose items are for one language."""


def check_languages(pack: DomainPack) -> Iterator[tuple[Loc, str, str | None]]:
    """Yield the languages that are no BCP 47 tags: location, text, hint."""
    for loc, tag in _tags(pack):
        if problem := language_problem(tag):
            yield loc, problem, language_hint(tag)


def _tags(pack: DomainPack) -> Iterator[tuple[Loc, str]]:
    for name in _SAID:
        yield from _of(getattr(pack, name), (name,))
    for at, unit in enumerate(pack.units):
        yield from _keys(unit.words, ("units", at, "words"))
    if not isinstance(pack.taxonomy, Taxonomy):
        return
    for at, intent in enumerate(pack.taxonomy.intents):
        yield from _of(intent.needs, ("taxonomy", "intents", at, "needs"))
    for name in ("intents", "entity_types", "fields"):
        for at, item in enumerate(getattr(pack.taxonomy, name)):
            for texts in ("labels", "definition"):
                yield from _keys(getattr(item, texts, {}), ("taxonomy", name, at, texts))


def _of(items: Sequence[Any], loc: Loc) -> Iterator[tuple[Loc, str]]:
    yield from (((*loc, at, "language"), item.language) for at, item in enumerate(items) if item.language is not None)


def _keys(texts: Mapping[str, object], loc: Loc) -> Iterator[tuple[Loc, str]]:
    yield from (((*loc, tag), tag) for tag in texts)
