"""What is near what is asked for and is not it: another thing's price, a title without its fact, another measure."""

from __future__ import annotations

import pytest

from qx.backend import Document

SHELF = (
    Document(id="cooker", title="Rice cooker Plover: manual", text="Porridge takes eighty minutes. The pot is rinsed by hand. Its draw is 860 watts."),
    Document(id="train", title="The night train to Varn", text="A berth must be booked; seats are free to choose. The train leaves at 21:50."),
    Document(id="gym", title="河岸健身房", text="年卡1880元。游泳要另外付费，每次35元。身高一米四以下要大人陪。"),
    Document(id="school", title="小松幼儿园", text="孩子发烧要在家休息，退烧48小时后才能回园。每天早上七点五十开门。"),
    Document(id="shop", title="The shop at Lund", text="The shop shuts at noon on Saturdays and does not open again until Monday."),
    Document(id="dentist", title="皓月牙科", text="初次检查免费，拍片另收50元。周二休息。"),
    Document(id="guarantee", title="Kettle Siskin", text="It has a guarantee of three years. The kettle holds 1.2 litres."),
)  # fmt: skip


@pytest.mark.parametrize(
    "question",
    [
        "How long is the guarantee of the rice cooker Plover?",
        "What colour is the rice cooker Plover?",
        "How long does it take to repair the rice cooker Plover?",
        "Who wrote the manual of the rice cooker Plover?",
        "What does a berth on the night train cost?",
        "小松幼儿园的学费是多少？",
        "河岸健身房在几楼？",
        "河岸健身房的泳池有多深的水？",
        "皓月牙科周日开门吗？",
        "皓月牙科种一颗牙要多少钱？",
    ],
)
async def test_what_stands_beside_it_is_no_answer(opened, question: str):
    async with opened(SHELF) as engine:
        done = await engine.result("answer", {"question": question})
    assert done.claims == ()


@pytest.mark.parametrize(
    ("question", "quote"),
    [
        ("How long does porridge take in the Plover?", "eighty minutes"),
        ("When does the night train to Varn leave?", "21:50"),
        ("How long is the guarantee of the kettle Siskin?", "three years"),
        ("小松幼儿园早上几点开门？", "七点五十"),
        ("河岸健身房游泳一次多少钱？", "35元"),
        ("皓月牙科拍片多少钱？", "50元"),
        ("Is the shop at Lund open on Sundays?", "until Monday"),
    ],
)
async def test_what_is_said_is_found(opened, question: str, quote: str):
    async with opened(SHELF) as engine:
        done = await engine.result("answer", {"question": question})
    assert quote in " ".join(claim.quote for claim in done.claims)


DESK = (
    Document(id="lending", title="Borrowing equipment", text="A new engineer may borrow a projector after two days."),
    Document(id="rooms", title="Meetings", text="The capacity of the meeting room is 12 people."),
    Document(id="trains", title="Platforms", text="The order of trains at the platform is shown on the board."),
)


@pytest.mark.parametrize(
    "question", ["When can we hire a new engineer?", "Where can I hold a meeting?", "Where can I track my order?"]
)
async def test_a_word_of_many_meanings_stands_for_no_other(opened, question: str):
    async with opened(DESK) as engine:
        done = await engine.result("answer", {"question": question})
    assert done.claims == ()
