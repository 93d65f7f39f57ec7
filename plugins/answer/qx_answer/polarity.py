"""Whether a statement says with "not" what its quote says without, or the other way round; no model is asked."""

from __future__ import annotations

import re
from collections.abc import Mapping

from qx.serial import value
from qx.text.segment import comparable, is_content, words
from qx_answer import negations


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


ALIKE = 0.5
"""Share of a statement's words that the quote must have, for a negation to be held against it: what says the same with
other words ("forbidden") is left to a judge."""
ALIKE_NOUNS = 0.8
"""The same for a negation of a thing: "a limit on refunds" says no other than "no refunds after 30 days"."""

_OF_THINGS = _set("no without none nobody nothing 没有 沒有 无 無 毫无")
_IMPLICIT = _set(
    "forbidden forbid forbids prohibited prohibits prohibit banned disallowed refused refuse refuses denied "
    "denies deny lack lacks lacking fail fails failed avoid avoids unable impossible unsupported unavailable "
    "unlikely invalid incorrect disabled ineligible illegal unsafe unknown unnecessary incompatible insufficient "
    "prevent prevents exclude excludes excluded except unless hardly rarely seldom barely free neither absent 禁止 "
    "严禁 拒绝 避免 缺乏 缺少 排除 除外 除非 停止 取消 防止 勿"
)
"""Words that deny by themselves: they count, and what follows them does not."""
_ADVERBS = _set("yet really always ever even been being any quite very too just only 也 再 太 很")
_ENDS = re.compile(r"[.!?](?=\s|$)|[。！？；;\n]")


@value
class _Reading:
    """What one sentence affirms and denies.

    Attributes:
        denied: The words that a negation stands right before, each with the share of words that makes it count.
        affirmed: The other content words.
        negations: How many, those that deny by themselves included.
    """

    denied: Mapping[str, float]
    affirmed: frozenset[str]
    negations: int


def turned(statement: str, quote: str) -> str | None:
    """Return what is wrong where one denies what the other affirms in nearly the same words, else None."""
    said = _read(statement)
    sentences = [_read(sentence) for sentence in _ENDS.split(quote)]
    content = said.affirmed | said.denied.keys()
    known = frozenset[str]().union(*(s.affirmed | s.denied.keys() for s in sentences))
    share = len(content & known) / len(content) if content else 0.0
    for sentence in sentences:
        if sentence.negations % 2 == said.negations % 2:
            continue
        others = [one for one in sentences if one is not sentence]
        denied = _held(sentence.denied, said.affirmed - said.denied.keys() - sentence.affirmed, share)
        denied -= frozenset[str]().union(*(one.affirmed for one in others))
        if denied:
            return f"the quote denies what the statement affirms ({', '.join(sorted(denied))})"
        affirmed = _held(said.denied, sentence.affirmed - sentence.denied.keys() - said.affirmed, share)
        affirmed -= frozenset[str]().union(*(one.denied.keys() for one in others))
        if affirmed:
            return f"the statement denies what the quote affirms ({', '.join(sorted(affirmed))})"
    return None


def _held(denied: Mapping[str, float], affirmed: frozenset[str], share: float) -> frozenset[str]:
    """The words that one denies and the other affirms, where both are alike enough."""
    return frozenset(word for word, least in denied.items() if word in affirmed and share >= least)


def _read(sentence: str) -> _Reading:
    denied: dict[str, float] = {}
    affirmed: set[str] = set()
    count, pending, least = 0, False, ALIKE
    for word in words(sentence):
        text = word.text
        rest = negations.of_word(text, sentence[word.end :])
        if rest is not None:
            count += 1
            pending = not rest
            least = ALIKE_NOUNS if text.lower().removesuffix(rest) in _OF_THINGS else ALIKE
            if rest:
                denied[comparable(rest)] = least
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
            denied[comparable(text)] = least
            pending = False
        else:
            affirmed.add(comparable(text))
    return _Reading(denied=denied, affirmed=frozenset(affirmed - denied.keys()), negations=count)
