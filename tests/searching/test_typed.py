"""What is typed as an operator is a demand: where nothing meets it, nothing is found."""

from pathlib import Path
from typing import Any

import pytest
from goods import GOODS, shop

from backends import BRAND, PRICE, Knowing, ids, searching
from engines import analysis, queries, stage
from qx import Query
from qx.filters import Compare, Exists, leaves
from qx.syntax import negated, walk
from qx.testing import ScriptedLLM
from qx.testing.backend import ScriptedBackend
from qx.types import Turn

HP_ALONE = [row for row in GOODS if row[2] == "HP"]
DEAR = [row for row in GOODS if row[3] > 600]


@pytest.fixture(autouse=True)
def beside_the_profile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


EXCLUDING = (
    "laptop -HP",
    "laptop NOT HP",
    "laptop AND NOT HP",
    "laptop －HP",
    'laptop -"HP"',
    "laptop -hp",
    "laptop -惠普",
    "laptop NOT 惠普",
    "laptop price:..500 -HP",
    "laptop -HP under 500",
    "laptop NOT (HP OR Acer)",
    "27寸显示器 -惠普",
    "显示器 NOT HP",
)


@pytest.mark.parametrize("text", [*EXCLUDING, "laptop -brand:HP", "laptop NOT brand:HP"])
async def test_a_typed_exclusion_is_never_given_up(text: str, tmp_path: Path):
    async with shop(tmp_path, goods=HP_ALONE) as opened:
        result = await opened.search(text)
    assert ids(result) == [], result.notes
    assert not any("relaxed: brand" in note for note in result.notes)


@pytest.mark.parametrize("text", EXCLUDING)
async def test_without_a_field_the_words_are_excluded(text: str, tmp_path: Path):
    goods = [(id, title.replace("HP", "惠普 HP"), *rest) for id, title, *rest in HP_ALONE[:2]]
    async with shop(tmp_path, None, goods=goods) as opened:
        assert ids(await opened.search(text)) == []


@pytest.mark.parametrize("text", ["laptop not HP", "laptop without HP", "显示器 不要惠普"])
async def test_what_is_excluded_in_words_is_never_given_up_and_is_told(text: str, tmp_path: Path):
    async with shop(tmp_path, goods=HP_ALONE) as opened:
        result = await opened.search(text)
    assert ids(result) == [], result.notes
    assert any("never relaxed: brand ne HP" in note for note in result.notes), result.notes
    assert not any("; relaxed:" in note for note in result.notes)


@pytest.mark.parametrize("text", ["laptop price:..500", "显示器 price:..500", "laptop memory:32.."])
async def test_a_typed_range_is_never_given_up(text: str, tmp_path: Path):
    async with shop(tmp_path, goods=DEAR) as opened:
        assert ids(await opened.search(text)) == []


@pytest.mark.parametrize("text", ["shirt colour:white", "shirt -colour:white", "衬衫 colour:白色"])
async def test_a_typed_field_holds_and_its_words_limit_nothing_else(text: str):
    colour = {"colour": {"name": "metadata.colour", "type": "keyword"}}
    backend = Knowing(default=["1"], stored={"metadata.colour": ["white", "black"]})
    async with searching(backend, search={"fields": colour}) as opened:
        await opened.search(text)
    assert len(backend.requests) > 1
    for request in backend.requests:
        assert "name='colour'" in repr(request.expression), request.text
        assert bool(negated(request.expression)) is ("-" in text)
        assert not list(leaves(request.filter))


class Wordless(ScriptedBackend):
    """Has a field for brands, and no words for what one is not."""

    def inexpressible(self, filter: Any, /) -> Any:
        return [leaf for leaf in leaves(filter) if isinstance(leaf, Compare) and leaf.op == "ne"]


async def test_an_engine_that_cannot_exclude_by_its_field_does_by_words():
    backend = Wordless(default=["1"])
    async with searching(backend, search={"fields": BRAND}) as opened:
        result = await opened.search("笔记本 -联想")
    assert result.hits
    for request in backend.requests:
        assert negated(request.expression) == ("联想",), request.text


UNABLE = ("laptop price:..2000", "笔记本 价格表 price:1000..2000", "laptop published:2020..2023", "laptop after:2020")


@pytest.mark.parametrize("text", UNABLE)
async def test_a_range_that_no_engine_filters_by_stays_in_every_query(text: str):
    written = text.rpartition(" ")[2]
    async with searching(ScriptedBackend(default=["1"])) as opened:
        expansion = await opened.expand(text)
    assert len(expansion.queries) > 2
    assert all(query.text.split().count(written) == 1 for query in expansion.queries), expansion.queries
    constraints = expansion.understanding.constraints
    assert {(c.text, c.hard) for c in constraints} == {(written, True)}


async def test_a_model_is_told_of_a_range_and_need_not_repeat_it():
    llm = ScriptedLLM(lambda r: analysis() if stage(r) == "understand" else queries("notebook computer", "ultrabook"))
    async with searching(ScriptedBackend(default=["1"]), llm=llm) as opened:
        expansion = await opened.expand("laptop price:..2000")
    assert "2000" in llm.requests[-1].messages[-1].content
    texts = [query.text for query in expansion.queries]
    assert "notebook computer price:..2000" in texts
    assert all(text.endswith("price:..2000") for text in texts)


async def test_a_range_that_an_engine_filters_by_is_no_word():
    backend = ScriptedBackend(default=["1"])
    async with searching(backend, search={"fields": PRICE}) as opened:
        result = await opened.search("laptop price:..2000")
    assert result.expansion is not None
    assert not any("2000" in query.text for query in result.expansion.queries[1:])
    assert [(c.field, c.op, c.value) for c in result.understanding.constraints] == [("price", "le", 2000)]
    for request in backend.requests:
        assert [(leaf.field, leaf.origin) for leaf in leaves(request.filter)] == [("metadata.price", "typed")]


async def test_who_cannot_limit_says_so(tmp_path: Path):
    async with shop(tmp_path, None) as opened:
        result = await opened.search("laptop price:..500")
    assert any("price:..500" in note for note in result.notes), result.notes


@pytest.mark.parametrize("fields", [PRICE, None], ids=["fields", "words"])
async def test_a_range_survives_what_the_conversation_makes_of_a_query(fields: Any):
    backend = ScriptedBackend(default=["1"])
    history = (
        Turn(role="user", content="gaming laptops for students"),
        Turn(role="assistant", content="Here are some."),
    )
    async with searching(backend, search={"fields": fields} if fields else {}) as opened:
        result = await opened.search(Query(text="and lighter ones? price:..800 -HP", history=history))
    assert result.expansion is not None
    assert "laptops" in result.expansion.queries[0].text
    for request in backend.requests:
        limits = [leaf.field for leaf in leaves(request.filter) if not isinstance(leaf, Exists)]
        ranges = [leaf for leaf, _ in walk(request.expression) if type(leaf).__name__ == "Range"]
        assert ("metadata.price" in limits) if fields else ranges, request


async def test_what_is_outside_a_range_is_still_searched_for():
    backend = ScriptedBackend(default=["1"])
    async with searching(backend, search={"fields": PRICE}) as opened:
        result = await opened.search("laptop -price:..500")
    assert [(c.op, c.value) for c in result.understanding.constraints] == [("gt", 500)]
    assert {leaf.origin for request in backend.requests for leaf in leaves(request.filter)} == {"typed"}


@pytest.mark.parametrize(
    ("text", "demand"),
    [
        ("衬衫 site:zhihu.com", "site:zhihu.com"),
        ("shirt site:reddit.com", "site:reddit.com"),
        ("机器学习 教程 filetype:pdf", "filetype:pdf"),
        ("笔记本 author:张三", "author:张三"),
        ("shirt intitle:white", "intitle:white"),
        ("笔记本 -(联想 OR 惠普)", "-(联想 OR 惠普)"),
        ("laptop NOT (HP OR Dell)", "NOT (HP OR Dell)"),
        ("笔记本 (联想 OR 华为)", "(联想 OR 华为)"),
        ("laptop (HP OR Dell)", "(HP OR Dell)"),
    ],
)
async def test_every_query_keeps_what_is_demanded_as_it_was_typed(text: str, demand: str):
    async with searching(ScriptedBackend(default=["1"])) as opened:
        expansion = await opened.expand(text)
    rest = [query.text.replace(demand, "") for query in expansion.queries]
    assert len(rest) > 2
    assert all(query.text.count(demand) == 1 for query in expansion.queries)
    assert not any(word in other for word in ("联想", "惠普", "Dell", "张三") for other in rest)


async def test_a_group_that_is_ruled_out_is_not_wanted():
    colour = {"colour": {"name": "metadata.colour", "type": "keyword"}}
    backend = ScriptedBackend(default=["1"])
    async with searching(backend, search={"fields": colour}) as opened:
        await opened.search("shirt -(red OR blue)")
    for request in backend.requests:
        assert not list(leaves(request.filter))
        assert sorted(negated(request.expression)) == ["blue", "red"]
