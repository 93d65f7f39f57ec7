"""Runs: resumable, calling nobody twice, bounded in what they put up with."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from qx.backend import Document
from qx.engine import Engine
from qx.errors import CassetteMiss, ProfileError, ProviderError, Unavailable, UsageError
from qx.eval import index_state
from qx.eval.conditions import conditions
from qx.eval.locking import locked
from qx.eval.reporting import report
from qx.eval.running import Progress, Run, is_local
from qx.eval.values import Condition, Dataset, EvalQuery, Row
from qx.settings import Profile
from qx.testing import ScriptedLLM

from .conftest import PLUGINS, MakeProfile, answer
from .counting import Counting


def running(dataset: Dataset, *profiles: Profile, **options: Any) -> Run:
    made = conditions(profiles, plugins=PLUGINS)
    return Run(dataset, made, plugins=PLUGINS, **options)


def rows(run: Run) -> dict[str, dict[str, Row]]:
    return {one.name: {row.query: row for row in run.rows(one.name)} for one in run.conditions}


def found(run: Run) -> Mapping[str, Mapping[str, list[str]]]:
    return {name: {q: [hit.id for hit in row.found] for q, row in of.items()} for name, of in rows(run).items()}


async def test_rows_of_both_languages(dataset: Dataset, local: MakeProfile) -> None:
    run = running(dataset, local())
    result = await run.run()
    assert (result.asked, result.there, result.failed, result.notes) == (40, 0, {}, ())
    of = rows(run)
    assert set(of) == {"no-expansion", "help"}
    assert all(set(one) == {query.id for query in dataset.queries} for one in of.values())
    english, chinese = of["help"]["e1"], of["help"]["z1"]
    assert (english.found[0].id, chinese.found[0].id) == ("puncture-en", "puncture-zh")
    assert english.queries[0].strategy == "original"
    assert english.found[0].by[0] == 0
    assert english.milliseconds > 0
    assert all(len(row.queries) == 1 and row.abstained is None for row in of["no-expansion"].values())
    assert len({len(row.queries) for row in of["help"].values()}) > 1


async def test_a_run_that_is_complete_opens_no_engine(
    dataset: Dataset, local: MakeProfile, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = running(dataset, local())
    await run.run()
    monkeypatch.setattr(Engine, "open", None)
    again = running(dataset, local())
    result = await again.run()
    assert (result.asked, result.there) == (0, 40)
    assert rows(again) == rows(run)


async def test_a_rerun_calls_neither_model_nor_engine(
    dataset: Dataset, remote: MakeProfile, engine_that_counts: Counting
) -> None:
    llm = ScriptedLLM(answer)
    profile = remote(llm=llm)
    run = running(dataset, profile)
    await run.run()
    assert llm.calls == 2 * len(dataset.queries)
    before = (llm.calls, len(engine_that_counts.requests), Counting.opened)
    engine_that_counts._script = lambda request: Unavailable("the server is gone")
    again = running(dataset, profile)
    assert (await again.run()).asked == 0
    assert (llm.calls, len(engine_that_counts.requests), Counting.opened) == before
    assert found(again) == found(run)


async def test_other_weights_ask_no_model_again(dataset: Dataset, remote: MakeProfile) -> None:
    llm = ScriptedLLM(answer)
    profile = remote(llm=llm)
    await running(dataset, profile).run()
    calls = llm.calls
    search = profile.search.model_copy(update={"share": 0.1})
    run = running(dataset, profile.model_copy(update={"search": search, "name": "lighter"}))
    result = await run.run()
    assert (result.asked, llm.calls) == (len(dataset.queries), calls)
    assert all(row.kept for row in run.rows("lighter"))
    assert all(row.usage.calls == 2 for row in run.rows("lighter"))  # what it costs whoever has nothing kept


async def test_two_conditions_that_are_the_same_differ_by_nothing(dataset: Dataset, local: MakeProfile) -> None:
    run = running(dataset, local(), local("twin"))
    await run.run()
    of = found(run)
    assert of["help"] == of["twin"]
    made = report(dataset, run.conditions, run.rows, ["ndcg@10", "recall@100", "mrr"])
    twins = [c for c in made.comparisons if {c.a, c.b} == {"help", "twin"}]
    assert len(twins) == 3
    assert all((c.difference, c.low, c.high, c.wins, c.losses) == (0, 0, 0, 0, 0) for c in twins)


async def test_what_is_there_is_not_asked_again(dataset: Dataset, local: MakeProfile) -> None:
    whole = running(dataset, local())
    await whole.run()
    expected = found(whole)
    file = whole.folder.file("help").path
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(lines[:7]) + lines[7][:40])
    progress: list[Progress] = []
    run = running(dataset, local(), on_progress=progress.append)
    result = await run.run()
    assert (result.asked, result.there) == (13, 27)
    assert found(run) == expected
    assert file.read_bytes().splitlines(keepends=True)[:7] == lines[:7]
    assert (progress[0].done, progress[-1].done, progress[-1].total, progress[-1].condition) == (1, 13, 13, "help")
    assert progress[-1].left == 0


async def test_errors_are_rows_and_are_asked_again(
    dataset: Dataset, remote: MakeProfile, engine_that_counts: Counting
) -> None:
    script: Any = engine_that_counts._script
    engine_that_counts._script = lambda r: Unavailable("no shard") if "helmet" in r.text else script(r)
    run = running(dataset, remote())
    result = await run.run()
    assert result.failed == {"no-expansion": 1, "remote": 1}
    bad = rows(run)["remote"]["e8"]
    assert "no shard" in bad.error
    assert (bad.found, bad.outcome) == ((), "ok")
    engine_that_counts._script = script
    again = running(dataset, remote())
    result = await again.run()
    assert (result.asked, result.failed) == (2, {})
    assert rows(again)["remote"]["e8"].found


async def test_rules_in_the_place_of_a_model_that_is_down_are_not_the_profiles_list(
    dataset: Dataset, remote: MakeProfile
) -> None:
    llm = ScriptedLLM(lambda request: Unavailable("connection refused"))
    profile = remote(llm=llm)
    run = running(dataset, profile)
    await run.run()
    assert all("connection refused" in row.incomplete for row in run.rows("remote"))
    made = report(dataset, run.conditions, run.rows, ["ndcg@10"])
    assert any("run again" in one.text for one in made.decisions if one.verdict == "unknown")
    llm._script = answer
    again = running(dataset, profile)
    assert (await again.run()).asked == len(dataset.queries)
    assert not any(row.incomplete or row.degraded for row in again.rows("remote"))


async def test_what_a_model_says_that_cannot_be_read_is_its_own(dataset: Dataset, remote: MakeProfile) -> None:
    run = running(dataset, remote(llm=ScriptedLLM(lambda request: "")))
    await run.run()
    assert all(row.degraded and not row.incomplete for row in run.rows("remote"))


async def test_lists_without_some_engine_are_asked_again(
    dataset: Dataset, remote: MakeProfile, engine_that_counts: Counting
) -> None:
    script: Any = engine_that_counts._script
    plain = running(dataset, remote("plain"))
    await plain.run()
    query, other = next((row.query, row.queries[1].text) for row in plain.rows("plain") if len(row.queries) > 1)
    engine_that_counts._script = lambda r: script(r) if r.text != other else Unavailable("no shard")
    run = running(dataset, remote(), fresh=True)
    result = await run.run()
    assert result.failed == {}
    lacking = {row.query for row in run.rows("remote") if row.incomplete}
    assert query in lacking
    assert all("no shard" in row.incomplete and row.found for row in run.rows("remote") if row.query in lacking)
    engine_that_counts._script = script
    again = running(dataset, remote())
    assert (await again.run()).asked == len(lacking)
    assert not any(row.incomplete for row in again.rows("remote"))


async def test_an_engine_that_is_down_ends_the_run(
    dataset: Dataset, remote: MakeProfile, engine_that_counts: Counting
) -> None:
    many = replace(
        dataset, queries=tuple(EvalQuery(id=f"{n}", text=f"query {n}") for n in range(500)), grades={}, fingerprint="x"
    )
    engine_that_counts._script = lambda request: Unavailable("connection refused")
    run = running(many, remote())
    with pytest.raises(ProviderError, match=r"no-expansion: 20 queries failed one after the other.*connection refused"):
        await run.run()
    assert sum(1 for _ in run.rows("no-expansion")) == 20


async def test_a_fault_in_one_query_does_not_take_the_others_along(
    dataset: Dataset, local: MakeProfile, monkeypatch: pytest.MonkeyPatch
) -> None:
    search = Engine.search

    async def breaking(self: Engine, query: Any, /, **options: Any) -> Any:
        if query.text == "怎么补胎":
            raise ZeroDivisionError("by chance")
        return await search(self, query, **options)

    monkeypatch.setattr(Engine, "search", breaking)
    run = running(dataset, local())
    assert (await run.run()).failed == {"no-expansion": 1, "help": 1}
    assert rows(run)["help"]["z1"].error == "ZeroDivisionError: by chance"


async def test_an_index_that_has_changed_is_asked_anew(dataset: Dataset, own_index: MakeProfile) -> None:
    run = running(dataset, own_index())
    await run.run()
    before = found(run)
    async with Engine.opened(own_index(), plugins=PLUGINS) as engine:
        backend: Any = engine.backend()
        await backend.upsert([Document(id="new", title="repair a puncture", text="repair a puncture: how to")])
    again = running(dataset, own_index())
    result = await again.run()
    assert (result.asked, result.there) == (40, 0)
    assert result.notes == tuple(
        f"{name}: all was asked anew, the index of main has changed since" for name in ("no-expansion", "help")
    )
    assert "new" in found(again)["help"]["e1"]
    assert "new" not in before["help"]["e1"]
    assert (await running(dataset, own_index()).run()).asked == 0


async def test_another_number_of_documents_elsewhere_is_seen_when_it_is_asked(
    dataset: Dataset, remote: MakeProfile, engine_that_counts: Counting
) -> None:
    await running(dataset, remote()).run()
    one = running(dataset, remote())
    file = one.folder.file("remote").path
    file.write_bytes(b"".join(file.read_bytes().splitlines(keepends=True)[:5]))
    engine_that_counts._default = [Document(id="only")]
    result = await one.run()
    assert (result.asked, result.there) == (40, 0)  # what was complete is of another state: it is asked again beside it
    assert result.notes == (
        "remote: all was asked anew, the index of main has changed since",
        "no-expansion: all was asked anew, the index of main has changed since",
    )


async def test_a_condition_of_yesterday_stands_beside_none_of_a_grown_index(
    dataset: Dataset, remote: MakeProfile, engine_that_counts: Counting
) -> None:
    await running(dataset, remote("a")).run()
    engine_that_counts._default = [Document(id="only")]
    progress: list[Progress] = []
    both = running(dataset, remote("a"), remote("b"), on_progress=progress.append)
    result = await both.run()
    assert (result.asked, result.there) == (60, 0)
    assert result.notes == tuple(
        f"{name}: all was asked anew, the index of main has changed since" for name in ("no-expansion", "a")
    )
    assert (progress[-1].done, progress[-1].total, progress[-1].left) == (60, 60, 0)
    states = {both.folder.file(one.name).header().indexes["main"].state for one in both.conditions}  # type: ignore[union-attr]
    assert len(states) == 1
    assert all(len(of) == 20 for of in rows(both).values())
    assert (await running(dataset, remote("a"), remote("b")).run()).asked == 0


async def test_conditions_that_were_asked_apart_are_put_right_though_none_is_missing(
    dataset: Dataset, remote: MakeProfile, engine_that_counts: Counting
) -> None:
    await running(dataset, remote("a")).run()
    engine_that_counts._default = [Document(id="only")]
    alone = Run(dataset, conditions([remote("b")], plugins=PLUGINS)[1:], plugins=PLUGINS)
    assert (await alone.run()).asked == 20
    result = await running(dataset, remote("a"), remote("b")).run()
    assert (result.asked, result.there) == (40, 20)
    assert {note.partition(":")[0] for note in result.notes} == {"no-expansion", "a"}


async def test_an_index_that_changes_all_the_time_is_said_and_ends(
    dataset: Dataset, remote: MakeProfile, engine_that_counts: Counting, monkeypatch: pytest.MonkeyPatch
) -> None:
    states = count()

    async def moving(type: str, backend: Any) -> str:
        return f"state {next(states)}"

    monkeypatch.setattr(index_state, "state_of", moving)
    result = await running(dataset, remote("a")).run()
    assert result.asked == 60  # both, and the first once more
    assert result.notes[-1] == (
        "a: its rows are of another state of the index of main than others': it changes while it is measured, so that "
        "differences may be the index's"
    )


async def test_two_indexes_of_one_name_are_two(
    dataset: Dataset, remote: MakeProfile, engine_that_counts: Counting
) -> None:
    other = Counting(lambda request: [Document(id="else")], default=[Document(id="else")])
    other.named("another-index")
    elsewhere = remote("b", search={"backends": {"main": {"type": "counting", "instance": "another-index"}}})
    await running(dataset, remote("a")).run()
    result = await running(replace(dataset, grades={}, fingerprint=dataset.fingerprint), remote("a"), elsewhere).run()
    assert (result.asked, result.there, result.notes) == (40, 40, ())


async def test_eight_queries_are_under_way_together_where_no_number_is_given(
    dataset: Dataset, remote: MakeProfile, engine_that_counts: Counting
) -> None:
    engine_that_counts._delay = 0.01
    await Run(dataset, conditions([remote()], plugins=PLUGINS)[:1], plugins=PLUGINS).run()
    assert engine_that_counts.peak == 8


async def test_yesterday_means_the_same_in_every_later_run(dataset: Dataset, remote: MakeProfile) -> None:
    llm = ScriptedLLM(answer)
    asked = replace(dataset, queries=(EvalQuery(id="t", text="昨天的新闻"),), grades={}, fingerprint="t")
    first = running(asked, remote(llm=llm))
    now = (await first.run()).now
    place = first.folder.path / "run.json"
    plain = json.loads(place.read_text("utf-8"))
    assert plain["now"].startswith(now.isoformat()[:19])
    place.write_text(json.dumps(plain | {"now": "2026-03-02T12:00:00+00:00"}), "utf-8")
    later = ScriptedLLM(answer)
    result = await running(asked, remote("other", later)).run()
    assert result.now.isoformat() == "2026-03-02T12:00:00+00:00"
    assert any("2026-03-02" in message.content for r in later.requests for message in r.messages)
    assert (await running(asked, remote("other", later), fresh=True).run()).now >= now


async def test_a_fresh_run_forgets(dataset: Dataset, remote: MakeProfile) -> None:
    llm = ScriptedLLM(answer)
    profile = remote(llm=llm)
    await running(dataset, profile).run()
    calls = llm.calls
    result = await running(dataset, profile, fresh=True).run()
    assert (result.asked, result.there) == (40, 0)
    assert llm.calls == 2 * calls


async def test_two_runs_of_a_dataset_at_once(dataset: Dataset, local: MakeProfile) -> None:
    run = running(dataset, local())
    run.folder.path.mkdir(parents=True)
    with (
        locked(run.folder.path / "lock", "x"),
        pytest.raises(Unavailable, match=r"another process \(\d+\) is running the dataset help"),
    ):
        await run.run()
    await run.run()


async def test_queries_are_under_way_together_as_many_as_may_be(
    dataset: Dataset, remote: MakeProfile, engine_that_counts: Counting
) -> None:
    engine_that_counts._delay = 0.01
    run = Run(dataset, conditions([remote()], plugins=PLUGINS)[:1], plugins=PLUGINS, concurrency=3)
    await run.run()
    assert engine_that_counts.peak == 3


async def test_equal_queries_are_each_asked(
    dataset: Dataset, remote: MakeProfile, engine_that_counts: Counting
) -> None:
    """No memory answers for an engine: else the second condition's milliseconds would be a memory's."""
    twice = tuple(EvalQuery(id=id, text="brakes squeak") for id in ("a", "b"))
    asked = replace(dataset, queries=twice, grades={}, fingerprint="twice")
    run = running(asked, remote(cache={"type": "memory"}), remote("twin"), concurrency=1)
    await run.run()
    assert not any(row.kept for one in run.conditions for row in run.rows(one.name))


async def test_observers_of_the_profile_are_not_told(dataset: Dataset, local: MakeProfile, tmp_path: Path) -> None:
    profile = local(observers=[{"type": "jsonl", "path": str(tmp_path / "events.jsonl")}])
    await running(replace(dataset, queries=dataset.queries[:2], fingerprint="o"), profile).run()
    assert not (tmp_path / "events.jsonl").exists()


async def test_snippets_are_kept_where_nobody_graded(dataset: Dataset, local: MakeProfile) -> None:
    run = running(replace(dataset, grades={}, fingerprint="bare"), local())
    await run.run()
    assert rows(run)["help"]["z1"].found[0].title == "怎么补胎"
    graded = running(dataset, local())
    await graded.run()
    assert rows(graded)["help"]["z1"].found[0].title == ""


async def test_a_deadline_of_the_profile_holds(
    dataset: Dataset, remote: MakeProfile, engine_that_counts: Counting
) -> None:
    engine_that_counts._delay = 0.3
    short = replace(dataset, queries=dataset.queries[:1], fingerprint="short")
    run = running(short, remote(deadline="100ms"))
    await run.run()
    (row,) = run.rows("remote")
    assert "main" in row.error
    assert row.milliseconds == 0


def test_what_is_local() -> None:
    def profile(**settings: Any) -> Condition:
        blocks = {"search": {"backends": {"main": {"type": "local"}}}} | settings
        return Condition(name="c", profile=Profile.model_validate({"name": "c", "tenant": "t"} | blocks))

    llm = {"provider": "openai", "model": "m"}
    assert is_local(profile())
    assert is_local(profile(llm=llm, understand={"mode": "rules"}))
    assert is_local(replace(profile(), baseline="rm3"))
    assert is_local(replace(profile(llm=llm), expand=False))
    assert not is_local(profile(llm=llm))
    reranked = {"backends": {"main": {"type": "local"}}, "processors": [{"type": "rerank", "by": "api"}]}
    assert not is_local(profile(search=reranked))
    assert not is_local(profile(embedder={"provider": "openai"}))
    assert not is_local(replace(profile(), baseline="querygym:x"))
    assert not is_local(profile(search={"backends": {"web": {"type": "web"}}}))


def test_what_cannot_be_run_is_refused(dataset: Dataset, local: MakeProfile) -> None:
    made = conditions([local()], plugins=PLUGINS)
    with pytest.raises(UsageError, match="no condition"):
        Run(dataset, ())
    with pytest.raises(UsageError, match="two conditions are called 'help'"):
        Run(dataset, (made[1], made[1]))
    with pytest.raises(UsageError, match="depth=0"):
        Run(dataset, made, depth=0)
    with pytest.raises(UsageError, match="workers=0"):
        Run(dataset, made, workers=0)
    with pytest.raises(UsageError, match="concurrency=-1"):
        Run(dataset, made, concurrency=-1)
    with pytest.raises(UsageError, match="keep='some'"):
        Run(dataset, made, keep="some")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="worker processes look for plugins themselves"):
        Run(dataset, made, workers=2, plugins=PLUGINS)
    with pytest.raises(UsageError, match=r"no condition 'x' \(known: no-expansion, help\)"):
        Run(dataset, made, plugins=PLUGINS).rows("x")


async def test_a_profile_without_a_backend(dataset: Dataset) -> None:
    run = running(dataset, Profile.model_validate({"name": "bare", "tenant": "t", "understand": {"mode": "rules"}}))
    with pytest.raises(ProfileError, match="names no search backend"):
        await run.run()


async def test_a_recording_with_a_hole_ends_the_run_and_is_no_row(dataset: Dataset, own_index: MakeProfile) -> None:
    block = {"provider": "cassette", "model": "m", "options": {"path": "tape.jsonl"}}
    given = own_index("replayed", understand={"mode": "llm"}, llm=block)
    (given.folder / "tape.jsonl").touch()
    with pytest.raises(CassetteMiss, match=r"tape\.jsonl holds no exchange"):
        await running(dataset, given).run()
