"""The pack as the tests read it: by rules, from its folder, whether or not it is installed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from qx import Engine, Expansion, Profile, Query, Understanding
from qx.domain import DomainPack, Knowledge, merge
from qx.packs import load_pack
from qx.plugins import Plugins
from qx.rules.understand import RuleUnderstanding
from qx.testing.leaks import *  # noqa: F403  afterwards no task, thread or socket is left

PACK = Path(__file__).parents[1]
NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)


def _packed(**settings: Any) -> Profile:
    """A profile with the pack, which asks no model and keeps nothing."""
    data = {
        "name": "desk", "tenant": "desk", "domains": ["./academic"], "cache": {"type": "none"},
        "understand": {"mode": "rules"}, **settings,
    }  # fmt: skip
    return Profile.model_validate(data).model_copy(update={"folder": PACK.parent})


async def _expanded(texts: Iterable[str]) -> dict[str, Expansion]:
    async with Engine.opened(_packed(), plugins=Plugins.load(allow=())) as engine:
        return {text: await engine.expand(Query(text=text, now=NOW)) for text in texts}


@pytest.fixture(scope="session")
def pack() -> DomainPack:
    return load_pack(PACK)


@pytest.fixture(scope="session")
def knowledge(pack: DomainPack) -> Knowledge:
    return merge([pack, load_pack("qx.builtin:general/pack.yaml")])


@pytest.fixture(scope="session")
def read(knowledge: Knowledge) -> Callable[[str], Understanding]:
    rules = RuleUnderstanding(knowledge)
    return cache(lambda text: rules.understand(Query(text=text), now=NOW, zone=UTC))


@pytest.fixture(scope="session")
def packed() -> Callable[..., Profile]:
    return _packed


@pytest.fixture(scope="session")
def expanded() -> Callable[[Iterable[str]], dict[str, Expansion]]:
    """What one engine makes of some queries."""
    return lambda texts: asyncio.run(_expanded(texts))
