"""What matched, marked in the hits of engines that do not say."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backends import docs, searching
from qx.searching import highlighting
from qx.searching.highlighting import Marks
from qx.testing.backend import ScriptedBackend
from qx.types import Highlight, Hit

WORD = st.sampled_from(
    [
        "bike",
        "Bikes",
        "biking",
        "wheel",
        "whee",
        "flies",
        "fly",
        "node.js",
        "js",
        "C++",
        "r&d",
        "x",
        "a_wheel",
        "gpt-4",
        "4",
    ]
)
GLUE = st.sampled_from([" ", ".", "-", "_", "'", ", ", "+", "\n", "..", ""])


def marked(query: str, hit: Hit) -> list[str]:
    return [h.text[a:b] for h in Marks((query,)).of(hit) for a, b in h.spans]


@pytest.mark.parametrize(
    ("query", "text", "words"),
    [
        ("replace bike wheels", "Replacing the wheel of a BIKE", ["Replacing", "wheel", "BIKE"]),
        ("node.js", "about node.js, js and node", ["node.js"]),
        ("打印机 卡纸", "印表機與打印机卡纸", ["打印机卡纸"]),
        ("case not silicone", "a silicone case", ["case"]),
        ("手机壳 不要硅胶", "硅胶手机壳", ["手机壳"]),
    ],
)
def test_the_querys_words_are_marked(query: str, text: str, words: list[str]):
    assert marked(query, Hit(id="1", backend="a", text=text)) == words


def test_what_the_engine_marked_stays():
    own = (Highlight(field="text", text="bike", spans=((0, 2),)),)
    assert Marks(("bike",)).of(Hit(id="1", backend="a", text="bike", highlights=own)) == own


@settings(max_examples=100, deadline=None)
@given(st.lists(WORD, min_size=1, max_size=3), st.lists(st.tuples(WORD, GLUE), max_size=8))
def test_the_short_way_for_ascii_marks_the_same(query: list[str], parts: list[tuple[str, str]]):
    text = "".join(word + glue for word, glue in parts)
    marks = Marks((" ".join(query),))
    wanted = highlighting._all_forms((" ".join(query),))  # pyright: ignore[reportPrivateUsage]
    every = [
        match.span()
        for match in re.finditer(highlighting._LATIN, text)  # pyright: ignore[reportPrivateUsage]
        if highlighting._form(match[0]) in wanted  # pyright: ignore[reportPrivateUsage]
    ]
    assert list(marks._ascii_spans(text)) == every  # pyright: ignore[reportPrivateUsage]


async def test_whoever_looks_at_ids_alone_pays_for_no_highlights() -> None:
    backend = ScriptedBackend(default=docs("1", "2"))
    async with searching(backend) as engine:
        shown = await engine.search("title")
        bare = await engine.search("title", highlights=False)
    assert all(hit.highlights for hit in shown.hits)
    assert [hit.id for hit in bare.hits] == [hit.id for hit in shown.hits]
    assert not any(hit.highlights for hit in bare.hits)
    assert {request.highlights for request in backend.requests if request.text == "title"} == {True, False}
