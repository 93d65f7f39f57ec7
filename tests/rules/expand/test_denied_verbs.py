"""A verb that is denied stays denied in every expansion: "why won't my phone charge" never becomes "phone charge fix"."""

from collections.abc import Callable
from typing import Any

import pytest

from qx.rules.expand import expand
from qx.rules.negations import speaks_against
from qx.settings import Expand
from qx.steps.guard import guard
from qx.types import Query, SubQuery, Understanding

CASES = [
    ("why won't my phone charge", "won't"),
    ("why isn't my wifi working", "isn't"),
    ("why hasn't my order shipped", "hasn't"),
    ("why wouldn't the car start", "wouldn't"),
    ("why aren't my airpods connecting", "aren't"),
    ("why can't my laptop connect to wifi", "can't"),
    ("为什么手机不充电", "不充电"),
    ("为什么空调不制冷", "不制冷"),
    ("不吃药怎么降血压", "不吃药"),
    ("不贵的手机", "不贵"),
]


@pytest.mark.parametrize(("text", "word"), CASES)
async def test_the_denial_stays(
    text: str,
    word: str,
    understand: Callable[..., Understanding],
    make_context: Callable[..., Any],
    strategies: Callable[..., Any],
):
    query, understanding, context = Query(text=text), understand(text), make_context()
    made = await expand(query, understanding, context, strategies(["synonym", "refine", "keywords", "boolean"]))
    kept, _ = guard(query, understanding, made, settings=Expand(), knowledge=context.knowledge)
    assert len(kept) >= 2
    for candidate in kept:
        assert word in candidate.text or speaks_against(candidate.text, [word]), candidate.text
        assert "不 (" not in candidate.text, candidate.text


@pytest.mark.parametrize(
    ("text", "turned"),
    [
        ("why won't my phone charge", "phone charge possible causes"),
        ("why won't my phone charge", "smartphone charge fix"),
        ("why isn't my wifi working", "wifi working root cause"),
        ("my printer doesn't print", "printer print solution"),
        ("laptop not booting", "laptop booting reasons"),
    ],
)
def test_a_remedy_alone_tells_no_fault(
    text: str, turned: str, understand: Callable[..., Understanding], make_context: Callable[..., Any]
):
    made = (SubQuery(text=turned, strategy="refine"),)
    understanding = understand(text)
    kept, dropped = guard(Query(text=text), understanding, made, settings=Expand(), knowledge=make_context().knowledge)
    assert kept == ()
    assert "not work" in dropped[0].reason or "negation" in dropped[0].reason
