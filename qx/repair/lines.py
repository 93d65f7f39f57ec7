"""Queries written one a line: numbered, bulleted, or bare lines that are not prose."""

from __future__ import annotations

import re

_NUMBERED = re.compile(
    r"(?:\#{1,4}\s*)?(?:\*\*|__)?\s*"
    r"(?:"
    r"[(（【\[]?\d{1,3}(?:[.．、:：)）】\]]|[.．]?[)）])(?!\d)(?:\*\*|__)?\s*"
    r"|[①-⑳]\s*"
    r"|[一二三四五六七八九十]{1,3}(?:、|[.．])\s*"
    r"|[a-h][)）.]\s+"
    r"|(?:sub-?\s?)?(?:query|question|q|alternative|option|查询|问题|检索词|搜索词)\s?#?(?:\d{1,3}|[一二三四五六七八九十])\s?[:：.)、](?:\*\*|__)?\s*"
    r")",
    re.I,
)
_BULLET = re.compile(r"(?:[-*+–—]\s+|[•·●▪◦‣■□◆○✓✔➤►]\s*)")
_DIGIT_AFTER_DOT = re.compile(r"(?:\*\*|__)?\s*\d{1,3}[.．:：]\d")
_INTRO = re.compile(
    r"(?:here(?:'s| is| are| you| it| we)\b|here(?:'|\s\S{0,3})?$|below (?:is|are)\b|the following\b|sure\b|certainly\b|of course\b|okay\b|ok[,.!]|absolutely\b|"
    r"i hope\b|i'm\b|i am\b|i cannot\b|i can't\b|i will\b|i'll\b|i have\b|let me\b|let's\b|note\s?:|note that\b|sorry\b|"
    r"as an ai\b|these (?:queries|are)\b|feel free\b|would you\b|based on\b|first,|okay,|so,|output\s?[:：]|answer\s?[:：]?$|queries\s?[:：]?$|json\s?[:：]?$|"
    r"以下|下面|如下|好的|好，|当然|没问题[，,。！!]|根据您|根据你|根据用户|希望(?:这|对|能)|抱歉|对不起|很抱歉|我无法|我不能|我将|我会|作为(?:一个|一名)?(?:ai|人工智能)|注意[:：]|"
    r"这些(?:查询|搜索)|这里(?:是|有)|为您|为你|查询(?:列表|如下|结果)?\s?[:：]?$|搜索(?:词|查询)(?:如下)?\s?[:：]?$|输出\s?[:：]|答案\s?[:：]?$|請|以下是)",
    re.I,
)
_JSON_LIKE = re.compile(
    r"[{}｛｝\[\]［］]\s*[\"“'‘]?\s*$|^\s*[{}｛｝［］]|[\"”]\s*[:：]\s*[\"“\[{［]|^\s*[\"“]?(?:queries|text)[\"”]?\s*[:：]",
    re.I,
)
_MARKUP = re.compile(r"^\s*(?:</?[a-z|!◁]?|`+|~~~|#{1,6}\s|\|.*\||[-=*_]{3,}\s*$|>{1,3}\s)", re.I)
_QUOTED = re.compile(r"[\"“「'‘](.+)[\"”」'’]\s*[,，]?")
_HAN_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2}")
_LONGEST_LINE = 300
_EMPHASIS = (
    re.compile(r"(?<![\w*)])\*\*\*?(?=[^\s*])([^*\n]{0,400}?[^\s*])\*\*\*?(?!\*)"),
    re.compile(r"(?<=[\u3400-\u9fff])\*\*(?=[^\s*])([^*\n]{0,400}?[^\s*])\*\*(?!\*)"),
    re.compile(r"(?<![\w*.)])\*(?=[^\W_])([^*\n]{0,400}?[^\W_])\*(?![\w*.])"),
    re.compile(r"(?<![\w`])`(?=[^\s`])([^`\n]{0,400}?)(?<=[^\s`])`(?![\w`])"),
    re.compile(r"\A__(?=[^\s_])([^_\n]{0,400}\s[^_\n]{0,400})__\Z"),
    re.compile(r"\A_(?=[^\s_])([^_\n]{0,400}\s[^_\n]{0,400})_\Z"),
    re.compile(r"(?<![\w~])~~(?=[^\s~])([^~\n]{0,400}?[^\s~])~~(?!~)"),
)

_MARK = re.compile(r"[*`_~]")


def plain(text: str) -> str:
    """Return ``text`` as one line without markdown emphasis; ``*.py``, ``__init__`` and ``2**3`` stay."""
    line = " ".join(text.split())
    if len(line) > 5000 or _MARK.search(line) is None:
        return line
    for mark in _EMPHASIS:
        line = mark.sub(r"\1", line)
    return line.strip()


def unnumbered(line: str) -> str | None:
    """Return what follows the number or bullet of a line, None where there is none (``3.11 asyncio``)."""
    stripped = line.strip()
    bullet = _BULLET.match(stripped)
    if bullet:
        stripped = stripped[bullet.end() :]
        rest = unnumbered(stripped) if bullet.group().strip() else None
        return rest if rest is not None and _NUMBERED.match(stripped) else stripped
    if _DIGIT_AFTER_DOT.match(stripped):
        return None
    number = _NUMBERED.match(stripped)
    if not number:
        return None
    rest = stripped[number.end() :]
    opened = number.group().count("**") == 1  # **1. python asyncio**
    return rest.replace("**", "", 1) if opened and rest.count("**") == 1 else rest


def is_prose(line: str) -> bool:
    """Whether a line speaks about the queries (``Here are 3 alternatives:``) or is markup, not a query."""
    stripped = plain(line)
    if not any(c.isalnum() for c in stripped) or len(stripped) > _LONGEST_LINE:
        return True
    if stripped.endswith((":", "：")) or _JSON_LIKE.search(stripped) or _MARKUP.match(line):
        return True
    if _INTRO.match(stripped):
        return True
    return stripped.endswith((".", "。", "！", "!")) and (len(stripped.split()) > 5 or stripped.endswith(("。", "！")))


def listed(text: str) -> list[str]:
    """Return the numbered or bulleted lines of ``text``."""
    items = [rest for line in text.splitlines() if (rest := unnumbered(line)) is not None]
    return _unquoted([item for item in map(str.strip, items) if item and not _is_label(item)])


def bare(text: str) -> list[str]:
    """Return the lines of ``text`` that can be queries; nothing where most of it is prose."""
    lines = [line for line in text.splitlines() if line.strip()]
    kept = [line.strip() for line in lines if not is_prose(line)]
    if len(lines) == 1 and len(text.split(None, 2)) < 2 and not _HAN_WORD.search(text):
        kept = []  # "Okay", or the beginning of a sentence that was cut
    return _unquoted(kept) if len(kept) * 2 >= len(lines) else []


def _is_label(item: str) -> bool:
    stripped = plain(item)
    return (
        not any(c.isalnum() for c in stripped)
        or len(stripped) > _LONGEST_LINE
        or stripped.endswith((":", "："))
        or _JSON_LIKE.search(stripped) is not None
    )


def _unquoted(lines: list[str]) -> list[str]:
    """Take off quotes that every line carries: then they mark the item, not a phrase."""
    matches = [_QUOTED.fullmatch(line) for line in lines]
    if len(lines) > 1 and all(matches):
        return [m.group(1) for m in matches if m]
    return lines
