"""A table of expressions at two moments, each range checked by hand against a calendar, and whose day a moment is of.

The two moments: Sunday 2026-11-29 (the last day of a week that began on Monday the 23rd) and Friday 2026-03-06 (of the
week that began on Monday the 2nd; February had 28 days), both at noon in Shanghai.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest

from qx.text.times import TimeRange, find, parse

ZONE = ZoneInfo("Asia/Shanghai")
SUNDAY = datetime(2026, 11, 29, 12, tzinfo=ZONE)
FRIDAY = datetime(2026, 3, 6, 12, tzinfo=ZONE)

# expression, its readings on the Sunday, on the Friday: a day, or start/end (end exclusive, an open side empty)
ROWS: list[tuple[str, str, str]] = [
    ("上周三", "2026-11-18", "2026-02-25"),
    ("上周日", "2026-11-22", "2026-03-01"),
    ("周三", "2026-11-25 2026-11-18 2026-12-02", "2026-03-04 2026-02-25 2026-03-11"),
    ("周日", "2026-11-29 2026-11-22 2026-12-06", "2026-03-08 2026-03-01 2026-03-15"),
    ("周末", "2026-11-28/2026-11-30 2026-11-21/2026-11-23 2026-12-05/2026-12-07", "2026-03-07/2026-03-09 2026-02-28/2026-03-02 2026-03-14/2026-03-16"),
    ("下周一", "2026-11-30", "2026-03-09"),
    ("上上周五", "2026-11-13", "2026-02-20"),
    ("本周", "2026-11-23/2026-11-30", "2026-03-02/2026-03-09"),
    ("前天晚上", "2026-11-27T18:00/2026-11-28", "2026-03-04T18:00/2026-03-05"),
    ("昨晚", "2026-11-28T18:00/2026-11-29", "2026-03-05T18:00/2026-03-06"),
    ("昨天凌晨", "2026-11-28/2026-11-28T06:00", "2026-03-05/2026-03-05T06:00"),
    ("大前天", "2026-11-26", "2026-03-03"),
    ("三天前", "2026-11-26", "2026-03-03"),
    ("两周前的周五下午三点", "2026-11-13T15:00/2026-11-13T16:00", "2026-02-20T15:00/2026-02-20T16:00"),
    ("上周四下午两点到四点", "2026-11-19T14:00/2026-11-19T17:00", "2026-02-26T14:00/2026-02-26T17:00"),
    ("上周三到周五", "2026-11-18/2026-11-21", "2026-02-25/2026-02-28"),
    ("周二以来", "2026-11-24/2026-11-29T12:00 2026-11-17/2026-11-29T12:00", "2026-03-03/2026-03-06T12:00 2026-02-24/2026-03-06T12:00"),
    ("上周二晚上8点以后", "2026-11-17T20:00/2026-11-18 2026-11-17T20:00/", "2026-02-24T20:00/2026-02-25 2026-02-24T20:00/"),
    ("昨晚十点之前", "2026-11-28T18:00/2026-11-28T22:00 /2026-11-28T22:00", "2026-03-05T18:00/2026-03-05T22:00 /2026-03-05T22:00"),
    ("昨天早上九点左右", "2026-11-28T08:30/2026-11-28T10:30", "2026-03-05T08:30/2026-03-05T10:30"),
    ("前几天", "2026-11-20/2026-11-28", "2026-02-25/2026-03-05"),
    ("最近三天", "2026-11-26/2026-11-29T12:00", "2026-03-03/2026-03-06T12:00"),
    ("月底", "2026-11-21/2026-12-01", "2026-03-21/2026-04-01 2026-02-21/2026-03-01"),
    ("月初", "2026-11-01/2026-11-11", "2026-03-01/2026-03-11"),
    ("上个月", "2026-10-01/2026-11-01", "2026-02-01/2026-03-01"),
    ("上上个月", "2026-09-01/2026-10-01", "2026-01-01/2026-02-01"),
    ("上个月15号", "2026-10-15", "2026-02-15"),
    ("25号", "2026-11-25 2026-12-25", "2026-03-25 2026-02-25"),
    ("11月初", "2026-11-01/2026-11-11 2025-11-01/2025-11-11 2027-11-01/2027-11-11", "2025-11-01/2025-11-11 2026-11-01/2026-11-11 2027-11-01/2027-11-11"),
    ("11月的第二周", "2026-11-08/2026-11-15 2026-11-02/2026-11-09 2025-11-08/2025-11-15 2025-11-03/2025-11-10 2027-11-08/2027-11-15", "2025-11-08/2025-11-15 2025-11-03/2025-11-10 2026-11-08/2026-11-15 2026-11-02/2026-11-09 2027-11-08/2027-11-15"),
    ("10月的第二个周二", "2026-10-13 2025-10-14 2027-10-12", "2025-10-14 2026-10-13 2027-10-12"),
    ("半个月前", "2026-11-14", "2026-02-19"),
    ("两个月前", "2026-09-01/2026-10-01 2026-09-29", "2026-01-01/2026-02-01 2026-01-06"),
    ("国庆期间", "2026-10-01/2026-10-08 2027-10-01/2027-10-08 2025-10-01/2025-10-08", "2025-10-01/2025-10-08 2026-10-01/2026-10-08 2027-10-01/2027-10-08"),
    ("国庆前一天", "2026-09-30 2027-09-30 2025-09-30", "2025-09-30 2026-09-30 2027-09-30"),
    ("今年春节", "2026-02-16/2026-02-24", "2026-02-16/2026-02-24"),
    ("双十一", "2026-11-11 2027-11-11 2025-11-11", "2025-11-11 2026-11-11 2027-11-11"),
    ("中秋节", "2026-09-25 2027-09-15 2025-10-06", "2025-10-06 2026-09-25 2027-09-15"),
    ("元旦", "2027-01-01 2026-01-01 2025-01-01", "2026-01-01 2027-01-01 2025-01-01"),
    ("去年年底", "2025-11-01/2026-01-01", "2025-11-01/2026-01-01"),
    ("去年这个时候", "2025-11-14/2025-12-15", "2025-02-19/2025-03-22"),
    ("上季度", "2026-07-01/2026-10-01", "2025-10-01/2026-01-01"),
    ("大上周", "2026-11-09/2026-11-16", "2026-02-16/2026-02-23"),
    ("晚上8点以后", "2026-11-29T20:00/", "2026-03-06T20:00/"),
    ("九月以前", "/2026-09-01 /2025-09-01 /2027-09-01", "/2026-09-01 /2025-09-01 /2027-09-01"),
    ("last Wednesday", "2026-11-25 2026-11-18", "2026-03-04 2026-02-25"),
    ("last Sunday", "2026-11-22", "2026-03-01"),
    ("Sunday", "2026-11-29 2026-11-22 2026-12-06", "2026-03-01 2026-03-08"),
    ("this Sunday", "2026-11-29", "2026-03-08"),
    ("next Sunday", "2026-12-06", "2026-03-08 2026-03-15"),
    ("since Tuesday", "2026-11-24/2026-11-29T12:00", "2026-03-03/2026-03-06T12:00"),
    ("the week before last", "2026-11-09/2026-11-16", "2026-02-16/2026-02-23"),
    ("last week", "2026-11-16/2026-11-23", "2026-02-23/2026-03-02"),
    ("last weekend", "2026-11-21/2026-11-23", "2026-02-28/2026-03-02"),
    ("yesterday evening", "2026-11-28T18:00/2026-11-29", "2026-03-05T18:00/2026-03-06"),
    ("last night", "2026-11-28T18:00/2026-11-29T04:00", "2026-03-05T18:00/2026-03-06T04:00"),
    ("yesterday after 8pm", "2026-11-28T20:00/2026-11-29 2026-11-28T20:00/", "2026-03-05T20:00/2026-03-06 2026-03-05T20:00/"),
    ("after 8pm", "2026-11-29T20:00/", "2026-03-06T20:00/"),
    ("before 9am today", "2026-11-29/2026-11-29T09:00 /2026-11-29T09:00", "2026-03-06/2026-03-06T09:00 /2026-03-06T09:00"),
    ("noon yesterday", "2026-11-28T12:00/2026-11-28T13:00", "2026-03-05T12:00/2026-03-05T13:00"),
    ("yesterday around noon", "2026-11-28T11:30/2026-11-28T13:30", "2026-03-05T11:30/2026-03-05T13:30"),
    ("the day before yesterday", "2026-11-27", "2026-03-04"),
    ("Friday two weeks ago", "2026-11-13", "2026-02-20"),
    ("two weeks ago on Friday at 3pm", "2026-11-13T15:00/2026-11-13T16:00", "2026-02-20T15:00/2026-02-20T16:00"),
    ("Wednesday last week", "2026-11-18", "2026-02-25"),
    ("between Monday and Wednesday", "2026-11-23/2026-11-26 2026-11-30/2026-12-03", "2026-03-02/2026-03-05 2026-03-09/2026-03-12"),
    ("from Monday to Friday", "2026-11-23/2026-11-28 2026-11-30/2026-12-05", "2026-03-02/2026-03-07 2026-03-09/2026-03-14"),
    ("earlier this week", "2026-11-23/2026-11-29T12:00", "2026-03-02/2026-03-06T12:00"),
    ("a fortnight ago", "2026-11-09/2026-11-16 2026-11-15", "2026-02-16/2026-02-23 2026-02-20"),
    ("a week ago today", "2026-11-22", "2026-02-27"),
    ("a few days ago", "2026-11-22/2026-11-28", "2026-02-27/2026-03-05"),
    ("the other day", "2026-11-20/2026-11-28", "2026-02-25/2026-03-05"),
    ("in the last two weeks", "2026-11-15/2026-11-29T12:00", "2026-02-20/2026-03-06T12:00"),
    ("early May", "2026-05-01/2026-05-11 2025-05-01/2025-05-11 2027-05-01/2027-05-11", "2026-05-01/2026-05-11 2025-05-01/2025-05-11 2027-05-01/2027-05-11"),
    ("mid October", "2026-10-11/2026-10-21 2025-10-11/2025-10-21 2027-10-11/2027-10-21", "2025-10-11/2025-10-21 2026-10-11/2026-10-21 2027-10-11/2027-10-21"),
    ("late last month", "2026-10-21/2026-11-01", "2026-02-21/2026-03-01"),
    ("end of the month", "2026-11-21/2026-12-01", "2026-03-21/2026-04-01 2026-02-21/2026-03-01"),
    ("the month before last", "2026-09-01/2026-10-01", "2026-01-01/2026-02-01"),
    ("the 25th", "2026-11-25 2026-12-25", "2026-03-25 2026-02-25"),
    ("November 5", "2026-11-05 2025-11-05 2027-11-05", "2025-11-05 2026-11-05 2027-11-05"),
    ("the first week of November", "2026-11-01/2026-11-08 2026-10-26/2026-11-02 2025-11-01/2025-11-08 2025-10-27/2025-11-03 2027-11-01/2027-11-08", "2025-11-01/2025-11-08 2025-10-27/2025-11-03 2026-11-01/2026-11-08 2026-10-26/2026-11-02 2027-11-01/2027-11-08"),
    ("the second Tuesday of October", "2026-10-13 2025-10-14 2027-10-12", "2025-10-14 2026-10-13 2027-10-12"),
    ("last Tuesday of October", "2026-10-27 2025-10-28 2027-10-26", "2025-10-28 2026-10-27 2027-10-26"),
    ("last Christmas", "2025-12-25", "2025-12-25"),
    ("the week before Christmas", "2026-12-18/2026-12-25 2025-12-18/2025-12-25 2027-12-18/2027-12-25", "2025-12-18/2025-12-25 2026-12-18/2026-12-25 2027-12-18/2027-12-25"),
    ("Thanksgiving", "2026-11-26 2027-11-25 2025-11-27", "2025-11-27 2026-11-26 2027-11-25"),
    ("over the National Day holiday", "2026-10-01/2026-10-08 2027-10-01/2027-10-08 2025-10-01/2025-10-08", "2025-10-01/2025-10-08 2026-10-01/2026-10-08 2027-10-01/2027-10-08"),
    ("last spring", "2026-03-01/2026-06-01 2025-03-01/2025-06-01", "2025-03-01/2025-06-01"),
    ("the Monday before last week", "2026-11-09", "2026-02-16"),
    ("上周之前的周一", "2026-11-09", "2026-02-16"),
    ("half past three yesterday", "2026-11-28T15:30/2026-11-28T15:31 2026-11-28T03:30/2026-11-28T03:31", "2026-03-05T15:30/2026-03-05T15:31 2026-03-05T03:30/2026-03-05T03:31"),
    ("this time last year", "2025-11-14/2025-12-15", "2025-02-19/2025-03-22"),
    ("late 2025", "2025-11-01/2026-01-01", "2025-11-01/2026-01-01"),
    ("until yesterday", "/2026-11-29", "/2026-03-06"),
    ("by Friday", "/2026-11-28 /2026-12-05", "/2026-03-07 /2026-02-28 /2026-03-14"),
]  # fmt: skip


def written(found: TimeRange) -> str:
    """A range as the table writes it."""
    if found.grain == "day" and not (found.open_start or found.open_end):
        return f"{_local(found.start)}"
    return f"{'' if found.open_start else _local(found.start)}/{'' if found.open_end else _local(found.end)}"


def _local(moment: datetime) -> str:
    return moment.astimezone(ZONE).strftime("%Y-%m-%dT%H:%M").removesuffix("T00:00")


@pytest.fixture(params=["Asia/Shanghai", "America/Los_Angeles"])
def machine(request: pytest.FixtureRequest) -> Iterator[str]:
    """The zone that the machine is in."""
    before = os.environ.get("TZ")
    os.environ["TZ"] = request.param
    time.tzset()
    yield request.param
    if before is None:
        del os.environ["TZ"]
    else:
        os.environ["TZ"] = before
    time.tzset()


def test_the_table_has_what_it_promises() -> None:
    assert len({row[0] for row in ROWS}) >= 60
    assert len([row for row in ROWS if not row[0].isascii()]) >= 30
    assert len([row for row in ROWS if row[0].isascii()]) >= 30


def test_readings_on_both_days_whatever_the_machine_s_zone(machine: str) -> None:
    wrong = [
        (machine, text, expected, found)
        for text, sunday, friday in ROWS
        for now, expected in ((SUNDAY, sunday), (FRIDAY, friday))
        if (found := " ".join(written(r) for r in parse(text, now=now, zone=ZONE))) != expected
    ]
    assert wrong == []


def test_found_within_a_sentence() -> None:
    """A weekday leans forward or back in a sentence; the rest is read as it is alone."""
    leans = {
        "25号",
        "周日",
        "周末",
        "周三",
        "周二以来",
        "Sunday",
        "since Tuesday",
        "by Friday",
        "between Monday and Wednesday",
    }
    for text, sunday, _ in ROWS:
        said = text.replace("25号", "11月25号").replace("the 25th", "on the 25th")
        (mention,) = find(f"我们{said}聊过" if not text.isascii() else f"what we said {said}?", now=SUNDAY, zone=ZONE)
        assert mention.range is not None
        if text not in leans:
            assert " ".join(map(written, (mention.range, *mention.others))) == sunday, text


@pytest.mark.parametrize(
    ("text", "first"),
    [("周日", "2026-03-01"), ("early May", "2025-05-01/2025-05-11"), ("25号", "2026-02-25"), ("月底", "2026-02-21/2026-03-01"),
     ("next Sunday", "2026-03-08"), ("周三", "2026-03-04"), ("the end of the year", "2025-11-01/2026-01-01")],
)  # fmt: skip
def test_what_has_been_said_is_past(text: str, first: str) -> None:
    assert written(parse(text, now=FRIDAY, zone=ZONE, past=True)[0]) == first
    (mention,) = find(text + "说的" if not text.isascii() else f"from {text} on", now=FRIDAY, zone=ZONE, past=True) or (
        None,
    )
    assert mention is None or mention.range is not None


def test_half_past_nine_in_the_evening_utc_is_the_next_day_three_hours_east() -> None:
    sent = datetime(2026, 11, 28, 21, 30, tzinfo=UTC)
    east = timezone(timedelta(hours=3))
    now = datetime(2026, 11, 29, 9, tzinfo=UTC)
    (today,), (yesterday,) = (parse(t, now=now, zone=east) for t in ("今天", "yesterday"))
    assert today.start <= sent < today.end
    assert not yesterday.start <= sent < yesterday.end
    (there,) = parse("yesterday", now=now, zone=UTC)
    assert there.start <= sent < there.end


@pytest.mark.parametrize(
    ("now", "text", "hours"),
    [
        (datetime(2026, 3, 30, 12), "昨天", 23),  # Europe's clocks go forward on the 29th
        (datetime(2026, 10, 26, 12), "yesterday", 25),  # and back on the 25th
        (datetime(2026, 3, 30, 12), "上周", 7 * 24 - 1),
        (datetime(2026, 10, 26, 12), "last weekend", 49),
    ],
)
def test_a_day_is_the_user_s_day_when_clocks_change(now: datetime, text: str, hours: int) -> None:
    zone = ZoneInfo("Europe/Berlin")
    (found,) = parse(text, now=now.replace(tzinfo=zone), zone=zone)
    assert found.end - found.start == timedelta(hours=hours)
    assert found.start.astimezone(zone).hour == found.end.astimezone(zone).hour == 0


@pytest.mark.parametrize(
    "text",
    ["那天", "某天", "改天", "开学的时候", "long ago", "someday", "the following day", "32号", "2月30日", "25 o'clock", "第六周",
     "on the 5th floor", "the 25th anniversary", "the first week", "a round table", "noon"],
)  # fmt: skip
def test_what_names_no_time_is_none(text: str) -> None:
    assert find(text, now=SUNDAY, zone=ZONE) == ()


@pytest.mark.parametrize(
    ("text", "first"),
    [("周二以来的邮件", "2026-11-24/2026-11-29T12:00"), ("emails since May?", "2026-05-01/2026-11-29T12:00"),
     ("周二开始吗", "2026-12-01/"), ("closed since next Tuesday", "2026-12-01/"), ("since 2027", "2027-01-01/")],
)  # fmt: skip
def test_what_goes_on_has_begun(text: str, first: str) -> None:
    (mention,) = find(text, now=SUNDAY, zone=ZONE)
    assert mention.range is not None
    assert written(mention.range) == first
    assert first.endswith("/") or all(one.start < SUNDAY for one in mention.others)


@pytest.mark.parametrize("text", ["孩子们去秋游", "去夏威夷玩", "去冬天的海边", "去春游吗"])
def test_going_somewhere_is_no_season_of_last_year(text: str) -> None:
    assert find(text, now=SUNDAY, zone=ZONE) == ()
    assert find("去秋的展览", now=SUNDAY, zone=ZONE)[0].text == "去秋"


@pytest.mark.parametrize(
    "text",
    ["2026 年 11 月 20 日", "11 月 20 号", "10 月底", "3 天前", "2 周前的周五", "2 个月前", "昨天下午 3 点", "最近 3 天",
     "2025 年", "2026 年 11 月", "11 月 3 日到 11 月 5 日", "2024 年以来"],
)  # fmt: skip
def test_a_space_beside_digits_changes_nothing(text: str) -> None:
    closed = text.replace(" ", "")
    assert parse(closed, now=SUNDAY, zone=ZONE)
    assert parse(text, now=SUNDAY, zone=ZONE) == parse(closed, now=SUNDAY, zone=ZONE)
    (mention,) = find(f"我们在 {text} 聊过", now=SUNDAY, zone=ZONE)
    assert mention.text == text
    assert (mention.range, mention.others) == (
        (tight := find(f"我们在 {closed} 聊过", now=SUNDAY, zone=ZONE)[0]).range,
        tight.others,
    )


@pytest.mark.parametrize("text", ["iPhone 15 个人用", "第 3 章", "买 3 个 5 元的", "room 12 is free", "the 3 of them"])
def test_digits_with_spaces_that_are_no_time(text: str) -> None:
    assert find(text, now=SUNDAY, zone=ZONE) == ()
