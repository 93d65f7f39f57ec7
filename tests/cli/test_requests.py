"""What the command line makes of its options, and what it prints."""

import json
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from qx.cli.output import Node, plain_lines, printable
from qx.cli.story import constraint_text, constraint_texts
from qx.serial import from_json, to_plain
from qx.types import Constraint, Expansion, Turn, Understanding

from .conftest import EXPANSION, TEXT, UNDERSTANDING, Run, StubEngine


def test_understand_prints_one_json_document(run: Run, engine: StubEngine) -> None:
    result = run("understand", TEXT, "--json")
    assert result.code == 0
    assert json.loads(result.out) == to_plain(UNDERSTANDING)
    assert from_json(Understanding, result.out) == UNDERSTANDING
    assert "\\u" not in result.out


def test_expand_prints_one_json_document(run: Run, engine: StubEngine) -> None:
    result = run("expand", "--json", TEXT)
    assert result.code == 0
    assert from_json(Expansion, result.out) == EXPANSION
    assert list(json.loads(result.out)) == [
        "original", "queries", "dropped", "abstained", "understanding", "degraded", "notes", "usage", "trace",
    ]  # fmt: skip
    assert "no model configured" in result.err


def test_a_pipe_gets_one_query_a_line(run: Run, engine: StubEngine) -> None:
    result = run("expand", TEXT)
    assert result.out.splitlines() == [
        f"{TEXT}\toriginal\t",
        "老人手机 大屏 2000元\trefine\tfor 爸妈",
        "tab here\tsynonym\ta b",
    ]
    assert result.err == (
        "note: rules (no model configured): set OPENAI_API_KEY, or name a model under `llm:` in a profile\n"
    )


def test_what_was_asked_for_needs_no_notice(run: Run, engine: StubEngine) -> None:
    assert run("expand", TEXT, "--mode", "rules").err == ""
    assert run("-q", "expand", TEXT).err == ""
    assert run("expand", "-q", TEXT).err == ""


def test_understand_as_plain_text(run: Run, engine: StubEngine) -> None:
    lines = run("understand", TEXT).out.splitlines()
    assert lines[0] == TEXT
    assert "  intent: recommendation" in lines
    assert "  entities: 手机 (product)" in lines
    assert "    price ≈ 2000 CNY (nice to have; from “预算2000左右”)" in lines
    assert "    colour ≠ white (must; from “not white”)" in lines
    assert "  excluded: white" in lines
    assert "  mood: worried 0.4" in lines
    assert lines[-1] == "  made by: rules (no model configured) (confidence 0.70)"
    assert "\x1b" not in "".join(lines)


def test_explain_tells_the_whole_story(run: Run, engine: StubEngine) -> None:
    out = run("explain", TEXT).out
    for said in (
        "kept from: refine, synonym (the trace has all that ran)",
        "老人手机 大屏 2000元 (refine, for web, weight 0.5: for 爸妈)",
        "dropped: 手机壳 (synonym: drifted)",
        "degraded: expand fell back to rules (model timed out after 2 s)",
        "notes: nothing more that is different",
        "spent: 2 calls, 300 tokens in, 40 tokens out, 0.001200 USD",
        "time: 3.8 ms (trace t1)",
        "1.5 ms  +2.2 ms  expand (step=expand)",
    ):
        assert said in out
    assert out.index("0.0 ms") < out.index("1.5 ms  +")
    assert from_json(Expansion, run("explain", "--json", TEXT).out) == EXPANSION


def test_words_are_one_query(run: Run, engine: StubEngine) -> None:
    run("expand", "red", "running", "shoes")
    run("expand", "--", "-white", "shoes")
    assert [query.text for query in engine.asked] == ["red running shoes", "-white shoes"]


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (TEXT.encode() + b"\n", TEXT),
        (b"\xef\xbb\xbfshoes\r\n", "shoes"),
        (b"bad \xff\xfe bytes \xe6\x89", "bad �� bytes �"),
        (b"two\nlines\n", "two\nlines"),
        (b"", ""),
    ],
)
def test_standard_input(run: Run, engine: StubEngine, data: bytes, text: str) -> None:
    assert run("expand", "-", "--json", stdin=data).code == 0
    assert engine.asked[0].text == text


def test_an_argument_that_is_not_utf8(run: Run, engine: StubEngine) -> None:
    assert run("expand", os.fsdecode(b"caf\xe9 \xff")).code == 0
    assert engine.asked[0].text == "caf� �"


def test_too_much_input_is_refused(run: Run, engine: StubEngine) -> None:
    result = run("expand", "-", stdin=b"x" * 4_000_001)
    assert (result.code, result.out) == (2, "")
    assert "4 MB" in result.err


def test_the_options_reach_the_engine(run: Run, engine: StubEngine, own_folder: Path) -> None:
    turns = [
        {"role": "system", "content": "be kind"},
        {"role": "user", "content": "手机"},
        {"role": "assistant", "content": "哪个?"},
    ]
    (own_folder / "h.json").write_text(json.dumps(turns), "utf-8")
    result = run(
        "expand", "cheaper", "--now", "2026-11-29T14:30", "--timezone", "Europe/Berlin", "--language", "zh-Hant",
        "--history", "h.json", "--mode", "llm-single",
    )  # fmt: skip
    assert result.code == 0, result.err
    (query,) = engine.asked
    assert query.now == datetime(2026, 11, 29, 13, 30, tzinfo=UTC)
    assert (query.timezone, query.language) == ("Europe/Berlin", "zh-Hant")
    assert query.history == (Turn(role="user", content="手机"), Turn(role="assistant", content="哪个?"))
    assert (engine.profile.understand.mode, engine.profile.expand.mode) == ("llm-single", None)


def test_a_moment_without_a_zone_is_the_profiles(run: Run, engine: StubEngine) -> None:
    run("expand", "x", "--now", "2026-11-29")
    run("expand", "x", "--now", "2026-11-29T00:00:00Z")
    assert [q.now and q.now.astimezone(UTC).hour for q in engine.asked] == [16, 0]
    assert all(q.timezone is None for q in engine.asked)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("expand",), "Missing argument 'TEXT"),
        (("expnd", "x"), "No such command 'expnd': did you mean 'expand'?"),
        (("profile", "shwo"), "No such command 'shwo'"),
        (("expand", "x", "--jsn"), "--json"),
        (("expand", "x", "--mode", "magic"), "'llm-single'"),
        (("expand", "x", "--now", "yesterday"), "not a moment such as 2026-11-29T14:30"),
        (("expand", "x", "--timezone", "Mars/Olympus"), "not an IANA time zone"),
        (("expand", "x", "--timezone", "../etc"), "not an IANA time zone"),
        (("expand", "x", "--language", "chinese!"), "not a language tag"),
        (("expand", "x", "--history", "nowhere.json"), "does not exist"),
        (("expand", "x", "--env-file", "nowhere.env"), "does not exist"),
        (("completion", "tcsh"), "'bash'"),
    ],
)
def test_a_wrong_command_line_is_one_line_and_exit_code_2(
    run: Run, engine: StubEngine, arguments: tuple[str, ...], said: str
) -> None:
    result = run(*arguments)
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith("error: ")
    assert result.err.count("\n") == 1
    assert said in result.err
    assert "--help'" in result.err


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{", "not JSON: line 1"),
        ('{"role": "user"}', "not a list like"),
        ('[{"role": "user", "content": "x"}, {"role": "user"}]', "message 2"),
        ('["x"]', "message 1"),
        ('[{"role": "king", "content": "x"}]', "message 1"),
        ("[" * 100_000, "not "),
    ],
)
def test_a_wrong_history_says_where(run: Run, engine: StubEngine, own_folder: Path, content: str, said: str) -> None:
    (own_folder / "h.json").write_text(content, "utf-8")
    result = run("expand", "x", "--history", "h.json")
    assert result.code == 2
    assert said in result.err
    assert "h.json" in result.err


def test_env_files_fill_what_is_not_set(run: Run, engine: StubEngine, own_folder: Path) -> None:
    os.environ["QX_TEST_SET"] = "environment"
    (own_folder / ".env").write_text("QX_TEST_SET=file\nQX_TEST_A=env\nQX_TEST_B='中文'\n", "utf-8")
    (own_folder / "own.env").write_text("QX_TEST_A=own\n", "utf-8")
    assert run("expand", "x", "--env-file", "own.env").code == 0
    assert [os.environ[f"QX_TEST_{n}"] for n in ("SET", "A", "B")] == ["environment", "own", "中文"]


def test_dot_env_cannot_say_what_only_the_operator_may(run: Run, engine: StubEngine, own_folder: Path) -> None:
    """A folder that somebody works in must not widen what qx may do there; a file that is named may."""
    text = "QX_ALLOW_ADDRESSES=127.0.0.1\nQX_ALLOW_PATHS=/\nQX_TEST_C=env\n"
    (own_folder / ".env").write_text(text, "utf-8")
    assert run("expand", "x").code == 0
    assert [name for name in ("QX_ALLOW_ADDRESSES", "QX_ALLOW_PATHS", "QX_TEST_C") if name in os.environ] == [
        "QX_TEST_C"
    ]
    (own_folder / "own.env").write_text(text, "utf-8")
    assert run("expand", "x", "--env-file", "own.env").code == 0
    assert os.environ["QX_ALLOW_ADDRESSES"] == "127.0.0.1"


def test_an_env_file_that_is_not_text(run: Run, engine: StubEngine, own_folder: Path) -> None:
    (own_folder / ".env").write_bytes(b"A=\xff\xfe\x00")
    result = run("expand", "x")
    assert result.code == 3
    assert ".env" in result.err


def test_what_a_terminal_would_obey_is_taken_out() -> None:
    assert printable("a\x1b[31mred\x07\u202e\u0085\n中\u200b文") == "a�[31mred��  中�文"
    assert printable("👨\u200d👩\u200d👧 नमस्\u200dते") == "👨\u200d👩\u200d👧 नमस्\u200dते"


@hypothesis_settings(max_examples=60, deadline=None)
@given(st.text(max_size=60), st.text(max_size=20), st.text(max_size=20))
def test_any_text_is_one_line(text: str, child: str, aside: str) -> None:
    node = Node("", text)
    node.add("label", child, aside)
    lines = list(plain_lines(node))
    assert len(lines) == 2
    assert not any(c in line for line in lines for c in "\x1b\n\r\x00\u202e\u2028")


@pytest.mark.parametrize(
    ("constraint", "text"),
    [
        (Constraint(field="price", op="le", value=5000, unit="CNY"), "price ≤ 5000 CNY"),
        (Constraint(field="size", op="eq", value=15.6, unit="inch"), "size = 15.6 inch"),
        (Constraint(field="brand", op="in", value=("小米", "华为")), "brand in 小米, 华为"),
        (Constraint(field="battery", op="prefer", value="long"), "battery preferably long"),
    ],
)
def test_a_constraint_reads_well(constraint: Constraint, text: str) -> None:
    assert constraint_text(constraint) == text


def test_a_range_and_an_approximate_amount_are_told_once():
    def amount(op: str, number: float, *, hard: bool = False, field: str = "price", text: str = "约2000") -> Constraint:
        return Constraint(field=field, op=op, value=number, unit="CNY", text=text, hard=hard)

    about = [amount("prefer", 2000), amount("ge", 1600.0), amount("le", 2400.0)]
    assert [text for text, _ in constraint_texts(about)] == ["price about 2000 (1600–2400) CNY"]
    between = [amount("ge", 300, hard=True), amount("le", 500, hard=True)]
    assert constraint_texts(between) == [("price 300–500 CNY", "must; from “约2000”")]
    others = [amount("ge", 300, hard=True), amount("le", 500, hard=True, text="500以下"), amount("ge", 1, field="a")]
    assert [text for text, _ in constraint_texts(others)] == ["price ≥ 300 CNY", "price ≤ 500 CNY", "a ≥ 1 CNY"]


def test_what_is_from_the_cache_says_that_nothing_ran(run: Run, own_folder: Path) -> None:
    (own_folder / "p.yaml").write_text("cache: {type: sqlite}\n", "utf-8")
    first, again = (run("explain", "-q", "-p", "p.yaml", "linen shirt").out for _ in range(2))
    assert "(the trace has all that ran)" in first
    assert "nothing ran" not in first
    assert "time: nothing ran (the result is from the cache, made by an earlier request)" in again
    assert "the trace has" not in again


@pytest.mark.parametrize("text", ["", "   ", "<b></b>"])
def test_an_empty_query_has_no_lines_and_says_why(run: Run, own_folder: Path, text: str) -> None:
    result = run("expand", text)
    assert (result.code, result.out) == (0, "")
    assert "note: the query was left alone: the query is empty" in result.err


@pytest.mark.parametrize(("text", "shown"), [("???", "???"), ("why???", "why?"), ("！！！", "！")])
def test_the_first_line_is_the_query_as_it_is_searched(run: Run, own_folder: Path, text: str, shown: str) -> None:
    made = json.loads(run("expand", "-q", text, "--json").out)
    assert (made["original"], made["queries"][0]["text"]) == (text, shown)
    assert run("expand", "-q", text).out.split("\t")[0] == shown
