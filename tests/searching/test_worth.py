"""Hits that only words of an expansion found."""

from __future__ import annotations

import pytest

from backends import ids, searching
from engines import analysis, queries, stage
from qx.backend import Document
from qx.testing import ScriptedLLM
from qx.testing.backend import ScriptedBackend

pytestmark = pytest.mark.virtual_time

LAPTOP_ZH = Document(id="laptop", title="学生笔记本电脑", text="价格实惠，续航长")
LAPTOP_EN = Document(id="laptop", title="Student laptop", text="a fair price and long battery life")


@pytest.mark.parametrize(
    ("query", "added", "found"), [("洗碗机", "洗碗机 价格", LAPTOP_ZH), ("dishwasher", "dishwasher price", LAPTOP_EN)]
)
async def test_a_hit_that_only_an_added_word_found_is_none(query: str, added: str, found: Document):
    backend = ScriptedBackend({added: (found,)})
    async with searching(backend) as opened:
        result = await opened.search(query)
    assert added in backend.queries
    assert result.hits == ()
    assert result.outcome == "empty"
    assert any("expansion added" in note for note in result.notes)
    assert [dropped.reason for dropped in result.dropped] == ["holds only words that expansion added"]


def thinking(text: str, strategy: str, target: str = "any") -> ScriptedLLM:
    return ScriptedLLM(
        lambda r: analysis() if stage(r) == "understand" else queries(text, strategy=strategy, target=target)
    )


@pytest.mark.parametrize(
    ("query", "text", "strategy", "document"),
    [
        ("dishwasher", "kitchen appliance price", "generalize", LAPTOP_EN),
        ("dishwasher", "dishwasher fair life", "generalize", LAPTOP_EN),
        ("dishwasher", "lave-vaisselle price", "translate", LAPTOP_EN),
        ("洗碗机", "厨房电器 价格", "generalize", LAPTOP_ZH),
        ("dishwasher", "dishwasher price", "refine", Document(id="laptop", title="Dishwashers, price list")),
        ("洗碗机", "洗碗机 价格", "refine", Document(id="laptop", title="美的洗碗機", text="价格")),
        ("洗碗机", "洗碗机 价格", "refine", Document(id="laptop", title="价格", metadata={"type": ["洗碗机"]})),
        # neither: the engine has a way of its own, such as synonyms or nearness
        ("dishwasher", "dishwasher price", "refine", Document(id="laptop", title="Kitchen machine")),
    ],
)
async def test_a_hit_that_may_be_worth_something_stays(query: str, text: str, strategy: str, document: Document):
    backend = ScriptedBackend({text: (document,)})
    async with searching(
        backend, llm=thinking(text, strategy), expand={"abstain": "never", "strategies": [strategy]}
    ) as opened:
        result = await opened.search(query)
    if text in backend.queries:  # else the guard did not let it through
        assert ids(result) == ["laptop"]


async def test_hits_that_the_original_found_stay_wherever_they_come_from():
    backend = ScriptedBackend({"dishwasher": (LAPTOP_EN,), "dishwasher price": (LAPTOP_EN,)})
    async with searching(backend) as opened:
        result = await opened.search("dishwasher")
    assert ids(result) == ["laptop"]


async def test_the_page_is_filled_with_what_is_below():
    noise = tuple(Document(id=f"n{i}", title=f"price {i}") for i in range(5))
    good = tuple(Document(id=f"g{i}", title=f"dishwasher {i} price") for i in range(5))
    backend = ScriptedBackend({"dishwasher price": (*noise, *good)})
    async with searching(backend) as opened:
        result = await opened.search("dishwasher", limit=3)
    assert ids(result) == ["g0", "g1", "g2"]


COOKER = Document(id="cooker", title="红色电饭煲", text="适合一家人，灰色外壳，指纹锁")
PHONES = tuple(
    Document(id=f"phone{n}", title="灰色手机", text="指纹解锁，适合一家人") for n in range(3)
)  # what feedback reads: 灰色, 指纹


@pytest.mark.parametrize("query", ["手机", "不要红色的手机"])
async def test_a_hit_that_only_feedback_found_holds_a_word_of_the_query(query: str):
    other = Document(id="other", title="手机配件", text="灰色")
    backend = ScriptedBackend(lambda r: (*PHONES, other, COOKER) if "指纹" in r.text else PHONES)
    async with searching(backend, expand={"strategies": ["feedback"], "abstain": "never"}) as opened:
        result = await opened.search(query, limit=20)
    assert any("指纹" in text for text in backend.queries)
    assert "other" in ids(result)
    assert "cooker" not in ids(result)
