"""What a query rules out in words, where no engine has a field for it."""

from __future__ import annotations

from typing import Any

import pytest

from backends import docs, ids, searching
from qx.backend import Document
from qx.syntax import negated, words
from qx.testing.backend import ScriptedBackend

pytestmark = pytest.mark.virtual_time


def cases(*titles: str) -> tuple[Document, ...]:
    return tuple(Document(id=str(n), title=title) for n, title in enumerate(titles))


@pytest.mark.parametrize(
    ("query", "titles", "order", "gone"),
    [
        ("苹果15手机壳 不要硅胶", ("透明手机壳 硅胶", "手机壳 磨砂", "手机壳 非硅胶"), ["1", "2", "0"], "硅胶"),
        ("苹果15手机壳，不要硅胶", ("silicone case 手机壳", "矽膠 手机壳", "手机壳 磨砂"), ["2", "0", "1"], "硅胶"),
        (
            "iphone 15 case not silicone",
            ("Silicone case", "Leather case", "Silicone-free case", "Case, no silicone"),
            ["1", "2", "3", "0"],
            "silicone",
        ),
        ("wireless earbuds but no bluetooth 4.2", ("earbuds",), ["0"], ""),
        ("耳机 不要入耳式", ("入耳式耳机", "头戴式耳机"), ["1", "0"], "入耳式"),
    ],
)
async def test_hits_that_name_what_is_not_wanted_come_last_and_none_is_lost(
    query: str, titles: tuple[str, ...], order: list[str], gone: str
):
    backend = ScriptedBackend(default=cases(*titles))
    async with searching(backend) as opened:
        result = await opened.search(query)
    assert ids(result) == order
    if gone:
        lists = [request.expression for request in backend.requests]
        assert not any(gone in word for one in lists for word in words(one))
        assert any(gone in negated(one) for one in lists)  # and one list is free of it from the beginning
        assert any(gone in note and "not wanted" in note for note in result.notes)


@pytest.mark.parametrize(
    "query",
    [
        "sugar-free candy bars",
        "无糖口香糖 薄荷味",
        "headphones without microphone for kids",
    ],
)
async def test_words_by_which_documents_describe_themselves_stay(query: str):
    backend = ScriptedBackend(default=docs("1"))
    async with searching(backend) as opened:
        await opened.search(query, expand=False)
    assert [request.text for request in backend.requests] == [query]


@pytest.mark.parametrize(
    "query",
    [
        "how do I select a Mastercard instead of a Visa?",
        "why do I get charged fees on some payments, but not others?",
        "手机不能开机怎么办",
        "不锈钢保温杯",
    ],
)
async def test_what_only_sounds_like_an_exclusion_is_none(query: str):
    titles = ("visa others 不锈钢 手机 不能开机", "mastercard payments 保温杯")
    backend = ScriptedBackend(default=cases(*titles))
    async with searching(backend) as opened:
        result = await opened.search(query, expand=False)
    assert ids(result) == ["0", "1"]
    assert not any(negated(request.expression) for request in backend.requests)
    assert not any("not wanted" in note for note in result.notes)


async def test_an_exclusion_that_every_engine_filters_by_needs_no_words():
    fields = {"colour": {"name": "metadata.colour", "type": "keyword"}, "color": {"name": "metadata.colour"}}
    titles: Any = (
        Document(id="1", title="laptop with white keys", metadata={"colour": "black"}),
        *docs("2", colour="blue"),
    )
    backend = ScriptedBackend(default=titles)
    async with searching(backend, search={"fields": fields}) as opened:
        result = await opened.search("gaming laptop not white")
    assert ids(result) == ["1", "2"]
    assert all(request.filter is not None for request in backend.requests)
    assert not any("not wanted" in note for note in result.notes)


async def test_the_callers_order_stays():
    from qx.types import SortBy

    backend = ScriptedBackend(default=cases("Silicone case", "Leather case"))
    async with searching(backend) as opened:
        result = await opened.search("iphone case not silicone", sort=[SortBy(field="title")])
    assert ids(result) == ["0", "1"]


async def test_an_exclusion_is_not_marked_as_what_matched():
    backend = ScriptedBackend(default=cases("Silicone case for iphone"))
    async with searching(backend) as opened:
        result = await opened.search("iphone case not silicone")
    marked = [h.text[a:b] for h in result.hits[0].highlights for a, b in h.spans]
    assert "case" in marked
    assert "Silicone" not in marked
