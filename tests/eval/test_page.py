"""The page: one file that asks nobody, escapes everything, and has its charts as readable SVG."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

from qx.eval.charts import Bar, bars, dots, waterfall
from qx.eval.page import charts, page
from qx.eval.reporting import report
from qx.eval.values import Report

from .planted import of, planted

MEASURES = ("ndcg@10", "recall@100", "mrr", "zero-results", "overlap@10", "unique-useful")


class Read(HTMLParser):
    """Tags, attributes and text of a page; knows where a tag is not closed."""

    VOID = frozenset({"meta", "path", "use", "br", "rect", "line"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        if tag not in self.VOID:
            assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


@pytest.fixture(scope="module")
def made() -> Report:
    data, ways, rows = planted({"商店 & <b>": 0.5, "less": -0.3})
    return report(data, ways, of(rows), MEASURES)


@pytest.fixture(scope="module")
def read(made) -> Read:
    return Read(page(made))


def test_is_well_formed(read):
    assert read.open == []


def test_asks_nobody_and_runs_nothing(made, read):
    text = page(made)
    names = {tag for tag, _ in read.tags}
    assert not names & {"script", "link", "img", "iframe", "object", "embed", "form", "base"}
    for _, attributes in read.tags:
        assert not [name for name in attributes if name.startswith("on") or name in ("src", "href", "action")]
        target = attributes.get("xlink:href") or "#"
        assert target.startswith("#")
    addresses = set(re.findall(r"https?://[^\"'\s<]+", text))
    assert addresses <= {"http://www.w3.org/1999/xlink", "http://www.w3.org/2000/svg"}
    assert "url(" not in re.sub(r"url\(#\w+\)", "", text)
    assert "default-src 'none'" in text


def test_everything_is_escaped(made, read):
    text = page(made)
    assert "<script>alert(1)</script>" in read.text
    assert "<script>alert" not in text
    assert "<b>," not in text
    assert "商店 & <b>" in read.text


def test_hostile_names_stay_text(made):
    name = "</title></svg><script>x</script>\"' onload=x $\\frac{1}{0}$ \u202e"
    hostile = replace(
        made,
        dataset=name,
        conditions=tuple(replace(c, name=name) if c.name == "less" else c for c in made.conditions),
        comparisons=tuple(replace(c, b=name) if c.b == "less" else c for c in made.comparisons),
        worst=tuple(replace(w, text=name, reason=name, query=name) for w in made.worst),
        notes=(name,),
    )
    found = Read(page(hostile))
    assert found.open == []
    assert "script" not in {tag for tag, _ in found.tags}
    assert "\u202e" not in found.text
    assert "$\\frac{1}{0}$" in found.text


def test_every_chart_has_a_title_and_says_what_it_shows(read):
    drawings = [attributes for tag, attributes in read.tags if tag == "svg"]
    assert len(drawings) >= 12
    for attributes in drawings:
        assert attributes["role"] == "img"
        assert len(attributes["aria-label"] or "") > 20
    assert sum(tag == "figcaption" for tag, _ in read.tags) == len(drawings)


def test_ids_are_of_one_thing_each_but_for_equal_shapes_of_the_charts(read):
    sections = [a["id"] for tag, a in read.tags if tag == "h2"]
    assert len(set(sections)) == len(sections)
    labelled = [a["aria-labelledby"] for tag, a in read.tags if tag == "section"]
    assert labelled == sections


def test_has_every_section_and_the_decision(read):
    for words in (
        "Decision",
        "Means",
        "Differences",
        "By kind of query",
        "Time and money",
        "strategy",
        "worst queries",
    ):
        assert words in read.text
    assert "expansion helps: +" in read.text
    assert "expansion hurts: -" in read.text
    assert "孩子发烧怎么办" in read.text


def test_light_dark_and_print(made):
    text = page(made)
    assert "prefers-color-scheme: dark" in text
    assert "@media print" in text
    assert 'name="viewport"' in text


def test_a_report_with_next_to_nothing_is_a_page_too():
    found = Read(page(Report(dataset="leer", queries=0, conditions=(), comparisons=())))
    assert "Nothing is compared" in found.text


class TestCharts:
    def test_are_xml_in_the_colours_of_the_page(self, made):
        for group in charts(made).values():
            for chart in group:
                ElementTree.fromstring(chart.svg)
                assert not re.findall(r"#[0-9a-f]{6}", chart.svg)
                assert "var(--" in chart.svg
                assert "<metadata" not in chart.svg
                assert "font-family" not in chart.svg

    def test_text_stays_text_in_any_script(self):
        chart = dots("度量", [Bar(name="商店", figure=1.0, low=0.5, high=1.5, shown="1.0")], axis="分")
        said = "".join(ElementTree.fromstring(chart.svg).itertext())
        assert {"度量", "商店", "分", "1.0"} <= set(said.split())
        assert "商店 1.0" in chart.description

    def test_names_have_room(self):
        """Where names stand may not reach out of the drawing on the left."""
        for name in ("w" * 60, "商" * 40, "a"):
            chart = bars("t", [(name, [Bar(name=name, figure=1.0, shown="1")])], axis="ms")
            root = ElementTree.fromstring(chart.svg)
            label = next(e for e in root.iter() if e.tag.endswith("text") and (e.text or "").startswith(name[0]))
            width = sum(11 if ord(letter) > 255 else 6.2 for letter in label.text or "")
            assert float(label.get("x") or 0) - width > 0

    def test_a_waterfall_says_how_many_lost_and_won(self):
        chart = waterfall("t", [-0.5, 0.0, 0.0, 0.25], axis="points", extent=0.5)
        assert chart.description == "t: of 4 queries 1 are lower, 2 the same, 1 higher"

    def test_where_less_is_better_the_queries_with_more_have_lost(self):
        """The colours are the page's variables ``--good`` and ``--bad``."""

        def coloured(lower: bool) -> list[str]:
            svg = waterfall("t", [0.5, 0.5, -0.25], axis="points", extent=0.5, lower=lower).svg
            return re.findall(r"var\(--(good|bad)\)", svg)

        assert coloured(lower=False) == ["good", "good", "bad"]
        assert coloured(lower=True) == ["bad", "bad", "good"]

    def test_the_same_chart_is_drawn_the_same(self):
        drawn = {dots("t", [Bar(name="a", figure=1.0, shown="1")], axis="x").svg for _ in range(2)}
        assert len(drawn) == 1

    def test_nothing_to_draw(self):
        ElementTree.fromstring(bars("t", [], axis="x").svg)
        ElementTree.fromstring(dots("t", [], axis="x").svg)
        ElementTree.fromstring(waterfall("t", [], axis="x", extent=1).svg)
