"""Platforms and spellings of units, which packs give as data."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qx.domain import DomainPack, Knowledge, Platform, Taxonomy, merge
from qx.packs import load_pack
from qx.rules import drift, figures, platforms
from qx.rules.respelling import respelt
from qx.rules.understand import RuleUnderstanding
from qx.rules.wording import Wording
from qx.types import Query, Understanding

PACK = {
    "schema_version": 1, "name": "shops", "taxonomy": {"name": "shops", "intents": [{"id": "buy", "cues": ["buy", "买"]}]},
    "platforms": [
        {"name": "甲城", "names": ["Shop A"], "site": "a.example", "language": "zh", "intents": ["buy"]},
        {"name": "乙城", "names": ["Shop B"], "site": "b.example", "language": "zh", "intents": ["buy"]},
        {"name": "Shop C", "site": "c.example", "language": "en", "intents": ["buy"]},
        {"name": "丁城"},
    ],
    "units": [{"unit": "inch", "words": {"zh": ["英寸", "寸"], "en": ["inch", '"']}}, {"unit": "kg", "words": {"zh": ["公斤"], "en": ["kg"]}}],
}  # fmt: skip
KNOWLEDGE: Knowledge = merge([DomainPack.model_validate(PACK), load_pack("qx.builtin:general/pack.yaml")])
RULES = RuleUnderstanding(KNOWLEDGE)


def wording(text: str) -> Wording:
    query = Query(text=text)
    read = RULES.understand(query, now=datetime(2026, 11, 30, tzinfo=UTC), zone=UTC)
    return Wording(query=query, understanding=read, knowledge=KNOWLEDGE)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("甲城买手机", ["甲城"]),
        ("buy a tent on Shop A or Shop C", ["甲城", "Shop C"]),
        ("买手机", []),
        ("丁城 买手机", ["丁城"]),
    ],
)
def test_those_that_a_query_names(text: str, named: list[str]):
    assert [one.name for one in platforms.named(wording(text))] == named


def test_those_for_an_intent_are_of_the_reader_s_language():
    assert [one.name for one in platforms.fitting(wording("想买帐篷"))] == ["甲城", "乙城"]
    assert [one.name for one in platforms.fitting(wording("buy a tent"))] == ["Shop C"]
    assert platforms.fitting(wording("how deep is the sea")) == ()


@pytest.mark.parametrize(
    ("intents", "names"),
    [
        (("buy", "sell"), ["Buyers", "Both", "Sellers", "More sellers"]),
        (("sell", "buy"), ["Sellers", "Both", "More sellers", "Buyers"]),
        (("other", "sell"), ["Sellers", "Both", "More sellers"]),
        (("other",), []),
    ],
)
def test_those_for_the_first_intent_come_first(intents: tuple[str, ...], names: list[str]):
    said = [("Sellers", ["sell"]), ("Buyers", ["buy"]), ("Both", ["sell", "buy"]), ("More sellers", ["sell"])]
    named = tuple(Platform(name=name, intents=tuple(its)) for name, its in said)
    known = Knowledge(name="markets", taxonomy=Taxonomy(name="markets", intents=()), platforms=named)
    wanted = Wording(
        query=Query(text="a tent"), understanding=Understanding(language="en", intent=intents), knowledge=known
    )
    assert [one.name for one in platforms.fitting(wanted)] == names


@pytest.mark.parametrize(
    ("text", "core"),
    [
        ("在甲城上的手机壳 黑色", "手机壳 黑色"),
        ("甲城和乙城 手机壳 哪个便宜", "手机壳"),
        ("buy phone case on Shop A", "buy phone case"),
        ("phone case, Shop A or Shop C", "phone case"),
        ("a phone case cheapest", "phone case"),
    ],
)
def test_the_query_without_its_platforms(text: str, core: str):
    assert platforms.core_without(wording(text), text) == core


def test_a_name_is_said_as_it_was_typed_else_in_the_reader_s_script():
    first = KNOWLEDGE.platforms[0]
    assert platforms.label(first, wording("buy a tent on shop a")) == "shop a"
    assert platforms.label(first, wording("buy a tent")) == "Shop A"
    assert platforms.label(first, wording("想买帐篷")) == "甲城"


def test_a_site_says_its_platform():
    read = wording("甲城 X20").understanding
    assert drift.lost_subject("X20 site:a.example", "site", read, KNOWLEDGE) == ()
    assert drift.lost_subject("X20 site:b.example", "site", read, KNOWLEDGE) != ()


@pytest.mark.parametrize(
    ("text", "language", "spelt"),
    [
        ("15.6寸笔记本", "zh", ["15.6英寸", "15.6 inch", '15.6"']),
        ('15.6" laptop', "en", ["15.6 inch"]),
        ("至少27寸的显示器", "zh", ["27英寸", "27 inch", '27"']),
        ("10公斤洗衣机", "zh", ["10 kg"]),
        ("laptop", "en", []),
        ("500元 手机", "zh", []),
    ],
)
def test_other_spellings_of_a_measure(text: str, language: str, spelt: list[str]):
    assert [measure for _, measure, _ in respelt(text, language, KNOWLEDGE)] == spelt


def test_without_units_nothing_is_spelt_otherwise():
    assert list(respelt("15.6寸", "zh", merge([load_pack("qx.builtin:general/pack.yaml")]))) == []


@settings(max_examples=40, deadline=None)
@given(
    number=st.decimals(min_value=1, max_value=99, places=1),
    unit=st.sampled_from(["寸", "英寸", " inch", '"', "公斤", " kg"]),
    after=st.sampled_from(["", " 黑色", "笔记本", " laptop"]),
)
def test_another_spelling_is_the_same_measure(number: object, unit: str, after: str):
    text = f"{number}{unit}{after}"
    wanted = figures.find(text)
    for typed, measure, whole in respelt(text, "zh", KNOWLEDGE):
        assert typed in text
        assert measure in whole
        assert all(figures.kept(figure, figures.find(whole)) for figure in wanted), whole
