"""Prices without a unit, 万 written w, ages, dates of release and quarters."""

import pytest


def of(found, field):
    return [(c.op, c.value) for c in found.constraints if c.field == field]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("1w以内的电脑", [("le", 10000)]),
        ("1W以内的电脑", [("le", 10000)]),
        ("1w以内的笔记本", [("le", 10000)]),
        ("3w以下的电动车", [("le", 30000)]),
        ("1w以内的音响", [("le", 10000)]),
        ("预算2w的电视", [("prefer", 20000), ("ge", 16000), ("le", 24000)]),
        ("两三千的手机", [("ge", 2000), ("le", 3000)]),
        ("一两百的耳机", [("ge", 100), ("le", 200)]),
        ("三四千的笔记本", [("ge", 3000), ("le", 4000)]),
        ("想买两千多的手机", [("ge", 2000), ("le", 3000)]),
        ("三千的手机", [("prefer", 3000), ("ge", 2400), ("le", 3600)]),
        ("5000都不到的手机", [("lt", 5000)]),
        ("预算5000不到", [("lt", 5000)]),
        ("一千不到的耳机", [("lt", 1000)]),
        ("christmas gifts under 30", [("le", 30)]),
        ("headphones below 50", [("le", 50)]),
        ("1,299.99 dollars laptop max", [("le", 1299.99)]),
        ("$800 phone tops", [("le", 800)]),
        ("gifts for women under 30", []),
        ("两三千的粉丝怎么涨", []),
        ("5w充电器", []),
        ("4090的电脑", []),
    ],
)
def test_a_price_without_its_unit(text, wanted, understand):
    assert of(understand(text), "price") == wanted


@pytest.mark.parametrize(
    "text",
    [
        "toys for 3-5 year olds",
        "toys for 3 to 5 year old kids",
        "3到5岁的玩具",
        "toys for kids aged 3-5",
        "books for 3-5-year-olds",
        "gift for a 3-5 yr old girl",
    ],
)
def test_an_age_is_no_duration(text, understand):
    found = understand(text)
    assert of(found, "age") == [("ge", 3), ("le", 5)]
    assert not of(found, "duration")


@pytest.mark.parametrize(
    ("text", "field", "wanted"),
    [
        ("2024年5月2日之后发布的手机", "published", [("ge", "2024-05-03")]),
        ("2024年5月2日以前的论文", "published", [("lt", "2024-05-02")]),
        ("2024年5月2日后上市的手机", "published", [("ge", "2024-05-03")]),
        ("phones released before 2025", "published", [("lt", "2025-01-01")]),
        ("phones released after 2024-05-02", "published", [("ge", "2024-05-03")]),
        ("cameras launched since 2024", "published", [("ge", "2024-01-01")]),
        ("2024年以前上市的手机", "published", [("lt", "2024-01-01")]),
        ("2024Q3 财报", "date", [("ge", "2024-07-01"), ("lt", "2024-10-01")]),
        ("2023Q4 earnings report", "date", [("ge", "2023-10-01"), ("lt", "2024-01-01")]),
        ("Q3 2024 财报", "date", [("ge", "2024-07-01"), ("lt", "2024-10-01")]),
    ],
)
def test_dates_of_release_and_quarters(text, field, wanted, understand):
    assert of(understand(text), field) == wanted


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("2015年之前的历史书", {"published"}),
        ("2010年到2015年的小说", {"published"}),
        ("90年代的电影", {"published"}),
        ("science fiction after 2010", {"published"}),
        ("songs from the 1980s", {"published"}),
        ("movies before 1970", {"published"}),
        ("2019年的电影票怎么退", {"date"}),
        ("2008年的金融危机书评", {"date"}),
        ("1984年的书店在哪", {"date"}),
        ("books about 1984", {"date"}),
    ],
)
def test_the_time_of_a_book_or_film_is_when_it_appeared(text, fields, understand):
    assert {c.field for c in understand(text).constraints} == fields


@pytest.mark.parametrize(
    ("text", "field", "wanted"),
    [
        ("1800年以前的书", "published", [("lt", "1800-01-01")]),
        ("1850年之后的小说", "published", [("ge", "1850-01-01")]),
        ("books before 1800", "published", [("lt", "1800-01-01")]),
        ("books by Jane Austen before 1950", "published", [("lt", "1950-01-01")]),
        ("novels by Ursula K. Le Guin after 1970", "published", [("ge", "1971-01-01")]),
        ("novels from before 1900", "published", [("lt", "1900-01-01")]),
        ("公元100年以前的历史", "date", [("lt", "0100-01-01")]),
        ("run before 1800 hours", "date", []),
        ("price before 1800", "date", []),
        ("1800年前的三国", "published", []),
        ("库存1800件以前", "date", []),
        ("books about the world before 1950", "published", []),
    ],
)
def test_years_of_long_ago_and_makers_beside_a_year(text, field, wanted, understand):
    assert of(understand(text), field) == wanted
