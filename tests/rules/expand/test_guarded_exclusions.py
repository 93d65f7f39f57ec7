"""The guard lets no exclusion through that leaves one of a list wanted, or that excludes the thing itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from qx.settings import Expand
from qx.steps.guard import guard
from qx.types import Query, SubQuery, Understanding


@pytest.mark.parametrize(
    ("text", "candidate", "true"),
    [
        ("shoes not red or black", "shoes or black -red", False),
        ("shoes not red or black", "shoes -red -black", True),
        ("不要红色、蓝色和黑色的裙子", "蓝色 黑色 裙子 -红色", False),
        ("T恤 不要黑色或白色", "T恤 白色 -黑色", False),
        ("car not bmw, audi or mercedes", "car audi or mercedes -bmw", False),
        ("cheap but not chinese ev", "cheap -ev", False),
        ("cheap but not plastic chair", "cheap -plastic", False),
        ("5000元以下 轻薄 笔记本", "5000元 轻薄 笔记本", False),
        ("laptop under $1000", "laptop under $1000 above $500", False),
    ],
)
def test_exclusions_of_a_candidate(
    text: str, candidate: str, true: bool, understand: Callable[..., Understanding], knowledge: Any
):
    made = SubQuery(text=candidate, strategy="boolean", why="test")
    kept, _ = guard(Query(text=text), understand(text), [made], settings=Expand(), knowledge=knowledge)
    assert bool(kept) is true
