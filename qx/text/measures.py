"""One number with its unit: ``16GB``, ``$50``, ``38.5度``; and what only looks like one (``RTX 3070``, ``5G手机``)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from qx.serial import value
from qx.text.numerals import Number, numbers
from qx.text.units import CASED, CURRENCIES, CURRENCY, UNIT, UNITS, QuantityKind, Unit

_MEMORY = re.compile(r"内存|記憶體|运存|显存|硬盘|固态|存储|流量|空间|网盘|[uU]盘|\b(?:ram|memory|ssd|hdd|storage|disk|vram|drive)\b", re.I)
_NETWORK = re.compile(r"\s?(?:手机|網|网|信号|套餐|时代|芯片|基站|技术|通信|模块|卡|phone|network|signal|modem|tower|chip|plan|$)", re.I)
_RESOLUTION = re.compile(
    r"\s?(?:电视|電視|显示|屏|分辨|视频|高清|超清|画质|投影|摄像|蓝光|@|tv|monitor|display|resolution|video|uhd|screen|camera|60|120|144)",
    re.I,
)
_HOT = re.compile(r"烧|体温|气温|温度|室温|水温|摄氏|冷|热|℃|空调|天气|\b(?:fever|temperature|hot|cold|weather|celsius|oven|heat)", re.I)
_ANGLE = re.compile(r"近视|眼镜|散光|角|旋|转|拐|全景|酒|白酒|电费|用电|\b(?:angle|rotate|turn|view|burn)", re.I)
_HEAVY = re.compile(r"\b(?:weigh|weight|weighs|lift|lose|lost|heavy|gain|dumbbell|luggage|kg|body|dog|cat|capacity)\b", re.I)
_WATT = re.compile(r"充|功率|灯|电|适配|音箱|音响|speaker|charg|adapter|led|bulb|psu|power", re.I)
_PAST = re.compile(r"\s?(?:之前|以前|前|之后|以后|后(?!台|面|端)|以来|来(?=[\s的])|ago\b|later\b|from\snow\b|earlier\b)", re.I)
_LATELY = re.compile(r"(?:最近|近|过去|过去的|这|前|未来|接下来|\b(?:last|past|next|previous|recent))(?:的|\sfew)?\s?$", re.I)
_ORDINAL = re.compile(r"(?:第|top|no\.|#|chapter|level|season|step|part|lesson|grade|page|figure|version|ver\.?|\bv|episode)\s?$", re.I)
_UNIT_BEFORE = re.compile(r"(?<![A-Za-z0-9])[0-9]{1,6}(?:\.[0-9]{1,3})?\s?[A-Za-z]{1,4}[-/]$")
_MASKS = re.compile(
    r"(?<![0-9])[0-9]++(?:(?:\.[0-9]++){2,}+|(?:[-/][0-9]++){2,}+|(?::[0-9]++)++|[xX×*][0-9]++(?:[xX×*][0-9]++)?+)"
    r"|(?<![0-9])(?:19|20)[0-9]{2}[-/](?:0?[1-9]|1[0-2])(?![0-9])"
    r"|(?<![0-9])(?:\+?86[\s-]?)?1[3-9][0-9][\s-]?[0-9]{4}[\s-]?[0-9]{4}(?![0-9])"
    r"|(?<![0-9])(?:400|800)-[0-9]{3,4}-?[0-9]{3,4}(?![0-9])|\(?[0-9]{3,4}\)[\s-]?[0-9]{3,4}-[0-9]{4}"
)
_AFTER_YUAN = re.compile(r"[旦宵素件器老首年]|[一二三四五六七八九]次")
_AFTER_PIECE = re.compile(r"钱|[左以之上下多的吧呢吗起内到至,。，、;；)\s\-~+]|$|预算")
_AFTER_WEEK = re.compile(r"[年岁边围期杰末一二三四五六日转报刊]")
_AFTER_YEAR = re.compile(r"[级代度级轮]")
_SAFE_ALONE = frozenset("元块圆天年周斤米岁人秒个個只台件部款位辆套双张")
_ARABIC_ONLY = frozenset("平刀欧迈兆码匹字口条次名圆磅")


@value
class Measure:
    """A number and its unit; ``kind`` None: no unit.  ``low == high`` unless the number is vague."""

    start: int
    end: int
    low: float
    high: float
    kind: QuantityKind | None = None
    unit: str | None = None
    scale: float = 1.0
    style: str = "arabic"


def measures(text: str) -> Iterator[Measure]:
    """Yield the numbers of folded ``text`` that can be quantities, with their units."""
    masked = _masked(text)
    quotes = _Quotes(text)
    for number in numbers(text):
        if masked[number.start]:
            continue
        found = _measure(text, number, quotes)
        if found is not None:
            yield found


def _masked(text: str) -> bytearray:
    masked = bytearray(len(text) + 1)
    for match in _MASKS.finditer(text):
        masked[match.start() : match.end()] = b"\x01" * (match.end() - match.start())
    return masked


class _Quotes:
    """Tells an inch mark from a closing quote: a mark closes when an odd number of them is open before it."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._open = {'"': False, "'": False, "”": False}

    def closes(self, position: int) -> bool:
        """Whether the mark at ``position`` closes a quote; positions must grow from call to call."""
        for i in range(self._at, position):
            char = self._text[i]
            if char == "“":
                self._open["”"] = True
            elif char in self._open and not (char == "'" and self._text[i - 1 : i].isalpha()):
                self._open[char] = not self._open[char]
        self._at = max(self._at, position)
        return self._open.get(self._text[position], False)

    def used(self, position: int) -> None:
        """Note that the mark at ``position`` was a unit."""
        self._at = position + 1


def _measure(text: str, number: Number, quotes: _Quotes) -> Measure | None:
    start, end = number.start, number.end
    before = text[max(0, start - 12) : start]
    currency = CURRENCY.search(before)
    if currency is None and _part_of_a_name(before, number):
        return None
    low, high = number.low, number.high
    more = re.compile(r"[多几来余](?=[个個元块美欧万人岁年天斤公米台次%名张只件小])").match(text, end)
    if more and low == high and low >= 10:
        high, end = low + _step(low, number.scale), more.end()
    if half := re.compile(r"个半(?=小时|钟头|月|星期|礼拜)").match(text, end):
        low, high, end = low + 0.5, high + 0.5, half.end()
    made = dict(scale=number.scale, style=number.style)
    if currency:
        unit = CURRENCIES.get(currency[0].strip().lower(), currency[0].strip().upper())
        extra = re.compile(r"\s?(?:元|块钱?|rmb|yuan|dollars?|usd|cny)(?![A-Za-z])", re.I).match(text, end)
        start -= len(before) - currency.start()
        if unit == "CNY" and re.compile(r"\s?(?:日元|円|jpy)", re.I).match(text, end):
            return None
        return Measure(start=start, end=extra.end() if extra else end, low=low, high=high, kind="money", unit=unit, **made)
    if before.endswith("百分之"):
        return Measure(start=start - 3, end=end, low=low, high=high, kind="percent", unit="percent", **made)
    found = _unit(text, number, end, quotes)
    if found is None:
        follows = text[end : end + 1]
        if follows.isascii() and (follows.isalpha() or follows == "_"):
            return None
        return Measure(start=start, end=end, low=low, high=high, **made)
    unit, end = found
    low, high = low * unit.factor, high * unit.factor
    if unit.kind in ("duration", "weight") and text[end : end + 1] == "半":
        low, high, end = low + 0.5 * unit.factor, high + 0.5 * unit.factor, end + 1
    if unit.unit == "m" and number.style == "han" and (tenth := re.compile(r"[一二三四五六七八九]").match(text, end)):
        low = high = low + "一二三四五六七八九".index(tenth[0]) / 10 + 0.1
        end = tenth.end()
    if unit.kind == "temperature" and (below := re.search(r"(?:零下|minus\s|(?<![0-9A-Za-z])-)$", before, re.I)):
        low, high, start = -high, -low, start - len(below[0])
    return Measure(start=start, end=end, low=low, high=high, kind=unit.kind, unit=unit.unit, **made)


def _step(low: float, scale: float) -> float:
    if scale > 1 and low % scale == 0:
        return scale
    step = 1.0
    while low % (step * 10) == 0 and step * 10 <= low:
        step *= 10
    return step


def _part_of_a_name(before: str, number: Number) -> bool:
    """``gpt-4``, ``RTX3070``, ``第3章``, ``top 10``: a number that belongs to the word before it."""
    if number.style == "words":
        return before[-1:] in ("-", "_")
    last = before[-1:]
    if last and last.isascii() and (last.isalpha() or last in "_#@"):
        return number.style == "arabic"
    if last in ("-", "/", ".", "+", ":") and before[-2:-1].isascii() and before[-2:-1].isalpha():
        return _UNIT_BEFORE.search(before) is None
    return _ORDINAL.search(before) is not None


def _unit(text: str, number: Number, end: int, quotes: _Quotes) -> tuple[Unit, int] | None:
    match = UNIT.match(text, end)
    if match is None:
        return None
    word = match["unit"]
    after, before = text[match.end() : match.end() + 12], text[max(0, number.start - 12) : number.start]
    if word in CASED:
        joined = match.start("unit") == end
        unit = _cased(word, number, before, after, joined=joined, around=before + after)
        if word in "\"'”″" and (not joined or number.style != "arabic" or quotes.closes(match.start("unit"))):
            return None
        if unit is not None and word in "\"'”":
            quotes.used(match.start("unit"))
    else:
        unit = _plain(re.sub(r"[\s-]", " ", word.lower()), word, number, before, after)
    if unit is None:
        return None
    if unit.kind == "duration" and (_PAST.match(after) or _LATELY.search(before)):
        return None
    return unit, match.end()


def _cased(word: str, number: Number, before: str, after: str, *, joined: bool, around: str) -> Unit | None:
    """Decide the one-letter units from what stands around them."""
    unit, amount = CASED[word], number.low
    memory = _MEMORY.search(around) is not None
    verdicts = {
        "G": lambda: memory or amount >= 8 or (amount in (2, 4, 6) and not _NETWORK.match(after)),
        "T": lambda: memory or (amount == int(amount) and not re.search(r"车|发动机|涡轮|engine", around)),
        "M": lambda: memory or "宽带" in after,
        "g": lambda: memory or not (amount in (2, 3, 4, 5, 6) and _NETWORK.match(after)),
        "s": lambda: joined and not (amount >= 20 and amount % 10 == 0),
        "d": lambda: joined and amount not in (2, 3),
        "h": lambda: joined,
        "in": lambda: amount != int(amount) or bool(re.match(r"\s?(?:monitor|screen|display|laptop|tv|wheel|tablet)", after, re.I)),
        "L": lambda: joined,
    }
    if not verdicts.get(word, lambda: True)():
        return None
    if word == "g" and memory:
        return CASED["G"]
    if word == "M" and "宽带" in after:
        return UNITS["mbps"]
    if word == "w" and not _WATT.search(around):
        return Unit(kind="plain", unit=None, factor=10_000) if re.search("[\u4e00-\u9fff]", around) else unit
    if word in ("pound", "pounds") and _HEAVY.search(around):
        return UNITS["lb"]
    return unit


def _plain(key: str, word: str, number: Number, before: str, after: str) -> Unit | None:
    """Reject the units that the words around turn into something else (三年级, 一元二次, 百度)."""
    unit = UNITS.get(key)
    if unit is None:
        return None
    bare = number.style == "han" and number.low == number.scale and number.end - number.start == 1 and number.scale > 10
    alone = number.style == "han" and number.end - number.start == 1
    rejected = (
        (bare and unit.kind != "money")
        or (alone and len(word) == 1 and word not in _SAFE_ALONE and not (word == "度" and _HOT.search(before)))
        or (word in _ARABIC_ONLY and number.style != "arabic" and number.scale < 100)
        or (word in ("元", "圆") and _AFTER_YUAN.match(after))
        or (word in ("元", "圆") and alone and not bare and not _AFTER_PIECE.match(after))
        or (word == "块" and number.low < 10 and not _AFTER_PIECE.match(after))
        or (word == "块" and number.low == 1 and number.style == "han")
        or (word == "周" and _AFTER_WEEK.match(after))
        or (word == "年" and (number.low > 100 or (number.style == "arabic" and number.low >= 50) or _AFTER_YEAR.match(after)))
        or (word == "天" and re.match("到晚|天|比一天", after))
        or (word == "匹" and after[:1] == "狼")
        or (unit.kind == "count" and before.endswith("前"))
        or (word == "人" and re.match("[民生工类心物间家机]", after))
        or (word == "个" and re.match("[月小人性体钟星]", after) and not re.match("人|小", after))
    )
    if rejected or (unit.kind == "temperature" and unit.unit is None and not _temperature(number, before, after)):
        return None
    return Unit(kind="temperature", unit=_scale(number, before, after)) if key in ("度", "°", "degrees", "degree") else unit


def _temperature(number: Number, before: str, after: str) -> bool:
    around = before + after
    if _ANGLE.search(around):
        return False
    return _HOT.search(around) is not None or -60 <= number.low <= 60


def _scale(number: Number, before: str, after: str) -> str | None:
    if re.search("[\u4e00-\u9fff]", before + after) or number.low <= 45:
        return "C"
    return "F" if 90 <= number.low <= 115 else None


def is_resolution(text: str, measure: Measure) -> bool:
    """Whether a number with ``k`` is a picture size (``4K电视``), not thousands."""
    return measure.scale == 1000 and text[measure.end - 1 : measure.end] in "kK" and _RESOLUTION.match(text, measure.end) is not None
