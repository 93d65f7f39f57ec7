"""What a query rules out, and whether another wording still does."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from qx.text import negation
from qx.text.normalise import fold

_FAULT = re.compile(
    r"不|没|無|无|未|别|別|勿|非|免|防|避|禁|失败|失敗|故障|异常|異常|错|錯|报错|問題|问题|失灵|失靈|卡|坏|壞|缺|修|排查|"
    r"解决|解決|恢复|恢復|原因|怎么回事|\b(?:not?|non|never|nor|without|cannot|unable|un\w+|fail\w*|faults?|errors?|"
    r"problems?|issues?|troubleshoot\w*|fix\w*|repair\w*|broken|dead|stop\w*|stuck|malfunction\w*|prevent\w*|avoid\w*|refus\w*|"
    r"reject\w*|deny|denied|declin\w*|missing|lost|lack\w*|causes?|reasons?|solutions?|except|excluding)\b|n['’]t\b|"
    r"\bне\b|\bбез\b|\bнет\b|\bни\b",
    re.IGNORECASE,
)
_CUES = (
    r"(?:not|no|non|without|except|excluding|minus|anything but|avoid|不要|不含|不带|不帶|不是|不用|不想要|没有|沒有|"
    r"无|無|非|除了|除|别|別|免|去|拒绝|不)"
)


@lru_cache(maxsize=1024)
def _excluding(target: str) -> re.Pattern[str]:
    word = re.escape(target)
    return re.compile(
        rf"{_CUES}[\s\-:]*(?:(?:in|a|an|any|the|or|和|或|的)[\s]+)?{word}|(?<!\w)-\s?[\"']?{word}|{word}[\s-]*(?:free|less)\b"
        rf"|{word}(?:除外|以外|之外)",
        re.IGNORECASE,
    )


_REMEDY = re.compile(r"\b(?:fix\w*|repair\w*|causes?|reasons?|solutions?|prevent\w*|troubleshoot\w*)\b", re.IGNORECASE)
"""Words that speak of a fault only beside what says that there is one: "phone charge causes" asks for a charge."""
_CONTRACTED = re.compile(r"n['’]?t\b|\bnot\b|\bcannot\b", re.IGNORECASE)


def speaks_against(text: str, denials: Sequence[str] = ()) -> bool:
    """Whether ``text`` has a word of negation or of fault: what "不能开机" may become is "开机 故障", not "开机".

    Args:
        denials: How the query denies: where it says "won't", a remedy alone ("phone charge fix") does not say that.
    """
    if any(map(_CONTRACTED.search, denials)):
        text = _REMEDY.sub(" ", text)
    return bool(_FAULT.search(text))


def wanted(text: str, target: str) -> bool:
    """Whether ``text`` names ``target`` outside of an exclusion: as a thing wished for."""
    rest = _excluding(target).sub(" ", text)
    spans = [(n.start, n.end) for n in negation.find(rest)]
    bounded = re.escape(target) if not target.isascii() else rf"(?<!\w){re.escape(target)}(?!\w)"
    return any(
        not any(start <= match.start() < end for start, end in spans)
        for match in re.finditer(bounded, rest, re.IGNORECASE)
    )


def excluded(text: str, target: str) -> bool:
    """Whether ``text`` rules ``target`` out in its words."""
    if _excluding(target).search(text):
        return True
    folded = target.casefold()
    return any(folded in n.target.casefold() for n in negation.find(text))


_BETWEEN_TWO = re.compile(r"\s*,?\s*(?:(?:nor|or|and)\s*)?", re.IGNORECASE)


def together(text: str) -> tuple[str, ...]:
    """What ``text`` rules out in one go, folded: "without dairy or nuts", whose last word no sign stands before."""
    spans = [(n.start, n.end) for n in negation.find(text)]
    joined = [(a[0], b[1]) for a, b in pairwise(spans) if _BETWEEN_TWO.fullmatch(text, a[1], b[0])]
    return tuple(fold(text[start:end]) for start, end in joined)


def denials(text: str) -> tuple[str, ...]:
    """The words by which ``text`` negates something besides its exclusions: 不能 of 不能开机, "not" of "not working"."""
    rest = list(text)
    spans = [(n.start, n.end) for n in negation.find(text)]
    spans += [(a, b) for (_, a), (b, _) in pairwise(spans) if _BETWEEN_TWO.fullmatch(text, a, b)]  # neither A nor B
    for start, end in (*spans, *negation.requests(text)):
        rest[start:end] = " " * (end - start)
    return negation.protected("".join(rest))


def half_excluded(original: str, text: str) -> str | None:
    """Return what ``original`` excludes and ``text``, which excludes by ``-``, excludes in part or asks for."""
    if "-" not in text and "－" not in text:  # most have none
        return None
    made = negation.find(text)
    minus = [n for n in made if n.cue == "-"]
    if not minus:
        return None
    rest = list(text)
    for n in made:
        rest[n.start : n.end] = " " * (n.end - n.start)
    wished = "".join(rest).casefold()
    said = {word for n in minus for word in n.target.casefold().split()}
    for n in negation.find(original):
        words = n.target.casefold().split()
        if said.issuperset(words):
            continue
        if said.intersection(words) or re.search(_bounded(n.target.casefold()), wished):
            return n.target
    return None


def _bounded(target: str) -> str:
    return rf"(?<!\w){re.escape(target)}(?!\w)" if target.isascii() else re.escape(target)
