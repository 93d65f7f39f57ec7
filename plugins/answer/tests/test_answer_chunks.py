"""Windows cover a text for every size and overlap, end at sentences, and cut no character."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qx.errors import UsageError
from qx_answer.chunks import Window, windows

FAMILY = "👩‍👩‍👧‍👦"
TEXTS = [
    "Hello there. How are you? Fine, thanks! " * 12,
    "没有空格的中文文本，有句号。第二句话更长一些，也有逗号，还有问号吗？" * 10,
    "x" * 400,
    FAMILY * 60,
    "👍🏽 好的。" * 60,
    "e\u0301" * 100,
    "one\n\ntwo\n\n\nthree " * 20,
    "   \n ",
    "a",
]


def check(text: str, size: int, overlap: int) -> tuple[Window, ...]:
    found = windows(text, size, overlap)
    assert found[0].start == 0
    assert found[-1].end == len(text)
    for one in found:
        assert 0 < one.end - one.start <= size
    for one, other in pairwise(found):
        assert one.start < other.start <= one.end < other.end
        assert one.end - other.start <= overlap
    return found


@pytest.mark.parametrize("text", TEXTS)
def test_every_size_and_overlap(text: str):
    for size in (1, 2, 3, 7, 10, 33, 100, 1000):
        for overlap in sorted({0, 1, size // 10, size // 2, size - 1}):
            if overlap < size:
                check(text, size, overlap)


@settings(max_examples=50, deadline=None)
@given(st.text(max_size=200), st.integers(1, 60), st.data())
def test_any_text(text: str, size: int, data: st.DataObject):
    if text:
        check(text, size, data.draw(st.integers(0, size - 1)))
    else:
        assert windows(text, size) == ()


@pytest.mark.parametrize(("size", "overlap"), [(10, 10), (10, 11), (10, -1), (0, 0), (-5, None), (1, 1)])
def test_an_overlap_of_the_size_is_an_error(size: int, overlap: int | None):
    with pytest.raises(UsageError, match=r"overlap|at least"):
        windows("text", size, overlap)


def test_the_overlap_is_a_tenth_where_nothing_is_said():
    found = windows("x" * 1000, 100)
    assert {one.end - other.start for one, other in pairwise(found)} == {10}


@pytest.mark.parametrize("text", TEXTS[:2])
def test_they_end_at_sentence_ends(text: str):
    for one in windows(text, 80)[:-1]:
        assert text[one.end - 1] in ".?!。？"


def test_without_a_sentence_end_they_end_between_words():
    text = "word " * 100
    assert all(text[one.end - 1] == " " or one.end == len(text) for one in windows(text, 33, 0))


@pytest.mark.parametrize("text", [FAMILY * 20, "👍🏽" * 40, "e\u0301" * 100])
def test_no_character_of_several_code_points_is_cut(text: str):
    unit = FAMILY if text.startswith(FAMILY) else text[:2]
    for one in windows(text, 16, 0):
        assert one.start % len(unit) == 0
        assert one.end % len(unit) == 0
