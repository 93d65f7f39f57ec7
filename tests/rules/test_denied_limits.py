"""Limits that are ruled out keep their direction: "no heavier than", "nothing over", 不比…大, 不要…以上的, 不早于."""

import pytest


def hard(found):
    return sorted((c.field, c.op, c.value) for c in found.constraints if c.hard)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("laptop no heavier than 1.5kg", ("weight", "le", 1.5)),
        ("tv no bigger than 60 inch", ("screen", "le", 60)),
        ("no smaller than 6 inch phone", ("screen", "ge", 6)),
        ("nothing lighter than 2kg dumbbell", ("weight", "ge", 2)),
        ("cable no longer than 2m", ("length", "le", 2)),
        ("not cheaper than 100 dollars headphones", ("price", "ge", 100)),
        ("isn't more than 500 dollars phone", ("price", "le", 500)),
        ("no pricier than $300 phone", ("price", "le", 300)),
        ("not any bigger than 65 inch tv", ("screen", "le", 65)),
        ("a laptop that doesn't weigh more than 2kg", ("weight", "le", 2)),
        ("nothing over $500 laptop", ("price", "le", 500)),
        ("laptop don't show me anything above $500", ("price", "le", 500)),
        ("exclude anything above 500 dollars laptop", ("price", "le", 500)),
        ("nothing under $100 headphones", ("price", "ge", 100)),
        ("phones, none over $300", ("price", "le", 300)),
        ("nothing more expensive than $300 headphones", ("price", "le", 300)),
        ("avoid anything below 8GB RAM laptop", ("memory", "ge", 8)),
        ("laptop, anything over $500 excluded", ("price", "lt", 500)),
        ("I don't want a laptop over $500", ("price", "le", 500)),
        ("I can't afford more than 500 dollars for a laptop", ("price", "le", 500)),
        ("not willing to spend over $300 on headphones", ("price", "le", 300)),
        ("recipes not taking more than 30 minutes", ("duration", "le", 30)),
        ("heavier than 2kg not ok laptop", ("weight", "le", 2)),
        ("over $500 is too much for headphones", ("price", "lt", 500)),
        ("别太贵5000以内的手机", ("price", "le", 5000)),
        ("不要太重2公斤以下的笔记本", ("weight", "le", 2)),
        ("不要内存8G的手机", ("memory", "ne", 8)),
        ("no laptops over $500", ("price", "le", 500)),
        ("hotel no further than 2km from the beach", ("distance", "le", 2)),
        ("if it's not under $500 I don't want the phone", ("price", "le", 500)),
        ("nothing but phones under $500", ("price", "le", 500)),
        ("phone with no ads under $300", ("price", "le", 300)),
        ("hotel with no pets over $100", ("price", "ge", 100)),
        ("there is nothing under $100 headphones", ("price", "le", 100)),
        ("不要500以上的手机", ("price", "lt", 500)),
        ("500元以上的不要 手机", ("price", "lt", 500)),
        ("手机 3000以下的不要", ("price", "gt", 3000)),
        ("不考虑2公斤以上的笔记本", ("weight", "lt", 2)),
        ("价格不得低于3000的手机", ("price", "ge", 3000)),
        ("3000以上的手机不要", ("price", "lt", 3000)),
        ("别找3000以下的手机", ("price", "gt", 3000)),
        ("没有3000以上的手机吗", ("price", "ge", 3000)),
        ("不是3000以上的手机", ("price", "lt", 3000)),
        ("是不是3000以上的手机", ("price", "ge", 3000)),
        ("能不能低于3000的手机", ("price", "lt", 3000)),
        ("要不要5000以上的手机", ("price", "ge", 5000)),
        ("5000以上的不要苹果 手机", ("price", "ge", 5000)),
        ("比6寸大的手机", ("screen", "gt", 6)),
        ("不比6寸小的手机", ("screen", "ge", 6)),
        ("比5000便宜的手机", ("price", "lt", 5000)),
        ("比2公斤轻的笔记本", ("weight", "lt", 2)),
        ("不比2公斤重的笔记本", ("weight", "le", 2)),
        ("价格比3000低的手机", ("price", "lt", 3000)),
        ("比8G内存大的手机", ("memory", "gt", 8)),
    ],
)
def test_a_denied_comparison_leaves_its_other_side(text, wanted, understand):
    found = understand(text)
    field = wanted[0]
    assert [c for c in hard(found) if c[0] == field] == [wanted]
    assert (
        wanted[1] == "ne"
        or "太" in text
        or not [n for n in found.negations if n not in ("苹果", "ads", "pets", "phone")]
    )


@pytest.mark.parametrize("text", ["比180高的男生", "charger no beefier than 65W", "tv no chunkier than 60 inch"])
def test_a_comparison_that_cannot_be_read_limits_nothing(text, understand):
    assert not hard(understand(text))


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("not before 2020 papers", [("ge", "2020-01-01")]),
        ("not after 2020 papers", [("lt", "2021-01-01")]),
        ("nothing before 2020 papers", [("ge", "2020-01-01")]),
        ("papers no later than 2020", [("lt", "2021-01-01")]),
        ("papers no earlier than 2020", [("ge", "2020-01-01")]),
        ("papers not older than 2010", [("ge", "2010-01-01")]),
        ("papers published later than 2020", [("ge", "2021-01-01")]),
        ("papers older than 2010", [("lt", "2010-01-01")]),
        ("papers not older than 5 years", [("ge", "2021-06-15")]),
        ("papers older than 5 years", [("lt", "2021-06-15")]),
        ("不要2020年以前的论文", [("ge", "2020-01-01")]),
        ("2020年以前的不要 论文", [("ge", "2020-01-01")]),
        ("别给我2019年以前的论文", [("ge", "2019-01-01")]),
        ("不看2020年之前的论文", [("ge", "2020-01-01")]),
        ("别找2020年之前的论文", [("ge", "2020-01-01")]),
        ("2020年之前的论文不要", [("ge", "2020-01-01")]),
        ("2020年以前的论文别给我", [("ge", "2020-01-01")]),
        ("exclude papers before 2020", [("ge", "2020-01-01")]),
        ("不要2020年以后的论文", [("lt", "2020-01-01")]),
        ("不早于2020年的论文", [("ge", "2020-01-01")]),
        ("不晚于2020年的论文", [("lt", "2021-01-01")]),
        ("晚于2020年的论文", [("ge", "2021-01-01")]),
        ("早于2020年的论文", [("lt", "2020-01-01")]),
    ],
)
def test_a_denied_date_leaves_its_other_side(text, wanted, understand):
    found = understand(text)
    assert [(c.op, c.value) for c in found.constraints if c.field == "published" and c.hard] == wanted
    assert not found.negations
    assert not [c for c in found.constraints if c.field == "duration"]


def test_both_of_two_that_are_denied_are_turned(understand):
    found = understand("phones not above 7 inches or below 5 inches")
    assert hard(found) == [("screen", "ge", 5), ("screen", "le", 7)]


@pytest.mark.parametrize("text", ["不要三星5000以下的手机"])
def test_of_a_refused_make_with_a_limit_no_limit_is_made(text, understand):
    assert not [c for c in hard(understand(text)) if c[0] == "price"]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("papers not from 2020", [("ne", "2020")]),
        ("not 2020 papers", [("ne", "2020")]),
        ("不要2020年的论文", [("ne", "2020")]),
        ("不要2020年5月的论文", [("ne", "2020-05")]),
        ("papers from 2020 or later", [("ge", "2020-01-01")]),
        ("2020年或以后的论文", [("ge", "2020-01-01")]),
        ("papers 2020 or earlier", [("lt", "2021-01-01")]),
        ("2020年或以前的论文", [("lt", "2021-01-01")]),
    ],
)
def test_a_year_that_is_ruled_out_and_one_with_all_beside_it(text, wanted, understand):
    assert [(c.op, c.value) for c in understand(text).constraints if c.field == "published" and c.hard] == wanted
