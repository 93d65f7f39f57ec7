"""Words, phrases, filters, ids: what goes to Meilisearch never means more than it should."""

from __future__ import annotations

import pytest

pytest.importorskip("meilisearch_python_sdk")

import re
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from qx.filters import And, Compare, Exists, Not, Or
from qx.filters.matching import evaluate
from qx.syntax import Expression, Terms, parse
from qx.syntax import Not as Exclusion
from qx.syntax.tree import conjunction
from qx.testing.conformance.backend import NASTY
from qx.text.segment import Segmenter
from qx_meilisearch.documents import highlight, holds
from qx_meilisearch.filters import ExactFilters, NativeFilters, compile_filter, quote
from qx_meilisearch.identifiers import stored_id
from qx_meilisearch.plan import MAX_EXCLUDED, Plan, Planner
from qx_meilisearch.tokens import moment, sites, spelt, token
from qx_meilisearch.words import Vocabulary, literal, phrase
from servers.meilisearch.filtering import Facets, passing
from servers.meilisearch.grammar import parse as parse_filter
from servers.meilisearch.text import read


def planned(asked: str | Expression, most: int = 24, **more: Any) -> Plan:
    planner = Planner(Vocabulary(Segmenter(), **more), lambda node: None, lambda name: {"intitle": "title"}.get(name))
    return planner.plan(parse(asked) if isinstance(asked, str) else asked, most=most, depth=10)


def test_a_question_is_asked_as_a_whole_by_words_and_in_pairs() -> None:
    plan = planned("how do monitor headphones sound")
    kinds = [(lookup.kind, lookup.q) for lookup in plan.lookups]
    assert kinds[0] == ("whole", "monitor headphones sound")
    assert [q for kind, q in kinds if kind == "word"] == ["monitor", "headphon", "sound"]
    assert {q for kind, q in kinds if kind == "pair"} == {"monitor headphon", "monitor sound", "headphones sound"}
    assert plan.words == ("monitor", "headphones", "sound")


def test_time_chooses_how_much_is_asked() -> None:
    assert [lookup.kind for lookup in planned("monitor headphones sound", most=1).lookups] == ["whole"]
    assert [lookup.kind for lookup in planned("monitor headphones sound", most=4).lookups] == ["whole", *["word"] * 3]


def test_of_many_words_only_the_frequency_of_the_rest_is_asked() -> None:
    plan = planned(" ".join(f"word{'x' * n}" for n in range(20)))
    assert sum(lookup.kind == "count" and lookup.depth == 0 for lookup in plan.lookups) == 12
    assert len(plan.words) == 20
    assert len(plan.lookups[0].q.split()) == 10


def test_phrases_and_exclusions_stand_in_every_query() -> None:
    for lookup in planned('red shoes "for men" -leather').lookups:
        assert '"for men"' in lookup.q
        assert '-"leather"' in lookup.q


def test_no_exclusion_is_left_out_unsaid() -> None:
    def unlike(count: int) -> Plan:
        parts = [Exclusion(expression=Terms(words=(f"word{n}",))) for n in range(count)]
        return planned(conjunction([Terms(words=("shoes",)), *parts]))

    assert unlike(MAX_EXCLUDED).unexpressed == ()
    for lookup in unlike(MAX_EXCLUDED).lookups:
        assert lookup.q.count("-") == MAX_EXCLUDED
    assert unlike(MAX_EXCLUDED + 20).unexpressed == ("20 more exclusions",)


def test_words_of_both_sides_of_and_must_be_there() -> None:
    (lookup,) = planned("red AND shoes").lookups
    assert (lookup.q, lookup.strategy) == ("red shoes", "all")


def test_a_field_alone_is_searched_in_its_attribute() -> None:
    (lookup,) = planned("intitle:jacket").lookups
    assert lookup.attributes == ("title",)
    assert all(lookup.check for lookup in planned("intitle:jacket blue").lookups)


def test_what_no_field_can_hold_is_told_and_no_wish_for_everything() -> None:
    plan = planned("intitle:jacket author:bob")
    assert [word for lookup in plan.lookups for word in lookup.q.split()] == ["jacket"]
    assert plan.unexpressed == ("author: (no such field that holds words)",)
    assert planned("author:bob").lookups == ()


def test_words_of_a_field_that_is_not_searched_are_looked_for_in_the_hits() -> None:
    planner = Planner(Vocabulary(Segmenter()), lambda node: None, lambda name: f"metadata.{name}", lambda name: False)
    plan = planner.plan(parse("jacket author:bob"), most=24, depth=10)
    assert plan.lookups
    for lookup in plan.lookups:
        assert lookup.attributes == ()
        assert "bob" not in lookup.q
        assert [inside.text for inside in lookup.check] == ["bob"]
    assert plan.unexpressed == ("author:bob (looked for among the first 1000 hits)",)
    (alone,) = planner.plan(parse("author:bob"), most=24, depth=10).lookups
    assert (alone.kind, alone.q, alone.attributes) == ("browse", "", ())


@pytest.mark.parametrize(
    ("word", "units"),
    [
        ("(^hello)", ("hello", "^hello")),
        ("~tilde", ("tilde", "~tilde")),
        ("(€9,", ("9", "€9")),
        ("(hello)", ("hello",)),
        ("C++", ("c++",)),
        ("-5", ("5",)),
        ("^", ()),
    ],
)
def test_a_sign_that_meilisearch_keeps_at_a_word_is_looked_for_too(word: str, units: tuple[str, ...]) -> None:
    assert Vocabulary(Segmenter()).units((word,), 9) == units


def test_stop_words_of_the_index_are_never_a_query() -> None:
    assert planned("tablet", stop_words=["tablet"]).lookups == ()
    assert planned("怎么").lookups[0].q == "怎么"


@given(st.text(max_size=60))
@settings(max_examples=100, deadline=None)
def test_words_are_never_syntax(text: str) -> None:
    plain = literal(text)
    understood = read(plain)
    assert not understood.excluded
    assert not any(term.phrase for term in understood.terms)
    if plain:
        assert understood.terms, "text without a word finds everything"


@pytest.mark.parametrize("text", NASTY)
def test_no_query_of_nasty_text_is_a_placeholder(text: str) -> None:
    for lookup in planned(text).lookups:
        if lookup.kind != "browse":
            assert read(lookup.q).terms, lookup
    assert phrase(text) == "" or read(phrase(text)).terms[0].phrase


@given(st.text(st.characters(exclude_categories=["Cs"])))
@settings(max_examples=100, deadline=None)
def test_a_quoted_value_is_read_back(text: str) -> None:
    tree: Any = parse_filter(f"a = {quote(text)}")
    assert (tree.attribute, tree.op, tree.values) == ("a", "=", (text,))


@pytest.mark.parametrize("text", ['a\\"b', "\\", 'O"Neill', "a' OR 1 = 1", 'x" OR "y', "\\u{41}", "\n", "\\n"])
def test_quotes_and_backslashes_are_literals(text: str) -> None:
    tree: Any = parse_filter(f"{quote(text)} = {quote(text)}")
    assert (tree.attribute, tree.values) == (text, (text,))


def test_an_index_of_others_is_filtered_by_its_own_attributes() -> None:
    filters = NativeFilters(["brand", "price", "meta"])
    tree = And(filters=(Compare(field="brand", op="ne", value='a"b'), Or(filters=(Exists(field="price"),))))
    text = compile_filter(tree, filters.leaf)
    documents = {
        0: Facets({"brand": 'A"B', "price": 1}),
        1: Facets({"brand": "c", "price": 2}),
        2: Facets({"brand": "c"}),
    }
    assert passing(parse_filter(text), documents) == {1}
    assert [leaf.field for leaf in filters.inexpressible(Compare(field="size", op="eq", value=1))] == ["size"]
    assert filters.inexpressible(Not(filter=Compare(field="meta.size", op="eq", value=1))) == ()


def test_text_has_no_order_in_an_index_of_its_own() -> None:
    assert ExactFilters().inexpressible(Compare(field="brand", op="lt", value="x"))
    assert not ExactFilters().inexpressible(Compare(field="brand", op="lt", value="2023-05-01"))


@pytest.mark.parametrize("filters", [ExactFilters(), NativeFilters(["a", "b"])])
def test_a_filter_of_too_many_values_is_refused(filters: Any) -> None:
    few, many = Compare(field="a", op="in", value=("x", "y")), Compare(field="b", op="in", value=tuple(range(20_000)))
    assert filters.inexpressible(And(filters=(few, many))) == (many,)
    assert filters.inexpressible(And(filters=(few, Compare(field="b", op="in", value=tuple(range(900)))))) == ()
    each = tuple(Compare(field="a", op="eq", value=n) for n in range(300))
    assert 0 < len(filters.inexpressible(Or(filters=each))) < 300


values = st.one_of(st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.text(max_size=12))


@given(values, values)
@settings(max_examples=100, deadline=None)
def test_tokens_are_equal_where_values_are(left: Any, right: Any) -> None:
    if moment(left) is not None or moment(right) is not None:
        return
    assert (token(left) == token(right)) is evaluate(Compare(field="a", op="eq", value=right), {"a": left})
    if isinstance(left, str) and not re.search("[\ud800-\udfff]", left):
        assert spelt(token(left)) == left


@given(st.text(max_size=40), st.text(max_size=40))
@settings(max_examples=100, deadline=None)
def test_ids_are_mapped_without_meeting(left: str, right: str) -> None:
    assert re.fullmatch(r"[A-Za-z0-9_-]{1,511}", stored_id(left))
    assert (stored_id(left) == stored_id(right)) is (left == right)


def test_an_id_that_looks_mapped_is_mapped_too() -> None:
    mapped = stored_id("a b")
    assert stored_id(mapped) != mapped
    assert stored_id("plain-id_1") == "plain-id_1"
    assert len(stored_id("x" * 512)) < 100


def test_sites_take_in_subdomains_and_paths() -> None:
    known = sites("https://www.Zhihu.com/question/1?a=b")
    for host in ("zhihu.com", "www.zhihu.com", "com", "zhihu.com/question"):
        assert token(host) in known, host
    assert token("hihu.com") not in known
    assert sites("http://[broken") == []


def test_words_are_held_whole_and_marked() -> None:
    assert holds("Blue running jacket", "JACKET", phrase=False)
    assert not holds("Blue jackets", "jacket", phrase=False)
    assert holds("明天开会议", "会议", phrase=False)
    assert holds("修改youer服务端", "youer", phrase=False)
    mark = highlight("title", "Jackets and 会议 jacket", ("jacket", "会议"))
    assert [mark.text[start:end] for start, end in mark.spans] == ["Jackets", "会议", "jacket"]


def test_traditional_words_are_looked_up_in_simplified_too() -> None:
    assert Vocabulary(Segmenter()).units(("耳機", "lamp"), 9) == ("耳機", "耳机", "lamp")
    assert Vocabulary(Segmenter()).units(("耳机", "lamp"), 9) == ("耳机", "lamp")
