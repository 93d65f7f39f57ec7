"""A plugin that ends the program while a request runs costs its own part of it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from engines import engine
from qx import Expansion
from qx.containment import watching_interrupts
from qx.errors import PluginError
from qx.testing import ScriptedLLM

from .test_containment import TEXT, Cache, Made, Processor, Strategy, importable, opened, plugin

__all__ = ["importable"]
pytestmark = pytest.mark.virtual_time


class Own(BaseException):
    """None of Python's."""


ENDS = [SystemExit(3), KeyboardInterrupt(), GeneratorExit(), asyncio.CancelledError(), Own(), MemoryError()]


@pytest.fixture(autouse=True)
def watched() -> Any:
    with watching_interrupts():
        yield


@pytest.mark.parametrize("error", ENDS, ids=lambda error: type(error).__name__)
async def test_a_strategy(error: BaseException):
    bad = type("Bad", (Strategy,), {"result": error})
    async with opened(plugin(qx_steps=("bad", bad)), expand={"strategies": ["bad", "refine"]}) as made:
        expansion = await made.expand(TEXT)
    assert any(q.strategy == "refine" for q in expansion.queries)
    assert any("strategy bad" in d.reason and type(error).__name__ in d.reason for d in expansion.degraded)


@pytest.mark.parametrize("error", ENDS, ids=lambda error: type(error).__name__)
async def test_a_processor(error: BaseException):
    def leave(expansion: Expansion) -> Any:
        raise error

    bad = type("Bad", (Made,), {"made": Processor(leave)})
    async with opened(plugin(qx_post_processors=("bad", bad)), expand={"processors": ["bad"]}) as made:
        expansion = await made.expand(TEXT)
    assert [d.rung for d in expansion.degraded] == ["without processor bad"]
    assert type(error).__name__ in expansion.degraded[0].reason


@pytest.mark.parametrize("error", ENDS, ids=lambda error: type(error).__name__)
async def test_a_cache(error: BaseException):
    class Leaving(Cache):
        async def get(self, key: Any) -> Any:
            raise error

        async def set(self, key: Any, data: bytes, *, ttl: float) -> None:
            raise error

        async def aclose(self) -> None:
            raise error

    bad = type("Bad", (Made,), {"made": Leaving()})
    async with opened(plugin(qx_caches=("bad", bad)), cache={"type": "bad"}) as made:
        assert len((await made.expand(TEXT)).queries) > 1


@pytest.mark.parametrize("error", ENDS, ids=lambda error: type(error).__name__)
async def test_an_observer(error: BaseException):
    class Leaving:
        wants_content = False

        def on_event(self, event: Any) -> None:
            raise error

        async def aclose(self) -> None:
            raise error

    bad = type("Bad", (Made,), {"made": Leaving()})
    async with opened(plugin(qx_observers=("bad", bad)), observers=[{"type": "bad"}]) as made:
        assert len((await made.expand(TEXT)).queries) > 1


@pytest.mark.parametrize("error", ENDS, ids=lambda error: type(error).__name__)
async def test_a_provider(error: BaseException):
    class Leaving(ScriptedLLM):
        async def complete(self, request: Any, /) -> Any:
            raise error

    async with engine(Leaving()) as made:
        expansion = await made.expand(TEXT)
    assert {(d.step, d.rung) for d in expansion.degraded} == {("understand", "rules"), ("expand", "rules")}
    assert type(error).__name__ in expansion.degraded[0].reason


@pytest.mark.parametrize("error", ENDS, ids=lambda error: type(error).__name__)
async def test_a_part_that_cannot_be_made(error: BaseException):
    class Leaving(Made):
        @classmethod
        async def create(cls, settings: Any, services: Any, /) -> Any:
            raise error

    with pytest.raises(PluginError, match=f"cache 'bad'.*{type(error).__name__}"):
        async with opened(plugin(qx_caches=("bad", Leaving)), cache={"type": "bad"}):
            pass
