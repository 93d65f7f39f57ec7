from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qx.errors import UsageError
from qx.eval.sheets.sampling import length_class, stratified


def kind(item: tuple[int, str]) -> str:
    return item[1]


items = st.lists(st.sampled_from("abcd"), min_size=1, max_size=60).map(lambda kinds: list(enumerate(kinds)))


@given(found=items, count=st.integers(1, 70), seed=st.integers(0, 5))
@settings(max_examples=100, deadline=None)
def test_a_sample_is_of_the_size_asked_in_order_and_of_every_stratum(
    found: list[tuple[int, str]], count: int, seed: int
):
    sample = stratified(found, count, kind, seed=seed)
    assert len(sample) == min(count, len(found))
    assert list(sample) == sorted(set(sample))
    assert sample == stratified(found, count, kind, seed=seed)
    strata = {kind(item) for item in found}
    if count >= len(strata):
        assert {kind(item) for item in sample} == strata


def test_shares_are_proportional():
    found = [(n, "a" if n < 60 else "b" if n < 90 else "c") for n in range(100)]
    assert Counter(map(kind, stratified(found, 10, kind, seed=1))) == {"a": 6, "b": 3, "c": 1}


def test_another_seed_is_another_sample():
    found = [(n, "a") for n in range(1000)]
    assert stratified(found, 10, kind, seed=1) != stratified(found, 10, kind, seed=2)


def test_a_sample_of_none_is_refused():
    with pytest.raises(UsageError, match="draw at least 1"):
        stratified([(1, "a")], 0, kind, seed=0)


@pytest.mark.parametrize(
    ("text", "length"),
    [("红茶", "short"), ("tea", "short"), ("红茶怎么泡好喝", "medium"), ("how to brew black tea", "medium"),
     ("想买一台给爸妈用的手机屏幕大点字大", "long"), ("cheap linen shirt for summer, not white", "long")],
)  # fmt: skip
def test_han_characters_take_two_places(text: str, length: str):
    assert length_class(text) == length
