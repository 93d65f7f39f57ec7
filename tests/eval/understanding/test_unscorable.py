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
    rows = [row(1, intents=["how-to"]), row(2, intents=["how-to"]), row(3, intents=["factual"])]
    assert unscorable(rows, knowledge) == ("1 row says the same as one before (line 2): it counts twice",)
