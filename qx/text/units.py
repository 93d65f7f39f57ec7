"""Units of measure as people write them, in both languages, with their canonical name and factor."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Literal

from qx.serial import value

QuantityKind = Literal[
    "money",
    "temperature",
    "memory",
    "length",
    "weight",
    "duration",
    "percent",
    "count",
    "battery",
    "power",
    "frequency",
    "size",
    "volume",
    "speed",
    "age",
    "plain",
]


@value
class Unit:
    """``factor`` turns the written number into the canonical unit (1 斤 is 0.5 kg)."""

    kind: QuantityKind
    unit: str | None
    factor: float = 1.0


_TABLE: tuple[tuple[QuantityKind, str | None, float, str], ...] = (
    ("money", "CNY", 1, "元 元人民币 人民币 块 块钱 圆 rmb cny yuan"),
    ("money", "USD", 1, "美元 美金 美刀 刀 dollar dollars buck bucks usd"),
    ("money", "EUR", 1, "欧元 欧 euro euros eur €"),
    ("money", "GBP", 1, "英镑 gbp quid £ sterling"),
    ("money", "JPY", 1, "日元 日圆 円 yen jpy"),
    ("money", "HKD", 1, "港币 港元 港幣 hkd"),
    ("money", "TWD", 1, "台币 新台币 新臺幣 臺幣 twd ntd"),
    ("money", "CHF", 1, "瑞郎 瑞士法郎 chf"),
    ("money", "KRW", 1, "韩元 韓元 krw"),
    ("money", "INR", 1, "卢比 rupees rupee inr ₹"),
    ("money", "RUB", 1, "卢布 rubles ruble rub ₽"),
    ("temperature", "C", 1, "°c ℃ 摄氏度 攝氏度 degrees_celsius degree_celsius degrees_c celsius"),
    ("temperature", "F", 1, "°f ℉ 华氏度 華氏度 degrees_fahrenheit degree_fahrenheit degrees_f fahrenheit"),
    ("temperature", None, 1, "度 ° degrees degree"),
    ("memory", "KB", 1, "kb kib"),
    ("memory", "MB", 1, "mb mib 兆 megabytes megabyte"),
    ("memory", "GB", 1, "gb gib 个g gigs gigabytes gigabyte"),
    ("memory", "TB", 1, "tb tib terabytes terabyte"),
    ("memory", "PB", 1, "pb"),
    ("length", "inch", 1, "英寸 寸 吋 inch inches"),
    ("length", "ft", 1, "英尺 feet foot ft"),
    ("length", "cm", 1, "cm 厘米 公分 centimeters centimetres centimeter centimetre"),
    ("length", "mm", 1, "mm 毫米 millimeters millimetres millimeter millimetre"),
    ("length", "nm", 1, "nm 纳米 奈米 nanometers nanometres"),
    ("length", "km", 1, "km 公里 千米 kilometers kilometres kilometer kilometre"),
    ("length", "mile", 1, "英里 miles mile"),
    ("length", "cm", 100 / 3, "市尺 尺"),
    ("length", "m", 1, "米 公尺 meters metres meter metre"),
    ("weight", "kg", 1, "kg 公斤 千克 kilos kilo kilograms kilogram kgs"),
    ("weight", "kg", 0.5, "斤 市斤"),
    ("weight", "g", 1, "克 grams gram"),
    ("weight", "mg", 1, "mg 毫克 milligrams milligram"),
    ("weight", "lb", 1, "lb lbs 磅"),
    ("weight", "oz", 1, "oz 盎司 ounces ounce"),
    ("weight", "t", 1, "吨 噸 tons ton tonnes tonne"),
    ("duration", "ms", 1, "ms 毫秒 milliseconds millisecond"),
    ("duration", "s", 1, "秒 秒钟 秒鐘 seconds second secs sec"),
    ("duration", "min", 1, "分钟 分鐘 minutes minute mins min"),
    ("duration", "h", 1, "小时 小時 个小时 個小時 钟头 个钟头 hours hour hrs hr"),
    ("duration", "d", 1, "天 days day"),
    ("duration", "week", 1, "周 星期 个星期 礼拜 个礼拜 weeks week"),
    ("duration", "month", 1, "个月 個月 months month"),
    ("duration", "year", 1, "年 years year yrs yr"),
    (
        "age",
        "year",
        1,
        "岁 歲 周岁 years_old year_old year-old years-old year_olds years_olds year-olds yr_old yrs_old yr-old yr_olds y/o",
    ),
    ("age", "month", 1, "个月大 months_old month_old month-old"),
    ("percent", "percent", 1, "% percent per_cent"),
    ("battery", "mAh", 1, "mah 毫安 毫安时 毫安時"),
    ("battery", "Wh", 1, "wh 瓦时"),
    ("power", "W", 1, "瓦 watts watt"),
    ("power", "kW", 1, "kw 千瓦 kilowatts kilowatt"),
    ("power", "hp", 1, "hp 匹 马力 horsepower"),
    ("frequency", "Hz", 1, "hz 赫兹 赫茲 hertz"),
    ("frequency", "kHz", 1, "khz"),
    ("frequency", "MHz", 1, "mhz"),
    ("frequency", "GHz", 1, "ghz"),
    ("frequency", "fps", 1, "fps"),
    ("size", "MP", 1, "mp megapixels megapixel"),
    ("size", "MP", 1e-6, "像素"),
    ("size", "px", 1, "px pixels pixel"),
    ("size", "m2", 1, "平米 平方米 平方 平 ㎡ m² m2 sqm square_meters square_metres"),
    ("size", "ft2", 1, "ft² ft2 平方英尺 平方呎 sqft sq_ft square_feet"),
    ("size", None, 1, "码"),
    ("volume", "L", 1000, "m³ ㎥ m3 立方米 cubic_meters cubic_metres"),
    ("volume", "ml", 1, "ml 毫升 milliliters millilitres"),
    ("volume", "L", 1, "升 公升 liters litres liter litre"),
    ("speed", "Mbps", 1, "mbps"),
    ("speed", "Gbps", 1, "gbps"),
    ("speed", "km/h", 1, "km/h kmh kph 公里每小时 迈"),
    ("speed", "mph", 1, "mph"),
)

_COUNTED = (
    "个 個 只 台 件 张 張 条 條 把 双 雙 部 款 人 位 名 次 页 頁 口 辆 輛 枚 颗 顆 瓶 盒 箱 套 篇 种 種 人份 字 "
    "people persons person users user items item pieces piece pcs pages page times words guests employees seats"
)

_NAMED_MONEY = {
    "人民币": "CNY", "美元": "USD", "美金": "USD", "欧元": "EUR", "英镑": "GBP", "日元": "JPY", "日币": "JPY",
    "港币": "HKD", "港元": "HKD", "港纸": "HKD", "台币": "TWD", "新台币": "TWD", "新臺币": "TWD", "臺币": "TWD", "韩元": "KRW",
    "韩币": "KRW", "瑞郎": "CHF", "卢布": "RUB", "卢比": "INR", "新币": "SGD", "加币": "CAD", "澳币": "AUD", "澳元": "AUD",
    "加元": "CAD",
}  # fmt: skip
"""Currencies by their Chinese names, which stand before the amount (港币800元) or behind its 元 (五千元台币)."""

UNITS: dict[str, Unit] = {
    **{
        word.replace("_", " "): Unit(kind=kind, unit=unit, factor=factor)
        for kind, unit, factor, words in _TABLE
        for word in words.split()
    },
    **{word: Unit(kind="count", unit=word) for word in _COUNTED.split()},
    **{
        f"{counted}{name}": Unit(kind="money", unit=code)
        for name, code in _NAMED_MONEY.items()
        for counted in ("", "元", "块", "块钱")
    },
}

CASED: dict[str, Unit] = {
    "G": Unit(kind="memory", unit="GB"),
    "T": Unit(kind="memory", unit="TB"),
    "M": Unit(kind="memory", unit="MB"),
    "g": Unit(kind="weight", unit="g"),
    "m": Unit(kind="length", unit="m"),
    "h": Unit(kind="duration", unit="h"),
    "s": Unit(kind="duration", unit="s"),
    "d": Unit(kind="duration", unit="d"),
    "W": Unit(kind="power", unit="W"),
    "w": Unit(kind="power", unit="W"),
    "L": Unit(kind="volume", unit="L"),
    '"': Unit(kind="length", unit="inch"),
    "'": Unit(kind="length", unit="ft"),
    "”": Unit(kind="length", unit="inch"),
    "″": Unit(kind="length", unit="inch"),
    "pounds": Unit(kind="money", unit="GBP"),
    "pound": Unit(kind="money", unit="GBP"),
    "in": Unit(kind="length", unit="inch"),
}
"""One-letter and ambiguous units: the context decides (``qx.text.quantities``)."""


def _alternatives() -> str:
    words = sorted({*UNITS, *CASED}, key=len, reverse=True)
    latin = [re.escape(w).replace(r"\ ", r"[\s-]") for w in words if w[-1].isascii() and w[-1].isalpha()]
    other = [re.escape(w).replace(r"\ ", r"[\s-]") for w in words if not (w[-1].isascii() and w[-1].isalpha())]
    return rf"(?P<unit>(?:{'|'.join(latin)})(?![A-Za-z0-9_²³])|(?:{'|'.join(other)}))"


UNIT = re.compile(r"[\s-]?" + _alternatives(), re.IGNORECASE)
"""A unit right after a number; the group ``unit`` is its text."""

YUAN = frozenset("元圆圓块塊")
"""What several currencies are counted in: which one is meant depends on where the text is written."""

COUNTED_IN_YUAN = ("CNY", "TWD", "HKD", "MOP")
"""Those currencies."""

CURRENCY = re.compile(
    r"(?:(?<![A-Za-z])(?P<code>RMB|CNY|USD|US\$|EUR|GBP|JPY|HK\$|HKD|NT\$|TWD|CHF)|(?P<sign>[$¥€£₹₽]))\s?$", re.I
)
"""A currency right before a number."""

CURRENCY_NAME = re.compile(rf"(?P<name>{'|'.join(sorted(_NAMED_MONEY, key=len, reverse=True))})[:：]?\s?$")
"""A currency's Chinese name right before a number: 港币800元."""

CURRENCIES = {
    **_NAMED_MONEY,
    "rmb": "CNY",
    "us$": "USD",
    "hk$": "HKD",
    "nt$": "TWD",
    "$": "USD",
    "¥": "CNY",
    "€": "EUR",
    "£": "GBP",
    "₹": "INR",
    "₽": "RUB",
}

_F = Fraction
_DIMENSIONS: tuple[dict[str, Fraction], ...] = (
    {"KB": _F(1), "MB": _F(10**3), "GB": _F(10**6), "TB": _F(10**9), "PB": _F(10**12)},
    {
        "nm": _F(1, 10**9), "mm": _F(1, 1000), "cm": _F(1, 100), "m": _F(1), "km": _F(1000),
        "inch": _F(254, 10000), "ft": _F(3048, 10000), "mile": _F(1609344, 1000),
    },
    {"mg": _F(1, 1000), "g": _F(1), "kg": _F(1000), "t": _F(10**6), "lb": _F(45359237, 10**5), "oz": _F(45359237, 1600000)},
    {"ms": _F(1, 1000), "s": _F(1), "min": _F(60), "h": _F(3600), "d": _F(86400), "week": _F(604800)},
    {"month": _F(1), "year": _F(12)},
    {"W": _F(1), "kW": _F(1000)},
    {"Hz": _F(1), "kHz": _F(10**3), "MHz": _F(10**6), "GHz": _F(10**9)},
    {"ml": _F(1, 1000), "L": _F(1)},
    {"Mbps": _F(1), "Gbps": _F(1000)},
    {"m2": _F(1), "ft2": _F(9290304, 10**8)},
    {"km/h": _F(1), "mph": _F(1609344, 10**6)},
)  # fmt: skip
_SIZES = {unit: (number, size) for number, units in enumerate(_DIMENSIONS) for unit, size in units.items()}


def convert(number: Fraction, source: str | None, target: str | None) -> Fraction | None:
    """Return ``number`` of ``source`` in ``target``, exactly; None where that has no meaning (CNY in EUR, kg in cm).

    Both are canonical units (``qx.text.quantities``).  Memory counts in thousands, as sellers do.
    """
    if source == target:
        return number
    if {source, target} == {"C", "F"}:
        return number * 9 / 5 + 32 if source == "C" else (number - 32) * 5 / 9
    known, wanted = _SIZES.get(source or ""), _SIZES.get(target or "")
    if known is None or wanted is None or known[0] != wanted[0]:
        return None
    return number * known[1] / wanted[1]


_NAMES = frozenset((*(unit.unit for unit in UNITS.values()), *CURRENCIES.values()))


def is_unit(text: str) -> bool:
    """Return whether ``text`` is a unit, as people write it or by its canonical name."""
    folded = text.casefold().strip()
    return text in _SIZES or text in CASED or folded in UNITS or folded in CURRENCIES or text in _NAMES


def canonical(unit: str | None) -> tuple[str | None, Fraction]:
    """Return the canonical name of a unit as people write it, and its factor: ``元`` is (CNY, 1), ``斤`` (kg, 1/2)."""
    if unit is None or unit in _SIZES:
        return unit, _F(1)
    known = CASED.get(unit) or UNITS.get(unit.casefold().strip())
    if known is not None:
        return known.unit, Fraction(str(known.factor))
    return CURRENCIES.get(unit.casefold(), unit), _F(1)
