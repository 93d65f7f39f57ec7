"""The processor ``fit``: scores, order, cuts, and only offered labels."""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qx.builtin.fit import Fit, FitSettings, Grade
from qx.domain import EntityType, Intent, Knowledge, Need, Taxonomy, Template
from qx.errors import BadResponse
from qx.llm import Completion, CompletionRequest
from qx.rules.fit import Scorer
from qx.types import Constraint, Entity, Expansion, Query, SubQuery, Understanding, Usage

KNOWLEDGE = Knowledge(
    name="test",
    taxonomy=Taxonomy(name="test", intents=(), entity_types=(EntityType(id="brand", names={"小米": (), "华为": ()}),)),
    templates=(Template(text="{core} 评测", strategy="refine", intents=("recommendation",)),),
)
TEXT = "小米手机 2000元以下"
UNDERSTANDING = Understanding(
    intent=("recommendation",),
    entities=(Entity(text="小米", type="brand"), Entity(text="手机", type="product")),
    constraints=(Constraint(field="price", op="le", value=2000, unit="CNY", text="2000元以下"),),
    keywords=("小米", "手机"),
    language="zh",
)


def sub(text: str, strategy: str = "refine") -> SubQuery:
    return SubQuery(text=text, strategy=strategy, weight=0.7, why="test")


def expansion(*texts: str) -> Expansion:
    original = SubQuery(text=TEXT, strategy="original")
    return Expansion(original=TEXT, queries=(original, *map(sub, texts)), understanding=UNDERSTANDING)


def context(answer: str = "", vectors: Callable[[Any], Any] | None = None, *, has_model: bool = True) -> Any:
    requests: list[CompletionRequest] = []

    async def complete(request: CompletionRequest, /, **_: object) -> Completion:
        requests.append(request)
        return Completion(text=answer, usage=Usage(calls=1), model="fake")

    async def embed(request: Any, /) -> Any:
        return SimpleNamespace(vectors=vectors(request) if vectors else (), usage=Usage())

    return SimpleNamespace(knowledge=KNOWLEDGE, has_model=has_model, complete=complete, embed=embed, requests=requests)


async def processed(options: dict[str, Any], given_: Expansion, ctx: Any) -> Expansion:
    fit = await Fit.create(Fit.Settings.model_validate(options), SimpleNamespace())  # type: ignore[arg-type]
    return await fit.process_queries(given_, ctx)


async def test_rules_order_and_say_the_score():
    done = await processed({"keep_order": False}, expansion("手机", "小米手机 2000元以下 评测"), context())
    assert [q.text for q in done.queries] == [TEXT, "小米手机 2000元以下 评测", "手机"]
    assert all(re.search(r"\[\d\.\d\d\]$", q.why) for q in done.queries[1:])
    assert done.queries[0].why == ""


async def test_below_the_threshold_is_cut_with_the_reason():
    done = await processed({"threshold": 0.8}, expansion("小米手机 2000元以下 评测", "手机"), context())
    assert [q.text for q in done.queries] == [TEXT, "小米手机 2000元以下 评测"]
    assert "fits the query too little" in done.dropped[0].reason
    assert (await processed({"threshold": 0}, expansion("菜谱"), context())).dropped == ()


async def test_close_scores_keep_their_order():
    texts = ("小米手机 2000元以下 壁纸", "小米手机 2000元以下 评测")
    done = await processed({}, expansion(*texts), context())
    assert [q.text for q in done.queries[1:]] == list(texts)


def test_what_each_part_of_the_score_is_for():
    scorer = Scorer(Query(text=TEXT), UNDERSTANDING, KNOWLEDGE)

    def score(text: str, strategy: str = "refine") -> float:
        return scorer.score(sub(text, strategy))

    full = score("小米手机 2000元以下 评测")
    assert full > score("小米手机 2000元以下 壁纸 下载 大全")  # intent, own words
    assert full > score("小米手机 评测")  # a constraint
    assert full > score("手机 2000元以下 评测")  # a core entity
    assert score("手机 2000元以下 评测") > score("华为手机 2000元以下 评测")  # a foreign one
    assert full > score("小米手机 2000元以下 评测 " + "很好" * 60)  # length


@given(st.text(max_size=40), st.sampled_from(["refine", "decompose", "generalize", "translate"]))
@settings(max_examples=60, deadline=None)
def test_scores_are_between_0_and_1(text: str, strategy: str):
    assert 0 <= Scorer(Query(text=TEXT), UNDERSTANDING, KNOWLEDGE).score(sub(text, strategy)) <= 1


async def test_embedding_orders_by_nearness():
    directions = {TEXT: (1.0, 0.0), "近": (1.0, 0.1), "远": (0.1, 1.0)}

    def vectors(request: Any) -> tuple[bytes, ...]:
        return tuple(struct.pack("<2f", *directions[t]) for t in request.texts)

    options = {"by": "embedding", "keep_order": False, "threshold": 0.05}
    done = await processed(options, expansion("远", "近"), context(vectors=vectors))
    assert [q.text for q in done.queries[1:]] == ["近", "远"]


@pytest.mark.parametrize(
    "vectors",
    [lambda r: (), lambda r: tuple(b"" for _ in r.texts), lambda r: (b"\0" * 8, *(b"\0" * 4 for _ in r.texts[1:]))],
)
async def test_wrong_vectors_are_an_error(vectors: Callable[[Any], Any]):
    with pytest.raises(BadResponse):
        await processed({"by": "embedding"}, expansion("近"), context(vectors=vectors))


async def test_the_model_only_chooses_labels():
    ctx = context('{"q1": "foreign", "q2": "exact"}')
    done = await processed({"by": "llm"}, expansion("西红柿", "小米手机 评测"), ctx)
    assert [q.text for q in done.queries[1:]] == ["小米手机 评测"]
    assert done.dropped[0].text == "西红柿"
    schema = ctx.requests[0].schema
    assert schema["properties"]["q1"]["enum"] == [g.value for g in Grade]
    assert set(json.loads(ctx.requests[0].messages[-1].content)["candidates"]) == {"q1", "q2"}


@pytest.mark.parametrize(
    "answer", ["", "exact", '{"q1": "exact"}', '{"q1": "exact", "q2": "perfect"}', '{"q1": 1, "q2": 1}', "[]"]
)
async def test_any_other_label_is_no_answer(answer: str):
    with pytest.raises(BadResponse):
        await processed({"by": "llm"}, expansion("a", "b"), context(answer))


async def test_llm_without_a_model_says_so():
    with pytest.raises(BadResponse, match="llm"):
        await processed({"by": "llm"}, expansion("a"), context(has_model=False))


async def test_nothing_to_do():
    only = expansion()
    assert await processed({}, only, context()) is only


def test_settings_refuse_what_they_do_not_know():
    with pytest.raises(ValueError, match="extra"):
        FitSettings.model_validate({"by": "rules", "limit": 3})


def test_what_suits_this_kind_of_query_fits_better_than_what_suits_any():
    needs = (Need(when=("printer",), needs=("reinstall the driver",)), Need(needs=("overview",)))
    taxonomy = Taxonomy(name="test", intents=(Intent(id="troubleshooting", needs=needs),))
    templates = (
        Template(text="{core} analysis", strategy="refine", intents=("troubleshooting",)),
        Template(text="{core} spooler", strategy="refine", intents=("troubleshooting",), when=("printer",)),
    )
    knowledge = Knowledge(name="test", taxonomy=taxonomy, templates=templates)
    understanding = Understanding(
        intent=("troubleshooting",),
        entities=(Entity(text="printer", type="product"),),
        keywords=("printer", "offline"),
        implicit_needs=("reinstall the driver", "overview"),
        language="en",
    )
    scorer = Scorer(Query(text="printer offline"), understanding, knowledge)
    need, form, synonym, usual, any_form, noise, twice = (
        scorer.score(sub(f"printer offline {words}", strategy))
        for words, strategy in (
            ("reinstall the driver", "refine"),
            ("spooler", "refine"),
            ("problem", "synonym"),
            ("overview", "refine"),
            ("analysis", "refine"),
            ("lasagna", "refine"),
            ("printer overview", "refine"),
        )
    )
    assert need > form > synonym > usual >= any_form > noise
    assert usual > twice
    assert need - any_form >= 0.1


async def test_what_fits_less_surely_weighs_a_tenth():
    given_ = expansion("小米 手机 2000元以下 评测", "手机 2000元以下 配件")
    done = await processed({}, given_, context())
    weights = {query.text: query.weight for query in done.queries}
    assert weights["小米 手机 2000元以下 评测"] == pytest.approx(0.7)
    assert weights["手机 2000元以下 配件"] == pytest.approx(0.07)
    assert done.queries[0].weight == given_.queries[0].weight
    graded = await processed(
        {"by": "embedding"},
        given_,
        context(vectors=lambda r: [struct.pack("<2f", 1, n) for n, _ in enumerate(r.texts)]),
    )
    assert {query.weight for query in graded.queries[1:]} == {0.7}  # the nearness of meaning has another scale
