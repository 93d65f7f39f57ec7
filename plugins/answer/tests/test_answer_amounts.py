"""Numbers, units and negations of a statement against those of its quote, in both languages."""

from __future__ import annotations

import pytest

from qx_answer.amounts import differing
from qx_answer.polarity import turned


@pytest.mark.parametrize(
    ("statement", "quote"),
    [
        ("It is 5 km away", "It is 5000 m away"),
        ("售价1.5万元", "价格为15,000元"),
        ("2024年5月发布", "released in May 2024"),
        ("released in May 2024", "于2024年5月3日发布"),
        ("grew by 20 percent", "grew by 20%"),
        ("增长20%", "增长了百分之二十"),
        ("twenty users", "20 users"),
        ("Returns within 30 days", "within thirty days of purchase you may return"),
        ("It costs $5", "It costs 5 dollars"),
        ("one of the tools is free", "a tool is free"),
        ("一般来说支持，千万不要关机，十分重要", "支持，不要关机，很重要"),
        ("The A100 is used", "it is used"),
        ("Takes 90 minutes", "Takes 1.5 hours"),
        ("about 5 million users", "5,000,000 users"),
        ("5个用户", "5名用户"),
        ("at least 5 keys", "≥5 keys"),
        ("Claim 17", "It runs locally"),
        ("陈述3。", "它在本地运行"),
        ("in the season 2018–19", "in the season 2018-2019"),
        ("It costs 5 EUR a month", "5 EUR per month are due"),
        ("The monthly fee is 5 EUR", "It costs 5 EUR/month"),
        ("每月5元", "月费每个月5元"),
        ("Twelve days a year", "每年十二天"),
        ("每年12天", "12 days per year"),
        ("It costs 5 EUR a month", "The fee is 5 EUR"),
        ("5 jackets a month later", "5 jackets were sold within a year"),
        ("每天开放8小时", "开放8小时"),
        ("Every year 3 people come", "3 people come every year"),
        ("300 EUR a day or 900 EUR a week", "900 EUR a week, 300 EUR a day"),
    ],
)
def test_the_same_amount(statement: str, quote: str):
    assert differing(statement, quote) is None


@pytest.mark.parametrize(
    ("statement", "quote"),
    [
        ("p = 0.4", "p = 0.04"),
        ("It takes 5 minutes", "It takes 5 hours"),
        ("5 kg of it", "5 g of it"),
        ("5 mg", "5 mcg"),
        ("-5°C", "5°C"),
        ("三公斤", "三克"),
        ("3斤", "3公斤"),
        ("It costs €5", "It costs $5"),
        ("GPT-4 is fast", "GPT-3 is fast"),
        ("at least 5 keys", "at most 5 keys"),
        ("port 8081", "port 8080"),
        ("在2023年", "在2024年"),
        ("三天内退货", "七天内退货"),
        ("fifty people came", "fifteen people came"),
        ("released in June 2024", "released in May 2024"),
        ("The tool has 12 parts", "The tool has many parts"),
        ("It costs 5 EUR per month", "It costs 5 EUR per year"),
        ("The monthly fee is 5 EUR", "The annual fee is 5 EUR"),
        ("It is counted twice a week", "It is counted twice a day"),
        ("每月5元", "每年5元"),
        ("5元/小时", "5元/天"),
        ("每周三次", "每天三次"),
        ("12 days a month", "每年12天"),
        ("300 EUR a week", "900 EUR a week, 300 EUR a day"),
    ],
)
def test_another_amount(statement: str, quote: str):
    found = differing(statement, quote)
    assert found is not None
    assert found.why


@pytest.mark.parametrize(
    ("statement", "quote"),
    [
        ("Rebase is allowed on main.", "Rebase is not allowed on main."),
        ("Rebase is not allowed on main.", "Rebase is allowed on main."),
        ("You must always rebase", "You must never rebase"),
        ("Refunds are given after 30 days", "No refunds are given after 30 days"),
        ("It works with a key", "It works without a key"),
        ("You can use it", "You can't use it"),
        ("You can use it", "You can’t use it"),
        ("Guests may smoke", "Guests may not smoke. Dogs are welcome."),
        ("Worn jackets are taken back", "Worn ones are **not** taken back"),
        ("The jacket was never worn", "It was worn twice"),
        ("我们支持退货", "我们不支持退货"),
        ("我们不支持退货", "我们支持退货。"),
        ("产品无需充电", "产品需要充电"),
        ("该产品含糖", "该产品不含糖。"),
        ("员工可以带宠物", "员工不可以带宠物进入办公室"),
        ("办公室允许吸烟", "办公室内不允许吸烟"),
    ],
)
def test_one_denies_what_the_other_affirms(statement: str, quote: str):
    assert turned(statement, quote) is not None


@pytest.mark.parametrize(
    ("statement", "quote"),
    [
        ("The tool runs locally", "The tool does not need a server and runs locally."),
        ("There is a 30-day limit on refunds", "No refunds are given after 30 days"),
        ("Refunds are not given after 30 days", "No refunds are given after 30 days"),
        ("Rebasing main is forbidden", "Never rebase main"),
        ("A key is not needed", "It works without a key"),
        ("It supports X and Y", "It not only supports X but also Y"),
        ("It supports X and Y", "It supports X. It supports Y, and does not support Z."),
        ("办公室禁止吸烟", "办公室内不允许吸烟"),
        ("产品采用不锈钢", "该产品采用不锈钢制成"),
        ("非常好用", "这款产品非常好用"),
        ("", "No."),
    ],
)
def test_both_say_the_same_or_it_is_for_a_judge(statement: str, quote: str):
    assert turned(statement, quote) is None


@pytest.mark.parametrize(
    ("statement", "quote"),
    [
        ("It measures 250 m².", "A full plot measures 250 square metres"),
        ("面积250平方米。", "A plot of 250 m²"),
        ("It has 3 cubic metres.", "It holds 3 m³"),
        ("The cabin is at 90 °C.", "The big cabin is heated to 90 degrees"),
        ("The cabin is at 90 degrees Celsius", "heated to 90 °C"),
        ("It opens on Tuesday.", "It opens from Monday to Friday"),
        ("It is open on Saturday.", "It is open at weekends"),
        ("周六开放", "周末开放"),
        ("The hall is closed on Mondays.", "每周一闭馆清洁"),
        ("It is not open on Sunday.", "It is open from Monday to Friday"),
        ("The hall is closed on Sunday.", "The hall opens from Monday to Friday"),
    ],
)
def test_units_and_days_that_are_the_same(statement: str, quote: str):
    assert differing(statement, quote) is None


@pytest.mark.parametrize(
    ("statement", "quote"),
    [
        ("It measures 250 m.", "It measures 250 square metres"),
        ("面积250米。", "面积250平方米"),
        ("它有250立方米。", "It has 250 square metres"),
        ("The cabin is at 90 °F.", "heated to 90 °C"),
        ("The cabin is at 80 °C.", "The cabin is heated to 90 degrees"),
        ("周三闭馆。", "每周一闭馆清洁"),
        ("The hall is closed on Wednesdays.", "On Mondays the hall is closed for cleaning"),
        ("It opens on Sunday.", "It opens from Monday to Friday"),
        ("周五开放", "周末开放"),
        ("工具棚至少高2米。", "高度不得超过2米"),
    ],
)
def test_units_days_and_bounds_that_are_others(statement: str, quote: str):
    assert differing(statement, quote) is not None
