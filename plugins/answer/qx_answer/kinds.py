"""What only one kind of thing answers: money, a number to call, an address, an age; and that something is not so."""

from __future__ import annotations

import re
from functools import cache

from qx.text.normalise import characters_read

_ASKS_MONEY = re.compile(
    r"\bhow\s+much\s+(?:is|are|was|were|will|would)\s+(?:a|an|the|it|one|entry|admission|membership)\b(?!\s+\w+\s+(?:of|in|left)\b)"
    r"|\bhow\s+much\b.{0,200}\b(?:cost|costs|pay|paid|charge[ds]?|owe|price|fee|rent)\b|\bwhat\s+(?:does|do|did)\s+.{0,200}\bcosts?\b"
    r"|\bwhat\s+do\s+i\s+(?:have|need)\s+to\s+pay\b|多少钱|几块钱|几元|多少元|什么价|交多少|付多少|赔多少|花多少",
    re.IGNORECASE,
)
_MONEY = re.compile(
    r"[€$£¥]|\b(?:eur|usd|gbp|chf|cny|rmb|euros?|dollars?|pounds?|cents?|pence|francs?|yuan|\d+p"
    r"|crowns?|kron(?:a|e|er|or|ur)|rub?les?|rupees?|rupiahs?|pesos?|liras?|yen|zlot(?:y|ys|ych)|forints?|shillings?|dinars?|dirhams?|ri(?:y)?als?|florins?|guilders?|coins?)\b"
    r"|\b(?:costs?|charged?|fee|fare|toll|price|rent|admission|subscription|ticket)\b(?:\s+(?:is|are|was|were|of|at|only|just|about|around|up|to|from|you|us|him|her|them|me|each|now|for\s+(?:the\s+)?[a-z]+|[a-z]+ing)){0,5}\s+\d"
    r"|(?<!-)\bfree\b(?!\s+(?:to|from|choice|of(?!\s+charge)))|\b(?:no\s+charge|gratis|nothing|included|refund(?:s|ed|able)?)\b"
    r"|元|块钱|毛钱|角钱|[0-9一二三四五六七八九十百千万两]块(?![地田])|[0-9一二三四五六七八九两]角(?![落度形])|免费|不收|不收费|不要钱|全免|[折成]优惠|半价|[0-9一二三四五六七八九]折|退费|退款|[0-9一二三四五六七八九十百千万两]\s?(?:克朗|卢布|卢比|比索|里拉|法郎|英镑|镑|先令|第纳尔|泰铢|铢|韩币|港币|金币|银币|枚)",
    re.IGNORECASE,
)
_ASKS_CALL = re.compile(
    r"\b(?:phone|telephone|mobile|cell|fax)\s+numbers?\b|\bwhat\s+is\b.{0,200}['’]s\s+(?:phone|telephone|mobile|extension)\s*\?*$"
    r"|\bextension\s+(?:of|for)\b|\bextension\s+number\b|(?:电话|手机号?|分机号?|传真)(?:号码?)?(?:是|为)?(?:多少|什么|几|[?？]|$)",
    re.IGNORECASE,
)
_CALL = re.compile(r"\d{3,}|\d(?:[ -]?\d){4,}")
_ASKS_MAIL = re.compile(r"\be-?mail(?:\s+address)?\b(?=\s*(?:of|for|\?|$))|\bwhat\b.{0,200}\be-?mail\b|(?:邮箱|邮件地址|电子邮件)(?:地址)?(?:是|为)?(?:多少|什么|[?？]|$)", re.IGNORECASE)  # fmt: skip
_MAIL = re.compile(r"\S@\S")
_ASKS_AGE = re.compile(
    r"\bhow\s+old\b|\b(?:what|which)\s+age\b|几岁才?(?=能|可|的孩子|了|[?？]|$)|多大才?(?=能|可|的孩子)|(?:[他她你您谁人子儿女爷奶爸妈]|今年|现在)多大(?=了|[?？]|$)|多大了(?=[?？]|$)|多大年[纪龄]|什么年[纪龄]",
    re.IGNORECASE,
)
_AGE = re.compile(
    r"\baged?\b|(?:\d|\b(?:[a-z]+teen|[a-z]+ty|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|hundred|thousand))[\s-]+years?\b|\b(?:be|is|are|turned|turns|was|under|over|from)\s+(?:at\s+least\s+)?(?:\d{1,3}|[a-z]+teen|twenty|thirty|forty|fifty|sixty)\b"
    r"|\b(?:1[0-9]|20)\d\d\b|岁|[0-9〇一二三四五六七八九十百千]年|\bborn\b|\b(?:adults?|children|minors?|anyone|everyone)\b",
    re.IGNORECASE,
)
_ASKS_COLOUR = re.compile(r"\b(?:what|which)\s+colou?rs?\b|什么颜色|哪种颜色|啥颜色", re.IGNORECASE)
_COLOUR = re.compile(
    r"\b(?:red|blue|green|yellow|black|white|gr[ae]y|brown|orange|purple|violet|pink|silver|gold(?:en)?|beige|turquoise)\b"
    r"|红(?![包薯茶酒利])|蓝(?![牙图])|绿(?![化茶豆道])|黄(?![瓜油昏河豆])|黑(?![板客夜])|白(?![天领酒菜糖费])|灰(?!尘)|棕(?!榈)|橙(?![汁子])"
    r"|紫(?![外菜薯])|粉(?![丝末笔碎])|银(?![行河幕])|(?<![押租资奖基罚定订现佣税])金(?![额融属牌钱库])|青(?![年春少菜蛙])|褐",
    re.IGNORECASE,
)
_ASKS_FLOOR = re.compile(r"\b(?:which|what)\s+(?:floor|storey|level)\b|几[楼层]|哪一?[楼层]", re.IGNORECASE)
_FLOOR = re.compile(
    r"\b(?:ground|top|upper|lower|middle|same|next|\d{1,3}(?:st|nd|rd|th)|first|second|third|(?:four|fif|six|seven|eigh|nin|ten)th)\s+(?:floors?|storeys?|levels?)\b"
    r"|\b(?:floors?|storeys?|levels?)\s+(?:\d|one|two|three|four|five|six|seven|eight|nine|ten|[a-g]\b)|\b(?:basement|upstairs|downstairs|attic)\b"
    r"|(?:[0-9一二三四五六七八九十两几负底顶上下各每同首])[楼层]|地下(?!铁|水)",
    re.IGNORECASE,
)
"""Which one of a building: a building (大楼) and a coat (涂层) are none."""
_ASKS_BIRTH = re.compile(
    r"\bbirthdays?\b|\bdate\s+of\s+birth\b|\bwhen\s+(?:was|were)\b.{0,200}\bborn\b|生日|出生日期|哪[一]?[年天]出?生|何[时年]出?生",
    re.I,
)
_BIRTH = re.compile(
    r"\b(?:born|birth(?:day|days|date)?)\b|出生|生于|生日|诞生|诞辰|年生|[(（]\d{4}\s?[—–-]|[(（]\d{4}年?[生)）]", re.I
)
"""Days and years of a birth: a day on which somebody does something is none."""
_ASKS_PEOPLE = re.compile(r"几个?人(?![民工口])|多少个?人(?![民工口])|几[名位](?!数)")
_COUNTS_PEOPLE = re.compile(
    r"[0-9一二三四五六七八九十百千万两几双单]\s?[多余]?[个名位]?(?:成|大|小|老|客|女|男|病|工|游|旅)?人(?![民工])|[0-9一二三四五六七八九十百千万两]\s?[多余]?(?:[名位]|居民|观众|游客|学生|员工|乘客|会员)|人数"
)
_KINDS = (
    (_ASKS_PEOPLE, _COUNTS_PEOPLE),
    (_ASKS_BIRTH, _BIRTH),
    (_ASKS_COLOUR, _COLOUR),
    (_ASKS_FLOOR, _FLOOR),
    (_ASKS_MONEY, _MONEY),
    (_ASKS_CALL, _CALL),
    (_ASKS_MAIL, _MAIL),
    (_ASKS_AGE, _AGE),
)

_DENIES = re.compile(
    r"\b(?:may|must|can|could|shall|should|is|are|was|were|do|does|did|will)(?:\s+not\b|n['’]t\b)|\bcannot\b|\bno\s+(?:longer|one|more)\b"
    r"|\bnever\b|\b(?:forbidden|prohibited|banned|closed|abolished|cancelled|discontinued)\b|\bnot\s+(?:allowed|permitted|possible)\b|\bonly\s+one\b"
    r"|禁止|严禁|不得|不能|不可|不许|不准|不再|不允许|不予|不提供|取消|停止|谢绝|只能|没有",
    re.IGNORECASE,
)


_AMOUNT = re.compile(
    r"[€$£¥]\s?\d|\d\s?(?:[€$£¥]|p\b|eur\b|usd\b|gbp\b|chf\b|euros?\b|dollars?\b|pounds?\b|cents?\b|pence\b)"
    r"|[0-9一二三四五六七八九十百千万两]\s?(?:元|块钱|角(?![落度形])|美元|欧元|英镑)|\bfree\s+of\s+charge\b|免费",
    re.IGNORECASE,
)


def tells_price(text: str) -> bool:
    """Whether a folded text says what something costs, be it without the word."""
    return _AMOUNT.search(text) is not None


FREE = frozenset(("free", "gratis", "免费", "收费", "要钱", "收钱", "花钱"))
"""What a price denies, or affirms."""
REFUNDS = frozenset(("back", "refund", "refunded", "refundable", "reimbursed", "退", "退还", "退回", "退款", "返还"))
"""Verbs that money which comes back says in other words."""
_REFUND = re.compile(
    r"\b(?:refund(?:s|ed|able)?|(?:given|paid|get(?:s)?|got|handed)\s+(?:it\s+)?back|returned|reimbursed)\b|退(?![休伍])|返还|归还",
    re.IGNORECASE,
)


def tells_refund(text: str) -> bool:
    """Whether a folded text says that something is given back, or is not."""
    return _REFUND.search(text) is not None


CALLS = frozenset(("call", "ring", "phone", "dial", "拨打", "打电话", "致电"))
"""Verbs that a number to call says without them."""


def tells_number(text: str) -> bool:
    """Whether a folded text has a number that one can call."""
    return _DIALLED.search(text) is not None


def tells_phone(text: str) -> bool:
    """Whether a folded text has what can only be a number to call: six digits and more, which a year has not."""
    return _PHONE.search(text) is not None


_PHONE = re.compile(r"(?<![\d.,])\+?\d(?:[ -]?\d){5,14}(?![\d.]|\s?(?:eur|[€$£元年]))")
_DIALLED = re.compile(r"(?<![\d.,])\d(?:[ -]?\d){3,14}(?![\d.]|\s?(?:eur|[€$£元年]))")
_SIZE = re.compile(
    r"\d\s?(?:m|cm|mm|km|ft|m2|m²)\b|\d\s?(?:square|sq\.?|cubic)\s|\d\s?(?:metres?|meters?|feet|foot|inch(?:es)?|centimet(?:re|er)s?|hectares?|acres?)\b"
    r"|\d\s?(?:平方|米|厘米|公里|公顷|亩)",
    re.IGNORECASE,
)
SIZES = frozenset(("big", "large", "tall", "wide", "size", "high", "height", "deep", "depth", "thick", "width"))
"""Words that a measure says without them."""


def tells_size(text: str) -> bool:
    """Whether a folded text has a measure of length or area."""
    return _SIZE.search(text) is not None


def asked(question: str) -> tuple[re.Pattern[str], ...]:
    """Return what a sentence must have that answers ``question``: money, a number to call, an address to write to, an age."""
    question = characters_read(question)
    pieces = (_pieces(found["of"]) for found in _ASKS_PIECES.finditer(question))
    return (*(has for asks, has in _KINDS if asks.search(question)), *pieces)


_MEASURE_WORDS = (
    "本册部",
    "张",
    "件项",
    "辆台部",
    "间套",
    "台部",
    "杯",
    "瓶",
    "份",
    "页",
    "首",
    "艘",
    "双",
    "棵",
    "盒",
    "箱",
    "桌",
    "篇",
    "幅",
    "封",
)
_ASKS_PIECES = re.compile(rf"(?:几|多少)(?P<of>[{''.join(sorted({word[0] for word in _MEASURE_WORDS}))}册])")


@cache
def _pieces(of: str) -> re.Pattern[str]:
    """How many books is told by 十本, 十册, 十个; in text of no Han by any number of things."""
    same = "".join(sorted({character for listed in _MEASURE_WORDS if of in listed for character in listed}))
    return re.compile(
        rf"[0-9一二三四五六七八九十百千万两几半]\s?[多余]?[{same}个]|^[^\u4e00-\u9fff]*\d[^\u4e00-\u9fff]*$|^[^\u4e00-\u9fff]*"
        rf"\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|no|none)\b[^\u4e00-\u9fff]*$",
        re.IGNORECASE,
    )


def missing(question: str, sentence: str) -> bool:
    """Whether a question asks for one of these, and the sentence has none."""
    return any(pattern.search(characters_read(sentence)) is None for pattern in asked(question))


def denies(sentence: str) -> bool:
    """Whether a sentence says that something is not so, or not allowed: who asks when, how many or how much learns it."""
    return _DENIES.search(characters_read(sentence)) is not None
