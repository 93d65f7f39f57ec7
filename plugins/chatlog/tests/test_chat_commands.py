"""``qx chat …`` as a stranger types it: the shapes of ``--json``, exit codes, files of a conversation."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from qx.cli import main
from qx_chatlog.asking.command import conversation
from qx_chatlog.sqlite.store import SqliteStore

from .conftest import LOG

Run = Callable[..., Result]


async def _fill(path: Path) -> None:
    store = await SqliteStore.open(path)
    await store.append(LOG)
    await store.aclose()


@pytest.fixture
def qx(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs ``qx chat …`` on a profile with the log."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("QX_HOME", str(tmp_path / "home"))
    profile = "tenant: t\ntimezone: Asia/Shanghai\nchat: {store: {type: sqlite, path: chat.db}}\n"
    (tmp_path / "p.yaml").write_text(profile)
    asyncio.run(_fill(tmp_path / "chat.db"))

    def run(*words: str, user: str | None = "ann", given: str | None = None) -> Result:
        who = ("--user", user) if user is not None else ()
        return CliRunner().invoke(main, ["chat", *words, *who, "-p", "p.yaml"], input=given)

    return run


def _json(result: Result) -> Any:
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


MESSAGE = ["id", "user", "session", "role", "speaker", "time", "content", "score", "context"]


def test_search_prints_messages_and_marks_neighbours(qx: Run):
    found = _json(qx("search", "预算", "26", "--json", "--limit", "1"))
    assert list(found) == ["messages", "total"]
    assert all(list(one) == MESSAGE for one in found["messages"])
    assert [one["id"] for one in found["messages"] if not one["context"]] == ["b3"]
    assert any(one["context"] is True for one in found["messages"])
    assert _json(qx("search", "没有这样的词语", "--json")) == {"messages": []}


def test_search_by_time_role_and_session(qx: Run):
    found = _json(qx("search", "书", "--json", "--since", "2026-11-18", "--until", "2026-11-18"))
    assert [one["id"] for one in found["messages"] if not one["context"]] == ["k1"]
    assert found["time"]["end"] == "2026-11-19T00:00:00+08:00"
    assert _json(qx("search", "书", "--json", "--role", "assistant", "--session", "books"))["messages"] == []


def test_a_time_that_cannot_be_read_is_a_usage_error(qx: Run):
    result = qx("search", "书", "--when", "blurgh")
    assert result.exit_code == 2
    assert "is not a time that can be read" in result.output


def test_around_prints_the_talk_and_marks_what_was_asked_for(qx: Run):
    found = _json(qx("around", "b2", "--json"))
    assert [(one["id"], one["context"]) for one in found["messages"]] == [
        ("b1", True),
        ("b2", False),
        ("b3", True),
        ("b4", True),
    ]
    assert _json(qx("around", "b2", "--json", user="bob")) == _json(qx("around", "no-such", "--json", user="bob"))


def test_ask_prints_answer_claims_searches_and_why_it_stopped(qx: Run):
    found = _json(qx("ask", "老王最后妥协的那个数字", "--json"))
    assert list(found) == ["answer", "claims", "searches", "stopped_because"]
    assert list(found["claims"][0]) == ["statement", "message_id", "quote", "start", "end", "verdict"]
    assert found["claims"][0]["message_id"] == "b3"
    told = qx("ask", "老王最后妥协的那个数字")
    assert "我查一下" in told.stderr
    assert "[b3]" in told.stdout


def test_ask_with_the_conversation_of_a_file(qx: Run, tmp_path: Path):
    turns = [{"role": "user", "content": "老李昨天推荐了番茄工作法"}, {"role": "assistant", "content": "哦？"}]
    (tmp_path / "talk.json").write_text(json.dumps(turns))
    found = _json(qx("ask", "他说的那个方法我试过吗", "--context", "talk.json", "--json"))
    assert found["claims"][0]["message_id"] == "f1"
    piped = _json(qx("ask", "他说的那个方法我试过吗", "--context", "-", "--json", given="我：老李推荐了番茄工作法\n"))
    assert piped["claims"][0]["message_id"] == "f1"
    (tmp_path / "bad.json").write_text('[{"role": 3}]')
    for name in ("bad.json", "none.json"):
        assert qx("ask", "什么", "--context", name).exit_code == 2


@pytest.mark.parametrize("words", [("search", "x"), ("around", "b2"), ("ask", "x"), ("highlights",), ("fact", "list")])
def test_without_a_principal_there_is_no_answer(qx: Run, words: tuple[str, ...]):
    result = qx(*words, user=None)
    assert result.exit_code == 7
    assert "--user" in result.output


@pytest.mark.parametrize(
    "text", ['"', "(", "*", "AND", "50%", "why?", "a:b", "广西 OR 桂林", "@nasa", "don't", "_", "' OR 1=1 --"]
)
def test_whatever_is_typed_is_text(qx: Run, text: str):
    found = _json(qx("search", text, "--json"))["messages"]
    assert any(c.isalnum() for c in text) or found == []


def test_facts_are_set_shown_listed_and_deleted(qx: Run):
    assert qx("fact", "set", "会议室", "301").exit_code == 0
    assert _json(qx("fact", "set", "会议室", "502", "--message", "k1", "--json"))["facts"][0]["value"] == "502"
    fact = _json(qx("fact", "get", "会议室", "--json"))["facts"][0]
    assert list(fact) == ["name", "value", "time", "message_id", "before"]
    assert fact["before"][0]["value"] == "301"
    assert "会议室: 502 (before: 301) [k1]" in qx("fact", "list").stdout
    assert _json(qx("fact", "list", "--json", user="bob")) == {"facts": []}
    assert qx("fact", "set", "x", "y", "--message", "o1").exit_code == 2, "another's message is not there"
    assert qx("fact", "delete", "会议室").exit_code == 0
    assert _json(qx("fact", "list", "--json")) == {"facts": []}


def test_highlights_are_there_without_being_built_first(qx: Run):
    found = _json(qx("highlights", "--json", "--kind", "correction"))["highlights"]
    assert {"d2", "e3"} <= {one["message_id"] for one in found}
    assert "correction" in qx("highlights").stdout
    assert _json(qx("tag", "--rebuild", "--json"))["tags"] > 0
    assert _json(qx("highlights", "--json", user="bob")) == {"highlights": []}


def test_conversations_are_read_in_many_forms():
    both = [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]
    assert conversation(json.dumps(both)) == both
    assert conversation("\n".join(map(json.dumps, both))) == both
    assert conversation(json.dumps({"messages": [*both, {"role": "system", "content": "x"}]})) == both
    assert conversation("user: a\nassistant: b") == both
    assert conversation("just a line\nand one more") == [{"role": "user", "content": "just a line\nand one more"}]
    assert conversation("") == []
    for wrong in ("[1]", '[{"role": "user"}]', "{", '[{"role": 1, "content": "x"}]'):
        with pytest.raises(ValueError, match=r".+"):
            conversation(wrong)
