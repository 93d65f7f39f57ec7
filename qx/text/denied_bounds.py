"""Bounds that are ruled out: "no heavier than 2 kg", "nothing over $500", 不比6寸大, 不要5000以上的, 3000以下的不要.

What is ruled out is the other side of the bound, so that "nothing over $500" is at most 500.
"""

from __future__ import annotations

import re
from typing import Literal

Bound = Literal["le", "lt", "ge", "gt"]

_WINDOW = 60
_LINKS = (
    r"(?:any|anything|things?|items?|stuff|ones?|options?|products?|models?|results?|offers?|listings?|devices?|me|us|to|be|being|is|"
    r"are|have|has|having|had|that|which|that['’]s|costs?|costing|priced?|prices|spend(?:ing)?|afford(?:ing)?|willing|able|planning|looking|going|pay(?:ing)?|go(?:es|ing)?|weigh(?:s|ing)?|"
    r"tak(?:es?|ing)|last(?:s|ing)?|run(?:s|ning)?|us(?:es?|ing)|want(?:ed|s)?|wanna|need|to\ssee|show(?:ing)?|give|recommend|suggest|include|list|offer|much|really|even|"
    r"ever|significantly|way|at\sall|buy|published|released|made|from|dated|written|papers|articles)"
)
_DENIED = re.compile(
    r"(?:\b(?:(?:(?:do|does|did|can|will|must|should|may|would)\s)?not|no|never|nor|cannot|without|nothing|none|[a-z]{2,6}n['’]t"
    r"|(?:do|does|did|is|are|wo|ca|should|must|would)nt|exclud(?:e|es|ing)|avoid(?:ing)?|skip(?:ping)?|hid(?:e|ing)|remov(?:e|ing)"
    r"|drop(?:ping)?|ignor(?:e|ing)|(?:leav(?:e|ing)|filter(?:ing)?|rul(?:e|ing))\sout|except|reject)"
    rf"(?:\s{_LINKS}){{0,7}}"
    # "I don't want a laptop over $500"
    r"|(?:\b(?:do|does|would)\snot|n['’]t|\bdont)\s(?:want|need|like|consider|buy|(?:show|give|recommend|suggest)(?:\sme)?)(?:\sto\s(?:see|buy))?"
    r"\s(?:(?:an?|any|the)\s)?(?:[a-z]{3,15}\s)?[a-z]{2,15})\s?$",
    re.IGNORECASE,
)
_NONE_OF = re.compile(r"(?:^|[,;.]\s?)no\s[a-z]{3,15}s\s$", re.IGNORECASE)
"""Before "over": "no laptops over $500"; below a price there may be phones with "no ads under $300"."""
_OVER = re.compile(r"(?:over|above|beyond|(?:more|higher|bigger|larger|heavier|longer)\sthan)\b", re.IGNORECASE)
_FOUND = re.compile(
    r"\b(?:if|unless)\b[^,]{0,20}$|\b(?:there(?:['’]?s|\sis|\sare|\swas)|found|finds?|saw|sees?|why|only)\s$",
    re.IGNORECASE,
)
"""Before a "nothing" that complains: "there is nothing under $100" wishes for it."""
_DENIED_ZH = re.compile(
    r"(?:(?<![能要想可会是])不(?:想要?|要|能|可以?|愿意?|打算|准备|会|得|应该?|宜|许|该|允许|看|买|考虑|接受)?|(?<![特区分级个性])别|切?勿|未|没(?!有))"
    r"(?:再|给我|推荐|发布|发表|花|出|用|给|付|重|贵|是|去)?$"
)
"""Before a word of comparison: 不想花(超过), 不得(低于), 未(超过)."""
_REFUSED_ZH = re.compile(
    r"(?:(?<![要想需])(?:不想要|不想买|不想看|不需要|不要|不考虑|不看|不买|不选|不接受|不推荐|(?<!是)不是)|(?<![特区分级个性])别(?:要|买|选|看|给我|找|发|显示)?|拒绝|排除|剔除|除了|除去)"
    r"(?:再|给我|推荐|任何|那些|那种|价格|售价|发布于|发表于|是|在|要|\s)*$"
)
"""Before an amount whose bound stands behind it: 不要(5000以上的)."""
_REFUSED_AFTER = re.compile(
    r"(?:的(?:[\u4e00-\u9fff]{1,4}?)?)?(?:就|都|一律|一概|统统|通通|也)?(?:不要|不考虑|不买|不看|不选|不接受|排除|除外|免谈|算了|别推荐|别给我)(?:了|吧|啊)?(?=$|[\s,，。;；、!！?？])"
    r"|\s(?:is|are)?\s?(?:excluded|unwanted|not\s(?:wanted|ok(?:ay)?|acceptable|allowed|fine)|too\s(?:much|expensive|heavy|big|large))(?![\w-])",
    re.IGNORECASE,
)
_OTHER_THAN = re.compile(
    r"\b(?:over|above|under|below|beyond|[a-z]{3,9}\sthan)\s[^,;，；]{1,16}\sn?or\s$", re.IGNORECASE
)
"""Before the second of two that are denied: "not above 7 inches or below 5"."""
_INCLUSIVE: dict[str, Bound] = {"le": "ge", "lt": "ge", "ge": "le", "gt": "le"}
_OTHER_SIDE: dict[str, Bound] = {"le": "gt", "lt": "ge", "ge": "lt", "gt": "le"}


def denial(text: str, start: int) -> int | None:
    """Return where the words begin that deny the comparison at ``start`` of folded ``text``; None: there are none."""
    offset = max(0, start - _WINDOW)
    window = text[offset:start]
    if not window:
        return None
    if window[-3:].lower() == "or " and (one := _OTHER_THAN.search(window)):
        return None if denial(text, offset + one.start()) is None else start
    match = _DENIED_ZH.search(window) if not window[-1].isspace() else _DENIED.search(window)
    if match is None and _OVER.match(text, start):
        match = _NONE_OF.search(window)
    if match is None or _FOUND.search(window[: match.start()]):
        return None
    return offset + match.start()


def refusal(text: str, start: int) -> int | None:
    """Return where the words begin that refuse the amount at ``start``, whose bound stands behind it."""
    offset = max(0, start - _WINDOW)
    window = text[offset:start]
    match = _REFUSED_ZH.search(window) or (_DENIED.search(window) if window[-1:].isspace() else None)
    if match is None or _FOUND.search(window[: match.start()]):
        return None
    return offset + match.start()


def refused_after(text: str, end: int) -> int | None:
    """Return where the words end that refuse the bound that ends at ``end``: 5000以上的不要."""
    match = _REFUSED_AFTER.match(text, end)
    return match.end() if match else None


def inclusive(op: str) -> Bound:
    """The bound that a denied comparison leaves: not over 500 is at most 500."""
    return _INCLUSIVE[op]


def other_side(op: str) -> Bound:
    """The bound that a refused one leaves: what is not 500以上 is below 500."""
    return _OTHER_SIDE[op]
