"""Vague references, by the names in the first hits of a search."""

from __future__ import annotations

from typing import Any

import pytest

from backends import searching
from qx import Query
from qx.backend import Document
from qx.testing.backend import ScriptedBackend
from qx.types import SearchResult, Turn

pytestmark = pytest.mark.virtual_time
TESLA = ("特斯拉 Model Y 焕新版 上市", "Model Y 焕新版 试驾 续航", "特斯拉 财报")
SONY = ("Sony WH-1000XM6 hands-on", "WH-1000XM6 review: the best yet", "Sony earnings call")


def documents(*titles: str) -> tuple[Document, ...]:
    return tuple(Document(id=str(n), title=title) for n, title in enumerate(titles))


async def found(text: str, titles: tuple[str, ...], history: tuple[Turn, ...] = (), **settings: Any) -> SearchResult:
    async with searching(ScriptedBackend(default=documents(*titles)), **settings) as opened:
        return await opened.search(Query(text=text, history=history))


def named(result: SearchResult) -> list[str]:
    assert result.expansion is not None
    return [
        q.text for q in result.expansion.queries if "首批结果里的名称" in q.why or "named in the first hits" in q.why
    ]


@pytest.mark.parametrize(
    ("text", "titles", "meant"),
    [
        ("特斯拉最近那个车怎么样", TESLA, ["特斯拉 Model Y 怎么样"]),
        ("is that new sony headphone good", SONY, ["is WH-1000XM6 headphone good"]),
        ("特斯拉最近那个车怎么样", TESLA[1:], []),  # one hit names it: too little
        ("特斯拉最近那个车怎么样", ("特斯拉 财报", "特斯拉 充电"), []),
        ("特斯拉 Model Y 怎么样", TESLA, []),
        ("特斯拉 充电 价格", TESLA, []),
    ],
)
async def test_what_two_hits_name_is_a_reading(text: str, titles: tuple[str, ...], meant: list[str]):
    result = await found(text, titles)
    assert named(result) == meant
    assert result.expansion is not None
    assert result.expansion.queries[0].text == text
    assert all(q.weight < 1 for q in result.expansion.queries[1:])


async def test_of_several_names_the_most_frequent_come_first_and_two_at_most():
    titles = ("小米 SU7 试驾", "小米 SU7 续航", "小米 YU7 试驾", "SU7 上市", "YU7 上市")
    texts = named(await found("小米最近那个车怎么样", titles))
    assert texts == ["小米 SU7 怎么样", "小米 YU7 怎么样"]


async def test_the_conversation_comes_first():
    history = (Turn(role="user", content="Cybertruck 值得买吗"),)
    result = await found("特斯拉最近那个车怎么样", TESLA, history)
    assert named(result) == []


@pytest.mark.parametrize("settings", [{"strategies": ["synonym"]}, {"without": ["senses"]}, {"limit": 0}], ids=str)
async def test_a_profile_may_do_without(settings: dict[str, Any]):
    assert named(await found("特斯拉最近那个车怎么样", TESLA, expand=settings)) == []
