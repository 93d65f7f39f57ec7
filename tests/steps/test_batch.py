from hypothesis import given
from hypothesis import strategies as st

from qx.steps.batch import _by_position, split


@given(st.lists(st.integers(1, 2000), max_size=40), st.integers(1, 12), st.none() | st.integers(500, 20000))
def test_every_query_is_in_exactly_one_batch(lengths: list[int], size: int, window: int | None):
    payloads = [{"query": "x" * n} for n in lengths]
    parts = split(payloads, answer=600, size=size, overhead=400, window=window)
    assert [i for part in parts for i in part] == list(range(len(payloads)))
    assert all(1 <= len(part) <= size for part in parts)


def test_a_batch_is_halved_until_it_fits_the_window():
    payloads = [{"query": "x" * 36}] * 10
    assert [len(p) for p in split(payloads, answer=600, size=10, overhead=100, window=None)] == [10]
    assert [len(p) for p in split(payloads, answer=600, size=10, overhead=100, window=4000)] == [5, 5]
    assert all(len(p) == 1 for p in split(payloads, answer=600, size=10, overhead=100, window=10))


def test_entries_are_matched_by_id_and_doubtful_ones_fall_out():
    good, bare = {"id": 1, "result": {"a": 1}}, {"id": 2, "a": 2}
    entries = [good, bare, {"id": 3, "result": {}}, {"id": 4, "result": {"a": 4}}, {"id": 4, "result": {"a": 5}}]
    entries += ["text", {"id": 99, "result": {"a": 9}}, {"result": {"a": 0}}, {"id": "5", "result": {"a": 5}}]
    assert _by_position(entries, 5) == {0: {"a": 1}, 1: {"a": 2}}
