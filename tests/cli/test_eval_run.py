"""``qx eval run``: a dataset, conditions, a report; exit codes that say how it went."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import qx.testing.plugin
from qx.cli.schemas import schema
from qx.llm import CompletionRequest
from qx.plugins import Plugins
from qx.testing import ScriptedLLM

from .conftest import Run

PROFILE = "deadline: 60s\nsearch: {backends: {main: {type: local, path: index}}}\n"
DOCUMENTS = {
    "d1": ("How to repair a puncture", "Glue a patch on the inner tube."),
    "d2": ("怎么补胎", "给内胎贴上补丁。"),
    "d3": ("Oil the chain", "One drop of lubricant on each link."),
    "d4": ("链条上油", "每节滴一滴润滑油。"),
}
QUERIES = {"q1": "repair puncture", "q2": "补胎", "q3": "lubricate the chain", "q4": "链条润滑油"}


@pytest.fixture
def folder(own_folder: Path) -> Path:
    """The working folder with the dataset ``help`` (BEIR), a list, and the profile ``help.yaml``."""
    place = own_folder / "help"
    place.mkdir()
    rows = [{"_id": id, "title": title, "text": text} for id, (title, text) in DOCUMENTS.items()]
    (place / "corpus.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    asked = [{"_id": id, "text": text} for id, text in QUERIES.items()]
    (place / "queries.jsonl").write_text("".join(json.dumps(row) + "\n" for row in asked), "utf-8")
    (place / "qrels.tsv").write_text("".join(f"q{n}\td{n}\t1\n" for n in range(1, 5)), "utf-8")
    (own_folder / "help.yaml").write_text(PROFILE, "utf-8")
    (own_folder / "log.txt").write_text("".join(f"{text}\n" for text in QUERIES.values()), "utf-8")
    return own_folder


@pytest.fixture
def indexed(folder: Path, run: Run) -> Path:
    assert run("index", "help/corpus.jsonl", "-p", "help.yaml").code == 0
    return folder


def test_from_nothing_to_a_report(folder: Path, run: Run) -> None:
    missing = run("eval", "run", "help", "-p", "help.yaml")
    assert (missing.code, missing.out) == (4, "")
    assert "--index" in missing.err
    first = run("eval", "run", "help", "-p", "help.yaml", "--index", "--json")
    assert first.code == 0, first.err
    assert "4 documents indexed" in first.err
    assert "8 searches made, 0 were there already" in first.err
    report = json.loads(first.out)
    jsonschema.validate(report, schema("eval"))
    assert [one["name"] for one in report["conditions"]] == ["no-expansion", "help"]
    assert report["conditions"][0]["measures"]["ndcg@10"] == 1
    kinds = report["conditions"][1]["kinds"]
    assert set(kinds) <= {"simple", "complex", "vague", "specialist"}  # the file says none: the rules read them
    assert sum(kind["queries"] for kind in kinds.values()) == 4
    again = run("eval", "run", "help", "-p", "help.yaml", "--json")
    assert "0 searches made, 8 were there already" in again.err
    assert {**json.loads(again.out), "provenance": None} == {**report, "provenance": None}


def test_a_report_says_where_it_comes_from_and_what_it_decides(indexed: Path, run: Run) -> None:
    made = run("eval", "run", "help", "-p", "help.yaml", "--limit", "3", "--html", "a page.html", "--json",
               "--fail-if", "ndcg@10 value < 50", "--fail-if", "mrr value < 101")  # fmt: skip
    assert made.code == 6
    report = json.loads(made.out)
    jsonschema.validate(report, schema("eval"))
    assert [(one["condition"], one["verdict"]) for one in report["decisions"]] == [("help", "no difference shown")]
    passed, broken = report["gates"]
    assert (passed["gate"], passed["passed"], passed["failures"]) == ("ndcg@10 value < 50", True, [])
    assert (broken["passed"], broken["failures"]) == (False, ["help: mrr value is 100, < 101"])
    origin = report["provenance"]
    assert origin["command"] == (
        "qx eval run help --profile help.yaml --limit 3 --fail-if 'ndcg@10 value < 50' --fail-if 'mrr value < 101'"
    )
    assert (origin["settings"]["limit"], origin["settings"]["seed"], origin["settings"]["depth"]) == (3, 0, 100)
    assert origin["qx"]
    assert origin["at"] >= origin["now"]
    page = (indexed / "a page.html").read_text("utf-8")
    for said in (
        "Where this comes from",
        "--limit 3",
        origin["at"][:10],
        "Gate passed: ndcg@10",
        "Gate failed: help: mrr",
    ):
        assert said in page


def test_a_pipe_gets_tables(indexed: Path, run: Run) -> None:
    made = run("-q", "eval", "run", "help", "-p", "help.yaml", "--measure", "ndcg@5", "--measure", "success@1")
    assert (made.code, made.err) == (0, "")
    lines = [line.split("\t") for line in made.out.splitlines()]
    assert ["condition", "ndcg@5", "success@1"] in lines
    assert ["no-expansion", "100.0", "100.0"] in lines


def test_files(indexed: Path, run: Run) -> None:
    made = run("eval", "run", "help", "-p", "help.yaml", "--html", "r.html", "--jsonl", "r.jsonl", "--limit", "2", "-q")
    assert made.code == 0, made.err
    rows = [json.loads(line) for line in (indexed / "r.jsonl").read_text("utf-8").splitlines()]
    assert [row["condition"] for row in rows] == ["no-expansion"] * 2 + ["help"] * 2
    assert rows[0]["found"]
    assert all(set(hit) == {"id", "by"} for row in rows for hit in row["found"])  # nobody kept titles: none is empty
    page = (indexed / "r.html").read_text("utf-8")
    assert page.lower().startswith("<!doctype html>")
    assert "no-expansion" in page


def test_gates(indexed: Path, run: Run) -> None:
    held = run("eval", "run", "help", "-p", "help.yaml", "--fail-if", "ndcg@10 value < 50", "--json")
    assert held.code == 0, held.err
    broken = run("eval", "run", "help", "-p", "help.yaml", "--fail-if", "ndcg@10 lower bound < 50", "--json")
    assert broken.code == 6
    assert "gate failed: help: ndcg@10 lower bound is of 4 queries, and an interval needs 5" in broken.err
    assert json.loads(broken.out)["conditions"]
    wrong = run("eval", "run", "help", "-p", "help.yaml", "--fail-if", "ndcg@10 below 5")
    assert (wrong.code, wrong.out) == (2, "")


def test_a_bare_list_is_graded_as_deep_as_its_measures_look(
    indexed: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    from qx.eval import graded

    depths: list[int] = []
    pools = graded._pools
    monkeypatch.setattr(graded, "_pools", lambda *given: depths.append(given[-1]) or pools(*given))
    for measures, depth in (((), 10), (("--measure", "good@20", "--measure", "p@3"), 20)):
        made = run("eval", "run", "log.txt", "-p", "help.yaml", *measures)
        assert made.code == 0, made.err
        assert depths.pop() == depth


def test_the_measures_that_nobody_named_look_no_deeper_than_the_lists(indexed: Path, run: Run) -> None:
    made = run("eval", "run", "help", "-p", "help.yaml", "--depth", "5", "--json")
    assert made.code == 0, made.err
    report = json.loads(made.out)
    assert report["measures"][:3] == ["ndcg@5", "recall@5", "mrr"]
    assert (
        "mrr, unique-useful: of the first 5 hits, which is what each search was asked for (--depth)" in report["notes"]
    )


def test_a_bare_list_is_graded_by_rules(indexed: Path, run: Run) -> None:
    made = run("eval", "run", "log.txt", "-p", "help.yaml", "--json")
    assert made.code == 0, made.err
    report = json.loads(made.out)
    assert "mean-grade@10" in report["measures"]
    assert any("graded by rules" in note for note in report["notes"])
    assert report["conditions"][0]["measures"]["mean-grade@10"] > 0


def test_a_bare_list_is_graded_by_the_profiles_model(indexed: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    plugins = Plugins.load(modules=[qx.testing.plugin])
    monkeypatch.setattr(Plugins, "load", lambda *given, **options: plugins)
    llm = "understand: {mode: rules}\nllm: {provider: scripted, model: m, options: {instance: grader}, retries: 0}\n"
    (indexed / "asked.yaml").write_text(PROFILE + llm, "utf-8")

    def graded(request: CompletionRequest) -> str:
        shown = json.loads(request.messages[-1].content)
        return json.dumps(dict.fromkeys(shown.get("documents", ["grade"]), 2))

    model = ScriptedLLM(graded).named("grader")
    made = run("eval", "run", "log.txt", "-p", "asked.yaml", "--grader", "model", "--json")
    assert made.code == 0, made.err
    report = json.loads(made.out)
    assert any("graded by scripted/m as a judge" in note for note in report["notes"])
    assert report["conditions"][0]["measures"]["good@10"] > 0
    calls = model.calls
    assert calls > 0
    again = run("eval", "run", "log.txt", "-p", "asked.yaml", "--grader", "model", "--json")
    assert (again.code, model.calls) == (0, calls)
    assert run("eval", "run", "log.txt", "-p", "asked.yaml", "--grader", "model", "--keep", "none").code == 0
    assert model.calls > calls


def test_ablation_and_baseline(indexed: Path, run: Run) -> None:
    (indexed / "two.yaml").write_text(PROFILE + "expand: {strategies: [synonym, keywords]}\n", "utf-8")
    command = ("eval", "run", "help", "-p", "two.yaml", "--ablate", "--baseline", "rm3", "--json")
    made = run(*command)
    assert made.code == 0, made.err
    report = json.loads(made.out)
    assert [one["name"] for one in report["conditions"]] == ["no-expansion", "two", "rm3"]
    said = "not run, since these strategies write no query of this dataset: two -synonym, two -keywords (they would be two again)"
    assert said in report["notes"]
    gated = run(*command, "--fail-if", "ndcg@10 < 0 of two -keywords")  # what a gate names is run whatever it writes
    assert gated.code == 0, gated.err
    names = [one["name"] for one in json.loads(gated.out)["conditions"]]
    assert names == ["no-expansion", "two", "two -keywords", "rm3"]


def test_queries_that_fail_are_told_by_the_exit_code(indexed: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from qx.engine import Engine
    from qx.errors import Unavailable

    search = Engine.search

    async def sometimes(self: Engine, query: object, /, **options: object) -> object:
        if getattr(query, "text", "") == "补胎":
            raise Unavailable("the shard is gone")
        return await search(self, query, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(Engine, "search", sometimes)
    made = run("eval", "run", "help", "-p", "help.yaml", "--json")
    assert made.code == 4
    assert "2 queries failed and count as empty lists (no-expansion 1, help 1)" in made.err
    assert [one["errors"] for one in json.loads(made.out)["conditions"]] == [1, 1]
    monkeypatch.setattr(Engine, "search", search)
    again = run("eval", "run", "help", "-p", "help.yaml", "--json")
    assert again.code == 0
    assert "2 searches made, 6 were there already" in again.err


def test_an_interrupted_run_says_how_to_go_on(indexed: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from qx.eval.row_file import RowFile

    add, rows = RowFile.add, [0]

    def interrupted(self: RowFile, line: bytes) -> None:
        add(self, line)
        rows[0] += 1
        if rows[0] == 3:
            os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(RowFile, "add", interrupted)
    made = run("eval", "run", "help", "-p", "help.yaml")
    assert (made.code, made.out) == (130, "")
    assert "of 8 searches: the same command goes on from there" in made.err
    assert rows[0] >= 3  # the signal may arrive after further rows
    monkeypatch.setattr(RowFile, "add", add)
    again = run("eval", "run", "help", "-p", "help.yaml", "--json")
    assert f"{8 - rows[0]} searches made, {rows[0]} were there already" in again.err


def test_an_interrupt_before_the_first_search_is_told_too(
    indexed: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The kinds of thousands of queries are read first."""
    from qx.engine import Engine

    async def interrupted(self: Engine, query: object, /) -> object:
        os.kill(os.getpid(), signal.SIGINT)
        await asyncio.sleep(3600)

    monkeypatch.setattr(Engine, "understand", interrupted)
    made = run("eval", "run", "help", "-p", "help.yaml")
    assert (made.code, made.out) == (130, "")
    assert "stopped before it began: the same command goes on from there" in made.err


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("nothing",), 3, "no dataset: looked for a folder, a file, and two files TOPICS:QRELS"),
        (("help", "--split", "dev"), 3, "no split 'dev'"),
        (("help", "--measure", "ndgc@10"), 2, "ndcg"),
        (("help", "--baseline", "rm4"), 2, "rm3"),
        (("help", "--measure", "recall@1000"), 2, "each search is asked for 100: add --depth 1000"),
        (("help", "--depth", "20", "--fail-if", "recall@50 < 0"), 2, "asked for 20: add --depth 50"),
        (("log.txt", "--index"), 2, "has no corpus.jsonl"),
        (("help", "--limit", "0"), 2, "--limit"),
        (("help", "--grader", "rules"), 2, "--grader goes with a bare list of queries: help has grades"),
        (("help", "--impressions", "5"), 2, "--impressions goes with a log of clicks"),
        (("log.txt", "--impressions", "5"), 2, "--impressions goes with a log of clicks"),
        (("log.txt", "--grader", "model"), 2, "names no model"),
        (("help", "-p", "help.yaml"), 2, "the profile help is named twice"),
        (("help", "--html", "nowhere/r.html"), 3, "nowhere/r.html: --html: there is no folder"),
        (("help", "--jsonl", "nowhere/r.jsonl"), 3, "nowhere/r.jsonl: --jsonl: there is no folder"),
        (("help/corpus.jsonl",), 3, "these look like documents, not queries"),
        (("bare", "--format", "beir"), 3, "--format beir: there are no judgements"),
        (
            ("bare", "--fail-if", "ndcg@10 lower bound < -0.5"),
            3,
            "needs judgements: there are no judgements (no qrels.tsv",
        ),
        (("bare", "--fail-if", "good@10 value < 1"), 3, "bring back its qrels"),
        (("log.txt", "--fail-if", "recall@100 lower bound < -0.5"), 3, "gate what a classifier can grade: good@10"),
        (("double", "--index"), 3, "corpus.jsonl:5: the document id 'd1' is already in line 1"),
    ],
)
def test_what_is_wrong_is_said_before_anything_is_asked(
    indexed: Path, run: Run, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], code: int, said: str
) -> None:
    from qx.engine import Engine

    for name in ("bare", "double"):
        shutil.copytree(indexed / "help", indexed / name)
    (indexed / "bare" / "qrels.tsv").unlink()
    with (indexed / "double" / "corpus.jsonl").open("a") as corpus:
        corpus.write('{"_id": "d1", "title": "another"}\n')
    monkeypatch.setattr(Engine, "search", None)
    made = run("eval", "run", *arguments, "-p", "help.yaml")
    assert (made.code, made.out) == (code, "")
    assert said in made.err


@pytest.mark.parametrize("options", [(), ("--html", "r.html")])
def test_what_the_report_needs_is_looked_for_before_the_first_search(
    indexed: Path, run: Run, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...]
) -> None:
    from qx.engine import Engine

    monkeypatch.setattr(Engine, "search", None)
    monkeypatch.setitem(sys.modules, "matplotlib" if options else "ir_measures", None)
    made = run("eval", "run", "help", "-p", "help.yaml", *options)
    assert (made.code, made.out) == (2, "")
    assert "is not installed: evaluation needs it: pip install 'qx-query[eval]'" in made.err


def test_judgements_that_are_gone_are_told_on_stderr(indexed: Path, run: Run) -> None:
    (indexed / "help" / "qrels.tsv").unlink()
    made = run("eval", "run", "help", "-p", "help.yaml", "--measure", "ndcg@10", "--fail-if", "zero-results value > 5")
    assert made.code == 0
    said = "warning: help: there are no judgements (no qrels.tsv, no qrels/*.tsv), so that what is found is graded by a"
    assert said in made.err
    assert "ndcg@10 rests on no judgement of people" in made.err
    plain = run("eval", "run", "log.txt", "-p", "help.yaml")
    assert "warning" not in plain.err  # a list never had any


def test_a_file_that_cannot_be_written_after_all_loses_no_figures(
    indexed: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("qx.cli.commands.evaluation.run.check_writable", lambda **files: None)
    made = run("eval", "run", "help", "-p", "help.yaml", "--html", "nowhere/r.html")
    assert made.code == 3
    assert "# means" in made.out


def test_an_index_of_something_else_is_said(indexed: Path, run: Run) -> None:
    shutil.copytree(indexed / "help", indexed / "other")
    (indexed / "other" / "qrels.tsv").write_text("q1\tx1\t1\n", "utf-8")
    made = run("eval", "run", "other", "-p", "help.yaml")
    assert (made.code, made.out) == (3, "")
    assert "none of the 1 documents that other judges relevant (such as 'x1') is in the index of main" in made.err


def test_sub_commands(run: Run) -> None:
    made = run("eval")
    assert "judge" in made.out + made.err
    wrong = run("eval", "rnu")
    assert (wrong.code, "did you mean 'run'" in wrong.err) == (2, True)


def test_an_interrupted_indexing_says_how_to_go_on(folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from qx.cli.progress import IndexProgress

    told = IndexProgress.__call__

    def interrupted(self: IndexProgress, summary: Any, path: Path) -> None:
        told(self, summary, path)
        raise KeyboardInterrupt

    monkeypatch.setattr(IndexProgress, "__call__", interrupted)
    made = run("eval", "run", "help", "-p", "help.yaml", "--index")
    assert (made.code, made.out) == (130, "")
    assert "stopped after 4 documents: the same command goes on from there" in made.err
    monkeypatch.setattr(IndexProgress, "__call__", told)
    assert run("eval", "run", "help", "-p", "help.yaml", "--index", "-q").code == 0
