"""The words of a condition leave a query whole: no part of another word goes with them, or instead of them."""

import pytest

from qx.rules.expand import unlimited
from qx.types import Constraint, Query, Understanding


@pytest.mark.parametrize(
    ("text", "said", "left"),
    [
        ("renewed batteries in new books", "new", "renewed batteries in books"),
        ("reopened parcels, open issues", "open", "reopened parcels, issues"),
        ("new books about newts", "new", "books about newts"),
        ("shoes under$500", "under$500", "shoes"),
        ("8GB内存的笔记本", "8GB", "内存的笔记本"),
        ("莫言的小说", "莫言的", "小说"),
        ("laptops16GB", "16GB", "laptops"),
        ("what was respelt", "said otherwise", "what was respelt"),
    ],
)
def test_only_its_own_words_go(text: str, said: str, left: str):
    known = Understanding(standalone=text, constraints=(Constraint(field="own", op="eq", value=True, text=said),))
    assert unlimited(Query(text=text), known, frozenset({"own"})).standalone == left
