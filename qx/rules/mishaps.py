"""What befalls a thing, told and not asked: "cake sank in the middle", 膝盖响, 洗衣机脱水时很大声.

The one who tells it wants it mended, though no word asks for that.  Of what is looked for (防起球的毛衣, "a door that
closes slowly") or asked about in general nothing has befallen.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from qx.rules.reading import Reading, covered
from qx.types import Entity

_HAPPENED_ZH = re.compile(
    r"(?<![防抗不免去止治减除没未无低解好很真怕一])(?:起球|起皱|起皮|脱皮|脱线|开线|开胶|塌陷|塌|结霜|结块|磨脚|打滑|跑偏|串味|返潮|发黏|发酸|发臭|发霉|发苦|出水珠|滴水|渗水|"
    r"(?:起|长|出|冒)(?:红疹|疹子|痘痘?|小?红?包|水?泡|湿疹|疙瘩|红点|白点|斑)|(?:页面|列表|屏幕|图片|表格|数据)(?:空白|为空|丢失|错位|重叠|错乱)|(?:粘|黏|缠|卡|糊|挤)在一起|漏|裂|烂|抖|晃|响|疼|痛|肿|麻|痒|酸痛|僵硬|倒伏|徒长|烂根|卷边|卷叶|掉叶|掉渣|糊底|粘底|回缩|塌腰|分层|沉底|散架|变形|卡壳|短路|跳闸)"
    r"(?:了|得?(?:厉害|很))?(?:但是?|而且|[,，\s]|$|怎么|是怎么|是什么|咋|是不是)"
)
_TOO_ZH = re.compile(
    r"(?:时候?|起来|运行|工作|启动|开机|脱水|充电|转动|关上|洗完|烤完|做出来|蒸出来|炒出来)[^,，。的]{0,4}?(?:很|太|特别|非常|好|超|老|总|一直)(?:是|会)?"
    r"(?:大声|吵|响|烫|热|抖|慢|卡|臭|晃|硬|软|粘|黏|酸|苦|腥|干|湿|稀|糊|老|柴)(?:$|[,，了啊！!？?])"
)
_RISING_ZH = re.compile(
    r"(?:一直|不断|持续|越来越|突然|疯狂|莫名)(?:往上|地)?(?:涨|升高|升|增长|增加|变大|变慢|变卡|慢|卡|高|大|掉|降|飙升|跳|断)(?!价)(?:$|[,，\s了啊]|怎么|为什么|是)"
)
"""What goes on that should not: 内存一直涨."""
_MACHINES = frozenset({"technology", "product", "component", "device", "appliance", "fault"})
_HAPPENED_EN = re.compile(
    r"\b(?:sank|sinks|collapsed|collapses|curdled|curdles|shrank|fell (?:off|apart|out)|falls (?:off|apart|out)|came (?:off|apart|out|loose)|"
    r"(?:went|goes|gone|going) (?:off|bad|black|blank|dark|flat|missing|dim)|(?:turned|turns|turning|went) (?:green|brown|black|grey|gray|mushy|"
    r"rubbery|cloudy|slimy|soggy|sour)|popped off|snapped|(?:bubbling|boiling|spilling|leaking|running|falling|coming|burning) (?:over|out|off|apart|through)|"
    r"(?<!not )too (?:wet|dry|salty|sweet|thick|thin|loud|dark|dense|runny|spicy|bitter|sour|soft|mushy|greasy|watery|sticky|tight|loose)|"
    r"(?:feels?|sounds?|smells?|tastes?|looks?|seems?) (?:like )?(?!good|great|nice|best|cute|amazing|better|right|well|for|the)[a-z]+|(?:separated|melted|burst|tore|ripped|rusted|faded|warped|curling|wilting|drooping|shedding|"
    r"peeling|squeaking|rattling|humming|buzzing|clicking|grinding|slipping|dripping|smoking|sparking|shaking|vibrating|wobbling|twitching|swelling|"
    r"stiff|numb|throbbing|popping|clogged|stained|scorched|overflowing|tripping)"
    r"(?=[\s?.!]*$|,|\s(?:in|on|at|after|before|when|while|from|and|but|again|constantly|loudly|badly|off|out|all|during|since|for|under|over|every|"
    r"only|so|too|a\slot|overnight|suddenly|up|down|around|away)\b))"
)
"""What happened; a participle counts where no noun follows that it describes (ripped jeans)."""
_LOOKED_FOR = re.compile(
    r"推荐|哪款|哪个|什么牌子|预防|防止|避免|的(?:原理|区别|历史)|^(?:best|how to|what|which|buy|anti|prevent|do|does|did|is|are|can|should|who|when|where|i want|looking)\b|"
    r"\b(?:anti|prevent|resistant|proof|for sale|recipe|reviews?|near me|that (?:won.?t|don.?t|doesn.?t|never))\b"
)
_BEFALLEN = frozenset(
    {"product", "component", "device", "appliance", "animal", "technology", "service", "thing", "food", "part", "fault", "symptom"}
)  # fmt: skip


def befallen(reading: Reading, entities: Sequence[Entity]) -> bool:
    """Whether something is told to have happened to a named thing, and nothing else is asked."""
    folded = reading.folded
    if _LOOKED_FOR.search(folded):
        return False
    patterns = (_HAPPENED_ZH, _TOO_ZH) if reading.chinese else (_HAPPENED_EN,)
    if reading.chinese and (match := _RISING_ZH.search(folded)) is not None:
        return any(e.start < match.start() for e in entities if e.type in _MACHINES)
    refused = [(n.start, n.end) for n in reading.negations]
    for pattern in patterns:
        match = pattern.search(folded)
        if match is not None and not covered(*match.span(), refused):
            return any(e.start < match.start() for e in entities if e.type in _BEFALLEN)
    return False


__all__ = ["befallen"]
