"""What a strategy notes is told with the expansion, from the cache as well."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from engines import engine, queries
from qx import Engine, Profile, Query, Understanding
from qx.context import Context
from qx.hookspecs import Contribution, hookimpl
from qx.plugins import Plugins
from qx.testing import ScriptedLLM
from qx.types import SubQuery

SAID = "the dictionary of the house knows no such word"


class Noting:
    async def expand(self, query: Query, understanding: Understanding, context: Context, /) -> Sequence[SubQuery]:
        context.note(SAID)
        return ()


@hookimpl
def qx_steps() -> list[Contribution[Any]]:
    return [Contribution(name="noting", target=f"{__name__}:Noting")]


async def test_notes_of_strategies_are_told_with_the_expansion() -> None:
    settings = {
        "name": "a", "tenant": "a", "understand": {"mode": "rules"}, "expand": {"strategies": ["noting", "synonym"]},
        "cache": {"type": "memory"},
    }  # fmt: skip
    plugins = Plugins.load(allow=(), modules=[sys.modules[__name__]])
    async with Engine.opened(Profile.model_validate(settings), plugins=plugins) as engine:
        first = await engine.expand("gaming laptop")
        kept = await engine.expand("gaming laptop")
        [many] = await engine.expand_many(["office laptop"])
    assert kept.usage.cached
    for expansion in (first, kept, many):
        assert expansion.notes.count(SAID) == 1


PRICED = "5000元以下 轻薄 笔记本电脑"


async def told(*texts: str) -> tuple[str, ...]:
    written = queries(*texts)
    model = ScriptedLLM(lambda request: written)
    settings = {"understand": {"mode": "rules"}, "expand": {"mode": "llm"}}
    async with engine(model, **settings) as opened:
        expansion = await opened.expand(PRICED)
    assert len(expansion.queries) > 1
    return expansion.notes


async def test_a_model_of_whose_queries_none_held_is_told() -> None:
    [note] = await told("8000元以下 轻薄 笔记本电脑", "thin laptop under 5000 yuan")
    assert "none of the model's 2 queries held" in note
    assert "changes the number" in note


async def test_a_model_that_says_the_same_or_one_good_thing_is_not_told_of() -> None:
    assert await told("8000元以下 轻薄 笔记本电脑", "5000元以下 超薄 笔记本电脑") == ()
    assert await told(PRICED) == ()
