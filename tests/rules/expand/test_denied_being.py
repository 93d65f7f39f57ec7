"""不是 says what a thing is not, which no query may turn round: kept, or the query is dropped."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from qx.domain import Knowledge
from qx.rules.expand import choose, expand
from qx.settings import Expand
from qx.steps.guard import guard
from qx.types import Query, Understanding

TEXTS = [
    ("这个充电器不是原装的吧", "不是原装"),
    ("這個充電器不是原裝的吧", "不是原裝"),
    ("手机不是苹果的也行，只要拍照好", "不是苹果"),
    ("手機不是蘋果的也行，只要拍照好", "不是蘋果"),
    ("这双鞋不是正品怎么办", "不是正品"),
    ("這雙鞋不是正品怎麼辦", "不是正品"),
    ("收到的手机不是全新的", "不是全新"),
    ("耳机并非全新，能退吗", "并非全新"),
    ("這台筆電並非全新，能退嗎", "並非全新"),
    ("this charger is not original", "not original"),
]


@pytest.mark.parametrize(("text", "words"), TEXTS)
async def test_what_it_is_not_stays(
    text: str,
    words: str,
    understand: Callable[..., Understanding],
    make_context: Callable[..., Any],
    strategies: Callable[..., Any],
    knowledge: Knowledge,
):
    query, understanding = Query(text=text), understand(text)
    made = await expand(query, understanding, make_context(), strategies(choose(query, understanding, knowledge)))
    found, _ = guard(query, understanding, made, settings=Expand(), knowledge=knowledge)
    assert found
    kept = [q.text for q in found if q.target != "web"]
    assert kept
    assert not [text for text in kept if words not in text]
