"""Rows that no reading can be right on: a slip of the pen would count as misread, and nobody would know."""

from __future__ import annotations

from typing import Any

import pytest

from engines import profile
from qx.domain import Knowledge
from qx.eval.understanding import Row, Wanted, unscorable
from qx.gathering import gather_knowledge
from qx.plugins import Plugins


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    return gather_knowledge(profile(), Plugins.load(allow=()))


def row(line: int, file: str = "", **wanted: Any) -> Row:
    return Row(line=line, wanted=Wanted.model_validate({"text": "红色 widget 手机", **wanted}), file=file)


@pytest.mark.parametrize(
    ("wanted", "told"),
    [
        (
            {"intents": ["how-two"]},
            "no pack of the profile has the intent 'how-two' (line 7): did you mean 'how-to'?",
        ),
        (
            {"constraints": [{"field": "prize", "op": "le", "value": 3}]},
            "no pack of the profile has the field 'prize' (line 7): did you mean 'price'?",
        ),
        (
            {"entities": [{"text": "widget", "type": "produkt"}]},
            "no pack of the profile has the type of entity 'produkt' (line 7): did you mean 'product'?",
        ),
        (
            {"entities": [{"text": "gadget"}]},
            "the query does not hold the entity 'gadget' (line 7): it counts as misread",
        ),
    ],
)
def test_a_slip_of_the_pen_is_told(knowledge: Knowledge, wanted: Any, told: str):
    assert unscorable([row(7, **wanted)], knowledge) == (told,)


def test_what_can_be_read_is_not_told(knowledge: Knowledge):
    rows = [
        row(1, intents=["how-to"], constraints=[{"field": "colour", "op": "eq", "value": "red"}]),
        row(
            2,
            entities=[{"text": "WIDGET", "type": "product"}, {"text": "手機"}, {"text": "红色", "type": "identifier"}],
        ),
    ]
    assert unscorable(rows, knowledge) == ()


def test_rows_of_several_files_are_told_with_their_file(knowledge: Knowledge):
    rows = [row(1, "a.jsonl", intents=["zzz"]), row(1, "b.jsonl", intents=["zzz"], kind="simple")]
    (told,) = unscorable(rows, knowledge)
    assert "(a.jsonl:1, b.jsonl:1)" in told


def test_a_row_that_stands_twice_is_told(knowledge: Knowledge):
    rows = [row(1, intents=["how-to"]), row(2, intents=["how-to"]), row(3, text="tea")]
    assert unscorable(rows, knowledge) == ("1 row says the same as one before (line 1, 2): it counts twice",)
    rows.append(row(3, "more.jsonl", text="tea"))
    assert unscorable(rows, knowledge) == ("2 rows say the same as one before (such as line 1, 2): it counts twice",)


BOTH = "both rows count, and no reading is right for both"


@pytest.mark.parametrize(
    ("one", "two", "told"),
    [
        ({"intents": ["how-to"]}, {"intents": ["factual"]}, ["the intents"]),
        ({"intents": ["how-to", "factual"]}, {"intents": ["factual", "how-to"]}, []),
        ({"intents": []}, {"intents": ["factual"]}, ["the intents"]),
        ({"intents": ["how-to"]}, {"sentiment": "angry"}, []),
        ({"sentiment": "neutral"}, {"sentiment": "angry"}, ["the sentiment"]),
        ({"kind": "simple"}, {"kind": "complex"}, ["the kind"]),
        ({"kind": "shop"}, {"kind": "desk"}, []),  # groups of the author's own
        ({"entities": [{"text": "手机"}]}, {"entities": [{"text": "手機", "type": "product"}]}, []),
        (
            {"entities": [{"text": "手机", "type": "product"}]},
            {"entities": [{"text": "手机", "type": "identifier"}]},
            ["the entities"],
        ),
        ({"entities": [{"text": "手机"}]}, {"entities": [{"text": "手机"}, {"text": "widget"}]}, ["the entities"]),
        (
            {"constraints": [{"field": "price", "op": "le", "value": 3}]},
            {"constraints": [{"field": "price", "op": "le", "value": 4}]},
            ["the constraints"],
        ),
        (
            {"constraints": [{"field": "price", "op": "le", "value": 3}]},
            {"constraints": [{"field": "price", "op": "le", "value": 3, "unit": "CNY"}]},
            [],
        ),
        ({"must": ["手机", "Tea"]}, {"must_not": ["tea"]}, ["the word 'tea'"]),
        ({"must": ["手机"]}, {"must": ["tea"]}, []),
        ({"text": "红色 WIDGET 手机", "language": "zh"}, {"language": "en"}, ["the language"]),
        (
            {"intents": ["how-to"], "now": "2026-11-29T14:30:00+08:00"},
            {"intents": ["factual"], "now": "2026-11-30T14:30:00+08:00"},
            [],
        ),
    ],
)
def test_rows_that_contradict_one_another_are_told_with_both_lines(
    knowledge: Knowledge, one: Any, two: Any, told: list[str]
):
    notes = unscorable([row(3, **one), row(7, text="tea"), row(9, **two)], knowledge)
    assert notes == tuple(f"two readings of '红色 widget 手机' are wanted (line 3, 9: {what}): {BOTH}" for what in told)


def test_contradictions_between_files_and_many_of_them(knowledge: Knowledge):
    rows = [row(1, "a.jsonl", intents=["how-to"]), row(1, "b.jsonl", intents=["factual"])]
    [note] = unscorable(rows, knowledge)
    assert "(a.jsonl:1, b.jsonl:1: the intents)" in note
    notes = unscorable(
        [row(1, intents=["how-to"]), *(row(n, intents=["factual"], must=[f"w{n}"]) for n in range(2, 20))], knowledge
    )
    assert len(notes) == 6
    assert notes[-1] == "and 13 more such contradictions"
