"""A query that is, or holds, the name of a document: its id, or the value of a keyword field such as ``sku`` or ``isbn``.

Such a name is one term: ``SKU-1005`` finds the document with this id, and not what has some of its parts.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Any

from qx.builtin.local import codes
from qx.builtin.local.filters import any_of
from qx.builtin.local.schema import tantivy
from qx.builtin.local.snapshot import Snapshot
from qx.filters.fieldmap import FieldMap
from qx.serial import value
from qx.text import identifiers
from qx.text.clean import replace_surrogates
from qx.text.segment import HAN, KANA

MOST = 8
"""Names of one query that are looked for."""
_LONGEST_TEXT = 400
_OF_ITS_OWN = 100.0
"""What the id of a document counts: more than any number of words."""
_RUN = re.compile(rf"[^\s{HAN}{KANA}，。、；：！？“”‘’（）《》「」【】]+")
_AROUND = " \t.,;:!?\"'()<>[]{}“”‘’"
_CODE = re.compile(r"(?=.*\d)(?:.*[^\W\d_].*|.*\d[-./:_]\d.*|\d{5,})|.*\w[/\\_@#:]\w.*", re.S)
"""What may be a name where there are other words: digits with letters or marks between, many digits, a path."""
_LONG_NUMBER = re.compile(r"(?=.*[a-z])(?=.*[\W_]).*\d{3}", re.S)


@value
class Names:
    """What a query may call a document by: ``whole`` is all of it, a word of any kind; ``codes`` look like codes."""

    whole: tuple[str, ...] = ()
    codes: tuple[str, ...] = ()


def names(words: Sequence[str]) -> Names:
    """Return the names in what was typed."""
    text = " ".join(words).strip()
    if not text or len(text) > _LONGEST_TEXT:
        return Names()
    folded = text if text.isascii() else unicodedata.normalize("NFKC", replace_surrogates(text))
    found = [found.text for found in identifiers.find(folded)]
    found += [part for run in _RUN.findall(folded) if _CODE.fullmatch(part := run.strip(_AROUND))]
    return Names(whole=(text,) if len(words) == 1 else (), codes=tuple(dict.fromkeys(found))[:MOST])


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
    ids = [spelling for spelling in _spellings((*found.whole, *found.codes)) if codes.encodable(spelling)]
    terms = [library.Query.term_query(snapshot.schema, "id", id, index_option="basic") for id in ids]
    if terms:
        parts.append(library.Query.const_score_query(any_of(terms), _OF_ITS_OWN * weight))
    spelt = _spellings(found.codes)
    for path in dict.fromkeys(codes.resolved(field.name) for field in fields.values() if field.type == "keyword"):
        if spelt and path.startswith(codes.INDEXED):
            terms = [snapshot.exact(codes.token(path, "s", codes.text_code(spelling))) for spelling in spelt]
            parts.append(library.Query.boost_query(any_of(terms), weight))
    return parts


def _spellings(found: Sequence[str]) -> tuple[str, ...]:
    """Names as they were typed, in capitals, in small letters: ids are kept as they are."""
    return tuple(dict.fromkeys(spelling for name in found for spelling in (name, name.upper(), name.lower())))


__all__ = ["Names", "is_code", "named", "names"]
