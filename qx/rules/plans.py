"""Plans: a month or holiday without a year is the coming one where somebody means to go, stay or take part.

"flights to tokyo in april", asked in November, is about next April, 国庆去哪玩 about the next 国庆; "sales in april" and
去年国庆去的 are about what was.
"""

from __future__ import annotations

import re
from datetime import datetime

from qx.serial import replace
from qx.text.times import TimeMention

_AHEAD = re.compile(
    r"\b(?:flights?|airfares?|plane tickets?|train tickets?|hotels?|hostels?|airbnbs?|resorts?|accommodations?|cottages?|villas?|"
    r"campsites?|trips?|road ?trips?|itinerar(?:y|ies)|travel(?:l?ing)?|vacations?|holidays? (?:in|to|with)|getaways?|honeymoon|cruises?|"
    r"visit(?:ing)?|places to go|where (?:to|should (?:i|we)) (?:go|stay|travel|ski)|things to do|what to (?:wear|pack|do)|pack(?:ing)? for|"
    r"going to|(?:a )?weekend in|book(?:ing)? (?:a|an|the|in)|rent(?:al| a)|concerts?|festivals?|events?|exhibitions?|marathons?|"
    r"weather|crowds?|crowded|too (?:hot|cold|busy|rainy)|plan(?:s|ning)?|wedding|camping|hik(?:e|es|ing)|ski(?:ing)?|when (?:is|are|does|do)|deadlines?|"
    r"courses?|lessons?|workshops?|webinars?|(?:opening|expiring|expires?|due) (?:in|on|before|after|by|around|this|next))\b"
    r"|去哪|去(?=[\u4e00-\u9fff]{1,8}(?:穿|带|玩|旅|吃|看|住|怎么|多少|合适|自驾|滑|度假|冷|热))|(?:想|要|打算|准备|计划|能|适合|可以)去|哪里?好?玩|机票|航班|高铁票|火车票|动车票|车票|酒店|民宿|旅馆|客栈|旅游|旅行|"
    r"自由行|跟团|自驾|出游|出行|游玩|度假|蜜月|露营|滑雪|攻略|行程|出发|签证|预订|订(?:房|票|酒店)|门票|演唱会|音乐节|展览|天气|人多|放假|调休|几号|"
    r"哪天|什么时候|开课|开班|培训班|讲座|到期|报名|穿什么|带什么|抢票|高速免费"
)
"""What one plans or waits for."""
_BEHIND = re.compile(
    r"\b(?:was|were|did|had|happened|went|stayed|bought|ordered|booked|visited|took|last|past|previous|ago|history|historical|sales|"
    r"revenue|statistics|stats|data|numbers|figures|report(?:s|ed)?|news|occupancy|photos?|pictures|receipts?|invoices?|bookings|"
    r"orders|refund(?:s|ed)?|cancel(?:l?ed)?|delayed|lost|complain\w*|charged|recap|results|winners?|attendance|highlights)\b"
    r"|过(?=的|[，。,？?]|$)|[去买订住玩到看]了|销量|销售|营收|票房|数据|统计|报告|新闻|照片|回顾|总结|上次|之前|当时|去年|前年|订单|发票|退款|取消了|延误|人次|客流量"
)
"""What has been: its month is the one that is over."""


def looks_ahead(folded: str) -> bool:
    """Whether the query plans, or waits for what comes."""
    return _AHEAD.search(folded) is not None and _BEHIND.search(folded) is None


def looks_back(folded: str) -> bool:
    """Whether the query speaks of what has been."""
    return _BEHIND.search(folded) is not None


def gone(mention: TimeMention, now: datetime) -> TimeMention:
    """Return ``mention`` as the last of its readings where its likeliest one is still to come and it may be another."""
    if mention.range is None or mention.range.start <= now:
        return mention
    over = [one for one in mention.others if one.start <= now]
    return replace(mention, range=max(over, key=lambda one: one.start)) if over else mention


def coming(mention: TimeMention, now: datetime) -> TimeMention:
    """Return ``mention`` as the next of its readings where its likeliest one is over and it may be another."""
    if mention.range is None or mention.range.end > now:
        return mention
    ahead = [one for one in mention.others if one.start > now]
    return replace(mention, range=min(ahead, key=lambda one: one.start)) if ahead else mention


__all__ = ["coming", "gone", "looks_ahead", "looks_back"]
