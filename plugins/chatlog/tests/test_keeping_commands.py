"""``qx chat import``, ``export``, ``delete``, ``stats`` as an operator types them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from qx.cli import main

Run = Callable[..., Result]
ROWS = [
    {
        "id": "1",
        "user": "ann",
        "session": "s1",
        "role": "user",
        "time": "2026-03-01T08:00:00Z",
        "content": "去桂林的车票",
    },
    {
        "id": "2",
        "user": "ann",
        "session": "s2",
        "role": "user",
        "time": "2026-03-02T08:00:00Z",
        "content": "train tickets",
    },
    {"id": "3", "user": "bob", "session": "s1", "role": "user", "time": "2026-03-01T08:00:00Z", "content": "bob's own"},
    {"id": "4", "user": "bob", "session": "s1", "role": "user", "content": "never"},
]


@pytest.fixture
def qx(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("QX_HOME", str(tmp_path / "home"))
    (tmp_path / "p.yaml").write_text("timezone: Asia/Shanghai\nchat: {store: {type: sqlite, path: chat.db}}\n")
    (tmp_path / "log.jsonl").write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in ROWS))

    def run(*words: str, given: str | None = None) -> Result:
        return CliRunner().invoke(main, ["chat", *words, "-p", "p.yaml"], input=given)

    return run


def _json(result: Result) -> Any:
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_stats_name_the_tenant_that_has_a_users_messages(qx: Run, tmp_path: Path) -> None:
    qx("import", "log.jsonl")
    (tmp_path / "more.yaml").write_text("extends: ./p.yaml\n")
    told = CliRunner().invoke(main, ["chat", "stats", "--user", "ann", "-p", "more.yaml"])
    assert told.stdout.startswith("0 messages")
    assert "ann has no messages under the tenant more, and has some under p" in told.stderr
    assert "`tenant: p`" in told.stderr
    assert CliRunner().invoke(main, ["chat", "stats", "--user", "zoe", "-p", "more.yaml"]).stderr == ""
    assert qx("stats", "--user", "ann").stderr == ""


def test_from_import_to_deletion(qx: Run, tmp_path: Path) -> None:
    dry = _json(qx("import", "log.jsonl", "--dry-run", "--json"))
    assert (dry["added"], dry["refused"], dry["dry_run"]) == (3, 1, True)
    assert dry["reasons"] == [
        {"place": "log.jsonl:4", "reason": "it has no time; --start says when the conversation began"}
    ]
    done = qx("import", "log.jsonl")
    assert "3 messages added, 0 were there already, 1 refused" in done.stdout
    assert "log.jsonl:4: it has no time" in done.stderr
    assert _json(qx("import", "log.jsonl", "--json"))["known"] == 3
    assert _json(qx("stats", "--user", "ann", "--json"))["messages"] == 2
    exported = qx("export", "--user", "ann").stdout.splitlines()
    assert [json.loads(line)["content"] for line in exported] == ["去桂林的车票", "train tickets"]
    assert [
        json.loads(line)["id"] for line in qx("export", "--user", "ann", "--session", "s2").stdout.splitlines()
    ] == ["2"]
    assert qx("export", "--user", "ann", "--output", "mine.jsonl").exit_code == 0
    assert (tmp_path / "mine.jsonl").stat().st_mode & 0o077 == 0
    refused = qx("delete", "--user", "ann", given="n\n")
    assert refused.exit_code != 0
    assert _json(qx("delete", "--user", "ann", "--yes", "--json")) == {"deleted": 2}
    assert "0 messages in 0 sessions" in qx("stats", "--user", "ann").stdout
    assert _json(qx("stats", "--user", "bob", "--json"))["messages"] == 1
    assert _json(qx("import", "mine.jsonl", "--json"))["added"] == 2


@pytest.mark.parametrize("words", [("export",), ("delete", "--yes"), ("stats",), ("synchronise",)])
def test_without_a_user_they_refuse(qx: Run, words: tuple[str, ...]) -> None:
    assert qx(*words).exit_code == 7


def test_what_is_wrong_is_said(qx: Run) -> None:
    for words, said in (
        (("import", "none.jsonl"), "no file"),
        (("import", "log.jsonl", "--zone", "Moon"), "Moon"),
        (("import", "log.jsonl", "--start", "soon"), "--start"),
        (("import", "log.jsonl", "--format", "fax"), "fax"),
        (("synchronise", "--user", "ann"), "no engine"),
        (("synchronise", "--all-users"), "no engine"),
        (("synchronise", "--all-users", "--user", "ann"), "one of the two"),
        (("embed",), "embedder"),
    ):
        result = qx(*words)
        assert result.exit_code in (2, 3), result.output
        assert said in result.stderr


def test_an_operator_sends_what_is_missing_of_all_users(qx: Run, tmp_path: Path) -> None:
    assert qx("import", "log.jsonl").exit_code == 0
    with (tmp_path / "p.yaml").open("a") as profile:
        profile.write("understand: {mode: rules}\n")
    text = (tmp_path / "p.yaml").read_text()
    (tmp_path / "p.yaml").write_text(text.replace("}}\n", "}, search: {backend: {type: local, path: index}}}\n", 1))
    note = qx("search", "train", "--user", "ann", "--json")
    assert "synchronise --all-users" in note.output
    done = qx("synchronise", "--all-users")
    assert done.stdout.strip() == "3 messages sent of 2 users; of 0 users all were there already", done.output
    assert _json(qx("synchronise", "--all-users", "--json")) == {"sent": 0, "users": 0, "whole": 2}
    assert "synchronise" not in qx("search", "train", "--user", "ann", "--json").output
    assert _json(qx("synchronise", "--user", "bob", "--json")) == {"sent": 1}
