"""Which of two is heavier: the amount of each is quoted."""

from __future__ import annotations

import pytest

from qx.backend import Document

CORPUS = (
    Document(id="m2", title="Marlin 2 kettle", text="The Marlin 2 kettle holds two litres. It weighs 910 g. It costs 39 EUR."),
    Document(id="m3", title="Marlin 3 kettle", text="The Marlin 3 kettle holds three litres. It weighs 1,150 g. It costs 59 EUR."),
    Document(id="lamp", title="星灯台灯", text="星灯台灯可调光。售价99元。重量为640克。", metadata={"published": "2021-01-01"}),
    Document(
        id="lamp-max", title="星灯Max台灯", text="星灯Max台灯可调光。售价199元。重量为870克。", metadata={"published": "2024-01-01"}
    ),
)  # fmt: skip


@pytest.mark.parametrize(
    ("question", "amounts"),
    [
        ("Which is heavier, the Marlin 2 or the Marlin 3?", ["910 g", "1,150 g"]),
        ("Is the Marlin 3 heavier than the Marlin 2?", ["1,150 g", "910 g"]),
        ("Which is cheaper, the Marlin 2 or the Marlin 3?", ["39 EUR", "59 EUR"]),
        ("星灯和星灯Max哪个更重？", ["640克", "870克"]),
        ("星灯Max比星灯重吗？", ["870克", "640克"]),
        ("星灯和星灯Max哪个更便宜？", ["99元", "199元"]),
    ],
)
async def test_both_amounts_are_told(opened, question: str, amounts: list[str]):
    async with opened(CORPUS) as engine:
        done = await engine.result("answer", {"question": question})
    quotes = [claim.quote for claim in done.claims]
    assert len(quotes) == 2, done.answer
    assert all(amount in quote for amount, quote in zip(amounts, quotes, strict=True)), quotes


@pytest.mark.parametrize("question", ["Which is heavier, the Marlin 2 or the Marlin 9?", "星灯和月灯哪个更重？"])
async def test_of_one_alone_it_is_not_said_to_be_answered(opened, question: str):
    async with opened(CORPUS) as engine:
        done = await engine.result("answer", {"question": question})
    assert done.stopped_because != "answered"
