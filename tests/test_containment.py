"""Somebody else's broken code costs its own part, never the request."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

import qx.testing.plugin
from engines import engine, profile
from qx import Contribution, Engine, Expansion, SubQuery, hookimpl
from qx.errors import UsageError
from qx.model import Model
from qx.plugins import Plugins
from qx.testing import ScriptedLLM

pytestmark = pytest.mark.virtual_time
TEXT = "how to fix a squeaky bicycle brake"


class Settings(Model):
    """None."""


class Made:
    """Whatever a test makes of it: the factory's class methods return ``made``."""

    Settings = Settings
    made: Any = None

    @classmethod
    async def create(cls, settings: Any, services: Any, /) -> Any:
        return cls.made


def plugin(**hooks: tuple[str, Any]) -> Any:
    """A module whose hooks bring one contribution each: ``qx_steps=("bad", object)``."""
    module = SimpleNamespace(__name__="bad_plugin")
    for hook, (name, target) in hooks.items():
        place = f"place_{name}".replace("-", "_")
        globals()[place] = target

        def bring(name: str = name, place: str = place) -> list[Contribution[Any]]:
            return [Contribution(name=name, target=f"{__name__}:{place}")]

        # pluggy reads arguments without a default only
        setattr(module, hook, hookimpl(lambda bring=bring: bring()))
    return module


class Strategy:
    """Expands to ``result``, or raises it."""

    result: Any = None

    async def expand(self, query: Any, understanding: Any, context: Any) -> Any:
        if isinstance(self.result, BaseException):
            raise self.result
        if self.result == "hang":
            await context.clock.sleep(3600)
        return self.result


@pytest.fixture(autouse=True)
def importable(monkeypatch: pytest.MonkeyPatch):
    import sys

    monkeypatch.setitem(sys.modules, __name__, SimpleNamespace(**globals()))


def opened(module: Any, **settings: Any) -> Any:
    import sys

    sys.modules[__name__] = SimpleNamespace(**globals())
    plugins = Plugins.load(allow=(), modules=[qx.testing.plugin, module])
    return Engine.opened(profile(None, **settings), plugins=plugins)


@pytest.mark.parametrize(
    "result", [None, "text", ["text"], [None], {"a": 1}, "hang", KeyError("bug"), RuntimeError("bug")]
)
async def test_a_broken_strategy_costs_its_own_queries(result: Any):
    bad = type("Bad", (Strategy,), {"result": result})
    async with opened(plugin(qx_steps=("bad", bad)), expand={"strategies": ["bad", "refine"]}, deadline=2.0) as made:
        expansion = await made.expand(TEXT)
    assert any(q.strategy == "refine" for q in expansion.queries)
    assert any("bad" in d.reason for d in expansion.degraded)


async def test_a_strategy_that_floods_is_cut():
    flood = [SubQuery(text=f"bicycle brake squeak {n}", strategy="refine") for n in range(20_000)]
    bad = type("Bad", (Strategy,), {"result": flood})
    async with opened(plugin(qx_steps=("bad", bad)), expand={"strategies": ["bad"]}) as made:
        expansion = await made.expand(TEXT)
    assert len(expansion.queries) + len(expansion.dropped) <= 60


class Processor:
    """Returns ``result`` of the expansion."""

    def __init__(self, result: Any) -> None:
        self.result = result

    async def process_queries(self, expansion: Expansion, context: Any) -> Any:
        return self.result(expansion)

    async def aclose(self) -> None:
        """Nothing to close."""


def _raise(expansion: Expansion) -> Any:
    raise KeyError("bug")


@pytest.mark.parametrize("result", [lambda e: None, lambda e: "text", _raise])
async def test_a_broken_processor_is_left_out(result: Any):
    bad = type("Bad", (Made,), {"made": Processor(result)})
    async with opened(plugin(qx_post_processors=("bad", bad)), expand={"processors": ["bad"]}) as made:
        expansion = await made.expand(TEXT)
    assert len(expansion.queries) > 1
    assert [d.rung for d in expansion.degraded] == ["without processor bad"]


async def test_a_processor_cannot_take_the_originals_place():
    def swap(expansion: Expansion) -> Expansion:
        mine = SubQuery(text="buy bitcoin", strategy="original")
        return Expansion(original="HACK", queries=(mine, *expansion.queries))

    bad = type("Bad", (Made,), {"made": Processor(swap)})
    async with opened(plugin(qx_post_processors=("bad", bad)), expand={"processors": ["bad"]}) as made:
        expansion = await made.expand(TEXT)
    assert expansion.original == TEXT
    assert expansion.queries[0].text == TEXT
    assert "buy bitcoin" not in [q.text for q in expansion.queries]


class Cache:
    """Fails at everything."""

    async def get(self, key: Any) -> Any:
        raise RuntimeError("bug")

    async def set(self, key: Any, data: bytes, *, ttl: float) -> None:
        raise RuntimeError("bug")

    async def aclose(self) -> None:
        """Nothing to close."""


class WrongCache(Cache):
    """Answers something that is no bytes."""

    async def get(self, key: Any) -> Any:
        return 7

    async def set(self, key: Any, data: bytes, *, ttl: float) -> None:
        """Forget it."""


@pytest.mark.parametrize("cache", [Cache(), WrongCache()])
async def test_a_broken_cache_is_a_miss(cache: Any):
    bad = type("Bad", (Made,), {"made": cache})
    async with opened(plugin(qx_caches=("bad", bad)), cache={"type": "bad"}) as made:
        assert len((await made.expand(TEXT)).queries) > 1


@pytest.mark.parametrize("answer", [None, "text", 7])
async def test_a_provider_that_returns_no_completion_falls_to_rules(answer: Any):
    class Garbage(ScriptedLLM):
        async def complete(self, request: Any, /) -> Any:
            return answer

    async with engine(Garbage()) as made:
        expansion = await made.expand(TEXT)
    assert {(d.step, d.rung) for d in expansion.degraded} == {("understand", "rules"), ("expand", "rules")}


async def test_a_provider_that_cannot_say_what_it_can_do_is_asked_plainly():
    class Silent(ScriptedLLM):
        def capabilities(self, model: str, /) -> Any:
            raise RuntimeError("bug")

    llm = Silent([], default="no JSON")
    async with engine(llm) as made:
        await made.expand(TEXT)
    assert all(r.schema is None for r in llm.requests)


@pytest.mark.parametrize("query", [None, 7, b"bytes", ["list"]])
async def test_what_is_no_query_is_said_to_be_none(query: Any):
    async with engine() as made:
        with pytest.raises(UsageError, match="a str or a Query"):
            await made.expand(query)


async def test_both_steps_say_what_they_fell_to_also_at_a_tiny_deadline():
    from qx.testing import Answer

    llm = ScriptedLLM([], default=Answer(text="late", delay=3600))
    async with engine(llm, deadline=0.05) as made:
        expansion = await made.expand(TEXT)
    assert {"understand", "expand"} <= {d.step for d in expansion.degraded}
