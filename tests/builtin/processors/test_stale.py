"""Stale: only for queries that speak of a time, and only when all that is dated is older."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rankings import NOW, FakeContext, hit, listed, made

from qx.builtin.processors.stale import Stale
from qx.builtin.published import published, read


def dated(*days: str | None) -> Any:
    return listed(*(hit(str(i), metadata={"published": d} if d else {}) for i, d in enumerate(days)))


@pytest.mark.parametrize(
    ("text", "newest", "outcome"),
    [
        ("news of this week", "2026-11-01", "stale"),
        ("news of this week", "2026-11-26", "ok"),
        ("本周新闻", "2026-11-01", "stale"),
        ("2026年笔记本推荐", "2025-12-31", "stale"),
        ("2026年笔记本推荐", "2026-01-02", "ok"),
        ("latest iphone", "2024-09-01", "stale"),
        ("latest iphone", "2026-09-01", "ok"),
        ("最新的显卡", "2023-01-01", "stale"),
        ("what happened before 2020", "2010-01-01", "ok"),
        ("2019年以前的政策", "2010-01-01", "ok"),
        ("weather tomorrow", "2026-11-28", "ok"),
        ("weather tomorrow", "2020-01-01", "stale"),
        ("下周天气", "2026-11-20", "ok"),
        ("how to boil an egg", "1999-01-01", "ok"),
        ("怎么煮鸡蛋", "1999-01-01", "ok"),
    ],
)
async def test_when_it_is(services: Any, text: str, newest: str, outcome: str):
    done = await (await made(Stale, services)).process_hits(dated("1995-05-05", newest, None), FakeContext(text))
    assert done.outcome == outcome
    assert done.keys == ("0", "1", "2")


async def test_the_note_has_the_newest_date_and_the_undated_share(services: Any):
    context = FakeContext("news of this week")
    done = await (await made(Stale, services)).process_hits(dated("2026-11-01", None, None, "2025-01-01"), context)
    assert done.notes == (
        "stale: the newest of 2 dated hits is of 2026-11-01, the query asks for 2026-11-23 or later; "
        "50% of 4 hits have no date",
    )
    assert context.events[0][0] == "stale"
    assert context.events[0][1]["undated"] == 0.5


async def test_without_a_date_nothing_is_known(services: Any):
    given_ = dated(None, None, "soon")
    assert await (await made(Stale, services)).process_hits(given_, FakeContext("news of this week")) is given_


async def test_the_zone_of_the_query_counts(services: Any):
    stale = await made(Stale, services)
    given_ = dated("2026-11-28T18:00:00Z")  # the 29th in Shanghai
    assert (await stale.process_hits(given_, FakeContext("今天的新闻", timezone="Asia/Shanghai"))).outcome == "ok"
    assert (await stale.process_hits(given_, FakeContext("今天的新闻", timezone="UTC"))).outcome == "stale"
    local = NOW.astimezone(ZoneInfo("Asia/Shanghai"))
    assert (await stale.process_hits(given_, FakeContext("今天的新闻", now=local))).outcome == "ok"


async def test_settings(services: Any):
    given_ = listed(hit("a", metadata={"meta": {"day": "2026-06-20"}}))
    strict = await made(Stale, services, fields=["meta.day"], newest="30d")
    assert (await strict.process_hits(given_, FakeContext("latest news"))).outcome == "stale"
    assert (await (await made(Stale, services)).process_hits(given_, FakeContext("latest news"))).outcome == "ok"


@pytest.mark.parametrize(
    ("item", "day"),
    [
        ("2024-05-03", "2024-05-03"),
        ("2024-05-03T10:00:00+08:00", "2024-05-03"),
        ("2024-05-03 10:00", "2024-05-03"),
        ("Fri, 03 May 2024 10:00:00 GMT", "2024-05-03"),
        ("May 3, 2024", "2024-05-03"),
        ("2024年5月3日", "2024-05-03"),
        ("2024/05/03", "2024-05-03"),
        (1714730400, "2024-05-03"),
        (1714730400000, "2024-05-03"),
        ("1714730400", "2024-05-03"),
        ("3天前", "2026-11-26"),
        ("3 days ago", "2026-11-26"),
        (datetime(2024, 5, 3), "2024-05-03"),
        (date(2024, 5, 3), "2024-05-03"),
        (["2024-05-03", "2020-01-01"], "2024-05-03"),
        ("2024", "2024-01-01"),
        (2024, None),
        (True, None),
        ("", None),
        ("soon", None),
        ("n/a", None),
        ({"a": 1}, None),
        (None, None),
        (float("nan"), None),
    ],
)
def test_dates_as_metadata_has_them(item: object, day: str | None):
    found = published({"date": item}, now=NOW, zone=UTC)
    assert (found.date().isoformat() if found else None) == day


@settings(max_examples=60, deadline=None)
@given(st.one_of(st.text(max_size=30), st.floats(), st.integers(), st.datetimes(), st.binary(max_size=5)))
def test_any_value(item: object):
    found = read(item, now=NOW, zone=UTC)
    assert found is None or found.tzinfo is not None


@settings(max_examples=40, deadline=None)
@given(st.datetimes(min_value=datetime(1980, 1, 1), max_value=datetime(2100, 1, 1)))
def test_iso_and_seconds_agree(moment: datetime):
    aware = moment.replace(microsecond=0, tzinfo=UTC)
    assert read(aware.isoformat(), now=NOW, zone=UTC) == aware == read(aware.timestamp(), now=NOW, zone=UTC)
    assert read(aware.timestamp() * 1000, now=NOW, zone=UTC) - aware < timedelta(seconds=1)  # type: ignore[operator]
