"""A query that is, or holds, the name of a document: its id, or the value of a keyword field such as ``sku`` or ``isbn``.

Such a name is one term: ``SKU-1005`` finds the document with this id, and not what has some of its parts.
"""

from __future__ import annotations

import re
from typing import Any

from qx.builtin.local import codes
from qx.builtin.local.filters import any_of
from qx.builtin.local.schema import tantivy
from qx.builtin.local.snapshot import Snapshot
from qx.filters.fieldmap import FieldMap
from qx.text.naming import Names, names, spellings

_OF_ITS_OWN = 100.0
"""What the id of a document counts: more than any number of words."""
_LONG_NUMBER = re.compile(r"(?=.*[a-z])(?=.*[\W_]).*\d{3}", re.S)


def is_code(word: str) -> bool:
    """Whether a folded word of several parts is a code such as ``ab-1005``: its parts say nothing by themselves."""
    return _LONG_NUMBER.match(word) is not None


def named(found: Names, snapshot: Snapshot, fields: FieldMap, weight: float) -> list[Any]:
    """Return the queries for documents that are called so: by their id, or, of codes, by a keyword field.

    Args:
        weight: Of a word in the field that counts most.
    """
    library = tantivy()
    parts: list[Any] = []
    ids = [spelling for spelling in found.ids if codes.encodable(spelling)]
    terms = [library.Query.term_query(snapshot.schema, "id", id, index_option="basic") for id in ids]
    if terms:
        parts.append(library.Query.const_score_query(any_of(terms), _OF_ITS_OWN * weight))
    spelt = spellings(found.codes)
    for path in dict.fromkeys(codes.resolved(field.name) for field in fields.values() if field.type == "keyword"):
        if spelt and path.startswith(codes.INDEXED):
            terms = [snapshot.exact(codes.token(path, "s", codes.text_code(spelling))) for spelling in spelt]
            parts.append(library.Query.boost_query(any_of(terms), weight))
    return parts


__all__ = ["Names", "is_code", "named", "names"]
