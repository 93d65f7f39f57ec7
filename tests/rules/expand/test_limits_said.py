"""A limit keeps its comparator and a negation its word."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from qx.rules import figures
from qx.rules.expand import choose, expand
from qx.settings import Expand
from qx.steps.guard import guard
from qx.types import Query, Understanding


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("筆記型電腦 不要遊戲本 三萬以下", "三萬以下"),
        ("不太甜的蛋糕", "不太甜"),
        ("不得不去的景点", "不得不去"),
        ("to be or not to be", "to be or not to be"),
        ("laptop without nvidia gpu", "nvidia"),
    ],
)
async def test_what_limits_stays(
    text: str,
    kept: str,
    understand: Callable[..., Understanding],
    make_context: Callable[..., Any],
    strategies: Callable[..., Any],
    knowledge: Any,
):
    query, understanding = Query(text=text), understand(text)
    made = await expand(query, understanding, make_context(), strategies(choose(query, understanding, knowledge)))
    found, _ = guard(query, understanding, made, settings=Expand(), knowledge=knowledge)
    assert found
    for candidate in found:
        assert kept in candidate.text
        assert candidate.text.count("without") < 2


@pytest.mark.parametrize(
    ("wanted", "other", "true"),
    [
        ("5000元以下", "5000元以内", True),
        ("5000元以下", "5000元", False),
        ("5000元以下", "5000元左右", False),
        ("under $1000", "less than $1000", True),
        ("under $1000", "under $1000 above $500", False),
        ("3000到5000元", "3000-5000元", True),
    ],
)
def test_a_limit_keeps_its_comparator(wanted: str, other: str, true: bool):
    own, others = figures.find(wanted), figures.find(other)
    assert (figures.changed(own, others) is None and all(figures.kept(f, others) for f in own)) is true
