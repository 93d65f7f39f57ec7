"""Scores worked out by hand."""

import pytest

from qx.eval.understanding.rows import Row, Wanted
from qx.eval.understanding.running import report
from qx.eval.understanding.scoring import Count, Reading, Scored, score
from qx.eval.understanding.summary import calibrate, confusion, f1, grouped, summarise
from qx.eval.understanding.table import lines
from qx.settings import Profile
from qx.types import Constraint, Entity, Sentiment, SubQuery, Understanding


def scored(wanted: dict, read: dict | None = None, queries: tuple[str, ...] = (), line: int = 1) -> Scored:
    found = (
        SubQuery(text=wanted["text"], strategy="original"),
        *(SubQuery(text=q, strategy="refine") for q in queries),
    )
    reading = Reading(understanding=Understanding(**(read or {})), queries=found, milliseconds=10.0 * line)
    return score(Row(line=line, wanted=Wanted(**wanted), file="set.jsonl"), reading)


INTENTS = [
    scored({"text": "1", "intents": ["a"]}, {"intent": ("a",), "confidence": 0.95}),
    scored({"text": "2", "intents": ["a", "b"]}, {"intent": ("b", "a"), "confidence": 0.85}),
    scored({"text": "3", "intents": ["b"]}, {"intent": ("c",), "confidence": 0.85}),
    scored({"text": "4", "intents": []}, {"intent": (), "confidence": 0.15}),
    scored({"text": "5"}, {"intent": ("a",), "confidence": 0.5}),
]


def test_intents():
    found = summarise(INTENTS).intents
    assert found is not None
    assert found.rows == 4
    assert found.first == 0.5  # rows 1 and 4
    assert found.among == 0.75  # and row 2
    # a: 2 wanted, 2 read, 2 found: 1; b: 2 wanted, 1 read, 1 found: 2/3; c: 0 wanted, 1 read: 0
    assert {name: label.f1 for name, label in found.labels.items()} == {"a": 1.0, "b": pytest.approx(2 / 3), "c": 0.0}
    assert found.macro_f1 == pytest.approx((1 + 2 / 3 + 0) / 3)


def test_constraints_in_part():
    def price(number: float, **more: str) -> dict:
        return {"field": "price", "op": "le", "value": number, **more}

    wanted = {
        "text": "x",
        "constraints": [price(100, unit="USD"), {"field": "colour", "op": "eq", "value": "dark red"}],
    }
    read = (
        Constraint(field="price", op="le", value=109.0, unit="USD", text="x"),  # close, within 10 %
        Constraint(field="colour", op="eq", value="red", text="x"),  # a part of it
        Constraint(field="colour", op="ne", value="dark red", text="x"),  # another op
    )
    found = summarise([scored(wanted, {"constraints": read})]).constraints
    assert found is not None
    assert (found.exact.found, found.exact.f1) == (0, 0.0)
    assert (found.partial.found, found.partial.wanted, found.partial.read) == (2, 2, 3)
    assert (found.partial.precision, found.partial.recall) == (pytest.approx(2 / 3), 1.0)
    assert found.partial.f1 == pytest.approx(0.8)

    far = (Constraint(field="price", op="le", value=111.0, unit="USD", text="x"),)
    other_unit = (Constraint(field="price", op="le", value=100.0, unit="EUR", text="x"),)
    for limits in (far, other_unit):
        found = summarise([scored({"text": "x", "constraints": [price(100, unit="USD")]}, {"constraints": limits})])
        assert found.constraints is not None
        assert found.constraints.partial.f1 == 0.0


def test_confusion_of_the_first():
    assert confusion(INTENTS) == {"(nothing)": {"(nothing)": 1}, "a": {"a": 1, "b": 1}, "b": {"c": 1}}


def test_calibration():
    found = calibrate(INTENTS)
    assert found is not None
    assert found.rows == 4
    # bins: [.1,.2) 0.15 right; [.8,.9) 0.85 twice, half right; [.9,1] 0.95 right
    assert [(b.low, b.rows, b.accuracy) for b in found.bins] == [(0.1, 1, 1.0), (0.8, 2, 0.5), (0.9, 1, 1.0)]
    assert found.ece == pytest.approx((0.85 + 2 * 0.35 + 0.05) / 4)
    assert found.brier == pytest.approx((0.05**2 + 0.15**2 + 0.85**2 + 0.85**2) / 4)


def test_certainty_is_in_the_last_bin():
    found = calibrate([scored({"text": "x", "intents": ["a"]}, {"intent": ("a",), "confidence": 1.0})])
    assert found is not None
    assert (found.bins[0].low, found.ece, found.brier) == (0.9, 0.0, 0.0)


def test_no_row_says_it():
    found = summarise([INTENTS[4]])
    assert found.intents is None
    assert found.entities is None
    assert found.must is None
    assert calibrate([INTENTS[4]]) is None


def test_entities_and_constraints_over_all_rows_together():
    wanted = {
        "text": "cheap linen shirt under $50",
        "entities": [{"text": "linen shirt", "type": "product"}],
        "constraints": [{"field": "price", "op": "le", "value": 50, "unit": "USD"}],
    }
    read = {
        "entities": (Entity(text="shirt", type="product"), Entity(text="linen", type="thing")),
        "constraints": (Constraint(field="price", op="le", value=50, unit="USD"),),
    }
    second = {"text": "boots", "entities": [{"text": "boots"}]}
    found = summarise([scored(wanted, read), scored(second, {"entities": (Entity(text="boots"),)})])
    assert found.entities is not None
    assert found.constraints is not None
    assert (found.entities.exact.found, found.entities.exact.wanted, found.entities.exact.read) == (1, 2, 3)
    assert found.entities.exact.f1 == pytest.approx(2 * 1 / 5)
    assert found.entities.partial.f1 == pytest.approx(2 * 2 / 5)
    assert found.constraints.rows == 1
    assert found.constraints.exact.f1 == 1.0


def test_f1_of_nothing_wanted():
    assert f1(Count()).f1 == 1.0
    assert (f1(Count(read=2)).precision, f1(Count(read=2)).f1) == (0.0, 0.0)
    assert (f1(Count(wanted=2)).recall, f1(Count(wanted=2)).f1) == (0.0, 0.0)


def test_what_queries_keep():
    wanted = {"text": "红茶", "language": "zh", "must": ["红茶", "产地"], "must_not": ["咖啡"]}
    row = scored(wanted, {"language": "zh"}, ("红茶 冲泡", "black tea brewing guide for beginners", "咖啡 红茶"))
    found = summarise([row])
    assert found.language_kept is not None
    assert (found.language_kept.share, found.language_kept.of) == (pytest.approx(2 / 3), 3)
    assert found.must is not None
    assert (found.must.share, found.must.of) == (0.5, 2)
    assert found.must_not is not None
    assert found.must_not.share == 0.0
    assert {failure.field for failure in row.failures} == {"language_kept", "must", "must_not"}


def test_moods_kinds_and_languages():
    wanted = {"text": "x", "language": "zh-Hant", "kind": "vague", "sentiment": "angry", "stance": "critical"}
    read = {
        "language": "zh",
        "kind": "vague",
        "sentiment": Sentiment(label="angry", intensity=0.2),
        "stance": "neutral",
    }
    found = summarise([scored(wanted, read)])
    assert [s and s.share for s in (found.sentiment, found.stance, found.kind, found.language_read)] == [
        1.0,
        0.0,
        1.0,
        0.0,
    ]


def test_a_kind_of_the_sets_own_groups_and_is_not_scored():
    found = summarise([scored({"text": "x", "kind": "symptom"}, {"kind": "simple"})])
    assert found.kind is None
    assert list(grouped([scored({"text": "x", "kind": "symptom"})], lambda row: row.kind)) == ["symptom"]


def test_needs_that_are_read_in_part():
    found = summarise(
        [scored({"text": "x", "implicit_needs": ["步骤", "材料"]}, {"implicit_needs": ("详细步骤", "视频")})]
    )
    assert found.implicit_needs is not None
    assert found.implicit_needs.exact.f1 == 0.0
    assert found.implicit_needs.partial.f1 == 0.5


def test_a_row_without_a_result_counts_as_nothing_read():
    row = score(
        Row(line=1, wanted=Wanted(text="x", intents=("a",), entities=()), file="f"),
        Reading(error="the deadline passed"),
    )
    made = report("f", Profile(), [row])
    assert made.errors == 1
    assert made.latency.rows == 0
    assert made.failed[0].failures[0].read == "the deadline passed"
    assert made.scores.intents is not None
    assert made.scores.intents.first == 0.0


def test_the_report_has_everything_and_the_table_too():
    rows = [
        *INTENTS,
        scored({"text": "苹果", "language": "zh", "intents": ["b"]}, {"intent": ("c",), "language": "zh"}, line=9),
    ]
    made = report("set.jsonl", Profile(), rows)
    assert made.rows == 6
    assert made.latency.rows == 6
    assert made.latency.median == 10.0
    assert set(made.languages) == {"und", "zh"}
    assert [row.line for row in made.failed] == [1, 1, 9]
    text = "\n".join(lines(made, failed=2))
    assert "confusion" in text
    assert "ECE" in text
    assert "3 rows were read otherwise; the first 2:" in text
    assert "苹果" not in text
    assert "wanted b; read c" in text


def test_rows_that_earlier_runs_answered_tell_no_time():
    row = score(Row(line=1, wanted=Wanted(text="x"), file="f"), Reading(milliseconds=3.0, kept=2))
    made = report("f", Profile(), [row])
    assert made.latency.rows == 0
    assert made.usage.cached == 2
    assert "all from earlier runs" in "\n".join(lines(made))
