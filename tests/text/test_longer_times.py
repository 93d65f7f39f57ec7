"""A part of a longer time is never read as the time: the Monday before last, a week from Tuesday, 11月初到中旬."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from qx.text.times import TimeMention, find, parse

ZONE = ZoneInfo("Asia/Shanghai")
MONDAY = datetime(2026, 11, 30, 12, tzinfo=ZONE)


def _days(one: TimeMention) -> tuple[str, str]:
    assert one.range is not None
    return one.range.start.astimezone(ZONE).date().isoformat(), one.range.end.astimezone(ZONE).date().isoformat()


@pytest.mark.parametrize(
    ("text", "words", "start", "end"),
    [
        ("what did we say the Monday before last", "the Monday before last", "2026-11-16", "2026-11-17"),
        ("the call of the Friday before last", "the Friday before last", "2026-11-20", "2026-11-21"),
        ("see you the Friday after next", "the Friday after next", "2026-12-11", "2026-12-12"),
        ("notes of two Fridays ago", "two Fridays ago", "2026-11-20", "2026-11-21"),
        ("the parcel came three Sundays ago", "three Sundays ago", "2026-11-15", "2026-11-16"),
        ("dinner a week from Tuesday", "a week from Tuesday", "2026-12-08", "2026-12-09"),
        ("dentist a week on Friday", "a week on Friday", "2026-12-11", "2026-12-12"),
        ("party two weeks from Saturday", "two weeks from Saturday", "2026-12-19", "2026-12-20"),
        ("due three days after Christmas", "three days after Christmas", "2026-12-28", "2026-12-29"),
        ("pack two days before December 3", "two days before December 3", "2026-12-01", "2026-12-02"),
        ("gym Tuesday week", "Tuesday week", "2026-12-08", "2026-12-09"),
        ("the speech on May Day", "May Day", "2027-05-01", "2027-05-02"),
        ("may day parade", "may day", "2027-05-01", "2027-05-02"),
        ("11月初到中旬的账单", "11月初到中旬", "2026-11-01", "2026-11-21"),
        ("10月中旬至月底去了哪", "10月中旬至月底", "2026-10-11", "2026-11-01"),
        ("9月上旬到下旬的聊天", "9月上旬到下旬", "2026-09-01", "2026-10-01"),
        ("early to mid November sales", "early to mid November", "2026-11-01", "2026-11-21"),
        ("mid-to-late October trips", "mid-to-late October", "2026-10-11", "2026-11-01"),
        ("十一假期去了哪里", "十一假期", "2026-10-01", "2026-10-08"),
        ("中秋假期的照片", "中秋假期", "2026-09-24", "2026-09-27"),
        ("圣诞节后三天寄到", "圣诞节后三天", "2026-12-26", "2026-12-29"),
        ("国庆前两天说的", "国庆前两天", "2026-09-29", "2026-10-01"),
        ("met on 03-04-2026", "03-04-2026", "2026-03-04", "2026-03-05"),
    ],
)
def test_the_whole_is_read(text: str, words: str, start: str, end: str):
    (found,) = find(text, now=MONDAY, zone=ZONE)
    assert found.text == words
    assert _days(found) == (start, end)
    assert parse(words, now=MONDAY, zone=ZONE)[0] == found.range


@pytest.mark.parametrize(
    "text",
    [
        "meeting on 2026-02-30",
        "meeting on 2026-13-45",
        "开会 2026/02/31",
        "账单 2026.04.31 的",
        "on 31-04-2026 we met",
        "2026年2月30日开会",
        "30-02-2026",
        "2026-11-31 的聊天",
    ],
)
def test_a_day_that_is_none_is_no_year(text: str):
    assert find(text, now=MONDAY, zone=ZONE) == ()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("sales 2019-2021", "2019-2021"),
        ("the report of 2026-11", "2026-11"),
        ("2026年的账单", "2026年"),
        ("since 2024", "since 2024"),
    ],
)
def test_years_and_months_stay_what_they_were(text: str, words: str):
    assert [one.text for one in find(text, now=MONDAY, zone=ZONE)] == [words]


@pytest.mark.parametrize(
    ("text", "words", "day"),
    [
        ("what was said the Monday before last week", "the Monday before last week", "2026-11-16"),
        ("Monday before last week", "Monday before last week", "2026-11-16"),
        ("the parade of the Friday after Thanksgiving", "the Friday after Thanksgiving", "2026-11-27"),
        ("the Sunday before 3 November", "the Sunday before 3 November", "2026-11-01"),
        ("what did I buy the Monday before last Friday", "the Monday before last Friday", "2026-11-23"),
        ("the first Monday after Christmas", "the first Monday after Christmas", "2026-12-28"),
        ("上周之前的周一说了什么", "上周之前的周一", "2026-11-16"),
        ("国庆前的周五聊的", "国庆前的周五", "2026-09-25"),
        ("国庆后的第一个周一开会", "国庆后的第一个周一", "2026-10-12"),
        ("上周五之前的星期一", "上周五之前的星期一", "2026-11-23"),
        ("last week's Monday call", "last week's Monday", "2026-11-23"),
    ],
)
def test_a_weekday_beside_another_time(text: str, words: str, day: str):
    (found,) = find(text, now=MONDAY, zone=ZONE)
    assert found.text == words
    assert _days(found)[0] == day
    assert found.range is not None
    assert found.range.grain == "day"


@pytest.mark.parametrize(
    "text", ["the Friday before the wedding", "the Tuesday after that", "婚礼前的周五说的", "面试后的第一个周一"]
)
def test_a_weekday_beside_what_names_no_time_is_no_day(text: str):
    assert find(text, now=MONDAY, zone=ZONE) == ()


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("the week before last Monday", "2026-11-16", "2026-11-23"),
        ("the month before last Christmas", "2025-11-25", "2025-12-25"),
        ("the week before last", "2026-11-16", "2026-11-23"),
    ],
)
def test_a_week_before_a_last_day_is_not_the_week_before_last(text: str, start: str, end: str):
    (found,) = find(text, now=MONDAY, zone=ZONE)
    assert (found.text, _days(found)) == (text, (start, end))


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("half past three yesterday", "15:30"),
        ("yesterday at half past three", "15:30"),
        ("a quarter to five yesterday", "16:45"),
        ("yesterday at quarter past nine am", "09:15"),
    ],
)
def test_a_clock_that_is_spoken(text: str, clock: str):
    (found,) = find(text, now=MONDAY, zone=ZONE)
    assert found.text.startswith(text.split()[0])
    assert found.range is not None
    assert found.range.start.astimezone(ZONE).strftime("%m-%d %H:%M") == f"11-29 {clock}"


def test_last_summer_may_be_the_one_before():
    assert [one.start.astimezone(ZONE).year for one in parse("last summer", now=MONDAY, zone=ZONE)] == [2026, 2025]
