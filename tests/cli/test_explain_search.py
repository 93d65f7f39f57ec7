"""``qx explain --search``: the whole trace as a story, as JSON, and as a page of its own."""

import json
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qx.cli import page, schemas
from qx.cli.output import plain_lines
from qx.cli.search_story import search_explanation
from qx.filters import And, Compare, Exists, Not, Or
from qx.filters.text import filter_text
from qx.settings import Profile
from qx.types import (
    Degraded,
    Dropped,
    Expansion,
    Found,
    Highlight,
    Hit,
    ListReport,
    SearchResult,
    Span,
    SubQuery,
    Trace,
)

from .conftest import EXPANSION, Run
from .shop import write_shop

QUERY = "5000元以下、轻薄、续航好的笔记本电脑"
ORIGINAL, WEB = SubQuery(text="thin laptop", strategy="original"), SubQuery(text="x", strategy="site", target="web")
FILTER = And(
    filters=(
        Compare(field="metadata.price_cents", op="le", value=500000),
        Or(filters=(Compare(field="brand", op="eq", value="HP"), Not(filter=Exists(field="brand")))),
    )
)
RESULT = SearchResult(
    hits=(
        Hit(
            id="1",
            backend="a",
            title="Thin laptop",
            text="A thin one.",
            url="https://e.org/1?a=1&b=2",
            metadata={"price": 5},
            score=0.0325,
            rank=1,
            contributions=(
                Found(query="light", backend="b", rank=1, weight=0.1),
                Found(query="thin laptop", backend="a", rank=2, weight=1.0),
            ),
            highlights=(Highlight(field="text", text="A thin one.", spans=((2, 6),)),),
        ),
    ),
    rankings=(
        ListReport(query=ORIGINAL, backend="a", hits=1, total=7, took=4.25, filter=FILTER, unlowered=("colour: none",)),
        ListReport(query=ORIGINAL, backend="b", status="timeout", reason="no answer before the deadline"),
    ),
    expansion=Expansion(original="thin laptop", queries=(ORIGINAL, WEB)),
    degraded=(Degraded(step="expand", rung="rules", reason="model timed out"),),
    partial="b: no answer before the deadline",
    notes=("nothing met every condition; relaxed: colour eq",),
    dropped=(Dropped(text="url:https://e.org/2", reason="spam, sponsored"),),
    facets={"brand": (("HP", 2),)},
    trace=Trace(
        id="t",
        spans=(
            Span(name="search.backend a", start=5.0, duration=15.0, attributes={"requests": 1}),
            Span(name="expand.guard", start=6.0, duration=1.0),
            Span(name="expand.step", start=5.0, duration=10.0),
        ),
    ),
)


class Reader(HTMLParser):
    """Collects the text, the tags and the attributes of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def read(made: str) -> Reader:
    reader = Reader()
    reader.feed(made)
    reader.close()
    return reader


def test_the_story_has_every_list_filter_and_drop() -> None:
    lines = list(plain_lines(search_explanation("thin laptop", RESULT, Profile())))
    for said in (
        "    thin laptop  →  a: 1 hit of 7 in 4.2 ms (original)",
        "      filter: metadata.price_cents <= 500000 and (brand = HP or not (brand is there))",
        "      asked without: colour: none",
        "    thin laptop  →  b: timeout: no answer before the deadline (original)",
        "  not run: x (no backend takes queries for web)",
        "  merged: 1 list with hits",
        "      #2 of “thin laptop” in a, weight 1",
        "  facets: brand (HP 2)",
        "  dropped after merging: url:https://e.org/2 (spam, sponsored)",
        "  notes: nothing met every condition; relaxed: colour eq",
        "  degraded: expand fell back to rules (model timed out)",
        "  outcome: ok (partial: b: no answer before the deadline)",
        "  spent: no model call",
    ):
        assert said in lines, said
    assert lines.index("      #2 of “thin laptop” in a, weight 1") < lines.index("      #1 of “light” in b, weight 0.1")


def test_a_filter_that_all_lists_share_is_told_once() -> None:
    report = RESULT.rankings[0]
    shared = replace(RESULT, rankings=(report, replace(report, backend="b")))
    lines = list(plain_lines(search_explanation("x", shared, Profile())))
    assert "  lists: 2 (each with metadata.price_cents <= 500000 and (brand = HP or not (brand is there)))" in lines
    assert not any("filter:" in line for line in lines)


@pytest.mark.parametrize(
    ("tree", "text"),
    [
        (Compare(field="price", op="ge", value=2.5, unit="EUR"), "price >= 2.5 EUR"),
        (Compare(field="brand", op="in", value=("HP", "Dell")), "brand in (HP, Dell)"),
        (Or(filters=()), "nothing"),
        (And(filters=()), "everything"),
    ],
)
def test_a_filter_in_words(tree: Compare | Or | And, text: str) -> None:
    assert filter_text(tree) == text


def test_the_program(run: Run, own_folder: Path) -> None:
    run("index", str(write_shop(own_folder)), "-p", "shop")
    told = run("explain", "--search", "-p", "shop", QUERY)
    assert told.code == 0
    assert "(each with metadata.price <= 5000)" in told.out
    assert "search.backend products" in told.out
    printed = json.loads(run("explain", "--search", "-p", "shop", QUERY, "--json").out)
    jsonschema.Draft202012Validator(schemas.schema("search")).validate(printed)
    made = run("explain", "--search", "-p", "shop", QUERY, "--html", "out.html")
    assert (made.code, made.out) == (0, "")
    assert "out.html: written" in made.err
    assert "轻薄笔记本电脑" in "".join(read((own_folder / "out.html").read_text("utf-8")).text)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--html", "x.html"), "add --search"),
        (("--search", "--prompt"), "--prompt makes no call"),
        (("--search", "--html", "no/such/folder/x.html"), "cannot be written"),
    ],
)
def test_options_that_do_not_go_together(run: Run, own_folder: Path, options: tuple[str, ...], said: str) -> None:
    run("index", str(write_shop(own_folder)), "-p", "shop")
    result = run("explain", "-p", "shop", "laptop", *options)
    assert (result.code, result.out) == (2, "")
    assert said in result.err


def test_the_page_needs_nothing_else() -> None:
    reader = read(page.page("thin laptop", RESULT, Profile()))
    assert not {"script", "link", "img", "iframe", "object", "form"} & set(reader.tags)
    assert [value for name, value in reader.attributes if name in ("src", "srcset", "action")] == []
    assert [value for name, value in reader.attributes if name == "href"] == ["https://e.org/1?a=1&b=2"]
    assert any("default-src 'none'" in value for name, value in reader.attributes if name == "content")
    text = " ".join("".join(reader.text).split())
    for said in ("thin", "no answer before the deadline", "spam, sponsored", "colour: none", "HP 2", "relaxed: colour"):
        assert said in text
    assert reader.tags.count("rect") == len(RESULT.trace.spans)
    assert reader.tags.count("mark") == 1


def test_the_chart() -> None:
    made = page.rows(RESULT.trace.spans)
    assert [(row.name, row.depth, row.left, row.width) for row in made] == [
        ("search.backend a", 0, 25.0, 75.0),
        ("expand.step", 0, 25.0, 50.0),
        ("expand.guard", 1, 30.0, 5.0),
    ]
    assert page.rows(()) == []
    (instant,) = page.rows((Span(name="plugin", start=0.0, duration=0.0),))
    assert (instant.step, instant.width) == ("other", page.THINNEST)


@pytest.mark.parametrize(
    ("url", "is_link"),
    [
        ("https://e.org/?q=1", True),
        ("javascript:alert(1)", False),
        ("data:text/html,x", False),
        ("//e.org", False),
        ("https:///x", False),
        ("https://e.org/\u202ex", False),
        ("http://[broken", False),
    ],
)
def test_only_web_addresses_become_links(url: str, is_link: bool) -> None:
    assert page.is_web_address(url) is is_link


HOSTILE = st.text(max_size=30) | st.sampled_from(
    [
        "<script>alert(1)</script>",
        '"><img src=x onerror=alert(1)>',
        "{{ 1234*5678 }}{% raw %}",
        "</style><script>",
        "&lt;&#x27;",
        "\ud800",
    ]
)


@settings(max_examples=60, deadline=None)
@given(st.lists(HOSTILE, min_size=8, max_size=8))
def test_hostile_text_stays_text(texts: list[str]) -> None:
    plain = read(page.page("q", RESULT, Profile()))
    a, b, c, d, e, f, g, h = texts
    hit = replace(
        RESULT.hits[0],
        id=a,
        title=b,
        text=c,
        url=f"javascript:{d}",
        metadata={e: f},
        highlights=(Highlight(field="text", text=c, spans=((0, len(c)),)),) if c else (),
    )
    report = replace(RESULT.rankings[0], query=replace(ORIGINAL, text=g), unlowered=(h,))
    expansion = replace(EXPANSION, queries=(replace(ORIGINAL, text=a, why=b),), dropped=(Dropped(text=c, reason=d),))
    spans = (Span(name=e, start=0.0, duration=1.0, attributes={f: g}),)
    result = replace(
        RESULT,
        hits=(hit,),
        rankings=(report,),
        expansion=expansion,
        partial=h or "x",
        notes=(a,),
        facets={b: ((c, 1),)},
        dropped=(Dropped(text=d, reason=e),),
        trace=Trace(spans=spans),
        understanding=replace(RESULT.understanding, language=f),
    )
    made = page.page(g, result, Profile())
    made.encode("utf-8")
    reader = read(made)
    assert set(reader.tags) <= {*plain.tags, "h3", "p", "div"}
    assert {name for name, _ in reader.attributes} <= {name for name, _ in plain.attributes}
    assert not any(value.startswith("javascript:") for _, value in reader.attributes)
    assert "7006652" not in made
