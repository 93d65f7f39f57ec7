"""Whether the numbers and units of a statement are those of its quote; no model is asked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction

from qx.serial import value
from qx.text import quantities
from qx.text.months import MONTH, MONTHS, month_number
from qx.text.numerals import fold_width, numbers
from qx.text.protected_words import units
from qx.text.quantities import Quantity
from qx.text.segment import comparable, keywords
from qx.text.units import UNITS, canonical, convert, is_unit
from qx_answer import bounds, dotted, moments, rates, unit_forms, weekdays
from qx_answer.claims import Refused

_NAME = re.compile(r"(?<![A-Za-z0-9])([A-Za-z]+)[-‐‑]?(\d[\w.]*)")
_CAPITALISED = "|".join(month.title() for month in MONTHS)
_MONTH = re.compile(rf"\b{MONTH}(?!\w)", re.IGNORECASE)
_SURE_MONTH = re.compile(
    rf"(?:\b(?:in|on|since|until|by|of|from|to|late|early|mid|before|after|during)[\s-]+|\d\s*)(?P<after>{_CAPITALISED})\b"
    rf"|\b(?P<before>{_CAPITALISED})(?=\s+\d)"
)
"""A month and no other word: "may" and "march" say something else, too."""
_NUMERALS = frozenset("〇零一二三四五六七八九十百千万亿两")
_PERCENT_OF = re.compile(r"百分之$")
_COUNTED = re.compile(r"\s?[年月日号號天周岁歲元块个個人次倍件台家名位章节條条页頁分秒时時小度%％‰万亿千百]")
_SHORT_YEAR = re.compile(r"((?:19|20)\d\d)[-–—/](\d\d)$")
_LABEL = re.compile(r"([^\W\d_]+)[ #:：-]*\d{1,4}[.:。]?")
_MINUS = re.compile(r"(?<![\w.)\]])[-−]$")
_UNIT = re.compile(r"\s?([A-Za-zµμ°℃%‰\u4e00-\u9fff]{1,12})")
_FIGURES = frozenset(["千万", "百万", "万一", "十分", "万万"])
"""Words of numerals that say how much, not how many."""
_ORDINAL = re.compile(r"第$")
_NO_ZERO = re.compile(r"(?<![\w.])(?=\.\d)(?<!\d )\.")
_OFTEN = {"twice": 2, "thrice": 3}
_TIMES = re.compile(r"\b(?:twice|thrice)\b", re.IGNORECASE)
_PER_CENT = re.compile(r"(?<=\d)\s?(?:percent|per\scent)\b", re.IGNORECASE)
_PER_MILLE = re.compile(r"(?<=\d)\s?(?:permille|per\s(?:mille|mil|thousand))\b", re.IGNORECASE)
_PER_MILLE_OF = re.compile(r"千分之(\d+(?:\.\d+)?)")
_SIGNED = re.compile(r"(?<![\d.])(\d{1,9}(?:\.\d{1,6})?)\s?([%‰])")
_SHARE = re.compile(
    r"(?P<half>\bhalf\b|一半|半数|对半)|(?P<quarter>\b(?:a|one)\squarter\b|四分之一)|(?P<fifth>\b(?:a|one)\sfifth\b|五分之一)"
    r"|(?P<tenth>\b(?:a|one)\stenth\b|十分之一)|(?P<three>\bthree\squarters\b|四分之三)",
    re.IGNORECASE,
)
_SHARES = {"half": 0.5, "quarter": 0.25, "fifth": 0.2, "tenth": 0.1, "three": 0.75}
_MEASURED = frozenset(("duration", "length", "weight", "volume"))
_ROUNDED = 0.05
"""Difference of two measures that are taken for one: a year has 365 days, a month 30."""
_OF_ONE = re.compile(r"[一半]|one\b|(?:0\.5|1|1\.5)\s", re.IGNORECASE)
_TIME_UNIT = "hour|day|week|month|year|minute"
_HALF_OF = re.compile(rf"\bhalf\s+an?\s+(?P<unit>{_TIME_UNIT}|lit(?:re|er)|met(?:re|er)|kilo|mile)\b", re.IGNORECASE)
_AND_A_HALF = re.compile(rf"\b(?:an?|one)\s+(?P<unit>{_TIME_UNIT})\s+and\s+a\s+half\b", re.IGNORECASE)
_A_WHOLE = re.compile(
    rf"\b(?P<for>for|lasts?|takes?|lasting|taking)\s+an?\s+(?P<unit>{_TIME_UNIT})\b(?!\s+(?:or|ago))", re.IGNORECASE
)
"""Measures that English tells without a number."""
_AT_LEAST, _AT_MOST = frozenset(("ge", "gt")), frozenset(("le", "lt"))
_ALIKE = 0.7


@value
class Difference:
    """What is wrong with the amounts of a statement."""

    verdict: Refused
    why: str


def differing(statement: str, quote: str) -> Difference | None:
    """Return what the statement counts or measures otherwise than its quote, else None.

    Every number of the statement must be in the quote, be it written otherwise (``1.5万``, 15,000; ``May``, 5月) or in
    another unit (5 km, 5000 m).  "One" and 一 say no number, a number within a name (``A100``) is a name, and "claim 3"
    is a label.
    """
    if _is_label(statement, quote):
        return None
    said, known = unit_forms.same_scale(_folded(statement), _folded(quote))
    weekday = weekdays.other(statement, quote)
    if weekday:
        return Difference(verdict="contradicted", why=weekday)
    said, why = moments.without_known(said, known)
    why = why or dotted.other(said, known)
    days = moments.parts(known)
    said, known = dotted.without(said), dotted.without(known)
    if why:
        return Difference(verdict=_verdict(statement, quote), why=why)
    measured, sources = quantities.find(said), quantities.find(known)
    twice = bounds.turned_round(said, known)
    for quantity in measured:
        why = _unit_differs(quantity, sources)
        if why and not twice:
            return Difference(verdict="contradicted", why=why)
    why = "" if twice else _other_measure(measured, sources)
    why = why or _written_unit_differs(said, known) or _other_share(said, known) or rates.other(said, known)
    if why:
        return Difference(verdict="contradicted", why=why)
    name = _other_name(said, known)
    if name:
        return Difference(verdict=_verdict(statement, quote), why=name)
    available = {n for _, _, n in _values(known)} | set(_month_numbers(known)) | set(_spoken(known))
    available |= days
    converted = [(q.start, q.end) for q in measured if any(_same(q, other) for other in sources)]
    for start, end, number in _values(said):
        if number not in available and not any(a <= start and end <= b for a, b in converted):
            written = said[start:end].strip()
            return Difference(verdict=_verdict(statement, quote), why=f"the statement's {written} is not in the quote")
    for month in (match["after"] or match["before"] for match in _SURE_MONTH.finditer(said)):
        if next(_month_numbers(month)) not in available:
            return Difference(verdict=_verdict(statement, quote), why=f"the statement's {month} is not in the quote")
    return None


def _folded(text: str) -> str:
    """Text as numbers are read: in one width, ``.04`` as 0.04, ``twice`` as "2 times", per cent and per mille as signs.

    Areas, volumes and degrees of Celsius are written in one way (``250 square metres`` as 250 m2).
    """
    text = _NO_ZERO.sub("0.", fold_width(unit_forms.one_form(text)))
    text = _HALF_OF.sub(r"0.5 \g<unit>s", _AND_A_HALF.sub(r"1.5 \g<unit>s", text))
    text = _A_WHOLE.sub(r"\g<for> one \g<unit>", text)
    text = _TIMES.sub(lambda match: f"{_OFTEN[match[0].lower()]} times", text)
    text = _PER_MILLE_OF.sub(r"\1‰", _PER_MILLE.sub("‰", text))
    return _PER_CENT.sub("%", text)


def _spoken(text: str) -> Iterator[float]:
    """Shares that a word says: half of it is 50 %."""
    for match in _SHARE.finditer(text):
        share = _SHARES[next(key for key, found in match.groupdict().items() if found)]
        yield share
        yield round(share * 100, 2)


def _is_label(statement: str, quote: str) -> bool:
    """Whether a statement is a word and a number, and the word none of the quote's: it counts nothing there."""
    match = _LABEL.fullmatch(statement.strip())
    return match is not None and match[1].casefold() not in quote.casefold()


def _verdict(statement: str, quote: str) -> Refused:
    """``contradicted`` where all else is the same, so that the quote has another number in its place."""
    mine = {comparable(w) for w in keywords(statement) if not any(c.isdigit() or c in _NUMERALS for c in w)}
    theirs = {comparable(w) for w in keywords(quote)}
    has_number = next(_values(fold_width(quote)), None) is not None
    return "contradicted" if mine and has_number and len(mine & theirs) >= _ALIKE * len(mine) else "unsupported"


def _values(text: str) -> Iterator[tuple[int, int, float]]:
    """The numbers of folded ``text`` that say how many; vague ones by both bounds."""
    named = [match.span() for match in _NAME.finditer(text)]
    for number in numbers(text):
        if any(a <= number.start and number.end <= b for a, b in named):
            continue
        written, after = text[number.start : number.end], text[number.end :]
        if number.style == "words" and number.low == 1:
            continue
        if number.style == "han" and not _says_a_number(text, number.start, written, after):
            continue
        short = _SHORT_YEAR.search(text, 0, number.end)
        if short is not None and short.start(2) == number.start:
            yield number.start, number.end, float(short[1][:2] + short[2])
            continue
        sign = -1.0 if _MINUS.search(text, 0, number.start) else 1.0
        yield number.start, number.end, sign * number.low
        if number.high != number.low:
            yield number.start, number.end, number.high


def _says_a_number(text: str, start: int, written: str, after: str) -> bool:
    """三天 and 二十 are numbers; those of 一般, 百分之, 千万 are not, and 一个 seldom is."""
    if written == "百" and after.startswith("分"):
        return False
    if (written in _FIGURES and not _COUNTED.match(after)) or (written == "十" and re.match("分(?!钟|鐘|之)", after)):
        return False
    if _PERCENT_OF.search(text, 0, start):
        return True
    if written in ("一", "半", "万", "千", "百"):
        return bool(_ORDINAL.search(text, 0, start))
    return len(written) > 1 or _COUNTED.match(after) is not None or bool(_unit_after(after, 0))


def _month_numbers(text: str) -> Iterator[float]:
    for match in _MONTH.finditer(text):
        yield float(month_number(match[0]))


def _other_name(said: str, known: str) -> str:
    """A name with a number in it, of which the quote has another number: GPT-4, GPT-3."""
    names: dict[str, set[str]] = {}
    for match in _NAME.finditer(known):
        names.setdefault(match[1].lower(), set()).add(match[2].lower().rstrip("."))
    for match in _NAME.finditer(said):
        others = names.get(match[1].lower())
        if others and match[2].lower().rstrip(".") not in others:
            return f"the statement says {match[0]}, the quote {match[1]}-{sorted(others)[0]}"
    return ""


def _unit_differs(quantity: Quantity, sources: tuple[Quantity, ...]) -> str:
    """What is wrong where the quote has the same number, and of another unit or as the other bound, alone."""
    same = [other for other in sources if _bounds(quantity) & _bounds(other)]
    if not same or any(_same(quantity, other) for other in sources):
        return ""
    other = same[0]
    if quantity.kind == "plain" or other.kind == "plain" or "count" in (quantity.kind, other.kind):
        return _other_bound(quantity, other)
    if (quantity.kind, quantity.unit) != (other.kind, other.unit):
        return f"the statement says {quantity.text}, the quote {other.text}"
    return _other_bound(quantity, other)


def _other_measure(measured: Sequence[Quantity], sources: Sequence[Quantity]) -> str:
    """What is wrong with half an hour and one hour, which say no number by themselves: the quote measures otherwise."""
    for quantity in measured:
        if quantity.kind not in _MEASURED or _OF_ONE.match(quantity.text) is None:
            continue
        others = [one for one in sources if one.kind == quantity.kind and _ratio(quantity, one) is not None]
        near = any(abs((_ratio(quantity, one) or 0) - 1) < _ROUNDED for one in others)
        if others and not near and not any(_same(quantity, other) for other in sources):
            return f"the statement says {quantity.text}, the quote {others[0].text}"
    return ""


def _ratio(one: Quantity, other: Quantity) -> float | None:
    """How many times the other the one is; None where their units do not compare."""
    if one.unit is None or other.unit is None or one.low is None or not other.low:
        return None
    base = _base(one.low, one.unit, other.unit)
    return None if base is None else float(base) / other.low


def _written_unit_differs(said: str, known: str) -> str:
    """Units that are no quantities by themselves ("5 g"): of equal numbers the words right after them."""
    after: dict[float, set[str]] = {}
    for _, end, number in _values(known):
        after.setdefault(number, set()).add(_unit_after(known, end))
    for start, end, number in _values(said):
        unit, others = _unit_after(said, end), after.get(number, set())
        if unit and others and "" not in others and all(_is_another(unit, other) for other in others):
            return f"the statement says {said[start:end].strip()} {unit}, the quote {said[start:end].strip()} {sorted(others)[0]}"
    return ""


def _other_share(said: str, known: str) -> str:
    """Of a hundred in the one, of a thousand in the other."""
    theirs = {(match[1], match[2]) for match in _SIGNED.finditer(known)}
    for number, sign in ((match[1], match[2]) for match in _SIGNED.finditer(said)):
        turned = "‰" if sign == "%" else "%"
        if (number, turned) in theirs and (number, sign) not in theirs:
            return f"the statement says {number}{sign}, the quote {number}{turned}"
    return ""


def _unit_after(text: str, end: int) -> str:
    """The unit that stands after a number; empty: none."""
    match = _UNIT.match(text, end)
    word = match[1] if match else ""
    if word and word[0] > "\u3000":
        return next((word[:size] for size in (4, 3, 2, 1) if _measures(word[:size])), "")
    return word if _measures(word) else ""


def _measures(word: str) -> bool:
    """Whether it is a unit of measure; what only counts things (5个, 5名, "5 users") is none."""
    known = UNITS.get(word.casefold())
    return (is_unit(word) or word.lower() in units()) and (known is None or known.kind != "count")


def _is_another(unit: str, other: str) -> bool:
    """Whether one of the one is not one of the other."""
    one, two = canonical(unit), canonical(other)
    if one[0] == two[0]:
        return one[1] != two[1]
    return convert(Fraction(1), one[0], two[0]) != 1


def _other_bound(quantity: Quantity, other: Quantity) -> str:
    if {quantity.op, other.op} & _AT_LEAST and {quantity.op, other.op} & _AT_MOST:
        return f"the statement says {quantity.text}, the quote {other.text}"
    return ""


def _bounds(quantity: Quantity) -> set[float]:
    return {bound for bound in (quantity.low, quantity.high) if bound is not None}


def _same(one: Quantity, other: Quantity) -> bool:
    """Whether both say the same amount, units converted, and not opposite bounds."""
    if _other_bound(one, other):
        return False
    if "plain" in (one.kind, other.kind) or one.unit is None or other.unit is None:
        return bool(_bounds(one) & _bounds(other)) and (one.kind == other.kind or "plain" in (one.kind, other.kind))
    return bool(
        {_base(bound, one.unit, other.unit) for bound in _bounds(one)} & {Fraction(str(b)) for b in _bounds(other)}
    )


def _base(bound: float, unit: str, target: str) -> Fraction | None:
    number = Fraction(str(bound))
    if canonical(unit)[0] == canonical(target)[0]:
        return number
    return convert(number, unit, target)
