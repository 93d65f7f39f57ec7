"""What a thing does not do, or has not: 洗衣机不脱水, 空调没冷气, whatever the verb is.

Told of a thing and of nothing else it is a trouble: no list holds all verbs.  Of oneself (我不吃辣), as what is looked
for (不掉色的口红) or in a question of its own (没结婚能买房吗) it is none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from qx.rules.reading import Reading
from qx.types import Entity

_TOLD = re.compile(
    r"(?P<cue>没有?(?!关系|必要|区别|不同|问题|事|用过|买过|去过|兴趣|毒|害|钱|时间|经验|基础)"
    r"|(?<![好能会要是想有])不(?![要想用必同如错含限少等到了起住是会能可该应敢肯知推买建满止过仅但管只论得大太很怎是]|一[样定]))"
    r"(?P<verb>(?![的地得吗能可会有])[\u4e00-\u9fff]{1,4}?)"
    r"(?P<end>了?(?:是?(?:怎么(?:办|回事|修|解决)|咋办|咋回事|为什么|为啥|什么原因|啥原因|什么情况|原因))?[\s?？。!！]*(?:$|[,，]))"
)
_OPEN = re.compile("[吗么呢吧能可怎什哪谁多几会]|推荐|好用|的|问题|性$")
_ASKED = re.compile("(?<!为)(?<!因)什么|哪|啥|推荐|如何|怎样")
"""What is asked before: 用什么防晒不闷 wants one that is not."""
_METHOD = re.compile(r"(?:怎么|怎样|如何)(?!回事)")
"""How a question begins that asks for a method: 怎么解决类别不平衡."""
_BEING = frozenset("贵重吵热冷大小多少好坏甜辣咸苦酸油腻累忙远近难高低快慢胖瘦厚薄硬软长短美丑新旧红白黑")
"""What a thing is or is not: 手机不贵 tells no trouble."""
_OWNED = frozenset(
    {"product", "component", "device", "appliance", "animal", "technology", "service", "thing", "food", "part", "fault"}
)
_KNOWN = _OWNED - {"thing", "animal", "food"}
"""Of which 为什么 asks for a cause that can be mended; 为什么企鹅不怕冷 is curious."""
_WHY = re.compile(r"为什么|为啥|为何")
_SELF = re.compile(r"(?:^|[,，])(?:我|我们|本人|自己|他|她|你)$")


def undone(reading: Reading, entities: Sequence[Entity]) -> bool:
    """Whether a named thing is said not to do something, and nothing else is asked."""
    if not reading.chinese or _METHOD.match(reading.folded) or not ("不" in reading.folded or "没" in reading.folded):
        return False
    owned = _KNOWN if _WHY.match(reading.folded) else _OWNED
    for match in _TOLD.finditer(reading.folded):
        verb, at = match["verb"], match.start()
        if _ASKED.search(reading.folded, 0, at):
            continue
        if _OPEN.search(verb) or (match["cue"] == "不" and verb in _BEING) or _SELF.search(reading.folded[:at]):
            continue
        if any(e.type in owned and e.start < at and _reaches(reading.folded, e.end, at) for e in entities):
            return True
    return False


def _reaches(folded: str, end: int, at: int) -> bool:
    """Whether a thing that ends at ``end`` is what does not do it: nothing but adverbs stands between."""
    return end <= at and (folded[end:at].strip() == "" or _ADVERBS.fullmatch(folded, end, at) is not None)


_ADVERBS = re.compile(
    r"(?:[\s,，]|一直|总是?|老是?|突然|现在|今天|最近|怎么|为什么|为啥|都|也|就|还|又|完全|根本|半天|好久|里面?|上面?|[一二两三四五六七八九十几\d]+[天个小时周月]+)+"
)


__all__ = ["undone"]
