"""Reports worked out by hand."""

import pytest

from qx.eval.sheets import Item, Rating, blinded, report
from qx.eval.sheets.report import wilson
from qx.eval.sheets.table import lines

ITEMS = [
    Item(
        query=f"q{n}",
        text=f"q{n}",
        condition=condition,
        kind="simple" if n < 2 else "vague",
        queries=(f"q{n}", condition),
    )
    for n in range(4)
    for condition in ("model", "rules")
]
KEY = blinded(ITEMS, name="log", asking="queries", tongue="en", seed=1)
ROW = {(item.query, item.condition): id_ for id_, item in KEY.rows.items()}


def rated(rater: str, condition: str, question: str, *values: int) -> list[Rating]:
    return [
        Rating(rater=rater, row=ROW[f"q{n}", condition], question=question, value=value)
        for n, value in enumerate(values)
    ]


RATINGS = [
    *rated("anna", "model", "relevance", 5, 4, 3, 4),
    *rated("bo", "model", "relevance", 4, 4, 3),
    *rated("anna", "rules", "relevance", 2, 2, 2, 3),
    *rated("bo", "rules", "relevance", 2, 3, 1),
    *rated("anna", "model", "useful", 1, 1, 1, 0),
    *rated("bo", "model", "useful", 1, 1, 0),
]


def test_means_are_over_rows_each_the_mean_of_its_raters():
    made = report(KEY, RATINGS)
    model, rules = made.conditions
    assert (model.name, rules.name) == ("model", "rules")
    mean = model.questions["relevance"]
    assert mean.mean == pytest.approx((4.5 + 4 + 3 + 4) / 4)
    assert (mean.rows, mean.ratings) == (4, 7)
    assert mean.low <= mean.mean <= mean.high
    assert mean.low >= 3
    assert model.questions["useful"].mean == pytest.approx((1 + 1 + 0.5 + 0) / 4)
    assert "useful" not in rules.questions
    assert "coverage" not in model.questions


def test_by_kind():
    kinds = report(KEY, RATINGS).conditions[0].kinds
    assert kinds["simple"]["relevance"].mean == pytest.approx(4.25)
    assert kinds["vague"]["relevance"].mean == pytest.approx(3.5)


def test_agreement_is_over_all_rows():
    made = report(KEY, RATINGS)
    found = made.agreement["relevance"]
    assert (found.level, found.rows, found.raters) == ("ordinal", 6, 2)
    assert found.alpha is not None
    assert 0.7 < found.alpha < 1
    assert made.agreement["useful"].level == "nominal"
    assert made.agreement["coverage"].alpha is None


def test_conditions_are_compared_by_original():
    (found,) = [one for one in report(KEY, RATINGS).comparisons if one.measure == "relevance"]
    assert (found.a, found.b) == ("model", "rules")
    assert found.difference == pytest.approx(((2 - 4.5) + (2.5 - 4) + (1.5 - 3) + (3 - 4)) / 4)
    assert (found.wins, found.ties, found.losses) == (0, 0, 4)


def test_raters_rows_and_notes():
    made = report(KEY, RATINGS)
    assert made.raters == {"anna": 8, "bo": 6}
    assert (made.rows, made.rated) == (8, 8)
    alone = report(KEY, rated("anna", "model", "relevance", 5))
    assert alone.rated == 1
    assert any("fewer than two raters" in note for note in alone.notes)
    assert any("7 rows have no rating" in note for note in alone.notes)


def test_raters_who_disagree_are_told():
    made = report(KEY, [*rated("a", "model", "relevance", 1, 5, 1, 5), *rated("b", "model", "relevance", 5, 1, 5, 1)])
    assert any("relevance: alpha" in note and "differently" in note for note in made.notes)


def test_nothing_rated_at_all():
    made = report(KEY, [])
    assert made.rated == 0
    assert all(not one.questions for one in made.conditions)
    assert "nobody" in "\n".join(lines(made))


def test_wilson_by_hand():
    # 8 of 10: centre (0.8 + 0.19207) / 1.38415, half 1.38415^-1 * 1.96 * sqrt(0.016 + 0.0096036)
    low, high = wilson(0.8, 10)
    assert (low, high) == (pytest.approx(0.4902, abs=1e-4), pytest.approx(0.9433, abs=1e-4))
    assert wilson(1.0, 10)[0] == pytest.approx(0.7225, abs=1e-4)
    assert wilson(0.0, 10)[0] == 0.0


def test_the_table():
    text = "\n".join(lines(report(KEY, RATINGS)))
    assert "model" in text
    assert "62 % [" in text
    assert "3.88 [" in text
    assert "rules - model" in text


def test_the_rows_that_count_are_those_that_were_rated():
    made = report(KEY, rated("anna", "model", "relevance", 5, 4))
    model, rules = made.conditions
    assert (model.rows, model.rated, rules.rated) == (4, 2, 0)
    assert any(line.split()[:4] == ["model", "2", "of", "4"] for line in lines(made))


def test_rows_that_show_the_same_are_a_tie_and_tell_how_sure_raters_are():
    same = [
        Item(query=f"q{n}", text=f"q{n}", condition=condition, queries=(f"q{n}", *((condition,) if n == 0 else ())))
        for n in range(4)
        for condition in ("model", "rules", "third")
    ]
    key = blinded(same, name="log", asking="queries", tongue="en", seed=1)
    place = {(item.query, item.condition): id_ for id_, item in key.rows.items()}
    sloppy = [
        Rating(rater="anna", row=place[f"q{n}", condition], question="relevance", value=value if n < 3 else 3)
        for n in range(4)
        for condition, value in (("model", 2), ("rules", 5))
    ]
    made = report(key, sloppy)
    (compared,) = made.comparisons
    assert (compared.wins, compared.ties, compared.losses, compared.queries) == (1, 3, 0, 4)
    assert (
        "3 of 4 originals have one and the same set or answer in model and rules: they count as a tie of the two, "
        "while the means are as they were rated; raters gave both the same in 1 of 3 ratings, which says how sure they are"
    ) in made.notes
    assert "3 of 4 originals have one and the same set or answer in model and third: they count as a tie " in "\n".join(
        made.notes
    )
    assert not any("the same set" in note for note in report(KEY, RATINGS).notes)


def test_who_left_a_sheet_empty_is_told():
    made = report(KEY, RATINGS, raters=["empty", *dict.fromkeys(rating.rater for rating in RATINGS)])
    assert made.raters["empty"] == 0
    assert "nothing is rated in the sheet of empty" in made.notes
    assert not any("fewer than two raters" in note for note in made.notes)
    assert any("fewer than two raters" in note for note in report(KEY, (), raters=["a", "b"]).notes)
