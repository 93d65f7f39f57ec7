"""``qx verify`` as a stranger types it, its files, and the operation for programs and models."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st

from qx import Engine
from qx.cli import main
from qx.errors import UsageError
from qx.testing import CommandConformance, OperationConformance, ScriptedLLM
from qx_answer.claim_files import read_claims, read_sources
from qx_answer.verify_command import command
from qx_answer.verify_operation import Verify

SOURCES = [
    {"_id": "guide", "title": "Guide", "text": "Rebase is not allowed on main. Use three‑key ≥5 “legacy” ones."},
    {"id": 7, "text": "打印机卡纸时，先关电源，再打开后盖取纸。", "metadata": {"published": "2024-05-01"}},
    {"_id": "empty", "text": ""},
]
CLAIMS = [
    {"statement": "Legacy ones need ≥5.", "source_id": "guide", "quote": 'three-key >=5 "legacy"'},
    {"statement": "Rebase is allowed on main.", "source_id": "guide", "quote": "Rebase is not allowed on main."},
    {"statement": "先关电源。", "source_id": "7", "quote": "先关电源,再打开后盖取纸"},
    {"statement": "x", "source_id": "Guide", "quote": "Rebase"},
    {"statement": "x", "source_id": "empty", "quote": "Rebase"},
]
VERDICTS = ["quote-only", "contradicted", "quote-only", "unsupported", "unsupported"]
Run = Callable[..., Result]


@pytest.fixture
def qx(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs ``qx verify`` in a folder that has the files."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("QX_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    write(tmp_path / "sources.jsonl", "\n".join(json.dumps(one, ensure_ascii=False) for one in SOURCES))
    write(tmp_path / "answer.json", json.dumps({"answer": "…", "claims": CLAIMS, "degraded": []}, ensure_ascii=False))

    def run(*words: str, given: str | None = None) -> Result:
        return CliRunner().invoke(main, ["verify", *words], input=given)

    return run


def write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")


def verdicts(result: Result) -> list[str]:
    assert result.exit_code == 0, result.output
    return [one["verdict"] for one in json.loads(result.stdout)["claims"]]


def test_claims_are_printed_with_verdicts_and_offsets(qx: Run):
    done = qx("answer.json", "sources.jsonl", "--json")
    assert verdicts(done) == VERDICTS
    claims = json.loads(done.stdout)["claims"]
    assert [set(one) >= {"statement", "source_id", "quote", "start", "end", "verdict"} for one in claims] == [True] * 5
    assert str(SOURCES[0]["text"])[claims[0]["start"] : claims[0]["end"]] == "three‑key ≥5 “legacy”"
    assert str(SOURCES[1]["text"])[claims[2]["start"] : claims[2]["end"]] == "先关电源，再打开后盖取纸"
    assert [claims[3]["start"], claims[3]["end"]] == [None, None]
    assert json.loads(done.stdout)["judge"] == "off"


def test_a_person_reads_why(qx: Run):
    done = qx("answer.json", "sources.jsonl")
    assert done.exit_code == 0
    assert "contradicted Rebase is allowed on main.  [guide:0-30]" in done.stdout
    assert "no source 'Guide' was shown" in done.stdout
    assert "2 of 5 claims hold; nobody judged whether statements follow" in done.stdout


def test_a_list_alone_and_standard_input(qx: Run):
    given = json.dumps(CLAIMS)
    assert verdicts(qx("-", "sources.jsonl", "--json", given=given)) == VERDICTS
    assert verdicts(qx("-", "sources.jsonl", "--json", given="[]")) == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"claims": [\n{"statement": "x",\n', "answer.json:3: not JSON"),
        ('{"answer": "x"}', "answer.json:1: there are no claims"),
        ('"claims"', "answer.json:1: there are no claims"),
        ('{"claims": {"a": 1}}', "answer.json:1: there are no claims"),
        (
            '{"x": [1,\n2],\n"claims": [\n {"statement": "x", "source_id": "a"}]}',
            "answer.json:4: claim 1 has no `quote`",
        ),
        (
            '[{"statement": "x", "source_id": "a", "quote": "y"},\n\n {"statement": 1, "source_id": "a", "quote": "y"}]',
            "answer.json:3: claim 2: `statement` is not text",
        ),
        ('[\n"x"]', "answer.json:2: claim 1 is no object"),
        ("[" * 100_000, "answer.json"),
    ],
)
def test_a_bad_file_of_claims_is_told_with_its_line(qx: Run, tmp_path: Path, text: str, said: str):
    write(tmp_path / "answer.json", text)
    done = qx("answer.json", "sources.jsonl")
    assert done.exit_code == 2
    assert said in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"_id": "a", "text": "x"}\nno json\n', "sources.jsonl:2: not JSON"),
        ('{"text": "x"}\n', "sources.jsonl:1: no `_id`"),
        ('\n{"_id": "a", "text": ["x"]}\n', "sources.jsonl:2: `text` is not text"),
        ('{"_id": "a", "text": "x"}\n{"_id": "a", "text": "y"}\n', "sources.jsonl:2: the id 'a' is there already"),
        ("[1]\n", "sources.jsonl:1: not an object"),
    ],
)
def test_a_bad_file_of_sources_is_told_with_its_line(qx: Run, tmp_path: Path, text: str, said: str):
    write(tmp_path / "sources.jsonl", text)
    done = qx("answer.json", "sources.jsonl")
    assert done.exit_code == 2
    assert said in done.stderr


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 5), st.sampled_from([None, 0, 2]), st.booleans(), st.text(max_size=12))
def test_the_line_of_a_wrong_claim_is_its_own(wrong: int, indent: int | None, bare: bool, text: str):
    claims: list[dict[str, Any]] = [{"statement": text, "source_id": "]}", "quote": '{"claims": ['} for _ in range(6)]
    claims[wrong] = {"statement": "wrong", "source_id": ["claims"]}
    whole = claims if bare else {"answer": text, "claims": claims, "more": {"claims": [1]}}
    written = json.dumps(whole, indent=indent, ensure_ascii=False, sort_keys=False)
    line = written[: written.index('"wrong"')].count("\n") + (0 if indent is not None else 1)
    with pytest.raises(UsageError) as raised:
        read_claims(written.encode(errors="surrogatepass"), "answer.json")
    if "not UTF-8" not in str(raised.value):
        assert str(raised.value).startswith(f"answer.json:{line}: claim {wrong + 1}")


def test_files_that_are_not_there_or_not_text(qx: Run, tmp_path: Path):
    assert "nowhere.json is not there" in qx("nowhere.json", "sources.jsonl").stderr
    assert "nowhere.jsonl is not there" in qx("answer.json", "nowhere.jsonl").stderr
    (tmp_path / "empty").mkdir()
    assert qx("answer.json", str(tmp_path / "empty")).exit_code == 2
    (tmp_path / "answer.json").write_bytes(b'[\n"\xff"]')
    assert "answer.json:2: not UTF-8" in qx("answer.json", "sources.jsonl").stderr


def test_sources_may_be_a_table(tmp_path: Path):
    write(tmp_path / "sources.csv", "id,title,text\na,Title,Some text\n")
    (one,) = read_sources(tmp_path / "sources.csv")
    assert (one.id, one.title, one.text) == ("a", "Title", "Some text")


def test_sources_may_be_the_folder_that_was_indexed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs" / "in").mkdir(parents=True)
    write(tmp_path / "docs" / "a.md", "# Title\n\nSome text.")
    write(tmp_path / "docs" / "in" / "b.txt", "更多文字。")
    write(tmp_path / "docs" / "c.png", "none")
    assert [(one.id, one.text) for one in read_sources(Path("docs"))] == [
        ("docs/a.md", "# Title\n\nSome text."),
        ("docs/in/b.txt", "更多文字。"),
    ]


def test_a_folder_without_sources_is_an_error(tmp_path: Path):
    with pytest.raises(UsageError, match="has no file of sources"):
        read_sources(tmp_path)


def test_a_source_has_what_the_record_says(tmp_path: Path):
    write(tmp_path / "s.jsonl", "\n".join(json.dumps(one) for one in SOURCES))
    found = read_sources(tmp_path / "s.jsonl")
    assert [one.id for one in found] == ["guide", "7", "empty"]
    assert found[1].published == "2024-05-01"


def test_the_last_of_two_keys_counts_as_in_json():
    text = b'{"claims": [],\n "claims": [\n{"statement": "a", "source_id": 1, "quote": "c"}]}'
    assert [one.source_id for one in read_claims(text, "x.json")] == ["1"]
    with pytest.raises(UsageError, match=r"x\.json:3"):
        read_claims(text.replace(b'"c"', b"2"), "x.json")


async def test_the_profile_s_model_judges(opened: Any):
    llm = ScriptedLLM(lambda request: json.dumps({"1": "follows", "2": "not-said"}))
    request = {
        "claims": [CLAIMS[0], CLAIMS[2]],
        "sources": [{"id": str(s.get("_id", s.get("id"))), "text": s["text"]} for s in SOURCES],
    }
    async with opened([], llm) as engine:
        result = await engine.result("verify", request)
        assert [one.verdict for one in result.claims] == ["verified", "unsupported"]
        assert result.judge == "model"
        off = await engine.result("verify", request | {"judge": False})
        assert [one.verdict for one in off.claims] == ["quote-only", "quote-only"]
        assert off.judge == "off"
    assert len(llm.requests) == 1


async def test_many_claims_are_judged_in_requests_of_their_own(opened: Any):
    llm = ScriptedLLM(lambda request: json.dumps({str(i): "follows" for i in range(1, 9)}))
    source = {"id": "a", "text": " ".join(f"The part {i} is painted." for i in range(100, 140))}
    claims = [
        {"statement": f"Part {i} has paint.", "source_id": "a", "quote": f"The part {i} is painted"}
        for i in range(100, 140)
    ]
    async with opened([], llm, budget={"calls": 1}) as engine:
        result = await engine.result("verify", {"claims": claims, "sources": [source]})
    assert {one.verdict for one in result.claims} == {"verified"}
    assert [one.quote for one in result.claims] == [one["quote"] for one in claims]
    assert len(llm.requests) == 5
    assert result.degraded == ()


class TestCommand(CommandConformance):
    @pytest.fixture
    def command(self) -> click.Command:
        return command


class TestOperation(OperationConformance):
    name = "verify"
    requests = ({"claims": CLAIMS[:2], "sources": [{"id": "guide", "text": "Rebase"}]}, {"claims": [], "sources": []})

    @pytest.fixture
    def operation(self) -> type[Verify]:
        return Verify

    @pytest.fixture
    async def engine(self, opened: Any) -> Any:
        async with opened([]) as engine:
            assert isinstance(engine, Engine)
            yield engine
