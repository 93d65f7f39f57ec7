"""What a strategy notes is told with the expansion, from the cache as well."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from qx import Engine, Profile, Query, Understanding
from qx.context import Context
from qx.hookspecs import Contribution, hookimpl
from qx.plugins import Plugins
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
