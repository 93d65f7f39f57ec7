"""What must hold in a pack's platforms, spellings of units, conditions by pattern, and defaults of searching."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from qx.domain import DomainPack, Taxonomy
from qx.registry import suggest
from qx.secrets import is_secret
from qx.text.units import canonical, is_unit
from qx.yaml import Loc

SEARCH = frozenset({"identity", "min_results", "processors", "rerank", "share", "strong"})
"""What of ``search`` a pack's defaults may set: how lists are treated, never which engines are asked."""
_FILES = frozenset({"path", "file", "files", "folder", "headers"})
Found = Iterator[tuple[Loc, str, str | None]]


def check_platforms(pack: DomainPack) -> Found:
    """Yield what is wrong with ``platforms``: location, text, hint."""
    first: dict[str, int] = {}
    for index, one in enumerate(pack.platforms):
        loc: Loc = ("platforms", index)
        if not one.name.strip():
            yield (*loc, "name"), "a platform without a name", "write the name that people know it by"
        if first.setdefault(one.name, index) != index:
            yield (*loc, "name"), f"{one.name!r} is defined twice", "merge the two"
        if one.intents and one.site is None and not _in_templates(pack):
            yield (
                loc,
                "it has intents, but neither a site nor a template with {platform} says what is asked of it",
                "add 'site:', or a template such as '{platform} {core}'",
            )


def _in_templates(pack: DomainPack) -> bool:
    return any("{platform}" in template.text for template in pack.templates)


def check_units(pack: DomainPack) -> Found:
    """Yield what is wrong with ``units``: location, text, hint."""
    for index, one in enumerate(pack.units):
        loc: Loc = ("units", index)
        if not is_unit(one.unit):
            yield (*loc, "unit"), f"{one.unit!r} is no unit that is known", "write one such as inch, kg, GB, L"
            continue
        meant = canonical(one.unit)[0]
        for tag, words in one.words.items():
            for at, word in enumerate(words):
                if not is_unit(word) or canonical(word)[0] != meant:
                    yield (
                        (*loc, "words", tag, at),
                        f"{word!r} is no spelling of {meant}",
                        "write how the same unit is written",
                    )


def check_conditions(pack: DomainPack) -> Found:
    """Yield what is wrong with fields, and with patterns that state conditions on them: location, text, hint."""
    fields = pack.taxonomy.fields if isinstance(pack.taxonomy, Taxonomy) else ()
    for index, field in enumerate(fields):
        if field.unit is not None and not is_unit(field.unit):
            loc = ("taxonomy", "fields", index, "unit")
            yield loc, f"{field.unit!r} is no unit that is known", "write one such as inch, kg, GB, L"
    own = {field.id for field in fields}
    for index, rule in enumerate(pack.patterns):
        loc: Loc = ("patterns", index)
        if rule.field is None:
            for key in ("op", "value", "unit", "soft"):
                if key in rule.model_fields_set:
                    yield (*loc, key), f"{key} says something of a field, and none is named", "add 'field:'"
            continue
        if rule.value is None and "(?P<value>" not in rule.pattern:
            yield (
                (*loc, "field"),
                "nothing says the value",
                "name a group of the pattern (?P<value>...), or add 'value:'",
            )
        if rule.unit is not None and not is_unit(rule.unit):
            yield (*loc, "unit"), f"{rule.unit!r} is no unit that is known", "write one such as inch, kg, GB, L"
        if own and rule.field not in own and (near := suggest(rule.field, own)):
            yield (*loc, "field"), f"there is no field {rule.field!r}", near


def check_search(pack: DomainPack) -> Found:
    """Yield what a pack's defaults may not set under ``search``: engines, endpoints, secrets, files."""
    given = pack.defaults.get("search")
    if not isinstance(given, Mapping):
        return
    for key in cast("Mapping[str, Any]", given):
        if key not in SEARCH:
            hint = suggest(key, SEARCH) or f"a pack may set: {', '.join(sorted(SEARCH))}"
            yield ("defaults", "search", key), "a pack cannot set this", hint
    yield from _outward(given, ("defaults", "search"))


def _outward(item: Any, loc: Loc) -> Found:
    """Settings by which data would leave, or files be read."""
    from qx.profiles.references import is_endpoint  # profiles load packs

    if isinstance(item, Mapping):
        for key, inner in cast("Mapping[str, Any]", item).items():
            if is_secret(key) or is_endpoint(key) or key in _FILES:
                yield (*loc, key), "a pack cannot name an endpoint, a secret or a file", "leave it to the profile"
            else:
                yield from _outward(inner, (*loc, key))
    elif isinstance(item, (list, tuple)):
        for at, inner in enumerate(cast("Sequence[Any]", item)):
            yield from _outward(inner, (*loc, at))
