"""Whether a statement says with "not" what its quote says without, or the other way round; no model is asked."""

from __future__ import annotations

import re

from qx.serial import value
from qx.text.segment import comparable, is_content, words

ALIKE = 0.8
"""Share of a statement's words that the quote must have, for a negation to be held against it: a paraphrase that says
the same with other words ("a limit", "forbidden") is left to a judge."""

_ENGLISH = frozenset(
    ["not", "no", "never", "without", "cannot", "nor", "neither", "none", "nobody", "nothing", "nowhere", "non"]
)
_CONTRACTED = re.compile(
    r"(?:do|does|did|is|are|was|were|wo|would|ca|could|should|must|might|have|has|had|need|dare|ai)n['’]?t",
    re.IGNORECASE,
)
_IMPLICIT = frozenset(
    [
        *(
            "forbidden",
            "forbid",
            "forbids",
            "prohibited",
            "prohibits",
            "prohibit",
            "banned",
            "disallowed",
            "refused",
            "refuse",
        ),
        *(
            "refuses",
            "denied",
            "denies",
            "deny",
            "lack",
            "lacks",
            "lacking",
            "fail",
            "fails",
            "failed",
            "avoid",
            "avoids",
        ),
        *(
            "unable",
            "impossible",
            "unsupported",
            "unavailable",
            "unlikely",
            "invalid",
            "incorrect",
            "disabled",
            "ineligible",
        ),
        *(
            "illegal",
            "unsafe",
            "unknown",
            "unnecessary",
            "incompatible",
            "insufficient",
            "prevent",
            "prevents",
            "exclude",
        ),
        *(
            "excludes",
            "excluded",
            "except",
            "unless",
            "hardly",
            "rarely",
            "seldom",
            "barely",
            "free",
            "neither",
            "absent",
        ),
        *("禁止", "严禁", "拒绝", "避免", "缺乏", "缺少", "排除", "除外", "除非", "停止", "取消", "防止", "勿"),
    ]
)
"""Words that deny by themselves: they count, and what follows them does not."""
_HAN = re.compile(r"(?:从未|从不|绝不|决不|并不|并非|没有|毫不|毫无|[不没無无未非别勿莫毋])")
_HAN_REST = re.compile(r"(?:[能会可应该得必要想敢曾有是太很再被允许法须需]{0,3})(?P<rest>.*)", re.DOTALL)
_NOT_NEGATIVE = frozenset(
    [
        *(
            "不仅",
            "不但",
            "不过",
            "不断",
            "不同",
            "不少",
            "不错",
            "不锈钢",
            "不久",
            "不如",
            "不管",
            "不论",
            "不止",
            "不光",
            "不只",
            "不妨",
        ),
        *(
            "无论",
            "无线",
            "无线电",
            "无锡",
            "非常",
            "非洲",
            "未来",
            "别人",
            "别墅",
            "别的",
            "无人机",
            "不等式",
            "不得不",
            "不动产",
            "无机",
        ),
    ]
)
_ADVERBS = frozenset(
    [
        "yet",
        "really",
        "always",
        "ever",
        "even",
        "been",
        "being",
        "any",
        "quite",
        "very",
        "too",
        "just",
        "only",
        "也",
        "再",
        "太",
        "很",
    ]
)
_ENDS = re.compile(r"[.!?](?=\s|$)|[。！？；;\n]")
_NOT_ONLY = re.compile(r"\s+(?:only|just|merely)\b", re.IGNORECASE)


@value
class _Reading:
    """What one sentence affirms and denies.

    Attributes:
        denied: The words that a negation stands right before.
        affirmed: The other content words.
        negations: How many, those that deny by themselves included.
    """

    denied: frozenset[str]
    affirmed: frozenset[str]
    negations: int


def turned(statement: str, quote: str) -> str | None:
    """Return what is wrong where one denies what the other affirms in nearly the same words, else None."""
    said = _read(statement)
    sentences = [_read(sentence) for sentence in _ENDS.split(quote)]
    content = said.affirmed | said.denied
    known = frozenset[str]().union(*(s.affirmed | s.denied for s in sentences))
    if not content or len(content & known) < ALIKE * len(content):
        return None
    for sentence in sentences:
        if sentence.negations % 2 == said.negations % 2:
            continue
        others = [one for one in sentences if one is not sentence]
        denied = sentence.denied & said.affirmed - said.denied - sentence.affirmed
        denied -= frozenset[str]().union(*(one.affirmed for one in others))
        if denied:
            return f"the quote denies what the statement affirms ({', '.join(sorted(denied))})"
        affirmed = said.denied & sentence.affirmed - sentence.denied - said.affirmed
        affirmed -= frozenset[str]().union(*(one.denied for one in others))
        if affirmed:
            return f"the statement denies what the quote affirms ({', '.join(sorted(affirmed))})"
    return None


def _read(sentence: str) -> _Reading:
    denied: set[str] = set()
    affirmed: set[str] = set()
    count, pending = 0, False
    for word in words(sentence):
        text = word.text
        rest = _negation(text, sentence[word.end :])
        if rest is not None:
            count += 1
            pending = not rest
            if rest:
                denied.add(comparable(rest))
            continue
        if text.lower() in _IMPLICIT:
            count += 1
            affirmed.add(comparable(text))
            pending = False
        elif not any(c.isalnum() for c in text):
            pending = pending and text in "\"'“”‘’*_`-"
        elif not is_content(text) or text.lower() in _ADVERBS:
            continue
        elif pending and not text.lower().endswith("ly"):
            denied.add(comparable(text))
            pending = False
        else:
            affirmed.add(comparable(text))
    return _Reading(denied=frozenset(denied), affirmed=frozenset(affirmed - denied), negations=count)


def _negation(word: str, after: str) -> str | None:
    """None where ``word`` is no negation; else what it denies within itself (支持 of 不支持), often nothing."""
    if word.lower() in _ENGLISH or _CONTRACTED.fullmatch(word):
        return None if word.lower() == "not" and _NOT_ONLY.match(after) else ""
    if word in _NOT_NEGATIVE:
        return None
    found = _HAN.match(word)
    if found is None:
        return None
    rest = _HAN_REST.match(word, found.end())
    return rest["rest"] if rest else ""
