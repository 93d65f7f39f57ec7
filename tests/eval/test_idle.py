"""Ablations that are not run: what they would find is what another condition has found."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from qx.eval import idle
from qx.eval.conditions import conditions
from qx.eval.progress import Progress
from qx.eval.running import Run
from qx.eval.values import Condition, Dataset, Row
from qx.serial import replace
from qx.testing import ScriptedLLM
from qx.types import Degraded, SubQuery

from .conftest import PLUGINS, MakeProfile, answer


def made(*profiles: object) -> tuple[Condition, ...]:
    return conditions(profiles, ablate=True, plugins=PLUGINS)  # pyright: ignore[reportArgumentType]


async def run(
    dataset: Dataset, ways: Sequence[Condition], folder: Path, **options: object
) -> tuple[Run, tuple[str, ...]]:
    one = Run(dataset, ways, folder=folder, depth=5, plugins=PLUGINS, **options)  # pyright: ignore[reportArgumentType]
    return one, (await one.run()).notes


def lists(of: Run, name: str) -> dict[str, list[str]]:
    return {row.query: [found.id for found in row.found] for row in of.rows(name)}


@pytest.fixture
def few_queries(dataset: Dataset) -> Dataset:
    return replace(dataset, queries=dataset.queries[:4])


async def test_what_is_left_out_would_have_been_found_elsewhere(dataset: Dataset, local: MakeProfile, tmp_path: Path):
    ways = made(local())
    every, _ = await run(dataset, ways, tmp_path / "all", always=[one.name for one in ways])
    assert len(every.conditions) == len(ways)
    few, notes = await run(dataset, ways, tmp_path / "few")
    gone = {one.name: one for one in ways} | dict.fromkeys(one.name for one in few.conditions)
    left_out = [one for one in gone.values() if one is not None]
    assert {"help only decompose", "help -decompose", "help -boolean"} <= {one.name for one in left_out}
    assert {"help only synonym", "help -synonym", "help only refine"} <= {one.name for one in few.conditions}
    for one in left_out:
        assert one.part is not None
        assert lists(every, one.name) == lists(every, "no-expansion" if one.part.alone else "help"), one.name
    [note] = [said for said in notes if said.startswith("not run")]
    assert note.startswith("not run, since these strategies write no query of this dataset: help only ")
    assert note.endswith("(they would be help again or no-expansion again)")
    again, told = await run(dataset, ways, tmp_path / "few")  # the same whether rows are new or there
    assert ([one.name for one in again.conditions], told) == ([one.name for one in few.conditions], notes)


async def test_nothing_is_counted_or_waited_for_that_is_left_out(
    few_queries: Dataset, local: MakeProfile, tmp_path: Path
):
    told: list[Progress] = []
    few, _ = await run(few_queries, made(local()), tmp_path, on_progress=told.append)
    last = told[-1]
    assert last.done == last.total == len(few.conditions) * len(few_queries.queries)
    assert any(one.condition == "help, what its strategies write" for one in told)


async def test_what_a_gate_names_is_run(few_queries: Dataset, local: MakeProfile, tmp_path: Path):
    few, notes = await run(few_queries, made(local()), tmp_path, always=["help only decompose"])
    names = [one.name for one in few.conditions]
    assert "help only decompose" in names
    assert "help -decompose" not in names
    assert "help only decompose" not in "".join(notes)


async def test_where_a_model_writes_all_is_run(dataset: Dataset, remote: MakeProfile, tmp_path: Path):
    model = ScriptedLLM(answer)
    short = replace(dataset, queries=dataset.queries[:1])
    ways = made(remote(llm=model, expand={"strategies": ["synonym", "decompose"]}))
    done, notes = await run(short, ways, tmp_path)
    assert len(done.conditions) == len(ways)
    assert not any(said.startswith("not run") for said in notes)


def test_what_is_not_known_leaves_nothing_out():
    def row(id: str, *strategies: str, **more: object) -> Row:
        queries = tuple(SubQuery(text=name, strategy=name) for name in strategies)
        return Row(query=id, condition="shop", queries=queries, **more)  # pyright: ignore[reportArgumentType]

    names = ("synonym", "site")
    rows = [row("a", "original", "synonym"), row("b", "original")]
    assert idle.unused(rows, 2, names) == {"site"}
    assert idle.unused(rows, 3, names) == frozenset()
    assert idle.unused([*rows, row("c", error="down")], 3, names) == frozenset()
    fallen = (Degraded(step="expand", rung="rules", reason="strategy site: no answer before the deadline"),)
    assert idle.unused([rows[0], row("b", degraded=fallen)], 2, names) == frozenset()
    elsewhere = (Degraded(step="search", rung="without vectors", reason="down"),)
    assert idle.unused([rows[0], row("b", degraded=elsewhere)], 2, names) == {"site"}


async def test_a_strategy_without_a_place_in_the_whole_that_writes_alone_is_run(
    dataset: Dataset, local: MakeProfile, tmp_path: Path
):
    profile = local(expand={"strategies": ["refine", "synonym", "decompose"], "limit": 1}, search={"min_results": 0})
    tried, _ = await run(dataset, made(profile)[:2], tmp_path / "tried")
    refined = {row.query for row in tried.rows("help") if "refine" in {query.strategy for query in row.queries}}
    some = replace(dataset, queries=tuple(query for query in dataset.queries if query.id in refined))
    done, _ = await run(some, made(profile), tmp_path)
    assert "synonym" not in {query.strategy for row in done.rows("help") for query in row.queries}
    assert "synonym" in {query.strategy for row in done.rows("help only synonym") for query in row.queries}
    names = [one.name for one in done.conditions]
    assert names == ["no-expansion", "help", "help only refine", "help only synonym", "help -refine"]
