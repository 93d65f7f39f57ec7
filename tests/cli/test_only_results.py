"""Standard output has results alone, whatever the parts of an engine print while an evaluation is at work."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from pathlib import Path
from typing import Any

import pytest

from qx.cli.session import run as run_work
from qx.testing import ModelServer, Reaction

from .conftest import Result, Run

LOUD = "loud part"
ROWS = '{"text": "泰山海拔多少米", "intents": ["factual"]}\n'


@pytest.fixture
def loud(monkeypatch: pytest.MonkeyPatch) -> None:
    """A part of every engine that prints at each query."""
    from qx.rules.understand import RuleUnderstanding

    understand = RuleUnderstanding.begin

    def printing(self: RuleUnderstanding, *arguments: Any, **options: Any) -> Any:
        print(LOUD)
        return understand(self, *arguments, **options)

    monkeypatch.setattr(RuleUnderstanding, "begin", printing)


@pytest.fixture
def folder(own_folder: Path) -> Path:
    place = own_folder / "help"
    place.mkdir()
    texts = {f"d{n}": f"{text} {n}" for n, text in enumerate(("repair a puncture", "怎么补胎", "oil the chain") * 8)}
    (place / "corpus.jsonl").write_text("".join(json.dumps({"_id": i, "text": t}) + "\n" for i, t in texts.items()))
    asked = "".join(json.dumps({"_id": f"q{i}", "text": t}) + "\n" for i, t in texts.items())
    (place / "queries.jsonl").write_text(asked)
    (place / "qrels.tsv").write_text("".join(f"q{i}\t{i}\t1\n" for i in texts))
    (own_folder / "rows.jsonl").write_text(ROWS, "utf-8")
    (own_folder / "log.txt").write_text("puncture\n", "utf-8")
    (own_folder / "help.yaml").write_text(
        "deadline: 60s\nunderstand: {mode: rules}\nsearch: {backends: {main: {type: local, path: index}}}\n"
    )
    return own_folder


@pytest.mark.parametrize(
    "arguments",
    [
        ("understand", "rows.jsonl"),
        ("pack", "general"),
        ("run", "help", "-p", "help.yaml", "--index"),
    ],
)
def test_an_evaluation_prints_one_document(folder: Path, run: Run, loud: None, arguments: tuple[str, ...]) -> None:
    made = run("eval", *arguments, "--json")
    assert made.code == 0, made.err
    assert LOUD in made.err
    assert json.loads(made.out)


def test_tuning_prints_one_document(folder: Path, run: Run, loud: None) -> None:
    assert run("index", "help/corpus.jsonl", "-p", "help.yaml").code == 0
    made = run("tune", "help.yaml", "help", "--budget", "1", "--dry-run", "--json")
    assert made.code == 0, made.err
    assert LOUD in made.err
    assert json.loads(made.out)


def test_a_sheet_prints_its_place(folder: Path, run: Run, loud: None) -> None:
    made = run("eval", "sheet", "make", "log.txt", "-p", "help.yaml", "--out", "sheet.csv")
    assert (made.code, made.out) == (0, "sheet.csv\nsheet.txt\n"), made.err
    assert LOUD in made.err


async def test_a_judge_prints_one_document(folder: Path, run: Run, loud: None, model_server: ModelServer) -> None:
    block = f"provider: openai, model: judge, api_base: '{model_server.url}', api_key: none, retries: 0"
    (folder / "judge.yaml").write_text(f"llm: {{{block}}}\n")
    model_server.react(default=Reaction(text='{"coverage": 3, "useful": "yes"}'))

    def work() -> Result:
        return run(
            "eval", "judge", "log.txt", "--judge", "judge.yaml", "--task", "queries", "-p", "help.yaml", "--json"
        )

    made = await asyncio.get_running_loop().run_in_executor(None, work)
    assert made.code == 0, made.err
    assert LOUD in made.err
    assert json.loads(made.out)["subjects"] == 1


def test_what_is_written_to_the_descriptor_too(capfd: pytest.CaptureFixture[str]) -> None:
    async def work() -> int:
        print(LOUD)
        os.write(1, b"from C\n")
        return 7

    assert run_work(work()) == 7
    said = capfd.readouterr()
    assert said.out == ""
    assert LOUD in said.err
    assert "from C" in said.err


def test_ctrl_c_is_a_persons_and_no_error_of_a_plugin() -> None:
    async def work() -> None:
        os.kill(os.getpid(), signal.SIGINT)
        await asyncio.sleep(5)

    with pytest.raises(KeyboardInterrupt):
        run_work(work())
