"""Another strategy for a question that found nothing: another side of it, wider, in the other language, its premise.

None of them is a paraphrase: who asks in other words what found nothing finds nothing again.
"""

from __future__ import annotations

import re

from qx.context import Context
from qx.serial import value
from qx.text.language import identify
from qx.types import Outcome
from qx_answer.concepts import across
from qx_answer.terms import terms
from qx_answer.values import Expects, Strategy, Wanted

LADDER: tuple[Strategy, ...] = ("turned", "broader", "other-language", "premise")
"""In this order; each is tried once for a question."""


@value
class Turn:
    """A question that found nothing.

    Attributes:
        part: Its id in the plan.
        outcome: Why: ``empty``, ``spam``, ``stale``; ``ok`` where there were hits that do not answer it.
        tried: Strategies that were tried for it.
        wanted: How many queries there is room for.
    """

    part: str
    text: str
    expects: Expects
    outcome: Outcome
    tried: frozenset[str]
    wanted: int = 2


async def turn(value: Turn, context: Context, /) -> tuple[Wanted, ...]:
    """Return queries of the next strategies that give one; none where all were tried."""
    found: list[Wanted] = []
    for strategy in LADDER:
        if strategy in value.tried or len(found) >= value.wanted:
            continue
        text = _query(strategy, value)
        if text and all(text != one.text for one in found) and text != value.text:
            found.append(Wanted(text=text, part=value.part, strategy=strategy))
    return tuple(found)


def _query(strategy: Strategy, value: Turn) -> str:
    chinese = identify(value.text).startswith("zh")
    if strategy == "turned":
        return _turned(value, chinese)
    if strategy == "broader":
        return broader(value.text)
    if strategy == "other-language":
        return translated(value.text, "en" if chinese else "zh")
    return _premise(value.text, chinese)


_ASKS = re.compile(
    r"^\s*(?:what(?:'s| is| are| was| were| does| do)?|how (?:do|does|can|should|to|is|are)|why (?:is|are|does|do|did)?|"
    r"who (?:is|was)|when (?:is|was|did|does)?|where (?:is|was|did|does|are)?|which)\b\s*(?:the|an?|i|you|we|one)?\s*",
    re.IGNORECASE,
)
_ASKS_ZH = re.compile(
    "请问|是什么|什么是|怎么样?|如何|怎样|为什么|为何|多少|哪[里儿个些]|什么时候|何时|吗|呢|谁|有没有|是不是|[?？]"
)


def _turned(value: Turn, chinese: bool) -> str:
    """From what to how, from how to why it fails, from why to what it is; the words that ask go."""
    core = (_ASKS_ZH if chinese else _ASKS).sub("", value.text).strip(" ?？。.")
    if not core or value.expects not in ("thing", "way", "reason"):
        return ""  # a name, a place, a date or a number has no other side
    if value.expects == "way":
        return f"{core} 故障 原因" if chinese else f"{core} problem cause"
    if value.expects == "reason":
        return f"{core} 是什么 原理" if chinese else f"{core} explained"
    return f"{core} 如何 工作 用法" if chinese else f"how {core} works"


def broader(text: str) -> str:
    """Names and the first of the other words: fewer conditions."""
    found = terms(text)
    names = [term.text for term in found if term.name]
    others = [term.text for term in found if not term.name]
    kept = [*names, *others[: max(1, (len(others) + 1) // 2)]] if len(found) > 1 else []
    return " ".join(kept) if len(kept) < len(found) else ""


def translated(text: str, language: str) -> str:
    """The words of a query that are known in the other language, in it; names as they are.  Empty where none is known."""
    found: list[str] = []
    known = 0
    for term in terms(text):
        other = across(term.text, language)
        known += other is not None
        if other is not None or term.name or term.text.isascii():
            found.append(other or term.text)
    return " ".join(found) if known and known * 2 >= len(terms(text)) - sum(t.name for t in terms(text)) else ""


def _premise(text: str, chinese: bool) -> str:
    """What the question takes for granted: whether the thing exists at all."""
    names = [term.text for term in terms(text) if term.name]
    if not names:
        return ""
    return f"{' '.join(names)} 是什么" if chinese else f"what is {' '.join(names)}"
