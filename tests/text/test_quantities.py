"""Amounts: money, sizes, ranges, comparators, and what only looks like an amount."""

from __future__ import annotations

import pytest
from chinese_numerals import chinese
from hypothesis import given, settings
from hypothesis import strategies as st

from qx.text.quantities import Quantity, find

Row = tuple[str, str, str, str, float | None, float | None, str | None]

ROWS: list[Row] = [
    # query, words, kind, op, low, high, unit
    ("5000元以下、轻薄、续航好的笔记本电脑", "5000元以下", "money", "le", None, 5000, "CNY"),
    ("想买一台给爸妈用的手机屏幕大点字大声大预算2000左右", "预算2000左右", "money", "about", 2000, 2000, None),
    ("预算只有200元的打印机", "预算只有200元", "money", "le", None, 200, "CNY"),
    ("我只有200块，买什么耳机", "只有200块", "money", "le", None, 200, "CNY"),
    ("只剩500块的预算", "只剩500块的预算", "money", "le", None, 500, "CNY"),
    ("预算最多就500", "预算最多就500", "money", "le", None, 500, None),
    ("I only have $200 for a printer", "only have $200", "money", "le", None, 200, "USD"),
    ("my budget is only 200", "budget is only 200", "money", "le", None, 200, None),
    ("工资只有3000怎么存钱", "工资只有3000", "money", "eq", 3000, 3000, None),
    ("手机只有64GB内存", "64GB", "memory", "eq", 64, 64, "GB"),
    ("it only lasts 2 hours", "2 hours", "duration", "eq", 2, 2, "h"),
    (
        "don't want to spend more than 500 dollars",
        "don't want to spend more than 500 dollars",
        "money",
        "le",
        None,
        500,
        "USD",
    ),
    ("a laptop, can't go over $500", "can't go over $500", "money", "le", None, 500, "USD"),
    ("it must not weigh more than 2 kg", "must not weigh more than 2 kg", "weight", "le", None, 2, "kg"),
    ("RAM shouldn't be less than 16GB", "shouldn't be less than 16GB", "memory", "ge", 16, None, "GB"),
    ("不想花超过500块", "不想花超过500块", "money", "le", None, 500, "CNY"),
    ("重量不能低于2公斤", "不能低于2公斤", "weight", "ge", 2, None, "kg"),
    ("8千以内的手机", "8千以内", "money", "le", None, 8000, None),
    ("2000到3000的显示器", "2000到3000", "money", "range", 2000, 3000, None),
    ("2k-3k 手机", "2k-3k", "money", "range", 2000, 3000, None),
    ("不超过3000块", "不超过3000块", "money", "le", None, 3000, "CNY"),
    ("3000元起", "3000元起", "money", "ge", 3000, None, "CNY"),
    ("１０００元以上的耳机", "１０００元以上", "money", "ge", 1000, None, "CNY"),
    ("＄50 以内", "＄50 以内", "money", "le", None, 50, "USD"),
    ("￥299", "￥299", "money", "eq", 299, 299, "CNY"),
    ("两三千块的手机", "两三千块", "money", "range", 2000, 3000, "CNY"),
    ("2-3万的车", "2-3万", "money", "range", 20_000, 30_000, None),
    ("2到3千", "2到3千", "money", "range", 2000, 3000, None),
    ("预算三万五", "预算三万五", "money", "eq", 35_000, 35_000, None),
    ("预算不超过一万五", "预算不超过一万五", "money", "le", None, 15_000, None),
    ("1万5左右", "1万5左右", "money", "about", 15_000, 15_000, None),
    ("几百块的音箱", "几百块", "money", "range", 200, 900, "CNY"),
    ("2000多元", "2000多元", "money", "range", 2000, 3000, "CNY"),
    ("千元机", "千元", "money", "eq", 1000, 1000, "CNY"),
    ("5千块左右", "5千块左右", "money", "about", 5000, 5000, "CNY"),
    ("2000元-3000元之间", "2000元-3000元之间", "money", "range", 2000, 3000, "CNY"),
    ("在2000和3000之间", "在2000和3000之间", "money", "range", 2000, 3000, None),
    ("100-200元", "100-200元", "money", "range", 100, 200, "CNY"),
    ("20w左右的车", "20w左右", "money", "about", 200_000, 200_000, None),
    ("5000预算买什么", "5000预算", "money", "eq", 5000, 5000, None),
    ("低于500美元", "低于500美元", "money", "lt", None, 500, "USD"),
    ("50欧元", "50欧元", "money", "eq", 50, 50, "EUR"),
    ("under $50", "under $50", "money", "le", None, 50, "USD"),
    ("between 300 and 500 dollars", "between 300 and 500 dollars", "money", "range", 300, 500, "USD"),
    ("$300-$500 tablet", "$300-$500", "money", "range", 300, 500, "USD"),
    ("less than £20", "less than £20", "money", "lt", None, 20, "GBP"),
    ("budget of $1,500", "budget of $1,500", "money", "eq", 1500, 1500, "USD"),
    ("laptop under 500", "under 500", "money", "le", None, 500, None),
    ("laptop under 500 for gaming", "under 500", "money", "le", None, 500, None),
    ("tv below 300 in black", "below 300", "money", "le", None, 300, None),
    ("laptop under 500 and light", "under 500", "money", "le", None, 500, None),
    ("laptop under 500 not HP", "under 500", "money", "le", None, 500, None),
    ("laptop under 500 without a dvd drive", "under 500", "money", "le", None, 500, None),
    ("phones below 300 by samsung", "below 300", "money", "le", None, 300, None),
    ("phones around 300 with a good camera", "around 300", "money", "about", 300, 300, None),
    ("accounts under 500 followers", "under 500", "plain", "le", None, 500, None),
    ("over 300 in rome", "over 300", "plain", "ge", 300, None, None),
    ("max 2000 dollars", "max 2000 dollars", "money", "le", None, 2000, "USD"),
    ("RMB5000", "RMB5000", "money", "eq", 5000, 5000, "CNY"),
    ("5000 rmb or less", "5000 rmb or less", "money", "le", None, 5000, "CNY"),
    ("two hundred dollars", "two hundred dollars", "money", "eq", 200, 200, "USD"),
    ("around 80 euros", "around 80 euros", "money", "about", 80, 80, "EUR"),
    ("more than ¥100", "more than ¥100", "money", "gt", 100, None, "CNY"),
    ("孩子发烧38.5度流清鼻涕怎么办", "38.5度", "temperature", "eq", 38.5, 38.5, "C"),
    ("零下5度穿什么", "零下5度", "temperature", "eq", -5, -5, "C"),
    ("fever 101°F", "101°F", "temperature", "eq", 101, 101, "F"),
    ("at least 16GB", "at least 16GB", "memory", "ge", 16, None, "GB"),
    ("16GB+ ram laptop", "16GB+", "memory", "ge", 16, None, "GB"),
    ("16G内存", "16G", "memory", "eq", 16, 16, "GB"),
    ("16g内存", "16g", "memory", "eq", 16, 16, "GB"),
    ("1T硬盘", "1T", "memory", "eq", 1, 1, "TB"),
    ("512GB以上", "512GB以上", "memory", "ge", 512, None, "GB"),
    ("15.6寸笔记本", "15.6寸", "length", "eq", 15.6, 15.6, "inch"),
    ("1.5寸", "1.5寸", "length", "eq", 1.5, 1.5, "inch"),
    ('27" monitor', '27"', "length", "eq", 27, 27, "inch"),
    ("27-inch monitor", "27-inch", "length", "eq", 27, 27, "inch"),
    ("6.7英寸", "6.7英寸", "length", "eq", 6.7, 6.7, "inch"),
    ("一米八的床", "一米八", "length", "eq", 1.8, 1.8, "m"),
    ("3.5万公里保养", "3.5万公里", "length", "eq", 35_000, 35_000, "km"),
    ("5公斤以下", "5公斤以下", "weight", "le", None, 5, "kg"),
    ("10斤左右", "10斤左右", "weight", "about", 5, 5, "kg"),
    ("500g-1kg", "500g-1kg", "weight", "range", 0.5, 1, "kg"),
    ("lose 20 pounds", "20 pounds", "weight", "eq", 20, 20, "lb"),
    ("半小时做完", "半小时", "duration", "eq", 0.5, 0.5, "h"),
    ("两个半小时", "两个半小时", "duration", "eq", 2.5, 2.5, "h"),
    ("一年半", "一年半", "duration", "eq", 1.5, 1.5, "year"),
    ("3个月", "3个月", "duration", "eq", 3, 3, "month"),
    ("within 30 minutes", "within 30 minutes", "duration", "le", None, 30, "min"),
    ("二十多岁", "二十多岁", "age", "range", 20, 30, "year"),
    ("3岁宝宝", "3岁", "age", "eq", 3, 3, "year"),
    ("百分之二十", "百分之二十", "percent", "eq", 20, 20, "percent"),
    ("30%以上", "30%以上", "percent", "ge", 30, None, "percent"),
    ("5000mAh充电宝", "5000mAh", "battery", "eq", 5000, 5000, "mAh"),
    ("65w快充", "65w", "power", "eq", 65, 65, "W"),
    ("144Hz显示器", "144Hz", "frequency", "eq", 144, 144, "Hz"),
    ("6400万像素", "6400万像素", "size", "eq", 64, 64, "MP"),
    ("90平米", "90平米", "size", "eq", 90, 90, "m2"),
    ("3-5人", "3-5人", "count", "range", 3, 5, "人"),
    ("两个方法", "两个", "count", "eq", 2, 2, "个"),
    ("500ml", "500ml", "volume", "eq", 500, 500, "ml"),
    ("500M宽带", "500M", "speed", "eq", 500, 500, "Mbps"),
    ("控制在2万以内", "控制在2万以内", "money", "le", None, 20_000, None),
    ("室外零下十度", "零下十度", "temperature", "eq", -10, -10, "C"),
    ("一岁半宝宝", "一岁半", "age", "eq", 1.5, 1.5, "year"),
    ("65-75寸电视", "65-75寸", "length", "range", 65, 75, "inch"),
    ("price between $500 and $800", "price between $500 and $800", "money", "range", 500, 800, "USD"),
    ("kids under 5", "under 5", "plain", "le", None, 5, None),
    ("10万以上粉丝", "10万以上", "plain", "ge", 100_000, None, None),
]

NOTHING = [
    "RTX 3070",
    "rtx3070ti",
    "iPhone 15",
    "iPhone 15 和 小米14 哪个拍照好",
    "gpt-4",
    "python 3.11",
    "小米14",
    "Windows 11",
    "Windows 11以上",
    '"Windows 11" 安装',
    "404 error",
    "2023年",
    "2019-2021",
    "2023-05-03",
    "10:30",
    "3月",
    "5G手机",
    "华为5G",
    "4K电视",
    "8k video",
    "top 10",
    "第3章",
    "第 3 章",
    "13800138000",
    "138-0013-8000",
    "400-820-8820",
    "192.168.0.1",
    "1920x1080",
    "v2.3.1",
    "i7-12700",
    "A4纸",
    "h264",
    "3D打印",
    "2.0T发动机",
    "百度",
    "一元二次方程",
    "三元催化",
    "2024元旦",
    "一天到晚",
    "三年级",
    "十字路口",
    "一下子",
    "买一台",
    "三块蛋糕",
    "五道口",
    "七匹狼",
    "3天前",
    "近三年",
    "过去24小时",
    "last 3 days",
    "two weeks ago",
    "80s music",
    "1990s",
    "2 in 1",
    "3080 vs 3070",
    "room 101",
    "找不到对象",
    "一加12",
    "宝马3系",
    "错误代码404",
    "端口8080",
    "12306买票",
    "996工作制",
    "打八折",
    "5k race",
    "boeing 747",
    "CVE-2021-44228",
    "DEC-0054",
    "0x80070057",
    "covid-19",
    "",
    "手机",
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_amount(row: Row) -> None:
    text, words, kind, op, low, high, unit = row
    found = find(text)
    assert [(q.text, q.kind, q.op, q.low, q.high, q.unit) for q in found] == [(words, kind, op, low, high, unit)]
    assert text[found[0].start : found[0].end] == words


@pytest.mark.parametrize("text", NOTHING)
def test_nothing(text: str) -> None:
    assert find(text) == ()


def test_marks_of_different_units_do_not_make_a_range() -> None:
    assert [(q.text, q.unit) for q in find("27\" to 30'")] == [('27"', "inch"), ("30'", "ft")]


@pytest.mark.parametrize("text", ["laptop under 500 with 8GB", "laptop with 8GB under 500", "500以下带8G内存的电脑"])
def test_an_amount_and_a_measure_in_any_order(text: str) -> None:
    assert {(q.kind, q.op, q.high) for q in find(text)} == {("money", "le", 500), ("memory", "eq", 8)}


def test_several_amounts() -> None:
    found = find("3000元以下 16GB 内存 15.6寸 不要超过2公斤")
    assert [(q.kind, q.op) for q in found] == [("money", "le"), ("memory", "eq"), ("length", "eq"), ("weight", "le")]


def test_both_parts_of_a_sum() -> None:
    assert [q.text for q in find("8GB+256GB")] == ["8GB", "256GB"]


def check(text: str, found: tuple[Quantity, ...]) -> None:
    last = 0
    for item in found:
        assert last <= item.start < item.end <= len(text)
        assert text[item.start : item.end] == item.text
        assert item.low is not None or item.high is not None
        assert item.low is None or item.high is None or item.low <= item.high
        last = item.end


PIECES = [
    "元",
    "块",
    "以下",
    "以上",
    "到",
    "至",
    "-",
    "~",
    "不超过",
    "预算",
    "左右",
    "under",
    "$",
    "￥",
    "GB",
    "G",
    "k",
    "万",
    "千",
    "百",
    "两",
    "三",
    "半",
    "点",
    "度",
    "%",
    ".",
    ",",
    "，",
    "'",
    '"',
    "1",
    "5",
    "20",
    "3000",
    "2023",
    "年",
    "月",
    "个",
    "between",
    "and",
    "or",
    "less",
    "to",
    "at",
    "least",
    "\u3000",
    "５",
    "几",
    "多",
    "第",
    "小时",
    "ago",
    "折",
    "″",
    "”",
]


@given(st.one_of(st.text(), st.lists(st.sampled_from(PIECES), max_size=14).map("".join)))
@settings(max_examples=100, deadline=None)
def test_any_text(text: str) -> None:
    found = find(text)
    check(text, found)
    assert find(text) == found


@given(st.integers(100, 9_999_999))
@settings(max_examples=50, deadline=None)
def test_round_trip(number: int) -> None:
    (q,) = find(f"{number}元以下")
    assert (q.kind, q.op, q.high, q.unit) == ("money", "le", number, "CNY")
    (q,) = find(f"under ${number:,}")
    assert (q.op, q.high, q.unit, q.text) == ("le", number, "USD", f"under ${number:,}")
    (q,) = find(f"{number}到{number + 500}元")
    assert (q.op, q.low, q.high, q.unit) == ("range", number, number + 500, "CNY")
    (q,) = find(f"预算{chinese(number)}元左右")
    assert (q.op, q.low, q.unit) == ("about", number, "CNY")


HOSTILE = [
    "1",
    "1,",
    "一",
    "百千万",
    "1 ",
    "five ",
    "5000元以下",
    "不超过",
    '27" ',
    "1-",
    "1.",
    "between ",
    "9 to ",
    "$",
]


@pytest.mark.parametrize("piece", HOSTILE)
def test_long_hostile_text_is_not_quadratic(piece: str) -> None:
    """What is quadratic takes minutes here and runs into the timeout of the test."""
    text = piece * (100_000 // len(piece))
    check(text, find(text))


@pytest.mark.parametrize(
    ("text", "op"),
    [
        ("iphone 15 pro max 256gb", "eq"),
        ("m3 max 64gb macbook", "eq"),
        ("iphone 15 max 256GB", "eq"),
        ("小米14 max 512gb", "eq"),
        ("airpods max 500 dollars", "eq"),
        ("max 256gb phone", "le"),
        ("laptop max 16gb", "le"),
        ("ram min 16gb", "ge"),
        ("iphone 15 max $500", "le"),
    ],
)
def test_the_max_of_a_model_is_no_comparator(text: str, op: str) -> None:
    assert [q.op for q in find(text)] == [op]


COMPOUND: list[Row] = [
    # several numbers that are one quantity
    ("1/2 inch drill bit", "1/2 inch", "length", "eq", 0.5, 0.5, "inch"),
    ("3/4 inch plywood", "3/4 inch", "length", "eq", 0.75, 0.75, "inch"),
    ("1 1/2 inch pipe", "1 1/2 inch", "length", "eq", 1.5, 1.5, "inch"),
    ('1-1/2" pipe', '1-1/2"', "length", "eq", 1.5, 1.5, "inch"),
    ("½ inch drill bit", "½ inch", "length", "eq", 0.5, 0.5, "inch"),
    ("3½ inch nails", "3½ inch", "length", "eq", 3.5, 3.5, "inch"),
    ("1/4寸接口", "1/4寸", "length", "eq", 0.25, 0.25, "inch"),
    ("1/2 lb burger", "1/2 lb", "weight", "eq", 0.5, 0.5, "lb"),
    ("under 3/4 inch", "under 3/4 inch", "length", "le", None, 0.75, "inch"),
    ("6'2\" man suit", "6'2\"", "length", "eq", 74, 74, "inch"),
    ("6’2” man suit", "6’2”", "length", "eq", 74, 74, "inch"),
    ("under 5'10\" jackets", "under 5'10\"", "length", "le", None, 70, "inch"),
    ("5'10 jackets", "5'10", "length", "eq", 70, 70, "inch"),
    ("6 ft 2 in suit", "6 ft 2 in", "length", "eq", 74, 74, "inch"),
    ("6 feet 2 inches tall", "6 feet 2 inches", "length", "eq", 74, 74, "inch"),
    ("1米8的床", "1米8", "length", "eq", 1.8, 1.8, "m"),
    ("１米８的床", "１米８", "length", "eq", 1.8, 1.8, "m"),
    ("一米八的床", "一米八", "length", "eq", 1.8, 1.8, "m"),
    ("一米七五", "一米七五", "length", "eq", 1.75, 1.75, "m"),
    ("身高1米75", "1米75", "length", "eq", 1.75, 1.75, "m"),
    ("1米8以上的床", "1米8以上", "length", "ge", 1.8, None, "m"),
    ("5尺2", "5尺2", "length", "eq", 173.33, 173.33, "cm"),
    ("四尺二的床", "四尺二", "length", "eq", 140, 140, "cm"),
    ("1.5/2m数据线", "1.5/2m", "length", "range", 1.5, 2, "m"),
    ("16/32GB laptop", "16/32GB", "memory", "range", 16, 32, "GB"),
    ("1米5-1米8的床", "1米5-1米8", "length", "range", 1.5, 1.8, "m"),
    ("3块5的奶茶", "3块5", "money", "eq", 3.5, 3.5, "CNY"),
    # each number by itself, or none
    ("3米2根数据线", "3米", "length", "eq", 3, 3, "m"),
    ("接口1/4寸", "1/4寸", "length", "eq", 0.25, 0.25, "inch"),
    ("8/256GB手机", "256GB", "memory", "eq", 256, 256, "GB"),
    ('27" monitor', '27"', "length", "eq", 27, 27, "inch"),
    ("10英尺的梯子", "10英尺", "length", "eq", 10, 10, "ft"),
    ("2米的床", "2米", "length", "eq", 2, 2, "m"),
    # as most of Europe writes money
    ("€1.299,00 laptop", "€1.299,00", "money", "eq", 1299, 1299, "EUR"),
    ("€1.299 laptop", "€1.299", "money", "eq", 1299, 1299, "EUR"),
    ("1.299,00 € laptop", "1.299,00 €", "money", "eq", 1299, 1299, "EUR"),
    ("1 299 € laptop", "1 299 €", "money", "eq", 1299, 1299, "EUR"),
    ("1\u202f299,50\xa0€", "1\u202f299,50\xa0€", "money", "eq", 1299.5, 1299.5, "EUR"),
    ("1'299 CHF laptop", "1'299 CHF", "money", "eq", 1299, 1299, "CHF"),
    ("CHF 1’299.50", "CHF 1’299.50", "money", "eq", 1299.5, 1299.5, "CHF"),
    ("laptop under 1.500 €", "under 1.500 €", "money", "le", None, 1500, "EUR"),
    ("iphone 15 999 €", "999 €", "money", "eq", 999, 999, "EUR"),
    ("laptop 15 600 €", "15 600 €", "money", "eq", 15600, 15600, "EUR"),
    ("49,99 € headphones", "49,99 €", "money", "eq", 49.99, 49.99, "EUR"),
    ("EUR 1.299 laptop", "EUR 1.299", "money", "eq", 1299, 1299, "EUR"),
    # and the rest of the world
    ("$1,299.00", "$1,299.00", "money", "eq", 1299, 1299, "USD"),
    ("€1,299", "€1,299", "money", "eq", 1299, 1299, "EUR"),
    ("€19.99", "€19.99", "money", "eq", 19.99, 19.99, "EUR"),
    ("1.299 kg", "1.299 kg", "weight", "eq", 1.299, 1.299, "kg"),
    ("$1.299", "$1.299", "money", "eq", 1.299, 1.299, "USD"),
    # bounds before the amount and behind what is measured
    ("sub-$500 laptop", "sub-$500", "money", "lt", None, 500, "USD"),
    ("sub $500 laptop", "sub $500", "money", "lt", None, 500, "USD"),
    ("sub-2 hour marathon", "sub-2 hour", "duration", "lt", None, 2, "h"),
    ("手机 16GB 内存以上", "16GB 内存以上", "memory", "ge", 16, None, "GB"),
    ("12GB内存起", "12GB内存起", "memory", "ge", 12, None, "GB"),
    ("512GB存储以内", "512GB存储以内", "memory", "le", None, 512, "GB"),
    ("6000mAh电池以上的手机", "6000mAh电池以上", "battery", "ge", 6000, None, "mAh"),
    ("laptop 16GB RAM or more", "16GB RAM or more", "memory", "ge", 16, None, "GB"),
    ("16gb of ram or more", "16gb of ram or more", "memory", "ge", 16, None, "GB"),
    ("8GB memory minimum", "8GB memory minimum", "memory", "ge", 8, None, "GB"),
    ("16GB 内存 以上", "16GB 内存 以上", "memory", "ge", 16, None, "GB"),
    ("16GB内存的手机", "16GB", "memory", "eq", 16, 16, "GB"),
    ("内存16GB以上", "16GB以上", "memory", "ge", 16, None, "GB"),
]


@pytest.mark.parametrize("row", COMPOUND, ids=lambda row: row[0])
def test_what_is_written_in_several_parts_is_one_amount(row: Row) -> None:
    text, words, *rest = row
    assert [(q.text, q.kind, q.op, q.low, q.high, q.unit) for q in find(text)] == [(words, *rest)]


def test_both_sides_of_a_bed_keep_their_parts() -> None:
    assert [(q.text, q.low) for q in find("床 1米8*2米2")] == [("1米8", 1.8), ("2米2", 2.2)]


def test_feet_do_not_take_in_what_is_counted() -> None:
    assert [q.text for q in find("6ft 2 people tent")] == ["6ft", "2 people"]


@pytest.mark.parametrize(
    "text", ["24/7 support", "3/4", "and/or", "2023/05/01", "1/2 price sale", "subway", "尺码", "1米阳光"]
)
def test_what_looks_like_parts_is_no_amount_of_several(text: str) -> None:
    assert [q.text for q in find(text) if any(c in q.text for c in "/尺8")] == []


@given(st.integers(1, 99), st.integers(0, 11))
def test_feet_and_inches_are_their_sum(feet: int, inches: int) -> None:
    assert [(q.low, q.unit) for q in find(f"{feet}'{inches}\" tall")] == [(feet * 12 + inches, "inch")]


@given(st.integers(1000, 999_999), st.sampled_from([".", " ", "'"]))
def test_european_thousands_round_trip(number: int, mark: str) -> None:
    written = f"{number:,}".replace(",", mark)
    assert [(q.low, q.unit) for q in find(f"{written} € laptop")] == [(number, "EUR")]
