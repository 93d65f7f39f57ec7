"""Numbers as people write them: digits, Chinese numerals, mixtures (``1万5``, ``1.5万``, ``2k``) and English words.

Everything works on text whose width is folded by ``fold_width``, which keeps the length, so that offsets stay true.
The patterns use possessive repeats and bounded counts: no input makes them backtrack.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from qx.serial import value
from qx.text.normalise import characters_read
from qx.text.remembered import remembered

_WIDTH = (
    {0xFF01 + i: 0x21 + i for i in range(94)}
    | {
        0x3000: 0x20,
        0xA0: 0x20,
        0x202F: 0x20,  # the narrow space of 1 299 €
        0xFFE5: 0xA5,  # full-width yen sign
        0xFFE1: 0xA3,  # full-width pound sign
        0x301C: 0x7E,  # wave dash
        0x2013: 0x2D,
        0x2014: 0x2D,
        0x2212: 0x2D,
        0x2019: 0x27,
        0x3007: 0x96F6,  # the ideographic zero, as 零
        0x25CB: 0x96F6,
    }
    | {ord(a): ord(b) for a, b in ("萬万", "億亿", "兩两", "幾几", "倆俩")}
)
_WIDE = re.compile(f"[{''.join(map(chr, _WIDTH))}]")
"""Most texts have none of them, which takes less time to see than to put them right."""

_DIGITS = {c: i for i, c in enumerate("零一二三四五六七八九")} | {"两": 2, "〇": 0, "俩": 2, "仨": 3}
_SMALL = {"十": 10, "百": 100, "千": 1000, "k": 1000, "K": 1000}
_LARGE = {"万": 10_000, "w": 10_000, "W": 10_000, "亿": 100_000_000}

_ONES = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_WORDS: dict[str, int] = {w: i for i, w in enumerate(_ONES)} | {w: 20 + 10 * i for i, w in enumerate(_TENS)}
_SCALES = {"hundred": 100, "thousand": 1000, "grand": 1000, "million": 1_000_000, "billion": 1_000_000_000}

HAN = "零一二两三四五六七八九十百千万亿"
"""The characters of Chinese numerals (after ``fold_width``)."""

_EURO = "(?:(?<=€)|(?<=€[ ])|(?<=EUR[ ])|(?<=CHF[ ]))"
_EUROS = r"(?=\s?(?:€|(?:eur|euros?|chf|kr|zł)(?![a-z])|₽|руб))"
"""Money before and after which a point or a space parts thousands, and a comma the cents: €1.299,00, 1 299 €."""
_NO_MODEL = "".join(
    f"(?<!{line}[ ])"
    for line in (
        "iphone",
        "ipad",
        "galaxy",
        "pixel",
        "redmi",
        "xiaomi",
        "note",
        "watch",
        "series",
        "windows",
        "rtx",
        "gtx",
        "plus",
        "pro",
        "小米",
        "红米",
        "mate",
    )
)
"""No thousands begin with the number of a model: "iphone 15 999 €"."""
WORD = "(?:" + "|".join(sorted([*_WORDS, *_SCALES, "dozen"], key=len, reverse=True)) + ")"
"""The words of English numbers, as a regular expression."""
_NUMBER = re.compile(
    rf"""
    (?P<arabic>(?<![0-9])(?<![0-9][.,])
        (?: (?P<grouped> [0-9]{{1,3}}(?:\.[0-9]{{3}}){{1,3}},[0-9]{{1,2}}(?![0-9])
            | [0-9]{{1,3}}(?:'[0-9]{{3}}){{1,3}}(?:\.[0-9]{{1,2}})?(?![0-9'])
            | {_EURO}[0-9]{{1,3}}(?:[ .][0-9]{{3}}){{1,3}}(?:,[0-9]{{1,2}})?(?![0-9.,])
            | {_EURO}[0-9]{{1,9}},[0-9]{{2}}(?![0-9.,])
            | {_NO_MODEL}[0-9]{{1,3}}(?:[ .][0-9]{{3}}){{1,3}}(?:,[0-9]{{1,2}})?{_EUROS}
            | [0-9]{{1,9}},[0-9]{{2}}{_EUROS} )
          | [0-9]{{1,3}}(?>(?:,[0-9]{{3}}){{1,5}})(?![0-9,]) | [0-9]{{1,15}}+(?![0-9]) ) (?:\.[0-9]{{1,8}}+(?![0-9]))?
        (?P<scale> \s?(?:thousand|million|billion|grand)(?![A-Za-z]) | [kK](?![A-Za-z])
          | [百千万亿]{{1,2}}+(?P<rest>[0-9]{{1,4}}+[百千]?(?![0-9A-Za-z.])|[{HAN}]{{1,8}}+)? )? )
    | (?P<han>(?<![{HAN}半])(?:半(?=个?(?:小时|小時|钟头|年|天|月|斤|公斤|星期))|[几数上][十百千万亿]{{1,3}}+|[{HAN}]{{1,20}}+(?:点[零一二三四五六七八九]{{1,6}}+|几)?))
    | (?P<words>(?<![A-Za-z])(?:an?\s+(?=hundred|thousand|million|dozen))?{WORD}
        (?>(?:[\s-](?:and\s)?{WORD}){{0,8}})(?![A-Za-z]))
    """,
    re.VERBOSE | re.IGNORECASE,
)


@value
class Number:
    """One number of the text: ``low == high`` unless it is vague (``三四千``, ``几百``, ``十几``).

    ``scale`` is the multiplier written with it (1000 of ``2k`` and ``两千``), 1 where there is none.
    """

    start: int
    end: int
    low: float
    high: float
    scale: float = 1.0
    style: str = "arabic"


@remembered
def fold_width(text: str) -> str:
    """Return ``text`` with full-width letters, digits and symbols as ASCII and Traditional characters as Simplified ones.

    Whatever reads amounts, times and negations reads this, so that both scripts are one (以內 is 以内, 沒有 is 没有).
    Every character keeps its place.
    """
    if text.isascii():
        return text
    return characters_read(text.translate(_WIDTH) if _WIDE.search(text) else text)


def numbers(text: str) -> Iterator[Number]:
    """Yield the numbers of ``text`` (already folded by ``fold_width``) from left to right."""
    for match in _NUMBER.finditer(text):
        found = _read(match)
        if found is not None:
            yield found


def value_of(text: str) -> float | None:
    """Return the number that ``text`` is as a whole (the lower bound where it is vague), or None."""
    folded = fold_width(text.strip())
    match = _NUMBER.fullmatch(folded)
    found = _read(match) if match else None
    return found.low if found else None


def _read(match: re.Match[str]) -> Number | None:
    style = match.lastgroup if match.lastgroup in ("arabic", "han", "words") else "arabic"
    style = "han" if match["han"] else "words" if match["words"] else style
    text = match[0]
    pair: tuple[float, float] | None
    scale = 1.0
    if style == "words":
        low = _english(text)
        pair = None if low is None else (low, low)
    elif style == "han":
        pair = _vague(text)
        scale = float(_scale(text))
    else:
        low = _european(match["grouped"], match["scale"]) if match["grouped"] else _arabic(text, match["scale"])
        pair = None if low is None else (low, low)
        scale = float(_scale(match["scale"] or ""))
    if pair is None:
        return None
    return Number(start=match.start(), end=match.end(), low=pair[0], high=pair[1], scale=scale, style=str(style))


def _scale(text: str) -> int:
    for word, size in _SCALES.items():
        if word in text.lower():
            return size
    product = 1
    for char in reversed(text):
        if char in _SMALL or char in _LARGE:
            product *= _SMALL.get(char) or _LARGE[char]
        elif product > 1:
            break
    return product


def _european(grouped: str, scale: str | None) -> float | None:
    """€112.875; before a scale one point is that of a fraction: €1.125 million."""
    if scale is None:
        return _grouped(grouped)
    if grouped.count(".") == 1 and not set(grouped) & set(", '"):
        return _arabic(grouped + scale, scale)
    return _grouped(grouped) * _scale(scale)


def _grouped(text: str) -> float:
    """Read a number as it is written in most of Europe: 1.299,00, 1 299, 1'299."""
    if "'" in text:
        return float(text.replace("'", ""))
    whole, _, cents = text.partition(",")
    return float(f"{whole.replace('.', '').replace(' ', '')}.{cents or 0}")


def _arabic(text: str, scale: str | None) -> float | None:
    if not scale:
        return float(text.replace(",", ""))
    head = text[: len(text) - len(scale)].replace(",", "")
    word = scale.strip().lower()
    if word in _SCALES:
        return float(head) * _SCALES[word]
    return _chinese(head, scale)


def _vague(text: str) -> tuple[float, float] | None:
    """Read Chinese numerals, of which some name a range: 几百, 上千, 十几, 三四千, 十五六."""
    if text == "半":
        return 0.5, 0.5
    if text[0] in "几数上":
        size = float(_scale(text[1:]))
        return (size, size) if text[0] == "上" else (2 * size, 9 * size)
    if text.endswith("几"):
        low = _chinese("", text[:-1])
        return None if low is None else (low + 1, low + 9)
    for i in range(len(text) - 1):
        a, b = _DIGITS.get(text[i], -1), _DIGITS.get(text[i + 1], -1)
        if 0 < a < 9 and b == a + 1 and (len(text) == 2 or _scale(text) > 1):
            low, high = _chinese("", text[: i + 1] + text[i + 2 :]), _chinese("", text[:i] + text[i + 1 :])
            return None if low is None or high is None else (low, high)
    exact = _chinese("", text)
    return None if exact is None else (exact, exact)


def _chinese(head: str, text: str) -> float | None:
    """Read ``head`` (digits before the first unit, may be empty) and Chinese numerals; 三万五 is 35000."""
    if not head and "点" in text:
        whole, _, part = text.partition("点")
        low = _chinese("", whole)
        return None if low is None else float(f"{int(low)}.{''.join(str(_DIGITS[c]) for c in part)}")
    if not head and all(c in _DIGITS for c in text):
        return float("".join(str(_DIGITS[c]) for c in text))
    tokens: list[str] = ([head] if head else []) + re.findall(r"[0-9]+|.", text)
    return _sum(tokens)


def _sum(tokens: list[str]) -> float | None:
    total, section, pending = 0.0, 0.0, None
    last, gap = 0, False
    for part in tokens:
        if part in _SMALL:
            last = _SMALL[part]
            section += (1.0 if pending is None else pending) * last
            pending, gap = None, False
        elif part in _LARGE:
            last = _LARGE[part]
            section += pending or 0.0
            if section == 0.0:
                section = 1.0 if total == 0.0 else total
                total = 0.0 if total else total
            if last == 100_000_000:
                section, total = section + total, 0.0
            total += section * last
            section, pending, gap = 0.0, None, False
        elif part == "零":
            if pending is not None:
                return None
            gap = True
        elif pending is not None:
            return None
        else:
            pending = float(_DIGITS[part]) if part in _DIGITS else float(part)
    if pending is not None:
        short = last >= 100 and not gap and 0 < pending < 10
        section += pending * (last // 10) if short else pending
    return total + section


def _english(text: str) -> float | None:
    total, current = 0.0, 0.0
    seen = False
    for word in re.split(r"[\s-]+", text.lower()):
        if word in ("and", "a", "an"):
            continue
        if word in _WORDS:
            step = _WORDS[word]
            if seen and current % (100 if step >= 10 else 10) and current < 100:
                return None
            current += step
        elif word == "dozen":
            current = (current or 1.0) * 12
        else:
            size = _SCALES[word]
            current = (current or 1.0) * size
            if size >= 1000:
                total, current = total + current, 0.0
        seen = True
    return total + current
