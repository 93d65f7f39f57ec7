"""What holds of every text, moment and zone: aware and ordered ranges, true spans, no exception."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qx.text.times import TimeRange, find, parse, speaks_of_time

ZONES = [
    UTC,
    timezone(timedelta(hours=-9, minutes=-30)),
    *map(
        ZoneInfo,
        ("Asia/Shanghai", "America/New_York", "Europe/London", "Australia/Lord_Howe", "Pacific/Apia", "Asia/Kathmandu"),
    ),
]
PIECES = ["昨天", "前天", "上周三", "周五", "周", "月", "年", "日", "号", "上", "下", "个", "的", "到", "以前", "以来", "前", "后", "两", "三", "十", "5", "31", "2023", "2023年", "5月", "3日", "99", "下午", "晚上", "三点", "半", "小时", "分钟", "最近", "近", "过去", "国庆节", "春节", "末", "底", "初", "last", "next", "ago", "since", "before", "after", "between", "and", "to", "May", "March", "3rd", "Friday", "Q3", "week", "month", "year", "pm", "at", "3", "12", "30", ":", "-", "/", ".", ",", "0000", "9999年", "9999", "1年", "2400", "30日", "24点", "100", "500", "yesterday", "the", "in", "of", "early", "end", "half", "an", "hour\u3000", "２０２３年"]  # fmt: skip
TEXTS = st.one_of(
    st.text(max_size=40),
    st.lists(st.sampled_from(PIECES), max_size=8).map("".join),
    st.lists(st.sampled_from(PIECES), max_size=8).map(" ".join),
)
MOMENTS = st.datetimes(datetime(1970, 1, 1), datetime(2100, 1, 1), timezones=st.sampled_from(ZONES))
EXPRESSIONS = [
    "昨天", "上周三", "周末", "月底", "去年国庆", "近三年", "过去24小时", "半小时前", "今晚", "明天下午三点", "昨天凌晨两点", "两周前的周五下午三点",
    "yesterday at 2:30 am", "last Sunday", "in the past 3 months", "last 30 minutes", "tonight", "this weekend", "Q3", "3 May", "since 2021",
    "tomorrow at 2am", "an hour ago",
]  # fmt: skip


def check(found: TimeRange) -> None:
    assert found.start.tzinfo is not None
    assert found.end.tzinfo is not None
    assert found.start < found.end
    assert found.start.timestamp() < found.end.timestamp()


@given(TEXTS, MOMENTS, st.sampled_from(ZONES))
@settings(max_examples=100, deadline=None)
def test_any_text(text: str, now: datetime, zone: timezone | ZoneInfo) -> None:
    last = 0
    mentions = find(text, now=now, zone=zone)
    for mention in mentions:
        assert last <= mention.start < mention.end <= len(text)
        assert text[mention.start : mention.end] == mention.text
        assert mention.newest == (mention.range is None)
        if mention.range is not None:
            check(mention.range)
        last = mention.end
    for reading in parse(text, now=now, zone=zone):
        check(reading)
    assert speaks_of_time(text) or not mentions
    assert find(text, now=now, zone=zone) == mentions


@given(st.sampled_from(EXPRESSIONS), MOMENTS, st.sampled_from(ZONES))
@settings(max_examples=100, deadline=None)
def test_real_expressions_at_any_moment(text: str, now: datetime, zone: timezone | ZoneInfo) -> None:
    readings = parse(text, now=now, zone=zone)
    assert readings
    for reading in readings:
        check(reading)
    assert readings == parse(text, now=now.astimezone(UTC), zone=zone)


@given(MOMENTS, st.sampled_from(ZONES))
@settings(max_examples=60, deadline=None)
def test_yesterday_is_a_day_of_the_zone(now: datetime, zone: timezone | ZoneInfo) -> None:
    now = now.astimezone(UTC).astimezone(now.tzinfo)  # a time that a change skips is another moment
    (found,) = parse("昨天", now=now, zone=zone)
    (today,) = parse("today", now=now, zone=zone)
    assert today.start <= now < today.end
    assert found.end == today.start or zone == ZoneInfo("Pacific/Apia")  # Samoa left out a day in 2011
    local = found.start.astimezone(zone)
    assert (local.hour, local.minute) == (0, 0) or local.utcoffset() != (found.start - timedelta(hours=3)).astimezone(
        zone
    ).utcoffset()


@given(st.dates(datetime(1975, 1, 1).date(), datetime(2099, 12, 31).date()), st.sampled_from(ZONES[:5]))
@settings(max_examples=60, deadline=None)
def test_dates_round_trip(day: object, zone: timezone | ZoneInfo) -> None:
    from datetime import date

    assert isinstance(day, date)
    now = datetime(2026, 5, 20, tzinfo=UTC)
    months = [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ]
    for text in (
        day.isoformat(),
        f"{day.year}/{day.month}/{day.day}",
        f"{day.year}年{day.month}月{day.day}日",
        f"{months[day.month - 1]} {day.day}, {day.year}",
        f"{day.day} {months[day.month - 1][:3]} {day.year}",
    ):
        readings = parse(text, now=now, zone=zone)
        assert [r.start.date() for r in readings] == [day], text


def test_the_hour_that_summer_time_skips_and_the_one_it_repeats() -> None:
    zone = ZoneInfo("America/New_York")
    spring = datetime(2026, 3, 9, 12, tzinfo=zone)
    (skipped,) = parse("yesterday at 2am", now=spring, zone=zone)
    check(skipped)
    (day,) = parse("yesterday", now=spring, zone=zone)
    assert day.end - day.start == timedelta(hours=23)
    autumn = datetime(2026, 11, 2, 12, tzinfo=zone)
    (day,) = parse("yesterday", now=autumn, zone=zone)
    assert day.end - day.start == timedelta(hours=25)
    (lasting,) = parse("last 24 hours", now=datetime(2026, 11, 1, 12, tzinfo=zone), zone=zone)
    assert lasting.end - lasting.start == timedelta(hours=24)


def test_the_zone_decides_the_day() -> None:
    now = datetime(2026, 5, 20, 20, 0, tzinfo=UTC)
    assert parse("昨天", now=now, zone=ZoneInfo("Asia/Shanghai"))[0].start == datetime(2026, 5, 19, 16, tzinfo=UTC)
    assert parse("昨天", now=now, zone=UTC)[0].start == datetime(2026, 5, 19, tzinfo=UTC)


@pytest.mark.parametrize("now", [datetime(1, 1, 3, tzinfo=UTC), datetime(9999, 12, 29, tzinfo=UTC)])
@pytest.mark.parametrize(
    "text", [*EXPRESSIONS, "明年", "去年", "500年前", "下个月", "春节", "next decade", "100 years ago", "before 1000年"]
)
def test_the_ends_of_time(text: str, now: datetime) -> None:
    for reading in parse(text, now=now, zone=UTC):
        check(reading)


@pytest.mark.parametrize(
    "piece", ["1", "1月", "昨天", "2021 ", "2021-", "last friday ", "may 3 ", "周", "一", "1:", "half a ", "年", "从"]
)
def test_long_hostile_text_is_not_quadratic(piece: str) -> None:
    """What is quadratic takes minutes here and runs into the timeout of the test."""
    text = piece * (100_000 // len(piece))
    find(text, now=datetime(2026, 5, 20, tzinfo=UTC), zone=UTC)
    speaks_of_time(text)
