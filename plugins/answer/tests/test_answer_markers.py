"""Markers of sources: how they are written, what is none, numbered by first appearance, whole or in pieces."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from qx_answer.markers import Numbering, Renumbered, marked, without_markers

SHOWN = ["a", "b", "c", "d"]
TEXT = (
    "A is so [3]. B too [1, 3] and [[4]]; 中文【2】好[1]。 Not `arr[1]` nor arr[1] = 5, x[2]; shown[2]. Bad [9] end.\n"
    "```python\na[1] = b [2]\n```\ndone [2][3] 【1†source】"
)


def told(text: str, size: int) -> tuple[str, tuple[str, ...]]:
    numbering = Numbering(SHOWN)
    reader = Renumbered(numbering)
    read = "".join(reader.feed(text[i : i + size]) for i in range(0, len(text), size))
    return read + reader.end(), numbering.cited


@pytest.mark.parametrize(
    ("text", "numbers", "bare"),
    [
        ("It is so [1].", (1,), "It is so."),
        ("It is so[1][2].", (1, 2), "It is so."),
        ("It is so [1, 2]", (1, 2), "It is so"),
        ("so [[4]] it is", (4,), "so it is"),
        ("如此【3】。", (3,), "如此。"),
        ("如此［1、2］。", (1, 2), "如此。"),
        ("since 2024[1]", (1,), "since 2024"),
        ("the GDP[3] rose", (3,), "the GDP rose"),
        ("use `arr[1]` here", (), "use `arr[1]` here"),
        ("arr[1] = 5", (), "arr[1] = 5"),
        ("arr[1]", (), "arr[1]"),
        ("grid[1][2] = 3", (), "grid[1][2] = 3"),
        ("foo_bar[1] and f(x)[1]", (), "foo_bar[1] and f(x)[1]"),
        ("x = [1, 2, 3]", (), "x = [1, 2, 3]"),
        ("see [1](https://example.com)", (), "see [1](https://example.com)"),
        ("```\na [1]\n```", (), "```\na [1]\n```"),
        ("an open ``` a [1]", (), "an open ``` a [1]"),
        ("[12345] [] [a]", (), "[12345] [] [a]"),
    ],
)
def test_what_is_a_marker(text: str, numbers: tuple[int, ...], bare: str):
    assert marked(text) == numbers
    assert without_markers(text) == bare


def test_sources_are_numbered_by_first_appearance_each_once():
    read, cited = told(TEXT, len(TEXT))
    assert cited == ("c", "a", "d", "b")
    assert read.startswith("A is so [1]. B too [2][1] and [3]; 中文[4]好[2]。")
    assert read.endswith("done [4][1] [2]")


def test_a_source_that_was_not_shown_has_no_marker():
    assert told("It is [7], that is [2].", 100) == ("It is, that is [1].", ("b",))


@pytest.mark.parametrize("size", range(1, 12))
def test_pieces_change_nothing(size: int):
    assert told(TEXT, size) == told(TEXT, len(TEXT))


def test_text_is_told_as_soon_as_it_is_sure():
    reader = Renumbered(Numbering(SHOWN))
    assert reader.feed("It is so") == "It is so"
    assert reader.feed(" [") == ""
    assert reader.feed("2] and") == " [1] and"
    assert reader.end() == ""


PIECES = st.lists(
    st.sampled_from(
        ["[", "]", "1", "2", ", ", " ", "so", "arr", "=", "【", "】", "`", "好", ".", "\n", "[1]", "[[2]]"]
    ),
    max_size=25,
)


@settings(max_examples=50, deadline=None)
@given(PIECES)
@example(["`", "[", "`", "`", "`", "[1]"])
@example(["`", "[", "`", "`", "`", "`", "[1]"])
@example(["`", "`", "`", "so", "`", "[1]", "`", "`", "`", "`", "[2]", "`", "[1]"])
def test_however_it_is_cut_the_same_is_told(pieces: list[str]):
    text = "".join(pieces)
    whole, cited = told(text, max(1, len(text)))
    for size in (1, 2, 3, 5):
        assert told(text, size) == (whole, cited)
