# ruff: noqa: S101 - tests, though they lie in the package
"""The contract of a fusion, as tests."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from qx.errors import UsageError
from qx.ranking import Fusion, Ranking
from qx.testing.conformance.processor import check_factory
from qx.testing.context import ranked
from qx.types import Hit, SubQuery


def _list(strategy: str, *ids: str) -> Ranking:
    query = SubQuery(text=strategy, strategy=strategy)
    hits = [Hit(id=id, backend="main", title=f"{id} of {strategy}") for id in ids]
    return replace(ranked(*hits), query=query, backend="main")


ORIGINAL = _list("original", "a", "b", "c", "d")
SYNONYM = _list("synonym", "b", "e", "a")
NONE = _list("refine")


class FusionConformance:
    """Subclass it, and override the fixture ``fusion``."""

    @pytest.fixture
    def fusion(self) -> Fusion:
        raise NotImplementedError("override the fixture `fusion`")

    def test_it_has_the_shape_of_the_contract(self, fusion: Fusion) -> None:
        assert isinstance(fusion, Fusion)
        check_factory(type(fusion))

    def test_every_key_is_there_once(self, fusion: Fusion) -> None:
        done = fusion.fuse([ORIGINAL, SYNONYM, NONE], [2.0, 1.0, 1.0])
        assert sorted(done.keys) == ["a", "b", "c", "d", "e"]
        assert len(done.scores) == 5
        assert all(map(math.isfinite, done.scores))
        assert list(done.scores) == sorted(done.scores, reverse=True)
        assert [done.hit(index).id for index in range(5)] == list(done.keys)

    def test_one_list_keeps_its_order(self, fusion: Fusion) -> None:
        assert fusion.fuse([ORIGINAL], [1.0]).keys == ORIGINAL.keys

    def test_the_order_of_the_lists_does_not_count(self, fusion: Fusion) -> None:
        there = fusion.fuse([ORIGINAL, SYNONYM], [2.0, 1.0])
        back = fusion.fuse([SYNONYM, ORIGINAL], [1.0, 2.0])
        assert there.keys == back.keys

    def test_weights_count(self, fusion: Fusion) -> None:
        assert fusion.fuse([ORIGINAL, SYNONYM], [1.0, 0.0]).keys[0] == "a"
        assert fusion.fuse([ORIGINAL, SYNONYM], [0.0, 1.0]).keys[0] == "b"

    def test_nothing_and_empty_lists_make_an_empty_list(self, fusion: Fusion) -> None:
        assert fusion.fuse([NONE], [1.0]).keys == ()
        assert fusion.fuse([NONE, NONE], [1.0, 1.0]).keys == ()

    @pytest.mark.parametrize("weights", [[1.0], [0.0, 0.0], [1.0, -1.0], [1.0, math.nan]])
    def test_weights_that_mean_nothing_are_an_error(self, fusion: Fusion, weights: list[float]) -> None:
        with pytest.raises(UsageError):
            fusion.fuse([ORIGINAL, SYNONYM], weights)
