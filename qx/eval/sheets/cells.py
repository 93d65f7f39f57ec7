"""Text in cells that a spreadsheet program must not take for a formula."""

from __future__ import annotations

import re
import unicodedata

LONGEST = 32_000
"""Characters; Excel's own limit is 32,767."""
_FORMULA = re.compile(r"\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n]")
_UNSAFE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")


def cell_text(text: str) -> str:
    """Return ``text`` as a cell holds it: without what no cell may hold, its length bounded."""
    clean = _UNSAFE.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
    return clean if len(clean) <= LONGEST else clean[: LONGEST - 1] + "…"


def is_formula(text: str) -> bool:
    """Whether a program may take ``text`` for a formula: it begins with a sign such as = + - @, of full width too."""
    return _FORMULA.match(text) is not None


def neutral(text: str) -> str:
    """Return ``text`` for a file without types of cells (CSV): what may be a formula begins with an apostrophe.

    Source: OWASP, "CSV Injection".
    """
    clean = cell_text(text)
    return f"'{clean}" if is_formula(clean) else clean


def narrow(text: str) -> str:
    """Return what a rater typed in narrow form, without space around it: ４ is 4."""
    return unicodedata.normalize("NFKC", text).strip()
