"""Which stored values a word means: ``hewlett packard`` is ``HP``, ``ｈｐ`` and ``hp`` too."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from qx.domain import Knowledge
from qx.filters.fieldmap import StoredField
from qx.rules.terms import plain

_SHORTEST = 7
"""Characters from which one slip of the pen is taken for one: ``Canon`` and ``Canyon`` are two brands."""
_BETWEEN = re.compile(r"[\s\-_./&·・'’]+")
_DIGITS = re.compile(r"\d+")
_COMPANY = re.compile(r"(?:公司|集团|\s(?:inc|corp|ltd)\.?)$")
"""What the full name of a maker ends in: 苹果 is 苹果公司, and so ``Apple``."""


def spellings(wanted: str, known: Sequence[str], knowledge: Knowledge) -> tuple[str, ...]:
    """Return the stored values that ``wanted`` means; none rather than a doubtful one.

    The same but for case, width, spaces and Traditional characters; else another name of a pack; else the initials of one
    value alone (either way round); else one value that differs by a slip of the pen.
    """
    if found := same(wanted, known, knowledge):
        return found
    keys, own = _keyed(known), pressed(wanted)
    short = {_initials(name) for name in (wanted, *_brand_names(wanted, knowledge))}
    alike = [key for key in keys if key in short] or [
        key for key, items in keys.items() if any(_initials(item) == own for item in items)
    ]
    if not alike:
        alike = _misspelt(own, list(keys))
    return tuple(keys[alike[0]]) if len(alike) == 1 else ()


def same(wanted: str, known: Sequence[str], knowledge: Knowledge) -> tuple[str, ...]:
    """Return the stored values that are ``wanted`` but for case, width, spaces and script, or another name of it."""
    keys = _keyed(known)
    return next((tuple(keys[key]) for name in called(wanted, knowledge) if (key := pressed(name)) in keys), ())


def called(wanted: str, knowledge: Knowledge) -> Iterator[str]:
    """Yield a value as it was said, and its other names."""
    yield wanted
    yield from (other for other, _ in knowledge.synonyms.get(plain(wanted), ()))
    yield from _brand_names(wanted, knowledge)
    yield from _value_names(wanted, knowledge)


def _keyed(known: Sequence[str]) -> dict[str, list[str]]:
    keys: dict[str, list[str]] = {}
    for item in known:
        keys.setdefault(pressed(item), []).append(item)
    return keys


def _brand_names(wanted: str, knowledge: Knowledge) -> tuple[str, ...]:
    """The names of the brand that ``wanted`` names: 惠普 is ``hewlett packard`` too."""
    own = plain(wanted)
    brands = (kind.names for kind in knowledge.taxonomy.entity_types if kind.id == "brand")
    sets = [(canonical, *others) for names in brands for canonical, others in names.items()]
    whole = next((names for names in sets if own in map(plain, names)), ())
    return whole or next((names for names in sets if own in [_COMPANY.sub("", plain(n)) for n in names]), ())


def _value_names(wanted: str, knowledge: Knowledge) -> Iterator[str]:
    """What a field's value is called in both languages: ``white`` is 白色."""
    for field in knowledge.taxonomy.fields:
        meant = field.values.get(wanted, wanted)
        called = [word for word, value in field.values.items() if value == meant]
        if called:
            yield from (meant, *called)


def _misspelt(own: str, keys: Sequence[str]) -> list[str]:
    if len(own) < _SHORTEST:
        return []
    from rapidfuzz.distance import OSA

    near = [key for key in keys if key[:1] == own[:1] and OSA.distance(own, key, score_cutoff=1) <= 1]
    return [key for key in near if _DIGITS.findall(key) == _DIGITS.findall(own)]


def pressed(text: str) -> str:
    """Return ``text`` without case, width, spaces and hyphens, in Simplified characters."""
    return _BETWEEN.sub("", plain(text))


def _initials(text: str) -> str:
    """``hewlett-packard`` -> ``hp``; nothing for a single word."""
    words = [word for word in _BETWEEN.split(plain(text)) if word]
    return "".join(word[0] for word in words) if len(words) > 1 and all(word[0].isalpha() for word in words) else "\0"


def mapped(item: str, fields: Sequence[StoredField]) -> bool:
    """Whether the profile itself says how the value is stored."""
    known: list[Mapping[str, str]] = [field.values for field in fields]
    return any(item.casefold() == spelling.casefold() for values in known for spelling in values)
