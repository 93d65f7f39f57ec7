"""Somebody whose words a question asks for, and who says nothing in the log: that is told, whoever else is cited."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from qx.text.normalise import fold

_SURNAMES: Final = (
    "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪田任"
    "姜范石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚"
    "張劉陳楊趙黃吳孫馬羅鄭謝韓馮蕭鄧許呂蘇盧賈葉閻鐘譚鄒陸顧龍錢湯賀賴龔"
)
_TITLES = r"老师|经理|总监|总(?![是结共算之])|医生|教授|主任|先生|女士|同学|阿姨|叔叔|师傅"
_SAYS_ZH = r"[^，。,.?!？！]{0,6}?(?:说|提|讲|答|回复|建议|推荐|告诉|认为|觉得|妥协|答应|同意|反对)"
_ZH = re.compile(rf"(?P<name>[老小阿大][{_SURNAMES}](?:{_TITLES})?|[{_SURNAMES}](?:{_TITLES}))(?:们)?{_SAYS_ZH}")
_SAYS = r"(?:say|said|says|mention(?:ed)?|tell|told|suggest(?:ed)?|recommend(?:ed)?|think|thought|promised?|agreed?|repl(?:y|ied)|answer(?:ed)?)"
_EN = re.compile(
    rf"\b(?:[Dd]id|[Dd]oes|[Hh]as|[Hh]ad)\s(?P<asked>[A-Z][a-z]+(?:\s[A-Z][a-z]+)?)\s(?:\w+\s)?{_SAYS}\b"
    rf"|(?<![.!?]\s)(?<!^)\b(?P<named>[A-Z][a-z]+(?:\s[A-Z][a-z]+)?)\s(?:\w+\s)?{_SAYS}\b"
)
_NAMELESS = """
i you he she it we they who somebody someone anybody anyone everybody everyone nobody monday tuesday wednesday thursday friday
saturday sunday january february march april may june july august september october november december
"""
_NOBODY: Final = frozenset(_NAMELESS.split())


def stranger(question: str, speakers: Sequence[str]) -> str:
    """Return whom ``question`` asks to be quoted who is none of ``speakers``; empty: nobody, or nobody here has a name."""
    if not any(speakers):
        return ""
    known = {fold(name) for name in speakers}
    parts = {part for name in known for part in (name, *name.split())}
    for match in (*_ZH.finditer(question), *_EN.finditer(question)):
        name = next(group for group in match.groups() if group)
        if fold(name) not in _NOBODY and not any(fold(part) in parts for part in (name, *name.split())):
            return name
    return ""
