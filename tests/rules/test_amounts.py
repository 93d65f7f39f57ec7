"""Amounts as limits: which field they limit, and where a bare number is a price."""

import pytest


def limits(found):
    return sorted((c.field, c.op, c.value, c.unit) for c in found.constraints if c.hard)


@pytest.mark.parametrize(
    ("text", "low", "high", "unit"),
    [
        ("HP or Dell laptop between 3000 and 5000", 3000, 5000, "USD"),
        ("phone between 3000 and 5000", 3000, 5000, "USD"),
        ("phone from 2000 to 4000", 2000, 4000, "USD"),
        ("laptop 3000-5000", 3000, 5000, "USD"),
        ("laptop 3000 to 5000 with a good screen", 3000, 5000, "USD"),
        ("3000-5000 laptop", 3000, 5000, "USD"),
        ("headphones between 100 and 200 for running", 100, 200, "USD"),
        ("手机 2000到4000", 2000, 4000, "CNY"),
        ("在3000和5000之间的笔记本", 3000, 5000, "CNY"),
    ],
)
def test_a_bare_range_of_a_thing_to_buy_is_its_price(text, low, high, unit, understand):
    found = understand(text)
    assert limits(found) == [("price", "ge", low, unit), ("price", "le", high, unit)]
    assert not [c for c in found.constraints if c.field in ("date", "published")]


@pytest.mark.parametrize(
    ("text", "op", "value"),
    [
        ("sub-$500 laptop", "lt", 500),
        ("sub-3000 phone", "lt", 3000),
        ("sub 3000 phone", "lt", 3000),
        ("under 4000 phone", "le", 4000),
        ("laptop under 4000", "le", 4000),
    ],
)
def test_a_bare_bound_of_a_thing_to_buy_is_its_price(text, op, value, understand):
    found = understand(text)
    assert limits(found) == [("price", op, value, "USD")]
    assert not [c for c in found.constraints if not c.hard]
    assert [e.type for e in found.entities] == ["product"]


@pytest.mark.parametrize(
    "text",
    [
        "numbers between 100 and 500",
        "camera iso 100-6400",
        "history of war from 1500 to 1800",
        "phones from 2010 to 2015",
        "songs from 2000 to 2010",
        "phone with 3000-5000 steps a day",
        "phone between 3000 and 5000 mAh",
        "how many people between 300 and 500",
    ],
)
def test_a_bare_range_of_something_else_is_no_price(text, understand):
    assert not [c for c in understand(text).constraints if c.field == "price"]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("手机 16GB 内存以上", ("memory", "ge", 16, "GB")),
        ("手机12GB内存起", ("memory", "ge", 12, "GB")),
        ("256GB存储以上的手机", ("storage", "ge", 256, "GB")),
        ("laptop 16GB RAM or more", ("memory", "ge", 16, "GB")),
        ("6000mAh电池以上的手机", ("battery_capacity", "ge", 6000, "mAh")),
        ("手机 16GB 内存", ("memory", "eq", 16, "GB")),
    ],
)
def test_a_bound_behind_what_is_measured(text, wanted, understand):
    assert limits(understand(text)) == [wanted]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1/2 inch drill bit", 0.5),
        ("3/4 inch plywood", 0.75),
        ("6'2\" man suit", 74),
        ("12 inch skillet", 12),
        ("8寸蛋糕", 8),
    ],
)
def test_inches_of_what_has_no_screen_are_its_length(text, value, understand):
    assert [(c.field, c.op, c.value, c.unit, c.hard) for c in understand(text).constraints] == [
        ("length", "eq", value, "inch", False)
    ]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("27 inch monitor", 27),
        ('27" monitor', 27),
        ("15.6寸笔记本", 15.6),
        ("14寸 轻薄本", 14),
        ("MacBook 14寸", 14),
        ("screen 6.1 inch", 6.1),
        ("55寸电视", 55),
        ("6.1寸屏幕", 6.1),
    ],
)
def test_inches_of_what_has_a_screen_are_the_screen_s(text, value, understand):
    assert limits(understand(text)) == [("screen", "eq", value, "inch")]


@pytest.mark.parametrize(
    ("text", "field", "value"),
    [
        ("1米8的床", "length", 1.8),
        ("一米八的床", "length", 1.8),
        ("2米的数据线", "length", 2),
        ("离地铁500米的酒店", "distance", 500),
        ("3 km run", "distance", 3),
    ],
)
def test_metres_of_a_thing_and_of_a_way(text, field, value, understand):
    assert [(c.field, c.value) for c in understand(text).constraints if c.unit in ("m", "km")] == [(field, value)]


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [("€1.299,00 laptop", 1299, "EUR"), ("1 299 € laptop", 1299, "EUR"), ("1'299 CHF laptop", 1299, "CHF")],
)
def test_money_as_most_of_europe_writes_it(text, value, unit, understand):
    assert ("price", "prefer", value, unit) in [(c.field, c.op, c.value, c.unit) for c in understand(text).constraints]


@pytest.mark.parametrize(
    ("text", "field", "value"),
    [
        ("不用太贵的手机", "price", "low"),
        ("不是很贵的手机", "price", "low"),
        ("不算太贵的手机", "price", "low"),
        ("phone that isn't too expensive", "price", "low"),
        ("phone that is not very expensive", "price", "low"),
        ("不会太重的笔记本", "weight", "light"),
        ("laptop that isn't too heavy", "weight", "light"),
        ("不要太大的包", "size", "small"),
        ("suitcase that is not too big", "size", "small"),
        ("不要太吵的风扇", "sound", "quiet"),
        ("hair dryer that isn't very loud", "sound", "quiet"),
        ("最便宜的手机", "price", "low"),
        ("cheapest phone", "price", "low"),
        ("便宜点的", "price", "low"),
        ("cheaper", "price", "low"),
    ],
)
def test_what_is_not_to_be_too_much_is_a_wish_for_less_however_it_is_said(text, field, value, understand):
    found = understand(text)
    assert [(c.field, c.op, c.value, c.hard) for c in found.constraints] == [(field, "prefer", value, False)]
    assert found.negations == ()
    assert (found.sentiment.label, found.stance) == ("neutral", "neutral")


@pytest.mark.parametrize(
    "text", ["这个手机是不是很贵", "贵不贵", "手机太贵", "很贵的手机", "要不要太大的", "夏天 天气"]
)
def test_a_question_and_a_complaint_wish_for_nothing(text, understand):
    assert [c for c in understand(text).constraints if c.field in ("price", "size", "weight")] == []


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("手机太贵", "dissatisfied"),
        ("这家店是不是骗子", "angry"),
        ("要不要投诉", "dissatisfied"),
        ("不满意", "dissatisfied"),
        ("不急，慢慢来", "neutral"),
    ],
)
def test_a_mood_that_is_denied_is_none(text, label, understand):
    assert understand(text).sentiment.label == label


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("快递三天没更新了", True),
        ("你们这什么破快递，等了十天还没到！！！", True),
        ("package waited 10 days", True),
        ("refund still missing after 10 days", True),
        ("3天云南旅游攻略", False),
        ("30 minute dinner recipe", False),
        ("续航10小时的笔记本", False),
        ("至少续航10小时的笔记本", False),
    ],
)
def test_a_time_that_is_only_told_of_limits_nothing(text, told, understand):
    found = [c for c in understand(text).constraints if c.field in ("duration", "battery_life")]
    assert bool(found) is not told


@pytest.mark.parametrize(
    ("text", "memory", "storage"),
    [
        ("8gb ram 256gb ssd laptop", ("eq", 8), ("eq", 256)),
        ("256gb ssd 8gb ram laptop", ("eq", 8), ("eq", 256)),
        ("ram 16gb storage 512gb laptop", ("eq", 16), ("eq", 512)),
        ("RAM: 8GB, SSD: 128GB laptop", ("eq", 8), ("eq", 128)),
        ("8G内存256G硬盘的笔记本", ("eq", 8), ("eq", 256)),
        ("内存8G硬盘256G的笔记本", ("eq", 8), ("eq", 256)),
        ("12GB运存 64GB存储的手机", ("eq", 12), ("eq", 64)),
        ("16GB RAM 512GB phone", ("eq", 16), ("eq", 512)),
        ("4GB RAM 64GB phone", ("eq", 4), ("eq", 64)),
        ("4G 64G的手机", ("eq", 4), ("eq", 64)),
        ("16GB或以上内存、512G固态硬盘的笔记本", ("ge", 16), ("eq", 512)),
        ("laptop 16GB or more, 1TB SSD, under 2kg", ("ge", 16), ("eq", 1)),
        ("laptop 16GB or more, SSD 512GB", ("ge", 16), ("eq", 512)),
    ],
)
def test_memory_and_storage_are_told_apart(text, memory, storage, understand):
    found = [(c.field, c.op, c.value) for c in understand(text).constraints if c.hard and c.field != "weight"]
    assert sorted(found) == [("memory", *memory), ("storage", *storage)]


@pytest.mark.parametrize(
    ("text", "field", "values"),
    [
        ("64G或128G存储的手机", "storage", [64, 128]),
        ("8 or 16GB RAM laptop", "memory", [8, 16]),
        ("phone with 128GB or 256GB", "storage", [128, 256]),
        ("laptop 14 or 15.6 inch", "screen", [14, 15.6]),
        ("6寸或6.5寸的手机", "screen", [6, 6.5]),
        ("13、14寸笔记本", "screen", [13, 14]),
        ("14或者16寸的笔记本", "screen", [14, 16]),
        ("shirts size M or L", "size", ["M", "L"]),
        ("shirts in size S, M or XL", "size", ["S", "M", "XL"]),
        ("size 9 or 10 shoes", "size", [9, 10]),
        ("尺码M或L的衬衫", "size", ["M", "L"]),
        ("36或37码的女鞋", "size", [36, 37]),
        ("36码或37码的女鞋", "size", [36, 37]),
        ("black or white shoes", "colour", ["black", "white"]),
    ],
)
def test_either_of_several_values_is_wished_for(text, field, values, understand):
    found = [(c.op, c.value) for c in understand(text).constraints if c.field == field and c.hard]
    assert sorted(found, key=str) == sorted([("eq", v) for v in values], key=str)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("36码以上的女鞋", [("ge", 36)]),
        ("36码以下的童鞋", [("le", 36)]),
        ("size 36 or larger shoes", [("ge", 36)]),
        ("size 8 and up boots", [("ge", 8)]),
        ("size 40 or smaller shoes", [("le", 40)]),
        ("至少42码的鞋", [("ge", 42)]),
        ("size L or larger shirt", []),
        ("size 36 shoes", [("eq", 36)]),
        ("shoes not size 9", [("ne", 9)]),
        ("shirts not in size M or L", [("ne", "M"), ("ne", "L")]),
        ("不要36码的鞋", [("ne", 36)]),
        ("要不要36码的鞋", [("eq", 36)]),
    ],
)
def test_a_bound_of_a_size_is_no_exact_size(text, wanted, understand):
    assert [(c.op, c.value) for c in understand(text).constraints if c.field == "size" and c.hard] == wanted


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("PPT 怎么压缩到 20MB 以下", None),
        ("证件照 不超过 500KB", None),
        ("compress pdf to under 2MB", None),
        ("video attachments up to 25MB", None),
        ("usb 存照片 64GB以上", "memory"),
        ("laptop with at least 16GB", "memory"),
        ("压缩内存 4GB以上 手机", "memory"),
    ],
)
def test_the_size_of_a_file_is_no_memory(text, field, understand):
    assert [c.field for c in understand(text).constraints if c.unit in ("KB", "MB", "GB")] == [field] * (
        field is not None
    )
