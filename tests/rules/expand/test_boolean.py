"""What a web engine is told to leave out: all of what the query excludes, or nothing at all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from qx.rules.expand import expand
from qx.types import Query, Understanding


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("shoes not red or black", "shoes -red -black"),
        ("不要红色、蓝色和黑色的裙子", "裙子 -红色 -蓝色 -黑色"),
        ("T恤 不要黑色或白色", "T恤 -黑色 -白色"),
        ("car not bmw, audi or mercedes", "car -bmw -audi -mercedes"),
        ("cheap but not chinese ev", None),
        ("cheap but not plastic chair", None),
        ("phone without notch or curved screen", None),
        ("two bedroom apartment no pets allowed", None),
        ("vegan dinner ideas without nuts", "vegan dinner ideas -nuts"),
    ],
)
async def test_all_of_a_list_is_excluded_or_nothing(
    text: str,
    wanted: str | None,
    understand: Callable[..., Understanding],
    make_context: Callable[..., Any],
    strategies: Callable[..., Any],
):
    found = await expand(Query(text=text), understand(text), make_context(), strategies(["boolean"]))
    assert [q.text for q in found if " -" in q.text] == ([] if wanted is None else [wanted])


@pytest.mark.parametrize(
    ("text", "wanted"),
    [("我的笔记本电脑充不进去电", []), ("笔记本充不进去电", ['("笔记本" OR "笔记本电脑") 充不进去电'])],
)
async def test_a_word_that_stands_in_its_other_wording_is_no_alternative_to_it(
    text: str,
    wanted: list[str],
    understand: Callable[..., Understanding],
    make_context: Callable[..., Any],
    strategies: Callable[..., Any],
):
    found = await expand(Query(text=text), understand(text), make_context(), strategies(["boolean"]))
    assert [q.text for q in found] == wanted
