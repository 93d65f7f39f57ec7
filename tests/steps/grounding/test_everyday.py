"""Everyday phrases beside names: what is told apart without asking an engine, and what an engine tells."""

from __future__ import annotations

import pytest

from qx.domain import merge
from qx.steps.grounding.everyday import asks_about, is_denied, is_everyday
from qx.steps.grounding.field_words import mentions


@pytest.mark.parametrize("said", ["hand", "the way", "price", "me", "Friday", "my mother", "april"])
def test_no_maker(said: str):
    assert is_everyday(said)


@pytest.mark.parametrize(
    "said", ["Hand", "austen", "niven", "ursula le guin", "stephen king", "King", "刘慈欣", "莫言"]
)
def test_a_maker(said: str):
    assert not is_everyday(said)


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("英文文献怎么找", True),
        ("how to write in English", True),
        ("what does open issues mean", True),
        ("刘慈欣的书怎么样", False),
        ("books by Larry Niven", False),
        ("show books by how many", False),
    ],
)
def test_asking_how(text: str, asks: bool):
    assert asks_about(text) is asks


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("isn't by X", True),
        ("isn’t by X", True),
        ("nothing by X", True),
        ("not only by X", True),
        ("notes by X", False),
    ],
)
def test_denied(text: str, denied: bool):
    assert is_denied(text, text.index("by")) is denied


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("莫言的小说", 1),
        ("莫言的小说推荐", 1),
        ("莫言的小说1990年以后", 1),
        ("莫言的小说赏析", 0),
        ("小米的产品经理", 0),
        ("Weir's books", 1),
        ("Weir's new books about Mars", 1),
        ("Weir's book review", 0),
        ("Weir's book-club", 0),
        ("author是莫言", 1),
        ("莫言author", 1),
        ("莫言出版的", 0),
    ],
)
def test_what_is_owned_is_no_part_of_another_word(text: str, places: int):
    assert len(list(mentions(text, ["author"], merge([])))) == places
