"""A plain statement of what one has in Chinese: 打印出来的字很淡, 电视画面卡声音正常.  See ``statements``."""

from __future__ import annotations

import re
from collections.abc import Sequence

from qx.rules.statements_kinds import NEWS, OWNED
from qx.text.lexicons import load, load_set
from qx.types import Entity

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


def told(folded: str, names: Sequence[Entity]) -> bool:
    if len(folded) > 40 or _OTHERS_ZH.match(folded) is not None or _ASKING_ZH.search(folded) is not None:
        return False
    types = {e.type for e in names if e.start == 0}
    if types & (NEWS - {"brand"}):
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
    if match is not None and (types & OWNED or match["shown"] or body):
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
