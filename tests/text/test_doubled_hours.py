"""A clock time in the hour that comes twice, when summer time ends: both are its readings, the first one first."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from qx.text import times

BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 11, 20, 12, tzinfo=BERLIN)


@pytest.mark.parametrize(
    "said",
    [
        "10月25日凌晨两点半",
        "2026年10月25日2点30分",
        "2026-10-25 02:30",
        "2:30 am on October 25",
        "October 25 at 2:30am",
        "10月25号凌晨2:30",
    ],
)
def test_both_hours_are_read(said: str) -> None:
    found = times.parse(said, now=NOW, zone=BERLIN)
    starts = [one.start.astimezone(UTC) for one in found]
    first = datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
    assert first in starts
    assert starts[starts.index(first) + 1] == first + timedelta(hours=1)
    offsets = [one.start.utcoffset() for one in found if one.start.hour == 2 and one.start.year == 2026]
    assert offsets == [timedelta(hours=2), timedelta(hours=1)]
    assert all(one.end - one.start == timedelta(minutes=1) for one in found)


def test_the_last_minute_of_the_first_hour_is_a_minute() -> None:
    found = times.parse("10月25日凌晨两点59分", now=NOW, zone=BERLIN)
    assert [one.end - one.start for one in found[:2]] == [timedelta(minutes=1)] * 2


def test_an_hour_that_comes_twice_is_both_of_them() -> None:
    hour, *_ = times.parse("10月25日凌晨两点", now=NOW, zone=BERLIN)
    assert (hour.end - hour.start) == timedelta(hours=2)


@pytest.mark.parametrize("said", ["10月25日凌晨三点半", "10月24日凌晨两点半", "3月29日凌晨两点半"])
def test_any_other_time_has_one_reading(said: str) -> None:
    assert len({one.start for one in times.parse(said, now=NOW, zone=BERLIN) if one.start.year == 2026}) == 1


def test_a_moment_that_names_its_offset_is_one() -> None:
    (found,) = times.parse("2026-10-25 02:30+01:00", now=NOW, zone=BERLIN)
    assert found.start.astimezone(UTC) == datetime(2026, 10, 25, 1, 30, tzinfo=UTC)
