"""Which words of a query are talk (请问, "I'm looking for") and which function words its sense needs where they stand."""

from __future__ import annotations

import re

from qx.rules.terms import has_han
from qx.text.segment import Word

TALK = re.compile(
    r"^(?:(?:please|hi|hello|hey|so|well|good (?:morning|afternoon|evening)|thanks(?: in advance)?|thank you(?: in advance)?"
    r"|quick question)\b[\s,:!]*)*"
    r"(?:(?:can|could|would) (?:you|someone|anyone)(?: please)?(?: (?:tell|show|help|recommend|explain)(?: (?:me|us))?)?\b"
    r"|(?:i am|i'm|im|we are|we're) (?:looking for|trying to|searching for|interested in)\b"
    r"|(?:i am|i['’]m|im|we are|we['’]re) (?:(?:so|very|really|super|just|quite|pretty) )*(?:excited|thrilled|happy|glad|worried|scared|nervous|"
    r"anxious|curious|concerned) (?:to|about|that|for|because)\b(?! (?:you|how|what|why|whether)\b)"
    r"|(?:i|we)(?:'d| would)? (?:want|need|like|wish)(?: to)?(?: (?:know|buy|find|get))?\b"
    r"|(?:need|want|looking for|searching for)(?= (?:a|an|some|new|another|to)\b)(?: to(?: (?:buy|find|get))?)?"
    r"|(?:does anyone know|(?:recommend|suggest)(?: (?:me|us))?\b(?: (?:a|some)(?: good)?)?|do you know|tell me(?: about)?|help me(?: to)?|how (?:do|can|should|would|does|to)(?: (?:i|you|we|one))?"
    r"|what(?:'s| is| are| was| were)(?: the)?(?: best way to)?|who (?:is|was|are)|where (?:is|are|can i(?: (?:find|buy|get))?)"
    r"|(?:is|was|does|will|would|can|could) it\b|are (?:there|they)\b|when (?:is|was|does|will|did)|why (?:is|are|does|do|did|was|were|has|have|had|will|can|could)(?![\w'’])|why(?=\s[a-z]{2,7}n['’]t\b)|which(?: is| are| one)?|is there|are there)\b)\s*"
    r"(?:(?:a|an|the|some|my|any|buy|get)\s+)*",
    re.IGNORECASE,
)
ASKED_LAST = re.compile(
    r"(?<=\w)[\s,.;:!?-]+(?:(?:so\s+)?what (?:can|should|do|would) (?:i|we|you) do(?: about (?:it|this|that)| now| next| then)?|"
    r"any (?:ideas?|advice|suggestions?|help|tips|thoughts)(?: (?:please|appreciated|welcome))?|(?:please )?help(?: me| needed)?(?: please)?|"
    r"how (?:do|can|should) (?:i|we) (?:fix|solve|stop|get rid of) (?:it|this|that)|is (?:this|it|that) (?:normal|ok|okay|safe|serious|bad)|what(?:'s| is) wrong|thanks?(?: in advance)?|thank you)"
    r"[\s!?.]*$",
    re.IGNORECASE,
)
"""The question that an account of a fault ends with: "landlord won't return my deposit what can I do"."""
LOOSE = re.compile(r"\s+([,;])")
HOW = re.compile(r"how (?:do|does|did) (?!(?:i|you|we|one|people)\b)", re.IGNORECASE)
LEADING = re.compile(
    r"^(?:(?:(?:my|our) (?:wife|husband|mother|mum|mom|father|dad|parents|son|daughter|kid|brother|sister|boss|friend|neighbou?r"
    r"|girlfriend|boyfriend|partner|grandmother|grandfather)['’]s?|a|an|the|my|our|some|any|i|we|is|are|was|were|do|does|(?:this|these|those)(?!\s+(?:week|month|year|season|morning|"
    r"evening|weekend|summer|winter|spring|autumn|fall|days?)\b))\s+)+",
    re.IGNORECASE,
)
DENIED = re.compile(r"(?P<word>[a-z]{2,7}n['’]t)\s+(?:(?:my|our|the|this|that|his|her|their|your)\s+)?", re.IGNORECASE)
"""How a question by "why" begins whose verb is denied."""
TALK_ZH = re.compile(
    r"(?:^(?:能不能|能否|可不可以|可以)?(?:给我|帮我)?推荐(?!算法|系统|模型|引擎|机制|位|信|函|码|语|人|官|理由|度)(?:几款|几个|一款|一些|几本|下)?|帮我找(?:一款|一个|一台|一家|一些|几款|几个|个|家|下)?|(?:需要|要|得|大概)?花多少钱|(?:[买选用]|应该[买选])?(?:什么|哪个|哪些|哪种|哪家|啥)(?:牌子|品牌)的?(?:比较|更|最)?(?:好用?(?=$|[\s?？,，。])|靠谱|值得买)?|请问|请教一下|请教|求助|大家好|你好|谁知道|有没有人知道|想问一下|想问下|想问|问一下|我想知道|想知道|帮我|麻烦|"
    r"我想要|我想|我要|想要买|想买|我们|我的|我家里?的?|一下|先学哪个|选哪个|选哪款|买哪个|有没有|有什么|有哪些|什么样的|哪些|哪个好|哪个更好|哪个|哪款|哪种|"
    r"怎么样|怎么办|怎么回事|怎么弄|怎么做|怎样才能|怎样|怎么|如何|为什么|为啥|是什么|什么是|什么意思|要准备什么|"
    r"多少钱(?:一[\u4e00-\u9fff](?=$|[?？\s]))?|是不是|能不能|会不会|要不要|可不可以|好不好|该怎么|应该|求推荐|推荐一下|呢|吗|吧|啊|呀)"
)
ASKED_END = re.compile(r"(?:什么|哪|怎么|啥)[^,，。]{0,12}?(?P<end>(?:比较|更|最|才)?[好出算选弄搞])[?？。!！\s]*$")
"""The end of a question: 好 of 吃什么药好, 出 of 什么时候出."""
_NEGATIVE = frozenset({"not", "no", "without", "cannot", "never", "不", "没", "无"}) | frozenset(
    [
        "不会",
        "不能",
        "不可",
        "不可以",
        "不让",
        "不给",
        "不肯",
        "不敢",
        "不想",
        "不愿",
        "没有",
        "没法",
        "无法",
        "从不",
        "不再",
        "不够",
        "不用",
        "不要",
        "不必",
        "不需要",
        "未",
        "别",
    ]
)
_AFTER_FIGURE = frozenset("点點号號日月年楼层")
_ONLY = re.compile(r"\s+(?:only|just|merely|simply)\b", re.IGNORECASE)
_AFTER_NOT = frozenset({"in", "between", "null"})
_KEEP_SINGLE = frozenset("差慢快热冷痛疼痒咳坏卡吵贵重轻薄厚大小高低红白黑蓝绿黄灰好")
COMPLEMENTS = frozenset("上了到开出动掉住起通完下见着")
"""What follows a verb and 不 to say that it cannot be done: 连接不上, 下载不了."""
_MUCH = ("想", "怕")
"""What 好 says much of, where it is no judgement."""
_NUMERALS = frozenset("一二三四五六七八九十")
_LETTERED = re.compile(r"[A-Z]$")
_WHAT = frozenset({"什么", "啥", "什麼"})
_WHERE = frozenset({"哪里", "哪儿", "哪裡"})
_STAYING = frozenset("住停放买買")
_ASKING = frozenset("吃用送买買看学學玩穿喝选選养養种種带帶涂喂做")
_JOINTS = frozenset("和与跟、/")


def counts(word: Word, text: str) -> bool:
    """Whether ``word`` of ``text`` is content, or a function word that the sense needs where it stands."""
    if word.text == "好" and text[word.end : word.end + 1] in _MUCH and not text[: word.start].strip("我真，, "):
        return False  # 好想去看极光
    if not word.content:
        if word.text in _WHERE and text[max(0, word.start - 1) : word.start] in _STAYING:
            return True
        if word.text in _ASKING and text.startswith(tuple(_WHAT), word.end):
            return True
        if word.text in _WHAT and text[max(0, word.start - 1) : word.start] in _ASKING:
            return True  # 吃什么药 is what people type
        if word.text in _NUMERALS and word.start and text[word.start - 1] in _NUMERALS:
            return True  # 三一重工
        if word.text in _TITLE and _titled(word, text):
            return True
        if word.text in _NUMERALS and text[word.end : word.end + 1] in _JOINTS and word.start:
            return True  # 数学一和数学二
        if word.text in _LIGHT_VERBS and _object(word, text):
            return True  # 有货, 到账
        if _LETTERED.match(word.text) and _glued(word, text):
            return True
        if word.text in _AFTER_FIGURE and word.start and text[word.start - 1].isdigit():
            return True  # 6点前的高铁
        own = word.text.casefold()
        if own == "not" and _ONLY.match(text, word.end):
            return False  # "not only books"
        if own in _AFTER_NOT and text[max(0, word.start - 4) : word.start].casefold() == "not ":
            return True  # "sql not in"
        return own in _NEGATIVE or own.endswith(("n't", "n’t")) or own in _KEEP_SINGLE
    return True


_TITLE = frozenset("之与與")
_PLACED = frozenset("间間内內外前后後下上中余餘一类類际際所时時")
"""What makes a place or a time of the words before 之: 两者之间."""


def _titled(word: Word, text: str) -> bool:
    """Whether 之 or 与 belongs to a name: 非洲之星, 冰与火之歌; 与 does between two single characters."""
    before, after = text[max(0, word.start - 2) : word.start], text[word.end : word.end + 2]
    if not (has_han(before[-1:]) and has_han(after[:1])):
        return False
    if word.text == "之":
        return after[0] not in _PLACED
    return not has_han(before[:-1]) and (after[1:] == "之" or not has_han(after[1:]))


_LIGHT_VERBS = frozenset("有到")
_OBJECTS = frozenset("货账帐岗岸位课房票证奖库港站店期龄效害毒机")


def _object(word: Word, text: str) -> bool:
    """Whether a light verb makes one word with the noun after it: 有货, 到账, which without it says something else."""
    return text[word.end : word.end + 1] in _OBJECTS and text[word.end : word.end + 1] != ""


def completes(word: Word, text: str) -> bool:
    """Whether ``word`` says of what it is that it does not come about: 上 in 连接不上."""
    return (
        word.text[:1] in COMPLEMENTS
        and text[max(0, word.start - 1) : word.start] in ("不", "没", "未")
        and word.start > 1
    )


def _glued(word: Word, text: str) -> bool:
    """Whether Chinese touches ``word``: the T of T恤, the C of 维生素C."""
    return has_han(text[max(0, word.start - 1) : word.start]) or has_han(text[word.end : word.end + 1])
