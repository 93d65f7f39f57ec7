"""What people say every day, and mean no value of a field by: "by hand", "by Friday", "type error", "how to …"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from qx.context import Context
from qx.errors import QxError
from qx.steps.grounding.held import within
from qx.steps.grounding.vocabulary import tell_unknown, times
from qx.text.frequencies import english
from qx.text.lexicons import load_set

_COMMON = 10_000_000
"""Count from which on a word, written small, is no name (``english``): "by price" is no book of Richard Price."""
_DAYS = frozenset(
    {
        "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "january", "february", "march",
        "april", "june", "july", "august", "september", "october", "november", "december",
    }
)  # fmt: skip
_ASKS = re.compile(
    r"怎么(?!样)|怎麼(?!樣)|怎样|怎樣|如何|为什么|為什麼|为何|什么意思|\bhow\s+(?:to|do|does|did|can|could|should)\b|\bwhy\b|"
    r"\bwhat\s+do(?:es)?\b.{0,80}\bmean\b",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"(?:\b(?:not|never|nothing|none|cannot)|n['’]t|\banything\s+but)\s+(?:[a-z]{1,20}\s+)?$", re.IGNORECASE
)
_LACKING = re.compile(
    r"without(?:\s+(?:a|an|any|the))?|no|lacking|never|free|-free|"
    r"(?:没有|沒有|没|沒|无|無|不含|不带|不帶|不用|不需要?|免|缺|缺少|不吃|不喝|不能|不可以?|不会|不會|未|不)",
    re.IGNORECASE,
)
_OVER = re.compile(r"\s*(?:$|[^\w\s]|(?:and|or)\b|[\u4e00-\u9fff])", re.IGNORECASE)
_DENIAL = 60
"""Characters before a place in which it is denied."""


def asks_about(text: str) -> bool:
    """Whether a query asks how or why, and not for documents that have a value."""
    return _ASKS.search(text) is not None


def is_denied(text: str, at: int) -> bool:
    """Whether what begins at a place is said not to be: "isn't by Larry Niven"."""
    return _DENIED.search(text[max(0, at - _DENIAL) : at]) is not None


def goes_on(text: str, at: int) -> bool:
    """Whether a sentence goes on at a place: "my type is error but nothing fails" tells a story."""
    return _OVER.match(text, at) is None


def lacks(cue: str) -> bool:
    """Whether a negation says what is not there or not done ("without", 没有), and not what is not wanted (不要, "except")."""
    return _LACKING.fullmatch(cue.strip()) is not None


def is_everyday(said: str) -> bool:
    """Whether ``said``, behind "by", is no maker: a day or a month, or words that are common and written small."""
    own = said.casefold()
    if own in _DAYS:
        return True
    words = said.split()
    if said != own or not said.isascii() or not words:
        return False
    if words[0] in load_set("stopwords_en"):
        return True
    return len(words) == 1 and english().get(own, 0) >= _COMMON


async def in_documents(phrases: Sequence[str], context: Context, *, ask: bool) -> frozenset[str]:
    """Return those of ``phrases`` that documents say themselves; all of them where that cannot be known.

    A field's name beside a value may be a word of the language: a "text editor" is no editor.

    Args:
        ask: False asks no engine.
    """
    vocabulary = context.vocabulary
    if not phrases or vocabulary is None or not vocabulary.tells("frequencies"):
        return frozenset()
    if not ask:
        return frozenset(phrases)
    try:
        counts = await vocabulary.frequencies(phrases, within(context.budget.remaining().seconds))
    except QxError as error:
        tell_unknown(context, error)
        return frozenset(phrases)
    return frozenset(phrase for phrase in phrases if times(counts, phrase))


__all__ = ["asks_about", "goes_on", "in_documents", "is_denied", "is_everyday", "lacks"]
