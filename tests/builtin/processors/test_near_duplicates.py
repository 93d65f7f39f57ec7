"""Near-duplicates: what is one and what is not, in both languages, and how long it takes."""

from __future__ import annotations

import random
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rankings import FakeContext, consistent, hit, keys, listed, made

from qx.builtin.likeness import jaccard, repeats, representatives, shingles
from qx.builtin.processors.near_duplicates import NearDuplicates
from qx.domain import Knowledge, Taxonomy
from qx.types import Expansion, SubQuery

KNOWLEDGE = Knowledge(name="none", taxonomy=Taxonomy(name="none", intents=()))
EN = "The router has to be restarted after the update, otherwise the old settings stay in use and nothing changes."
ZH = "更新之后必须重新启动路由器,否则旧的设置会继续生效,什么都不会改变,请按照说明书操作。"
HANT = "更新之後必須重新啟動路由器,否則舊的設定會繼續生效,什麼都不會改變,請按照說明書操作。"


async def left(services: Any, *hits: Any, **options: Any) -> Any:
    processor = await made(NearDuplicates, services, **options)
    return await processor.process_hits(listed(*hits), FakeContext())


async def test_the_better_ranked_stays_and_the_reason_names_it(services: Any):
    hits = [
        hit("a", text=EN),
        hit("b", text="something else altogether, on another matter"),
        hit("c", text=EN.upper() + "!"),
    ]
    done = await left(services, *hits)
    assert keys(done) == "a b"
    assert done.dropped == (("c", "near-duplicate of a (1.00)"),)
    assert consistent(done, hits)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (EN, EN.replace("otherwise", "or else")),
        (ZH, ZH.replace("说明书", "手册")),
        (ZH, HANT.replace("設定", "設置")),
        (ZH, ZH.replace(",", ",")),
        ("ＡＢＣ ｒｏｕｔｅｒ manual", "abc router manual"),
    ],
)
async def test_one_and_the_same(services: Any, one: str, other: str):
    assert keys(await left(services, hit("a", text=one), hit("b", text=other), threshold=0.7)) == "a"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            {"title": "iPhone 15 128 GB black, dual SIM, new", "text": EN},
            {"title": "iPhone 15 256 GB black, dual SIM, new", "text": EN},
        ),
        ({"text": f"Error 0x80070057. {EN}"}, {"text": f"Error 0x80070005. {EN}"}),
        ({"text": EN}, {"text": ZH}),
        ({"text": ""}, {"text": ""}),
        ({"title": "Home"}, {"title": "About"}),
        ({"text": "打不开"}, {"text": "打得开"}),
    ],
)
async def test_two_things(services: Any, one: dict[str, str], other: dict[str, str]):
    assert keys(await left(services, hit("a", **one), hit("b", **other))) == "a b"


async def test_below_the_top_nothing_is_looked_at(services: Any):
    hits = [hit(str(i), text=EN) for i in range(4)]
    assert keys(await left(services, *hits, top=2)) == "0 2 3"


async def test_nothing_to_drop_is_the_same_list(services: Any):
    given_ = listed(hit("a", text=EN), hit("b", text=ZH))
    assert await (await made(NearDuplicates, services)).process_hits(given_, FakeContext()) is given_


TEXTS = st.lists(
    st.one_of(
        st.text(max_size=30),
        st.lists(
            st.sampled_from(["router", "update", "settings", "restart", "路由器", "重启", "更新", "设置", "\ud800"]),
            max_size=9,
        ).map(" ".join),
    ),
    max_size=8,
)


@settings(max_examples=60, deadline=None)
@given(TEXTS, st.sampled_from([0.3, 0.8, 1.0]))
def test_agrees_with_comparing_every_pair(texts: list[str], threshold: float):
    found = repeats(texts, threshold=threshold)
    sets = [frozenset(shingles(text.replace("\ud800", "\ufffd"))) for text in texts]
    for i, one in enumerate(found):
        if one is not None:
            assert found[one[0]] is None
            assert one[0] < i
            assert one[1] == jaccard(sets[i], sets[one[0]]) >= threshold
    kept = [i for i, one in enumerate(found) if one is None]
    if threshold >= 0.8:  # hashing misses pairs that are less alike
        assert not any(jaccard(sets[i], sets[j]) >= threshold for i in kept for j in kept if j < i)


def test_equal_texts_are_found_in_any_number():
    assert representatives([EN, ZH, EN, ZH, EN], threshold=0.8) == [None, None, 0, 1, 0]


async def test_queries(services: Any):
    texts = ("red shoes", "shoes red", "iPhone 15 Hülle", "iPhone 16 Hülle", "不能开机", "能开机", "red boots")
    expansion = Expansion(original="red shoes", queries=tuple(SubQuery(text=t, strategy="refine") for t in texts))
    done = await (await made(NearDuplicates, services)).process_queries(expansion, FakeContext())
    assert [q.text for q in done.queries] == [t for t in texts if t != "shoes red"]
    assert "red shoes" in done.dropped[0].reason


ZH_WORDS = [
    "路由器",
    "更新",
    "密码",
    "屏幕",
    "发票",
    "快递",
    "电脑",
    "手机",
    "支付",
    "失败",
    "设置",
    "重启",
    "网络",
    "问题",
    "解决",
    "方法",
    "如何",
    "客服",
    "订单",
    "退款",
]


def took(texts: list[str]) -> float:
    """Seconds of this thread, the best of three."""
    repeats(texts[:10], threshold=0.8)
    best = 9.9
    for _ in range(3):
        began = time.thread_time()
        repeats(texts, threshold=0.8)
        best = min(best, time.thread_time() - began)
    return best


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_thousand_snippets(language: str):
    draw = random.Random(3)
    if language == "en":
        texts = [" ".join(f"w{draw.randrange(900)}" for _ in range(30)) for _ in range(1000)]
    else:
        texts = ["".join(draw.choice(ZH_WORDS) for _ in range(60)) for _ in range(1000)]
    assert took(texts) < 0.1  # under 0.02 on a machine that does nothing else: benchmarks/fusion.py


def test_texts_that_are_all_alike_but_not_enough():
    draw = random.Random(4)
    texts = ["".join(draw.choice("路由器更新") for _ in range(60)) for _ in range(600)]
    assert took(texts) < 1.0


def test_a_repeat_is_found_among_many_pages_of_one_template():
    drawn = random.Random(3)
    template = [f"template{n}" for n in range(80)]
    pages = [" ".join([*template, *(f"w{drawn.randrange(10**6)}" for _ in range(16))]) for _ in range(40)]
    again = pages[35].replace("template40", "template")
    found = repeats([*pages, again], threshold=0.85)
    assert found[:-1] == [None] * 40
    assert found[-1] is not None
    assert found[-1][0] == 35


@pytest.mark.parametrize(
    ("original", "text", "strategy", "stays"),
    [
        ("lapotp with long batery life", "laptop with long battery life", "spelling", True),
        ("机械键盘 静音红轴 推健 办公室", "机械键盘 静音红轴 推荐 办公室", "spelling", True),
        ("TP-Link Archer AX55 Pro 重置 password", "TP-Link Archer AX55 Pro 重置 password 找回密码", "refine", True),
        ("red shoes for women", "shoes red for women", "refine", False),
    ],
)
async def test_a_correction_and_an_addition_repeat_no_original(
    services: Any, original: str, text: str, strategy: str, stays: bool
):
    queries = (SubQuery(text=original, strategy="original"), SubQuery(text=text, strategy=strategy))
    context = FakeContext()
    context.knowledge = KNOWLEDGE
    expansion = Expansion(original=original, queries=queries)
    done = await (await made(NearDuplicates, services)).process_queries(expansion, context)
    assert (len(done.queries) == 2) == stays
