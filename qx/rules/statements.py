"""A plain statement of what one has: "cursor jumps around", "shower pressure weak lately", 打印出来的字很淡.

Nobody types how things are into a search box unless they should be otherwise: what is told of a thing, and neither asked,
wished nor praised, is a trouble, whatever its words are.  Of makers, places, works and people that is news, and no trouble.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from qx.rules.reading import Reading
from qx.text.lexicons import load, load_set
from qx.types import Entity

_WORD = re.compile(r"[a-z]+(?:['’-][a-z]+)*|\d+")
_SUBJECT = 5
"""Words that a subject has at most."""
_MINE = frozenset({"my", "our"})
_OPENING = frozenset({"the", "this", "these", "his", "her", "their"})
_BEING = frozenset({"is", "are", "was", "were", "feels", "feel", "looks", "look", "sounds", "sound", "smells", "tastes", "gets", "got", "goes", "went", "stays", "seems"})  # fmt: skip
_HAVING = frozenset({"has", "have", "had"})
_BEYOND = frozenset({"too", "so", "really", "very", "always", "all", "super", "extremely", "kinda", "pretty", "just"})
_CIRCUMSTANCE = re.compile(
    r"\b(?:every time|all the time|all (?:day|night)|at night|by itself|on its own|out of nowhere|for no reason|(?:since|after|while|whenever|when|until) "
    r"(?!you\b|we\b)[a-z]+|for (?:\d+|two|three|a few|several|the last|the past) (?:days|weeks|hours|months)|only (?:when|in|on|at)|an hour)\b"
)
_NEWS = frozenset(
    {"brand", "place", "media", "person", "topic", "organization", "event", "arxiv", "doi", "quote", "title"}
)
_OWNED = frozenset({"product", "component", "device", "appliance", "animal", "technology", "service", "food", "part", "body", "fault", "symptom"})  # fmt: skip
_STUDIED = re.compile(
    r"\b(?:causes?|affects?|improves?|reduces?|increases?|prevents?|works?|influences?|evidence|theory|study|research|model|models|learning|lyrics|"
    r"meaning|song|movie|book|episode|season \d+|trailer|quotes?|recipes?|reviews?|for sale|near me|ideas?|"
    r"markets?|stocks?|prices|economy|countr(?:y|ies)|governments?|population|history|century)\b"
)


def told(reading: Reading, names: Sequence[Entity]) -> bool:
    """Whether the text states how something is that one has, and nothing else."""
    if reading.text.rstrip().endswith(("?", "？")):
        return False
    return _told_zh(reading.folded, names) if reading.chinese else _told_en(reading.folded, names)


_MYSELF = re.compile(
    r"^(?:(?:i|we|i.m|i am|i.ve|we.ve|i have) (?:(?:just|keep|kept|always|accidentally) )*|(?:keep|keeps|kept|just) )?(?:got|getting|being|been|(?<= )get) "
    r"(?!married|engaged|hired|promoted|invited|accepted|interested|used)(?:being |getting )?(?:[a-z]{3,}ed|stuck|hit|bitten|stung|hurt|cut off|stolen|locked)\b"
    r"|^(?:i|we) (?:just |accidentally )?(?:lost|broke|burned|burnt|dropped|spilled|cut|locked|deleted|forgot|sprained|twisted|bumped|missed|damaged|cracked|"
    r"scratched|ripped|stained|shrunk|swallowed|ate (?:too much|expired|old|bad|raw))\b"
)
"""What befell oneself: "got charged for", "i burned my tongue"."""


def _told_en(folded: str, names: Sequence[Entity]) -> bool:
    words = [(match[0], match.start()) for match in _WORD.finditer(folded)]
    if len(words) < 3:
        return False
    if _MYSELF.search(folded) is not None:
        return True
    mine = words[0][0] in _MINE
    if not mine and _STUDIED.search(folded) is not None:
        return False
    first = 1 if mine or words[0][0] in _OPENING else 0
    wheres = _CIRCUMSTANCE.search(folded) is not None or any(w in load_set("since_en") for w, _ in words[2:])
    for at in range(first, min(len(words), first + _SUBJECT + 1)):
        word, start = words[at]
        mine = mine or word in load_set("body_en")
        if at > first and word in _HAVING:
            return _lacks(words[at + 1 :]) and (mine or _own(names, start) is True)
        if at > first and _happens(words, at, mine=mine):
            plain = word not in load_set("plurals_en")
            return _troubles(words[at + 1 :], mine=mine, owned=_own(names, start), wheres=wheres, plain=plain)
        if at > first and _going_on(words, at, names, wheres=wheres):
            return True
        if at > first and word in _BEYOND and at + 1 < len(words) and words[at + 1][0] in load_set("undesired_en"):
            return (mine or _own(names, start) is not False) and (wheres or at + 2 >= len(words))
        if word in load_set("no_subject_en") and not (at > first and word in _BEING):
            return False
        if at > first and word in _BEING and word not in load_set("happening_en"):
            return _is_so(words[at + 1 :]) and (mine or wheres or _own(names, start) is True)
    return False


def _going_on(words: Sequence[tuple[str, int]], at: int, names: Sequence[Entity], *, wheres: bool) -> bool:
    """Whether a thing that one has is told to be doing something: "sweater pilling after one wash"."""
    word, start = words[at]
    if len(word) < 6 or not word.endswith("ing") or not any(e.end == start - 1 and e.type in _OWNED for e in names):
        return False
    after = [w for w, _ in words[at + 1 :]]
    if not after or any(w in load_set("desired_en") for w in after):
        return False
    return wheres or any(w in load_set("undesired_en") or w in load_set("flaws_en") for w in after)


def _happens(words: Sequence[tuple[str, int]], at: int, *, mine: bool) -> bool:
    """Whether the word ``at`` is a verb of what happens, and no noun."""
    word = words[at][0]
    after = words[at + 1][0] if at + 1 < len(words) else ""
    if word in load_set("happening_past_en"):
        return after != "" or at >= 2
    if word == "only" and after.removesuffix("s") in load_set("after_only_en"):
        return True
    if word not in load_set("happening_en"):
        return False
    if word not in load_set("plurals_en") or (mine and after not in _BEING and after != ""):
        return True
    if after.endswith("s") and not after.endswith("ss"):
        return True  # "excel opens files": no noun but the last is plural
    state = after in load_set("undesired_en") or after in load_set("since_en")
    return after in load_set("after_verbs_en") or state or (after.endswith("ly") and len(after) > 4)


def _troubles(after: Sequence[tuple[str, int]], *, mine: bool, owned: bool | None, wheres: bool, plain: bool) -> bool:
    """``plain``: the verb can be no noun, so that a state after it is one of the subject."""
    words = [word for word, _ in after]
    if any(word in load_set("desired_en") for word in words[:3]):
        return False
    if owned is False:
        return plain and bool(words) and words[0] in load_set("undesired_en")  # "maps voice went silent"
    state = any(word in load_set("undesired_en") or word in load_set("flaws_en") for word in words)
    return mine or owned is True or wheres or (plain and state)


def _is_so(after: Sequence[tuple[str, int]]) -> bool:
    """Whether what follows "is" is a state that nobody wants."""
    words = [word for word, _ in after[:3]]
    while words and words[0] in _BEYOND:
        if len(words) > 1 and words[1] in load_set("desired_en"):
            return False
        words = words[1:]
    return bool(words) and words[0] in load_set("undesired_en")


def _lacks(after: Sequence[tuple[str, int]]) -> bool:
    """Whether what follows "has" is nothing, or something that nobody wants."""
    words = [word for word, _ in after]
    unwanted = any(word in load_set("undesired_en") or word in load_set("flaws_en") for word in words)
    return words[:1] == ["no"] or (unwanted and not any(word in load_set("desired_en") for word in words[:3]))


def _own(names: Sequence[Entity], before: int) -> bool | None:
    """Whether the subject is something that one has; False: it is what one reads news of; None: it is not known."""
    types = {e.type for e in names if 0 <= e.start < before}
    if types & _OWNED:
        return True
    return False if types & _NEWS else None


_OTHERS_ZH = re.compile(r"[我你您他她咱爸妈父母爷奶]|老[师公婆]|哥哥|姐姐|弟弟|妹妹|[这那][家部本首集篇位座]")
"""Who tells of people or judges a place or a work."""
_ASKING_ZH = re.compile(r"[吗呢吧么]|什么|怎|咋|哪|谁|(?<!好)几(?!(?:天|次|个月|周|年)了)|多[少久大远长]|如何|为[什啥何]|推荐|求|想|要买|适合|可以|能不能|是否|还是|攻略|教程|的(?:原理|原因|区别|历史|影响)|[?？]")  # fmt: skip
_STATE_ZH = re.compile(
    r"(?P<how>变得|很|太|有点儿?|有些|特别|非常|越来越|偏|发|超级?|老是|总是)(?P<state>[\u4e00-\u9fff]{1,2}?)(?:了|啊|的)?[\s。!！]*$"
    r"|变(?P<changed>[软硬黑白黄红绿灰暗淡糊稀稠干湿酸苦臭慢卡弱瘪塌脆薄形色][\u4e00-\u9fff]{0,3}?)了?[\s。!！]*$"
)
_TURNED_ZH = re.compile(
    r"(?:全部?|都|突然|忽然|自己|自动|一下子|又|莫名其妙)(?P<state>[\u4e00-\u9fff]{1,3})了[\s。!！]*$"
    r"|(?:才|只能?|就剩|只剩)(?:[\u4e00-\u9fff]{0,3})(?:到|有|剩|能用|能撑|坚持|一只|一边|半)?\s?\d+"
    r"|(?:一会儿?|一下|没多久|不久|[几\d一两三]+(?:分钟|秒|天|个?小时|个?月))(?:就|便)(?:会|要)?(?:自动|自己|又)?(?P<end>[\u4e00-\u9fff]{1,4})了?[\s。!！]*$"
    r"|(?:时候?|着)[\u4e00-\u9fff]{0,6}(?:自动|突然|自己|总是?|老是?)(?P<self>[\u4e00-\u9fff]{1,6})[\s。!！]*$"
    r"|一[\u4e00-\u9fff]{1,8}就(?P<then>[\u4e00-\u9fff]{1,4})了?[\s。!！]*$"
    r"|(?:一直|老|总|反复|频繁|动不动就?|不停地?|时不时|整天|整夜|天天|每次都?)(?P<goes>[\u4e00-\u9fff]{1,6})[\s。!！]*$"
)
_FAILED_ZH = re.compile(
    r"(?:但是?|[\u4e00-\u9fff]{2})(?<![大少免受忘离舍])(?![大少免受忘离舍买])[\u4e00-\u9fff]不(?:了|上|到|动|进|出|着|掉|全|满|齐|清|通|亮|响)(?![起解])"
    r"[\u4e00-\u9fff\w]{0,4}[\s。!！]*$"
)
"""What cannot be done: 连得上但上不了网."""
_ELSE_FINE_ZH = re.compile(
    r"[做蒸烤煮炒炸拍洗印画染剪]出来[\u4e00-\u9fff]{0,3}(?:是|都|全|没|不|有|发)[\u4e00-\u9fff]{1,5}[\s。!！]*$|"
    r"[\u4e00-\u9fff]{3,}(?:正常|没问题|是好的|都好着|还好好的|没事)[\s。!！]*$|(?<!不)被[\u4e00-\u9fff]{1,5}了[\s。!！]*$"
)
"""How a thing came out, what is fine while something else is not, what was done to one: 蒸出来是死面, 画面卡声音正常."""
_FOR_LONG_ZH = re.compile(
    r"(?P<shown>显示|一直|还在|还是|停在|卡在)?[^，。]{0,12}?"
    r"(?:[\d一二两三四五六七八九十几半好多]+个?(?:分钟|小时|天|周|星期|礼拜|月|年)|好久|半天)了[\s。!！]*$"
)
"""What goes on for too long: 显示派送中三天了."""
_WISHED_ZH = re.compile(
    r"^(?:懂|瘦|上瘾|爱上|火|红|会|能|喜欢|爱|希望|努力|坚持|支持|陪|学|看|用|玩|吃|练)|^板|^师|^人|^部|^结|^裁|^统|^是[\u4e00-\u9fff]*的$"
)
"""What goes on of itself and is no trouble, or no adverb at all: 老板, 总部."""


def _told_zh(folded: str, names: Sequence[Entity]) -> bool:
    if len(folded) > 40 or _OTHERS_ZH.match(folded) is not None or _ASKING_ZH.search(folded) is not None:
        return False
    types = {e.type for e in names if e.start == 0}
    if types & (_NEWS - {"brand"}):
        return False
    match = _STATE_ZH.search(folded)
    if match is not None and match.start() > 0:
        state = match["state"] or match["changed"]
        return state not in load_set("desired_zh") and state[:1] not in "的多大" and not folded.endswith("的")
    match = _TURNED_ZH.search(folded)
    if match is not None and match.start() > 0:
        said = match["goes"] or match["self"] or match["end"] or match["then"] or ""
        return _WISHED_ZH.search(said) is None and not said.endswith("的")
    if _FAILED_ZH.search(folded) is not None:
        return True
    if _ELSE_FINE_ZH.search(folded) is not None:
        return True
    match = _FOR_LONG_ZH.search(folded)
    body = folded.startswith(load("body_zh"))
    if match is not None and (types & _OWNED or match["shown"] or body):
        return True
    return _flawed_zh(folded) or _befell_zh(folded)


_HAS_ZH = re.compile(
    r"(?:有[股点些层块条个道]?|出现|冒出?|长了?|起了?|全是|都是|好多|一股|不少|很多|结了?)(?P<flaw>[\u4e00-\u9fff]{1,6})[\s了。!！]*$"
)


def _flawed_zh(folded: str) -> bool:
    """Whether a thing is said to have what nobody wants: 衣柜里有股霉味."""
    match = _HAS_ZH.search(folded)
    if match is None or match.start() < 2 or folded[match.start() - 1] in "没会不防":
        return False
    flaw = match["flaw"]
    return any(flaw.endswith(known) for known in load_set("flaws_zh"))


_BY_TURNS_ZH = re.compile(
    r"[\u4e00-\u9fff]{2,}(?:忽[\u4e00-\u9fff]忽[\u4e00-\u9fff]|时[\u4e00-\u9fff]时[\u4e00-\u9fff]|一(?P<one>[闪抖卡跳顿亮])一(?P=one)的?|一会儿?[\u4e00-\u9fff]{1,3}一会儿?[\u4e00-\u9fff]{1,3})[\s。!！]*$"
)
"""What is now so, now otherwise: 水温忽冷忽热."""
_BEFELL_ZH = re.compile(r"了?(?:得?(?:厉害|很)|严重|不止|不停)?[\s。!！]*$")


def _befell_zh(folded: str) -> bool:
    """Whether the text ends with what befalls things: 冰箱后壁结冰."""
    if _BY_TURNS_ZH.search(folded) is not None:
        return True
    end = _BEFELL_ZH.search(folded)
    said = folded[: end.start()] if end is not None else folded
    for known in load("happening_zh"):
        if said.endswith(known) and len(said) > len(known) + 1:
            return said[-len(known) - 1] not in "防抗不免去止治减除没未无的会"
    return False


__all__ = ["told"]
