"""Expansions of queries as people type them that once read badly."""

from __future__ import annotations

import pytest

from engines import engine
from qx.rules.cutting import whole
from qx.rules.figures import changed, find
from qx.steps.strategies.substitution import Place, substitute


@pytest.mark.parametrize(
    ("text", "own", "other", "made"),
    [
        ("pay an invoice", "invoice", "bill", "pay a bill"),
        ("rent a flat", "flat", "apartment", "rent an apartment"),
        ("An invoice from May", "invoice", "bill", "A bill from May"),
        ("buy a drive", "drive", "SSD", "buy an SSD"),
        ("buy an SSD", "SSD", "USB stick", "buy a USB stick"),
        ("wait an hour", "hour", "unit", "wait a unit"),
        ("a shop for shoes", "shop", "honest store", "an honest store for shoes"),
        ("an app", "app", "European program", "a European program"),
        ("a 手机", "手机", "iPhone", "a iPhone"),
        ("give a talk", "talk", "umbrella talk", "give an umbrella talk"),
    ],
)
def test_the_article_goes_with_the_new_word(text: str, own: str, other: str, made: str):
    at = text.index(own)
    assert substitute(text, [(Place(start=at, end=at + len(own), key=own), other)]) == made


@pytest.mark.parametrize(
    ("query", "candidate"),
    [
        ("laptop under $500", "laptop under 500€"),
        ("500元以下的耳机", "500美元以下的耳机"),
        ("预算3000元 平板", "预算3000日元 平板"),
        ("hotel below 100 EUR", "hotel below £100"),
        ("phone $300-400", "phone €300-400"),
    ],
)
def test_another_currency_is_another_price(query: str, candidate: str):
    assert changed(find(query), find(candidate)) is not None


@pytest.mark.parametrize(
    ("query", "candidate"),
    [
        ("laptop under $500", "laptop under 500 dollars"),
        ("500元以下的耳机", "耳机 500块以内"),
        ("laptop under 500", "laptop under $500"),
        ("phone $300-400", "phone 300 to 400 USD"),
    ],
)
def test_the_same_currency_in_other_words_is_the_same_price(query: str, candidate: str):
    assert changed(find(query), find(candidate)) is None


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("or computer", "computer"),
        (", and tablet for kids", "tablet for kids"),
        ("或者电脑", "电脑"),
        ("toaster that's,", "toaster"),
        ("tent which is", "tent"),
        ("和声学", "和声学"),
        ("oregano oil", "oregano oil"),
    ],
)
def test_what_joined_the_rest_to_what_is_gone_goes_too(text: str, made: str):
    assert whole(text) == made


READ_WELL = [
    ("支付宝扣了钱订单没了", "支付宝扣钱 订单没了", "扣 钱"),
    ("吃了药还是发烧", "吃药", "吃 药"),
    ("推荐系统论文", "推荐系统论文", ""),
    ("推荐算法 冷启动", "推荐算法 冷启动", ""),
    ("how does OLED work", "how OLED works", "how OLED work "),
    ("landlord won't return my deposit what can I do", "deposit your rights", "can I do"),
    ("baby won't sleep at night any advice please", "at night expert advice", "please"),
    ("洗碗机不排水显示E4", "维修", '"排水"'),
    ("咳嗽没有发烧要不要吃药", "没有发烧", 'AND "发烧"'),
    ("kid has rash after peanut butter but no fever", "no fever", "kid has fever"),
    ("best noise cancelling headphones neither bose nor sony", "-bose -sony", ""),
    ("does melatonin help with jet lag", "melatonin", 'AND "lag"'),
    ("how much protein per day for 70kg woman", "protein", "price"),
    ("how to remove red wine stain from wool carpet", "stain", "recipe"),
]
"""Query, what one of its expansions has, what none has (empty: anything)."""


async def test_expansions_read_well():
    wrong: list[str] = []
    async with engine() as opened:
        for text, has, lacks in READ_WELL:
            texts = [f"{query.text} " for query in (await opened.expand(text)).queries[1:]]
            if not any(has in one for one in texts) or (lacks and any(lacks in one for one in texts)):
                wrong.append(f"{text}: {texts}")
    assert not wrong
