"""The parts of tuning: splits, the space, decisions, the profile that is written."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from qx.errors import UsageError
from qx.eval.measures import parse_measures
from qx.eval.tuning.decision import PROVING, decide, sides
from qx.eval.tuning.space import FIT, FUSION, WITHOUT, applied, space
from qx.eval.tuning.splitting import part, split
from qx.eval.tuning.trials import checked, depth_of, digest
from qx.eval.tuning.values import Budget, Side, TuneReport
from qx.eval.tuning.wording import lines
from qx.eval.tuning.writing import place, text, write
from qx.eval.values import Dataset, EvalQuery
from qx.plugins import Plugins
from qx.profiles import load_profile
from qx.settings import Profile
from qx.types import Usage

PLUGINS = Plugins.load(allow=())


def dataset(kinds: str = "a" * 40 + "b" * 20, *, texts: tuple[str, ...] = ()) -> Dataset:
    queries = tuple(
        EvalQuery(id=f"q{n}", text=texts[n] if n < len(texts) else f"query {n}", kind=kind)
        for n, kind in enumerate(kinds)
    )
    return Dataset(name="d", queries=queries, grades={q.id: {"x": 1} for q in queries}, fingerprint="f")


def ids(one: Dataset) -> set[str]:
    return {query.id for query in one.queries}


def test_a_split_keeps_the_shares_of_kinds_and_no_query_is_on_both_sides():
    train, held = split(dataset(), share=0.5, seed=3)
    assert Counter(q.kind for q in train.queries) == Counter(a=20, b=10)
    assert not ids(train) & ids(held)
    assert ids(train) | ids(held) == ids(dataset())
    assert (train, held) == split(dataset(), share=0.5, seed=3)
    assert ids(train) != ids(split(dataset(), share=0.5, seed=4)[0])
    assert len({train.fingerprint, held.fingerprint, dataset().fingerprint}) == 3
    assert set(train.grades) == ids(train)


def test_one_text_is_on_one_side_whatever_its_case():
    texts = tuple(text for n in range(15) for text in (f"Shoe {n}", f"shoe {n}"))
    train, held = split(dataset("a" * 30, texts=texts))
    assert not {q.text.casefold() for q in train.queries} & {q.text.casefold() for q in held.queries}


@settings(max_examples=60, deadline=None)
@given(st.text("abcd", min_size=25, max_size=120), st.floats(0.4, 0.6), st.integers(0, 5))
def test_any_kinds_are_shared_out_to_one_query(kinds: str, share: float, seed: int):
    try:
        train, held = split(dataset(kinds), share=share, seed=seed)
    except UsageError:
        assert min(share, 1 - share) * len(kinds) <= 11
        return
    assert len(train.queries) + len(held.queries) == len(kinds)
    assert abs(len(train.queries) - share * len(kinds)) <= 1
    found = Counter(q.kind for q in train.queries)
    for kind, count in Counter(kinds).items():
        assert abs(found[kind] - share * count) <= 1


def test_queries_that_prove_nothing_are_left_out_and_few_are_refused():
    judged = dataset()
    grades = {**judged.grades, "q0": {"x": 0}, "q1": {}}
    train, held = split(Dataset(name="d", queries=judged.queries, grades=grades, fingerprint="f"))
    assert not {"q0", "q1"} & (ids(train) | ids(held))
    with pytest.raises(UsageError, match="9 held-out queries"):
        split(dataset("a" * 19))
    with pytest.raises(UsageError, match="between 0 and 1"):
        split(dataset(), share=1.0)


def test_a_part_is_drawn_from_the_training_side():
    train, _ = split(dataset())
    some = part(train, 12, seed=1)
    assert ids(some) < ids(train)
    assert len(some.queries) == 12
    assert part(train, 999) is train


def test_every_draw_is_a_profile_that_loads_and_differs_from_the_old(tmp_path: Path):
    profile = Profile.model_validate(
        {"name": "p", "tenant": "t", "search": {"backends": {"main": {"type": "local"}}, "share": 0.5}}
    ).model_copy(update={"folder": tmp_path})
    searched = space(profile, PLUGINS)
    chance = random.Random(1)
    (tmp_path / "p.yaml").write_text("tenant: t\nsearch: {backends: {main: {type: local}}, share: 0.5}\n")
    seen: set[str] = set()
    changes: dict[str, Any] = {}
    for _ in range(60):
        changes = searched.neighbour(changes, chance) if chance.random() < 0.5 else searched.draw(chance)
        made = applied(profile, changes)
        assert len(changes.get(WITHOUT, ())) < len(searched.strategies)
        assert changes.get("search.share") != 0.5
        assert (made == profile) is (not changes)
        seen |= set(changes)
        report = reported(settings=changes)
        (tmp_path / "p-tuned.yaml").write_text(text(report, profile, datetime(2026, 3, 1, tzinfo=UTC)))
        loaded = load_profile(tmp_path / "p-tuned.yaml", plugins=PLUGINS, env={})
        assert loaded.expand.model_dump() == made.expand.model_dump()
        assert loaded.search.model_dump() == made.search.model_dump()
        assert loaded.tenant == "t"
    assert seen == {*searched.options, WITHOUT}
    assert {FIT, FUSION, "search.strong", "expand.similarity", "search.share", "expand.limit"} == set(searched.options)


def test_what_would_change_the_raw_query_too_is_not_searched():
    two = Profile.model_validate({"search": {"backends": {"a": {"type": "local"}, "b": {"type": "local"}}}})
    assert FUSION not in space(two, PLUGINS).options
    other = Profile.model_validate({"expand": {"processors": [{"type": "fit"}, "x"]}})
    assert FIT not in space(other, PLUGINS).options


def test_settings_have_one_name_each():
    assert digest({"a": 1, "b": 2}) == digest({"b": 2, "a": 1}) != digest({"a": 1})


def test_without_judgements_nothing_is_split():
    with pytest.raises(UsageError, match="log has no judgements, and nothing is proven without"):
        split(Dataset(name="log", queries=(EvalQuery(id="q", text="tea"),)))


# ---- decisions ---------------------------------------------------------------------------------------------------


def side(name: str, difference: float, low: float, high: float, p: float, measure: str = "ndcg@10") -> Side:
    return Side(
        name=name, measure=measure, without=0.5, figure=0.5 + difference, difference=difference, low=low, high=high, p=p,
        queries=50,
    )  # fmt: skip


BETTER, NOTHING, WORSE = (0.05, 0.02, 0.08, 0.001), (0.001, -0.002, 0.003, 0.6), (-0.05, -0.08, -0.02, 0.001)


@pytest.mark.parametrize(
    ("before", "tuned", "choice", "said"),
    [
        (NOTHING, BETTER, "tuned", "proven better"),
        (BETTER, NOTHING, "before", "the profile as it was is proven"),
        (BETTER, None, "before", "nothing better than the profile as it was"),
        (NOTHING, NOTHING, "off", "no difference shown"),
        (WORSE, NOTHING, "off", "is worse"),
        (WORSE, WORSE, "off", "is worse"),
        (BETTER, WORSE, "before", "is worse"),
        (NOTHING, (0.05, -0.01, 0.1, 0.1), "off", "may be worse"),
        (NOTHING, (0.05, 0.01, 0.1, 0.06), "off", "no difference shown"),
    ],
)
def test_only_what_is_proven_is_taken(before: Any, tuned: Any, choice: str, said: str):
    given = [side("before", *before)] + ([side("tuned", *tuned)] if tuned else [])
    made, reason = decide(given)
    assert made == choice
    assert said in reason


def test_the_tuned_profile_is_held_against_the_one_as_it_was():
    both = [side("before", *BETTER), side("tuned", *BETTER)]
    made, reason = decide(both, [side("tuned", *NOTHING), side("tuned", -0.0113, -0.03, 0.008, 0.3, "recall@100")])
    assert made == "tuned"
    assert "beside the profile as it was: ndcg@10 no difference shown, +0.10 points" in reason
    assert "recall@100 no difference shown, -1.13 points, -3.00 to +0.80" in reason
    made, reason = decide(both, [side("tuned", *BETTER), side("tuned", *WORSE, measure="recall@100")])
    assert made == "before"
    assert "tuned: proven, but beside the profile as it was: ndcg@10 better" in reason
    assert "recall@100 worse, -5.00 points" in reason
    unproven = [side("before", *NOTHING), side("tuned", *BETTER)]
    assert (
        decide(unproven, [side("tuned", *WORSE, measure="recall@100")])[0] == "tuned"
    )  # the other choice were no expansion


def test_both_sides_have_their_own_figures_in_the_table():
    train = (replace(side("before", *NOTHING), without=0.4321),)
    made = reported(training=train, held_out=(side("before", *NOTHING),), beside=(side("tuned", *BETTER),))
    said = list(lines(made))
    header = next(line for line in said if "training: without" in line)
    assert "held out: without" in header
    row = next(line for line in said if line.strip().startswith("before"))
    assert row.split()[:6] == ["before", "ndcg@10", "43.21", "+0.10", "50.00", "+0.10"]
    place = said.index("tuned beside the profile as it was, held out:")
    assert said[place + 2].split()[:4] == ["ndcg@10", "50.00", "55.00", "+5.00"]


def test_with_few_held_out_queries_nothing_is_proven():
    """All equal differences have no width, and rare losses are not in a small sample: the bounds alone say too little."""
    few = [replace(side("before", *BETTER), queries=PROVING - 1), replace(side("tuned", *BETTER), queries=PROVING - 1)]
    made, reason = decide(few)
    assert made == "off"
    assert (
        f"too few queries to prove anything: {PROVING - 1} held out count for ndcg@10, {PROVING} are needed" in reason
    )
    assert decide([replace(one, queries=PROVING) for one in few])[0] == "tuned"
    mixed = [side("before", *BETTER), replace(side("before", *NOTHING, measure="recall@100"), queries=10)]
    assert decide(mixed)[0] == "off"  # a measure that can forbid must be able to
    assert PROVING >= 50


def test_one_measure_proves_and_every_measure_can_forbid():
    gain, loss = side("tuned", *BETTER, measure="recall@100"), side("tuned", *WORSE)
    still = side("tuned", *NOTHING)
    before = side("before", *NOTHING)
    assert decide([before, gain, still])[0] == "tuned"
    assert decide([before, gain, loss])[0] == "off"
    assert decide([before, gain, still], tolerance=0.001)[0] == "off"


def test_sides_are_signed_so_that_more_is_better():
    measures = tuple(parse_measures(["ndcg@10", "zero-results"]))
    chance = np.random.default_rng(1)
    raw = {"ndcg@10": chance.random(60), "zero-results": np.ones(60)}
    good = {"ndcg@10": raw["ndcg@10"] + 0.1, "zero-results": np.zeros(60)}
    found = {one.measure: one for one in sides(raw, {"tuned": good}, measures)}
    assert {name: round(one.difference, 6) for name, one in found.items()} == {
        measures[0].name: 0.1,
        measures[1].name: 1.0,
    }
    assert all(one.low > 0 and one.p < 0.01 for one in found.values())


def test_two_profiles_and_two_measures_are_four_comparisons():
    chance = np.random.default_rng(2)
    raw = {"a": chance.random(40), "b": chance.random(40)}
    other = {"a": raw["a"] + chance.normal(0.05, 0.15, 40), "b": raw["b"]}
    measures = [type("M", (), {"name": name, "about": type("A", (), {"lower": False})})() for name in "ab"]
    alone = sides(raw, {"tuned": other}, measures[:1])[0].p  # type: ignore[arg-type]
    among = sides(raw, {"tuned": other, "before": raw}, measures)[0].p  # type: ignore[arg-type]
    assert among == pytest.approx(min(1.0, 4 * alone))


# ---- budgets, measures, files --------------------------------------------------------------------------------------


def test_a_budget_ends_by_time_calls_or_money():
    budget = Budget(seconds=60, calls=10, cost=1.0)
    assert budget.spent(59, Usage(calls=9, cost=0.9)) == ""
    assert budget.spent(60, Usage()) == "60 seconds"
    assert budget.spent(0, Usage(calls=10)) == "10 model calls"
    assert budget.spent(0, Usage(cost=1.5, currency="EUR")) == "1 EUR"
    with pytest.raises(UsageError):
        Budget(trials=0)


def test_measures_beside_the_raw_list_are_no_goal():
    assert [one.name for one in checked(["ndcg@10"])] == [parse_measures(["ndcg@10"])[0].name]
    for wrong, said in ((["overlap@10"], "not by overlap@10"), (["mrr", "good@10"], "not by good@10")):
        with pytest.raises(UsageError, match=said):
            checked(wrong)  # documents are no points: neither the tolerance nor the mean over measures fits them
    with pytest.raises(UsageError, match="recall@1001: a search brings 1000 hits at most"):
        checked(["recall@1001"])
    with pytest.raises(UsageError):
        checked([])


def test_lists_are_as_deep_as_the_deepest_measure():
    assert depth_of(checked(["ndcg@10", "mrr"])) == 100
    assert depth_of(checked(["ndcg@10", "recall@300"])) == 300


def reported(**more: Any) -> TuneReport:
    values: dict[str, Any] = {
        "dataset": "d", "profile": "p", "command": "qx tune p d", "seed": 0, "measures": ("ndcg@10",), "train": 20,
        "held": 20, "trials": (), "changes": {"search.share": 0.8}, "choice": "tuned", "reason": "proven: 王 #1",
        "training": (side("tuned", *BETTER),), "held_out": (side("tuned", *BETTER),), **more,
    }  # fmt: skip
    return TuneReport(**values)


def test_the_profile_says_what_it_rests_on(tmp_path: Path):
    profile = Profile(name="p", tenant="007").model_copy(update={"folder": tmp_path})
    made = text(reported(settings={"search.share": 0.8}), profile, datetime(2026, 3, 1, tzinfo=UTC))
    assert yaml.safe_load(made) == {"extends": "p", "tenant": "007", "search": {"share": 0.8}}
    comment = [line for line in made.splitlines() if line.startswith("#")]
    assert "2026-03-01" in comment[0]
    assert any("held out +5.00 (+2.00 to +8.00)" in line for line in comment)
    assert comment[-1] == "# Again: qx tune p d"
    beside = text(reported(beside=(side("tuned", *WORSE),)), profile, datetime(2026, 3, 1, tzinfo=UTC))
    assert "# Tuned beside the settings as they were, held out:\n#\n#   ndcg@10      -5.00 (-8.00 to -2.00)" in beside
    off = text(reported(choice="off", settings={"expand.abstain": "always"}), profile, datetime(2026, 3, 1, tzinfo=UTC))
    assert "Not taken: {'search.share': 0.8}" in off
    assert yaml.safe_load(off)["expand"] == {"abstain": "always"}


def test_the_new_profile_lies_beside_the_old_one(tmp_path: Path):
    profile = Profile(name="shop").model_copy(update={"folder": tmp_path, "source": tmp_path / "shop.yaml"})
    assert place(profile, None) == tmp_path / "shop-tuned.yaml"
    assert place(profile, "better") == tmp_path / "better.yaml"
    assert place(profile, str(tmp_path / "v1.2.yaml")) == tmp_path / "v1.2.yaml"
    for wrong in ("../other.yaml", "shop", str(tmp_path / "below" / "x.yaml")):
        with pytest.raises(UsageError):
            place(profile, wrong)


@pytest.mark.parametrize(
    "odd",
    [
        "d\nsearch: {share: 0.1}",
        "d\rtenant: x",
        "d\u2028x: 1",
        "d\x85x: 1",
        "d\x00\x1b[31m",
        "d\ud800",
        "d\uffff",
        "d\u202e",
        "d\ufeff",
    ],
)
@pytest.mark.parametrize("name", ["dataset", "command", "reason"])
def test_a_name_puts_nothing_into_the_profile_but_its_comment(tmp_path: Path, odd: str, name: str):
    (tmp_path / "p.yaml").write_text("tenant: t\nsearch: {backends: {main: {type: local}}}\n")
    profile = load_profile(tmp_path / "p.yaml", plugins=PLUGINS, env={})
    made = text(reported(settings={"expand.limit": 3}, **{name: odd}), profile, datetime(2026, 3, 1, tzinfo=UTC))
    assert yaml.safe_load(made) == {"extends": "p", "tenant": "t", "expand": {"limit": 3}}
    path = tmp_path / "p-tuned.yaml"
    write(path, made, lambda fresh: load_profile(fresh, plugins=PLUGINS, env={}))
    assert load_profile(path, plugins=PLUGINS, env={}).expand.limit == 3
    assert sorted(file.name for file in tmp_path.iterdir()) == ["p-tuned.yaml", "p.yaml"]


def test_a_profile_that_would_not_load_is_not_written(tmp_path: Path):
    path = tmp_path / "p-tuned.yaml"
    path.write_text("tenant: before\n")
    with pytest.raises(UsageError, match=r"p-tuned\.yaml: not written, since the new profile would not load"):
        write(path, "extends: no-such-profile\n", lambda fresh: load_profile(fresh, plugins=PLUGINS, env={}))
    assert [(file.name, file.read_text()) for file in tmp_path.iterdir()] == [("p-tuned.yaml", "tenant: before\n")]


def test_columns_of_chinese_names_line_up():
    found = (side("before", *NOTHING), side("before", *NOTHING, measure="zero-results"))
    said = list(lines(reported(training=found, held_out=found, dataset="商店")))
    rows = [line for line in said if line.startswith("  ") and "+0.10" in line]
    assert len(rows) == 2
    assert len({line.index("50.00") for line in rows}) == 1
    assert len({len(line) for line in rows}) == 1  # numbers end where numbers end
