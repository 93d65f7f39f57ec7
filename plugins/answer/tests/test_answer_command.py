"""``qx answer`` as a stranger types it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import qx.testing.plugin
import qx_answer
from qx import errors
from qx.cli import main
from qx.plugins import Plugins
from qx.testing import ScriptedBackend

PLUGINS = Plugins.load(allow=(), modules=[qx.testing.plugin, qx_answer])
Run = Callable[..., Result]
PROFILE = """\
tenant: town
understand: {mode: rules}
search:
  min_results: 0
  backends:
    docs:
      type: fake
      documents:
        - {id: novel, title: Salt Harbour, text: "Salt Harbour is a novel by Mira Oduya, published in 1998."}
        - {id: 退货, title: 退货, text: 外套可以在六十天内退货。穿过的不退。}
"""
ASKED = "Who wrote Salt Harbour?"
QUOTE = "Salt Harbour is a novel by Mira Oduya, published in 1998."


@pytest.fixture
def run_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs ``qx answer`` in a folder with a profile over two documents."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("QX_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.setattr(Plugins, "load", classmethod(lambda cls, **options: PLUGINS))
    (tmp_path / "profiles").mkdir()
    (tmp_path / "profiles" / "town.yaml").write_text(PROFILE, encoding="utf-8")

    def run(*words: str) -> Result:
        return CliRunner().invoke(main, ["answer", "-p", "town", *words])

    return run


def test_a_person_reads_sentences_and_sources_and_beside_them_what_happens(run_answer: Run):
    done = run_answer(*ASKED.split())
    assert done.exit_code == 0, done.output
    assert done.stdout == f"{QUOTE} [1]\n\n[1] Salt Harbour (novel)\n"
    assert f"round 1: searching in docs for {ASKED}" in done.stderr
    assert "reading 1 of 1: Salt Harbour" in done.stderr


def test_so_in_chinese_and_silently(run_answer: Run):
    done = run_answer("-q", "外套多久之内可以退货？")
    assert (done.stdout, done.stderr) == ("外套可以在六十天内退货。[1]\n\n[1] 退货 (退货)\n", "")


def test_a_program_reads_one_document(run_answer: Run):
    done = json.loads(run_answer(ASKED, "--json", "--budget", "rounds=2,searches=4,tokens=9000,seconds=30").stdout)
    assert list(done) == ["answer", "claims", "sources", "stopped_because", "budget", "degraded"]
    (claim,) = done["claims"]
    assert QUOTE[claim["start"] : claim["end"]] == claim["quote"] == QUOTE
    assert (claim["source_id"], claim["verdict"]) == ("novel", "verified")
    limits = {name: spent["limit"] for name, spent in done["budget"].items()}
    assert limits == {"rounds": 2, "searches": 4, "tokens": 9000, "seconds": 30}


def test_events_are_lines_the_answer_last(run_answer: Run):
    lines = [json.loads(line) for line in run_answer(ASKED, "--events").stdout.splitlines()]
    names = [line["event"] for line in lines]
    assert names[-1] == "done"
    assert {"action", "data", "progress", "thinking", "claim"} <= set(names)


@pytest.mark.parametrize(
    ("question", "answer"), [("Who is the king of Atlantis?", "Nothing found"), ("亚特兰蒂斯的国王是谁？", "没有找到")]
)
def test_nothing_found_is_no_error(run_answer: Run, question: str, answer: str):
    done = run_answer("-q", question)
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.startswith(answer)


@pytest.mark.parametrize("question", ["", "  ", "　"])
def test_an_empty_question_is_refused(run_answer: Run, question: str):
    done = run_answer(question, "--json")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "the question is empty" in done.stderr


@pytest.mark.parametrize(
    ("error", "why", "told"),
    [("Unavailable", "search failed", "no answer from docs"), ("AuthError", "authentication", "it is out of order")],
)
@pytest.mark.parametrize("question", [ASKED, "外套多久之内可以退货？"])
def test_where_no_search_succeeded_the_command_fails_with_the_reason(
    run_answer: Run, tmp_path: Path, error: str, why: str, told: str, question: str
):
    ScriptedBackend(default=getattr(errors, error)("it is out of order")).named(f"dead-{error}")
    block = f"docs: {{type: scripted, instance: dead-{error}}}"
    (tmp_path / "profiles" / "town.yaml").write_text(PROFILE.partition("    docs:")[0] + f"    {block}\n", "utf-8")
    done = run_answer(question, "--json", "--budget", "seconds=5")
    assert done.exit_code == 4
    assert json.loads(done.stdout)["stopped_because"] == why
    assert "no search of the question succeeded" in done.stderr
    assert told in done.stderr


def test_recorded_and_replayed_it_is_the_same_byte_for_byte(run_answer: Run, tmp_path: Path):
    first = run_answer(ASKED, "--json", "--record", "tape.jsonl")
    profile = tmp_path / "profiles" / "town.yaml"
    profile.write_text(PROFILE.replace("Mira Oduya", "Somebody Else"), encoding="utf-8")
    again = run_answer(ASKED, "--json", "--replay", "tape.jsonl")
    assert (again.exit_code, again.stdout) == (0, first.stdout)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--budget", "rounds=0"], "rounds"),
        (["--budget", "hours=3"], "hours"),
        (["--budget", "seconds=soon"], "seconds"),
        (["--budget", "rounds=1,rounds=2"], "given twice"),
        (["--budget", '{"rounds": 1, "rounds": 2}'], "given twice"),
        (["--record", "a.jsonl", "--replay", "profiles/town.yaml"], "give one of them"),
        (["--record", "nowhere/a.jsonl"], "there is no folder nowhere"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(run_answer: Run, words: list[str], said: str):
    done = run_answer(ASKED, *words)
    assert done.exit_code == 2
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1
