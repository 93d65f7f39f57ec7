import pytest

from qx.eval.judging.report import may_rank
from qx.eval.judging.table import agreement
from qx.eval.judging.trust import trust

SCALE = (0, 1, 2, 3)


def test_a_judge_that_agrees_is_trusted():
    people = [0, 1, 2, 3] * 6
    judge = [0, 1, 2, 3] * 5 + [0, 1, 2, 2]
    found = trust("grade", people, judge, scale=SCALE, weights="quadratic")
    assert found.trusted
    assert found.kappa is not None
    assert found.kappa > 0.95
    assert (found.pairs, found.same) == (24, 23)
    assert found.confusion["3"] == {"2": 1, "3": 5}
    assert found.note == ""


def test_a_judge_that_says_the_same_of_everything_is_not():
    found = trust("grade", [0, 1, 2, 3] * 6, [2] * 24, scale=SCALE, weights="quadratic")
    assert found.kappa == pytest.approx(0.0)
    assert found.trusted is False


def test_the_threshold_is_reached_at_it():
    people, judge = [0] * 25 + [1] * 25, [0] * 20 + [1] * 5 + [0] * 10 + [1] * 15  # kappa 0.4 by hand
    for threshold, trusted in ((0.39, True), (0.41, False)):
        found = trust("useful", people, judge, scale=(0, 1), weights="none", threshold=threshold)
        assert found.kappa == pytest.approx(0.4)
        assert found.trusted is trusted


def test_nobody_knows_without_people():
    found = trust("grade", [], [], scale=SCALE, weights="quadratic")
    assert found.trusted is None
    assert found.kappa is None


def test_all_the_same_is_not_agreement():
    found = trust("grade", [2] * 30, [2] * 30, scale=SCALE, weights="quadratic")
    assert found.kappa is None
    assert found.trusted is False
    assert "one and the same" in found.note


@pytest.mark.parametrize(("people", "trusted"), [([0, 3], False), ([0, 3] * 9, False), ([0, 3] * 10, True)])
def test_few_pairs_prove_nothing(people: list[int], trusted: bool):
    found = trust("grade", people, people, scale=SCALE, weights="quadratic")
    assert found.kappa == 1.0
    assert found.trusted is trusted
    assert (f"only {len(people)} pairs: 20 are needed" in found.note) is not trusted
    assert may_rank((found,)) == (trusted, False)
    assert trust("grade", [2, 2], [2, 2], scale=SCALE, weights="quadratic").note.count(";") == 1


def test_no_threshold_lets_few_pairs_rank():
    assert trust("grade", [0, 1], [1, 0], scale=SCALE, weights="quadratic", threshold=-1.0).trusted is False


@pytest.mark.parametrize("people", [[0, 1] * 12, [0, 5] * 12, [-1, 4] * 12])
def test_other_scales_are_compared_as_relevant_or_not(people: list[int]):
    judge = [1, 2] * 12
    found = trust("grade", people, judge, scale=SCALE, weights="quadratic")
    assert found.kappa == pytest.approx(1.0)
    assert found.weights == "none"
    assert "another scale" in found.note


def test_what_is_not_defined_is_not_called_below_the_threshold():
    found = trust("grade", [1] * 12, [2] * 12, scale=SCALE, weights="quadratic")
    assert found.note.split("; ") == [
        "people's grades are on another scale: compared as relevant (judge: 2 and above) or not",
        "kappa is not defined: all grades are one and the same",
        "only 12 pairs: 20 are needed before kappa says anything",
    ]
    assert agreement(found)[0] == "grade: kappa with people over 12 pairs, 12 of them alike, is not defined"
    one = trust("grade", [3], [3], scale=SCALE, weights="quadratic")
    assert agreement(one)[0] == "grade: kappa with people over 1 pair, 1 of them alike, is not defined"
    assert "only 1 pair: 20 are needed" in one.note
    low = trust("grade", [0, 3] * 10, [3, 0] * 10, scale=SCALE, weights="quadratic")
    assert agreement(low)[0].endswith("with people over 20 pairs, 0 of them alike, is below 0.4")
