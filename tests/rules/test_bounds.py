"""The work on any query is bounded: what is read, found and protected is capped, and counts of calls do not grow."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import cast

import pytest

from qx.domain import Knowledge
from qx.rules import bounds
from qx.rules.phrases import PhraseIndex
from qx.rules.protection import Protection, base_text
from qx.text import negation
from qx.text.clean import clean
from qx.types import Query, Understanding
from tests.engines import engine

Understand = Callable[[str], Understanding]

LONG = {
    "exclusions": "laptop " + " ".join(f"not c{i}" for i in range(300)),
    "不要": "手机 " + " ".join(f"不要品牌{i}" for i in range(300)),
    "repeated name": "苹果和" * 1000,
    "amounts": "$1 " * 20000,
    "identifiers": " ".join(f"ERR-{i:04d}" for i in range(400)),
    "quoted": " ".join(f'"w{i} x"' for i in range(400)),
    "years": " ".join(str(1900 + i) for i in range(200)),
    "spaces": " " * 100000 + "x",
    "zero width": "\u200b" * 100000 + "x",
    "one word": "a" * 100000,
}


@pytest.mark.parametrize("text", LONG.values(), ids=LONG.keys())
def test_what_is_found_of_a_long_query_is_capped(text: str, understand: Understand, knowledge: Knowledge):
    found = understand(text)
    assert len(found.negations) <= bounds.NEGATIONS
    assert len(found.constraints) <= bounds.CONSTRAINTS
    assert len(found.entities) <= bounds.ENTITIES
    assert len(found.standalone or "") <= bounds.SHORTENED
    query = Query(text=text)
    assert len(base_text(query, found)) <= bounds.LONGEST_TEXT
    assert len(Protection(query, found, knowledge).things) <= bounds.PROTECTED


def test_the_first_exclusions_stay(understand: Understand):
    found = understand(LONG["exclusions"])
    assert found.negations == tuple(f"c{i}" for i in range(bounds.NEGATIONS))
    assert "not c0" in (found.standalone or "")


def test_the_question_at_the_end_of_a_long_post_is_read(understand: Understand):
    story = "We moved to a new office last month and the network there is a mess. " * 100
    found = understand(f"{story} How do I fix ERR_CONNECTION_RESET in Chrome?")
    assert "ERR_CONNECTION_RESET" in (found.standalone or "")


def test_a_long_text_is_cut_between_words():
    text = " ".join(f"word{i}" for i in range(1000))
    short = bounds.cut(text)
    assert len(short) <= bounds.LONGEST_TEXT
    assert set(short.split()) <= set(text.split())
    assert short.startswith("word0 ")
    assert short.endswith(" word999")
    assert len(bounds.cut("字" * 5000)) <= bounds.LONGEST_TEXT


@pytest.mark.parametrize("text", ["a" * bounds.LONGEST_TEXT, "best laptop", ""])
def test_what_is_not_long_stays_as_it_is(text: str):
    assert bounds.cut(text) == text
    assert bounds.analysed(text) == text


def test_space_is_not_counted_as_text():
    assert bounds.analysed(" " * 100000 + "x") == "x"


@pytest.mark.parametrize("text", ["苹果和{}", "laptop not c{} "])
def test_ten_times_the_length_is_not_more_work(text: str, understand: Understand, monkeypatch: pytest.MonkeyPatch):
    calls: list[int] = []
    whole = cast("Callable[..., object]", PhraseIndex.longest)  # pyright: ignore[reportUnknownMemberType]

    def counted(index: object, folded: str, *more: object) -> object:
        calls.append(len(folded))
        return whole(index, folded, *more)

    monkeypatch.setattr(PhraseIndex, "longest", counted)

    def work(times: int) -> int:
        calls.clear()
        understand("".join(text.format(i) for i in range(times)))
        return sum(calls)

    few = work(500)
    assert few > 0
    assert work(5000) <= 1.2 * few


def test_exclusions_are_looked_for_in_short_texts_only(understand: Understand, monkeypatch: pytest.MonkeyPatch):
    sizes: list[int] = []
    find = negation.find
    monkeypatch.setattr(negation, "find", lambda text: sizes.append(len(text)) or find(text))  # pyright: ignore
    understand(LONG["exclusions"])
    assert 0 < max(sizes, default=0) <= bounds.LONGEST_TEXT


@pytest.mark.parametrize("joiner", ["\u200c", "\u200d"])
def test_invisible_runs_go_as_one(joiner: str):
    assert clean("\u200b" * 1000 + joiner * 1000 + "x").text == "x"
    assert clean(f"می{joiner}خواهم").text == f"می{joiner}خواهم"
    assert clean(f"می{joiner}{joiner}خواهم").text == "میخواهم"


@pytest.mark.slow
async def test_no_query_keeps_the_loop_for_seconds():
    async with engine(cache={"type": "none"}) as rules:
        await rules.expand("laptop not red")
        for name, text in LONG.items():
            start = time.perf_counter()
            result = await rules.expand(text)
            assert time.perf_counter() - start < 5.0, name
            assert result.original == text
