"""The core of a query keeps its head, its negation and what gives its verbs a sense."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from qx.rules.cutting import without
from qx.rules.wording import Wording
from qx.steps.strategies.substitution import agreeing
from qx.types import Query, Understanding
from tests.engines import engine


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("除了华为以外的国产手机", ["国产", "手机", "除了华为以外"]),
        ("不用烤箱怎么做蛋糕", ["不用烤箱", "蛋糕"]),
        ("牙疼吃什么药好", ["牙疼吃什么药"]),
        ("女朋友生日送什么", ["送什么"]),
        ("三亚旅游住哪里", ["住哪里"]),
        ("git 撤销上一次提交", ["上一次"]),
        ("北京到上海的高铁", ["北京到上海", "高铁"]),
        ("签证被拒怎么办", ["被拒"]),
        ("退货运费谁出", ["谁出"]),
        ("一个人去西藏", ["一个人", "西藏"]),
        ("AT&T 换套餐", ["AT&T"]),
        ("不要外国品牌的国产护肤品", ["不要外国品牌", "国产护肤品"]),
        ("二手冰箱 不要海尔", ["二手", "冰箱", "不要海尔"]),
    ],
)
def test_the_core_keeps(text: str, kept: list[str], understand: Callable[..., Understanding], knowledge: Any) -> None:
    core = Wording(Query(text=text), understand(text), knowledge).core
    assert [words for words in kept if words not in core] == [], core


@pytest.mark.parametrize(
    ("text", "lost"), [("牙疼吃什么药好", "药好"), ("公积金贷款额度怎么算", " 算"), ("华为mate60什么时候出", " 出")]
)
def test_the_end_of_a_question_goes(
    text: str, lost: str, understand: Callable[..., Understanding], knowledge: Any
) -> None:
    assert lost not in Wording(Query(text=text), understand(text), knowledge).core


@pytest.mark.parametrize(
    ("text", "words", "rest"),
    [
        ("plumber open on sunday", "sunday", "plumber open"),
        ("flights in april from rome", "april", "flights from rome"),
    ],
)
def test_what_leads_to_a_word_goes_with_it(text: str, words: str, rest: str) -> None:
    assert " ".join(without(text, words).split()) == rest


@pytest.mark.parametrize(
    ("own", "key", "other", "agreed"),
    [
        ("restaurants", "restaurant", "place to eat", "places to eat"),
        ("restaurant", "restaurant", "place to eat", "place to eat"),
        ("toddlers", "toddler", "young child", "young children"),
        ("laptops", "laptop", "notebook computer", "notebook computers"),
    ],
)
def test_number_agrees(own: str, key: str, other: str, agreed: str) -> None:
    assert agreeing(own, key, other) == agreed


@pytest.mark.parametrize(
    ("text", "excluded"),
    [
        ("electric car but not chinese ev", "chinese ev"),
        ("iPhone 15 不要 Pro", "Pro"),
        ("不用烤箱怎么做蛋糕", "烤箱"),
        ("laptop not acer", "acer"),
        ("不要白色的裙子", "白色"),
    ],
)
def test_all_of_what_is_ruled_out(text: str, excluded: str, understand: Callable[..., Understanding]) -> None:
    assert understand(text).negations == (excluded,)


async def test_the_wider_term_of_a_pack_is_no_other_thing_by_any_of_its_names():
    async with engine() as opened:
        found = {q.text: q for q in (await opened.expand("sourdough not rising")).queries}
    assert found["bread not rising"].strategy == "generalize"
    assert found["bread not rising"].weight == 0.4


async def test_a_form_that_names_a_kind_of_writing_takes_no_other():
    async with engine() as opened:
        for typed in ("papers on graph neural networks", "recent papers about graph neural networks"):
            texts = [q.text for q in (await opened.expand(typed)).queries]
            assert "recent advances in graph neural networks" in texts
            assert not any("in papers" in text or "in recent papers" in text for text in texts)


@pytest.mark.parametrize(
    ("text", "core"),
    [
        ("我家的洗碗机漏水", "洗碗机漏水"),
        ("my wife's car makes a grinding noise", "car makes a grinding noise"),
        ("my parents' wifi is slow", "wifi is slow"),
    ],
)
def test_whose_it_is_is_left_out(
    text: str, core: str, understand: Callable[..., Understanding], knowledge: Any
) -> None:
    assert Wording(Query(text=text), understand(text), knowledge).core == core
