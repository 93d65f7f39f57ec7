"""Other strategies for a question that found nothing: each reads as somebody would type it, and none is a paraphrase."""

from __future__ import annotations

import pytest

from qx.backend import Document
from qx.testing import ScriptedBackend, TestContext
from qx.types import Outcome
from qx_answer.expects import expects
from qx_answer.turning import LADDER, Turn, turn
from qx_answer.values import Searched, Strategy, Wanted


async def turned(question: str, strategy: Strategy) -> str:
    """The query of one strategy; empty: it gives none."""
    tried = frozenset(LADDER) - {strategy}
    found = await turn(
        Turn(part="1", text=question, expects=expects(question), outcome="empty", tried=tried), TestContext()
    )
    return found[0].text if found else ""


@pytest.mark.parametrize(
    ("question", "query"),
    [
        ("What is the Zephyr engine?", "how the Zephyr engine works"),
        ("What are heat pumps?", "how heat pumps work"),
        ("zephyr engine", "how zephyr engine works"),
        ("What does the relay do?", "how the relay works"),
        ("Which printers support duplex?", "how printers support duplex"),
        ("What is needed to open an account?", ""),
        ("Does the VPN client support Linux?", "VPN client support Linux: requirements and steps"),
        ("Can I return a jacket?", "return a jacket: requirements and steps"),
        ("Are pets allowed in the office?", "pets allowed in the office: requirements and steps"),
        ("How do I dance the tango?", "dance the tango: problems and causes"),
        ("How does the valve close", "the valve close: problems and causes"),
        ("how to reset a router", "reset a router: problems and causes"),
        ("Why does the printer jam?", "the printer jam: explanation"),
        ("Where was Mira Oduya born?", ""),
        ("How many days of leave are there?", ""),
        ("How loud is the Brisa 300 at night?", ""),
        ("西风发动机是什么？", "西风发动机的原理和用法"),
        ("什么是热泵", "热泵的原理和用法"),
        ("调休能换成钱吗？", "调休换成钱：条件和流程"),
        ("調休能換成錢嗎？", "调休换成钱：条件和流程"),
        ("印表機為什麼卡紙？", "印表机卡纸：原因分析"),
        ("VPN 客户端是否支持 Linux", "VPN 客户端支持 Linux：条件和流程"),
        ("门禁卡可不可以转让？", "门禁卡转让：条件和流程"),
        ("重置路由器的方法是什么", "重置路由器：常见问题和原因"),
        ("怎么重置路由器", "重置路由器：常见问题和原因"),
        ("打印机为什么卡纸？", "打印机卡纸：原因分析"),
        ("谁写了《盐港》", ""),
    ],
)
async def test_another_side_of_it(question: str, query: str):
    assert await turned(question, "turned") == query


@pytest.mark.parametrize(
    ("question", "strategy", "query"),
    [
        ("How do I reset the router of the Zephyr office?", "broader", "reset router Zephyr"),
        ("着火了能坐电梯吗？", "other-language", "fire lift"),
        ("Does the VPN client support Haiku?", "other-language", "VPN 客户 支持 Haiku"),
        ("Does the VPN client support Haiku?", "premise", "what are VPN and Haiku"),
        ("When was the Zephyr-9 sunk?", "premise", "what is Zephyr-9"),
        ("《盐港》在哪一年出版？", "premise", "盐港是什么"),
        ("《盐港》和《沙丘》哪本更长？", "premise", "盐港和沙丘是什么"),
    ],
)
async def test_wider_in_the_other_language_and_the_premise(question: str, strategy: Strategy, query: str):
    assert await turned(question, strategy) == query


@pytest.mark.parametrize(
    ("question", "premise"),
    [
        ("Does the VPN client support Haiku?", "what are VPN and Haiku"),
        ("《盐港》的作者喜欢喝茶吗？", "盐港是什么"),
    ],
)
async def test_a_strategy_that_only_repeats_is_left_out_and_the_next_one_tried(opened, question: str, premise: str):
    backend = ScriptedBackend(default=[Document(id="a", title="Notes", text="VPN client and 盐港: notes.")])
    async with opened(backend, answer={"budget": {"rounds": 6}}) as engine:
        await engine.result("answer", {"question": question})
    assert premise in backend.queries


@pytest.mark.parametrize("outcome", ["empty", "spam", "stale"])
async def test_hits_of_no_use_lead_to_another_strategy_which_is_told_why(opened, outcome: Outcome):
    from dataclasses import replace

    told: list[Outcome] = []

    async def search(wanted: Wanted, context, /) -> Searched:
        return Searched(wanted=wanted, outcome=outcome)

    async def turning(value: Turn, context, /) -> tuple[Wanted, ...]:
        told.append(value.outcome)
        return await turn(value, context)

    async with opened(ScriptedBackend()) as engine:
        answering = await engine.section("answer")
        steps = replace(answering.steps(engine), search=search, turn=turning)
        run = answering.begin(engine, "How do I reset the office router?", steps=steps)
        done = await run.result()
        await run.aclose()
    assert set(told) == {outcome}
    assert done.budget.searches.used > 1
    assert done.claims == ()
