"""Tuning from end to end over a local index: what helps is kept, what hurts is switched off, a killed search goes on."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from qx import Engine, Profile
from qx.backend import Document
from qx.cli import main
from qx.eval.datasets import load_dataset
from qx.eval.tuning import Budget, Progress, TuneReport, tune
from qx.eval.tuning.splitting import split
from qx.eval.tuning.trials import Trials
from qx.eval.values import Dataset
from qx.plugins import Plugins
from qx.profiles import load_profile

PLUGINS = Plugins.load(allow=())
SCHEMAS = Path(__file__).parents[3] / "docs" / "schemas"
COLOURS = ("red", "green", "blue", "black", "white", "grey", "brown", "golden", "purple", "orange", "silver", "yellow")
颜色 = ("红色", "绿色", "蓝色", "黑色", "白色", "灰色", "棕色", "金色", "紫色", "橙色", "银色", "黄色")
SIZES, 大小 = ("big", "small", "wide"), ("大号", "小号", "加宽")
EACH = len(COLOURS) * len(SIZES)
"""Queries of a language."""
SHARE = 0.25
"""Of the queries, for searching: 18, which leaves 54 to prove by."""


def documents() -> list[Document]:
    """A lamp in each colour, and sofas that the queries call couches."""
    made: list[Document] = []
    for number, (english, chinese) in enumerate(zip(COLOURS, 颜色, strict=True)):
        made.append(Document(id=f"lamp {english}", title=f"{english} lamp", text="gives light"))
        made.append(Document(id=f"sofa {number}", title=f"sofa settee model {number}", text="seats three"))
        made.append(Document(id=f"灯 {chinese}", title=f"{chinese} 台灯", text="照明"))
        made.append(Document(id=f"沙发 {number}", title=f"沙发 躺椅 型号 {number}", text="三人座"))
    return made


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An index, a profile that calls a sofa a couch, queries of those who do (``good``) and who want a lamp (``bad``)."""
    monkeypatch.setenv("QX_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    texts = [f"{size} {colour} couch" for size in SIZES for colour in COLOURS]
    texts += [f"{size} {colour} 长椅" for size in 大小 for colour in 颜色]
    lamps = [[f"lamp {colour}"] for _ in SIZES for colour in COLOURS] + [
        [f"灯 {colour}"] for _ in 大小 for colour in 颜色
    ]
    sofas = [[f"sofa {n}" for n in range(12)]] * EACH + [[f"沙发 {n}" for n in range(12)]] * EACH
    for name, meant in (("good", sofas), ("bad", lamps)):
        data = tmp_path / name
        data.mkdir()
        (data / "corpus.jsonl").write_text('{"_id": "x", "title": "", "text": ""}\n')
        lines = [json.dumps({"_id": f"q{n}", "text": text}) + "\n" for n, text in enumerate(texts)]
        (data / "queries.jsonl").write_text("".join(lines))
        rows = "".join(f"q{n}\t{id}\t1\n" for n, found in enumerate(meant) for id in found)
        (data / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\n" + rows)
    (tmp_path / "shop.yaml").write_text(
        "tenant: t\ncache: {type: none}\nunderstand: {mode: rules}\n"
        "search: {share: 3, strong: 1, backends: {main: {type: local, path: index}}}\n"
        "synonyms: [{words: [couch, sofa, settee]}, {words: [长椅, 沙发, 躺椅]}]\n"
    )

    async def fill() -> None:
        async with Engine.opened(load_profile(tmp_path / "shop.yaml"), plugins=PLUGINS) as engine:
            backend: Any = engine.backend()
            await backend.prepare(fingerprint=None, dimensions=0)
            await backend.upsert(documents())

    asyncio.run(fill())
    return tmp_path


def tuned(
    world: Path, data: str | Dataset, tell: Callable[[Progress], None] | None = None, trials: int = 3
) -> TuneReport:
    profile: Profile = load_profile(world / "shop.yaml", plugins=PLUGINS)
    work = tune(
        profile, load_dataset(world / data) if isinstance(data, str) else data, measures=("mrr",),
        budget=Budget(trials=trials), plugins=PLUGINS, on_progress=tell, workers=1, share=SHARE,
    )  # fmt: skip
    return asyncio.run(work)


def halves(world: Path, train: str, held: str) -> Dataset:
    """The queries, graded on the training side as in one dataset and on the held-out side as in the other."""
    data = {name: load_dataset(world / name) for name in (train, held)}
    whole = data[train]
    sides = zip((train, held), split(whole, share=SHARE), strict=True)
    grades = {q.id: data[name].grades[q.id] for name, side in sides for q in side.queries}
    return replace(whole, grades=grades)


def test_a_gain_that_is_in_the_training_half_alone_proves_nothing(world: Path):
    report = tuned(world, halves(world, "good", "bad"))
    assert max(trial.score for trial in report.trials) > 0.2
    assert max(one.difference for one in report.training) > 0.2
    assert max(one.difference for one in report.held_out) <= 0
    assert report.choice == "off"


def test_a_gain_that_is_in_the_held_out_half_alone_is_not_searched_for(world: Path):
    report = tuned(world, halves(world, "bad", "good"))
    assert max(trial.score for trial in report.trials) <= 0
    assert report.changes == {}  # what the held-out half would have liked was never seen
    assert max(one.difference for one in report.training) <= 0
    assert report.choice == "before"


def test_trials_are_asked_the_training_queries_and_the_figures_are_of_the_held_out_ones(
    world: Path, monkeypatch: pytest.MonkeyPatch
):
    asked: list[tuple[str, frozenset[str]]] = []
    run, scores, trial = Trials.raw, Trials.scores, Trials.trial

    async def told(name: str, work: Any, dataset: Dataset) -> Any:
        asked.append((name, frozenset(query.id for query in dataset.queries)))
        return await work

    monkeypatch.setattr(Trials, "trial", lambda self, changes, d: told("trial", trial(self, changes, d), d))
    data = load_dataset(world / "good")
    train, held = (frozenset(query.id for query in side.queries) for side in split(data, share=SHARE))
    tuned(world, data)
    assert len(asked) == 3
    assert all(ids <= train for _, ids in asked)
    asked.clear()
    monkeypatch.setattr(Trials, "raw", lambda self, d: told("raw", run(self, d), d))
    monkeypatch.setattr(Trials, "scores", lambda self, changes, d: told("scores", scores(self, changes, d), d))
    report = tuned(world, data)
    assert {ids for _, ids in asked if not ids <= train} == {held}
    assert {one.queries for one in report.held_out} == {len(held)}


def test_what_helps_is_kept(world: Path):
    report = tuned(world, "good")
    assert report.choice in ("before", "tuned")
    assert (report.train, report.held) == (18, 54)
    best = next(one for one in report.held_out if one.name == report.choice)
    assert best.difference > 0.2
    assert best.low > 0
    assert len(report.trials) == 3
    assert all(trial.queries == 18 for trial in report.trials)


def test_what_is_wrong_with_the_index_is_told_in_every_run(world: Path):
    data = load_dataset(world / "good")
    grades = {id: {**of, **{f"gone {n}": 1 for n in range(60)}} for id, of in data.grades.items()}
    lost = replace(data, grades=grades, fingerprint="lost")
    for _ in range(2):
        assert any(
            "documents that good" in note and "all figures will be too low" in note
            for note in tuned(world, lost, trials=1).notes
        )


def test_an_interrupt_says_how_far_it_was(
    world: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    from qx.cli.progress import TuneProgress

    told = TuneProgress.__call__

    def interrupted(self: TuneProgress, state: Progress) -> None:
        told(self, state)
        if state.trial == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(TuneProgress, "__call__", interrupted)
    with pytest.raises(SystemExit) as ended:
        main(["tune", "shop.yaml", "bad", "--budget", "3", "--share", "0.25"])
    assert ended.value.code == 130
    assert "stopped after 2 of 3 trials: the same command goes on from there" in capsys.readouterr().err


def test_what_is_not_proven_is_switched_off(world: Path):
    report = tuned(world, "bad", trials=1)
    assert {one.name: one.difference for one in report.held_out} == {"before": 0.0}
    assert report.choice == "off"
    assert "no difference shown" in report.reason
    assert report.settings == {"expand.abstain": "always"}


def test_a_search_that_was_killed_goes_on_to_the_same_end(world: Path):
    class Killed(BaseException):
        pass

    seen: list[int] = []

    def kill(progress: Progress) -> None:
        seen.append(progress.trial)
        if progress.trial == 2:
            raise Killed

    with pytest.raises(Killed):
        tuned(world, "good", kill, trials=3)
    assert seen == [1, 2]
    runs = world / "home" / "eval" / "runs"
    before = {path: path.read_bytes() for path in runs.rglob("*.jsonl")}
    again = tuned(world, "good", trials=3)
    assert all(path.read_bytes() == text for path, text in before.items())  # nothing was asked a second time
    assert again == tuned(world, "good", trials=3)


def test_the_command_writes_a_profile_that_works(world: Path, capsys: pytest.CaptureFixture[str]):
    def run(*words: str) -> int:
        with pytest.raises(SystemExit) as ended:
            main(["tune", "shop.yaml", "bad", "--measure", "mrr", "--budget", "1", "--share", "0.25", *words])
        return int(str(ended.value.code or 0))

    assert run("--json") == 0
    said = capsys.readouterr()
    report = json.loads(said.out)
    jsonschema.validate(report, json.loads((SCHEMAS / "tune.json").read_text("utf-8")))
    assert report["written"].endswith("shop-tuned.yaml")
    made = load_profile(world / "shop-tuned.yaml", plugins=PLUGINS)
    assert (made.expand.abstain, made.tenant) == ("always", "t")
    assert made.synonyms == load_profile(world / "shop.yaml", plugins=PLUGINS).synonyms
    again = "qx tune shop.yaml bad --measure mrr --budget 1 --share 0.25 --force"
    assert f"Again: {again}\n" in (world / "shop-tuned.yaml").read_text()
    assert report["command"] == again
    assert report["provenance"]["settings"]["seed"] == 0
    assert run() == 2
    assert "--force" in capsys.readouterr().err
    with pytest.raises(SystemExit) as ended:
        main(again.split()[1:])
    assert not ended.value.code  # what it says does the same again
    capsys.readouterr()
    assert run("--dry-run") == 0
    assert "no expansion" in capsys.readouterr().out


def test_a_profile_that_hurts_is_switched_off(world: Path):
    """Who asks for a couch wants its cover here, and the words of the profile bring sofas before it."""
    covers = [Document(id=f"c{n}", title=f"{c} couch cover", text="washable " * 9) for n, c in enumerate(COLOURS)]
    covers += [Document(id=f"z{n}", title=f"{c} 长椅 套子", text="可洗 " * 9) for n, c in enumerate(颜色)]
    decoys = [Document(id=f"d{n}", title=f"{c} sofa", text=f"{c} settee") for n, c in enumerate(COLOURS)]
    decoys += [Document(id=f"e{n}", title=f"{c} 沙发", text=f"{c} 躺椅") for n, c in enumerate(颜色)]

    async def fill() -> None:
        async with Engine.opened(load_profile(world / "shop.yaml"), plugins=PLUGINS) as engine:
            backend: Any = engine.backend()
            await backend.upsert(covers + decoys)

    asyncio.run(fill())
    data = load_dataset(world / "bad")
    ids = [f"c{n}" for _ in SIZES for n in range(12)] + [f"z{n}" for _ in 大小 for n in range(12)]
    grades = {query.id: {id: 1} for query, id in zip(data.queries, ids, strict=True)}
    report = tuned(world, replace(data, grades=grades, fingerprint="covers"), trials=2)
    before = next(one for one in report.held_out if one.name == "before")
    assert before.high < 0
    assert report.choice == "off"
    assert "before: mrr is worse (-" in report.reason
    assert report.settings == {"expand.abstain": "always"}
