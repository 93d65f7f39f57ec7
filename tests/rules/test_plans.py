"""Months and holidays without a year: the coming one of a plan, the last one of what has been."""

from collections.abc import Callable

import pytest

from qx.types import Understanding


def starts(understanding: Understanding) -> list[str]:
    return [str(c.value) for c in understanding.constraints if c.op == "ge" and c.field in ("date", "published")]


@pytest.mark.parametrize(
    ("text", "first"),
    [  # asked on 15 June 2026
        ("flights to tokyo in april", "2027-04-01"),
        ("hotels in lisbon in may under 120 euros a night", "2027-05-01"),
        ("concerts in seattle in may", "2027-05-01"),
        ("flights to tokyo in august", "2026-08-01"),
        ("五月去云南穿什么", "2027-05-01"),
        ("五一去哪玩人少", "2027-05-01"),
        ("四月的机票", "2027-04-01"),
        ("四月去哪裡玩", "2027-04-01"),
        ("lessons starting in april", "2027-04-01"),
        ("contracts expiring in may", "2027-05-01"),
        ("四月开课的油画班", "2027-04-01"),
        ("4月12日罗马飞里斯本的航班", "2027-04-12"),
    ],
)
def test_a_plan_is_about_what_comes(text: str, first: str, understand: Callable[..., Understanding]):
    assert starts(understand(text)) == [first]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("iphone sales in april", "2026-04-01"),
        ("error starting in april", "2026-04-01"),
        ("四月开课的班退款了", "2026-04-01"),
        ("papers on agents published in may", "2026-05-01"),
        ("my flight in april was delayed", "2026-04-01"),
        ("去年五月去哪玩", "2025-05-01"),
        ("五月去过的酒店", "2026-05-01"),
        ("四月酒店入住数据", "2026-04-01"),
        ("trip to rome in may 2026", "2026-05-01"),
        ("国庆期间的订单", "2025-10-01"),
        ("refunds over christmas", "2025-12-24"),
        ("去年暑假订的酒店", "2025-07-01"),
    ],
)
def test_what_has_been_is_about_what_is_over(text: str, first: str, understand: Callable[..., Understanding]):
    assert starts(understand(text)) == [first]


@pytest.mark.parametrize("text", ["news from christmas week", "reports over easter", "暑假的新闻", "元旦期间的新闻"])
def test_a_span_that_is_reckoned_is_no_hard_limit(text: str, understand: Callable[..., Understanding]):
    found = [c for c in understand(text).constraints if c.field in ("date", "published")]
    assert found
    assert not any(c.hard for c in found)


def test_a_day_that_is_known_still_is(understand: Callable[..., Understanding]):
    assert any(c.hard for c in understand("news since christmas").constraints)
