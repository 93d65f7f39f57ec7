"""Find amounts in a query: money, sizes, temperatures, durations …, with their comparators and ranges.

``find("5000元以下的笔记本")`` gives one ``Quantity`` of kind ``money``, ``op`` ``le``, ``high`` 5000.  Years, dates,
ordinals and model numbers (``2023年``, ``第3章``, ``RTX 3070``, ``5G手机``) are not quantities.
"""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import islice

from qx.serial import replace, value
from qx.text.comparators import Around, Operator, around, range_end, range_start
from qx.text.measures import Measure, is_resolution, measures
from qx.text.numerals import HAN, WORD, fold_width
from qx.text.remembered import remembered
from qx.text.units import QuantityKind, convert

_CONNECT = re.compile(r"\s?(?P<word>到|至|-{1,2}|~|to(?=[\s$€£¥])|and(?=[\s$€£¥])|和|与|\.{2,3})\s?", re.IGNORECASE)
_JOINING = frozenset(("and", "和", "与"))
_OR = re.compile(r"\s?(?:or|/|或者?|还是|、)\s?", re.IGNORECASE)
_EITHER = frozenset(("length", "memory", "weight", "battery", "power", "frequency", "volume", "size", "age"))
_LATE_MOST = re.compile(r"(?:\s[a-z]+){1,2}\s(?:max(?:imum)?|tops|at\smost)\s*$", re.IGNORECASE)
"""A bound that what is bought stands before: "$1300 laptop max"."""
_LINE = re.compile(r"\b(?:pro|ultra|airpods|mac|studio|plus|note|quest|iphone)\smax", re.IGNORECASE)
_AGED = re.compile(r"(?:\b(?:aged?|ages)\s(?:of\s)?|年龄(?:在|是|为)?)(?:between\s|from\s)?$", re.IGNORECASE)
_HAN = re.compile("[\u4e00-\u9fff]")
_NOUN_FOLLOWS = re.compile(
    r"\s?(?!(?:with|w/|without|for|and|or|but|that|which|who|having|has|not|no|non|except|excluding|please|preferably|ideally"
    r"|if|i|we|my|can|is|are)(?![\w-]))[A-Za-z]",
    re.IGNORECASE,
)
"""What is counted follows, not a word that begins something else: "under 500 followers", not "under 500 with 8GB"."""
_PLACED = re.compile(r"\s?(?:in|on|at|by|from|to|as)(?![\w-])", re.IGNORECASE)
"""What follows an upper bound and leaves it bare: "below 300 in black"; "over 300 in Rome" may count anything."""
_RATE = re.compile(r"\s?(?:(?:a|per)\s|/)\s?(?:month|mo|night|week|year)\b", re.IGNORECASE)
"""What follows rent and fees: "1800 a month"."""
_NOT_MONEY = re.compile(
    r"流明|分贝|尼特|转|帕|牛|勒克斯|坎德拉|克拉|线程|核|层|路|针|支|根|阶|粉丝|用户|次|字|转速|米|赞|播放|步|毫|词|条|评论|里程|道"
)
_WITHIN = re.compile(r"\s?(?:以内|之内|以里|封顶)")
_MEASURED = re.compile(
    r"(?:血压|收缩压|舒张压|[高低]压|心率|脉搏|血糖|血脂|尿酸|胆固醇|甘油三酯|血氧|血红蛋白|血小板|白细胞|转氨酶|肌酐|体重|身高|身长|体脂|腰围|胸围|臀围|体温|温度|水温|室温|气温|"
    r"湿度|海拔|高度|深度|厚度|时速|车速|速度|转速|胎压|水压|气压|电压|电流|分贝|噪音|噪声|亮度|色温|甲醛|浓度|密度|热量|卡路里|步数|分数|总分|得分|"
    r"成绩|考分|高考|绩点|智商|年龄|像素|帧[率数]|延迟|页数|字数|人数|人口|数量|次数|排名|名次|评分|粉丝数?|播放量|点击量|并发数?|端口号?|编号|指数|含量|刷新率|载重|承重|pm2\.5|aqi|qps|tps|fps|bmi|ldl|hdl|"
    r"\b(?:blood\spressure|heart\srate|pulse|systolic|diastolic|blood\ssugar|glucose|cholesterol|triglycerides|uric\sacid|ferritin|"
    r"creatinine|platelets|temperatures?|humidity|altitude|elevation|speeds?|rpm|voltage|noise|brightness|scores?|gpa|iq|sat|gre|gmat|toefl|"
    r"ratings?|rank(?:ing)?|calories|carbs|sodium|latency|frame\srate|ping|weight|height|psi|population|word\scount|page\scount|"
    r"followers|views|throughput|ports?|refresh\srate|resolution|dpi))(?:值|水平|读数|数值|\slevels?|\sreadings?|\scount)?(?:在|为|是|要|应该?|必须|保持|控制|\s(?:is|are|was|be|stays?|keeps?|should\sbe|must\sbe))?\s*$",
    re.IGNORECASE,
)
"""What is read off, so that the bare number behind it is no price: 血压不高于140, "heart rate below 100"."""
_NUMERAL = re.compile(rf"[0-9½¼¾⅓⅔⅛⅜⅝⅞半{HAN}]")
_NUMBER_WORD = re.compile(rf"(?<![A-Za-z]){WORD}", re.IGNORECASE)
"""A text without one of these, as most are, has no number."""
_LETTER = re.compile("[A-Za-z]")
"""What each of those words has: most Chinese texts need not be searched for them."""
_MOST = 5000
"""At most so many numbers of one text are looked at."""


@value
class Quantity:
    """An amount in the text.

    Attributes:
        text, start, end: The whole expression with its comparator words; code points, end exclusive.
        kind: What is measured; ``plain`` is a number with a comparator but no unit.
        op: ``eq``, ``about`` (both bounds are the number itself), ``le``/``lt`` (only ``high``), ``ge``/``gt``
            (only ``low``), ``range``.
        low, high: Bounds in ``unit``.
        unit: Canonical unit (``CNY``, ``GB``, ``inch``, ``C``, ``h`` …); None: money without a currency, sizes
            without a system, plain numbers.
    """

    text: str
    start: int
    end: int
    kind: QuantityKind
    op: Operator
    low: float | None
    high: float | None
    unit: str | None = None
    counted: bool = False
    """Whether it has a unit that is not known (3000流明以上), so that a ``plain`` number is no price."""


@remembered
def find(text: str) -> tuple[Quantity, ...]:
    """Return the quantities of ``text`` from left to right; never raises."""
    folded = fold_width(text)
    spelt = _LETTER.search(folded) is not None and _NUMBER_WORD.search(folded) is not None
    if not spelt and _NUMERAL.search(folded) is None:
        return ()
    found: list[Quantity] = []
    pending: Measure | None = None
    last = 0
    for measure in islice(measures(folded), _MOST):
        if pending is not None:
            joined = _range(text, folded, pending, measure, last)
            if joined is not None:
                found.append(joined)
                last, pending = joined.end, None
                continue
            last = _add(text, folded, _either(folded, pending, measure), last, found)
        pending = measure if measure.start >= last else None
    if pending is not None:
        _add(text, folded, pending, last, found)
    return tuple(found)


def _either(folded: str, one: Measure, other: Measure) -> Measure:
    """The first of two amounts with the unit of the second: "14 or 15.6 inch", 13、14寸."""
    joined = one.kind is None and other.kind in _EITHER and one.scale == 1 == other.scale
    if (
        not joined
        or one.low * 4 < other.low
        or other.low * 4 < one.low
        or not _OR.fullmatch(folded, one.end, other.start)
    ):
        return one
    return replace(one, kind=other.kind, unit=other.unit)


def _add(text: str, folded: str, measure: Measure, last: int, found: list[Quantity]) -> int:
    if is_resolution(folded, measure):
        return last
    words = around(folded, measure.start, measure.end)
    if words.unread:
        return last
    if words.start < last:
        words = replace(words, start=max(last, measure.start), only=None)
    kind = _kind(folded, measure, words, words.end)
    if kind is None:
        return last
    if kind == "money" and words.op == "eq" and words.only is not None and measure.low == measure.high:
        words = replace(words, start=max(last, words.only), op="le")
    if kind == "money" and words.op == "eq" and (late := _LATE_MOST.match(folded, words.end)):
        words = words if _LINE.search(late[0]) else replace(words, op="le")
    op, low, high = _bounds(measure, words.op)
    if kind == "count" and op == "eq" and low == 1:
        return last
    unit = measure.unit if measure.kind == kind else None
    item = Quantity(
        text=text[words.start : words.end],
        start=words.start,
        end=words.end,
        kind=kind,
        op=op,
        low=low,
        high=high,
        unit=unit,
        counted=words.counted,
    )
    found.append(item)
    return item.end


def _bounds(measure: Measure, op: Operator) -> tuple[Operator, float | None, float | None]:
    if op in ("le", "lt"):
        return op, None, measure.high
    if op in ("ge", "gt"):
        return op, measure.low, None
    if measure.low != measure.high:
        return "range", measure.low, measure.high
    return op, measure.low, measure.high


def _kind(folded: str, measure: Measure, words: Around, end: int) -> QuantityKind | None:
    """Name what a measure is; a bare number counts only with a comparator, a range or a word of money."""
    if measure.kind is not None and measure.kind != "plain":
        return measure.kind
    if words.counted:
        return "plain"
    if words.money:
        return "money"
    if words.op == "eq" and _thousands_of(folded, measure):
        return "plain"
    if words.op == "eq" or words.needs_unit or _names_a_thing(folded, measure):
        return None
    large = measure.low >= 100
    if not large or _NOT_MONEY.match(folded, end) or _is_year(measure):
        return None if _is_year(measure) and words.op != "about" else "plain"
    if is_read_off(folded, words.start):
        return "plain"
    bare = not _NOUN_FOLLOWS.match(folded, end) or (words.op in ("le", "lt") and _PLACED.match(folded, end))
    return "money" if bare or _HAN.search(folded) or measure.scale > 1 or _RATE.match(folded, end) else "plain"


def is_read_off(folded: str, start: int) -> bool:
    """Whether what stands before ``start`` is measured in a unit of its own that people leave out: 血压, "heart rate"."""
    return _MEASURED.search(folded[max(0, start - 24) : start]) is not None


def _thousands_of(folded: str, measure: Measure) -> bool:
    """Whether a number with its scale describes a thing: 两三千的手机; whether it is its price the thing decides."""
    return measure.scale >= 100 and measure.low >= 100 and folded[measure.end : measure.end + 1] == "的"


def _is_year(measure: Measure) -> bool:
    return measure.scale == 1 and 1900 <= measure.low <= 2100 and measure.low % 500 != 0


def _names_a_thing(folded: str, measure: Measure) -> bool:
    """``Windows 11以上``, ``小米14以下``: the number is part of a product's name."""
    if measure.low >= 100 and _WITHIN.match(folded, measure.end):
        return False  # isofix 1000以内; models go by 以上 and 以下
    before = folded[max(0, measure.start - 12) : measure.start]
    if re.search(
        r"\b(?!under|over|below|above|than|least|most|about|around|to|of|and|from|between|up|max|min)[A-Za-z]+\s?$",
        before,
        re.I,
    ):
        words = around(folded, measure.start, measure.end)
        return words.start == measure.start
    return (
        measure.low < 100
        and bool(_HAN.search(before[-1:]))
        and around(folded, measure.start, measure.end).start == measure.start
    )


def _range(text: str, folded: str, a: Measure, b: Measure, last: int) -> Quantity | None:
    connector = _CONNECT.fullmatch(folded, a.end, b.start) if b.start - a.end <= 5 else None
    if connector is None:
        return None
    start, said = range_start(folded, a.start)
    start = max(start, last)
    if connector["word"].lower() in _JOINING and not said:
        return None
    bounds = _joined(a, b)
    if bounds is None:
        return None
    low, high, kind, unit = bounds
    end = range_end(folded, b.end)
    words = around(folded, start, end)
    start, end = max(words.start, last), words.end
    if kind is None:
        if words.money:
            kind = "money"
        elif high <= 120 and _AGED.search(folded[max(0, a.start - 16) : a.start]):
            kind, unit = "age", "year"
        elif (_is_year(a) and _is_year(b)) or is_resolution(folded, b):
            return None
        else:
            money = low >= 100 and not _NOT_MONEY.match(folded, end) and (_HAN.search(folded) or b.scale > 1)
            kind = "money" if money else "plain"
            if kind == "plain" and not said and connector["word"] == "-" and low < 100:
                return None
    return Quantity(text=text[start:end], start=start, end=end, kind=kind, op="range", low=low, high=high, unit=unit)


def _joined(a: Measure, b: Measure) -> tuple[float, float, QuantityKind | None, str | None] | None:
    """Bring both ends into one unit: ``2到3千``, ``500g-1kg``, ``$300-500``; None: they do not belong together."""
    if a.kind not in (None, "plain") and b.kind not in (None, "plain") and a.kind != b.kind:
        return None
    kind = b.kind if b.kind not in (None, "plain") else a.kind
    unit = b.unit if b.kind not in (None, "plain") else a.unit
    low, high = a.low, b.high
    if a.kind is None and a.scale == 1 and b.scale > 1 and a.low * b.scale <= b.high:
        low = a.low * b.scale
    elif {a.unit, b.unit} == {"inch", "ft"}:
        return None  # 27" to 30': marks of two measures
    elif a.kind is not None and b.kind is not None and a.unit != b.unit:
        converted = convert(Fraction(str(a.low)), a.unit, b.unit)
        if converted is None:
            return None
        low = float(converted)
    elif a.kind is None and b.kind == "weight" and b.style == a.style and b.unit == "kg" and b.high < a.low:
        return None
    kind = None if kind == "plain" else kind
    return (low, high, kind, unit) if low < high else None
