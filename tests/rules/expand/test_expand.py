"""Choosing strategies, running them, and what single strategies promise."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from qx.domain import Knowledge
from qx.errors import Unavailable
from qx.llm import CompletionRequest
from qx.rules.expand import MODEL_STRATEGIES, choose, expand, interleave, shortfall, unlimited
from qx.settings import Expand
from qx.steps.guard import guard
from qx.types import Constraint, Dropped, Query, SubQuery, Understanding

Understand = Callable[..., Understanding]
MakeContext = Callable[..., Any]
Strategies = Callable[..., dict[str, Any]]


async def made(
    text: str, names: list[str], understand: Understand, make_context: MakeContext, strategies: Strategies
) -> tuple[SubQuery, ...]:
    return await expand(Query(text=text), understand(text), make_context(), strategies(names))


def test_strategies_follow_intent_and_kind(understand: Understand, knowledge: Any):
    def chosen(text: str) -> tuple[str, ...]:
        return choose(Query(text=text), understand(text), knowledge)

    assert "senses" in chosen("苹果")
    assert "decompose" in chosen("iPhone 15 和 小米14 哪个拍照好")
    assert "generalize" in chosen("5000元以下、轻薄、续航好的笔记本电脑")
    assert "boolean" in chosen("神经网络过拟合怎么预防")
    for text in ("苹果", "我付不了款", "best books on machine learning"):
        assert not set(chosen(text)) & MODEL_STRATEGIES
        assert len(set(chosen(text))) == len(chosen(text))


@pytest.mark.parametrize(
    ("text", "strategy", "wanted"),
    [
        ("我付不了款", "synonym", "支付失败 解决方案"),
        ("laptop won't turn on", "synonym", "laptop does not power on fix"),
        ("how to remove duplicates from a list in python", "keywords", "remove duplicates list python"),
        ("Python Django框架下ORM批量插入性能优化", "generalize", "Python ORM 性能优化"),
        ("vegan dinner ideas without nuts", "boolean", "vegan dinner ideas -nuts"),
        ("a sofa for two that cannot be red", "boolean", "sofa for two -red"),
        ("a tent that should not be too heavy", "generalize", "tent"),
        ("好用的笔记本，请不要让我换新的", "refine", "好用 笔记本 续航 实测"),
        ("神经网络过拟合怎么预防", "boolean", '"神经网络" AND "过拟合" 预防 方法'),
        ("how to remove duplicates in python", "site", "remove duplicates in python site:stackoverflow.com"),
        ("苹果", "senses", "苹果 水果"),
        ("iphone 15 vs pixel 8 camera", "decompose", "pixel 8 camera review"),
        ("東京天氣", "refine", "東京天氣 降雨機率"),
    ],
)
async def test_single_strategies(
    text: str, strategy: str, wanted: str, understand: Understand, make_context: MakeContext, strategies: Strategies
):
    found = await made(text, [strategy], understand, make_context, strategies)
    assert wanted in [q.text for q in found]
    assert {q.strategy for q in found} == {strategy}
    assert all(0 < q.weight < 1 and q.why for q in found)


async def test_why_names_the_source_in_the_querys_language(
    understand: Understand, make_context: MakeContext, strategies: Strategies
):
    first, *_ = await made("我付不了款", ["synonym"], understand, make_context, strategies)
    assert first.why == "同义说法：付不了款 → 支付失败（general）"
    first, *_ = await made("my card was charged twice", ["synonym"], understand, make_context, strategies)
    assert first.why == "synonym: charged twice → billed twice (general)"


async def test_targets(understand: Understand, make_context: MakeContext, strategies: Strategies):
    found = await made(
        "what is the best way to get rid of duplicates in python",
        ["boolean", "site", "keywords"],
        understand,
        make_context,
        strategies,
    )
    targets = {q.strategy: q.target for q in found}
    assert targets["site"] == "web"
    assert targets["keywords"] == "lexical"


async def test_misspelt_words_are_put_right_but_identifiers_stay(
    understand: Understand, make_context: MakeContext, strategies: Strategies
):
    found = await made("best wirless hedphones", ["spelling"], understand, make_context, strategies)
    assert [q.text for q in found] == ["best wireless headphones"]
    assert "best wirless hedphones → best wireless headphones" in found[0].why
    assert await made("DEC-0054 recieve", ["spelling"], understand, make_context, strategies) != ()
    assert await made("best wireless headphones", ["spelling"], understand, make_context, strategies) == ()


@pytest.mark.parametrize(
    ("text", "right", "wrong"),
    [("pyhton list sort", "python list sort", "pyhton"), ("小米手机蓝牙莲接不上", "小米手机蓝牙连接不上", "莲接")],
)
async def test_a_correction_is_one_query_and_all_others_speak_the_words_as_typed(
    text: str,
    right: str,
    wrong: str,
    understand: Understand,
    make_context: MakeContext,
    strategies: Strategies,
    knowledge: Knowledge,
):
    query, understanding = Query(text=text), understand(text)
    names = choose(query, understanding, knowledge)
    found = await expand(query, understanding, make_context(), strategies(names))
    kept, _ = guard(query, understanding, found, settings=Expand(), knowledge=knowledge)
    assert (kept[0].text, kept[0].strategy) == (right, "spelling")
    assert kept[0].weight <= 0.5
    assert len(kept) > 2
    assert all(wrong in q.text for q in kept[1:])


@pytest.mark.parametrize("text", ["微信登录不上", "蓝牙连接不上", "游戏下载不了"])
async def test_a_verb_and_what_it_does_not_reach_stay_together(
    text: str, understand: Understand, make_context: MakeContext, strategies: Strategies, knowledge: Knowledge
):
    names = choose(Query(text=text), understand(text), knowledge)
    found = await expand(Query(text=text), understand(text), make_context(), strategies(names))
    own = text[-4:]
    assert any(own in q.text for q in found)
    assert not any((" 不" in q.text or q.text.endswith("不")) for q in found)


async def test_verbatim_parts_are_in_every_candidate(
    understand: Understand, make_context: MakeContext, strategies: Strategies
):
    names = ["synonym", "refine", "keywords", "boolean", "site", "generalize"]
    found = await made("Windows更新失败 0x80070057", names, understand, make_context, strategies)
    assert len(found) >= 5
    assert all("0x80070057" in q.text for q in found)


async def test_a_failing_strategy_takes_no_other_along(
    understand: Understand, make_context: MakeContext, strategies: Strategies
):
    class Broken:
        def __init__(self, error: Exception) -> None:
            self.error = error

        async def expand(self, query: Query, understanding: Understanding, context: Any, /) -> tuple[SubQuery, ...]:
            raise self.error

    context = make_context()
    chosen = {"a": Broken(Unavailable("down")), "b": Broken(KeyError("x")), **strategies(["refine"])}
    found = await expand(Query(text="我付不了款"), understand("我付不了款"), context, chosen)
    assert found
    assert [d[:2] for d in context.degraded] == [("expand", "rules")] * 2
    assert "strategy a: down" in context.degraded[0][2]
    assert "KeyError" in context.degraded[1][2]


@pytest.mark.parametrize("name", sorted(MODEL_STRATEGIES))
async def test_model_strategies(name: str, understand: Understand, make_context: MakeContext, strategies: Strategies):
    assert await made("我付不了款", [name], understand, make_context, strategies) == ()

    def answer(request: CompletionRequest) -> str:
        assert json.loads(request.messages[-1].content)["query"] == "我付不了款"
        return '```json\n{"text": "payment  problems"}\n```'

    context = make_context(answer=answer)
    found = await expand(Query(text="我付不了款"), understand("我付不了款"), context, strategies([name]))
    assert [(q.text, q.strategy) for q in found] == [("payment problems", name)]
    assert context.requests[0].schema is not None
    assert (found[0].target == "vector") == (name == "pseudo-document")


@pytest.mark.parametrize("text", ["", "no json", '{"text": 3}', '{"other": "x"}', "{", '{"text": "   "}'])
async def test_an_unreadable_answer_is_no_candidate(
    text: str, understand: Understand, make_context: MakeContext, strategies: Strategies
):
    context = make_context(answer=lambda _: text)
    found = await expand(Query(text="我付不了款"), understand("我付不了款"), context, strategies(["step-back"]))
    assert found == ()
    assert context.degraded == []


def test_interleaving_keeps_the_parts_of_a_decomposition_together():
    def row(strategy: str, count: int) -> list[SubQuery]:
        return [SubQuery(text=f"{strategy}{n}", strategy=strategy) for n in range(count)]

    order = [q.text for q in interleave([row("decompose", 3), row("synonym", 2), row("refine", 3), []])]
    assert order == [
        "decompose0", "decompose1", "decompose2", "synonym0", "refine0", "refine1", "refine2", "synonym1",
    ]  # fmt: skip


def test_what_goes_as_a_filter_leaves_the_words():
    price = Constraint(field="price", op="le", value=5000, unit="CNY", text="5000元以下")
    colour = Constraint(field="colour", op="ne", value="white", text="不要白色", hard=True)
    understanding = Understanding(constraints=(price, colour), negations=("白色",), language="zh")
    query = Query(text="5000元以下、轻薄的笔记本，不要白色")
    narrowed = unlimited(query, understanding, frozenset({"price"}))
    assert narrowed.constraints == (colour,)
    assert narrowed.standalone == "轻薄的笔记本，不要白色"
    both = unlimited(query, understanding, frozenset({"price", "colour"}))
    assert both.negations == ()
    assert both.standalone == "轻薄的笔记本"
    assert unlimited(query, understanding, frozenset()) is understanding


def test_a_short_list_says_why():
    one = SubQuery(text="a", strategy="refine")
    lost = Dropped(text="b", reason="loses the number '5'", strategy="refine")
    twin = Dropped(text="a", reason="duplicate of 'a'", strategy="refine")
    assert shortfall([replace(one, text=str(n)) for n in range(5)], [lost], limit=8) == ()
    assert shortfall([one], [lost, twin], limit=8) == (
        "1 more did not stay true to the query (see dropped)",
        "1 more said the same",
    )
    assert shortfall([one], [], limit=8) == ("nothing more that is different",)
    assert shortfall([one], [], limit=8, foreign="ru") == (
        "rules write Chinese and English, not ru: a model (`llm:`) does",
    )
    assert shortfall([one, one], [], limit=2) == ("expand.limit is 2",)
