"""An engine that says nonsense of what it holds, or is too slow to say it, costs its knowledge: never a search."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from backends import BRAND, Knowing, docs, ids, searching
from engines import analysis, queries, stage
from qx.calls.connection import Connection
from qx.clock import SystemClock
from qx.errors import BadResponse, ProviderTimeout, Unavailable
from qx.filters.fieldmap import StoredField
from qx.settings import BackendBlock
from qx.steps.grounding import Vocabularies
from qx.steps.grounding.vocabulary import LATE
from qx.testing import Answer, ScriptedLLM
from qx.vocabulary import Held

pytestmark = pytest.mark.virtual_time
TEXT = "hewlett packard laptop with a bright screen and a good keyboard"
STORED = {"metadata.brand": ("HP", "Dell")}


def branded() -> ScriptedLLM:
    brand = {"field": "brand", "op": "eq", "value": "hewlett packard", "text": "hewlett packard", "hard": True}
    made = {"understand": analysis(constraints=[brand]), "expand": queries("laptop computer")}
    return ScriptedLLM(lambda request: Answer(text=made[stage(request)], delay=0.5))


class Babbling(Knowing):
    """Answers questions about what it holds with ``said``."""

    def __init__(self, said: Any, **options: Any) -> None:
        super().__init__(default=docs("1", brand="HP"), **options)
        self.said = said

    async def frequencies(self, terms: Any, /) -> Any:
        self.counted.append(tuple(terms))
        return self.said

    async def values(self, field: str, /, *, limit: int) -> Any:
        self.listed.append(field)
        return self.said


class Abrupt(Babbling):
    """Fails before there is anything to await."""

    def frequencies(self, terms: Any, /) -> Any:
        raise KeyError("bug")

    def values(self, field: str, /, *, limit: int) -> Any:
        raise KeyError("bug")


def vocabulary(backend: Knowing) -> Vocabularies:
    clock = SystemClock()
    backend.fields = {"brand": StoredField(name="metadata.brand")}  # type: ignore[misc]
    return Vocabularies(
        [Connection("a", backend, BackendBlock(type="scripted"), clock=clock, redact=lambda t: t)], clock
    )


NONSENSE = [
    None,
    5,
    "HP",
    ["HP"],
    [("HP",)],
    [(1, 2)],
    [("HP", 1), None],
    {"laptop": "many"},
    {"laptop": None},
    object(),
]


@pytest.mark.parametrize("said", NONSENSE, ids=range(len(NONSENSE)))
async def test_nonsense_costs_the_knowledge_and_is_told_once(said: Any):
    async with searching(Babbling(said), llm=branded(), search={"fields": BRAND, "strong": 1.0}) as opened:
        result = await opened.search(TEXT)
    assert ids(result) == ["1"]
    told = [d for d in result.degraded if d.rung == "without grounding"]
    kinds = {str(d.reason) for d in told}
    assert len(kinds) == len(told) > 0


async def test_a_bug_before_the_first_await_costs_no_more():
    async with searching(Abrupt(None), llm=branded(), search={"fields": BRAND, "strong": 1.0}) as opened:
        result = await opened.search(TEXT)
    assert ids(result) == ["1"]
    assert any("KeyError" in d.reason for d in result.degraded)


@pytest.mark.parametrize("said", NONSENSE, ids=range(len(NONSENSE)))
async def test_nonsense_is_a_bad_response(said: Any):
    if not isinstance(said, dict):
        with pytest.raises(BadResponse, match="backend a"):
            await vocabulary(Babbling(said)).frequencies(["laptop"], None)
    with pytest.raises(BadResponse, match="backend a"):
        await vocabulary(Babbling(said)).values("brand", None)


async def test_counts_that_are_no_numbers_are_a_bad_response():
    with pytest.raises(BadResponse, match="laptop"):
        await vocabulary(Babbling({"laptop": "many"})).frequencies(["laptop"], None)


class Unsure(Knowing):
    def inexpressible(self, filter: Any, /) -> Any:
        raise KeyError("bug")


async def test_an_engine_that_cannot_say_what_it_can_express_costs_its_own_list():
    broken, good = Unsure(default=docs("1", brand="HP")), Knowing(default=docs("2", brand="HP"), stored=STORED)
    async with searching(broken, good, llm=branded(), search={"fields": BRAND, "strong": 1.0}) as opened:
        result = await opened.search(TEXT)
    assert "2" in ids(result)
    reasons = [report.reason for report in result.rankings if report.backend == "a"]
    assert any("KeyError" in str(reason) for reason in reasons)


async def test_one_impatient_caller_does_not_silence_the_engine_for_others():
    backend = Knowing(name="a", held={"x": 2}, stored=STORED, slow=0.2)
    known = vocabulary(backend)
    with pytest.raises(ProviderTimeout):
        await known.frequencies(["x"], 0.1)
    assert known.tells("frequencies")
    assert await known.frequencies(["x"], 0.5) == {"a": {"x": 2}}
    assert await known.values("brand", 0.5) == Held(("HP", "Dell"), complete=True)


async def test_who_has_no_more_time_than_was_too_little_does_not_wait_again():
    backend = Knowing(name="a", held={"x": 2}, slow=0.2)
    known = vocabulary(backend)
    with pytest.raises(ProviderTimeout):
        await known.frequencies(["x"], 0.1)
    assert await known.frequencies(["x"], 0.1) == {}
    assert len(backend.counted) == 1
    await asyncio.sleep(LATE + 1)
    with pytest.raises(ProviderTimeout):
        await known.frequencies(["x"], 0.1)
    assert len(backend.counted) == 2


async def test_counts_and_values_fail_apart():
    class Half(Knowing):
        async def frequencies(self, terms: Any, /) -> Any:
            raise Unavailable("no counts here")

    known = vocabulary(Half(name="a", stored=STORED))
    with pytest.raises(Unavailable):
        await known.frequencies(["x"], None)
    assert not known.tells("frequencies")
    assert await known.values("brand", None) == Held(("HP", "Dell"), complete=True)
    assert await known.frequencies(["x"], None) == {}
