"""Another strategy for a question that found nothing: another side of it, wider, in the other language, its premise.

None of them is a paraphrase: who asks in other words what found nothing finds nothing again.
"""

from __future__ import annotations

import re

from qx.context import Context
from qx.serial import replace, value
from qx.text.language import identify
from qx.text.normalise import characters_read
from qx.types import Outcome
from qx_answer.concepts import across
from qx_answer.expects import is_whether
from qx_answer.shares import Term
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
    value = replace(value, text=characters_read(value.text))
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
    r"^\s*(?:(?P<is>what(?:'s|\s+(?:is|was)))|(?P<are>what\s+(?:are|were))|(?P<does>what\s+(?:does|do|did))|which|what"
    r"|how\s+(?:to|(?:do|does|did|can|could|should|would|is|are)(?:\s+(?:i|you|we|one)\b)?)|why(?:\s+(?:is|are|was|were|do|does|did|can|has|have))?)\b\s*",
    re.IGNORECASE,
)
_WHETHER = re.compile(r"^\s*(?:so\s+|and\s+)?[a-z]+(?:n['’]t)?\s+(?:(?:i|you|we|one|the|an?)\s+)?", re.IGNORECASE)
"""The verb that asks, with what says nothing after it: Can I, Does the."""
_ASKS_ZH = re.compile(
    "请问|是什么|什么是|应该|怎么样?|如何|怎样|为什么|为何|多少|哪[里儿个些]|什么时候|何时|吗|呢|谁|有没有|是不是|[?？]"
)
_MAY_ZH = re.compile("能不能|可不可以|可不可|可否|能否|是否|可以|能够|能|会不会|会")
_WAY_ZH = re.compile("的?(?:方法|办法|步骤|流程|方式)$")
_PARTICIPLE = re.compile(r"(?:[a-z]+ed|used|made|done|meant|known)\b")


def _turned(value: Turn, chinese: bool) -> str:
    """From what and whether to how, from how to why it fails, from why to what it is; the words that ask go."""
    if value.expects not in ("thing", "way", "reason"):
        return ""  # a name, a place, a date or a number has no other side
    return _turned_chinese(value) if chinese else _turned_english(value)


def _turned_english(value: Turn) -> str:
    whether = is_whether(value.text)
    asks = _ASKS.match(value.text)
    core = (_WHETHER if whether else _ASKS).sub("", value.text, count=1).strip(" ?.")
    if not core or re.match(r"how\s", core, re.IGNORECASE):
        return ""  # "how loud is it" asks for a measure
    if whether:
        return f"{core}: requirements and steps"
    if value.expects == "way":
        return f"{core}: problems and causes"
    if value.expects == "reason":
        return f"{core}: explanation"
    if asks is not None and asks["does"]:
        return f"how {re.sub(r' (?:do|mean)$', '', core)} works"
    if asks is not None and not (asks["is"] or asks["are"]):
        return f"how {core}"  # "which printers support duplex" has its own verb
    if _PARTICIPLE.match(core):
        return ""  # "needed to open an account" is no thing
    return f"how {core} {'work' if asks is not None and asks['are'] else 'works'}"


def _turned_chinese(value: Turn) -> str:
    whether = is_whether(value.text)
    core = _ASKS_ZH.sub("", value.text).strip(" ?？。.，,")
    core = _MAY_ZH.sub("", core, count=1) if whether else _WAY_ZH.sub("", core)
    if not core:
        return ""
    if whether:
        return f"{core}：条件和流程"
    if value.expects == "way":
        return f"{core}：常见问题和原因"
    return f"{core}：原因分析" if value.expects == "reason" else f"{core}的原理和用法"


def broader(text: str) -> str:
    """Names and the first of the other words, in their order: fewer conditions."""
    found = _in_order(text)
    others = [term for term in found if not term.name]
    left_out = others[max(1, (len(others) + 1) // 2) :]
    if len(found) < 2 or not left_out:
        return ""
    return " ".join(term.text for term in found if term not in left_out)


def translated(text: str, language: str) -> str:
    """The words of a query that are known in the other language, in it; names as they are.  Empty where few are known."""
    terms_found = _in_order(text)
    found: list[str] = []
    known = 0
    for term in terms_found:
        other = across(term.text, language)
        known += other is not None
        if other is not None or term.name or term.text.isascii():
            found.append(other or term.text)
    plain = sum(not term.name for term in terms_found)
    return " ".join(found) if known and known * 2 >= plain else ""


def _in_order(text: str) -> list[Term]:
    """What a question speaks of, in its order."""
    return sorted(terms(text), key=lambda term: text.find(term.text) if term.text in text else len(text))


def _premise(text: str, chinese: bool) -> str:
    """What the question takes for granted: whether the thing exists at all."""
    names = [term.text for term in _in_order(text) if term.name]
    if not names:
        return ""
    if chinese:
        return f"{'和'.join(names)}是什么"
    return f"what {'is' if len(names) == 1 else 'are'} {' and '.join(names)}"
