import pytest

from backends import PRICE, searching
from engines import analysis, engine, queries, stage
from qx.filters import Compare, leaves
from qx.ranking import Ranking
from qx.searching.rewriting import arrange, rewrite
from qx.settings import RewriteRule
from qx.testing import ScriptedLLM
from qx.testing.backend import ScriptedBackend
from qx.types import Hit, Query


def rules(*blocks: dict[str, object]) -> list[RewriteRule]:
    return [RewriteRule.model_validate(block) for block in blocks]


def test_words_are_replaced_and_queries_added():
    done = rewrite(
        Query(text="cheap IPHONE  case"),
        rules({"match": "iphone", "replace": "apple phone", "add": ["apple smartphone"]}),
    )
    assert done.query.text == "cheap apple phone case"
    assert done.add == ("apple smartphone",)
    assert "iphone" in done.notes[0]


@pytest.mark.parametrize(
    ("match", "text", "found"),
    [
        ("tv", "smart TV", True),
        ("tv", "tvs", False),
        ("hp", "HP笔记本", True),
        ("hp", "笔记本HP的", True),
        ("smart tv", "smart  tv stand", True),
        ("smart tv", "tv smart", False),
        ("电视", "小米电视多少钱", True),
        ("ＴＶ", "tv", True),
        ("", "tv", False),
        ("a.c", "abc", False),
        ("a.c", "A.C", True),
    ],
)
def test_a_rule_matches_words_not_letters(match: str, text: str, found: bool):
    assert bool(rewrite(Query(text=text), rules({"match": match, "add": ["x"]})).add) is found


def test_each_rule_sees_what_the_ones_before_it_left():
    done = rewrite(
        Query(text="tv"), rules({"match": "tv", "replace": "television"}, {"match": "television", "pin": ["1"]})
    )
    assert done.query.text == "television"
    assert done.pin == ("1",)


def ranking(*ids: str) -> Ranking:
    return Ranking(
        query=None,
        backend=None,
        keys=tuple(f"b:{id}" for id in ids),
        scores=tuple(1 / n for n in range(1, len(ids) + 1)),
        hit=lambda i: Hit(id=ids[i], backend="b"),
    )


def test_pinned_hits_come_first_in_their_order_and_blocked_ones_never():
    done = rewrite(Query(text="tv"), rules({"match": "tv", "pin": ["d", "nowhere", "c"], "block": ["a"]}))
    arranged = arrange(ranking("a", "b", "c", "d"), done)
    assert [arranged.hit(i).id for i in range(len(arranged.keys))] == ["d", "c", "b"]
    assert list(arranged.scores) == sorted(arranged.scores, reverse=True)
    assert arranged.dropped == (("b:a", "blocked by a rule"),)


def test_without_a_rule_nothing_changes():
    done = rewrite(Query(text="radio"), rules({"match": "tv", "pin": ["d"], "block": ["a"]}))
    before = ranking("a", "b")
    assert arrange(before, done) is before
    assert done.query.text == "radio"
    assert done.notes == ()


REPLACE = {"match": "笔电", "replace": "笔记本电脑", "add": ["散热 底座"]}
RULED = {"rewrite": [REPLACE, {"match": "散热", "pin": ["sku-1"]}]}


async def test_an_expansion_is_of_the_replaced_words_and_remembers_the_typed_ones():
    async with engine(None, **RULED) as opened:
        made, plain = await opened.expand("笔电 散热"), await opened.expand("笔记本电脑 散热")
        (listed,) = await opened.expand_many(["笔电 散热"])
        read = await opened.understand("笔电 散热")
    assert made.original == "笔电 散热"
    assert made.queries[0].text == "笔记本电脑 散热"
    assert made.queries[:-1] == plain.queries
    assert (made.queries[-1].text, made.queries[-1].strategy) == ("散热 底座", "rule")
    assert made.notes[0] == "rule for '笔电': replaced by '笔记本电脑', added 散热 底座"
    assert not any("pinned" in note for note in made.notes)  # of a search alone
    assert (listed.original, listed.queries, listed.notes) == (made.original, made.queries, made.notes)
    assert read == plain.understanding


async def test_a_rule_whose_words_stand_in_its_own_replacement_applies_once():
    async with engine(None, rewrite=[{"match": "tv", "replace": "tv television"}]) as opened:
        assert (await opened.expand("cheap tv")).queries[0].text == "cheap tv television"
        assert [e.queries[0].text for e in await opened.expand_many(["cheap tv"])] == ["cheap tv television"]


async def test_a_model_reads_the_replaced_words_in_one_call_or_in_many():
    llm = ScriptedLLM(lambda r: analysis() if stage(r) == "understand" else queries("笔记本电脑 降温"))
    async with engine(llm, **RULED) as opened:
        made = await opened.expand("笔电 散热")
        (prompt, *_) = opened.prompts("笔电 散热")
    assert "笔记本电脑 散热" in llm.requests[0].messages[-1].content
    assert "笔电" not in "".join(m.content for r in llm.requests for m in r.messages[-1:])
    assert "笔记本电脑 散热" in prompt.messages[-1].content
    assert [q.strategy for q in made.queries].count("rule") == 1


@pytest.mark.virtual_time
async def test_a_search_says_what_was_typed_and_searches_the_replaced_words():
    backend = ScriptedBackend(default=["1"])
    async with searching(backend, **RULED) as opened:
        result = await opened.search("笔电 散热")
    assert result.expansion is not None
    assert result.expansion.original == "笔电 散热"
    assert "散热 底座" in backend.queries
    assert not any("笔电" in text for text in backend.queries)
    assert any("replaced by" in note for note in result.notes)


@pytest.mark.virtual_time
async def test_the_callers_filter_holds_for_what_rules_replace_and_add():
    backend = ScriptedBackend(default=["1"])
    cheap = Compare(field="price", op="lt", value=500)
    async with searching(backend, search={"fields": PRICE}, **RULED) as opened:
        await opened.search(Query(text="笔电 散热", filters=cheap))
    assert len(backend.requests) > 2
    for request in backend.requests:
        found = [(leaf.field, leaf.op, leaf.value) for leaf in leaves(request.filter) if isinstance(leaf, Compare)]
        assert ("metadata.price", "lt", 500) in found, request.text
        assert {leaf.origin for leaf in leaves(request.filter)} == {"caller"}
