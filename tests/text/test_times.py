"""Times in both languages: one table of expressions, one of words that only look like times."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from qx.text.times import EARLIEST, LATEST, TimeRange, find, parse, speaks_of_time

ZONE = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 5, 20, 14, 30, tzinfo=ZONE)
"""A Wednesday."""

# expression: first moment, moment after the last ("" on a side: open), as local time
ROWS: list[tuple[str, str, str]] = [
    ("昨天", "2026-05-19", "2026-05-20"),
    ("前天", "2026-05-18", "2026-05-19"),
    ("大前天", "2026-05-17", "2026-05-18"),
    ("今天", "2026-05-20", "2026-05-21"),
    ("明天", "2026-05-21", "2026-05-22"),
    ("后天", "2026-05-22", "2026-05-23"),
    ("上周三", "2026-05-13", "2026-05-14"),
    ("上上周", "2026-05-04", "2026-05-11"),
    ("本周", "2026-05-18", "2026-05-25"),
    ("这个星期", "2026-05-18", "2026-05-25"),
    ("下周一", "2026-05-25", "2026-05-26"),
    ("周五", "2026-05-22", "2026-05-23"),
    ("星期天", "2026-05-24", "2026-05-25"),
    ("周末", "2026-05-23", "2026-05-25"),
    ("上周末", "2026-05-16", "2026-05-18"),
    ("月底", "2026-05-21", "2026-06-01"),
    ("月初", "2026-05-01", "2026-05-11"),
    ("上个月", "2026-04-01", "2026-05-01"),
    ("上个月底", "2026-04-21", "2026-05-01"),
    ("下个月3号", "2026-06-03", "2026-06-04"),
    ("去年", "2025-01-01", "2026-01-01"),
    ("今年", "2026-01-01", "2027-01-01"),
    ("前年", "2024-01-01", "2025-01-01"),
    ("年底", "2026-11-01", "2027-01-01"),
    ("去年年底", "2025-11-01", "2026-01-01"),
    ("去年5月", "2025-05-01", "2025-06-01"),
    ("今年上半年", "2026-01-01", "2026-07-01"),
    ("去年夏天", "2025-06-01", "2025-09-01"),
    ("第三季度", "2026-07-01", "2026-10-01"),
    ("2023年第三季度", "2023-07-01", "2023-10-01"),
    ("上季度", "2026-01-01", "2026-04-01"),
    ("近三年", "2023-05-20", "2026-05-20T14:30"),
    ("最近一周", "2026-05-13", "2026-05-20T14:30"),
    ("最近两个月", "2026-03-20", "2026-05-20T14:30"),
    ("过去24小时", "2026-05-19T14:30", "2026-05-20T14:30"),
    ("半年前", "2025-11-01", "2025-12-01"),
    ("两周前的周五下午三点", "2026-05-08T15:00", "2026-05-08T16:00"),
    ("3天前", "2026-05-17", "2026-05-18"),
    ("三年前", "2023-01-01", "2024-01-01"),
    ("两个月前", "2026-03-01", "2026-04-01"),
    ("半小时前", "2026-05-20T13:55", "2026-05-20T14:05"),
    ("2小时前", "2026-05-20T12:00", "2026-05-20T13:00"),
    ("几天前", "2026-05-11", "2026-05-19"),
    ("2023年", "2023-01-01", "2024-01-01"),
    ("二〇二三年", "2023-01-01", "2024-01-01"),
    ("2023年5月", "2023-05-01", "2023-06-01"),
    ("23年5月", "2023-05-01", "2023-06-01"),
    ("2023年5月3日", "2023-05-03", "2023-05-04"),
    ("２０２３年５月３日", "2023-05-03", "2023-05-04"),
    ("5月3号", "2026-05-03", "2026-05-04"),
    ("五月三号", "2026-05-03", "2026-05-04"),
    ("3月", "2026-03-01", "2026-04-01"),
    ("2023年初", "2023-01-01", "2023-04-01"),
    ("国庆节", "2026-10-01", "2026-10-08"),
    ("去年国庆", "2025-10-01", "2025-10-08"),
    ("2024年春节", "2024-02-09", "2024-02-17"),
    ("中秋节", "2026-09-25", "2026-09-26"),
    ("端午节", "2026-06-19", "2026-06-20"),
    ("平安夜", "2025-12-24", "2025-12-25"),
    ("黑五", "2025-11-28", "2025-11-29"),
    ("春节前", "", "2026-02-16"),
    ("今晚", "2026-05-20T18:00", "2026-05-21"),
    ("昨晚8点", "2026-05-19T20:00", "2026-05-19T21:00"),
    ("明天下午三点", "2026-05-21T15:00", "2026-05-21T16:00"),
    ("昨天中午12点半", "2026-05-19T12:30", "2026-05-19T12:31"),
    ("昨天凌晨两点", "2026-05-19T02:00", "2026-05-19T03:00"),
    ("2021年以来", "2021-01-01", "2026-05-20T14:30"),
    ("2020年以前", "", "2020-01-01"),
    ("2020年以后", "2020-01-01", ""),
    ("从2019年到2021年", "2019-01-01", "2022-01-01"),
    ("2023年3月到5月", "2023-03-01", "2023-06-01"),
    ("5月3日到7日", "2026-05-03", "2026-05-08"),
    ("昨天下午3点到5点", "2026-05-19T15:00", "2026-05-19T18:00"),
    ("晚上20:30", "2026-05-20T20:30", "2026-05-20T20:31"),
    ("刚才", "2026-05-20T13:30", "2026-05-20T14:30"),
    ("15号之前", "", "2026-05-15"),
    ("自2019年起", "2019-01-01", "2026-05-20T14:30"),
    ("2019年至今", "2019-01-01", "2026-05-20T14:30"),
    ("2023Q4", "2023-10-01", "2024-01-01"),
    ("23年Q4", "2023-10-01", "2024-01-01"),
    ("6月下旬", "2026-06-21", "2026-07-01"),
    ("未来一周", "2026-05-20T14:30", "2026-05-28"),
    ("80年代", "1980-01-01", "1990-01-01"),
    ("yesterday", "2026-05-19", "2026-05-20"),
    ("the day before yesterday", "2026-05-18", "2026-05-19"),
    ("tomorrow", "2026-05-21", "2026-05-22"),
    ("yesterday at 3pm", "2026-05-19T15:00", "2026-05-19T16:00"),
    ("3:30 pm yesterday", "2026-05-19T15:30", "2026-05-19T15:31"),
    ("last Wednesday", "2026-05-13", "2026-05-14"),
    ("last Tuesday", "2026-05-19", "2026-05-20"),
    ("next Monday", "2026-05-25", "2026-05-26"),
    ("Sunday", "2026-05-17", "2026-05-18"),
    ("Friday afternoon", "2026-05-15T12:00", "2026-05-15T18:00"),
    ("last night", "2026-05-19T18:00", "2026-05-20T04:00"),
    ("tonight at 8", "2026-05-20T20:00", "2026-05-20T21:00"),
    ("end of the year", "2026-11-01", "2027-01-01"),
    ("from monday to friday", "2026-05-18", "2026-05-23"),
    ("this week", "2026-05-18", "2026-05-25"),
    ("last week", "2026-05-11", "2026-05-18"),
    ("the week before last", "2026-05-04", "2026-05-11"),
    ("this weekend", "2026-05-23", "2026-05-25"),
    ("last month", "2026-04-01", "2026-05-01"),
    ("end of last month", "2026-04-21", "2026-05-01"),
    ("last year", "2025-01-01", "2026-01-01"),
    ("last quarter", "2026-01-01", "2026-04-01"),
    ("two weeks ago on Friday", "2026-05-08", "2026-05-09"),
    ("Friday two weeks ago", "2026-05-08", "2026-05-09"),
    ("3 days ago", "2026-05-17", "2026-05-18"),
    ("half an hour ago", "2026-05-20T13:55", "2026-05-20T14:05"),
    ("a couple of weeks ago", "2026-04-29", "2026-05-07"),
    ("since 2021", "2021-01-01", "2026-05-20T14:30"),
    ("before 2020", "", "2020-01-01"),
    ("after 2020", "2021-01-01", ""),
    ("until March 2024", "", "2024-04-01"),
    ("since last Friday", "2026-05-15", "2026-05-20T14:30"),
    ("in the past 3 months", "2026-02-20", "2026-05-20T14:30"),
    ("last 24 hours", "2026-05-19T14:30", "2026-05-20T14:30"),
    ("past week", "2026-05-13", "2026-05-20T14:30"),
    ("Q3 2023", "2023-07-01", "2023-10-01"),
    ("third quarter of 2023", "2023-07-01", "2023-10-01"),
    ("H1 2023", "2023-01-01", "2023-07-01"),
    ("May 2023", "2023-05-01", "2023-06-01"),
    ("3 May", "2026-05-03", "2026-05-04"),
    ("May 3rd, 2023", "2023-05-03", "2023-05-04"),
    ("Friday, 3 May 2024", "2024-05-03", "2024-05-04"),
    ("in March", "2026-03-01", "2026-04-01"),
    ("early 2023", "2023-01-01", "2023-04-01"),
    ("mid-May 2024", "2024-05-11", "2024-05-21"),
    ("last summer", "2025-06-01", "2025-09-01"),
    ("summer of 2023", "2023-06-01", "2023-09-01"),
    ("between 2019 and 2021", "2019-01-01", "2022-01-01"),
    ("2019-2021", "2019-01-01", "2022-01-01"),
    ("from June to August 2023", "2023-06-01", "2023-09-01"),
    ("the 1990s", "1990-01-01", "2000-01-01"),
    ("Thanksgiving 2025", "2025-11-27", "2025-11-28"),
    ("Easter 2025", "2025-04-20", "2025-04-21"),
    ("Chinese New Year 2025", "2025-01-28", "2025-02-05"),
    ("2023-05-03", "2023-05-03", "2023-05-04"),
    ("2024/05/03", "2024-05-03", "2024-05-04"),
    ("2024-05", "2024-05-01", "2024-06-01"),
    ("20230503", "2023-05-03", "2023-05-04"),
    ("2023-05-03T10:20:00Z", "2023-05-03T18:20", "2023-05-03T18:21"),
    ("2023-05-03 10:20", "2023-05-03T10:20", "2023-05-03T10:21"),
    ("05/03/2024", "2024-05-03", "2024-05-04"),
]

NOT_TIMES = [
    "月亮", "周杰伦", "一天到晚", "晚上周杰伦演唱会", "五月天", "马上周末", "每周三", "一周三次", "3个月", "三点建议", "16:9", "早上好",
    "今日头条", "明日方舟", "后天性近视", "3号线", "5号电池", "预算2000左右", "2000元", "日本周边", "周大福", "第3章", "清明上河图",
    "离我最近的银行", "最近的地铁站", "三年级", "5G", "16GB", "小米14", "蜜月旅行", "周围",
    "March forward", "may the verb", "you may go", "how may I help", "second hand", "sun glasses", "sat nav", "mar the surface",
    "Office 2019", "Windows 11", "python 3.11", "2021 people", "model 2020", "marching band", "decade-long", "fall over",
    "first aid", "daylight", "ISO 9001", "1920x1080", "192.168.2.1", "every Monday", "monday.com", "the year of the rat", "",
]  # fmt: skip


def local(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=ZONE)


def same(found: TimeRange, start: str, end: str) -> bool:
    if found.open_start != (not start) or found.open_end != (not end):
        return False
    return found.start == (local(start) if start else EARLIEST) and found.end == (local(end) if end else LATEST)


@pytest.mark.parametrize(("text", "start", "end"), ROWS, ids=[row[0] for row in ROWS])
def test_expression(text: str, start: str, end: str) -> None:
    readings = parse(text, now=NOW, zone=ZONE)
    assert readings, f"{text} is not read as a time"
    assert same(readings[0], start, end), readings[0]
    assert len(set(readings)) == len(readings)
    assert speaks_of_time(text)


@pytest.mark.parametrize(("text", "start", "end"), ROWS, ids=[row[0] for row in ROWS])
def test_expression_within_a_query(text: str, start: str, end: str) -> None:
    for query in (f"聊过的方案 {text} 的文档", f"notes from the meeting: {text}, please"):
        found = [m for m in find(query, now=NOW, zone=ZONE) if m.range is not None and same(m.range, start, end)]
        assert len(found) == 1, find(query, now=NOW, zone=ZONE)
        assert query[found[0].start : found[0].end] == found[0].text


@pytest.mark.parametrize("text", NOT_TIMES)
def test_not_a_time(text: str) -> None:
    assert find(text, now=NOW, zone=ZONE) == ()
    assert not speaks_of_time(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("特斯拉最近那个车怎么样", "最近"),
        ("最新款手机", "最新"),
        ("近期的政策", "近期"),
        ("the latest iPhone", "latest"),
        ("newest graphics card", "newest"),
        ("recent survey on graph networks", "recent"),
        ("most recent paper", "most recent"),
        ("what happened lately", "lately"),
    ],
)
def test_newest(text: str, words: str) -> None:
    (mention,) = find(text, now=NOW, zone=ZONE)
    assert (mention.text, mention.newest, mention.range) == (words, True, None)
    assert speaks_of_time(text)
    assert parse(text, now=NOW, zone=ZONE) == ()


def test_a_span_is_not_the_newest() -> None:
    (mention,) = find("最近一周的新闻", now=NOW, zone=ZONE)
    assert mention.text == "最近一周"
    assert not mention.newest


@pytest.mark.parametrize(
    ("text", "others"),
    [
        ("5月3号", {"2025-05-03", "2027-05-03"}),
        ("05/03/2024", {"2024-03-05"}),
        ("Sunday", {"2026-05-24"}),
        ("周五", {"2026-05-15", "2026-05-29"}),
        ("next Friday", {"2026-05-29"}),
        ("昨天三点", {"2026-05-19"}),
        ("三年前", {"2023-05-20"}),
    ],
)
def test_other_readings_follow(text: str, others: set[str]) -> None:
    first, *rest = parse(text, now=NOW, zone=ZONE)
    assert first not in rest
    assert {r.start.date().isoformat() for r in rest} == others


def test_a_date_that_does_not_exist_is_none() -> None:
    assert parse("2023年2月30日", now=NOW, zone=ZONE) == ()
    assert parse("2023-02-30", now=NOW, zone=ZONE) == ()


def test_more_than_a_time_is_not_one_expression() -> None:
    assert parse("上周三的会议纪要", now=NOW, zone=ZONE) == ()
    assert parse("上周三的", now=NOW, zone=ZONE) != ()


def test_words_that_need_company() -> None:
    assert parse("May", now=NOW, zone=ZONE) != ()
    assert parse("3号", now=NOW, zone=ZONE) != ()
    assert find("May", now=NOW, zone=ZONE) == ()
    assert find("晚上睡不着", now=NOW, zone=ZONE) == ()


def test_december_asked_in_spring_is_the_last_one() -> None:
    assert parse("December", now=NOW, zone=ZONE)[0].start == local("2025-12-01")
    assert parse("12月", now=datetime(2026, 1, 5, tzinfo=ZONE), zone=ZONE)[0].start == local("2025-12-01")
