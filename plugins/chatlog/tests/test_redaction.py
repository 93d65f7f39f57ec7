"""Personal data is hidden at import or on reading, in every tool, and put back only with the key it was hidden with."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from pydantic import SecretStr

from qx.cli import main
from qx.errors import UsageError
from qx.serial import replace
from qx_chatlog import redaction
from qx_chatlog.log import Log
from qx_chatlog.message import Attachment
from qx_chatlog.redaction import RedactSettings
from qx_chatlog.store import Filters
from qx_chatlog.tools import calling
from qx_chatlog.tools.requests import Around, ListSessions, ReadSession, SearchFields

from .conftest import SHANGHAI, said

TEXT = "我的手机 13912345678，邮箱 ann@example.com，身份证 11010519491231002X，卡 4111 1111 1111 1111，key sk-abcdefghijklmnop1234"
SECRETS = ("13912345678", "ann@example.com", "11010519491231002X", "4111 1111", "sk-abcdefghijkl")
KEY = RedactSettings(at="import", secret_key=SecretStr("a long enough passphrase"))
MESSAGE = said("p1", "private", "user", "2026-11-27T10:00", TEXT, attachments=(Attachment(text="call +8613912345678"),))


def _store(settings: RedactSettings | None) -> Any:
    change = redaction.importing(settings)
    assert change is not None
    return change([MESSAGE])[0]


def test_what_is_imported_holds_no_personal_data_and_comes_back_with_the_key():
    stored = _store(KEY)
    for part in SECRETS:
        assert part not in repr(stored)
    assert "<PHONE_1>" in stored.content
    assert stored.attachments[0].text == "call <PHONE_2>" or "<PHONE" in stored.attachments[0].text
    assert redaction.reveal(stored, KEY) == MESSAGE
    assert _store(KEY) == stored, "an import can be repeated"


def test_no_key_no_way_back():
    stored = _store(RedactSettings(at="import"))
    assert "redacted" not in stored.metadata
    assert redaction.reveal(stored, KEY) == stored
    with pytest.raises(UsageError, match="no key"):
        redaction.reveal(_store(KEY), RedactSettings(at="import"))
    with pytest.raises(UsageError, match="not hidden with this key"):
        redaction.reveal(_store(KEY), RedactSettings(secret_key=SecretStr("another long passphrase")))
    with pytest.raises(UsageError, match="not hidden with this key"):
        redaction.reveal(replace(_store(KEY), id="p2"), KEY)
    with pytest.raises(UsageError, match="at least 12"):
        redaction.importing(RedactSettings(secret_key=SecretStr("short")))


def test_what_holds_nothing_personal_is_left_alone():
    plain = said("q", "s", "user", "2026-11-27T10:00", "订单号 20260000123，预算 26 万，2026-11-20 14:00")
    assert redaction.hide(plain) is plain


async def test_what_is_hidden_on_reading_is_in_no_result(chats: Any):
    await chats.store.append([MESSAGE])
    plain = chats.log()
    log = Log(
        plain.store, plain.context, plain.principal, zone=SHANGHAI, hide=redaction.reading(RedactSettings(at="reading"))
    )
    called = [
        await calling.search(log, SearchFields(text="手机 邮箱"), "layered"),
        await calling.search(log, SearchFields(text="13912345678"), "keyword"),
        await calling.search(log, SearchFields(text="", session="private"), "keyword"),
        await calling.around(log, Around(message="p1")),
        await calling.read_session(log, ReadSession(session="private")),
        await calling.list_sessions(log, ListSessions()),
    ]
    for one in called:
        written = one.shown.model_dump_json() + repr(one.found)
        assert "private" in written
        for part in SECRETS:
            assert part not in written
    kept = (await chats.store.get(plain.principal, ["p1"]))[0]
    assert kept.content == TEXT


def test_hidden_at_import_and_revealed_in_a_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("QX_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("CHAT_KEY", "a long enough passphrase")
    chat = "chat: {store: {type: sqlite, path: chat.db}, redact: {at: import%s}}\ntenant: t\n"
    (tmp_path / "key.yaml").write_text(chat % ', secret_key: "${CHAT_KEY}"')
    (tmp_path / "agent.yaml").write_text(chat % "")
    row = {"id": "p1", "user": "ann", "session": "s", "role": "user", "time": "2026-11-27T10:00:00Z", "content": TEXT}
    (tmp_path / "chat.jsonl").write_text(json.dumps(row))

    def qx(*words: str) -> Any:
        return CliRunner().invoke(main, ["chat", *words])

    assert qx("import", "chat.jsonl", "-p", "key.yaml").exit_code == 0
    found = qx("search", "手机", "--user", "ann", "-p", "agent.yaml", "--json").stdout
    assert "<PHONE_1>" in found
    assert not any(part in found for part in SECRETS)
    assert qx("reveal", "p1", "--user", "ann", "-p", "agent.yaml").exit_code == 2
    assert qx("reveal", "p1", "--user", "bob", "-p", "key.yaml").exit_code == 2
    assert qx("reveal", "p1", "-p", "key.yaml").exit_code == 7
    assert TEXT in qx("reveal", "p1", "--user", "ann", "-p", "key.yaml").stdout


@pytest.mark.parametrize("settings", [KEY, RedactSettings(at="import"), RedactSettings(at="reading")])
def test_names_and_metadata_are_hidden_too_and_people_stay_apart(settings: RedactSettings):
    given = [
        replace(said(f"n{n}", "群", "user", "2026-11-27T10:00", text, who), metadata=meta, attachments=parts)
        for n, (who, text, meta, parts) in enumerate(
            [
                ("+86 138 1234 5678", "大家好", {"mail": "amy@example.com"}, (Attachment(name="bob@example.com.png"),)),
                ("+86 139 8765 4321", "hello there", {"deep": [{"tel": "13912345678"}]}, ()),
                ("+86 138 1234 5678", "再说一句", {}, ()),
                ("小周", "plain", {"n": 3}, ()),
                ("13700001111", "号码就是名字", {}, ()),
            ]
        )
    ]
    change = redaction.importing(settings)
    hide = redaction.reading(settings)
    made = list(change(given)) if change else [hide(one) for one in given if hide]
    shown = repr(made)
    for part in ("1234 5678", "8765 4321", "13700001111", "13912345678", "amy@example", "bob@example"):
        assert part not in shown
    assert made[0].speaker == made[2].speaker
    assert made[0].speaker != made[1].speaker
    assert made[3].speaker == "小周"
    assert made[3].metadata == {"n": 3}
    if settings is KEY:
        assert [redaction.reveal(one, KEY) for one in made] == given
        assert list(redaction.importing(KEY)(given)) == made  # type: ignore[misc]


async def test_the_speakers_of_a_list_are_hidden_when_it_is_read(chats: Any):
    await chats.store.append([said("z1", "群", "user", "2026-11-27T10:00", "在吗", "+86 138 1234 5678")])
    log = chats.log()
    log = Log(
        chats.store, log.context, log.principal, zone=SHANGHAI, hide=redaction.reading(RedactSettings(at="reading"))
    )
    listed = repr(await log.sessions(Filters(sessions=("群",))))
    assert "群" in listed
    assert "1234 5678" not in listed


def test_an_export_hides_what_is_hidden_on_reading(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("QX_HOME", str(tmp_path / "home"))
    profile = "chat: {store: {type: sqlite, path: chat.db}, redact: {at: reading}}\ntenant: t\n"
    (tmp_path / "p.yaml").write_text(profile)
    row = {"id": "p1", "user": "ann", "session": "s", "role": "user", "time": "2026-11-27T10:00:00Z", "content": TEXT}
    (tmp_path / "chat.jsonl").write_text(json.dumps(row))

    def qx(*words: str) -> Any:
        return CliRunner().invoke(main, ["chat", *words, "-p", "p.yaml"])

    assert qx("import", "chat.jsonl").exit_code == 0
    exported = qx("export", "--user", "ann").stdout
    assert "<PHONE_1>" in exported
    assert not any(part in exported for part in SECRETS)
    assert json.loads(qx("export", "--user", "ann", "--as-stored").stdout)["content"] == TEXT
