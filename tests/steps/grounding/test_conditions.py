"""Values as the index spells them: the same thing always, a doubtful one never."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines import PLUGINS
from qx import Profile
from qx.domain import Knowledge, SynonymSet, merge
from qx.gathering import gather_knowledge
from qx.serial import replace
from qx.steps.grounding.conditions import relieved, restored
from qx.steps.grounding.spellings import spellings
from qx.types import Constraint, Query, SubQuery, Understanding


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    return merge([], synonyms=[SynonymSet(words=("小米", "xiaomi"))])


@pytest.mark.parametrize(
    ("wanted", "known", "found"),
    [
        ("HP", ("HP", "Dell"), ("HP",)),
        ("hp", ("HP", "hp", "Hp", "Dell"), ("HP", "hp", "Hp")),
        ("ｈｐ", ("HP",), ("HP",)),
        ("hewlett packard", ("HP", "Dell"), ("HP",)),
        ("Hewlett-Packard", ("hewlett packard",), ("hewlett packard",)),
        ("hp", ("Hewlett Packard", "Dell"), ("Hewlett Packard",)),
        ("ibm", ("International Business Machines",), ("International Business Machines",)),
        ("雲帆", ("云帆",), ("云帆",)),
        ("云帆", ("雲帆",), ("雲帆",)),
        ("小米", ("Xiaomi", "Apple"), ("Xiaomi",)),
        ("samsumg", ("Samsung", "Sony"), ("Samsung",)),
        ("Lenovoo", ("Lenovo",), ("Lenovo",)),
        # doubtful ones
        ("hewlett packard", ("HP", "Home Plus", "hp+"), ("HP",)),
        ("hp", ("Hewlett Packard", "Home Plus"), ()),
        ("Redmi", ("Realme",), ()),
        ("Dell", ("Bell",), ()),
        ("canon", ("Canyon",), ()),
        ("Samsung", ("Xamsung",), ()),
        ("iphone 15", ("iPhone 14", "iPhone 16"), ()),
        ("x200 pro", ("X100 Pro",), ()),
        ("华为", ("华硕", "小米"), ()),
        ("", ("HP",), ()),
        ("HP", (), ()),
    ],
)
def test_spellings(wanted: str, known: tuple[str, ...], found: tuple[str, ...], knowledge: Knowledge):
    assert spellings(wanted, known, knowledge) == found


@pytest.mark.parametrize(
    ("wanted", "known", "found"),
    [("white", ("白色", "蓝色"), ("白色",)), ("白色", ("White", "Blue"), ("White",)), ("white", ("Off White",), ())],
)
def test_a_fields_value_is_called_otherwise_in_the_index(
    wanted: str, known: tuple[str, ...], found: tuple[str, ...]
) -> None:
    assert spellings(wanted, known, gather_knowledge(Profile(), PLUGINS)) == found


@given(st.text(max_size=20), st.lists(st.text(min_size=1, max_size=20), max_size=8, unique=True))
def test_what_is_found_is_held_and_what_is_held_is_found(wanted: str, known: list[str]):
    knowledge = merge([])
    assert set(spellings(wanted, known, knowledge)) <= set(known)
    for item in known:
        assert item in spellings(item, known, knowledge)


def test_words_of_a_condition_that_is_no_filter_come_back_once():
    words = [Constraint(field="brand", op="eq", value="Zorblax", text="Zorblax")]
    subs = [
        SubQuery(text="Zorblax laptop", strategy="original"),
        SubQuery(text="notebook computer", strategy="synonym"),
        SubQuery(text="zorblax notebook", strategy="synonym"),
    ]
    found = restored(subs, words, Query(text="Zorblax laptop"))
    assert [q.text for q in found] == ["Zorblax laptop", "notebook computer Zorblax", "zorblax notebook"]
    assert restored(subs, (), Query(text="Zorblax laptop")) == tuple(subs)


@pytest.mark.parametrize(
    ("said", "text", "left"),
    [
        ("HP", "HP笔记本 推荐", "笔记本 推荐"),
        ("HP", "惠普HP笔记本", "惠普 笔记本"),
        ("HP", "HP laptop price", "laptop price"),
        ("HP", "HPE server", "HPE server"),
        ("惠普", "惠普笔记本 评测", "笔记本 评测"),
    ],
)
def test_the_words_of_a_grounded_condition_leave_a_sub_query(said: str, text: str, left: str):
    before = Understanding(intent="purchase", language="zh")
    after = replace(before, constraints=(Constraint(field="brand", op="eq", value=said, text=said),))
    made = relieved([SubQuery(text=text, strategy="refine")], before, after)
    assert [sub.text for sub in made] == [left]
