"""Rendering an expression in the dialects of engines."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from qx.syntax import DIALECTS, And, Dialect, Not, Or, Phrase, Terms, lexical, parse, render

CASES: list[tuple[str, dict[str, str], dict[str, tuple[str, ...]]]] = [
    (
        'red shoes -white "new balance" site:a.com',
        {
            "google": 'red shoes -white "new balance" site:a.com',
            "baidu": 'red shoes -white "new balance" site:a.com',
            "plain": "red shoes new balance",
        },
        {"google": (), "plain": ("-white", '"new balance"', "site:a.com")},
    ),
    (
        "flights paris OR london",
        {"google": "flights (paris OR london)", "baidu": "flights (paris | london)", "plain": "flights paris london"},
        {"baidu": (), "plain": ("paris OR london",)},
    ),
    (
        "神经网络 AND 过拟合",
        {"google": "神经网络 AND 过拟合", "baidu": "神经网络 过拟合", "plain": "神经网络 过拟合"},
        {"google": (), "baidu": (), "plain": ()},
    ),
    (
        "x after:2023 before:2024-05",
        {"google": "x after:2023 before:2024-05", "bing": "x", "plain": "x"},
        {"google": (), "bing": ("after:2023", "before:2024-05")},
    ),
    ("a price:..5 b", {"google": "a b", "qx": "a price:..5 b"}, {"google": ("price:..5",)}),
    ('0 OR 1 "', {"google": "0 OR 1"}, {"google": ()}),
    ("phone price:..2000", {"google": "phone", "qx": "phone price:..2000"}, {"google": ("price:..2000",), "qx": ()}),
    (
        'author:"Jane Doe" intitle:python filetype:pdf',
        {"google": '"Jane Doe" intitle:python filetype:pdf', "plain": "Jane Doe python"},
        {"google": ('author:"Jane Doe"',)},
    ),
    ("-(a b) -site:x.com c", {"google": "-a -b -site:x.com c", "plain": "c"}, {"plain": ("-a", "-b", "-site:x.com")}),
    ("NOT 5", {"google": '-"5"'}, {"google": ()}),
    ("a OR -b", {"qx": "a OR -b", "google": "a"}, {"google": ("-b",)}),
    ("(a b) OR c", {"google": "(a b) OR c", "plain": "a b c"}, {}),
    # literal words that look like syntax
    ("cats OR", {"google": 'cats "OR"', "plain": "cats OR"}, {"google": (), "plain": ()}),
    ("AND", {"google": '"AND"', "plain": "AND"}, {}),
    ("a - b", {"google": "a - b"}, {}),
    ("--flag -5", {"google": '"--flag" "-5"'}, {}),
    ("a | b", {"baidu": 'a "|" b', "google": "a | b"}, {}),
    ('27" monitor', {"google": '27" monitor'}, {}),
    ('say "hi', {"google": "say hi"}, {}),
    ("f(x) :) a)*", {"google": "f x : a *"}, {}),
    ("降噪耳机（头戴式）推荐", {"google": "降噪耳机 头戴式 推荐", "plain": "降噪耳机（头戴式）推荐"}, {}),
    ("gpt-4 C++ a:b 3:2 don't http://x *", {"google": "gpt-4 C++ a:b 3:2 don't http://x *"}, {"google": ()}),
    ('"', {"google": "", "plain": '"'}, {}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "lines", "unexpressed"), CASES)
def test_each_dialect(text: str, lines: dict[str, str], unexpressed: dict[str, tuple[str, ...]]) -> None:
    tree = parse(text)
    for name, line in lines.items():
        assert render(tree, name).text == line, name
    for name, missing in unexpressed.items():
        assert render(tree, name).unexpressed == missing, name


def test_generated_text_is_escaped_like_typed_text() -> None:
    assert (
        render(lexical('-white site:a.com "x y" price:..5'), "google").text == '"-white" "site:a.com" x y "price:..5"'
    )
    assert render(lexical("intitle:x (a OR b)"), "google").text == '"intitle:x" a "OR" b'
    assert render(Phrase(text='a" OR "b'), "google").text == '"a OR b"'


def test_words_past_the_limit_are_left_out_and_reported() -> None:
    tree = parse(" ".join(f"w{n}" for n in range(40)) + ' "exact phrase" site:a.com')
    rendered = render(tree, "google")
    assert rendered.text.split()[:2] == ["w0", "w1"]
    assert rendered.text.endswith('w28 "exact phrase" site:a.com')
    assert rendered.unexpressed == ("words past the limit: " + " ".join(f"w{n}" for n in range(29, 40)),)


def test_a_han_character_counts_twice_for_baidu() -> None:
    assert render(parse("降" * 50), "baidu").text == "降" * 38
    assert render(parse("降" * 20 + " " + "耳" * 20), "baidu").text == "降" * 20 + " " + "耳" * 17
    assert len(render(parse("shoes " * 50), "baidu").text) <= 76
    assert len(render(parse("a" * 10_000), "google").text) == 2048


def test_a_line_that_cannot_be_shortened_says_so() -> None:
    rendered = render(Phrase(text="很长" * 60), "baidu")
    assert rendered.unexpressed == ("more than 76 characters",)


def test_a_dialect_is_a_row() -> None:
    shouting = Dialect(name="shouting", either="||", exclude="!", site="host={}")
    rendered = render(parse('a OR b -c site:x.com "d e"'), shouting)
    assert rendered.text == "(a || b) !c host=x.com d e"
    assert rendered.unexpressed == ('"d e"',)


def test_an_unknown_dialect_raises() -> None:
    with pytest.raises(KeyError):
        render(parse("a"), "altavista")


def test_hand_made_trees_are_rendered_too() -> None:
    a, b = Terms(words=("a",)), Terms(words=("b",))
    assert render(Not(expression=And(parts=(a, b))), "qx").text == "-a OR -b"
    assert render(Not(expression=Or(parts=(a, b))), "google").text == "-a -b"
    assert render(Not(expression=Not(expression=a)), "google").text == "a"
    assert render(Or(parts=(a, a)), "google").text == "a"
    assert render(And(parts=()), "google").text == ""


PIECES = st.sampled_from(
    [*["AND", "OR", "NOT", " ", " ", "-", "－", '"', "“", "”", "(", ")", "（", "）", "a", "b c", "苹果", "27", ":", "：", "..", "|"],
     *["site:a.com", "filetype:pdf", "intitle:", "author:", "after:2020", "before:", "price:..5", "x:1..2", "*", "~", "+", "「", "」"]]
)  # fmt: skip
QUERIES = st.one_of(
    st.text(max_size=40), st.lists(PIECES, max_size=16).map("".join), st.lists(PIECES, max_size=12).map(" ".join)
)


@settings(max_examples=100, deadline=None)
@given(QUERIES, st.sampled_from(["google", "bing", "qx"]))
@example('NOT (0 0 AND " 0)', "google")
@example("(-a -b) OR c", "google")
def test_rendering_is_idempotent(text: str, name: str) -> None:
    once = render(parse(text), name).text
    again = parse(once)
    assert render(again, name).text == once
    assert parse(render(again, name).text) == again


@settings(max_examples=100, deadline=None)
@given(QUERIES)
def test_literal_text_never_becomes_syntax(text: str) -> None:
    tree = parse(render(lexical(text), "google").text)
    parts = tree.parts if isinstance(tree, And) else (tree,)
    assert all(isinstance(part, (Terms, Phrase)) for part in parts)


@settings(max_examples=60, deadline=None)
@given(QUERIES)
def test_every_dialect_takes_every_query(text: str) -> None:
    for dialect in DIALECTS.values():
        rendered = render(parse(text), dialect)
        assert "\n" not in rendered.text
        assert all(rendered.unexpressed)


def test_alternatives_of_nothing_but_exclusions_are_told():
    found = render(parse("(-a -b) OR c"), "google")
    assert found.text == "c"
    assert found.unexpressed == ("-a -b",)
