"""What kind of thing a question wants to hear, and the signs of it in a statement: a price, a day, a place, a reason."""

from __future__ import annotations

import re
from typing import Final, Literal, get_args

from qx.text import numerals
from qx_chatlog.asking import figures
from qx_chatlog.index.answering import asks, names_time

Kind = Literal["price", "number", "date", "colour", "person", "place", "reason", "thing"]
EVERY: Final[tuple[Kind, ...]] = get_args(Kind)
STATED: Final = frozenset[Kind](["price", "number", "date", "colour"])
"""What a statement shows by itself; that somebody or some place is named in it means little."""
ALONE: Final = frozenset[Kind](["price", "date", "colour", "reason"])
"""What answers beside something; any number, name or place does not, unless somebody asked for it there."""
SHOWN: Final = STATED | {"reason"}
"""And a word of reason where a reason is asked for."""

_ASKED: Final[tuple[tuple[Kind, re.Pattern[str]], ...]] = (
    (
        "price",
        re.compile(
            r"多少(?:钱|块|元)|几(?:块钱?|元)|价格|价钱|什么价|房租|租金|报价|花了多少"
            r"|\bhow much\b(?!\s(?:time|longer|further))|\bwhat\b.{0,40}\b(?:cost|price|rent|fee)s?\b|\bhow expensive\b",
            re.IGNORECASE,
        ),
    ),
    (
        "date",
        re.compile(
            r"什么时候|何时|啥时候|哪天|哪一天|几[号点月日]|星期几|周几|日期"
            r"|^\s*when\b|\bwhen (?:did|do|does|is|was|were|are|will|has|have|had|would|should|can|could)\b"
            r"|\bwh(?:at|ich) (?:day|date|time|year|month)\b",
            re.IGNORECASE,
        ),
    ),
    (
        "number",
        re.compile(
            r"多少|多[远高大长重久]|几(?=[个本台位人次名岁条件份章集页公里斤楼层])|号码|\bhow (?:many|old|long|far|tall|big|often|high|heavy)\b|\bfrom what\b",
            re.IGNORECASE,
        ),
    ),
    ("colour", re.compile(r"什么颜色|啥颜色|哪种颜色|\bwh(?:at|ich) colou?r\b", re.IGNORECASE)),
    (
        "reason",
        re.compile(
            r"为什么|为啥|怎么回事|什么原因|原因是|怎么(?:会|坏|没|这么|那么|突然)|\bwhy\b|\bwhat(?: \w+){0,3} for\b|\bhow come\b|\bwhat(?:'s| is| was| went) wrong\b|\bwhat caused\b|\breason\b|\bcause of\b",
            re.IGNORECASE,
        ),
    ),
    (
        "person",
        re.compile(r"谁|哪位|什么人|姓什么|\bwho(?:m|se)?\b", re.IGNORECASE),
    ),
    (
        "place",
        re.compile(
            r"哪里|哪儿|在哪|去哪|住哪|什么地方|哪(?:个|家|座|条)(?:酒店|饭店|餐厅|机场|城市|车站|会议室|楼|店)"
            r"|\bwhere\b|\b(?:what|which) (?:airport|station|place|city|town|country|hotel|restaurant|venue|room|address)\b",
            re.IGNORECASE,
        ),
    ),
    ("thing", re.compile(r"什么|啥|\bwhat\b|\bwhich\b", re.IGNORECASE)),
)
_MEASURED: Final = re.compile(r"几(?P<unit>[个本台位次条份章集页斤楼层张只间])")
_MONEY: Final = re.compile(
    r"[£$€¥￥]\s?\d|(?<![\d,.])\d[\d,.]{0,15}\s?k?\s?(?:quid|pounds?|euros?|eur|dollars?|bucks|usd|gbp|rmb|块|元|万|千|百|percent|%)|(?<![\d.,])(?:\d{1,3},\d{3}|\d{2,6})(?![\d.,:]\d)"
    r"|(?!千万(?![元块]))[一二两三四五六七八九十百千万半]{1,6}(?:块|元|万|千|百)",
    re.IGNORECASE,
)
_COLOUR: Final = re.compile(
    r"[红紅蓝藍绿綠黄黃黑灰紫粉橙棕褐青金银銀]|白(?!天)|(?<=[一-鿿])(?<![角特景出脸臉气氣货貨起本成神各形润潤颜顏])色(?!彩)|卡其|#[0-9a-f]{6}\b"
    r"|\b(?:red|blue|green|yellow|black|white|gr[ea]y|purple|pink|orange|brown|gold(?:en)?|silver|beige|navy|turquoise"
    r"|teal|violet|cyan|maroon|cream|ivory|khaki|burgundy|charcoal|lilac|lavender|mint|magenta|crimson|scarlet|olive|peach|amber"
    r"|copper|bronze|salmon|coral|mustard|indigo|mauve|taupe|sand|rust|anthracite|aubergine|ochre|transparent|colou?rless)\b",
    re.IGNORECASE,
)
_REASON: Final = re.compile(
    r"因为|由于|原因|是.{1,14}(?:问题|毛病|造成|导致|引起)|导致|出在|没(?:做|有|关|开|电|油|切)|忘了|坏了|断了|漏|堵"
    r"|\b(?:because|due to|caused|reason|turn(?:s|ed) out|broken?|twist\w*|sprain\w*|injur\w*|fell|forgot\w*|ran out|ill|sick|flu|hurts?|pain|\w+ is (?:bad|broken|late)|too (?:late|long|big|small|expensive|cold|hot|heavy|far))\b",
    re.IGNORECASE,
)
_PERSON: Final = re.compile(
    r"我(?:来|去|做|写|弄|换|修|清|买|负责|处理)|我[^，。]{0,4}[了的]|[一-鿿]{1,3}(?:师傅|老师|经理|总|医生|先生|女士)|(?:老|小|阿)[一-鿿]|姓[一-鿿]|是我|叫[一-鿿A-Z]"
    r"|\b(?:I|me|mine|he|she|they)\b|\b(?:my|the|his|her|our|their) (?:\w+ ){0,2}(?:couple|friend|man|woman|guy|girl|boy|lady|mother|father|mum|mom|dad|sister|brother|cousin|aunt|uncle|boss|neighbou?rs?|doctor|team)\b"
    r"|(?<=[a-z,;:] )(?-i:[A-Z][a-z]+)\b(?<!day)"
)
_PLACE: Final = re.compile(
    r"(?:在|到|去|住|搬到|来)[一-鿿]{2,}|[东西南北城门楼路街区站店馆厅院校园市镇村山湖海]"
    r"|\b(?:at|in|from|near|to|on|off|behind|under|opposite) (?:the |my |our |his |her )?\w+|\b[A-Z][a-z]+(?: (?:Street|Road|Lane|Square|Park|Hall|Terminal))?\b.{0,3}\bterminal\b",
    re.IGNORECASE,
)


def asked(text: str) -> Kind | None:
    """Return what kind of thing ``text`` asks for; None: anything, or it does not say."""
    return next((kind for kind, pattern in _ASKED if pattern.search(text)), None)


_POSES: Final = re.compile(
    r"谁|什么|啥|怎么|多少|几[点号个位天次]|哪[里儿个家位天]?|吗|有没有|是不是|能不能|要不要|好不好|行不行|可不可以"
)
_POSES_NOTHING: Final = re.compile(
    r"(?:谁|什么|啥|哪里|哪儿|怎么|多少)[^，。,.]{0,6}(?:都|也)|没(?:有)?什么|不怎么|好几|几个人都"
)
_EVADES: Final = re.compile(
    r"\W*(?:(?:sorry|hmm+|oh|well|no|nope|抱歉|不好意思)\W+)?(?:not me|wasn['’]?t me|it wasn['’]?t me|no idea|no clue|dunno|nobody knows"
    r"|(?:i )?(?:really )?(?:do not|don['’]?t|can['’]?t) (?:know|remember|say|tell)|not sure|no|nope"
    r"|(?:也)?不是我|我?(?:也|真)?不(?:太)?(?:知道|清楚|记得|晓得|确定|是)|我?没(?:注意|印象|听说)|没有)"
    r"(?:\W+(?:either|sorry|yet|though))?[\W啊呀呢哦吧的]*",
    re.IGNORECASE,
)
"""What somebody says who does not know, or was not the one."""
_SHORT: Final = 40
_LONGEST: Final = 4000
"""Characters of a message that are looked at."""


def poses(text: str) -> bool:
    """Whether a message asks: with a question mark, or with a short sentence of a word of asking, as 谁把我的酸奶喝了."""
    if asks(text):
        return True
    return len(text) <= _SHORT and _POSES.search(text) is not None and _POSES_NOTHING.search(text) is None


def evades(text: str) -> bool:
    """Whether a message leaves a question open and says no more: "no idea", 不是我."""
    return len(text) <= _SHORT and _EVADES.fullmatch(text) is not None


def agree(kind: Kind, other: Kind | None) -> bool:
    """Whether what answers a question for ``other`` may answer one for ``kind``: a price is a number."""
    return kind == other or {kind, other} == {"price", "number"}


def measured(question: str) -> bool:
    """Whether ``question`` says what it counts: 几个, 几本."""
    return _MEASURED.search(question) is not None


def tells(kind: Kind, text: str, question: str = "") -> bool:
    """Whether ``text`` states a thing of this kind: signs of it, and no more; a question states nothing.

    Args:
        question: What is asked; 几个 wants so many 个, and no other number.
    """
    if asks(text):
        return False
    text = text[:_LONGEST]
    match kind:
        case "thing":
            return True
        case "price":
            return _MONEY.search(numerals.fold_width(text)) is not None and figures.is_figure(text)
        case "number":
            measured = _MEASURED.search(question)
            if measured is not None:
                return re.search(rf"(?:[0-9]|[一二两三四五六七八九十百千万半])\s?{measured['unit']}", text) is not None
            return figures.is_figure(text)
        case "date":
            return names_time(text)
        case "colour":
            return _COLOUR.search(text) is not None
        case "person":
            return _PERSON.search(text) is not None
        case "place":
            return _PLACE.search(text) is not None
        case "reason":
            return _REASON.search(text) is not None
