"""Agreement against examples worked out by hand and in the papers."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qx.errors import UsageError
from qx.eval.agreement import cohen_kappa, krippendorff_alpha


def table(rows: list[list[int]]) -> tuple[list[int], list[int]]:
    """The ratings behind a table of counts: rows are the first rater's categories, columns the second's."""
    pairs = [(i, j) for i, row in enumerate(rows) for j, count in enumerate(row) for _ in range(count)]
    return [a for a, _ in pairs], [b for _, b in pairs]


def test_kappa_of_two_judges_and_fifty_proposals():
    # 20 + 15 of 50 agree: observed 0.7; by chance 0.5 * 0.6 + 0.5 * 0.4 = 0.5; (0.7 - 0.5) / (1 - 0.5)
    first, second = table([[20, 5], [10, 15]])
    assert cohen_kappa(first, second) == pytest.approx(0.4)


def test_weighted_kappa_of_three_categories_by_hand():
    # n = 10, rows 5 3 2, columns 4 4 2.
    # linear:    observed (1*1 + 1*1 + 1*2 + 1*1)/10 = 5/10
    #            expected (5*4*1 + 5*2*2 + 3*4*1 + 3*2*1 + 2*4*2 + 2*4*1)/100 = 82/100
    # quadratic: observed (1 + 1 + 4 + 1)/10; expected (20 + 40 + 12 + 6 + 32 + 8)/100 = 118/100
    first, second = table([[3, 1, 1], [1, 2, 0], [0, 1, 1]])
    assert cohen_kappa(first, second) == pytest.approx(PLAIN)
    assert cohen_kappa(first, second, weights="linear") == pytest.approx(1 - 0.5 / 0.82)
    assert cohen_kappa(first, second, weights="quadratic") == pytest.approx(1 - 0.7 / 1.18)


PLAIN = 1 - (4 / 10) / (1 - (5 * 4 + 3 * 4 + 2 * 2) / 100)
"""Plain kappa of the same table: four disagree; by chance 36 of 100 agree."""


def test_a_scale_with_unused_categories_keeps_its_distances():
    first, second = [0, 0, 3, 3], [0, 3, 3, 3]
    assert cohen_kappa(first, second, weights="quadratic", scale=(0, 1, 2, 3)) == cohen_kappa(first, second)
    uneven = [0, 1, 3, 3]
    assert cohen_kappa(first, uneven, weights="linear", scale=(0, 1, 2, 3)) != cohen_kappa(
        first, uneven, weights="linear"
    )


def test_kappa_leaves_out_items_with_one_rating():
    first, second = table([[20, 5], [10, 15]])
    assert cohen_kappa([*first, 0, None], [*second, None, 1]) == pytest.approx(0.4)


@pytest.mark.parametrize(("first", "second"), [([], []), ([1, 1], [1, 1]), ([None], [2])])
def test_kappa_is_undefined_without_variation(first: list[int | None], second: list[int | None]):
    assert cohen_kappa(first, second) is None


def test_kappa_refuses_what_cannot_be_compared():
    with pytest.raises(UsageError, match="2 ratings and 1"):
        cohen_kappa([1, 2], [1])
    with pytest.raises(UsageError, match=r"7 is not on the scale 1, 2, 3"):
        cohen_kappa([1, 2], [1, 7], scale=(1, 2, 3))


def test_zero_is_a_rating_that_may_be_off_the_scale():
    with pytest.raises(UsageError, match="0 is not on the scale"):
        cohen_kappa([0, 2], [1, 2], scale=(1, 2, 3))


N = None
RELIABILITY = [  # Krippendorff 2011, section E: four observers, twelve units, missing data
    [1, 2, 3, 3, 2, 1, 4, 1, 2, N, N, N],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, N, 3],
    [N, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, N],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, N],
]


@pytest.mark.parametrize(("level", "value"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)])
def test_alpha_of_the_papers_example_with_missing_data(level: str, value: float):
    assert krippendorff_alpha(RELIABILITY, level=level) == pytest.approx(value, abs=5e-4)  # type: ignore[arg-type]


def test_alpha_of_two_observers_and_binary_data():
    # Krippendorff 2011, section B: Meg and Owen, ten units: 1 - 19 * 4 ... = 0.095
    meg = [0, 1, 0, 0, 0, 0, 0, 0, 1, 0]
    owen = [1, 1, 1, 0, 0, 1, 0, 0, 0, 0]
    assert krippendorff_alpha([meg, owen]) == pytest.approx(0.095, abs=5e-4)


def test_alpha_of_two_observers_and_categories_by_hand():
    # Krippendorff 2011, section C: alpha = ((n - 1) * sum(o_cc) - sum(n_c (n_c - 1))) / (n (n - 1) - sum(n_c (n_c - 1)))
    # twelve units, n = 24, nine of them agree: the o_cc sum to 18
    one, other = "aaabbcccdeed", "aabbbcccddea"
    assert sum(a == b for a, b in zip(one, other, strict=True)) == 9
    ratings = [[ord(c) for c in one], [ord(c) for c in other]]
    counts = sorted((one + other).count(c) for c in "abcde")
    by_chance = sum(n * (n - 1) for n in counts)
    assert krippendorff_alpha(ratings) == pytest.approx((23 * 18 - by_chance) / (24 * 23 - by_chance))


def test_alpha_ignores_units_with_one_rating():
    more = [[*rater, None] for rater in RELIABILITY[:-1]] + [[*RELIABILITY[-1], 5]]
    assert krippendorff_alpha(more, level="ordinal") == krippendorff_alpha(RELIABILITY, level="ordinal")


@pytest.mark.parametrize("ratings", [[], [[1, 2]], [[1, 1], [1, 1]], [[1, None], [None, 2]]])
def test_alpha_is_undefined_without_variation_or_pairs(ratings: list[list[float | None]]):
    assert krippendorff_alpha(ratings) is None


def test_alpha_refuses_lists_of_different_lengths():
    with pytest.raises(UsageError, match="lengths differ"):
        krippendorff_alpha([[1, 2], [1]])


ratings_of_two = st.lists(st.tuples(st.integers(1, 5), st.integers(1, 5)), min_size=1, max_size=30)


@given(pairs=ratings_of_two)
@settings(max_examples=100, deadline=None)
def test_who_is_first_does_not_matter_and_one_is_the_most(pairs: list[tuple[int, int]]):
    first, second = [a for a, _ in pairs], [b for _, b in pairs]
    for weights in ("none", "linear", "quadratic"):
        one = cohen_kappa(first, second, weights=weights)  # type: ignore[arg-type]
        other = cohen_kappa(second, first, weights=weights)  # type: ignore[arg-type]
        assert (one is None) == (other is None)
        assert one is None or (math.isclose(one, other or 0.0, abs_tol=1e-9) and one <= 1 + 1e-12)
    for level in ("nominal", "ordinal", "interval"):
        one = krippendorff_alpha([first, second], level=level)  # type: ignore[arg-type]
        other = krippendorff_alpha([second, first], level=level)  # type: ignore[arg-type]
        assert (one is None) == (other is None)
        assert one is None or (math.isclose(one, other or 0.0, abs_tol=1e-9) and one <= 1 + 1e-12)


@given(pairs=ratings_of_two)
@settings(max_examples=50, deadline=None)
def test_nobody_disagrees_with_himself(pairs: list[tuple[int, int]]):
    rated = [a for a, _ in pairs]
    varied = len(set(rated)) > 1
    assert cohen_kappa(rated, rated) == (1.0 if varied else None)
    assert krippendorff_alpha([rated, rated], level="ordinal") == (1.0 if varied else None)
