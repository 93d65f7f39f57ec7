"""``qx eval understand``, ``pack``, ``judge`` and ``sheet``, as a person runs them."""

import asyncio
import json
import os
import shutil
from pathlib import Path
from typing import Any

import jsonschema
import openpyxl
import pytest

from qx.cli import schemas
from qx.cli.progress import Counting
from qx.testing import ModelServer, Reaction

from .conftest import Result, Run

ROWS = """
{"text": "泰山海拔多少米", "language": "zh", "intents": ["factual"], "must": ["泰山"], "must_not": ["黄山"]}
{"text": "how to descale a kettle", "language": "en", "kind": "simple", "intents": ["comparison"], "entities": []}
"""


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    path = tmp_path / "rows.jsonl"
    path.write_text(ROWS, encoding="utf-8")
    return path


def valid(name: str, text: str) -> Any:
    found = json.loads(text)
    jsonschema.Draft202012Validator(schemas.schema(name)).validate(found)
    return found


def test_understand_prints_a_table_and_what_failed(run: Run, rows: Path):
    done = run("eval", "understand", str(rows))
    assert done.code == 0
    assert "intents: macro F1" in done.out
    assert "rows.jsonl:3: how to descale a kettle" in done.out
    assert "intents: wanted comparison; read how-to" in done.out


def test_understand_prints_json_of_its_schema(run: Run, rows: Path):
    made = valid("eval-understand", run("eval", "understand", str(rows), "--json").out)
    assert made["rows"] == 2
    assert made["confusion"]["comparison"] == {"how-to": 1}
    assert made["rungs"] == {"rules": 2}
    assert {row["line"] for row in made["failed"]} == {3}


def test_wrong_rows_are_told_with_line_and_reason(run: Run, rows: Path):
    rows.write_text('{"text": "x"}\n{"text": "y", "intentss": []}\n{"text": 3}\n')
    done = run("eval", "understand", str(rows))
    assert done.code == 3
    assert "rows.jsonl:2: " in done.err
    assert "did you mean 'intents'?" in done.err
    assert "rows.jsonl:3: " in done.err
    assert run("eval", "understand", "nowhere.jsonl").code == 3


def test_the_set_of_the_general_pack(run: Run):
    made = valid("eval-pack", run("eval", "pack", "general", "--json").out)
    assert made["rows"] >= 40
    assert made["without_pack"] is None
    assert 0.5 < made["with_pack"]["scores"]["intents"]["macro_f1"] < 1
    assert set(made["with_pack"]["languages"]) == {"zh", "en", "zh-Hant"}


def test_a_pack_in_a_folder_with_and_without_it(run: Run, tmp_path: Path, rows: Path):
    folder = tmp_path / "bikes"
    (folder / "eval").mkdir(parents=True)
    (folder / "pack.yaml").write_text(
        "schema_version: 1\nname: bikes\ntaxonomy:\n  name: bikes\n  intents:\n"
        "    - {id: fitting, definition: {en: Whether a part fits.}, cues: [does it fit]}\n"
    )
    (folder / "eval" / "set.jsonl").write_text('{"text": "sprocket, does it fit", "intents": ["fitting"]}\n')
    done = run("eval", "pack", "./bikes")
    assert done.code == 0
    assert "with  without" in " ".join(done.out.split("\n")[2].split()).replace(" without", "  without")
    made = valid("eval-pack", run("eval", "pack", "./bikes", "--json").out)
    firsts = [made[key]["scores"]["intents"]["first"] for key in ("with_pack", "without_pack")]
    assert firsts == [1.0, 0.0]
    assert made["notes"] == []
    with (folder / "eval" / "set.jsonl").open("a") as file:
        file.write('{"text": "brake pads", "intents": ["fiting"]}\n')
    told = "no pack of the profile has the intent 'fiting' (line 2): did you mean 'fitting'?"
    assert valid("eval-pack", run("eval", "pack", "./bikes", "--json").out)["notes"] == [told]
    assert f"note: {told}" in run("eval", "pack", "./bikes").out
    assert run("eval", "pack", "nonsense").code == 3


LOG = "tea\nhow to descale a kettle\n红茶怎么泡\n泰山海拔多少米\n"


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "log.txt"
    path.write_text(LOG, encoding="utf-8")
    return path


def test_a_sheet_goes_out_blind_and_comes_back(run: Run, log: Path, tmp_path: Path):
    (tmp_path / "rules.yaml").write_text("understand: {mode: rules}\n")
    (tmp_path / "few.yaml").write_text("extends: rules.yaml\nexpand: {limit: 1}\n")
    make = ("eval", "sheet", "make", str(log), "-p", "rules.yaml", "-p", "few.yaml", "--language", "zh")
    done = run(*make, "--sample", "3", "--out", "sheet.xlsx")
    assert done.code == 0
    assert done.out == "sheet.xlsx\n"
    assert "6 rows; the key, not for raters, is " in done.err
    assert run(*make, "--out", "sheet.xlsx").code == 2
    assert run(*make, "--out", "sheet.ods").code == 2

    book = openpyxl.load_workbook("sheet.xlsx")
    page = book.worksheets[0]
    assert not any("few" in str(cell.value) for row in page.iter_rows() for cell in row)
    for row in range(2, 8):
        page.cell(row=row, column=4).value = 1 + row % 5
        page.cell(row=row, column=6).value = "是" if row % 2 else "否"
    book.save("anna.xlsx")
    page.cell(row=2, column=4).value = None
    book.save("bo.xlsx")

    done = run("eval", "sheet", "read", "anna.xlsx", "berta=bo.xlsx", "--ratings", "ratings.jsonl")
    assert done.code == 0
    assert "6 of 6 rows rated by anna (6), berta (6)" in done.out
    assert len(Path("ratings.jsonl").read_text("utf-8").splitlines()) == 6
    made = valid("eval-sheet", run("eval", "sheet", "read", "anna.xlsx", "bo.xlsx", "--json").out)
    assert [one["name"] for one in made["conditions"]] == ["rules", "few"]  # as named, not as spelt
    assert made["agreement"]["relevance"]["alpha"] == 1.0
    assert made["raters"] == {"anna": 6, "bo": 6}

    twice = run("eval", "sheet", "read", "anna=anna.xlsx", "bo=./anna.xlsx")
    assert (twice.code, "named twice: its ratings would count as those of two raters" in twice.err) == (2, True)

    page.cell(row=3, column=4).value = 9
    book.save("bo.xlsx")
    done = run("eval", "sheet", "read", "anna.xlsx", "bo.xlsx")
    assert done.code == 3
    assert "bo.xlsx: D3: relevance is '9'" in done.err


def test_files_that_cannot_be_written_are_said_before_the_work(run: Run, log: Path):
    for command in (
        ("make", str(log), "--out", "nowhere/sheet.csv"),
        ("read", str(log), "--ratings", "nowhere/r.jsonl"),
    ):
        done = run("eval", "sheet", *command)
        assert (done.code, done.out) == (3, "")
        assert "there is no folder" in done.err
    done = run("eval", "judge", str(log), "--judge", "default", "-p", "default", "--out", "nowhere/q.tsv")
    assert (done.code, "there is no folder" in done.err) == (3, True)


def test_sets_that_are_the_same_are_told_when_the_sheet_is_made(run: Run, log: Path, tmp_path: Path):
    (tmp_path / "rules.yaml").write_text("understand: {mode: rules}\n")
    (tmp_path / "same.yaml").write_text("extends: rules.yaml\nlanguage: null\nsearch: {depth: 7}\n")
    done = run("eval", "sheet", "make", str(log), "-p", "rules.yaml", "-p", "same.yaml", "--out", "sheet.csv")
    assert done.code == 0, done.err
    assert "originals have one and the same set or answer in rules and same" in done.err


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (
            ("understand", "rows.jsonl"),
            "stopped after 1 of 2 rows: nothing of it is kept: the same command begins anew",
        ),
        (("sheet", "make", "log.txt", "--out", "s.csv"), "stopped after 1 of"),
    ],
)
def test_an_interrupt_says_how_far_it_was(
    run: Run, rows: Path, log: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...], said: str
):
    told = Counting.__call__

    def interrupted(self: Counting, done: int, total: int) -> None:
        told(self, done, total)
        raise KeyboardInterrupt

    monkeypatch.setattr(Counting, "__call__", interrupted)
    done = run("eval", *command)
    assert (done.code, done.out) == (130, "")
    assert said in done.err


def test_a_judge_that_is_interrupted_says_how_far_it_was(run: Run, log: Path, monkeypatch: pytest.MonkeyPatch):
    from qx.cli.commands.evaluation import judge

    def interrupted(ctx: object, source: object, profile: object, chosen: object, options: Any, **more: object) -> None:
        options.progress(3, 8)
        raise KeyboardInterrupt

    monkeypatch.setattr(judge, "_relevance", interrupted)
    done = run("eval", "judge", str(log), "--judge", "default")
    assert (done.code, done.out) == (130, "")
    assert "stopped after 3 of 8 judgements: the same command goes on from there" in done.err


def test_answers_are_rated_on_a_sheet(run: Run, tmp_path: Path):
    path = tmp_path / "answers.jsonl"
    path.write_text('{"text": "q", "answer": "=1+1", "condition": "one"}\n')
    done = run("eval", "sheet", "make", str(path), "--answers", "--out", "a.csv", "--key", "key.json")
    assert done.code == 0
    assert done.out.split() == ["a.csv", "a.txt"]
    assert "'=1+1" in Path("a.csv").read_text("utf-8-sig")
    assert "one" not in Path("a.csv").read_text("utf-8-sig")
    assert run("eval", "sheet", "make", str(path), "--answers", "-p", "x", "--out", "b.csv").code == 2


def test_a_judge_needs_a_model(run: Run, log: Path):
    done = run("eval", "judge", str(log), "--judge", "default", "-p", "default")
    assert done.code == 3
    assert "names no" in done.err


@pytest.mark.parametrize(
    "options",
    [("--task", "queries"), ("--task", "queries", "-p", "default", "--out", "x"), ("--pairwise",),
     ("--task", "answers", "-p", "default"), ("--people", "log.txt"), ("--top", "3"),
     ("--task", "queries", "-p", "default", "--top", "10"), ("--task", "queries", "-p", "default", "--agree", "50"),
     ("--task", "queries", "-p", "default", "--corpus", "x"), ("--task", "answers", "--split", "nosuch"),
     ("--task", "answers", "--corpus", "x"), ("--task", "queries", "-p", "default", "--threshold", "0.5"),
     ("--task", "queries", "-p", "default", "--pairwise"), ("-p", "default", "--agree", "5"),
     ("-p", "default", "--threshold", "0.4"), ("-p", "default", "--corpus", "nowhere.jsonl")],
)  # fmt: skip
def test_options_that_do_not_go_together(run: Run, log: Path, options: tuple[str, ...]):
    done = run("eval", "judge", str(log), "--judge", "default", *options)
    assert (done.code, done.out) == (2, "")


def test_the_split_of_a_dataset_is_judged_for_sets_too(run: Run, tmp_path: Path):
    folder = tmp_path / "help"
    (folder / "qrels").mkdir(parents=True)
    (folder / "corpus.jsonl").write_text('{"_id": "d", "text": "tea"}\n')
    (folder / "queries.jsonl").write_text('{"_id": "q", "text": "tea"}\n')
    (folder / "qrels" / "dev.tsv").write_text("q\td\t1\n")
    (tmp_path / "judge.yaml").write_text("llm: {provider: openai, model: m, api_base: 'http://localhost:9'}\n")
    for more in ((), ("--limit", "5")):
        done = run("eval", "judge", "help", "--judge", "judge.yaml", "--task", "queries", "-p", "default",
                   "--split", "nosuch", *more)  # fmt: skip
        assert done.code == 3
        assert "no split 'nosuch'" in done.err


async def test_a_judge_that_does_not_agree_exits_with_six(run: Run, tmp_path: Path, model_server: ModelServer):
    folder = tmp_path / "tiny"
    folder.mkdir()
    (folder / "queries.jsonl").write_text('{"_id": "q", "text": "tea"}\n')
    documents = [{"_id": f"d{n}", "text": "x" * n} for n in range(1, 25)]
    (folder / "corpus.jsonl").write_text("".join(json.dumps(d) + "\n" for d in documents))
    grades = "".join(f"q\td{n}\t{n % 4}\n" for n in range(1, 25))
    (folder / "qrels.tsv").write_text(f"query-id\tcorpus-id\tscore\n{grades}")
    block = f"provider: openai, model: judge, api_base: '{model_server.url}', api_key: '${{JUDGE_KEY}}', retries: 0"
    (tmp_path / "judge.yaml").write_text(f"llm: {{{block}}}\n")
    os.environ["JUDGE_KEY"] = "canary-77"
    model_server.react(default=Reaction(text='{"grade": 2}'))

    async def qx(*arguments: str) -> Result:
        return await asyncio.get_running_loop().run_in_executor(None, lambda: run("eval", "judge", *arguments))

    done = await qx("tiny", "--judge", "judge.yaml", "--out", "judge.tsv")
    assert done.code == 6, done.err
    assert "NO RANKING" in done.out
    assert "with people over 24 pairs, 6 of them alike, is below 0.4" in done.out
    assert not Path("judge.tsv").exists()
    assert len(model_server.calls) == 24
    done = await qx("tiny", "--judge", "judge.yaml", "--json", "--threshold", "-1", "--out", "judge.tsv")
    made = valid("eval-judge", done.out)
    assert (done.code, made["asked"], made["kept"], made["ranked"]) == (0, 0, 24, True)
    assert made["provenance"]["command"].startswith("qx eval judge tiny --judge judge.yaml --threshold -1")
    assert len(model_server.calls) == 24
    assert len(Path("judge.tsv").read_text().splitlines()) == 25

    shutil.rmtree("home")
    model_server.react(Reaction(kind="error"))
    done = await qx("tiny", "--judge", "judge.yaml", "--threshold", "-1", "--concurrency", "1")
    assert done.code == 4, done.err
    assert "error: 1 of 24 could not be judged and count in no mean: the same command asks again" in done.err
    done = await qx("tiny", "--judge", "judge.yaml", "--threshold", "-1")
    assert (done.code, done.err) == (0, "")
