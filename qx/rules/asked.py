"""What a question is after that no single cue says: a meaning, a cause, a state that lasts, a thing without a fault."""

from __future__ import annotations

import re
from collections.abc import Collection

from qx.text.remembered import remembered

_MEANING = re.compile(
    r"^(?:what(?:.?s| is| are)\b(?! (?:wrong|causing|happening|going|this|that|my|up|the (?:problem|matter|issue|cause|reason|fix|"
    r"solution)))|what does .+ mean\b|define\b|(?:meaning|definition) of\b|explain\b)|什么意思|是什么(?!原因|情况|问题|毛病|鬼|故障|病)|什么是|"
    r"代表什么|的?含义|指的是"
)
"""What asks for the meaning of a fault, not for its end."""
_MENDING = re.compile(
    r"\b(?:fix\w*|solve\w*|solution|repair\w*|get rid|my|our|keeps?|getting|i get|i have|troubleshoot\w*|resolve\w*|stop)\b|"
    r"解决|修|怎么办|咋办|处理|消除|恢复|我的|我家|我这|老是|总是|一直|突然|排查|怎么回事"
)
_CAUSE = re.compile(
    r"原因(?:是什么|有哪些|有什么|是啥|在哪里?|分析)?[?？。\s]*$|^(?:the\s)?(?:causes?|reasons?)\s(?:of|for|behind)\s|\b(?:causes?|reasons?)[?\s]*$"
)
_OWNED = frozenset({"product", "component", "fault", "symptom", "illness", "device", "appliance", "technology"})
"""Types of what somebody has, which does what its owner does not want."""
_PUBLIC = re.compile(
    r"(?<!效)率|人数|比例|全国|人口|社会|青少年|年轻人|老龄|上升|下降|普遍|销量|市场|股价|涨价|降价|流行|热卖|受欢迎|历史|发展|倒闭|破产|停产|退市|召回|制裁|普及|消费者|用户流失|"
    r"\b(?:rates?|prevalence|among|population|epidemic|increasing|sales|market|stock|price|popular\w*|popularity|history|success|failure of|bankrupt\w*|recalls?|decline|rise|growth|ban)\b"
)
"""What happens to a make, not to a thing that one has."""
_LASTING = re.compile(r"(?:怎么|为什么|为何|为啥|咋|怎麼)[^,，。;；?？]{0,8}?(?:还是|还在)")
_CHOOSING = re.compile(r"还是.{0,12}(?:好|哪个|划算|合适|值得)[?？\s]*$|怎么(?:选|挑)")
_FAULTLESS = re.compile(
    r"\b(?:that|which|who)\s(?:"
    r"(?:is|are)(?:n['’]?t|\snot)\s(?!work|turn|charg|connect|start|load|respond|boot|open|print|cool|heat|show|display|play|recogni|"
    r"detect|sync|updat|in\b|on\b|even\b|able\b|there\b|available|mine\b|paired|found|responsive)(?:(?:too|so|very|that|as|overly|really)\s)?[a-z-]+"
    r"|(?:(?:(?:do|does|wo|would|will|ca)(?:n['’]?t|\snot)|cannot|never)\s)(?:squeak|smell|leak|shed|break|wobble|overheat|lag|slip|pill|"
    r"shrink|fade|rust|scratch|stick|tangle|drip|rattle|wrinkle|burn|stain|crack|crash|freeze|clog|jam|snag|sag|peel|chip|dent|dull|spill|"
    r"tip|fall|drop|hurt|itch|smudge|stutter|drain|shake|vibrate|hum|buzz|beep|fog|warp|tear|rip|pinch|irritate|stink|cost|weigh|need|require)\w*"
    r")|不会?(?:漏水|漏气|漏油|掉毛|掉色|褪色|缩水|起球|发烫|发热|卡顿|死机|闪退|生锈|变形|开裂|异响|吵|晃|打滑|粘锅|起雾|断连)的(?=\S)"
)
"""A fault that what is looked for is not to have: "headphones that aren't heavy", 不会漏水的水壶."""


def meaning(folded: str) -> bool:
    """Whether the meaning of something is asked for, and not its end: "what is error 404"."""
    return _MEANING.search(folded) is not None and _MENDING.search(folded) is None and _CAUSE.search(folded) is None


def cause(folded: str, types: Collection[str]) -> str | None:
    """The intent of who asks for causes: trouble where it is of a thing that one has, else research."""
    if _CAUSE.search(folded) is None:
        return None
    return "troubleshooting" if _OWNED.intersection(types) and _PUBLIC.search(folded) is None else "research"


def lasting(folded: str) -> bool:
    """Whether 还是 says that something lasts (怎么还是 pending) and not that one of two is chosen."""
    return _LASTING.search(folded) is not None and _CHOOSING.search(folded) is None


def goods(types: Collection[str]) -> bool:
    """Whether something to have is named."""
    return not {"product", "thing", "food"}.isdisjoint(types) and {"place", "person", "media"}.isdisjoint(types)


@remembered
def faultless(folded: str) -> tuple[tuple[int, int], ...]:
    """Where a fault is named that what is looked for is not to have."""
    return tuple([match.span() for match in _FAULTLESS.finditer(folded)])
