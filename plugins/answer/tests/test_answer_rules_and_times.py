"""Rules and times in a statement and in its quote: who allows and who forbids, what there is and is not, half past nine and 9:30."""

from __future__ import annotations

import pytest

from qx.backend import Document
from qx_answer.claims import Claim, Source
from qx_answer.verifier import verify

KNOWN = {"ok": {"quote-only", "verified"}, "contradicted": {"contradicted"}, "refused": {"contradicted", "unsupported"}}


async def verdict(statement: str, quote: str) -> str:
    checked = await verify([Claim(statement=statement, source_id="d", quote=quote)], [Source(id="d", text=quote)])
    return checked.claims[0].verdict


@pytest.mark.parametrize(
    ("statement", "quote", "wanted"),
    [
        ("Nobody may keep hens.", "Hens may be kept.", "contradicted"),
        ("Hens may be kept.", "Nobody may keep hens.", "contradicted"),
        ("Nobody may keep hens.", "Hens may not be kept.", "ok"),
        ("Smoking is allowed here.", "No one is allowed to smoke here.", "contradicted"),
        ("没有人可以养母鸡。", "可以养母鸡。", "contradicted"),
        ("可以养母鸡。", "没有人可以养母鸡。", "contradicted"),
        ("没有人可以养母鸡。", "不得养母鸡。", "ok"),
        ("任何人不得养母鸡。", "可以养母鸡。", "contradicted"),
        ("谁都不可以养母鸡。", "可以养母鸡。", "contradicted"),
        ("公鸡并不禁止。", "禁止养公鸡。", "contradicted"),
        ("养公鸡并不禁止。", "禁止养公鸡。", "contradicted"),
        ("禁止养公鸡。", "公鸡并不禁止。", "contradicted"),
        ("公鸡并不禁止。", "可以养公鸡。", "ok"),
        ("Cockerels are not forbidden.", "Cockerels are forbidden.", "contradicted"),
        ("Cockerels are forbidden.", "Cockerels are not forbidden.", "contradicted"),
        ("Cockerels are not forbidden.", "Cockerels may be kept.", "ok"),
        ("周末有早餐。", "周末不供应早餐。", "contradicted"),
        ("周末不供应早餐。", "周末有早餐。", "contradicted"),
        ("周末没有早餐。", "周末不供应早餐。", "ok"),
        ("周末没有早餐。", "周末供应早餐。", "contradicted"),
        ("There is breakfast at weekends.", "Breakfast is not served at weekends.", "contradicted"),
        ("There is no breakfast at weekends.", "Breakfast is served at weekends.", "contradicted"),
        ("There is no breakfast at weekends.", "Breakfast is not served at weekends.", "ok"),
        ("房间里有空调。", "房间里不提供空调。", "contradicted"),
        ("The half marathon begins at nine.", "The half marathon begins at 9:00.", "ok"),
        ("Hens may be bought.", "Hens may not be kept.", "ok"),
        ("The hut has beds.", "The hut has no showers.", "ok"),
        ("可以养鸡。", "不得卖鸡。", "ok"),
        ("可以拍照。", "未经允许不得拍照。", "ok"),
    ],
)
async def test_who_allows_what_another_forbids(statement: str, quote: str, wanted: str):
    assert await verdict(statement, quote) in KNOWN[wanted]


@pytest.mark.parametrize(
    ("statement", "quote", "wanted"),
    [
        ("No one is allowed to smoke here.", "Smoking is allowed here.", "contradicted"),
        ("Nobody is allowed to smoke here.", "Smoking is forbidden here.", "ok"),
        ("The doors open at half past nine.", "The doors open at 9:30.", "ok"),
        ("The doors open at half past nine.", "The doors open at 10:30.", "refused"),
        ("The doors open at 10:30.", "The doors open at half past nine.", "refused"),
        ("The doors close at half past nine.", "The doors close at 21:30.", "ok"),
        ("The doors close at quarter to six.", "The doors close at 17:45.", "ok"),
        ("The doors close at a quarter to six.", "The doors close at 5:45 pm.", "ok"),
        ("The doors close at quarter to six.", "The doors close at 18:45.", "refused"),
        ("The doors close at quarter past six.", "The doors close at 6:15 pm.", "ok"),
        ("The bus leaves at ten to seven.", "The bus leaves at 18:50.", "ok"),
        ("The bus leaves at twenty past seven.", "The bus leaves at 19:20.", "ok"),
        ("The bus leaves at twenty past seven.", "The bus leaves at 19:40.", "refused"),
        ("九点半开门。", "9:30开门。", "ok"),
        ("九点半开门。", "10:30开门。", "refused"),
        ("10:30开门。", "九点半开门。", "refused"),
        ("晚上九点半关门。", "21:30关门。", "ok"),
        ("九点半关门。", "21:30关门。", "ok"),
        ("九点三刻关门。", "21:45关门。", "ok"),
        ("差一刻六点关门。", "17:45关门。", "ok"),
        ("九点一刻关门。", "9:30关门。", "refused"),
        ("The shop opens at nine o'clock.", "The shop opens at 9 am.", "ok"),
        ("The shop opens at nine o'clock.", "The shop opens at 10 am.", "refused"),
        ("The doors open at half past nine.", "The doors open from 8:00 to 9:30.", "ok"),
        ("Children from ten to twelve may come.", "Children from ten to twelve may come along.", "ok"),
        ("八点三刻到九点半开会。", "8:45到9:30开会。", "ok"),
        ("上午九点半开门。", "9:30开门。", "ok"),
        ("上午九点半开门。", "21:30开门。", "refused"),
        ("The doors open at half past nine in the morning.", "The doors open at 9:30 pm.", "refused"),
    ],
)
async def test_times_in_words_and_in_figures(statement: str, quote: str, wanted: str):
    assert await verdict(statement, quote) in KNOWN[wanted]


SHOPS = (
    Document(
        id="shop", title="The village shop", text="The shop is open from Monday to Friday. It is closed on Sundays."
    ),
    Document(id="pool", title="Pool", text="The pool is open on Wednesdays."),
    Document(id="店", title="村里的商店", text="商店周一到周五开门。周日不开门。"),
    Document(id="池", title="泳池", text="泳池周三开放。"),
)


@pytest.mark.parametrize(
    ("question", "quotes"),
    [
        ("The shop, Wednesday?", ["The shop is open from Monday to Friday."]),
        ("Wednesday, the shop?", ["The shop is open from Monday to Friday."]),
        ("And the shop, Sunday?", ["It is closed on Sundays."]),
        ("The bakery, Wednesday?", []),
        ("商店，周三？", ["商店周一到周五开门。"]),
        ("商店，周日呢？", ["周日不开门。"]),
        ("面包店，周三？", []),
    ],
)
async def test_a_question_of_a_thing_and_a_day(opened, question: str, quotes: list[str]):
    async with opened(SHOPS) as engine:
        done = await engine.result("answer", {"question": question})
    assert [claim.quote for claim in done.claims] == quotes


@pytest.mark.parametrize(
    ("statement", "quote", "wanted"),
    [
        ("院内设有停车场。", "院内不设停车场。", "contradicted"),
        ("院内不设停车场。", "院内设有停车场。", "contradicted"),
        ("The deposit is refundable.", "The deposit is non-refundable.", "contradicted"),
        ("The deposit is non-refundable.", "The deposit is refundable.", "contradicted"),
        ("The shop closes at 8 am.", "The shop closes at eight in the evening.", "contradicted"),
        ("The shop closes at 8 pm.", "The shop closes at eight in the evening.", "ok"),
        ("The shop closes at 20:00.", "The shop closes at eight o'clock.", "ok"),
        ("The shop closes at 8 o'clock.", "The shop closes at 20:00.", "ok"),
        ("The shop closes at 9 o'clock.", "The shop closes at 20:00.", "refused"),
        ("The shop closes at nine o'clock.", "The shop closes at eight in the evening.", "refused"),
        ("The shop opens from nine to five.", "The shop opens from 9:00 to 17:00.", "ok"),
        ("The shop opens from nine to six.", "The shop opens from 9:00 to 17:00.", "refused"),
        ("The tour is for ten to twelve people.", "The tour is for 10 to 12 people.", "ok"),
        ("课程半小时。", "课程一小时。", "contradicted"),
        ("课程一小时。", "课程半小时。", "contradicted"),
        ("课程一小时。", "课程90分钟。", "contradicted"),
        ("课程一个半小时。", "课程90分钟。", "ok"),
        ("课程半小时。", "课程30分钟。", "ok"),
        ("有效期一年。", "有效期12个月。", "ok"),
        ("有效期半年。", "有效期六个月。", "ok"),
        ("有效期一周。", "有效期7天。", "ok"),
        ("有效期一个月。", "有效期30天。", "ok"),
        ("有效期一年。", "有效期两年。", "contradicted"),
        ("The lesson lasts an hour.", "The lesson lasts 90 minutes.", "contradicted"),
        ("The lesson lasts half an hour.", "The lesson lasts an hour.", "contradicted"),
        ("The lesson lasts half an hour.", "The lesson lasts 30 minutes.", "ok"),
        ("The lesson lasts an hour and a half.", "The lesson lasts 90 minutes.", "ok"),
        ("The lesson lasts one hour.", "The lesson lasts 60 minutes.", "ok"),
        ("The lesson costs 20 EUR an hour.", "The lesson lasts 90 minutes and costs 20 EUR an hour.", "ok"),
        ("Lessons last an hour.", "Each lesson takes 60 minutes.", "ok"),
        ("The bus takes an hour.", "The bus takes about an hour.", "ok"),
        ("The pass is valid for a year.", "The pass is valid for 365 days.", "ok"),
        ("Half of the members voted.", "Half of the members voted for an hour.", "ok"),
    ],
)
async def test_what_there_is_and_how_long_it_takes(statement: str, quote: str, wanted: str):
    assert await verdict(statement, quote) in KNOWN[wanted]
