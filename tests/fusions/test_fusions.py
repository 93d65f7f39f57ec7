"""Fusions: hand-computed sums, ties that do not depend on anything, and hits that are made when asked for."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import permutations
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qx.errors import UsageError
from qx.fusions.dbsf import DistributionBased
from qx.fusions.relative_score import RelativeScore
from qx.fusions.rrf import ReciprocalRank, Settings
from qx.plugins import Plugins
from qx.ranking import Fusion, Ranking
from qx.types import Found, Hit, SubQuery

FUSIONS = (ReciprocalRank(), RelativeScore(), DistributionBased())
EACH = pytest.mark.parametrize("fusion", FUSIONS, ids=lambda f: type(f).__name__)


def ranking(keys: Sequence[str], scores: Sequence[float] | None = None, name: str = "q", **parts: Any) -> Ranking:
    """A list whose hits say where they come from."""

    def hit(index: int) -> Hit:
        return Hit(id=keys[index], backend=parts.get("backend", "main"), title=f"{name}:{index}", url=keys[index])

    given_ = tuple(scores) if scores is not None else tuple(float(len(keys) - i) for i in range(len(keys)))
    query = parts.pop("query", SubQuery(text=name, strategy="original"))
    return Ranking(query=query, backend=parts.pop("backend", "main"), keys=tuple(keys), scores=given_, hit=hit, **parts)


def fused(fusion: Fusion, *lists: Ranking, weights: Sequence[float] | None = None) -> Ranking:
    return fusion.fuse(lists, weights if weights is not None else [1.0] * len(lists))


class TestReciprocalRank:
    def test_a_key_counts_once_a_list(self):
        assert fused(ReciprocalRank(), ranking("XXXY"), ranking("Y")).keys == ("Y", "X")

    def test_two_third_places_beat_one_first(self):
        assert fused(ReciprocalRank(), ranking("XaY"), ranking("bcY")).keys[0] == "Y"

    def test_by_hand(self):
        done = fused(ReciprocalRank(), ranking("abc"), ranking("bd"), weights=[1.0, 0.5])
        by_hand = {"a": 1 / 61, "b": 1 / 62 + 0.5 / 61, "c": 1 / 63, "d": 0.5 / 62}
        assert dict(zip(done.keys, done.scores, strict=True)) == pytest.approx(by_hand, rel=1e-9)
        assert done.keys == ("b", "a", "c", "d")

    def test_weights_choose(self):
        lists = ranking("ab"), ranking("cd")
        assert fused(ReciprocalRank(), *lists, weights=[1, 0]).keys == ("a", "b")
        assert fused(ReciprocalRank(), *lists, weights=[0, 1]).keys == ("c", "d")

    def test_k(self):
        lists = ranking("axy"), ranking("bxz"), ranking("c")
        assert fused(ReciprocalRank(Settings(k=0)), *lists).keys[0] == "a"  # 1 against 1/2 + 1/2, and a stands better
        assert fused(ReciprocalRank(), *lists).keys[0] == "x"

    def test_ties_go_by_best_rank_then_key(self):
        # q: 1/61 in one list; p: the same sum from a second place of a heavier list
        done = fused(ReciprocalRank(), ranking("ab"), ranking("ba"), ranking("q"), ranking("p"))
        assert done.keys == ("a", "b", "p", "q")
        halves = fused(ReciprocalRank(Settings(k=0)), ranking("xB"), ranking("yA"), ranking("C"), weights=[1, 1, 0.5])
        assert halves.keys == ("x", "y", "C", "A", "B")

    @settings(max_examples=60, deadline=None)
    @given(st.lists(st.lists(st.sampled_from("abcdefgh"), max_size=8), min_size=1, max_size=5))
    def test_agrees_with_exact_fractions(self, lists: list[list[str]]):
        exact: dict[str, tuple[Fraction, int]] = {}
        for keys in lists:
            for rank, key in enumerate(dict.fromkeys(keys), 1):
                total, best = exact.get(key, (Fraction(0), rank))
                exact[key] = (total + Fraction(1, 60 + rank), min(best, rank))
        order = sorted(exact, key=lambda k: (-exact[k][0], exact[k][1], k))
        done = fused(ReciprocalRank(), *map(ranking, lists))
        assert list(done.keys) == order
        assert list(done.scores) == pytest.approx([float(exact[k][0]) for k in order], rel=1e-9)


class TestScores:
    def test_relative_by_hand(self):
        done = fused(RelativeScore(), ranking("abc", [10, 6, 2]), ranking("bd", [0.9, 0.1]), weights=[1, 2])
        assert dict(zip(done.keys, done.scores, strict=True)) == pytest.approx({"b": 2.5, "a": 1.0, "c": 0, "d": 0})
        assert done.keys == ("b", "a", "d", "c")  # d is second in its list, c third

    def test_relative_of_equal_scores_is_one(self):
        done = fused(RelativeScore(), ranking("ab", [3, 3]), ranking("c", [0.2]), weights=[1, 0.5])
        assert dict(zip(done.keys, done.scores, strict=True)) == {"a": 1.0, "b": 1.0, "c": 0.5}

    def test_dbsf_by_hand(self):
        # 9, 6, 3: mean 6, sigma 3, so -3..15; 2, 0: mean 1, sigma sqrt(2)
        done = fused(DistributionBased(), ranking("abc", [9, 6, 3]), ranking("bd", [2, 0]))
        high = (1 + 3 * math.sqrt(2)) / (6 * math.sqrt(2))
        by_hand = {"a": 12 / 18, "b": 9 / 18 + high, "c": 6 / 18, "d": 1 - high}
        assert dict(zip(done.keys, done.scores, strict=True)) == pytest.approx(by_hand, rel=1e-9)

    def test_dbsf_without_spread_is_a_half(self):
        done = fused(DistributionBased(), ranking("ab", [3, 3]), ranking("c", [7]))
        assert done.scores == (0.5, 0.5, 0.5)

    def test_dbsf_agrees_with_qdrant(self):
        local = pytest.importorskip("qdrant_client.hybrid.fusion", reason="qdrant-client is not installed")
        models = pytest.importorskip("qdrant_client.http.models")
        lists = [("abcde", [9.0, 7.5, 7.0, 2.0, 1.0]), ("ecx", [0.9, 0.8, 0.1]), ("y", [4.0])]
        points = [
            [models.ScoredPoint(id=ord(k), version=0, score=s) for k, s in zip(keys, scores, strict=True)]
            for keys, scores in lists
        ]
        theirs = {chr(p.id): p.score for p in local.distribution_based_score_fusion(points, limit=20)}
        done = fused(DistributionBased(), *(ranking(*one) for one in lists))
        assert dict(zip(done.keys, done.scores, strict=True)) == pytest.approx(theirs, rel=1e-6)

    @pytest.mark.parametrize("fusion", FUSIONS[1:], ids=lambda f: type(f).__name__)
    @settings(max_examples=60, deadline=None)
    @given(st.lists(st.floats(), min_size=1, max_size=6))
    def test_any_float_gives_finite_scores(self, fusion: Fusion, scores: list[float]):
        done = fused(fusion, ranking([str(i) for i in range(len(scores))], scores))
        assert all(map(math.isfinite, done.scores))


LISTS = st.lists(
    st.tuples(
        st.lists(st.tuples(st.sampled_from("abcdefg"), st.sampled_from([0.1, 0.3, 0.7, 2.0, 5.5])), max_size=7),
        st.sampled_from([0.0, 0.3, 0.7, 1.0]),
    ),
    min_size=1,
    max_size=5,
)


@EACH
class TestAll:
    def test_is_a_fusion(self, fusion: Fusion):
        assert isinstance(fusion, Fusion)

    @settings(max_examples=60, deadline=None)
    @given(LISTS, st.randoms(use_true_random=False))
    def test_the_order_of_lists_changes_nothing(self, fusion: Fusion, lists: Any, random: Any):
        if not any(weight for _, weight in lists):
            return
        made = [(ranking([k for k, _ in pairs], sorted((s for _, s in pairs), reverse=True)), w) for pairs, w in lists]
        shuffled = random.sample(made, len(made))
        one, other = (fusion.fuse([r for r, _ in m], [w for _, w in m]) for m in (made, shuffled))
        assert (one.keys, one.scores) == (other.keys, other.scores)
        assert len(set(one.keys)) == len(one.keys)

    @pytest.mark.parametrize("weights", [[0, 0], [1, -1], [1], [1, 1, 1], [1, math.nan], [1, math.inf], []])
    def test_weights_that_make_no_sense(self, fusion: Fusion, weights: list[float]):
        with pytest.raises(UsageError, match="weight"):
            fusion.fuse([ranking("a"), ranking("b")], weights)

    def test_weights_differ(self, fusion: Fusion):
        lists = [ranking("ab"), ranking("ba")]
        assert fusion.fuse(lists, [1, 0]).keys == ("a", "b")
        assert fusion.fuse(lists, [0, 1]).keys == ("b", "a")

    def test_no_lists_and_empty_lists(self, fusion: Fusion):
        assert fusion.fuse([], []).keys == ()
        assert fused(fusion, ranking(""), ranking("")).keys == ()
        assert fused(fusion, ranking("ab"), ranking("")).keys == ("a", "b")

    def test_any_key(self, fusion: Fusion):
        keys = ["", "\U0010ffff", "\U0010ffff\U0010ffff", "\0", "会议"]
        assert set(fused(fusion, ranking(keys), ranking(["x"])).keys) == {*keys, "x"}

    def test_fusing_touches_no_hit(self, fusion: Fusion):
        made: list[int] = []

        def hit(index: int) -> Hit:
            made.append(index)
            return Hit(id="abc"[index], backend="main")

        done = fused(fusion, replace(ranking("abc"), hit=hit), ranking("xyz"))
        assert made == []
        done.hit(done.keys.index("b"))
        assert made == [1]
        done.hit(done.keys.index("b"))
        assert made == [1]

    def test_the_hit_is_from_the_list_where_it_stands_best(self, fusion: Fusion):
        for lists in permutations([(ranking("abY", name="far"), 1.0), (ranking("Yc", name="near"), 0.5)]):
            done = fusion.fuse([r for r, _ in lists], [w for _, w in lists])
            at = done.keys.index("Y")
            hit = done.hit(at)
            assert hit.title == "near:0"
            assert (hit.rank, hit.score) == (at + 1, done.scores[at])
            assert hit.contributions == (
                Found(query="near", backend="main", rank=1, weight=0.5),
                Found(query="far", backend="main", rank=3, weight=1.0),
            )

    def test_contributions_count_places_without_doubles(self, fusion: Fusion):
        done = fused(fusion, ranking("XXXY"), ranking("Z", name="other"))
        assert done.hit(done.keys.index("Y")).contributions[0].rank == 2
        assert done.hit(done.keys.index("Y")).title == "q:3"

    def test_a_fused_list_may_be_fused_again(self, fusion: Fusion):
        inner = fused(fusion, ranking("ab", name="one"), ranking("b", name="two"))
        done = fused(fusion, inner, ranking("b", name="three"))
        found = done.hit(done.keys.index("b")).contributions
        assert {c.query for c in found} == {"one", "two", "three"}
        assert [c.rank for c in found] == sorted(c.rank for c in found)

    def test_picking_from_it(self, fusion: Fusion):
        done = fused(fusion, ranking("abc"), ranking("cb"))
        picked = done.pick([2, 0])
        assert [picked.hit(i).id for i in range(2)] == list(picked.keys)


def test_what_lists_say_is_put_together():
    one = ranking("ab", backend="x", frequencies={"tv": 5}, total=7, facets={"brand": [("HP", 3)]})
    two = ranking("b", backend="x", frequencies={"tv": 6}, total=9, facets={"brand": [("HP", 4)]})
    other = ranking(
        "c", backend="y", total=2, facets={"brand": [("HP", 1), ("LG", 9)]}, notes=("n",), dropped=(("k", "r"),)
    )
    done = fused(ReciprocalRank(), one, two, other)
    assert done.frequencies == {"tv": 6}
    assert done.total == 11  # 9 of x, 2 of y
    assert done.facets == {"brand": (("LG", 9), ("HP", 5))}
    assert (done.notes, done.dropped, done.outcome) == (("n",), (("k", "r"),), "ok")
    assert fused(ReciprocalRank(), ranking("abc", total=1), ranking("d", total=1)).total == 4
    assert fused(ReciprocalRank(), one, ranking("c", backend="y")).total is None


async def test_by_name():
    registry = Plugins.load(allow=()).registry("fusions")
    assert registry.names() == ("dbsf", "relative-score", "rrf")
    for name in registry.names():
        made: Any = registry.get(name)
        fusion = await made.create(made.Settings.model_validate({}), SimpleNamespace())
        assert fused(fusion, ranking("ab")).keys == ("a", "b")
    with pytest.raises(ValueError, match="extra"):
        Settings.model_validate({"kk": 1})


@pytest.mark.parametrize("seed", ["0", "1", "4242"])
def test_the_hash_seed_changes_nothing(seed: str):
    code = (
        "from qx.fusions.rrf import ReciprocalRank; from qx.ranking import Ranking;"
        "make = lambda ks: Ranking(query=None, backend='b', keys=tuple(ks), scores=tuple(1.0 for _ in ks), hit=None);"
        "print(*ReciprocalRank().fuse([make('qwert'), make('yuiop'), make('asdfg')], [1, 1, 1]).keys, sep='')"
    )
    environment = os.environ | {"PYTHONHASHSEED": seed}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    assert done.stdout.strip() == "aqysuwdeiforgpt"
