"""Words that are one are never cut; what a thing is measured by stays; model names win over sizes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from qx.domain import Knowledge
from qx.rules.expand import choose, expand
from qx.rules.wording import Wording
from qx.settings import Expand
from qx.steps.guard import guard
from qx.types import Query, SubQuery, Understanding

Understand = Callable[..., Understanding]


async def made(text: str, understand: Understand, make_context: Any, strategies: Any) -> list[SubQuery]:
    query, context = Query(text=text), make_context()
    understanding = understand(text)
    names = choose(query, understanding, context.knowledge)
    found = await expand(query, understanding, context, strategies(names))
    return list(guard(query, understanding, found, settings=Expand(), knowledge=context.knowledge)[0])


@pytest.mark.parametrize(
    ("text", "core"),
    [
        ("老人机", "老人机"),
        ("有货吗", "有货"),
        ("华为Mate60 Pro 有货吗", "华为Mate60 Pro 有货"),
        ("退款多久到账", "退款多久到账"),
        ("申请外网权限", "申请外网权限"),
        ("比iPhone便宜的手机", "比iPhone便宜 手机"),
        ("有没有比小米14好一点的手机", "比小米14好一点 手机"),
        ("性价比高的手机", "性价比高 手机"),
    ],
)
def test_cores(text: str, core: str, understand: Understand, knowledge: Knowledge):
    assert Wording.of(Query(text=text), understand(text), knowledge).core == core


async def test_what_a_thing_is_measured_by_stays(understand: Understand, make_context: Any, strategies: Any):
    found = await made("比iPhone便宜的手机", understand, make_context, strategies)
    assert len(found) > 3
    assert all("比iPhone便宜" in q.text for q in found)


@pytest.mark.parametrize(
    ("text", "name", "field", "op"),
    [
        ("iphone 15 pro max 256gb", "iphone 15 pro max", "storage", "eq"),
        ("ipad mini 128gb", "ipad mini", "storage", "eq"),
        ("macbook air 16gb ram", "macbook air", "memory", "eq"),
    ],
)
def test_a_model_keeps_its_name(text: str, name: str, field: str, op: str, understand: Understand):
    understanding = understand(text)
    assert name in [e.text for e in understanding.entities]
    assert [(c.field, c.op) for c in understanding.constraints] == [(field, op)]


async def test_no_query_loses_the_model(understand: Understand, make_context: Any, strategies: Any):
    found = await made("ipad mini 128gb", understand, make_context, strategies)
    assert all("mini" in q.text for q in found)


@pytest.mark.parametrize(
    ("text", "excluded"),
    [
        ("noise cancelling headphones no bluetooth", "bluetooth"),
        ("earbuds not in ear", "in ear"),
        ("tv 55 inch not smart", "smart"),
        ("想要一个不是苹果的平板", "苹果"),
        ("不带摄像头的手机", "摄像头"),
    ],
)
async def test_what_is_excluded_is_never_asked_for(
    text: str, excluded: str, understand: Understand, make_context: Any, strategies: Any
):
    assert excluded in understand(text).negations
    found = await made(text, understand, make_context, strategies)
    assert len(found) > 3
    assert not any(f'"{excluded}"' in q.text and "-" not in q.text for q in found)


@pytest.mark.parametrize("text", ["jira", "okta login loop", "citrix", "dji osmo", "ugreen nexode 100w"])
async def test_a_name_is_not_corrected(text: str, understand: Understand, make_context: Any, strategies: Any):
    understanding = understand(text)
    assert not understanding.signals
    assert not [c for c in understanding.constraints if c.field == "colour"]
    assert all(text in q.text for q in await made(text, understand, make_context, strategies))
