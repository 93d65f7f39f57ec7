"""Messages that hold what a question wants to hear: a number, a date, a name."""

from __future__ import annotations

import re
from collections.abc import Sequence

from qx.text import numerals, times
from qx_chatlog.asking.wording import Wanted
from qx_chatlog.message import Found

_NAME = re.compile(
    r"《[^》]+》|「[^」]+」|“[^”]+”|叫(?:做|作)?[一-鿿A-Za-z]|(?:老|小|阿)[一-鿿]|[一-鿿]{1,3}(?:老师|经理|总|医生|教授|先生|女士)"
    r"|(?<=[a-z,;:] )[A-Z][a-z]+|\"[A-Z][^\"]+\""
)


_MEASURE = "[个個位名张張只隻条條本台次家辆輛间間部份瓶杯]"
_WORDS = "two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred|dozen"
_COUNTED = re.compile(
    rf"(?:多少|几){_MEASURE}?(?P<zh>[一-鿿]{{1,2}})|\bhow many (?P<en>[a-z]{{3,}})\b",
    re.IGNORECASE,
)


def counting(question: str) -> re.Pattern[str] | None:
    """Return what counts that of which a question asks how many there are: 27 个孩子 of 多少个孩子; None: it asks for none."""
    match = _COUNTED.search(question)
    if match is None:
        return None
    if match["zh"]:
        return re.compile(rf"(?:[0-9]|[二两三四五六七八九十百千万])\s?{_MEASURE}?\s?{re.escape(match['zh'])}")
    stem = match["en"][:-1] if match["en"].endswith("s") else match["en"]
    return re.compile(rf"(?:[0-9]|\b(?:{_WORDS}))\s(?:\w+\s)?{re.escape(stem)}", re.IGNORECASE)


def holds(wanted: Wanted, text: str) -> bool:
    """Whether ``text`` holds what is wanted."""
    if wanted == "number":
        return any(True for _ in numerals.numbers(numerals.fold_width(text)))
    if wanted == "date":
        return times.speaks_of_time(text)
    return _NAME.search(text) is not None


def prefer(wanted: Wanted | None, found: Sequence[Found]) -> tuple[Found, ...]:
    """Put those that hold what is wanted before those that do not, each part in its order.

    Those that fit less than half as well as the best one stay behind: a number alone answers nothing.
    """
    if wanted is None or not found:
        return tuple(found)
    floor = max(one.score for one in found) / 2
    return tuple(sorted(found, key=lambda one: not (one.score >= floor and holds(wanted, one.message.searched))))
