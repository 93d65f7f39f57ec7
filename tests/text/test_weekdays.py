"""A weekday without a word before it: the coming one of a sentence that looks ahead, the last one of what is past."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from qx.text.times import find, parse

ZONE = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 5, 20, 14, 30, tzinfo=ZONE)
"""A Wednesday."""


def first(text: str) -> str:
    (mention,) = find(text, now=NOW, zone=ZONE)
    assert mention.range is not None
    return mention.range.start.astimezone(ZONE).date().isoformat()


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("plumber open on sunday", "2026-05-24"),
        ("electrician open saturday", "2026-05-23"),
        ("dentist appointment tuesday", "2026-05-26"),
        ("is the library closed on Monday", "2026-05-25"),
        ("weather in Paris on Friday", "2026-05-22"),
        ("team meeting on monday at 3pm", "2026-05-25"),
        ("pharmacy open wednesday", "2026-05-20"),
        ("周一开门吗", "2026-05-25"),
        ("周二限行尾号", "2026-05-26"),
        ("周日营业的药店", "2026-05-24"),
        ("周一的会几点", "2026-05-25"),
    ],
)
def test_the_coming_one(text: str, day: str) -> None:
    assert first(text) == day


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("emails from Friday", "2026-05-15"),
        ("what happened on Sunday", "2026-05-17"),
        ("files modified monday", "2026-05-18"),
        ("photos I took on Saturday", "2026-05-16"),
        ("minutes of the call on Tuesday", "2026-05-19"),
        ("Sunday", "2026-05-17"),
        ("on Friday afternoon", "2026-05-15"),
        ("周一发生的事", "2026-05-18"),
        ("周一的会议纪要", "2026-05-18"),
        ("周二吃了什么", "2026-05-19"),
    ],
)
def test_the_last_one(text: str, day: str) -> None:
    assert first(text) == day


def test_the_other_reading_follows_in_the_mention_s_own_words() -> None:
    assert [r.start.astimezone(ZONE).date().isoformat() for r in parse("Sunday", now=NOW, zone=ZONE)] == [
        "2026-05-17",
        "2026-05-24",
    ]


@pytest.mark.parametrize(
    ("text", "words", "end"),
    [
        ("2019年之前的论文", "2019年之前", "2019-01-01"),
        ("2019年以前的论文", "2019年以前", "2019-01-01"),
        ("2019年前的论文", "2019年前", "2019-01-01"),
        ("2019年5月之前出版的书", "2019年5月之前", "2019-05-01"),
        ("五月之前完成", "五月之前", "2026-05-01"),
        ("papers before 2019", "before 2019", "2019-01-01"),
    ],
)
def test_before_ends_where_the_time_begins(text: str, words: str, end: str) -> None:
    (mention,) = find(text, now=NOW, zone=ZONE)
    assert mention.text == words
    assert mention.range is not None
    assert mention.range.open_start
    assert mention.range.end.astimezone(ZONE).date().isoformat() == end


@pytest.mark.parametrize(
    ("text", "start"), [("2019年之后的论文", "2019-01-01"), ("三个月前", "2026-02-01"), ("两月前", "2026-03-01")]
)
def test_after_and_ago(text: str, start: str) -> None:
    assert first(text) == start


def test_how_long_is_not_until_when() -> None:
    assert find("toddler won't sleep through the night", now=NOW, zone=ZONE) == ()
    assert find("snow through March", now=NOW, zone=ZONE) != ()
