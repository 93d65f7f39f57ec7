"""block, allow, filter."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rankings import FakeContext, consistent, hit, keys, listed, made

from qx.builtin.processors.allow import Allow
from qx.builtin.processors.block import Block
from qx.builtin.processors.filter import FilterHits
from qx.builtin.processors.lists import Rules
from qx.builtin.processors.lists import Settings as RuleSettings
from qx.errors import ProfileError

HITS = [
    hit(
        "sku-1",
        title="Red Shoes",
        url="https://shop.example.org/p/1?utm_source=x",
        metadata={"price": 40, "brand": "HP"},
    ),
    hit("sku-2", title="Blue shoes", url="https://example.org/p/2", metadata={"price": 90, "tags": ["new", "sale"]}),
    hit("sku-3", title="会议 记录", text="second-hand", url="https://notexample.org/p/3", metadata={"brand": "Dell"}),
    hit("sku-4", title="No link"),
]


async def after(processor: Any, services: Any, **options: Any) -> str:
    done = await (await made(processor, services, **options)).process_hits(listed(*HITS), FakeContext())
    assert consistent(done, HITS)
    assert {key for key, _ in done.dropped} == {h.id for h in HITS} - set(done.keys)
    return keys(done)


@pytest.mark.parametrize(
    ("options", "meant"),
    [
        ({"ids": ["sku-4", "sku"]}, "sku-4"),
        ({"urls": ["HTTPS://shop.example.org/p/1#top"]}, "sku-1"),
        ({"domains": ["example.org"]}, "sku-1 sku-2"),
        ({"domains": ["shop.example.org", "https://NOTexample.org/"]}, "sku-1 sku-3"),
        ({"domains": ["*.example.org"]}, "sku-1 sku-2"),
        ({"patterns": ["(?i)shoes"]}, "sku-1 sku-2"),
        ({"patterns": ["会议", "^second"]}, "sku-3"),
        ({"ids": ["sku-1"], "patterns": ["/p/3$"]}, "sku-1 sku-3"),
        ({"ids": ["nothing"]}, ""),
    ],
)
async def test_block_and_allow_are_opposites(services: Any, options: dict[str, Any], meant: str):
    assert await after(Allow, services, **options) == meant
    rest = [h.id for h in HITS if h.id not in meant.split()]
    assert await after(Block, services, **options) == " ".join(rest)


async def test_reasons(services: Any):
    done = await (await made(Block, services, domains=["example.org"])).process_hits(listed(*HITS), FakeContext())
    assert done.dropped[0] == ("sku-1", "blocked: domain example.org")


@pytest.mark.parametrize("processor", [Block, Allow])
async def test_settings_that_are_wrong(services: Any, processor: Any):
    with pytest.raises(ValueError, match="at least one"):
        processor.Settings.model_validate({})
    with pytest.raises(ProfileError, match="RE2"):
        await made(processor, services, patterns=["(?=x)"])


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=20), st.text(max_size=20), st.text(max_size=20))
def test_any_text(id: str, url: str, text: str):
    rules = Rules(RuleSettings(ids=(id,), urls=(url,), domains=(text,), patterns=("a+",)), "block")
    assert rules.reason(hit(id, url=url, title=text)) == f"id {id}"
    rules.reason(hit(id + "x", url=url, title=text))


@pytest.mark.parametrize(
    ("where", "left"),
    [
        ("price < 50", "sku-1"),
        (["price >= 40", "price <= 90"], "sku-1 sku-2"),
        ("brand = HP", "sku-1"),
        ("brand != HP", "sku-2 sku-3 sku-4"),
        ("tags = sale", "sku-2"),
        ("metadata.brand = Dell", "sku-3"),
        ("id = sku-4", "sku-4"),
        ("title = 会议 记录", "sku-3"),
    ],
)
async def test_filter(services: Any, where: Any, left: str):
    assert await after(FilterHits, services, where=where) == left


async def test_a_missing_field_may_be_kept(services: Any):
    assert await after(FilterHits, services, where="price < 50", missing="keep") == "sku-1 sku-3 sku-4"


def test_filters_that_cannot_be_read():
    for where in ("price", [], "price <", ["price < 5", "x"]):
        with pytest.raises(ValueError, match=r"where"):
            FilterHits.Settings.model_validate({"where": where})
