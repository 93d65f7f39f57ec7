"""Bounds, opposites, versions, dates and times of a statement against those of its quote; no judge is asked."""

from __future__ import annotations

import pytest

from qx_answer import clauses, opposites
from qx_answer.claims import Claim, Source
from qx_answer.verifier import verify


async def verdict(statement: str, quote: str) -> str:
    found = await verify([Claim(statement=statement, source_id="s", quote=quote)], [Source(id="s", text=quote)])
    return found.claims[0].verdict


@pytest.mark.parametrize(
    ("statement", "quote"),
    [
        ("Release 7.2.9 mends it.", "Release 7.2.8 mends it."),
        ("Release 7.2 mends it.", "Release 7.2.8 mends it."),
        ("Version 4.1 is needed.", "Version 4.10 is needed."),
        ("Open 10.20.0.8 in a browser.", "Open 10.20.0.9 in a browser."),
        ("固件5.0.3修复了漏电。", "固件5.0.4修复了漏电。"),
        ("请打开172.16.0.2。", "请打开172.16.0.1。"),
        ("需要版本2.1。", "需要版本2.10。"),
        ("Opened on 2024-03-09.", "Opened on 3 September 2024."),
        ("2024年3月9日开业。", "Opened on 8 March 2024."),
        ("The desk opens at 7 am.", "The desk opens at 7 pm."),
        ("柜台上午7点开。", "柜台下午7点开。"),
        ("损耗为4‰。", "损耗为4%。"),
        ("Losses are 4 per mille.", "Losses are 4 percent."),
    ],
)
async def test_another_version_address_date_or_time(statement: str, quote: str):
    assert await verdict(statement, quote) in ("unsupported", "contradicted")


@pytest.mark.parametrize(
    ("statement", "quote"),
    [
        ("Opened on 2024-09-03.", "Opened on 3 September 2024."),
        ("2024年9月3日开业。", "Opened on September 3rd, 2024."),
        ("It opened in September 2024.", "Opened on 03.09.2024."),
        ("It is open from 8 am to 6 pm.", "Open 8:00 to 18:00."),
        ("上午8点到下午6点营业。", "营业时间为8:00至18:00。"),
        ("晚上9点关门。", "It closes at 21:00."),
        ("50% of the fee is due.", "Half of the fee is due."),
        ("费用的50%须预付。", "费用的一半须预付。"),
        ("It is cleaned two times a day.", "It is cleaned twice a day."),
        ("The effect is small (p = .02).", "The effect is small (p = 0.02)."),
        ("Release 7.2.8 mends it.", "It is mended in v7.2.8."),
        ("It cost 2,450,000 EUR.", "It cost EUR 2.450.000 last year."),
    ],
)
async def test_the_same_version_date_time_or_share_in_another_form(statement: str, quote: str):
    assert await verdict(statement, quote) == "quote-only"


@pytest.mark.parametrize(
    ("statement", "quote"),
    [
        ("Send it back after 20 days.", "Send it back within 20 days."),
        ("From 300 EUR on a form is needed.", "Below 300 EUR a form is needed."),
        ("20天后寄回。", "20天内寄回。"),
        ("300元以上需填表。", "300元以下需填表。"),
        ("Bicycles are allowed in the hall.", "Bicycles are forbidden in the hall."),
        ("大厅可以停放自行车。", "大厅禁止停放自行车。"),
        ("The voucher is valid.", "The voucher is invalid."),
        ("复印件有效。", "复印件无效。"),
        ("It is possible to pause it.", "It is impossible to pause it."),
        ("Delays are likely.", "Delays are unlikely."),
        ("Everybody may use the kiln.", "Nobody may use the kiln."),
        ("所有人都可以使用窑炉。", "没有人可以使用窑炉。"),
        ("A form is needed from the fifth day.", "A form is needed from the second day."),
        ("From the sixth day on.", "From the second day on."),
        ("Trainees get a bonus.", "Everyone except trainees gets a bonus."),
        ("学徒享有奖金。", "除学徒外，所有员工享有奖金。"),
        ("Keep it above 4 degrees.", "Keep it below 4 degrees."),
        ("报名免费。", "报名收费。"),
    ],
)
async def test_the_opposite_is_contradicted(statement: str, quote: str):
    assert await verdict(statement, quote) == "contradicted"


@pytest.mark.parametrize(
    ("statement", "quote"),
    [
        ("No returns after 20 days.", "Returns are taken within 20 days."),
        ("Returns are taken within 20 days.", "No returns are taken after 20 days."),
        ("超过20天不退货。", "20天内可退货。"),
        ("未满16岁禁止入内。", "16岁以上方可入内。"),
        ("Bicycles are not allowed.", "Bicycles are forbidden."),
        ("不可以停放自行车。", "禁止停放自行车。"),
        ("The voucher is not valid.", "The voucher is invalid."),
        ("Nobody is allowed to enter.", "Everybody is forbidden to enter."),
        ("学徒不享有奖金。", "除学徒外，所有员工享有奖金。"),
        ("The third lesson was moved.", "The second lesson was held, the fourth lesson was moved."),
        ("The shop is open until Friday.", "The shop is closed after Friday."),
        ("Bills are sent within 10 days after the visit.", "Bills are sent within 10 days after every visit."),
        ("调换20天内有效。", "调换须在购买后20天内申请，逾期作废。"),
    ],
)
async def test_the_same_in_other_words_or_undecided(statement: str, quote: str):
    assert await verdict(statement, quote) == "quote-only"


@pytest.mark.parametrize(
    ("statement", "quote", "wrong"),
    [
        ("可以养鹅。", "可以养鸡，每块地不超过四只，不得养鹅", True),
        ("可以养鸡。", "可以养鸡，每块地不超过四只，不得养鹅", False),
        ("可以使用投影仪。", "可以使用白板，不得使用投影仪", True),
        ("可以退票", "可以改签，不能退票", True),
        ("不能退票", "可以改签，不能退票", False),
        ("小型犬可以进入园内。", "导盲犬可以进入园内，其他犬只有牵绳才可以进入", False),
        ("Cockerels are allowed.", "Hens are allowed, cockerels are forbidden", True),
        ("Hens are allowed.", "Hens are allowed, cockerels are forbidden", False),
        ("Photographs may be taken.", "Latecomers are let in, photographs may not be taken", True),
        ("Phones are allowed.", "If it rains, phones are not allowed", False),
    ],
)
def test_one_clause_allows_and_another_forbids(statement: str, quote: str, wrong: bool):
    assert (clauses.opposed(statement, quote) is not None) is wrong


@pytest.mark.parametrize(
    ("statement", "quote", "wrong"),
    [
        ("Cockerels may be kept.", "Hens may be kept; cockerels are forbidden.", True),
        ("Cockerels may not be kept.", "Hens may be kept; cockerels are forbidden.", False),
        ("Hens are forbidden.", "Hens may be kept; cockerels are forbidden.", True),
        ("Hens may be kept.", "Hens may be kept; cockerels are forbidden.", False),
        ("Cockerels may be kept.", "Cockerels are forbidden.", True),
        ("Prams can be left in the yard.", "Bikes may be left in the yard, prams are not allowed.", True),
        ("Bikes can be left in the yard.", "Bikes may be left in the yard, prams are not allowed.", False),
        ("Glass may be brought.", "Plastic bottles may be brought, glass is prohibited.", True),
        ("Dogs may be walked on the path.", "Dogs are forbidden on the lawn.", False),
        ("Smoking is allowed.", "Smoking is allowed on the balcony, in the rooms it is forbidden.", False),
        ("Bags may be brought with a permit.", "Bags are forbidden.", False),
        ("The delivery may be late.", "Deliveries are forbidden.", False),
        ("可以养公鸡。", "可以养母鸡，禁养公鸡。", True),
        ("公鸡可以养。", "母鸡可以养，公鸡禁止。", True),
        ("不能养公鸡。", "可以养母鸡，禁养公鸡。", False),
        ("可以养母鸡。", "可以养母鸡，禁养公鸡。", False),
        ("禁止养母鸡。", "可以养母鸡，禁养公鸡。", True),
        ("Cockerels are not forbidden.", "Hens may be kept; cockerels are forbidden.", True),
        ("No hens are allowed.", "Hens are allowed; cockerels are forbidden.", True),
        ("Hens are never allowed.", "Hens are allowed; cockerels are forbidden.", True),
        ("Hens aren't allowed.", "Hens are allowed, cockerels are forbidden.", True),
        ("Hens are allowed.", "Hens are never allowed, geese are welcome.", True),
    ],
)
async def test_a_compound_rule_is_held_against_the_thing_it_speaks_of(statement: str, quote: str, wrong: bool):
    assert (await verdict(statement, quote) == "contradicted") is wrong


def test_a_reason_has_the_word_that_turns_round():
    why = opposites.opposed("Dogs are not forbidden.", "Dogs are forbidden.")
    assert why == "the statement says 'not forbidden', the quote 'forbidden'"
