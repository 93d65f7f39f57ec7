"""Routes to a tier: by kind, user class, how often a query is asked, and what is left of the day."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from engines import PLUGINS, analysis, engine, profile, queries, stage
from qx import Engine, Query
from qx.errors import Unavailable, UsageError
from qx.llm import CompletionRequest
from qx.spending.routing import Routed, Router
from qx.testing import ScriptedLLM
from qx.tiers import Route

TEXT = "how to fix a squeaky bicycle brake"
TIERS = {"easy": {"model": "small", "variant": "lean"}, "hard": {"model": "large"}}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QX_HOME", str(tmp_path / "home"))


class Asked:
    """An engine with routes, and which models it asked."""

    def __init__(self, opened: Engine, llm: ScriptedLLM) -> None:
        self.engine = opened
        self._llm = llm

    async def models(self, text: str = TEXT, user_class: str | None = None) -> list[str]:
        before = len(self._llm.requests)
        await self.engine.expand(Query(text=text, user_class=user_class))
        return [request.model for request in self._llm.requests[before:]]


def model() -> ScriptedLLM:
    return ScriptedLLM(lambda r: analysis() if stage(r) == "understand" else queries("squeaky bicycle brake repair"))


def routed(*routes: dict[str, Any], **settings: Any) -> Any:
    llm = model()
    made = profile(llm, llm={"tiers": TIERS | {"routes": list(routes)}}, **settings)
    return llm, Engine.opened(made, plugins=PLUGINS)


@pytest_asyncio.fixture
async def vip() -> AsyncIterator[Asked]:
    llm, opening = routed({"tier": "hard", "user_classes": ["vip", "staff"]}, {"tier": "easy"})
    async with opening as opened:
        yield Asked(opened, llm)


async def test_the_first_route_that_fits_wins_in_both_steps(vip: Asked) -> None:
    assert await vip.models(user_class="vip") == ["large", "large"]
    assert await vip.models(user_class="trial") == ["small", "small"]


async def test_a_class_of_users_does_not_get_what_anothers_model_wrote(vip: Asked) -> None:
    assert await vip.models() == ["small", "small"]
    assert await vip.models(user_class="trial") == [], "both are of no class that a route names"
    assert await vip.models(user_class="staff") == ["large", "large"]
    assert await vip.models(user_class="vip") == [], "who goes the same way shares"


async def test_the_lean_prompt_goes_to_the_small_model(vip: Asked) -> None:
    prompts = {name: vip.engine.prompts(Query(text=TEXT, user_class=name))[0].tokens for name in ("vip", "trial")}
    assert sum(prompts["trial"].values()) < sum(prompts["vip"].values())


async def test_a_query_that_comes_often_is_answered_anew_by_the_better_model() -> None:
    llm, opening = routed({"tier": "hard", "seen_at_least": 3}, {"tier": "easy"})
    async with opening as opened:
        asked = Asked(opened, llm)
        found = [await asked.models(text) for text in (TEXT, TEXT.upper(), "how to true a wheel", TEXT, TEXT)]
    assert found == [["small", "small"], ["small", "small"], ["small", "small"], ["large", "large"], []]


async def test_how_often_counts_across_engines_and_not_across_tenants() -> None:
    route = {"tier": "hard", "seen_at_least": 2}
    for tenant, models in (("a", ["m", "m"]), ("a", ["large", "large"]), ("b", ["m", "m"])):
        llm, opening = routed(route, tenant=tenant)
        async with opening as opened:
            assert await Asked(opened, llm).models() == models


@pytest.mark.virtual_time
async def test_with_little_left_of_the_day_the_small_model_is_asked_and_what_is_kept_is_kept() -> None:
    llm, opening = routed({"tier": "easy", "left_at_most": 0.6}, budget={"calls_per_day": 6})
    async with opening as opened:
        asked = Asked(opened, llm)
        assert await asked.models() == ["m", "m"]
        assert await asked.models("how to true a wheel") == ["m", "m"]
        await asyncio.sleep(2)  # what is left is looked up once a second
        assert await asked.models() == [], "what the better model wrote is there"
        assert await asked.models("how to oil a chain") == ["small", "small"]
        assert await asked.models("how to oil a chain") == []


async def test_kinds_of_queries_have_routes_in_every_mode() -> None:
    llm, opening = routed({"tier": "hard", "kinds": ["complex"]}, understand={"mode": "llm"})
    async with opening as opened:
        asked = Asked(opened, llm)
        models = await asked.models("想买一台给爸妈用的手机屏幕大点字大声大预算2000左右")
        assert models[0] == "large"
        assert await asked.models(TEXT) == ["m", "m"]


async def test_own_is_the_blocks_model_also_in_mode_auto() -> None:
    settings = {"understand": {"mode": "auto"}, "expand": {"mode": "auto"}}
    llm, opening = routed({"tier": "own", "user_classes": ["vip"]}, **settings)
    complex_one = "想买一台给爸妈用的手机屏幕大点字大声大预算2000左右"
    async with opening as opened:
        asked = Asked(opened, llm)
        assert set(await asked.models(complex_one, "vip")) == {"m"}
        assert set(await asked.models(complex_one)) == {"large"}


async def test_many_queries_at_once_go_by_their_routes() -> None:
    llm = ScriptedLLM(lambda r: '{"items": []}' if stage(r) == "batch" else answer(r))

    def answer(request: CompletionRequest) -> str:
        return analysis() if stage(request) == "understand" else queries("squeaky bicycle brake repair")

    tiers = TIERS | {"routes": [{"tier": "hard", "user_classes": ["vip"]}]}
    async with engine(llm, llm={"tiers": tiers}) as opened:
        await opened.expand_many([Query(text=TEXT, user_class="vip"), Query(text="how to true a wheel")])
    assert {request.model for request in llm.requests} == {"large", "m"}


async def test_a_profile_without_routes_keeps_its_keys_and_counts_nothing(tmp_path: Path) -> None:
    llm = model()
    async with engine(llm) as opened:
        await opened.expand(Query(text=TEXT, user_class="vip"))
        await opened.expand(Query(text=TEXT))
    assert llm.calls == 2
    assert not (tmp_path / "home").exists()


class Broken:
    async def add(self, *_: object, **__: object) -> int | None:
        raise Unavailable("no route to the store")


async def test_what_cannot_be_counted_is_the_first_time(caplog: pytest.LogCaptureFixture) -> None:
    router = Router([Route(tier="hard", seen_at_least=1), Route(tier="own")], "acme", counters=Broken(), day=None)
    found = await router.route(Query(text=TEXT))
    assert found.tier("simple") == "hard"
    assert "no route to the store" in caplog.text
    assert Routed().tier("simple") is None


async def test_a_class_that_is_no_text_is_refused(vip: Asked) -> None:
    with pytest.raises(UsageError, match="user_class"):
        await vip.engine.expand(Query(text=TEXT, user_class=3))  # type: ignore[arg-type]
