"""The intent of a query that no cue speaks for: what it names, and what kind of words it is made of."""

from __future__ import annotations

import re
from collections.abc import Sequence

from qx.rules import tasks
from qx.rules.phrases import is_han
from qx.rules.reading import Reading
from qx.rules.terms import holds_exact
from qx.text.lexicons import load, load_set
from qx.types import Constraint, Entity

ACADEMIC = frozenset({"topic", "arxiv", "doi"})
MINE = re.compile(r"\b(?:my|our)\b|我的|我家|我这")
_ASKS = re.compile(r"(?:[a-z ]{4,40}, )?(?:what|which|where|who|whose|when)(?:.?s)?\b")
_ASKS_ZH = re.compile(r"(?<![没有])什么(?!都|也|的$)|哪(?:里|儿|些|个|种|家|位|年|天|类|座|项|一|几)|谁|什么地方")
"""What asks in Chinese, wherever it stands."""
_WANTS = re.compile(
    r"\b(?:help me|please|(?:i|we) (?:need|want|would like|have) to|i.d like to|can you|could you)\b|^帮我|^请"
)
_PAPERS = re.compile(
    r"\b(?:policy|handbook|(?:meeting|board|committee) minutes|minutes of|memo|agenda|roadmap|changelog|slides|spec sheet|meeting notes|"
    r"release notes|org chart|invoice|(?:reimbursement|claim|request|application|consent) form|expense report)\b|文档|纪要|手册|制度|周报|月报|会议记录|议程|合同扫描件|组织架构"
)
"""Papers of one's own house, which are looked up."""
_COUNTED = re.compile(
    r"(?:(?<![这前那近过好没十后头上下])|(?<=提前))几(?:天|晚|年|个月|个小时|小时|分钟|次|岁|斤|克|页|集|层|公里|站|人|度)(?![前后来内以])"
)
"""要玩几天: one number answers it."""
_OR_NOT = re.compile(r"([\u4e00-\u9fff])不\1[\u4e00-\u9fff]?[?？\s]*$")
"""晚不晚: asked by saying both."""
_ATTRIBUTE = re.compile(
    r"的?(?:比例|时间|日期|距离|数量|速度|直径|期限|年限|学费|工资|薪资|税率|房租|含量|剂量|用量|功效|作用|寿命|尺寸|密度|浓度|周期|频率|范围|标准|电话|地址|名单|人数|面积|长度|高度|重量|温度|费用|"
    r"价格|报名条件|录取线|配料|成分|出处|作者|读音|拼音)[?？\s]*$"
)
_ATTRIBUTE_EN = re.compile(
    r"\b(?:cost|costs|salary|hours|height|weight|distance|temperature|lifespan|address|ingredients|capacity|deadline|density|diameter|"
    r"(?:max|min|maximum|minimum|average|normal|total|standard|typical|recommended) [a-z]+|age limit|size limit|limits?|fees?|tuition|abbreviation|pronunciation|plural|origin|etymology|postcode|location|dress code)[?\s]*$|"
    r"^(?:the )?(?:number|amount|distance|length|size|date|name|duration|speed|weight|height|depth|percentage|share|cost) (?:of|between|from|to)\b|"
    r"^[a-z]+ (?:hours|fees?|address|prices) [a-z ]+$"
)
"""One attribute of one thing: a figure, a name or a date answers it."""
_TELLS = re.compile(r"\b(?:was|were|is|are|i|my|we|[a-z]{4,}ed)\b")
"""What tells something rather than names it."""
_PERSONAL = re.compile(r"\b(?:i|me|my|you|your|we)\b")
_YOUNG = re.compile(r"\bfor (?:kids|children|toddlers|beginners|dummies)\b|少儿|给孩子")
_FOR_ONE = re.compile(r"\bfor (?:a |the |my |small |big |large )*[a-z]+$")
_FOR_WHOM = re.compile(r"\bfor\b|适合|给|送")
_FOR_WHAT = re.compile(r"[a-z]+s? for (?:[a-z]+ ){0,2}[a-z]+$")
_TOGETHER = re.compile(r"^[a-z ]{3,} and [a-z ]{3,}$|^[\u4e00-\u9fff]{2,}[和与][\u4e00-\u9fff]{2,}$")
_JOINED = re.compile(r"\s*(?:和|与|跟|还是|或|、|/|\band\b|\bor\b)\s*")
_ALIKE = frozenset({"technology", "product", "brand"})
"""Kinds of things of which two, named together, are weighed against each other."""
_FITTING = re.compile(r"\b(?:for|with|that|which|under|without)\b")
_LEARNED = re.compile(
    r"\b[a-z]{3,}(?:tion|sion|ity|ism|ysis|graphy|ology|ometry|ence|ance|ics|ment|ture|tic|tal|ess|eval|dral)s?\b|"
    r"\b(?:effects?|impact|role|model|models|theory|history|climate|policy|markets?|growth|paths?|trade|rise|fall|war)\b"
)
"""Words of a subject that is studied."""
_GOODS_ZH = re.compile(
    r"(?:器|机|椅|桌|柜|床|灯|壳|包|鞋|衣|裤|裙|帽|袜|锅|杯|壶|刀|笔|仪|垫|架|箱|盒|袋|带|绳|贴|膜|膏|霜|乳|液|粉|酒|饼|粮|用品|品|套装|礼盒|枕|被|毯|帘|伞|扇|罩|铃|课外书|故事书|工具书|练习册|绘本|教辅)$"
)
"""How goods end that no list knows: 喂食器, 书桌椅."""
_THERE_ZH = re.compile(
    r"(?:民宿|酒店|宾馆|客栈|青旅|度假村|餐厅|饭店|火锅|烤肉|烧烤|咖啡馆|咖啡店|酒吧|茶馆|温泉|景点|公园|古镇|海滩|步行街|夜市|小吃|美食|书店|展览)$"
)
"""Where one stays, eats or goes: a choice, where the place is named."""
_ENJOYED_ZH = re.compile(
    r"^(?![我你他她])[\u4e00-\u9fff]{0,10}(?<![好难])[听看吃喝穿用玩戴读](?!到|过|了)的[\u4e00-\u9fff]{1,8}$"
)
_DESCRIBED_ZH = re.compile(r"的[\u4e00-\u9fff]{2,6}$|\s")


def without_cues(
    entities: Sequence[Entity], keywords: Sequence[str], reading: Reading, constraints: Sequence[Constraint]
) -> dict[str, float]:
    """Return what is likeliest: a question, something to have, something to do, else a subject.

    A phrase of several words about a subject is research, a bare name exploration.
    """
    types = frozenset(e.type for e in entities)
    return (
        _question(types, reading)
        or ({"comparison": 0.6} if _is_pair(entities, reading) else {})
        or ({"how-to": 0.6} if tasks.named(reading, entities) else {})
        or _goods(entities, types, keywords, reading, constraints)
        or _tool(entities, types, keywords, constraints)
        or _subject(types, keywords, reading)
        or {"exploration": 0.6}
    )


def _question(types: frozenset[str], reading: Reading) -> dict[str, float]:
    if _ASKS.match(reading.folded) or _ASKS_ZH.search(reading.folded):
        return {"factual": 0.6}
    if _PAPERS.search(reading.folded) and not types & {"product", "media"}:
        return {"factual": 0.6}
    if _WANTS.search(reading.folded):
        return {"how-to": 0.5}
    if (
        reading.text.rstrip().endswith(("?", "？"))
        or _COUNTED.search(reading.folded)
        or _OR_NOT.search(reading.folded)
        or _ATTRIBUTE.search(reading.folded)
        or (_ATTRIBUTE_EN.search(reading.folded) and _TELLS.search(reading.folded) is None)
    ):
        return {"factual": 0.6}
    return {}


def _is_pair(entities: Sequence[Entity], reading: Reading) -> bool:
    """Whether the text is two names of one kind and nothing else: Python和Java, "react or vue"."""
    if len(entities) != 2 or entities[0].type != entities[1].type or entities[0].type not in _ALIKE:
        return False
    first, second = entities
    text = reading.folded
    outside = text[: first.start] + text[second.end :]
    return not outside.strip(" ?？") and _JOINED.fullmatch(text[first.end : second.start]) is not None


def _goods(
    entities: Sequence[Entity],
    types: frozenset[str],
    keywords: Sequence[str],
    reading: Reading,
    constraints: Sequence[Constraint],
) -> dict[str, float]:
    if any(c.field == "price" and c.op == "prefer" for c in constraints):
        return {"recommendation": 0.7}  # who wants it cheap wants to have it
    if any(c.field in ("age", "audience") for c in constraints) and _FOR_WHOM.search(reading.folded):
        return {"recommendation": 0.7}  # "birthday present for a 9 year old"
    if "place" in types and _THERE_ZH.search(reading.folded):
        return {"recommendation": 0.7}  # 青岛海边民宿
    if "local-service" in types:
        return {"recommendation": 0.7}  # who names a trade looks for one who has it
    if "product" in types and MINE.search(reading.folded):
        return {"how-to": 0.5}  # "the rust on my car": not a thing to buy
    if any(e.canonical in load_set("programs") for e in entities) and len(keywords) >= 3:
        return {"how-to": 0.6}  # "word 页码从第三页开始": what is to be done with a program at hand
    if {"product", "food"} <= types:
        return {"how-to": 0.6}  # "slow cooker pulled pork"
    if "product" in types and len(keywords) >= 3:
        return {"recommendation": 0.6}  # "power bank 20000mah airline approved": who describes a thing looks for it
    if "product" in types and any(holds_exact(reading.folded, word) for word in load("goods_words")):
        return {"recommendation": 0.6}  # 入门级单反, "cordless drill": described as in a shop
    if reading.chinese and _ENJOYED_ZH.search(reading.folded):
        return {"recommendation": 0.6}  # 睡前听的纯音乐
    if reading.chinese and not types & ACADEMIC and _described(entities, reading):
        return {"recommendation": 0.6}
    return {}


def _described(entities: Sequence[Entity], reading: Reading) -> bool:
    """Whether goods of a kind that no list knows are described: 猫咪自动喂食器 断电也能用."""
    if _DESCRIBED_ZH.search(reading.folded.strip()) is None:
        return False
    heads = (part for part in reading.folded.split() if is_han(part[-1]))
    named = any(_GOODS_ZH.search(e.text) for e in entities if e.type == "thing")
    return named or any(_GOODS_ZH.search(part) and 2 < len(part) <= 10 for part in heads)


def _tool(
    entities: Sequence[Entity], types: frozenset[str], keywords: Sequence[str], constraints: Sequence[Constraint]
) -> dict[str, float]:
    if "technology" not in types:
        return {}
    if any(c.field == "published" and c.hard for c in constraints):
        return {"research": 0.7}  # what was published of it
    return {"how-to": 0.6} if len(keywords) >= 2 else {}


def _subject(types: frozenset[str], keywords: Sequence[str], reading: Reading) -> dict[str, float]:
    if types & ACADEMIC and _YOUNG.search(reading.folded):
        return {"exploration": 0.7}
    if types & ACADEMIC and len(keywords) >= 2:
        return {"research": 0.7}
    if _FOR_ONE.search(reading.folded) and not types & ACADEMIC and len(keywords) < 4:
        if reading.folded.split()[-1] in load_set("people_en") and not types & {"symptom", "illness", "medicine"}:
            return {"recommendation": 0.7}  # "noise machine for newborn"
        return {"exploration": 0.6, "recommendation": 0.5}  # "paint colors for small bedroom"
    if (
        _FOR_WHAT.search(reading.folded)
        and not types & ACADEMIC
        and reading.folded.split()[-1] in load_set("for_what_en")
    ):
        return {"recommendation": 0.6}  # "low maintenance plants for dark bathroom"
    if types & {"illness", "symptom"} and len(keywords) >= 3 and _TOGETHER.search(reading.folded):
        return {"research": 0.6}  # "gut microbiome and depression"
    studied = "person" not in types and not reading.chinese and not _PERSONAL.search(reading.folded)
    measured = bool(reading.quantities) or any(ch.isdigit() for ch in reading.folded)
    if studied and len(keywords) >= 4 and not measured and not types & {"brand", "place", "product", "service"}:
        if _FITTING.search(reading.folded) and not _LEARNED.search(reading.folded):
            return {"recommendation": 0.6}  # "earplugs for sleeping side sleeper": what is for something is to be had
        return {"research": 0.6}
    return {"how-to": 0.5} if "service" in types and len(keywords) >= 2 else {}


__all__ = ["ACADEMIC", "MINE", "without_cues"]
