import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qx.syntax import demands, left, parse


@pytest.mark.parametrize(
    ("text", "found", "rest"),
    [
        ("laptop price:..2000", ["price:..2000"], "laptop"),
        ("衬衫 colour:白色 便宜", ["colour:白色"], "衬衫 便宜"),
        ("laptop NOT (HP OR Dell) cheap", ["NOT (HP OR Dell)"], "laptop cheap"),
        ("笔记本 -（联想 OR 惠普）", ["-（联想 OR 惠普）"], "笔记本"),
        ("site:a.com OR site:b.com rust", ["site:a.com OR site:b.com"], "rust"),
        ('intitle:"deep learning" survey', ['intitle:"deep learning"'], "survey"),
        ("NOT brand:HP laptop", ["NOT brand:HP"], "laptop"),
        ("(a OR b) AND (c OR d) e", ["(a OR b)", "(c OR d)"], "e"),
        ("laptop -price:1..2 site:x.org/a", ["-price:1..2", "site:x.org/a"], "laptop"),
        ("flights paris OR london", [], "flights paris OR london"),
        ("-HP laptop", [], "-HP laptop"),
        ('laptop "HP OR Dell" (a', [], 'laptop "HP OR Dell" (a'),
        ("C++ f(x) (how to) 12:30 https://e.org/a", [], "C++ f(x) (how to) 12:30 https://e.org/a"),
    ],
)
def test_what_holds_for_all_of_a_query(text: str, found: list[str], rest: str):
    made = demands(text, ("colour", "brand"))
    assert [one.text for one in made] == found
    assert " ".join(left(text, made).split()) == rest
    assert len(left(text, made)) == len(text)


PIECES = st.sampled_from(["a", "b:", "(", ")", "OR", "AND", "NOT", "-", '"', "“", "”", "site:e.org", "price:..3", "红"])


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(PIECES, st.sampled_from(["", " "])), max_size=12))
def test_whatever_the_text_demands_stand_in_it_and_are_read_as_in_it(pieces: list[tuple[str, str]]):
    text = "".join(word + gap for word, gap in pieces)
    made = demands(text)
    whole = repr(parse(text))
    for one in made:
        assert text[one.start : one.end].endswith(one.text)
        assert one.expression == parse(one.text)
        assert all(repr(part) in whole for part in getattr(one.expression, "parts", (one.expression,)))
    assert demands(left(text, made)) == () or "(" in text or '"' in text


@pytest.mark.parametrize("text", ["(" * 10_000, "( " * 5_000, "（a OR " * 1_500, "(" * 5_000 + ")" * 5_000])
def test_ten_thousand_brackets_are_read_in_one_pass(text: str) -> None:
    for demand in demands(text):
        assert text[demand.start : demand.end]
