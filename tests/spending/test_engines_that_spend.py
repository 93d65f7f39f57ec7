"""A budget of the day in engines: what becomes of a request once it is spent, and what is written down."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from engines import ANALYSIS, PLUGINS, analysis, engine, profile, queries, stage
from qx import Engine, Profile
from qx.builtin.memory_cache import MemoryCache
from qx.cache import Key
from qx.errors import BudgetExceeded, DayBudgetSpent, NotAllowed, ProfileError
from qx.llm import CompletionRequest
from qx.profiles import load_profile
from qx.spending.ledger_file import LedgerFile
from qx.testing import ScriptedLLM
from qx.types import Expansion

TEXT = "how to fix a squeaky bicycle brake"
OTHER = "how to true a bicycle wheel"
COMPLEX = "想买一台给爸妈用的手机屏幕大点字大声大预算2000左右"
PRICES = {"input": 10, "output": 10, "currency": "CNY"}


def answer(request: CompletionRequest) -> str:
    return analysis() if stage(request) == "understand" else queries("squeaky bicycle brake repair")


def model() -> ScriptedLLM:
    return ScriptedLLM(answer)


@contextmanager
def ledger(home: Path, tenant: str = "test") -> Iterator[LedgerFile]:
    file = LedgerFile(home / "data" / tenant / "ledger.db")
    yield file
    file.close()


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("QX_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def reasons(expansion: Expansion) -> str:
    return "; ".join(f"{d.step} {d.rung}: {d.reason}" for d in expansion.degraded)


async def test_a_spent_day_goes_on_with_rules_and_says_so(home: Path) -> None:
    llm = model()
    async with engine(llm, budget={"calls_per_day": 2}) as opened:
        assert not (await opened.expand(TEXT)).degraded
        spent = await opened.expand(OTHER)
        assert llm.calls == 2
        assert len(spent.queries) > 1
        assert "understand rules: the day's budget of calls does not allow this call: 2 of 2" in reasons(spent)
        assert not (await opened.expand(TEXT)).degraded, "what is kept costs nothing"
        with pytest.raises(BudgetExceeded):
            await opened.ask_model()
    assert llm.calls == 2


async def test_refusing_ends_the_request_but_not_what_costs_nothing(home: Path) -> None:
    llm = model()
    async with engine(llm, budget={"calls_per_day": 2, "when_exhausted": "refuse"}) as opened:
        await opened.expand(TEXT)
        with pytest.raises(DayBudgetSpent) as no:
            await opened.expand(OTHER)
        assert no.value.retry_after is not None
        for ask in (opened.understand, opened.expand):
            with pytest.raises(DayBudgetSpent):
                await ask(OTHER)
        with pytest.raises(DayBudgetSpent):
            await opened.expand_many([OTHER, "how to oil a chain"])
        assert (await opened.expand(TEXT)).queries
        assert (await opened.expand("ISBN 978-3-16-148410-0")).abstained


async def test_the_fallback_is_asked_alone_and_without_a_limit(home: Path) -> None:
    first, spare = model(), model().named("spare")
    fallback = {"provider": "scripted", "model": "local", "options": {"instance": "spare"}}
    limits = {"calls_per_day": 2, "when_exhausted": "fallback"}
    async with engine(first, llm={"fallbacks": [fallback]}, budget=limits) as opened:
        await opened.expand(TEXT)
        for text in (OTHER, "how to oil a chain"):
            found = await opened.expand(text)
            assert "fallback scripted local" in reasons(found)
            assert found.understanding.source == "llm"
    assert (first.calls, spare.calls) == (2, 4)


async def test_two_engines_spend_one_day(home: Path) -> None:
    one, two = model(), model()
    async with engine(one, budget={"calls_per_day": 3}) as first, engine(two, budget={"calls_per_day": 3}) as second:
        await first.expand(TEXT)
        assert "day's budget" in reasons(await second.expand(TEXT))
    assert (one.calls, two.calls) == (2, 1)


async def test_many_requests_at_once_do_not_pass_the_limit(home: Path) -> None:
    models = model(), model()
    limit = {"calls_per_day": 7}
    async with engine(models[0], budget=limit) as one, engine(models[1], budget=limit) as two:
        asked = [opened.expand(f"{TEXT} {number}") for number in range(8) for opened in (one, two)]
        found = await asyncio.gather(*asked)
    assert models[0].calls + models[1].calls == 7
    assert sum(not expansion.degraded for expansion in found) <= 3


async def test_a_search_is_refused_as_well(home: Path) -> None:
    backends = {"backends": {"main": {"type": "scripted", "answers": {TEXT: ["a", "b"]}}}}
    limits = {"calls_per_day": 0, "when_exhausted": "refuse"}
    async with engine(model(), budget=limits, search=backends) as opened:
        with pytest.raises(DayBudgetSpent):
            await opened.search(TEXT)
        assert (await opened.search(TEXT, expand=False)).hits
        with pytest.raises(DayBudgetSpent):
            _ = [result async for result in opened.search_events(TEXT)]


async def test_observers_are_told_of_80_and_100_per_cent(home: Path, tmp_path: Path) -> None:
    observers = [{"type": "jsonl", "path": "events.jsonl"}]
    made = profile(model(), budget={"calls_per_day": 5}, observers=observers).model_copy(update={"folder": tmp_path})
    async with Engine.opened(made, plugins=PLUGINS) as opened:
        for number in range(4):
            await opened.expand(f"{TEXT} {number}")
    events = map(json.loads, (tmp_path / "events.jsonl").read_text().splitlines())
    told = [event for event in events if event["name"] == "budget.alert"]
    assert [(event["tenant"], event["attributes"]["percent"]) for event in told] == [("test", 80), ("test", 100)]
    assert told[1]["attributes"] == told[0]["attributes"] | {"percent": 100, "spent": 5.0}


WORKER = """
import asyncio, sys
from pathlib import Path
import qx.testing.plugin
from qx import Engine
from qx.plugins import Plugins

async def main():
    plugins = Plugins.load(allow=(), modules=[qx.testing.plugin])
    async with Engine.opened(Path("shop.yaml"), plugins=plugins) as engine:
        print("ready", flush=True)
        sys.stdin.readline()
        for number in range(40):
            found = await engine.expand(f"how to fix a squeaky brake {sys.argv[1]} {number}")
            print(found.understanding.source, flush=True)

asyncio.run(main())
"""


@pytest.mark.slow
def test_two_processes_one_of_which_is_killed_spend_one_day(home: Path, tmp_path: Path) -> None:
    answers = [queries("squeaky brake repair", **ANALYSIS)] * 50
    (tmp_path / "shop.yaml").write_text(
        "understand: {mode: llm-single}\nbudget: {calls_per_day: 30}\ncache: {type: none}\n"
        f"llm: {{provider: scripted, model: m, options: {{delay: 0.02, answers: {json.dumps(answers)}}}}}\n"
    )
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "cwd": tmp_path}
    workers = [subprocess.Popen([sys.executable, "-c", WORKER, name], **pipes) for name in ("one", "two")]
    for worker in workers:
        assert worker.stdout.readline() == "ready\n"
    for worker in workers:
        worker.stdin.write("\n")
        worker.stdin.flush()
    first = [workers[0].stdout.readline().strip() for _ in range(5)]
    workers[0].kill()
    first += workers[0].stdout.read().split()
    second = workers[1].communicate()[0].split()
    workers[0].communicate()
    paid = (first + second).count("llm-single")
    assert paid in (29, 30), "one call may have been under way when its process was killed"
    assert second.count("rules") >= 10
    with ledger(home, "shop") as file:
        (row,) = file.report(date(2000, 1, 1))
    assert paid <= row.usage.calls <= 30


async def test_a_cache_that_counts_for_several_processes_counts_budgets(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted: dict[Key, int] = {}

    async def add(_: MemoryCache, key: Key, amount: int, /, *, ttl: float, ceiling: int | None) -> int | None:
        total = counted.get(key, 0) + amount
        if ceiling is not None and total > ceiling:
            return None
        counted[key] = total
        return total

    monkeypatch.setattr(MemoryCache, "add", add, raising=False)
    async with engine(model(), budget={"calls_per_day": 2}) as opened:
        await opened.expand(TEXT)
        assert "day's budget" in reasons(await opened.expand(OTHER))
    assert [total for key, total in counted.items() if key.kind == "budget"] == [2]
    with ledger(home) as file:
        assert sum(row.usage.calls for row in file.report(date(2000, 1, 1))) == 2


async def test_a_callers_own_budget_does_not_pass_by_the_days(home: Path) -> None:
    from qx.budget import Cost, RequestBudget

    llm = model()
    async with engine(llm, budget={"calls_per_day": 0}) as opened:
        await opened.expand(TEXT, budget=RequestBudget(Cost(), lambda: 0.0))
    assert llm.calls == 0


async def test_money_is_counted_by_the_prices_of_the_tier_that_was_asked(home: Path) -> None:
    llm = model()
    tiers = {"hard": {"model": "large", "prices": {"input": 1000, "output": 1000, "currency": "CNY"}}}
    block = {"prices": PRICES, "tiers": tiers}
    made = profile(
        llm, llm=block, budget={"cost_per_day": "100 CNY"}, understand={"mode": "auto"}, expand={"mode": "auto"}
    )
    async with Engine.opened(made, plugins=PLUGINS) as opened:
        found = await opened.expand(COMPLEX)
    assert {request.model for request in llm.requests} == {"large"}
    tokens = found.usage.input_tokens + found.usage.output_tokens
    assert found.usage.cost == pytest.approx(tokens * 1000 / 1e6)
    with ledger(home) as file:
        (row,) = file.report(date(2000, 1, 1))
    assert (row.model, row.usage.currency) == ("large", "CNY")
    assert row.usage.cost == pytest.approx(found.usage.cost)


async def test_what_a_profile_of_a_file_spends_is_kept(home: Path, tmp_path: Path) -> None:
    llm = model().named("kept")
    path = tmp_path / "acme.yaml"
    path.write_text(
        "understand: {mode: llm}\n"
        "llm: {provider: scripted, model: m, options: {instance: kept}, prices: {input: 10, output: 10}}\n"
    )
    async with Engine.opened(path, plugins=PLUGINS) as opened:
        found = await opened.expand(TEXT)
        await opened.expand(TEXT)  # from the cache: nothing is spent
    with ledger(home, "acme") as file:
        (row,) = file.report(date(2000, 1, 1))
    assert row.usage.calls == llm.calls == 2
    assert row.usage.input_tokens == found.usage.input_tokens
    assert row.usage.cost == pytest.approx(found.usage.cost)


async def test_a_program_that_limits_no_day_leaves_no_file(home: Path) -> None:
    async with engine(model()) as opened:
        await opened.expand(TEXT)
    assert not home.exists()


async def test_embedding_is_counted_too(home: Path) -> None:
    embedder = {"provider": "fake", "dimensions": 8}
    fit = [{"type": "fit", "by": "embedding"}]
    async with engine(embedder=embedder, expand={"processors": fit}, budget={"calls_per_day": 1}) as opened:
        await opened.expand(TEXT)
        found = await opened.expand(OTHER)
    assert "day's budget of calls" in reasons(found) + "".join(found.notes)
    with ledger(home) as file:
        assert sum(row.usage.calls for row in file.report(date(2000, 1, 1))) == 1


async def test_the_budget_of_another_folders_tenant_is_not_opened(home: Path, tmp_path: Path) -> None:
    text = "tenant: acme\nbudget: {calls_per_day: 5}\nunderstand: {mode: llm}\nllm: {provider: scripted, model: m}\n"
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "p.yaml").write_text(text)
    async with Engine.opened(tmp_path / "one" / "p.yaml", plugins=PLUGINS):
        with pytest.raises(NotAllowed, match="belongs to the profiles in"):
            await Engine.open(tmp_path / "two" / "p.yaml", plugins=PLUGINS)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("budget: {calls_per_day: -1}", r":1:\d+: budget.calls_per_day"),
        ("budget: {cost_per_day: 5 dollars}", r"ISO code"),
        ("budget: {cost_per_day: $5}", r"write 5 USD"),
        ("budget: {cost_per_day: 35元}", r"write 35 CNY"),
        ("budget: {calls_per_day: 5, when_exhausted: stop}", r"when_exhausted"),
        ("budget: {calls_per_day: 5, when_exhausted: fallback}\nllm: {model: m}", r":1:\d+: .*no fallback"),
        ("budget:\n  cost_per_day: 5 USD\nllm: {model: m}", r":2:\d+: .*not known.*llm.prices"),
        (
            "llm: {model: m, prices: {input: 1, output: 1, currency: CNY}}\nbudget:\n  cost_per_day: 5 USD",
            r":3:\d+: .*in USD.*in CNY",
        ),
        (
            "llm: {model: m, prices: {input: 1, output: 1}, tiers: {hard: {model: h, prices: {input: 1, output: 1, currency: CNY}}}}",
            r"USD and CNY",
        ),
        ("llm: {model: m, tiers: {routes: [{tier: easy}]}}", r"routes.0 leads to the tier 'easy'"),
        ("llm: {model: m, tiers: {routes: [{tier: own}, {tier: own, kinds: [simple]}]}}", r"routes.1 is never reached"),
        (
            "llm:\n  model: m\n  tiers:\n    routes:\n      - {tier: own, left_at_most: 0.2}",
            r":5:\d+: llm.tiers.routes.0.left_at_most: nothing is limited by the day",
        ),
    ],
)
def test_a_budget_that_cannot_work_is_refused_with_its_place(text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "p.yaml"
    path.write_text(text)
    with pytest.raises(ProfileError, match=said):
        load_profile(path, env={})


@pytest.mark.parametrize(
    ("written", "amount", "currency"),
    [("5 USD", 5, "USD"), ("CNY 35.5", 35.5, "CNY"), (7, 7, None), ("0.5", 0.5, None), ("3eur", 3, "EUR")],
)
def test_money_is_read(written: Any, amount: float, currency: str | None) -> None:
    made = Profile.model_validate({"budget": {"cost_per_day": written}}).budget.cost_per_day
    assert made is not None
    assert (made.amount, made.currency) == (amount, currency)
