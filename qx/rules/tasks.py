"""The name of a task, with no word that asks how: "hang a mirror", "patch drywall hole", 换轮胎, 公积金提取."""

from __future__ import annotations

import re
from collections.abc import Sequence

from qx.rules.reading import Reading
from qx.text.lexicons import load, load_set
from qx.types import Entity

_WORD = re.compile(r"[a-z]+(?:['’-][a-z]+)*|\d+")
_GIVEN = frozenset(
    {"a", "an", "the", "my", "your", "our", "this", "up", "down", "out", "off", "it", "them", "two", "multiple", "all"}
)
"""What follows a verb and no noun that stands before another."""
_TO_WHERE = frozenset({"from", "into", "onto", "out", "off", "to"})
_NO_TASK = re.compile(
    r"\b(?:reviews?|near me|for sale|price|prices|cost|salary|jobs?|games?|lyrics|movie|song|definition|meaning|vs)\b"
)
_TOOL = re.compile(
    r" (?:in|on|with|using) (?:the |an? )?(?:oven|microwave|air ?fryer|instant pot|slow cooker|crock ?pot|stove|stovetop|grill|skillet|pan|washer|"
    r"washing machine|dryer|excel|word|photoshop|powerpoint|google (?:docs|sheets|drive|maps)|python|windows|mac|iphone|android|linux|gimp|canva)\b(?: \d+)?$"
)
"""What it is done with, at the end: "roast chestnuts in oven"."""
_FLAWLESS = re.compile(r"\b(?:that|which|without|no|not|anti|proof|resistant)\b")
_GOODS = frozenset({"brand", "media", "person"})

_OBJECT_ZH = re.compile(r"^[\u4e00-\u9fff]{1,8}$")
_PUT_ZH = re.compile(
    r"^[\u4e00-\u9fff]{2,8}(?:自己|在家|手动|网上|线上)(?:怎么)?(?:换|修|做|改|剪|拆|装|洗|办|弄|查|交|缴|补|取|领|登记|预约|申请|打印)|^[把将][\u4e00-\u9fff\w ]{2,16}?(?:到|成|为|进|出|掉|上|下|好|完|干净|回|开)"
)
_ASKED_ZH = re.compile(r"[吗呢么?？]|什么|怎|哪|谁|了$")
_MEANS_ZH = re.compile(r"(?:剂|液|服务|用品|软件|工具|教程|班|课|书|器|机|公司|方案|系统|技术|原理|盒|袋|架)$")
"""What a task is done with, after its name: goods and services."""
_TAUGHT_ZH = re.compile(
    r"^教(?!材|师|练|程|学|案|育|授|室|堂|父|堂|官|辅|具)[\u4e00-\u9fff]{1,6}(?:用|学|写|画|做|打|玩|认|开|说|读|算|骑|游)[\u4e00-\u9fffa-z]{1,10}$"
)
_WHERE_ZH = re.compile(r"^[在用](?:[\u4e00-\u9fff]{1,6}?[上里中下内]|家|烤箱|微波炉|电饭煲|空气炸锅|平底锅|手机|电脑)")
_FOR_ZH = re.compile(
    r"^(?:冬天|夏天|春天|秋天|冬季|夏季|晚上|早上|平时|第一次|自己|在家)?(?:给|帮|把|将|替)(?![\u4e00-\u9fff]{0,8}(?:买|送|推荐|选|挑|的$))[\u4e00-\u9fff]{2,16}$"
)
_SELF_ZH = re.compile(r"^(?:自己|在家|手工|自制|零基础|自学)(?:在家|动手)?[\u4e00-\u9fff]{2,12}$")
_MOVED_ZH = re.compile(
    r"(?:传|导|转|改|存|拷|移|调|换|翻译|合并|拆分?|压缩|发|设|投|搬|接)(?:换|送|移|为)?(?:到|成|为|进|出)(?!了)(?:[\u4e00-\u9fff\w]{1,10})?$"
)
_NO_TASK_ZH = re.compile(
    r"[吗呢么]|什么|怎|哪|谁|几|多[少久]|推荐|价格|是否|的$|了$|公司|店$|机$|器$|电话|费用|时间|条件|标准|政策|工具|软件"
)


def named(reading: Reading, entities: Sequence[Entity]) -> bool:
    """Whether the text is the name of something to be done."""
    folded = reading.folded.strip()
    if any(e.start == 0 and e.type in _GOODS for e in entities):
        return False
    return _named_zh(folded) if reading.chinese else _named_en(folded)


def surely(reading: Reading) -> bool:
    """Whether the text can be nothing else: "get wine out of a white shirt", 教老人用微信, whose limits choose nothing."""
    if reading.chinese:
        put = _PUT_ZH.search(reading.folded) is not None and _ASKED_ZH.search(reading.folded) is None
        return put or (_TAUGHT_ZH.search(reading.folded) is not None and _NO_TASK_ZH.search(reading.folded) is None)
    words = _WORD.findall(reading.folded)
    if len(words) < 3 or words[0] not in load_set("tasks_en") or _NO_TASK.search(reading.folded) is not None:
        return False
    without = "without" in words[2:] and words[0] not in load_set("tasks_or_nouns_en") - {"make"}
    return (words[1] in _GIVEN and words[0] != "get") or without or _moves(words)


def _moves(words: Sequence[str]) -> bool:
    """Whether something goes somewhere: "split a file into pages"; to where one gets is no task."""
    return not (_TO_WHERE - {"to"} if words[0] == "get" else _TO_WHERE).isdisjoint(words[2:])


def _named_en(folded: str) -> bool:
    words = _WORD.findall(folded)
    if words and words[0].startswith("re-"):
        words[0] = words[0].removeprefix("re-")  # "re-caulk a bathtub"
    if len(words) < 2 or words[0] not in load_set("tasks_en") or _NO_TASK.search(folded) is not None:
        return False
    if words[1] in _GIVEN and words[0] != "get":  # "get a taxi" is no task, "get gum out of hair" is
        return True
    if words[0] not in load_set("tasks_or_nouns_en"):
        return True
    flawed = words[-1] in load_set("flaws_en") and _FLAWLESS.search(folded) is None
    return flawed or _TOOL.search(folded) is not None or (len(words) > 3 and _moves(words))


def _named_zh(folded: str) -> bool:
    if _PUT_ZH.search(folded) is not None and _ASKED_ZH.search(folded) is None:
        return True
    if _NO_TASK_ZH.search(folded) is not None:
        return False
    if 4 <= len(folded) <= 12 and folded.startswith(load("tasks_words_zh")) and _MEANS_ZH.search(folded) is None:
        return True
    if _FOR_ZH.search(folded) or _SELF_ZH.search(folded) or _MOVED_ZH.search(folded):
        return True
    if any(service in folded for service in load("services_zh")) and len(folded) <= 16:
        return True
    folded = _WHERE_ZH.sub("", folded)  # 在阳台上种草莓
    return bool(_OBJECT_ZH.search(folded)) and folded[0] in load_set("tasks_zh") and _verb_first(folded)


def _verb_first(text: str) -> bool:
    """Whether the first word of a Chinese text is one character, a verb, and its object is all of the rest."""
    import rjieba  # a native library: loaded with the first Chinese text

    parts: list[tuple[str, str]] = rjieba.tag(text, True)
    if len(parts) < 2 or len(parts) > 3 or len(parts[0][0]) != 1:
        return False
    return all(tag[:1] in "nlrjz" for _, tag in parts[1:])


__all__ = ["named", "surely"]
