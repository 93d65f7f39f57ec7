import subprocess
import sys
from typing import Any

import pytest

from qx.backend import SearchRequest
from qx.filters import leaves
from qx.filters.fieldmap import StoredField
from qx.steps.lowering import Prepared, prepare
from qx.steps.requests import is_prose, part
from qx.syntax import Terms, asks_nothing, parse
from qx.testing.backend import ScriptedBackend
from qx.types import Constraint, Query, SearchOptions, SortBy, SubQuery, Understanding


@pytest.mark.parametrize(
    ("text", "prose"),
    [
        ('Articles on text formatting systems, including "what you see is what you get" systems, with examples', True),
        ('What is the type of a process (I mean a "running" one) when two of them want to talk to each other', True),
        ('"what you see is what you get"', False),
        ("linen shirt (cotton)", False),
        (
            'Articles on text formatting systems with "what you see is what you get" -latex and examples of them all',
            False,
        ),
        ("how do I say this OR that in a long question that goes on and on without an end in sight", False),
        ("a b c d e f g h i j k l m n", False),
    ],
)
def test_a_long_question_is_no_expression(text: str, prose: bool):
    assert is_prose(parse(text)) is prose


def test_prose_goes_as_words_alone():
    text = 'Articles on text formatting systems, including "what you see is what you get" systems, with examples'
    made = part([SubQuery(text=text, strategy="original")], Query(text=text), Understanding(), frozenset())
    (one,) = made.queries
    assert isinstance(one.expression, Terms)
    assert "what" in one.expression.words
    assert made.filters.all is None


@pytest.mark.parametrize(
    ("text", "empty"),
    [
        ("", True),
        ("   ", True),
        ("a", False),
        ("site:e.org", False),
        ('"a b"', False),
        ("-a", True),
        ("-a -site:e.org", True),
        ("-a b", False),
        ("不要 红色", False),
    ],
)
def test_empty_asks_for_nothing(text: str, empty: bool):
    assert asks_nothing(parse(text)) is empty


def test_what_became_a_filter_leaves_the_originals_words():
    price = Constraint(field="price", op="le", value=5000, unit="CNY", text="5000元以下")
    understanding = Understanding(constraints=(price,), language="zh")
    query = Query(text="5000元以下的笔记本")
    subs = [SubQuery(text=query.text, strategy="original"), SubQuery(text="笔记本 推荐", strategy="refine")]
    found = part(subs, query, understanding, frozenset({"price"})).queries
    assert "5000" not in found[0].text
    assert found[1].text == "笔记本 推荐"
    kept = part(subs, query, understanding, frozenset()).queries
    assert kept[0].text == query.text


def test_typed_syntax_becomes_a_filter_that_is_the_users():
    text = "laptop price:..2000"
    subs = [SubQuery(text=text, strategy="original"), SubQuery(text="notebook", strategy="synonym")]
    made = part(subs, Query(text=text), Understanding(), frozenset({"price"}))
    (leaf,) = leaves(made.filters.all)
    assert leaf.origin == "typed"
    assert made.queries[0].expression == Terms(words=("laptop",))
    assert made.queries[1].ranges == made.queries[0].ranges  # for engines that can only say it in words


def test_a_range_of_one_sub_query_is_its_own_filter():
    subs = [SubQuery(text="laptop", strategy="original"), SubQuery(text="laptop after:2025", strategy="dated")]
    made = part(subs, Query(text="laptop"), Understanding(), frozenset())
    assert made.filters.all is None
    assert made.queries[0].typed is None
    (leaf,) = leaves(made.queries[1].typed)
    assert (leaf.field, leaf.origin) == ("published", "typed")
    assert made.queries[1].expression == Terms(words=("laptop",))


@pytest.mark.parametrize("strategy", ["synonym", "refine", "generalize", "decompose", "senses", "translate"])
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("laptop brand:HP price:..200", "laptop brand HP price ..200"),
        ("laptop site:evil.com", "laptop site evil.com"),
        ('"gaming laptop" -HP', "gaming laptop HP"),
        ("laptop -Dell NOT Asus", "laptop Dell not Asus"),
        ("laptop OR monitor", "laptop or monitor"),
        ("笔记本 site:zhihu.com -惠普", "笔记本 site zhihu.com 惠普"),
        ("laptop after:2025", "laptop after 2025"),
        ("laptop filetype:pdf", "laptop filetype pdf"),
        ("laptop intitle:cheap", "laptop intitle cheap"),
    ],
)
def test_generated_words_are_no_syntax(text: str, words: str, strategy: str):
    subs = [SubQuery(text="laptop", strategy="original"), SubQuery(text=text, strategy=strategy)]
    made = part(subs, Query(text="laptop"), Understanding(), frozenset({"price", "brand"})).queries[1]
    assert made.expression == Terms(words=tuple(words.split()))
    assert (made.text, made.typed, made.ranges) == (words, None, ())


@pytest.mark.parametrize(
    "text", ["laptop -HP", "laptop site:example.com", "laptop intitle:cheap", "laptop OR computer"]
)
def test_what_was_typed_may_be_repeated(text: str):
    other = text.replace("laptop", "notebook")
    subs = [SubQuery(text=text, strategy="original"), SubQuery(text=other, strategy="synonym")]
    assert part(subs, Query(text=text), Understanding(), frozenset()).queries[1].expression == parse(other)


@pytest.mark.parametrize(
    ("query", "text"),
    [("laptop not HP", "notebook -hp"), ("不要白色的衬衫", "亚麻衬衫 -白色"), ("laptop -HP", "notebook -hp")],
)
def test_what_is_ruled_out_in_words_may_be_an_operator(query: str, text: str):
    subs = [SubQuery(text=query, strategy="original"), SubQuery(text=text, strategy="refine")]
    assert part(subs, Query(text=query), Understanding(), frozenset()).queries[1].expression == parse(text)


@pytest.mark.parametrize(
    "text", ["node.js v3 --flag", "C:\\new 12:30", "https://example.org/a", "a-b c++", '"exact words" here']
)
def test_plain_words_stay_as_they_are(text: str):
    subs = [SubQuery(text="x", strategy="original"), SubQuery(text=text, strategy="refine")]
    assert part(subs, Query(text="x"), Understanding(), frozenset()).queries[1].text == text


@pytest.mark.parametrize("strategy", ["boolean", "site"])
def test_a_strategy_of_syntax_keeps_it_and_infers_it(strategy: str):
    text = "laptop site:example.com -used price:..200"
    subs = [SubQuery(text="laptop", strategy="original"), SubQuery(text=text, strategy=strategy)]
    made = part(subs, Query(text="laptop"), Understanding(), frozenset({"price"}))
    (leaf,) = leaves(made.queries[1].typed)
    assert (leaf.field, leaf.origin) == ("price", "inferred")
    assert made.queries[1].expression == parse("laptop site:example.com -used")
    unable = ScriptedBackend()
    asked = prepare(made.queries[1], unable, made, SearchOptions(), depth=10, target="web")
    assert isinstance(asked, Prepared)
    assert "price" in repr(asked.request.expression)  # who cannot filter may have words for it


def test_what_was_typed_holds_for_queries_that_are_asked_besides():
    text = "laptop price:..200"
    original = SubQuery(text=text, strategy="original")
    made = part(
        [SubQuery(text="computer", strategy="generalize")],
        Query(text=text),
        Understanding(),
        frozenset({"price"}),
        original=original,
    )
    assert [a.text for a in made.queries] == ["computer"]
    assert [leaf.field for leaf in leaves(made.filters.all)] == ["price"]


def test_the_original_goes_as_it_was_typed_its_spelling_too():
    text = "wirless headphones under $50"
    price = Constraint(field="price", op="le", value=50, unit="USD", text="under $50", hard=True)
    read = Understanding(constraints=(price,), signals={"spelling": "wireless headphones under $50"}, language="en")
    subs = [SubQuery(text=text, strategy="original"), SubQuery(text="wireless headphones", strategy="spelling")]
    found = part(subs, Query(text=text), read, frozenset({"price"})).queries
    assert [a.text for a in found] == ["wirless headphones", "wireless headphones"]


AUDIENCE = StoredField(name="metadata.audience", type="keyword", values={"beginner": "novice"})


@pytest.mark.parametrize(
    ("wish", "field", "boosts"),
    [
        (
            Constraint(field="audience", op="prefer", value="Beginner", hard=False),
            AUDIENCE,
            [("metadata.audience", "novice")],
        ),
        (
            Constraint(field="audience", op="prefer", value="expert", hard=False),
            AUDIENCE,
            [("metadata.audience", "expert")],
        ),
        (Constraint(field="audience", op="eq", value="expert"), AUDIENCE, []),
        (Constraint(field="price", op="prefer", value=2000.0, hard=False), AUDIENCE, []),
        (Constraint(field="price", op="prefer", value="low", hard=False), StoredField(name="p", type="number"), []),
        (
            Constraint(field="published", op="prefer", value="newest", hard=False),
            StoredField(name="d", type="date"),
            [],
        ),
    ],
    ids=str,
)
def test_a_wish_moves_what_has_it_and_excludes_nothing(
    wish: Constraint, field: StoredField, boosts: list[tuple[str, str]]
):
    backend = ScriptedBackend(name="a", fields={wish.field: field})
    sub, query = SubQuery(text="python course", strategy="original"), Query(text="python course")
    made = part([sub], query, Understanding(constraints=(wish,)), frozenset({wish.field}))

    def request(**options: Any) -> SearchRequest:
        target = options.pop("target", "any")
        found = prepare(made.queries[0], backend, made, SearchOptions(**options), depth=10, target=target)
        assert isinstance(found, Prepared)
        return found.request

    assert [(b.field, b.value) for b in request().boosts] == boosts
    assert all(b.weight > 1 for b in request().boosts)
    assert (request().filter is None) == (wish.op == "prefer")
    assert request(target="vector").boosts == request(sort=(SortBy(field=wish.field),)).boosts == ()


def test_each_step_can_be_imported_first():
    for name in ("qx.steps.requests", "qx.steps.grounding.values"):
        subprocess.run([sys.executable, "-c", f"import {name}"], check=True)
