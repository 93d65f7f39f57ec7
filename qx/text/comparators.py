"""The words around a number that say how it is meant: 不超过, 以下, 左右, under, at least, or more, budget of …"""

from __future__ import annotations

import re
from typing import Literal

from qx.serial import value
from qx.text import denied_bounds

Operator = Literal["eq", "le", "lt", "ge", "gt", "about", "range"]
_BOUNDS = ("le", "lt", "ge", "gt")

_BEFORE: tuple[tuple[Operator, str], ...] = (
    (
        "le",
        r"不超过?|别超过?|(?:至多|最多|顶多|撑死|顶天)(?:也?就|只有|只能|能|花|出|给|接受){0,2}|最高|最贵|上限|控制在|小于等于"
        r"|<=|≤|\b(?:under|below|up\sto|at\smost|max(?:imum)?(?:\sof)?|within|cheaper\sthan|less\sthan\sor\sequal\sto)\b",
    ),
    (
        "lt",
        r"低于|少于|小于|(?<![找买看搜得达收做听用想遇吃租拿见感])不到|不足|未满|短于|轻于|薄于|窄于|便宜过|<"
        r"|\b(?:(?:less|fewer)(?:\s(?!than)[a-z]{3,12})?|lower|smaller|lighter|shorter|younger|newer|thinner|nearer|closer|narrower|slower|quieter)\sthan\b|\bsub-?",
    ),
    (
        "ge",
        r"至少|最少|起码|最低|最小|大于等于|>=|≥|\b(?:at\sleast|min(?:imum)?(?:\sof)?|over|above|beyond"
        r"|starting\s(?:at|from)|upwards\sof)\b",
    ),
    (
        "gt",
        r"超过|高于|大于|多于|超出|长于|重于|厚于|宽于|贵于|突破|>"
        r"|\b(?:more(?:\s(?!than)[a-z]{3,12})?|greater|higher|larger|bigger|longer|heavier|older|thicker|wider|taller|deeper|pricier"
        r"|costlier|dearer|farther|further|faster|stronger|louder)\sthan\b|\bexceed(?:s|ing)?\b",
    ),
    (
        "about",
        r"大约|大概|约莫|差不多|接近|将近|近乎|约|左右|~|\b(?:around|about|approximately|approx\.?|roughly|circa|nearly"
        r"|close\sto)",
    ),
)

_NOT_SO = r"(?<![可足所难])"
"""Before 以 where it is the end of another word: 5岁可以上小学吗, 18岁可以下载."""

_AFTER: tuple[tuple[Operator, str], ...] = (
    (
        "le",
        rf"(?:或|及|和)?(?:{_NOT_SO}以[下内]|之内|之下)|{_NOT_SO}以里|封顶|往下|内(?![存部容网饰饼蒙胆衣测置])"
        r"|(?:or|and)\s(?:less|under|below|lower|cheaper|fewer)\b(?!\s?[$€£0-9])|max(?:imum)?\b|tops\b|at\smost\b",
    ),
    (
        "ge",
        rf"(?:或|及|和)?{_NOT_SO}以上|往上|起步|起(?=[\s,。，、的]|$)|开外|\+(?![0-9+])"
        r"|(?:or|and)\s(?:more|above|over|higher|up|larger|bigger)\b(?!\s?[$€£0-9])|min(?:imum)?\b(?!\s?[0-9])",
    ),
    ("lt", r"(?:都|还)?不到(?=的|$|[\s,，。])"),
    ("about", r"左右|上下|前后|出头|or\sso\b|-?ish\b"),
)

_MONEY = (
    r"预算|價格|价格|价位|價位|价钱|售价|单价|总价|房价|首付|月薪|年薪|薪资|工资|房租|租金"
    r"|\b(?:budget|price|priced|prices|cost|costs|costing|spend|spending|rent|salary)"
)
_FILLER = r"[\s:：,，]|是|为|為|在|有|只有|只剩|就|大概|范围|区间|\b(?:of|is|at|around|range|only|just)"

_NAMED = (
    r"(?:\s?的?(?:运行内存|内存|運存|运存|显存|硬盘|固态|存储|屏幕?|电池|续航|刷新率|像素|功率)(?=\s?(?:或|及|和)?(?:以[上下内]|往[上下]|起|左右|之内))"
    r"|\s(?:of\s)?(?:ram|memory|vram|storage|ssd|disk(?:\sspace)?|battery|screen|display)(?=\s(?:(?:or|and)\s|min(?:imum)?\b|max(?:imum)?\b|at\smost)))?"
)
"""What is measured, between the amount and the comparator: 16GB 内存以上, "16GB RAM or more"."""
_OTHER_UNIT = re.compile(
    r"(?:[\u4e00-\u9fff]{1,3}?|\s?[a-z]{1,8}(?:/[a-z]{1,3})?)\s?"
    rf"(?:(?P<le>(?:或|及|和)?(?:{_NOT_SO}以[下内]|之内)|{_NOT_SO}以里|封顶)|(?P<ge>(?:或|及|和)?{_NOT_SO}以上|往上|起步))"
    r"|\s[a-z]{1,12}\s(?:(?P<least>(?:or|and)\s(?:more|above|over|higher|up)\b)|(?P<most>(?:or|and)\s(?:less|under|below|lower|fewer)\b))(?!\s?[$€£0-9])",
    re.I,
)
"""A unit that no table has, and a bound: 3000流明以上, "400 nits or more"."""
_BEFORE_RE = re.compile("(?:" + "|".join(f"(?P<{op}>{words})" for op, words in _BEFORE) + r")\s?$", re.I)
_AFTER_RE = re.compile(_NAMED + r"\s?(?:" + "|".join(f"(?P<{op}>{words})" for op, words in _AFTER) + ")", re.I)
_MONEY_RE = re.compile(rf"(?:{_MONEY})(?:{_FILLER}){{0,6}}$", re.I)
_ONLY_RE = re.compile(
    r"(?:(?:就)?只有|仅有|只剩下?|就剩下?|只带了?|只能花|(?:have|got|has|is|with|just|for)\sonly|only\s(?:have|has|got)|only"
    r"|\bjust\s(?:have|has|got))(?:了)?\s?(?:about\s)?$",
    re.I,
)
"""Who has only 200 to spend spends 200 at most."""
_EARNED_RE = re.compile(
    r"(?:月薪|年薪|薪资|工资|收入|存款|余额|股价|salary|wages?|income|earns?|makes?|balance)[^,，。]{0,6}$", re.I
)
_MODEL_WORD = re.compile(r"(?:max|min)\s?", re.I)
_LINE = re.compile(r"\b(?:pro|ultra|air|note|plus|airpods|quest|mac|studio|turbo|gt|dragon)\s$", re.I)
_NUMBERED = re.compile(r"(?:(?<![\w$€£¥])[a-z]+\s?\d{1,4}[a-z]{0,2}|[\u4e00-\u9fff]\s?\d{1,3})\s$", re.I)
_SPEC = re.compile(r"\d[\d.,]*\s?(?:[gt]b?|mah|wh?|inch|in|寸|英寸|mm|hz)(?![a-z])", re.I)
_MONEY_AFTER_RE = re.compile(r"\s?(?:的|in\s)?(?:预算|budget\b)", re.I)
_BETWEEN_RE = re.compile(r"(?:\bbetween|\bfrom|介于|介於|从|從|在)\s?$", re.I)
_BETWEEN_END_RE = re.compile(r"\s?(?:的)?(?:之间|之間|区间|區間|範圍|范围|左右|以内|之内)")

_THAN = re.compile(
    r"\s?(?:的?(?:运行内存|内存|运存|硬盘|存储|屏幕?|电池|续航))?(?:还要?|更|要)?"
    r"(?:(?P<gt>大|重|长|高|贵|多|久|厚|宽|粗|深|远|快|强)|(?P<lt>小|轻|短|低|便宜|少|薄|窄|矮|细|浅|近|慢|弱|实惠))(?:一?点儿?|一些)?(?![家学众数量部小型])"
)
"""Behind an amount that 比 stands before: 比6寸大, 比5000便宜."""
_COSTS = frozenset(("贵", "便宜", "实惠"))
_UNKNOWN = re.compile(r"\b(?!other|rather|either|neither|whether)[a-z]{2,12}er\sthan\s$", re.I)
"""A comparison that none of the words above is: its amount is no value that is wished for."""

WINDOW = 40
"""How many characters on either side of a number are looked at."""


@value
class Around:
    """What surrounds a number: the comparator, whether the words speak of money, and the whole extent."""

    start: int
    end: int
    op: Operator
    money: bool
    only: int | None = None
    """Where words begin that say that there is no more ("only have $200"): of money that is a maximum."""
    needs_unit: bool = False
    """Whether the words do not say what a number without a unit counts: 比180高."""
    counted: bool = False
    """Whether a unit that is not known stands between the number and the comparator: 3000流明以上."""
    unread: bool = False
    """Whether an unknown comparison stands before the number: "beefier than 65W"."""


def around(text: str, start: int, end: int) -> Around:
    """Read the words around ``text[start:end]`` (folded text)."""
    number, money, needs_unit, counted = start, False, False, False
    op: Operator = "eq"
    if match := _after(text, end):
        op, end = match
    elif other := _OTHER_UNIT.match(text, end):
        op, end, counted = "le" if other.lastgroup in ("le", "most") else "ge", other.end(), True
    elif (text[start - 1 : start] == "比" or text[start - 2 : start] == "比 ") and (than := _THAN.match(text, end)):
        op, money, needs_unit = _op(than), than[than.lastgroup or 0] in _COSTS, True
        start, end = text.rindex("比", 0, start), than.end()
        op, start = _denied(text, start, op)
    behind = op in _BOUNDS and not needs_unit
    op, start, budget = _before(text, start, number, op)
    if behind and (refused := denied_bounds.refusal(text, start)) is not None:
        op, start = denied_bounds.other_side(op), refused
    elif op in _BOUNDS and (refused := denied_bounds.refused_after(text, end)) is not None:
        op, end = denied_bounds.other_side(op), refused
    if after := _MONEY_AFTER_RE.match(text, end):
        budget, end = True, after.end()
    return Around(
        start=start,
        end=end,
        op=op,
        money=money or budget,
        counted=counted,
        only=_only(text, start, number),
        needs_unit=needs_unit and not (money or budget),
        unread=op == "eq" and _UNKNOWN.search(text[max(0, number - WINDOW) : number]) is not None,
    )


def _before(text: str, start: int, number: int, op: Operator) -> tuple[Operator, int, bool]:
    """Read what stands before ``start``: the comparator, where it begins, and whether it speaks of money."""
    money = False
    for _ in range(3):
        window = text[max(0, start - WINDOW) : start]
        before = _BEFORE_RE.search(window)
        if before and _names_model(window[: before.start()], before[0], text[number:]):
            break  # the Max of an iPhone 15 Pro Max limits nothing
        said, begins = _denied(text, start - len(window) + before.start(), _op(before)) if before else (op, start)
        if before and op in ("eq", "about", said):
            op = said if op == "eq" else op
            start = begins
        elif budget := _MONEY_RE.search(window):
            money = True
            start -= len(window) - budget.start()
        else:
            break
    return op, start, money


def _denied(text: str, start: int, op: Operator) -> tuple[Operator, int]:
    """Turn a comparison that words before it deny: "no heavier than", 不得低于."""
    if op not in _BOUNDS:
        return op, start
    denied = denied_bounds.denial(text, start)
    return (op, start) if denied is None else (denied_bounds.inclusive(op), denied)


def _names_model(before: str, cue: str, after: str) -> bool:
    """Whether "max" or "min" ends the name of a model, which a measure of it follows: "m3 max 64gb"."""
    if not _MODEL_WORD.fullmatch(cue):
        return False
    return bool(_LINE.search(before)) or bool(_NUMBERED.search(before) and _SPEC.match(after))


def _only(text: str, start: int, number: int) -> int | None:
    """Where the words begin by which nothing more is left to spend; pay and share prices are no budget."""
    offset = max(0, start - WINDOW)
    few = _ONLY_RE.search(text[offset:number])
    if few is None or _EARNED_RE.search(text[offset:number]):
        return None
    return min(start, offset + few.start())


def range_start(text: str, start: int) -> tuple[int, bool]:
    """Return where a range that begins at ``start`` really begins (``between``, ``介于``), and whether it says so."""
    offset = max(0, start - WINDOW)
    match = _BETWEEN_RE.search(text[offset:start])
    return (offset + match.start(), True) if match else (start, False)


def range_end(text: str, end: int) -> int:
    """Return where a range that ends at ``end`` really ends (``之间``)."""
    match = _BETWEEN_END_RE.match(text, end)
    return match.end() if match else end


def _after(text: str, end: int) -> tuple[Operator, int] | None:
    match = _AFTER_RE.match(text, end)
    return (_op(match), match.end()) if match else None


def _op(match: re.Match[str]) -> Operator:
    for op in ("le", "lt", "ge", "gt", "about"):
        if op in match.re.groupindex and match[op] is not None:
            return op
    return "eq"
