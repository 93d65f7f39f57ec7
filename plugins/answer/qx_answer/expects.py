"""What kind of thing answers a question, and whether a sentence has one."""

from __future__ import annotations

import re

from qx.text.months import MONTHS
from qx.text.normalise import characters_read
from qx_answer.values import Expects

_RULES: tuple[tuple[Expects, re.Pattern[str]], ...] = (
    (
        "time",
        re.compile(
            r"(?:^|[,;]|\b(?:and|or|so|but|since|until|till|from|by|know|tell me|say))\s*when\b|\bwhen\s+(?:is|are|was|were|do|does|did|will|would|can|could|may|must|should|has|have|had)\b|\b(?:what|which|in what) (?:year|date|day|month|time|century)\b|哪一?[年天月日]|什么时候|何时|何年|几[月号点]|日期|年份|时间是",
            re.I,
        ),
    ),
    (
        "number",
        re.compile(
            r"\bhow (?:many|much|long|far|old|tall|big|large|high|deep|often|fast|heavy|wide)\b|\bwhat (?:percentage|number|price|cost|size)\b|\bwhat (?:is|are|was) the (?:weight|price|size|length|height|speed|capacity) of\b|多少|几[个天次年种位名人台条本站家间张只块节门场辆桌趟层页辈双套]|多[大久长高远重快深宽]|百分之几|价格|人口|数量",
            re.I,
        ),
    ),
    ("reason", re.compile(r"\bwhy\b|\breasons?\b|\bcauses?\b|为什么|为何|为啥|原因|怎么会", re.I)),
    (
        "way",
        re.compile(
            r"\bhow (?:do|does|can|should|to|could|would|did|is|are)\b|\bways? to\b|\bsteps?\b|怎么|如何|怎样|咋|步骤|方法",
            re.I,
        ),
    ),
    ("person", re.compile(r"\b(?:who|whom|whose)\b|谁|哪位|何人|什么人", re.I)),
    (
        "place",
        re.compile(
            r"\bwhere\b|\b(?:which|what) (?:city|town|country|place|province|state|village|street|building|university|college|school)\b|哪[里儿]|何处|什么地方|哪个?[座所]?(?:城市|国家|省|地方|大学|学校|县|镇)|哪一?所|哪一?座|在哪|出生地|首都|总部",
            re.I,
        ),
    ),
)
_PEOPLE = re.compile(
    r"(?:author|writer|novelist|poet|composer|singer|director|producer|editor|translator|founder|inventor|designer|architect|creator|"
    r"developer|discoverer|owner|ceo|president|chairman|chief executive|leader|captain|coach|manager|mayor|governor|king|queen|"
    r"emperor|minister|head|principal|husband|wife|spouse|father|mother|son|daughter|brother|sister|teacher|student|successor|"
    r"predecessor|scientist|engineer|artist|actor|actress|doctor|player|winner|conductor|treasurer|secretary|chair|chairwoman|chairperson|librarian|caretaker|"
    r"instructor|trainer|organi[sz]er|guide|curator|warden|landlord|landlady|gardener|cook|referee|cashier|auditor|supervisor|receptionist)$"
    r"|(?:者|家|人|手|员|指挥|秘书|司库|领队|班主任|导演|编剧|编辑|师|老板|总裁|长|执行官|总经理|教练|国王|女王|皇帝|总理|丈夫|妻子|配偶|父亲|母亲|儿子|女儿|哥哥|弟弟|"
    r"姐姐|妹妹|学生|前任|医生|球员|得主|演员)$",
    re.I,
)  # fmt: skip
_NUMERAL = r"[0-9０-９〇一二三四五六七八九十百千万亿两]"
_HAS: dict[Expects, re.Pattern[str]] = {
    "time": re.compile(
        r"\d\s?[ap]\.?m\b|\b(?:noon|midnight)\b|[一二三四五六七八九十两]点(?![一些个位])|正午|午夜|\b\d{4}\b|\d{1,2}\s*[月日号点:：]|[〇一二三四五六七八九十]{2,4}年|\d\s*年|世纪|\b(?:"
        rf"{'|'.join(month for month in MONTHS if month != 'may')}|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekends?|century|"
        r"yesterday|today|daily|weekly|monthly)\b|每[天周月年]|[0-9一二三四五六七八九十百]\s{0,3}个?(?:天|日|周|星期|月|小时|分钟|工作日)[之以]?[内前后]|\bwithin\b|\b(?:half|quarter)\s+(?:past|to)\s+(?:\d|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)|礼拜[一二三四五六日天]|\b(?:at|by|until|till)\s+(?:\d|noon|midnight|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)|\b\d{1,9}\s(?:days?|weeks?|months?|hours?|minutes?)\b|星期|周[一二三四五六日末]|去年|今年|明年|[0-9一二三四五六七八九十两半]\s{0,3}个?(?:年半?|季度|学期)|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|\d{1,9})\s(?:years?|terms?)\b",
        re.I,
    ),
    "number": re.compile(rf"{_NUMERAL}|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|dozen|hundred|thousand|million|billion|half|percent|twice|once|none|no)\b|半", re.I),
    "reason": re.compile(r"\b(?:because|since|due to|owing to|as a result|caused?|so that|therefore|reason|leads? to|thanks to|in order to|so as to|(?:to|must) (?:avoid|protect|prevent|save|keep|make|give|let|reduce)|for (?:[a-z]+ )?(?!(?:(?:every|some|any|no)?thing|morning|evening|spring|building|ceiling|beijing)\b)[a-z]+ing|otherwise)\b|以免|以防|以便|避免|防止|出于|鉴于|否则|为保|因为|(?<![原起成病诱基死])因(?![此而子素果缘特])|由于|原因|所以|因此|导致|以便|为了|造成|引起", re.I),
    "way": re.compile(r"\b(?:by|use|using|press|click|select|open|hold|run|set|add|first|then|must|should|can|go to|enter|turn|choose|with|step)\b|先|再|然后|点击|选择|打开|按|使用|(?<![作费信佣雇专])用(?![户途品法具])|煮|泡|拧|倒入|加[入水]|通过|输入|设置|可以|应|需|须|凭|持|步", re.I),
}  # fmt: skip


_WHETHER = re.compile(
    r"^\s*(?:so\s+|and\s+)?(?:is|are|was|were|do|does|did|can|could|may|must|should|will|would|has|have|am)(?:n['’]t)?\s|吗[?？。\s]*$|是否|能否|可否|是不是|能不能|可不可以|有没有|要不要",
    re.IGNORECASE,
)
_COUNTED = re.compile(
    r"\bhow\s+many\s+(?P<en>[a-z]+)\b|(?:多少|几)[个個台名位张間间条天次年]?(?P<zh>[\u4e00-\u9fff]{2})(?![\u4e00-\u9fff]*[元块])",
    re.IGNORECASE,
)


def is_whether(question: str) -> bool:
    """Whether yes or no answers it."""
    return _WHETHER.search(characters_read(question)) is not None


_COMPARES = re.compile(
    r"\b(?:which|who|what)\b.{0,200}\b(?:[a-z]{3,30}er|more|less|better|worse)\b.{0,200}\bor\b|哪一?[个個款种台家条].{0,3}更|谁更|相比",
    re.IGNORECASE,
)


def takes_for_granted(question: str) -> bool:
    """Whether a question has a premise that can be false: one that asks whether, or which of two, has next to none."""
    return not is_whether(question) and _COMPARES.search(characters_read(question)) is None


_AMOUNT = re.compile(r"\bhow\s+(?:many|much)\b|多少|几[个個台名位张间条天次年]", re.IGNORECASE)


def asks_amount(question: str) -> bool:
    """Whether nothing without a number answers it."""
    return _AMOUNT.search(characters_read(question)) is not None


_WHERE = re.compile(r"\bwhere\b|哪里|哪儿|何处|什么地方|在哪(?!一?个?(?:[年月天日]|季节|世纪|学期)|几)", re.IGNORECASE)
_PLACED = re.compile(
    r"\b(?:in|at|on|near|beside|behind|under|below|above|opposite|from|to|by|next|outside|inside|between|along|around)\b(?!\s+\d{1,2}(?::|\s?[ap]\.?m\b|\s+o['’]clock))"
    rf"(?!\s+(?:the\s+|early\s+|late\s+)?(?:{'|'.join(MONTHS)}|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|spring|summer|autumn|winter|weekends?|mornings?|afternoons?|evenings?|night|noon|\d{{4}}|time|advance|cash|case)\b)"
    r"|\b(?:floor|room|building|here|there)\b"
    r"|[在于](?![0-9一二三四五六七八九十两每]{1,4}[月日点年周天]|周|星期|[上下中]午|晚上|早上)|[位处楼层室厅旁边面区市县省国路街村镇岛港湾门台侧里内外东南西北近]|[上下中](?!午|个?[月周]|旬|星期)|来自|出生",
    re.IGNORECASE,
)


def asks_where(question: str) -> bool:
    """Whether nothing without a place answers it."""
    return _WHERE.search(characters_read(question)) is not None


def tells_where(sentence: str) -> bool:
    """Whether a sentence has a word that puts something in a place."""
    return _PLACED.search(characters_read(sentence)) is not None


def counted(question: str) -> str:
    """Return what a question asks the number of (``desks``); empty: nothing that is named."""
    match = _COUNTED.search(characters_read(question))
    said = (match["en"] or match["zh"]) if match else ""
    return "" if said.lower() in ("things", "items", "times", "东西", "物品", "件东") else said


_ASKED_WITHIN = re.compile(
    r"\b(?:know|tell|say|explain|find\s+out)\b|\b(?:a|any|the)\s+(?:way|step|reason)s?\b|知道|告诉|清楚|说明|什么|怎么|怎样|如何|多少|几[个天点次]|哪|谁|为何"
    r"|(?:方法|办法|步骤|原因)",
    re.IGNORECASE,
)
"""What asks for more than yes or no within a question that begins so: Do you know when …, 有什么办法…吗."""


_MEANING = re.compile(r"\bwhat\s+(?:does|do|did)\b.{0,200}\bmeans?\b|怎么回事|什么意思|怎么了[?？]?$", re.IGNORECASE)
"""Asks what something means, be there a "when" or a 怎么 in it."""


def expects(question: str) -> Expects:
    """Return what kind of thing answers ``question``: ``thing`` where nothing tells.

    Yes or no needs no time, number or reason: "when there is a fire" is a condition in "May I use the lift when there is …".
    """
    question = characters_read(question)
    if is_whether(question) and _ASKED_WITHIN.search(question) is None:
        return "thing"
    if _MEANING.search(question):
        return "thing"
    for kind, pattern in _RULES:
        if pattern.search(question):
            return kind
    return "person" if _PEOPLE.search(question.strip(" ?？。.")) else "thing"


def has(kind: Expects, sentence: str) -> bool:
    """Whether ``sentence`` has a thing of that kind; of people, places and things no pattern can tell, so it is True."""
    pattern = _HAS.get(kind)
    return pattern is None or pattern.search(characters_read(sentence)) is not None
