"""What expansion added, and what becomes of it where the index does not hold it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from qx.ranking import Ranking
from qx.steps.grounding.additions import LEADS, added, corrected, weighed
from qx.steps.requests import Asked
from qx.syntax import parse
from qx.types import Hit, ListReport, SubQuery


def asked(text: str) -> Asked:
    return Asked(query=SubQuery(text=text, strategy="synonym"), text=text, expression=parse(text))


@pytest.mark.parametrize(
    ("original", "text", "words"),
    [
        ("bicycle brakes", "bicycle brake repair", ("repair",)),
        ("bicycle brake", '"bicycle brake" AND squeal -noise', ("squeal",)),
        ("bicycle brake", "BICYCLE Brake", ()),
        ("付不了款", "支付失败 解决方案", ("支付", "失败", "解决方案")),
        ("打印机卡纸", "印表機 卡纸", ()),
        ("bicycle", "the of and", ()),
    ],
)
def test_added_words(original: str, text: str, words: tuple[str, ...]):
    found = added(asked(text), parse(original))
    assert set(found) >= set(words) if words else found == ()


def ranking(text: str, backend: str = "a", target: str = "lexical", status: str = "ok") -> Ranking:
    query = SubQuery(text=text, strategy="synonym", weight=0.8)
    report = ListReport(query=query, backend=backend, target=target, status=status, hits=1)  # type: ignore[arg-type]
    return Ranking(
        query=query, backend=backend, keys=("1",), scores=(1.0,), hit=lambda i: Hit(id="1", backend="a"), report=report
    )


def test_a_list_counts_as_much_as_its_added_words_are_held():
    one = ranking("x")
    assert one.query is not None
    words = {one.query: ("held", "missing")}
    (half,) = weighed([one], words, {"a": {"held": 3, "missing": 0}})
    assert half.query is not None
    assert half.query.weight == pytest.approx(0.4)
    assert half.keys == ("1",)
    (gone,) = weighed([one], words, {"a": {"held": 0, "missing": 0}})
    assert gone.keys == ()
    assert gone.report is not None
    assert (gone.report.status, gone.report.reason, gone.report.hits) == (
        "skipped",
        "no document holds held, missing",
        0,
    )


@pytest.mark.parametrize(
    "one", [ranking("x", target="vector"), ranking("x", status="failed"), ranking("x", backend="b")]
)
def test_what_nobody_knows_or_no_words_brought_stays(one: Ranking):
    assert one.query is not None
    assert weighed([one], {one.query: ("missing",)}, {"a": {"missing": 0}}) == (one,)


def spelt(text: str = "samsung phone") -> Ranking:
    one = ranking(text)
    assert one.query is not None
    assert one.report is not None
    query = replace(one.query, strategy="spelling", weight=0.5)
    return replace(one, query=query, report=replace(one.report, query=query))


@pytest.mark.parametrize(
    ("counts", "leads"),
    [
        ({"samsung": 9, "samsnug": 0}, True),
        ({"samsung": 9, "samsnug": 1}, False),  # the documents say it too
        ({"samsung": 9}, False),  # nobody knows
        ({}, False),
    ],
)
def test_a_correction_leads_where_no_document_holds_what_was_typed(counts: dict[str, int], leads: bool):
    one = spelt()
    assert one.query is not None
    typed = Asked(query=SubQuery(text="", strategy="original"), text="", expression=parse("samsnug phone"))
    slips = {one.query: corrected(replace(asked("samsung phone"), query=one.query), typed)}
    assert slips[one.query] == ("samsnug",)
    (found,) = weighed([one], {one.query: ("samsung",)}, {"a": counts}, slips)
    assert found.query is not None
    assert (found.query.weight >= LEADS) is leads


def test_only_corrections_correct():
    typed = Asked(query=SubQuery(text="", strategy="original"), text="", expression=parse("samsnug phone"))
    assert corrected(asked("samsung phone"), typed) == ()
