"""The names that a query may call a document by: its id, or a code such as an article number.

Such a name is one term: a backend compares it as a whole, so that ``SKU-1005`` finds the document with this id, and not
what has some of its parts.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from qx.serial import value
from qx.text import identifiers
from qx.text.clean import replace_surrogates
from qx.text.segment import HAN, KANA

MOST = 8
"""Names of one query that are looked for."""
_LONGEST_TEXT = 400
_RUN = re.compile(rf"[^\s{HAN}{KANA}，。、；：！？“”‘’（）《》「」【】]+")
_AROUND = " \t.,;:!?\"'()<>[]{}“”‘’"
_CODE = re.compile(r"(?=.*\d)(?:.*[^\W\d_].*|.*\d[-./:_]\d.*|\d{5,})|.*\w[/\\_@#:]\w.*", re.S)
"""What may be a name where there are other words: digits with letters or marks between, many digits, a path."""


@value
class Names:
    """What a query may call a document by.

    Attributes:
        whole: All of it, where it is one word of any kind.
        codes: Words of it that look like codes: digits with letters or marks, many digits, a path, a UUID.
    """

    whole: tuple[str, ...] = ()
    codes: tuple[str, ...] = ()

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids that may be meant: each name as it was typed, in capitals, in small letters."""
        return spellings((*self.whole, *self.codes))


def names(words: Sequence[str]) -> Names:
    """Return the names in words as they were typed, at most eight; none in more than 400 characters."""
    text = " ".join(words).strip()
    if not text or len(text) > _LONGEST_TEXT:
        return Names()
    readable = replace_surrogates(text)
    folded = readable if readable.isascii() else unicodedata.normalize("NFKC", readable)
    found = [found.text for found in identifiers.find(folded)]
    found += [part for run in _RUN.findall(folded) if _CODE.fullmatch(part := run.strip(_AROUND))]
    return Names(
        whole=(text,) if len(words) == 1 and readable == text else (), codes=tuple(dict.fromkeys(found))[:MOST]
    )


def spellings(found: Sequence[str]) -> tuple[str, ...]:
    """Return names as they were typed, in capitals and in small letters: ids are kept as they are."""
    return tuple(dict.fromkeys(spelling for name in found for spelling in (name, name.upper(), name.lower())))


__all__ = ["Names", "names", "spellings"]
