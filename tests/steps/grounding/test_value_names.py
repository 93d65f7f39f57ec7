"""Values of a field as queries name them: whole, folded, with an initial left out, by a surname; nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qx.domain import SynonymSet, merge
from qx.steps.grounding.value_names import ValueNames

KNOWLEDGE = merge([], synonyms=[SynonymSet(words=("sci-fi", "science fiction"))])
KNOWN = (
    "Ursula K. Le Guin", "Austen, Jane", "J. K. Rowling", "刘慈欣", "莫言", "science fiction", "HP", "雲帆", "Ann Smith",
    "Bob Smith", "Nguyễn Du", "C",
)  # fmt: skip


@pytest.mark.parametrize(
    ("said", "surname", "found"),
    [
        ("Ursula K. Le Guin", False, ("Ursula K. Le Guin",)),
        ("ursula le guin", False, ("Ursula K. Le Guin",)),
        ("URSULA K LE GUIN", False, ("Ursula K. Le Guin",)),
        ("Le Guin", False, ()),
        ("Le Guin", True, ("Ursula K. Le Guin",)),
        ("Guin", True, ("Ursula K. Le Guin",)),
        ("Jane Austen", False, ("Austen, Jane",)),
        ("Austen", True, ("Austen, Jane",)),
        ("JK Rowling", False, ("J. K. Rowling",)),
        ("Smith", True, ("Ann Smith", "Bob Smith")),
        ("劉慈欣", False, ("刘慈欣",)),
        ("云帆", False, ("雲帆",)),
        ("sci-fi", False, ("science fiction",)),
        ("ｈｐ", False, ("HP",)),
        ("慈欣", True, ()),
        ("Ursula", True, ()),
        ("uin", True, ()),
        ("", True, ()),
        ("...", True, ()),
    ],
)
def test_find(said: str, surname: bool, found: tuple[str, ...]):
    assert ValueNames(KNOWN, KNOWLEDGE).find(said, surname=surname) == found


def test_the_longest_value_beside_a_place():
    names = ValueNames(("new york", "york", "New York City", "莫言", "C"), KNOWLEDGE)
    assert names.after("in New York City today", 3) == (16, ("New York City",))
    assert names.after("in Yorkshire", 3) == (3, ())
    assert names.after("莫言的小说", 0) == (2, ("莫言",))
    assert names.before("old new york genre", 12) == (4, ("new york",))
    assert names.before("我要莫言写的", 4) == (2, ("莫言",))
    assert names.after("Chinese", 0) == (0, ())


@settings(max_examples=50, deadline=None)
@given(st.lists(st.text(min_size=1, max_size=15), max_size=6, unique=True), st.text(max_size=20), st.integers(0, 20))
def test_what_is_found_is_held(known: list[str], text: str, at: int):
    names = ValueNames(known, KNOWLEDGE)
    at = min(at, len(text))
    for place, found in (names.after(text, at, surname=True), names.before(text, at, surname=True)):
        assert set(found) <= set(known)
        assert 0 <= place <= len(text)
    assert set(names.find(text, surname=True)) <= set(known)
