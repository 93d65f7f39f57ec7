"""When a query is better left alone."""

from __future__ import annotations

import re
from typing import Literal

from qx.text import identifiers, quotes
from qx.text.clean import clean
from qx.text.remembered import remembered
from qx.types import Entity, Query, Understanding

_LOG = re.compile(
    r"^\s*(?:\[?\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}|\d{2}:\d{2}:\d{2}[.,]\d+|\[?(?:ERROR|FATAL|WARN(?:ING)?|INFO|DEBUG|PANIC)\]?\b"
    r"[\s:\]]|(?:Traceback \(most recent call last\)|Exception in thread|Caused by:|panic:|fatal error:|"
    r"npm ERR!|E/[\w.]+:|error\[\w+\]:))"
)
_EXCEPTION = re.compile(
    r"^\s*(?:[\w$]+[.:/])*[A-Z]\w*(?:Error|Exception|Warning|Fault|Failure|Interrupt)\b\s*(?::.*|\(.*\)|$)", re.DOTALL
)

_MESSAGE = re.compile(
    r"^\s*(?:[\w.+/-]{1,30}: ){0,3}(?:(?:fatal|panic|error|aborted)(?:\[\w+\])?:\s\S|(?:command not found|no such file or directory)\b)"
    r"|^\s*[\w.+/-]{1,30}: .{0,80}(?:command not found|no such file or directory|permission denied)\s*$",
    re.IGNORECASE,
)
"""What programs print: "fatal: not a git repository", "bash: foo: command not found"."""
_NAMES = frozenset(
    {"model-number", "version", "product", "brand", "title", "quote", "technology", "standard", "media", "person"}
)
_PUNCTUATION = " \t\"'“”。.？?！!，,"

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
    if any(_is_all(entity, text) for entity in understanding.entities):
        return "the query is an identifier"
    return "the query is an error message" if _is_message(text) else None


@remembered
def _is_message(text: str) -> bool:
    """Whether a program printed ``text``: an exception, a log line, an error message."""
    return bool(_EXCEPTION.match(text) or _LOG.match(text) or (_MESSAGE.match(text) and text.isascii()))


def _is_all(entity: Entity, text: str) -> bool:
    """Whether a verbatim name by a pack's pattern is all of the query; names that people search around are not meant."""
    named = entity.type in _NAMES or (entity.type == "error-code" and " " in entity.text)
    return entity.verbatim and not named and entity.text.strip() == text.strip(_PUNCTUATION)


def _is_phrase(text: str) -> bool:
    """Whether nothing but punctuation stands outside of one quoted phrase."""
    found = [p for p in quotes.phrases(text) if p.kind != "title"]
    if len(found) != 1:
        return False
    rest = text.replace(found[0].text, "", 1)
    return not any(ch.isalnum() for ch in rest)
