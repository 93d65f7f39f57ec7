"""Queries that people type, in both languages, and texts that break things: what the suites ask."""

from __future__ import annotations

QUERIES: tuple[str, ...] = (
    "the printer jams after every page",
    "cheap breathable men's shirt for summer, not white",
    "5000元以下、轻薄、续航好的笔记本电脑",
    "电脑开机黑屏只有光标在闪",
    "transformer architecture",
    "東京 天氣",
    "DEC-0054",
)

ODD: tuple[str, ...] = (
    "",
    " \t\n",
    "?",
    "😀",
    "\u0000",
    "a \ud800 lone surrogate",
    '"unclosed',
    "AND OR NOT (",
    "word " * 400,
    "会" * 600,
    "<script>alert(1)</script>",
)
