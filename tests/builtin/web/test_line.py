"""The query line keeps words of the query, however long it is and whatever goes with it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qx.builtin.web.line import TOO_LONG, query_line
from qx.syntax import DIALECTS, And, Not, Phrase, Site, Terms, parse
from qx.syntax.rendering import width

ENGINES = ["google", "bing", "baidu"]


@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize("word", ["降噪耳机怎么选" * 400, "pneumono" * 400])
def test_one_word_longer_than_the_line_is_cut_beside_a_site(name: str, word: str):
    dialect = DIALECTS[name]
    line = query_line(parse(f"{word} site:example.com"), (), dialect)
    said, _, site = line.text.rpartition(" ")
    assert site == "site:example.com"
    assert word.startswith(said)
    assert width(said, dialect) > (dialect.max_chars or 0) - 20
    assert width(line.text, dialect) <= (dialect.max_chars or 0)
    assert any("past the limit" in part for part in line.unexpressed)


@pytest.mark.parametrize("name", ENGINES)
def test_restrictions_that_leave_no_room_for_a_word_are_left_out_instead(name: str):
    dialect = DIALECTS[name]
    site = Site(host="a" * ((dialect.max_chars or 0) - 6) + ".com")
    for line in (
        query_line(And(parts=(Terms(words=("降噪耳机",)), site)), (), dialect),
        query_line(Terms(words=("降噪耳机",)), (site,), dialect),
    ):
        assert line.text == "降噪耳机"
        assert TOO_LONG in line.unexpressed


def test_a_cut_word_is_no_operator():
    dialect = replace(DIALECTS["google"], max_chars=16)
    line = query_line(parse("ORANGES site:abc.com"), (), dialect)
    assert line.text in ('"O" site:abc.com', "O site:abc.com", "ORA site:abc.com", "ORANGES")


WORDS = st.one_of(
    st.text(alphabet="降噪耳机怎么选アイ한국", min_size=1, max_size=200),
    st.text(alphabet="abcORND-\"'0", min_size=1, max_size=200),
)
PARTS = st.one_of(
    WORDS.map(lambda w: Terms(words=(w,))),
    st.lists(WORDS, min_size=1, max_size=3).map(lambda w: Terms(words=tuple(w))),
    WORDS.map(lambda w: Phrase(text=w)),
    WORDS.map(lambda w: Not(expression=Terms(words=(w,)))),
    st.integers(1, 60).map(lambda n: Site(host="s" * n + ".com")),
)


@settings(max_examples=100, deadline=None)
@given(WORDS, st.lists(PARTS, max_size=4), st.lists(PARTS.filter(lambda p: isinstance(p, Site)), max_size=2), st.data())
def test_words_are_never_lost_and_the_line_is_never_too_long(first: str, rest: list, added: list, data: st.DataObject):
    dialect = replace(DIALECTS[data.draw(st.sampled_from(ENGINES))], max_chars=data.draw(st.integers(20, 120)))
    if not any(char.isalnum() for char in first):
        return
    expression = And(parts=(Terms(words=(first,)), *rest)) if rest else Terms(words=(first,))
    line = query_line(expression, added, dialect)
    assert width(line.text, dialect) <= (dialect.max_chars or 0)
    plain = [word for word in line.text.split() if not word.startswith(("site:", "-"))]
    assert plain
