"""``when``, ``since`` and ``until``: what they are read as, and that what cannot be read is said."""

from contextlib import suppress
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from qx.errors import UsageError
from qx_chatlog import when

SHANGHAI = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 11, 29, 12, tzinfo=SHANGHAI)  # a Sunday


def _days(*words: str, now: datetime = NOW, zone: ZoneInfo = SHANGHAI, **more: str) -> list[tuple[str, str]]:
    read = when.read(*words, now=now, zone=zone, **more)
    return [(str(s.start and s.start.isoformat()[:16]), str(s.end and s.end.isoformat()[:16])) for s in read.spans]


@pytest.mark.parametrize(
    ("words", "start", "end"),
    [
        ("上周三", "2026-11-18T00:00", "2026-11-19T00:00"),
        ("是上周三的时候吧", "2026-11-18T00:00", "2026-11-19T00:00"),
        ("I think last Wednesday", "2026-11-25T00:00", "2026-11-26T00:00"),
        ("2026-11-20", "2026-11-20T00:00", "2026-11-21T00:00"),
        ("国庆期间", "2026-10-01T00:00", "2026-10-08T00:00"),
        ("before 2026", "None", "2026-01-01T00:00"),
    ],
)
def test_words_become_a_range_in_the_users_zone(words: str, start: str, end: str):
    assert _days(words)[0] == (start, end)


def test_alternatives_follow_the_best_reading():
    read = when.read("last Wednesday", now=NOW, zone=SHANGHAI)
    shown = when.shown(read, "Asia/Shanghai")
    assert shown is not None
    assert (shown.start, shown.end) == ("2026-11-25T00:00:00+08:00", "2026-11-26T00:00:00+08:00")
    assert shown.alternatives[0] == ("2026-11-18T00:00:00+08:00", "2026-11-19T00:00:00+08:00")


def test_until_takes_in_the_day_that_it_names():
    assert _days(until="2026-11-20") == [("None", "2026-11-21T00:00")]
    assert _days(since="上周三", until="昨天") == [("2026-11-18T00:00", "2026-11-29T00:00")]
    assert _days(until="2026-11-20T10:00:00Z") == [("None", "2026-11-20T18:00")] or _days(
        until="2026-11-20T10:00:00Z"
    ) == [("None", "2026-11-20T18:01")]


def test_since_and_until_limit_when():
    assert _days("上周", since="上周三") == [("2026-11-18T00:00", "2026-11-23T00:00")]
    with pytest.raises(UsageError, match="ends before it starts"):
        when.read("上周", since="昨天", now=NOW, zone=SHANGHAI)


@pytest.mark.parametrize(
    "words", ["blurgh", "not last Wednesday", "等老王回来", "2月31日", "when we talked about Bali", "?"]
)
def test_what_cannot_be_read_is_said_and_never_another_day(words: str):
    for field in ("when", "since", "until"):
        with pytest.raises(UsageError, match=f"{field}: .*is not a time"):
            when.read(now=NOW, zone=SHANGHAI, **{field: words})


@pytest.mark.parametrize("words", ["最近", "recently", "lately"])
def test_recently_limits_nothing_and_asks_for_the_newest(words: str):
    read = when.read(words, now=NOW, zone=SHANGHAI)
    assert read.newest
    assert read.spans == ()


def test_days_are_the_users_days_across_summer_time():
    berlin = ZoneInfo("Europe/Berlin")
    now = datetime(2026, 10, 26, 9, tzinfo=berlin)  # the day after the clocks went back
    assert _days("yesterday", now=now, zone=berlin) == [("2026-10-25T00:00", "2026-10-26T00:00")]
    (span,) = when.read("yesterday", now=now, zone=berlin).spans
    assert span.start is not None
    assert span.end is not None
    assert (span.end - span.start).total_seconds() == 25 * 3600


@pytest.mark.parametrize(
    "words", ["10月25日凌晨两点半", "2:30 am on October 25", "2026-10-25T02:30:15", "20261025T023015"]
)
def test_an_hour_that_comes_twice_is_read_as_both(words: str):
    berlin = ZoneInfo("Europe/Berlin")
    now = datetime(2026, 10, 26, 9, tzinfo=berlin)
    offsets = [
        (span.start.utcoffset() or timedelta()).total_seconds() / 3600
        for span in when.read(words, now=now, zone=berlin).spans
        if span.start is not None and span.start.hour == 2 and span.start.year == 2026
    ]
    assert offsets == [2, 1]
    last = when.read(until=words, now=now, zone=berlin).spans[0].end
    assert last is not None
    assert (last.utcoffset() or timedelta()).total_seconds() == 3600, "--until takes in the second of them"
    first = when.read(since=words, now=now, zone=berlin).spans[0].start
    assert first is not None
    assert (first.utcoffset() or timedelta()).total_seconds() == 7200


@pytest.mark.parametrize("words", ["2026-03-29T02:30:15", "20260329T023015"])
def test_a_time_that_summer_time_skips_moves_on(words: str):
    berlin = ZoneInfo("Europe/Berlin")
    (span,) = when.read(words, now=datetime(2026, 4, 1, tzinfo=berlin), zone=berlin).spans
    assert span.start is not None
    assert span.start.isoformat(timespec="minutes") == "2026-03-29T03:30+02:00"


@pytest.mark.parametrize("words", ["0001-01-01", "9999-12-31T23:59:59"])
@pytest.mark.parametrize("zone", ["Pacific/Chatham", "America/Havana", "UTC"])
def test_the_ends_of_all_years_are_times_or_said_to_be_none(words: str, zone: str):
    there = ZoneInfo(zone)
    for field in ("when", "since", "until"):
        with suppress(UsageError):  # and no other error
            assert when.read(now=NOW, zone=there, **{field: words}).spans


def test_the_time_of_a_question():
    found = when.mentioned("我上周反馈的登录页面加载慢的问题后来解决了吗", now=NOW, zone=SHANGHAI)
    assert found.said == "上周"
    assert found.spans[0].start == datetime(2026, 11, 16, tzinfo=SHANGHAI)
    assert when.mentioned("他说的那个方法叫什么", now=NOW, zone=SHANGHAI).spans == ()
