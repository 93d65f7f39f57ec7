"""The query expression: what is read as syntax, and what is not."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qx.serial import from_json, to_json, value
from qx.syntax import (
    And,
    Expression,
    Field,
    FileType,
    Not,
    Or,
    Phrase,
    Range,
    Site,
    Terms,
    lexical,
    negated,
    parse,
    typed_filter,
    words,
)
from qx.syntax.lexer import CLAUSES, DEPTH
from qx.syntax.tree import is_wordless


def terms(text: str) -> Terms:
    return Terms(words=tuple(text.split()))


def both(*parts: Expression) -> And:
    return And(parts=parts)


def either(*parts: Expression) -> Or:
    return Or(parts=parts)


def excluded(expression: Expression) -> Not:
    return Not(expression=expression)


LITERAL = [
    "",
    "red  shoes",
    "gpt-4 multi-agent",
    '27" monitor',
    '27" 24" monitors',
    "AND",
    "OR",
    "NOT",
    "AND OR",
    "cats AND",
    "OR cats",
    "cats NOT",
    "rock and roll or not",
    "don't",
    "3:2 16:9",
    "http://x https://a.b/c?d=e",
    "C++ C#",
    ":) :-( ;)",
    "what's the meaning of life",
    "a)*",
    "blah }",
    "~!@#{$%^&*()_+}",
    '"',
    '""',
    '" "',
    "*",
    "a:b",
    "std::vector key:value site: site:??? filetype:",
    '"hello world',
    'say "hello',
    "f(x) print() a(b)c",
    "(",
    ")",
    "()",
    "( )",
    "(a b",
    "a b)",
    "--flag",
    "- a -- b",
    "-5 -3.5 -10%",
    "->",
    "e-mail a-b",
    "price: 2000",
    "price:2000",
    "price:..",
    "v1..v2",
    "1..2",
    "before:soon",
    "intitle:",
    "降噪耳机（头戴式）推荐",
    "比例：3比2",
    "27” 显示器",
    "《红楼梦》 作者",
    "不是-白色",
    "a" * 10_000,
    "a " * 5_000,
    "\ud800 \x00 \ufffd",
]


@pytest.mark.parametrize("text", LITERAL, ids=lambda text: text[:30].encode("ascii", "backslashreplace").decode())
def test_what_is_not_clearly_syntax_is_words(text: str) -> None:
    assert parse(text) == terms(text)


@pytest.mark.parametrize("text", ["price:a..b", "price:..", "price:1..b", "price:1...5", "price：..", "price:2020-..x"])
def test_a_broken_range_is_words_whether_or_not_the_field_is_known(text: str) -> None:
    assert parse(text, fields=("price",)) == terms(text)
    assert parse(f"laptop {text}", fields=("price",)) == terms(f"laptop {text}")
    assert parse(text) == terms(text)


SYNTAX: list[tuple[str, Expression]] = [
    ("(^hello)", terms("^hello")),
    ('"exact phrase"', Phrase(text="exact phrase")),
    ('red "exact  phrase" shoes', both(terms("red"), Phrase(text="exact phrase"), terms("shoes"))),
    ('27" "x y" 24"', both(terms('27"'), Phrase(text="x y"), terms('24"'))),
    ('怎么用"空气净化器"除甲醛', both(terms("怎么用"), Phrase(text="空气净化器"), terms("除甲醛"))),
    ("他说“好”吗", both(terms("他说"), Phrase(text="好"), terms("吗"))),
    ("「降噪」耳机", both(Phrase(text="降噪"), terms("耳机"))),
    ("cats AND dogs", both(terms("cats"), terms("dogs"))),
    ("cats AND AND dogs", both(terms("cats AND"), terms("dogs"))),
    ("cats OR dogs", either(terms("cats"), terms("dogs"))),
    ("a OR b OR c", either(terms("a"), terms("b"), terms("c"))),
    ("flights paris OR london", both(terms("flights"), either(terms("paris"), terms("london")))),
    ("(a b) OR c", either(terms("a b"), terms("c"))),
    ("((a OR b))", either(terms("a"), terms("b"))),
    ("(a b) c", terms("a b c")),
    ("（苹果 OR 华为） 手机", both(either(terms("苹果"), terms("华为")), terms("手机"))),
    ("((a)", terms("( a")),
    ("shirt -white", both(terms("shirt"), excluded(terms("white")))),
    ("衬衫 －白色", both(terms("衬衫"), excluded(terms("白色")))),
    ("NOT white", excluded(terms("white"))),
    ("NOT NOT white", terms("white")),
    ("-AND", excluded(terms("AND"))),
    ('-"off white" shirt', both(excluded(Phrase(text="off white")), terms("shirt"))),
    ("-(a b) c", both(excluded(terms("a")), excluded(terms("b")), terms("c"))),
    ('-(a OR "b c")', both(excluded(terms("a")), excluded(Phrase(text="b c")))),
    ("site:zhihu.com 降噪", both(Site(host="zhihu.com"), terms("降噪"))),
    ("site：zhihu.com", Site(host="zhihu.com")),
    ("SITE:GitHub.com/Python", Site(host="github.com/Python")),
    ("site:.edu", Site(host="edu")),
    ("-site:baidu.com", excluded(Site(host="baidu.com"))),
    ("(site:a.com OR site:b.com) x", both(either(Site(host="a.com"), Site(host="b.com")), terms("x"))),
    ("filetype:.PDF", FileType(extension="pdf")),
    ("ext:docx", FileType(extension="docx")),
    ("intitle:python", Field(name="intitle", expression=terms("python"))),
    ("intitle:OR", Field(name="intitle", expression=terms("OR"))),
    (
        "intitle:(a b)",
        both(Field(name="intitle", expression=terms("a")), Field(name="intitle", expression=terms("b"))),
    ),
    ('author:"Jane Doe"', Field(name="author", expression=Phrase(text="Jane Doe"))),
    ("-intitle:ad", excluded(Field(name="intitle", expression=terms("ad")))),
    ("after:2023", Range(field="published", low="2023")),
    ("after:2023-5-1", Range(field="published", low="2023-05-01")),
    ("before:2020/12", Range(field="published", high="2020-12", exclusive=True)),
    ("price:..2000 phone", both(Range(field="price", high=2000), terms("phone"))),
    ("price:100..199.5", Range(field="price", low=100, high=199.5)),
    ("price:100..", Range(field="price", low=100)),
    ("价格：..2000", Range(field="价格", high=2000)),
    ("published:2020-01..2021-06", Range(field="published", low="2020-01", high="2021-06")),
    ("(a) AND (b)", both(terms("a"), terms("b"))),
    (
        "神经网络 AND 过拟合 site:zhihu.com",
        both(terms("神经网络"), terms("过拟合"), Site(host="zhihu.com")),
    ),
]


@pytest.mark.parametrize(("text", "expected"), SYNTAX)
def test_syntax_is_read(text: str, expected: Expression) -> None:
    assert parse(text) == expected


def test_further_fields_by_name() -> None:
    assert parse("brand:apple") == terms("brand:apple")
    assert parse("brand:apple x", fields=["brand"]) == both(Field(name="brand", expression=terms("apple")), terms("x"))


def test_generated_text_is_words_whatever_it_looks_like() -> None:
    text = '-white "x y" site:a.com AND (b)'
    assert lexical(text) == terms(text)


def test_words_and_negated_words() -> None:
    tree = parse('red shoes -white -"off cream" intitle:"new balance" (a OR b) site:x.com')
    assert words(tree) == ("red", "shoes", "new", "balance", "a", "b")
    assert negated(tree) == ("white", "off", "cream")


def test_typed_ranges_become_filters() -> None:
    from qx import filters

    rest, said = typed_filter(parse("phone price:100..2000 before:2024 -rating:..3 x"))
    assert rest == both(terms("phone"), terms("x"))
    assert said == filters.And(
        filters=(
            filters.Compare(field="price", op="ge", value=100, origin="typed"),
            filters.Compare(field="price", op="le", value=2000, origin="typed"),
            filters.Compare(field="published", op="lt", value="2024", origin="typed"),
            filters.Not(filter=filters.Compare(field="rating", op="le", value=3, origin="typed")),
        )
    )
    assert typed_filter(parse("red shoes")) == (terms("red shoes"), None)
    assert typed_filter(parse("a OR price:..5"))[1] is None  # one alternative is not a filter for all


def test_nesting_and_clauses_are_capped_and_no_wanted_word_is_lost() -> None:
    deep = "(" * 500 + "a b" + ")" * 500
    assert "a" in "".join(words(parse(deep)))
    inside = "(" * DEPTH + "a OR b" + ")" * DEPTH
    assert parse(inside) == either(terms("a"), terms("b"))
    many = " ".join(f"-w{n}" for n in range(CLAUSES + 10))
    assert len(negated(parse(many))) == CLAUSES
    assert words(parse(many)) == ()  # what is excluded beyond the limit is at least not looked for
    parse("NOT " * 50_000)
    parse("author:" * 50_000)


@value
class Holder:
    expression: Expression


@pytest.mark.parametrize("text", ["a OR b", "a AND b", "-a", 'intitle:"x y" site:a.b price:1..2 filetype:pdf'])
def test_an_expression_survives_json(text: str) -> None:
    holder = Holder(expression=parse(text))
    assert from_json(Holder, to_json(holder)) == holder


@pytest.mark.parametrize(
    "piece",
    [
        "(",
        ")",
        '"',
        '"a',
        "“",
        "a:",
        "author:",
        "-",
        "NOT ",
        "x OR ",
        '" ',
        "(a",
        "site:a.",
        "a:1..",
        "-(",
        '"x" ',
        "a",
        "（",
    ],
)
def test_linear_time(piece: str) -> None:
    started = time.process_time()
    parse(piece * (200_000 // len(piece)))
    assert time.process_time() - started < 3  # quadratic reading would take minutes


PIECES = st.sampled_from(
    [*["AND", "OR", "NOT", " ", " ", "-", "－", '"', "“", "”", "(", ")", "（", "）", "a", "b c", "苹果", "27", ":", "：", "..", "|"],
     *["site:a.com", "filetype:pdf", "intitle:", "author:", "after:2020", "before:", "price:..5", "x:1..2", "*", "~", "+", "\ud800"]]
)  # fmt: skip
QUERIES = st.one_of(
    st.text(max_size=40), st.lists(PIECES, max_size=16).map("".join), st.lists(PIECES, max_size=12).map(" ".join)
)


@settings(max_examples=100, deadline=None)
@given(QUERIES)
def test_parsing_never_raises_and_loses_no_word(text: str) -> None:
    tree = parse(text)
    seen = to_json(tree)
    for char in text:
        if "\u4e00" <= char <= "\u9fff":
            assert char in seen


def test_what_is_excluded_beyond_the_limit_of_clauses_is_at_least_not_looked_for():
    tree = parse("lamp " + " ".join(f"-brand{n}" for n in range(CLAUSES + 40)) + " cheap")
    assert words(tree) == ("lamp", "cheap")


@pytest.mark.parametrize("text", [".", '"', "(", "*", "~!@#{$%^&*()_+}", "- -", '"" ""', "？！", "。", "(" * 50, ""])
def test_marks_alone_are_no_words(text: str) -> None:
    assert is_wordless(parse(text))


@pytest.mark.parametrize("text", ["a", "怎么", "🚲", "50%", "C++", "(x)", "site:e.org", "-a", "price:1..2", "½"])
def test_what_can_be_looked_for_is_none_of_them(text: str) -> None:
    assert not is_wordless(parse(text))
