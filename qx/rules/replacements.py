"""Follow-ups that put another value in the place of one that was said: "under 50" after "under $100", 白色的 after 黑色手机.

One value of a kind is asked for at a time: the new one stands where the old one stood, never beside it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Protocol

from qx.text import negation, quantities
from qx.text.months import MONTHS
from qx.text.normalise import characters_read


class Wish(Protocol):
    """What a word may wish for: a canonical field, and whether it is only preferred."""

    @property
    def field(self) -> str: ...
    @property
    def soft(self) -> bool: ...


class WishHit(Protocol):
    """A word of a text that limits a thing, with its place and what it may wish for."""

    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def items(self) -> Sequence[Wish]: ...


Wished = Callable[[str], Sequence[WishHit]]
"""The words of a text that limit a thing: a colour, a feature, an audience."""

_DAY_EN = (
    r"(?:today|tonight|tomorrow|yesterday|the day after tomorrow|(?:this|next|last) (?:week(?:end)?|month|year|spring|summer|autumn|fall|winter)|"
    r"(?:on |this |next |last )?(?:mon|tues|wednes|thurs|fri|satur|sun)days?|"
    rf"(?:in |on )?(?:{'|'.join(m for m in MONTHS if m != 'may')}|(?<=in )may|may(?= \d))(?: \d{{1,2}})?(?:,? (?:19|20)\d\d)?|"
    r"(?:in (?:the )?)?(?:spring|summer|autumn|winter)(?! (?:tires|tyres|coat|jacket|dress))|"
    r"(?<![\w.,$-])(?:19|20)\d\d(?![\w.,-]))"
)
_DAY_ZH = (
    r"(?:大?[前后]天|今[天晚]|明[天晚]|昨[天晚]|(?:这|本|下下?|上)?(?:周|星期|礼拜)[一二三四五六日天末]|[这本下上]个?(?:周|星期|月)|[今明去前]年|"
    r"(?:19|20)\d\d年(?:\d{1,2}月(?:\d{1,2}[日号])?)?|(?:\d{1,2}|十[一二]?|[一二三四五六七八九])月(?:\d{1,2}[日号])?|五一|十一|国庆|春节|端午|中秋|元旦|清明|暑假|寒假|[春夏秋冬](?:天|季))"
)
_DAY = re.compile(rf"\b{_DAY_EN}(?!\w)|{_DAY_ZH}", re.IGNORECASE)
_SIZE = re.compile(
    r"\b(?:sizes?|us|uk|eu) ?(?:\d{1,3}(?:\.5)?|x{0,3}[sl]|m)\b|\d{2}(?:\.5)?\s?码|(?<![a-z])(?:x{0,3}[sl]|m)码",
    re.IGNORECASE,
)
_AMOUNT = (
    r"(?:(?:under|below|less than|up to|at most|over|above|more than|at least|around|about|within|between|from)\s+)"
    r"(?P<sign>[$€£¥￥])?\d[\d,]*(?:\.\d+)?k?(?:\s?(?:-|to|and)\s?[$€£¥￥]?\d[\d,]*(?:\.\d+)?k?)?(?P<unit>\s?(?:dollars|usd|euros?|eur|pounds|gbp|bucks))?"
)
_PRICE = re.compile(
    rf"(?<!\w){_AMOUNT}(?![\w%\"'])(?!\s?(?:kg|g|lb|inch|hours?|gb|tb|mah|km|miles?|years?|months?|days?|people|w\b|hz))",
    re.IGNORECASE,
)
_BARE = re.compile(r"(?P<number>\d{3,6})(?P<bound>以内|以下|以上|左右|上下)?的?")
_NEXT_MODEL = re.compile(r"(?:the )?(?P<model>\d{1,3}(?:\s?(?:pro|max|plus|ultra|mini|air|se)){0,2})", re.IGNORECASE)
_MODEL = re.compile(
    r"(?<![a-z])(?P<line>[A-Za-z]{2,}\s?|小米|荣耀|华为\s?[A-Za-z]+\s?)(?P<number>\d{1,3}(?:\s?(?:pro|max|plus|ultra|mini|air|se)\b){0,2})(?!\d)",
    re.IGNORECASE,
)
_NO_LINE = re.compile(
    r"(?:under|below|over|above|about|around|from|than|size|top|best|least|most|to|and|for|in|at|of|with|between|within|up)\s?$",
    re.I,
)
_IDLE = re.compile(r"的|款|那|^(?:in|on|from|for|of|the)\b|\b(?:ones?|please)\b|[\W_]", re.IGNORECASE)


def replaced(rest: str, base: str, wished: Wished, *, elliptic: bool) -> str | None:
    """Return ``base`` with the value of its kind that ``rest`` is instead, or None where ``rest`` is none.

    Args:
        rest: The follow-up without the words that lead to it.
        base: What it follows.
        wished: The words that limit a thing.
        elliptic: Whether the follow-up is an open "and the ...?", so that a mere number may name another model.
    """
    for pattern in (_DAY, _SIZE):
        if (made := _same_kind(rest, base, pattern)) is not None:
            return made
    price = _PRICE.fullmatch(rest)
    if price is not None and not price["sign"] and not price["unit"] and (made := _priced(rest, base)):
        return made
    if (bare := _BARE.fullmatch(rest)) and (made := _bare_amount(bare, base)):
        return made
    if elliptic and (model := _NEXT_MODEL.fullmatch(rest)):
        known = next((m for m in _MODEL.finditer(base) if not _NO_LINE.search(m["line"])), None)
        if known is not None:
            return f"{base[: known.start('number')]}{model['model']}{base[known.end('number') :]}"
    if (made := _language(rest, base)) is not None:
        return made
    if elliptic and (made := _owner(rest, base)) is not None:
        return made
    return _value(rest, base, wished)


_TONGUE_ZH = r"(?:简体|繁体|英|中|日|韩|法|德|俄|西班牙|葡萄牙|意大利|阿拉伯|泰|越南)(?:文|语)|双语|国语|普通话|粤语|汉语|简体|繁体|簡體|繁體"
_TONGUE_EN = (
    r"(?:(?:simplified |traditional )?chinese|mandarin|cantonese|english|japanese|korean|french|german|spanish|portuguese|italian|"
    r"russian|arabic|hindi|dutch|polish|turkish|vietnamese|thai)"
)
_LANGUAGE = re.compile(
    rf"(?:有)?(?P<zh>(?:{_TONGUE_ZH})(?:版(?:本)?|字幕|配音)?)的?|in (?P<en>{_TONGUE_EN})", re.IGNORECASE
)
_SAID_ZH = re.compile(rf"(?:{_TONGUE_ZH})(?:版(?:本)?|字幕|配音)?(?=的)")
_SAID_EN = re.compile(rf"\bin {_TONGUE_EN}(?![a-z])", re.IGNORECASE)
_ASKING = re.compile(
    r"^(?:请|帮我|给我)?(?:推荐(?:一下|几[本部款个])?|找(?:一下|几[本部款个])?|有没有|有什么|想看|想买|想要|我想看|我想买)"
)


def _language(rest: str, base: str) -> str | None:
    """The same in a language: 英文的 after 机器学习入门书, "in Chinese" after "resignation letter"; in the place of another."""
    match = _LANGUAGE.fullmatch(rest.strip())
    if match is None:
        return _in_another(rest.strip(), base)
    said = (_SAID_ZH if match["zh"] else _SAID_EN).search(base)
    if said is not None:
        return f"{base[: said.start()]}{match['zh'] or match[0]}{base[said.end() :]}"
    if match["en"]:
        return f"{base} {match[0]}"
    asking = _ASKING.match(base)
    lead, core = (asking[0], base[asking.end() :]) if asking else ("", base)
    return f"{lead}{match['zh']}的{core}"


_TONGUE = re.compile(_TONGUE_ZH)


def _in_another(rest: str, base: str) -> str | None:
    """英文履历 after 中文履历模板: the same thing in another language."""
    new, old = _TONGUE.match(rest), _TONGUE.search(base)
    if new is None or old is None or not rest[new.end() :] or not base[old.end() :].startswith(rest[new.end() :]):
        return None
    return f"{base[: old.start()]}{new[0]}{base[old.end() :]}"


_OWNER = re.compile(r"(?P<own>[\w·]{2,8}?)的")
_OWNED = re.compile(r"(?P<own>[\u4e00-\u9fffA-Za-z·]{2,8})的(?P<head>[^的]{1,24})")
_NAMING = ("n", "j", "nr", "ns")


def _owner(rest: str, base: str) -> str | None:
    """The same of another: 余华的 after 莫言的小说; of what is no name (二手的) nothing is told here."""
    asking = _ASKING.match(base)
    lead, said = (asking[0], base[asking.end() :]) if asking else ("", base)
    new, old = _OWNER.fullmatch(rest.strip()), _OWNED.fullmatch(said)
    if new is None or old is None or not (_names(new["own"]) and _names(old["own"])):
        return None
    return f"{lead}{new['own']}的{old['head']}"


def _names(words: str) -> bool:
    """Whether all of ``words`` are nouns: who somebody is, or what."""
    import rjieba  # a native library: loaded with the first Chinese text

    tags = [tag for _, tag in rjieba.tag(words, True)]
    return all(tag.startswith(_NAMING) or tag in ("eng", "r", "x") for tag in tags) and tags[0].startswith(_NAMING)


def _same_kind(rest: str, base: str, pattern: re.Pattern[str]) -> str | None:
    new = pattern.search(characters_read(rest))
    if new is None or _IDLE.sub("", rest[: new.start()] + " " + rest[new.end() :]).strip():
        return None
    old = pattern.search(characters_read(base))
    if old is None:
        return None
    lead = re.compile(r"\b(?:on|in|from|of) $", re.IGNORECASE)
    words = rest[new.start() : new.end()]
    if lead.search(base[: old.start()]):
        words = re.sub(r"^(?:on|in) ", "", words, flags=re.IGNORECASE)
    return f"{base[: old.start()]}{words}{base[old.end() :]}"


def _priced(rest: str, base: str) -> str | None:
    """A bare "under 50" in the place of the price of ``base``, in its currency."""
    old = _PRICE.search(base)
    if old is None:
        return None
    sign, unit = old["sign"] or "", old["unit"] or ""
    words = re.sub(r"\d[\d,]*(?:\.\d+)?", rf"{sign}\g<0>", rest) + unit
    return f"{base[: old.start()]}{words}{base[old.end() :]}"


def _bare_amount(bare: re.Match[str], base: str) -> str | None:
    """2000的 in the place of the amount of 预算3000的手机."""
    for known in quantities.find(base):
        number = re.search(r"\d[\d,]*", known.text)
        if known.kind == "money" and number is not None:
            words = known.text[: number.start()] + bare["number"] + known.text[number.end() :]
            if bare["bound"]:
                words = re.sub("以内|以下|以上|左右|上下|$", bare["bound"], words, count=1)
            return f"{base[: known.start]}{words}{base[known.end :]}"
    return None


def _value(rest: str, base: str, wished: Wished) -> str | None:
    """Another value of one field: 白色 in the place of 黑色."""
    new = [hit for hit in wished(rest) if not hit.items[0].soft]
    if len(new) != 1 or _IDLE.sub("", rest[: new[0].start] + " " + rest[new[0].end :]).strip():
        return None
    field, words = new[0].items[0].field, rest[new[0].start : new[0].end]
    away = [(n.start, n.end) for n in negation.find(base)]
    for old in wished(base):
        if old.items[0].soft or old.items[0].field != field or any(s <= old.start < e for s, e in away):
            continue
        if field != "feature":  # a thing has many features, but one colour
            return f"{base[: old.start]}{words}{base[old.end :]}"
    return None


__all__ = ["Wished", "replaced"]
