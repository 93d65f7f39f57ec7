"""Which unit a number has: one-letter and ambiguous units are decided by the words around them.

``5G手机`` has no unit, ``16g 内存`` has gigabytes; 三年级, 一元二次 and 百度 are words.
"""

from __future__ import annotations

import re

from qx.text.numerals import Number
from qx.text.units import CASED, UNIT, UNITS, Unit

_MEMORY = re.compile(
    r"内存|記憶體|运存|显存|硬盘|固态|存储|流量|空间|网盘|[uU]盘|\b(?:ram|memory|ssd|hdd|storage|disk|vram|drive)\b",
    re.I,
)
_NETWORK = re.compile(
    r"\s?(?:手机|網|网|信号|套餐|时代|芯片|基站|技术|通信|模块|卡|phone|network|signal|modem|tower|chip|plan|$)", re.I
)
_HOT = re.compile(
    r"烧|零下|体温|气温|温度|室温|水温|摄氏|冷|热|℃|空调|天气|\b(?:fever|temperature|hot|cold|weather|celsius|oven|heat)",
    re.I,
)
_ANGLE = re.compile(r"近视|眼镜|散光|角|旋|转|拐|全景|酒|白酒|电费|用电|\b(?:angle|rotate|turn|view|burn)", re.I)
_HEAVY = re.compile(
    r"\b(?:weigh|weight|weighs|lift|lose|lost|heavy|gain|dumbbell|luggage|kg|body|dog|cat|capacity)\b", re.I
)
_WATT = re.compile(r"充|功率|灯|电(?![脑视影商话子竞动])|适配|音箱|音响|speaker|charg|adapter|led|bulb|psu|power", re.I)
_BUDGET = re.compile(r"^(?:[元块]|以内|以下|之内|内|左右|上下|预算|封顶)|预算(?:是|在|大概|约)?$|(?:不超过|低于|少于)$")
"""Beside few 万 that are to be spent: no loudspeaker has one watt at most."""
_CHARGED = re.compile(r"充|功率|灯|适配|charg|adapter|led|bulb|psu|power|待机|usb", re.I)
_PAST = re.compile(
    r"\s?(?:之前|以前|前|之后|以后|后(?!台|面|端)|以来|来(?=[\s的])|ago\b|later\b|from\snow\b|earlier\b)", re.I
)
_LATELY = re.compile(
    r"(?:最近|近|过去|过去的|这|前|未来|接下来|\b(?:last|past|next|previous|recent))(?:的|\sfew)?\s?$", re.I
)
_AFTER_YUAN = re.compile(r"[旦宵素件器老首年]|[一二三四五六七八九]次")
_AFTER_PIECE = re.compile(r"钱|[左以之上下多的吧呢吗起内到至,。，、;；)\s\-~+]|$|预算")
_AFTER_WEEK = re.compile(r"[年岁边围期杰末一二三四五六日转报刊]")
_AFTER_YEAR = re.compile(r"[级代度级轮]")
_SAFE_ALONE = frozenset("元块圆天年周斤米岁人秒个個只台件部款位辆套双张")
_ARABIC_ONLY = frozenset("平刀欧迈兆码匹字口条次名圆磅")
_HAN = re.compile("[\u4e00-\u9fff]")
_ENGINE = re.compile("车|发动机|涡轮|engine", re.I)
_SCREEN = re.compile(r"\s?(?:monitor|screen|display|laptop|tv|wheel|tablet)", re.I)


class QuoteMarks:
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


def read_unit(text: str, number: Number, end: int, marks: QuoteMarks) -> tuple[Unit, int] | None:
    """Return the unit that follows ``number`` at ``end`` of folded ``text``, and where it ends; None: there is none."""
    match = UNIT.match(text, end)
    if match is None:
        return None
    word = match["unit"]
    after, before = text[match.end() : match.end() + 12], text[max(0, number.start - 12) : number.start]
    if word in CASED:
        joined = match.start("unit") == end
        unit = _cased(word, number, before, after, joined=joined, around=before + after)
        if word in "\"'”″" and (not joined or number.style != "arabic" or marks.closes(match.start("unit"))):
            return None
        if unit is not None and word in "\"'”":
            marks.used(match.start("unit"))
    else:
        unit = _plain(word, number, before, after)
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
        "T": lambda: memory or (amount == int(amount) and not _ENGINE.search(around)),
        "M": lambda: memory or "宽带" in after,
        "g": lambda: memory or not (amount in (2, 3, 4, 5, 6) and _NETWORK.match(after)),
        "s": lambda: joined and not (amount >= 20 and amount % 10 == 0),
        "d": lambda: joined and amount not in (2, 3),
        "h": lambda: joined,
        "in": lambda: amount != int(amount) or _SCREEN.match(after) is not None,
        "L": lambda: joined,
    }
    if not verdicts.get(word, lambda: True)():
        return None
    if word == "g" and memory:
        return CASED["G"]
    if word == "M" and "宽带" in after:
        return UNITS["mbps"]
    if word in "wW" and (_ten_thousand(amount, before, after) or (word == "w" and not _WATT.search(around))):
        return Unit(kind="plain", unit=None, factor=10_000) if _HAN.search(around) else unit
    if word in ("pound", "pounds") and _HEAVY.search(around):
        return UNITS["lb"]
    return unit


def _ten_thousand(amount: float, before: str, after: str) -> bool:
    """Whether w is 万: a few of it that are to be spent, on nothing that is charged."""
    return amount < 10 and bool(_BUDGET.search(after) or _BUDGET.search(before)) and not _CHARGED.search(before + after)


def _plain(word: str, number: Number, before: str, after: str) -> Unit | None:
    """Read a unit that is written out, unless the words around turn it into something else."""
    key = re.sub(r"[\s-]", " ", word.lower())
    unit = UNITS.get(key)
    if unit is None or _unlikely_number(unit, word, number, before) or _another_word(unit, word, number, before, after):
        return None
    if key not in ("度", "°", "degrees", "degree"):
        return unit
    return Unit(kind="temperature", unit=_scale(number, before, after)) if _temperature(number, before, after) else None


def _unlikely_number(unit: Unit, word: str, number: Number, before: str) -> bool:
    """百度, 十字, 一升: a short Chinese numeral that is part of a word, not a number."""
    if number.style == "arabic":
        return False
    alone = number.style == "han" and number.end - number.start == 1
    if alone and number.low == number.scale > 10 and unit.kind != "money":
        return True
    if word in _ARABIC_ONLY and number.scale < 100:
        return True
    return alone and len(word) == 1 and word not in _SAFE_ALONE and not (word == "度" and _HOT.search(before))


def _another_word(unit: Unit, word: str, number: Number, before: str, after: str) -> bool:
    """元旦, 三年级, 一周三次, 一天到晚: the unit begins another word."""
    han = number.style == "han"
    match word:
        case "元" | "圆":
            single = han and number.end - number.start == 1 and number.low < 10
            return bool(_AFTER_YUAN.match(after) or (single and not _AFTER_PIECE.match(after)))
        case "块":
            return number.low < 10 and (not _AFTER_PIECE.match(after) or (han and number.low == 1))
        case "周":
            return _AFTER_WEEK.match(after) is not None
        case "年":
            calendar = number.low > 100 or (not han and number.low >= 50)
            return calendar or _AFTER_YEAR.match(after) is not None
        case "天":
            return re.match("到晚|天|比一天", after) is not None
        case "升":
            return after[:1] in tuple("级級职職学學降温溫值高至到迁遷起任")
        case "尺":
            return after[:1] in tuple("码寸子度骨素有") or han
        case "匹":
            return after[:1] == "狼"
        case "人":
            return after[:1] in tuple("民生工类心物间家机")
        case "个":
            return after[:1] in tuple("月性体钟星") or before.endswith("前")
        case _:
            return unit.kind == "count" and before.endswith("前")


def _temperature(number: Number, before: str, after: str) -> bool:
    around = before + after
    if _ANGLE.search(around):
        return False
    return _HOT.search(around) is not None or -60 <= number.low <= 60


def _scale(number: Number, before: str, after: str) -> str | None:
    if _HAN.search(before + after) or number.low <= 45:
        return "C"
    return "F" if 90 <= number.low <= 115 else None
