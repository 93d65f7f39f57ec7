"""Fields of values whose words are searched: who looks for "Le Guin" wants what has it as its ``author``.

These are the declared fields of keywords (and those without a type, whose texts are keywords), but for ids and addresses
and for those whose ``boost`` is 0.
"""

from __future__ import annotations

from collections.abc import Mapping

from qx.filters.fieldmap import FieldMap, StoredField
from qx.filters.matching import moment, values

BEHIND = "has words that are not searched, since it was declared after the index was made: `qx index` puts that right"
"""What an engine says of such a field where its next indexing looks for the words in all documents."""
_OWN = frozenset({"id", "title", "text", "url"})


def worded(fields: FieldMap) -> dict[str, float]:
    """Return stored name -> weight of the fields, beside title, text and others of type ``text``, whose words count."""
    texts = {field.name for field in fields.values() if field.type == "text"}
    found = {field.name: field.boost for name, field in fields.items() if _has_words(name, field)}
    return {stored: boost for stored, boost in found.items() if stored not in texts}


def words_of(record: Mapping[str, object], stored: str) -> list[str]:
    """Return the texts of a stored field that are words; moments are none."""
    found = [item for item in values(record, stored) if isinstance(item, str)]
    return [text for text in found if text and moment(text) is None]


def _has_words(name: str, field: StoredField) -> bool:
    return field.type in ("keyword", None) and field.boost > 0 and _OWN.isdisjoint((name, field.name))


__all__ = ["BEHIND", "worded", "words_of"]
