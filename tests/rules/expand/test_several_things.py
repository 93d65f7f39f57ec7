"""Parts of comparisons, words that stay together, and readings that nobody means."""

from collections.abc import Callable
from typing import Any

import pytest

from qx.rules.expand import expand
from qx.types import Query, Understanding


@pytest.fixture
def made(
    understand: Callable[..., Understanding], make_context: Callable[..., Any], strategies: Callable[..., Any]
) -> Callable[..., Any]:
    async def call(text: str, *names: str) -> list[str]:
        found = await expand(Query(text=text), understand(text), make_context(), strategies(list(names)))
        return [query.text for query in found]

    return call


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("rust vs go vs c++", ["rust", "go", "c++"]),
        ("react、vue和angular哪个好", ["react", "vue", "angular"]),
        ("coffee, tea or cocoa which is better", ["coffee", "tea", "cocoa"]),
        ("绿茶和红茶的区别", ["绿茶", "红茶"]),
        ("苹果和梨的差别", ["苹果", "梨"]),
        ("牛奶与豆浆的对比", ["牛奶", "豆浆"]),
    ],
)
async def test_each_thing_by_itself(text: str, first: list[str], made: Callable[..., Any]):
    parts = await made(text, "decompose")
    assert [part.split()[0] for part in parts] == first
    assert all(sum(thing in part.split() for thing in first) == 1 for part in parts), parts


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("特斯拉和比亚迪保养哪个便宜", [("特斯拉", "保养"), ("比亚迪", "保养")]),
        ("北京和上海房价哪个高", [("北京", "房价"), ("上海", "房价")]),
    ],
)
async def test_what_is_asked_of_both_is_asked_of_each(
    text: str, parts: list[tuple[str, str]], made: Callable[..., Any]
):
    assert [tuple(part.split()[:2]) for part in await made(text, "decompose")] == parts


@pytest.mark.parametrize(
    ("text", "strategy", "has", "hasnt"),
    [
        ("not only books but also movies", "keywords", "books movies", "not "),
        ("not only books but also movies", "boolean", '"books" AND "movies"', "not "),
        ("sql not in subquery", "keywords", "not in", "not subquery"),
        ("under armour shoes", "keywords", "under armour", "zzz"),
        ("rust vs go vs c++", "boolean", '"rust" AND "c++"', " vs "),
        ("iphone OR samsung", "boolean", '"iphone" OR "samsung"', " AND "),
        ("6点前的高铁", "keywords", "点前", "6 前"),
        ("3楼的餐厅", "keywords", "楼", "3 餐厅"),
    ],
)
async def test_words_that_belong_together(text: str, strategy: str, has: str, hasnt: str, made: Callable[..., Any]):
    for query in await made(text, strategy):
        assert has in query
        assert hasnt not in query


@pytest.mark.parametrize(
    "text",
    [
        "python list 去重",
        "python dict 遍历",
        "logitec mouse",
        "hp mouse",
        "-Xmx java",
        "java stream 排序",
    ],
)
def test_no_other_reading(text: str, understand: Callable[..., Understanding]):
    assert understand(text).senses == ()


@pytest.mark.parametrize("text", ["ノートパソコン 10万円以下", "冷蔵庫 5万円以下", "東京のホテル 1万円以内"])
def test_japanese_is_no_misspelt_chinese(text: str, understand: Callable[..., Understanding]):
    assert "spelling" not in understand(text).signals


@pytest.mark.parametrize("text", ["别给我推荐小米", "不要苹果", "not Apple"])
async def test_what_is_not_wanted_is_not_asked_for_by_its_readings(text: str, made: Callable[..., Any]):
    assert await made(text, "senses") == []
