"""When a query is better left alone."""

from __future__ import annotations

import re
from typing import Literal

from qx.text import identifiers, quotes
from qx.text.clean import clean
from qx.types import Query, Understanding

_LOG = re.compile(
    r"^\s*(?:\[?\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}|\d{2}:\d{2}:\d{2}[.,]\d+|\[?(?:ERROR|FATAL|WARN(?:ING)?|INFO|DEBUG|PANIC)\]?\b"
    r"[\s:\]]|(?:Traceback \(most recent call last\)|Exception in thread|Caused by:|panic:|fatal error:|"
    r"npm ERR!|E/[\w.]+:|error\[\w+\]:))"
)
_EXCEPTION = re.compile(
    r"^\s*(?:[\w$]+[.:/])*[A-Z]\w*(?:Error|Exception|Warning|Fault|Failure|Interrupt)\b\s*(?::.*|\(.*\)|$)", re.DOTALL
)

Mode = Literal["auto", "never", "always"]


def abstain(query: Query, understanding: Understanding, mode: Mode) -> str | None:
    """Return why ``query`` is not to be expanded, or None.

    In ``auto`` a query that *is* an identifier, a quoted phrase, or an error string (exception, log line) is left
    alone; ``never`` expands everything, ``always`` nothing.  An empty query is never expanded.
    """
    text = clean(query.text).text
    if not any(ch.isalnum() for ch in text):
        return "the query is empty"
    if mode == "never":
        return None
    if mode == "always":
        return "expansion is switched off (expand.abstain: always)"
    if understanding.standalone and understanding.standalone.strip() != text:
        text = understanding.standalone.strip()
    if identifiers.is_identifier(text):
        return "the query is an identifier"
    if _is_phrase(text):
        return "the query is a quoted phrase"
    if _EXCEPTION.match(text) or _LOG.match(text):
        return "the query is an error message"
    return None


def _is_phrase(text: str) -> bool:
    """Whether nothing but punctuation stands outside of one quoted phrase."""
    found = [p for p in quotes.phrases(text) if p.kind != "title"]
    if len(found) != 1:
        return False
    rest = text.replace(found[0].text, "", 1)
    return not any(ch.isalnum() for ch in rest)
