"""BM25 over a pool of hits: what counts, in both languages, and that it does on real collections what it is for."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rankings import FakeContext, hit, keys, listed, made

from qx.builtin.processors.rerank import Rerank
from qx.builtin.rerank.lexical import K1, B, Lexical
from qx.builtin.rerank.method import Task
from qx.builtin.rerank.terms import counted, wanted, whole
from qx.types import Found, Hit


def scored(query: str, *hits: Hit, others: Any = None, title: float = 2.0, **ranking: Any) -> list[float]:
    task = Task(query=query, others=others or {}, hits=hits, ranking=listed(*hits, **ranking), seconds=9)
    return Lexical(title=title, expansion=0.25).scored(task)


def test_by_hand():
    # title weighs nothing; lengths 2 and 4, average 3; "red" in both of 2, "shoe" in one
    hits = hit("a", text="red shoes"), hit("b", text="red red old hats")
    low, high = scored("red shoes", *hits, title=0.0), 0.0
    norm = [1 / (1 - B + B * length / 3) for length in (2, 4)]
    idf_red, idf_shoe = math.log(1 + 0.5 / 2.5), math.log(1 + 1.5 / 1.5)
    high = idf_red * norm[0] / (K1 + norm[0]) + idf_shoe * norm[0] / (K1 + norm[0])
    assert low[0] == pytest.approx(high)
    assert low[1] == pytest.approx(idf_red * 2 * norm[1] / (K1 + 2 * norm[1]))


@pytest.mark.parametrize(
    ("query", "better", "worse"),
    [
        ("red shoes", {"text": "red shoes for sale"}, {"text": "red hats for sale"}),
        ("red shoes", {"title": "red shoes", "text": "x y"}, {"title": "x y", "text": "red shoes"}),
        ("running shoes", {"text": "the shoe you run in"}, {"text": "the hat you sit in"}),
        ("gpt-4 price", {"text": "gpt-4 costs"}, {"text": "gpt-3 costs"}),
        ("C++ sort", {"text": "sort in C++"}, {"text": "sort in Rust"}),
        ("打印机卡纸", {"text": "打印机经常卡纸"}, {"text": "打印照片的机会"}),
        ("打印机卡纸", {"text": "印表機卡紙怎麼辦,打印機"}, {"text": "今天天气很好"}),
        ("会议", {"text": "明天下午三点开项目评审会议"}, {"text": "明天下午三点开学"}),
        ("youer", {"text": "修改youer服务端的计划"}, {"text": "修改服务端的计划"}),
        ("ＶＰＮ设置", {"text": "vpn 设置方法"}, {"text": "网络 设置方法"}),
        ("shoes not white", {"text": "black shoes"}, {"text": "white hats"}),
        ("shoes -white site:e.org", {"text": "black shoes"}, {"text": "white site e.org"}),
        ("怎么", {"text": "怎么办"}, {"text": "不知道"}),
        ("the", {"text": "the who"}, {"text": "a band"}),
    ],
)
def test_what_counts(query: str, better: dict[str, str], worse: dict[str, str]):
    one, other = scored(query, hit("a", **better), hit("b", **worse))
    assert one > other


def test_the_words_of_declared_values_count():
    task = Task(
        query="novels by le guin",
        others={},
        hits=(hit("a", text="novels"), hit("b", text="novels", metadata={"author": "Ursula K. Le Guin"})),
        ranking=listed(hit("a"), hit("b")),
        seconds=9,
    )
    lexical = Lexical(title=2.0, expansion=0.25)
    one, other = lexical.scored(task, {hit("a").backend: ("metadata.author",)})
    assert other > one
    one, other = lexical.scored(task)
    assert other == one


def test_reported_frequencies_decide_what_is_rare():
    hits = hit("a", text="laptop bag"), hit("b", text="zbook bag")
    common = {"laptops": 5000, "zbook": 3}
    low, high = scored("laptop zbook", *hits, frequencies=common)
    assert high > 3 * low
    low, high = scored("laptop zbook", *hits, frequencies={"laptop": 3, "zbook": 5000})
    assert low > 3 * high


def test_words_of_other_queries_count_less():
    hits = hit("a", text="screen"), hit("b", text="monitor")
    one, other = scored("monitor", *hits, others={"screen": 1.0})
    assert other > one > 0
    assert scored("monitor", *hits)[0] == 0


async def test_end_to_end(services: Any):
    found = (
        Found(query="打印机卡纸", backend="main", rank=1, weight=1.0),
        Found(query="夹纸", backend="main", rank=2, weight=0.4),
    )
    hits = [
        hit("a", title="天气", text="今天很好"),
        hit("b", title="打印机", text="夹纸了怎么办"),
        hit("c", title="打印机卡纸", text=""),
    ]
    hits = [hits[0], *(Hit(id=h.id, backend="main", title=h.title, text=h.text, contributions=found) for h in hits[1:])]
    rerank = await made(Rerank, services)
    done = await rerank.process_hits(listed(*hits), FakeContext("打印机卡纸"))
    assert keys(done) == "c b a"
    assert done.notes == ("rerank by lexical: took 3 of 3 hits",)


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("Running shoes", {"run": 1.0, "sho": 1.0}),
        ("gpt-4", {"gpt-4": 1.0, "gpt": 0.3, "4": 0.3}),
        ("打印机", {"打印机": 1.0, "打印": 0.3, "印机": 0.3}),
        ("衬衫 不要白色", {"衬衫": 1.0}),
        ("", {}),
        ("!!", {}),
    ],
)
def test_terms_of_a_query(text: str, terms: dict[str, float]):
    assert wanted(text) == terms


def test_the_one_term_of_a_word():
    assert [whole(word) for word in ("laptops", "打印机", "two words", "", "gpt-4")] == [
        "laptop",
        "打印机",
        None,
        None,
        "gpt-4",
    ]


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=40), st.lists(st.tuples(st.text(max_size=20), st.text(max_size=40)), min_size=1, max_size=5))
def test_any_text(query: str, texts: list[tuple[str, str]]):
    scores = scored(query, *(hit(str(i), title=t, text=x) for i, (t, x) in enumerate(texts)), others={texts[0][1]: 0.5})
    assert all(score >= 0 and math.isfinite(score) for score in scores)
    # a text said twice is twice as long, and has each of its terms twice as often
    terms = wanted(query)
    once, twice = counted(query, terms), counted(f"{query}\n{query}", terms)
    assert once.length > 0 or not (once.latin or once.han)
    assert twice.length == pytest.approx(2 * once.length)
    assert all(twice.count(term) == 2 * once.count(term) for term in terms)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.sampled_from(["red", "shoes", "打印机", "卡纸", "of"]), min_size=1, max_size=6),
    st.randoms(use_true_random=False),
)
def test_the_order_of_hits_changes_no_score(words: list[str], random: Any):
    hits = [hit(str(i), text=" ".join(words[i:])) for i in range(len(words))]
    scores = dict(zip([h.id for h in hits], scored("red 打印机 shoes", *hits), strict=True))
    shuffled = random.sample(hits, len(hits))
    again = dict(zip([h.id for h in shuffled], scored("red 打印机 shoes", *shuffled), strict=True))
    assert again == pytest.approx(scores)


@pytest.mark.parametrize("query", ["SKU-1005", "sku-1005 有货吗", "is SKU-1005 in stock?"])
def test_a_hit_that_the_query_calls_by_its_id_is_not_put_below_what_only_names_its_parts(query: str) -> None:
    named = Hit(id="SKU-1005", backend="a", title="Silver laptop", text="A fast notebook.")
    other = Hit(id="SKU-1006", backend="b", title="SKU list", text="SKU numbers, in stock and not")
    first, second = scored(query, named, other)
    assert first > second
