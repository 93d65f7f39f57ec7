"""The days around a holiday, and the holidays of schools: spans that are reckoned, not known."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from qx.text import times
from qx.text.holiday_spans import is_estimated

ZONE = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 6, 15, 10, 0, tzinfo=ZONE)


def span(text: str, now: datetime = NOW) -> tuple[str, str, str]:
    """The only time of ``text``: its words, its first and its last day."""
    (found,) = times.find(text, now=now, zone=ZONE)
    assert found.range is not None
    last = found.range.end.date() - timedelta(days=1)
    return found.text, found.range.start.date().isoformat(), last.isoformat()


@pytest.mark.parametrize(
    ("text", "words", "first", "last"),
    [
        ("reports from christmas week", "christmas week", "2025-12-22", "2025-12-28"),
        ("the week of thanksgiving 2023", "the week of thanksgiving 2023", "2023-11-20", "2023-11-26"),
        ("orders over easter", "over easter", "2026-04-03", "2026-04-06"),
        ("easter weekend traffic", "easter weekend", "2026-04-03", "2026-04-06"),
        ("messages during christmas", "during christmas", "2025-12-24", "2025-12-26"),
        ("christmas holidays 2024 attendance", "christmas holidays 2024", "2024-12-20", "2025-01-02"),
        ("labor day weekend 2025", "labor day weekend 2025", "2025-08-30", "2025-09-01"),
        ("messages during the summer holidays", "during the summer holidays", "2026-07-01", "2026-08-31"),
        ("summer holidays 2025", "summer holidays 2025", "2025-07-01", "2025-08-31"),
        ("winter break 2024", "winter break 2024", "2024-12-20", "2025-01-05"),
        ("去年暑假的照片", "去年暑假", "2025-07-01", "2025-08-31"),
        ("暑假去哪玩", "暑假", "2026-07-01", "2026-08-31"),
        ("2025年寒假的活动", "2025年寒假", "2025-01-13", "2025-02-13"),
        ("圣诞那周的报告", "圣诞那周", "2025-12-22", "2025-12-28"),
        ("元旦期间的消息", "元旦期间", "2025-12-31", "2026-01-02"),
        ("春节期间的订单", "春节期间", "2026-02-16", "2026-02-23"),
        ("去年国庆期间的消息", "去年国庆期间", "2025-10-01", "2025-10-07"),
    ],
)
def test_spans(text: str, words: str, first: str, last: str):
    assert span(text) == (words, first, last)


@pytest.mark.parametrize(
    "text",
    ["暑假工招聘", "暑假作业答案", "寒假作业", "summer camp", "spring break movie cast", "easter egg ideas", "周边"],
)
def test_what_is_only_named_after_one_is_no_time(text: str):
    assert not times.find(text, now=NOW, zone=ZONE)


@pytest.mark.parametrize("text", ["over christmas", "christmas week", "暑假", "寒假", "元旦期间", "summer holidays"])
def test_a_reckoned_span_says_so(text: str):
    assert is_estimated(text)


@pytest.mark.parametrize("text", ["christmas", "2024", "春节", "国庆", "last summer"])
def test_a_known_one_does_not(text: str):
    assert not is_estimated(text)


def test_the_holiday_that_is_on_is_meant():
    now = datetime(2026, 8, 20, tzinfo=ZONE)
    assert date.fromisoformat(span("暑假的消息", now)[1]).year == 2026
