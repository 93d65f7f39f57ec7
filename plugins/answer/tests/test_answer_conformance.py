"""The operation and the section keep their contracts; a profile chooses steps and processors of its own."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from importlib.metadata import EntryPoint

import pytest

import qx_answer.steps
from qx import Engine
from qx.backend import Document
from qx.errors import NotAllowed, ProfileError, UsageError
from qx.operation import Principal
from qx.testing import OperationConformance, SectionConformance
from qx_answer.events import Done
from qx_answer.operation import AnswerOperation
from qx_answer.section import AnswerSection
from qx_answer.telling import told

TEXT = "A jacket can be returned within 60 days."
CORPUS = (Document(id="returns", title="Returns", text=TEXT),)
QUESTION = {"question": "How long do I have to return a jacket?"}


class TestOperation(OperationConformance):
    name = "answer"
    requests = (QUESTION, {"question": "外套"}, {"question": "?!", "budget": {"rounds": 1}})

    @pytest.fixture
    def operation(self) -> type:
        return AnswerOperation

    @pytest.fixture
    async def engine(self, opened) -> AsyncGenerator[Engine]:
        async with opened(CORPUS) as made:
            yield made


class TestSection(SectionConformance):
    @pytest.fixture
    def section(self) -> type:
        return AnswerSection


async def test_another_tenants_principal_is_refused(opened):
    async with opened(CORPUS) as engine:
        with pytest.raises(NotAllowed):
            await engine.result("answer", QUESTION, principal=Principal(tenant="other"))


@pytest.mark.parametrize("budget", [{"rounds": 0}, {"seconds": -1}, {"searches": 10_000}, {"hours": 1}])
async def test_a_budget_that_is_none_is_refused(opened, budget):
    async with opened(CORPUS) as engine:
        with pytest.raises(UsageError, match="budget"):
            await engine.result("answer", {**QUESTION, "budget": budget})


async def test_a_profile_without_an_engine_says_what_to_do(opened):
    async with opened(CORPUS, search={"backends": {}}) as engine:
        with pytest.raises(ProfileError, match="names no search backend"):
            await engine.result("answer", QUESTION)


async def test_a_model_is_asked_for_where_there_is_none(opened):
    async with opened(CORPUS, answer={"write": "model"}) as engine:
        with pytest.raises(ProfileError, match="names none"):
            await engine.result("answer", QUESTION)


async def last_only(draft, context, /):
    return ()


def point(name: str, value: str = "test_steps:last_only") -> EntryPoint:
    return EntryPoint(name=name, value=value, group=qx_answer.steps.GROUP)


async def test_a_profile_chooses_a_step_of_an_installed_package(opened, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(EntryPoint, "load", lambda self: last_only)
    monkeypatch.setattr(qx_answer.steps, "entry_points", lambda group: [point("silent")])
    async with opened(CORPUS, answer={"steps": {"write": "silent"}}) as engine:
        assert (await engine.result("answer", QUESTION)).claims == ()
        monkeypatch.setenv("QX_DISABLE", "silent")
        with pytest.raises(ProfileError, match="no installed package has a step 'silent'"):
            await engine.result("answer", QUESTION)


@pytest.mark.parametrize("steps", [{"write": "nobody-has-it"}, {"wrote": "x"}])
async def test_a_step_that_is_not_there_is_an_error(opened, steps):
    async with opened(CORPUS, answer={"steps": steps}) as engine:
        with pytest.raises(ProfileError, match=r"answer\.steps"):
            await engine.result("answer", QUESTION)


async def test_what_a_person_reads(opened):
    async with opened(CORPUS) as engine:
        done = await engine.result("answer", QUESTION)
        assert told(done).splitlines() == [f"{TEXT} [1]", "", "[1] Returns (returns)"]
        half = await engine.result(
            "answer", {"question": "How long do I have to return a jacket, and what is Zephyr-9?"}
        )
    assert isinstance(half, Done)
    assert "(This may be incomplete: " in told(half)


async def test_the_result_has_the_keys_that_are_promised(opened):
    async with opened(CORPUS) as engine:
        plain = (await engine.result("answer", QUESTION)).model_dump(mode="json")
    assert list(plain) == ["answer", "claims", "sources", "stopped_because", "budget", "degraded"]
    assert list(plain["claims"][0]) == ["statement", "source_id", "quote", "start", "end", "verdict"]
    assert list(plain["sources"][0]) == ["id", "title", "url"]


async def test_a_budget_as_the_command_line_gives_it(opened):
    async with opened(CORPUS) as engine:
        done = await engine.result("answer", {**QUESTION, "budget": {"rounds": "1", "seconds": "30"}})
        assert (done.budget.rounds.limit, done.budget.seconds.limit) == (1, 30)
        done = await engine.result("answer", {**QUESTION, "budget": {"seconds": "1.5s", "tokens": "9000"}})
        assert (done.budget.tokens.limit, done.budget.seconds.limit) == (9000, 1.5)
