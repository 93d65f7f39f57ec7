"""Telephone numbers in a text, by how they are written: with a country's code, or as people write them at home.

Forms, and no register of numbers: whose country is meant stands nowhere in a chat, and the register of one country takes
its dates and its order numbers for telephones (03.04.2026 is a valid German number).  So a number counts

- with ``+`` or ``00`` and a country's code;
- in a form of China or North America, or with its area code in brackets;
- with the 0 that is dialled before it at home, in groups (``0176 5550 1234``, ``(020) 7946 0018``, ``06.12.34.56.78``), or
  as a mobile number in one piece;
- in any other form right after a word for a telephone ("call", "Tel.", 电话).

What stands after a word for other numbers (order, 订单, invoice, version) or before a unit (EUR, 元), and what holds a date,
is none; but what has a form that hardly anything else has is one wherever it stands ("in that case, 415-555-0134").
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from qx.serial import value

_ENDS: Final = r"(?![A-Za-z0-9_]|[.,:/-]\d)"


@value
class _Form:
    """How numbers are written.

    Attributes:
        digits: The least and the most of them.
        sure: They are telephones whatever word stands before them.
    """

    pattern: re.Pattern[str]
    digits: tuple[int, int] = (7, 16)
    sure: bool = False


_BEGINS: Final = r"(?<![A-Za-z0-9_.,+-])"
_AT_HOME: Final = r"(?<![A-Za-z0-9_.,:/=#+-])"
_FORMS: Final = (
    _Form(pattern=re.compile(r"(?<![A-Za-z0-9_.,])\+[1-9]\d{0,2}(?:[ .-]?\(?\d{1,4}\)?){2,6}(?![A-Za-z0-9_]|[.,-]\d)"), sure=True),
    _Form(pattern=re.compile(r"(?<![A-Za-z0-9_.,])00[1-9]\d{0,2}(?:[ .-]?\(?\d{1,4}\)?){2,6}(?![A-Za-z0-9_]|[.,-]\d)")),
    _Form(pattern=re.compile(rf"{_BEGINS}(?:(?:\+|00)86[ -]?)?1[3-9]\d(?:[ -]?\d{{4}}){{2}}(?![A-Za-z0-9_]|[.,-]\d)"), sure=True),
    _Form(pattern=re.compile(rf"{_BEGINS}(?:1[ .-])?(?:\(\d{{3}}\) ?|\d{{3}}[-.])\d{{3}}[-.]\d{{4}}(?![A-Za-z0-9_]|[.,-]\d)"), sure=True),
    _Form(pattern=re.compile(rf"{_BEGINS}(?:0\d{{2,3}}-\d{{7,8}}|（0\d{{2,3}}） ?\d{{7,8}}|400-?\d{{3}}-\d{{4}})(?![A-Za-z0-9_]|[.,-]\d)"), sure=True),
    _Form(
        pattern=re.compile(rf"{_AT_HOME}\(0[1-9]\d{{0,4}}\) ?\d{{2,8}}(?:[ -]\d{{1,8}}){{0,5}}{_ENDS}"),
        digits=(9, 12),
        sure=True,
    ),
    _Form(
        pattern=re.compile(rf"{_AT_HOME}0[1-9]\d{{0,4}}[ /-]\d{{2,8}}(?:[ -]\d{{1,8}}){{0,5}}{_ENDS}"),
        digits=(9, 12),
    ),
    _Form(pattern=re.compile(rf"{_AT_HOME}0[1-9](?:\.\d\d){{4}}{_ENDS}"), digits=(10, 10)),
    _Form(pattern=re.compile(rf"{_AT_HOME}0(?:1[567]\d{{8,9}}|7\d{{9}}|[467]\d{{8}}){_ENDS}"), digits=(10, 12)),
)  # fmt: skip
_SAID: Final = re.compile(
    r"(?:\b(?:tel(?:e(?:phone|fon(?:nummer)?))?|phone|mobile?|cell|call|ring|sms|whatsapp|handy(?:nummer)?|fax|tlf|t[eé]l[eé]phone|m[oó]vil|llám\w*"
    r"|anruf\w*|ruf\w*|appel\w*|(?:my|his|her|their|new|meine|seine|ihre|neue|mon|son) (?:number|nummer|num[eé]ro|portable))\b"
    r"|电话|電話|手机|手機|座机|座機|致电|打给|拨打|热线|客服|[我你他她新]的?(?:号码|號碼))"
    r"(?P<between>[^0-9+(]{0,16})(?P<number>\(?\d{1,5}\)?(?:[ -]?\d{1,8}){1,5})" + _ENDS,
    re.IGNORECASE,
)
"""A word for a telephone, and the number right after it."""
_NUMBER: Final = r"(?:\b(?:no|nr|num|number|nummer|num[eé]ro|id|is|is:)\b|号码|號碼|[号號是为])"
_OTHERS: Final = re.compile(
    r"(?:\b(?:orders?|no[.:]|nr|invoices?|tickets?|ref(?:erence)?|sku|isbn|issn|ean|upc|asin|id|user|account|acct|version|ver|v|iban|plz|zip|serial|part|item|case|flight"
    r"|room|parcel|tracking|shipment|commit|build|rev|page|pin|code|score|chapter|wbs|model|ip|batch|lot"
    r"|(?:rechnung|bestell|auftrag|kunden|sendung|artikel|vorgang|order)\w*|commande|facture|pedido|factura)"
    r"|订单|訂單|单号|單號|运单|快递|编号|編號|货号|批号|工号|学号|账号|賬號|发票|版本|型号|房号|航班|车次|验证码|邮编|序列号|流水号)"
    rf"(?:[^0-9A-Za-z一-鿿]{{0,4}}{_NUMBER})*[^0-9A-Za-z一-鿿]{{0,4}}$",
    re.IGNORECASE,
)
"""What stands before numbers of other things."""
_OWN: Final = re.compile(rf"^\W{{0,3}}{_NUMBER}", re.IGNORECASE)
"""The "-Nr." of "Tel.-Nr."."""
_UNIT: Final = re.compile(
    r"\s?(?:[€$£%块米吨亿克斤]|元(?!旦)|万(?!一|不|能)|个(?!人|体)|台(?!湾|州|北)|(?:eur(?:os?)?|usd|gbp|cny|rmb|dollars?|pounds?|k?[gm]|[mgk]b|px|ms|pcs|bytes?)\b)",
    re.IGNORECASE,
)
_DATE: Final = re.compile(
    r"(?<!\d)(?:(?:0?[1-9]|[12]\d|3[01])[ ./-](?:0?[1-9]|[12]\d|3[01])[ ./-](?:19|20)\d\d"
    r"|(?:19|20)\d\d([ ./-]?)(?:0[1-9]|1[0-2])\1(?:0[1-9]|[12]\d|3[01]))(?!\d)"
)
_ENOUGH: Final = re.compile(r"\d(?:[ ()./-]{0,3}\d){6}")
"""What has fewer digits side by side needs no further look."""
_BEFORE: Final = 40
"""Characters before a number that are looked at."""
_PAIRS: Final = 5
"""Of a French number; more numbers of two digits side by side are a list."""


def telephones(text: str) -> Iterator[tuple[int, int]]:
    """Yield where telephone numbers stand in ``text``: code points, end exclusive; they may overlap."""
    if _ENOUGH.search(text) is None:
        return
    for form in _FORMS:
        for match in form.pattern.finditer(text):
            end = _end(match[0], form.digits)
            if end and (form.sure or _is_one(text, match.start(), match.start() + end, match.start())):
                yield match.start(), match.start() + end
    for match in _SAID.finditer(text):
        start, end = match.start("number"), _end(match["number"], (7, 13))
        if (
            end
            and not _OTHERS.search(_OWN.sub("", match["between"]))
            and _is_one(text, start, start + end, match.start())
        ):
            yield start, start + end


def _end(number: str, digits: tuple[int, int]) -> int:
    """Where a number ends that has ``digits`` (least, most), in whole groups: another number may stand behind it; 0: nowhere."""
    least, most = digits
    count = end = 0
    for group in re.finditer(r"\d+", number):
        if count + len(group[0]) > most:
            break
        count, end = count + len(group[0]), group.end()
    if count < least:
        return 0
    return end + (number[end : end + 1] == ")")


def _is_one(text: str, start: int, end: int, word: int) -> bool:
    """Whether what has the form of a telephone number is none of another kind.

    Args:
        word: Where the word begins that says so, or the number.
    """
    groups = re.findall(r"\d+", text[start:end])
    if len(groups) > _PAIRS and all(len(group) == 2 for group in groups):
        return False
    if _DATE.search(text[start:end]) or _UNIT.match(text, end):
        return False
    return _OTHERS.search(text[max(0, word - _BEFORE) : word]) is None
