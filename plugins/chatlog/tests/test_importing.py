"""Chat logs of other programs, each in a sample of its own."""

from __future__ import annotations

import json
import os
import zipfile
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from qx import Principal
from qx.errors import UsageError
from qx_chatlog.exporting import line
from qx_chatlog.importing import whatsapp
from qx_chatlog.importing.entry import Entry, Given, Refused, message_of
from qx_chatlog.importing.formats import read
from qx_chatlog.importing.running import run
from qx_chatlog.message import Attachment, Message
from qx_chatlog.sqlite.store import SqliteStore
from qx_chatlog.store import Filters

GIVEN = Given(tenant="t", user="ann", zone="Asia/Shanghai")
ANN = Principal(tenant="t", user="ann")


def taken(path: Path, given: Given = GIVEN, format: str | None = None) -> tuple[list[Message], list[str]]:
    made = [one if isinstance(one, Refused) else message_of(one, given, path.stem) for one in read(path, given, format)]
    return [one for one in made if isinstance(one, Message)], [str(one) for one in made if isinstance(one, Refused)]


def written(folder: Path, name: str, content: Any) -> Path:
    path = folder / name
    path.write_text(content if isinstance(content, str) else json.dumps(content, ensure_ascii=False), "utf-8")
    return path


def test_lines_of_our_own_with_a_report_of_what_is_refused(tmp_path: Path) -> None:
    good = {"id": "1", "user": "bob", "session": "s", "role": "human", "time": "2026-03-01T08:00:00", "content": "早"}
    rows = [
        json.dumps(good, ensure_ascii=False),
        "{not json",
        json.dumps({**good, "id": "2", "time": "yesterday"}),
        json.dumps({**good, "id": "3", "colour": "red"}),
        json.dumps({**good, "id": "4", "content": None}),
        json.dumps({**good, "id": "5", "tenant": "other"}),
        json.dumps({**good, "id": "6", "time": 1772323200, "attachments": [{"kind": "image", "caption": "a cat"}]}),
        "[1, 2]",
        "",
        "[" * 100_000,
    ]
    messages, refused = taken(written(tmp_path, "log.jsonl", "\n".join(rows)))
    assert [one.id for one in messages] == ["1", "6"]
    assert (messages[0].user, messages[0].role, messages[0].time) == ("bob", "user", datetime(2026, 3, 1, tzinfo=UTC))
    assert messages[1].time == datetime(2026, 3, 1, tzinfo=UTC)
    assert messages[1].attachments == (Attachment(kind="image", text="a cat"),)
    assert [one.partition(": ")[0] for one in refused] == [f"log.jsonl:{n}" for n in (2, 3, 4, 5, 6, 8, 10)]
    for said, reason in zip(
        refused, ("not JSON", "ISO 8601", "colour", "`content`", "another tenant", "object", "too deep"), strict=True
    ):
        assert reason in said


async def test_export_and_import_give_the_same_messages(tmp_path: Path) -> None:
    one = Message(
        id="a",
        tenant="t",
        user="ann",
        session="s",
        role="tool",
        time=datetime(2026, 3, 1, 1, 2, 3, 456, tzinfo=UTC),
        content="换行\n\u2028x",
        speaker="李",
        zone="America/New_York",
        type="tool",
        attachments=(Attachment(kind="audio", name="v.ogg", url="https://x/v", text="hello", derived=True),),
        metadata={"k": [1, None]},
    )
    assert taken(written(tmp_path, "x.jsonl", line(one) + "\n")) == ([one], [])


OPENAI = [
    {"role": "system", "content": "Be kind."},
    {
        "role": "user",
        "content": [
            {"type": "text", "text": "What is this?"},
            {"type": "image_url", "image_url": {"url": "https://x/cat.png"}},
        ],
    },
    {"role": "assistant", "content": None, "tool_calls": [{"function": {"name": "look", "arguments": '{"a": 1}'}}]},
    {"role": "tool", "content": "a cat"},
    {"role": "assistant", "content": "A cat."},
]


def test_message_lists_of_openai(tmp_path: Path) -> None:
    path = written(tmp_path, "talk.json", OPENAI)
    none, refused = taken(path)
    assert none == []
    assert "--start" in refused[0]
    given = Given(tenant="t", user="ann", start=datetime(2026, 3, 1, 8, tzinfo=UTC))
    messages, refused = taken(path, given)
    assert refused == []
    assert [(one.role, one.type, one.content) for one in messages] == [
        ("system", "text", "Be kind."),
        ("user", "text", "What is this?"),
        ("assistant", "tool", 'look({"a": 1})'),
        ("tool", "tool", "a cat"),
        ("assistant", "text", "A cat."),
    ]
    assert messages[1].attachments[0].url == "https://x/cat.png"
    assert [one.time.second for one in messages] == [0, 1, 2, 3, 4]
    assert {one.session for one in messages} == {"talk"}
    assert len({one.id for one in messages}) == 5
    longer = written(tmp_path, "talk.json", [*OPENAI, {"role": "user", "content": "And this?"}])
    assert [one.id for one in taken(longer, given)[0]][:5] == [one.id for one in messages]


def test_message_lists_of_anthropic_a_line_each(tmp_path: Path) -> None:
    talk = {
        "id": "c1",
        "created_at": "2026-03-01T08:00:00Z",
        "system": "Be brief.",
        "messages": [
            {"role": "user", "content": "weather?"},
            {
                "role": "assistant",
                "content": [
                    {"type": "text", "text": "I look."},
                    {"type": "tool_use", "name": "get", "input": {"city": "Oslo"}},
                ],
            },
            {"role": "user", "content": [{"type": "tool_result", "content": [{"type": "text", "text": "rain"}]}]},
        ],
    }
    path = written(tmp_path, "talks.jsonl", "\n".join(json.dumps({**talk, "id": id}) for id in ("c1", "c2")))
    messages, refused = taken(path)
    assert refused == []
    assert [(one.session, one.role, one.content) for one in messages][:5] == [
        ("c1", "system", "Be brief."),
        ("c1", "user", "weather?"),
        ("c1", "assistant", "I look."),
        ("c1", "assistant", 'get({"city": "Oslo"})'),
        ("c1", "tool", "rain"),
    ]
    assert len({one.id for one in messages}) == 10


def node(
    id: str, parent: str | None, role: str, text: str, time: float | None = 1772323200.0, **content: Any
) -> dict[str, Any]:
    message = {
        "id": id,
        "author": {"role": role},
        "create_time": time,
        "content": {"content_type": "text", "parts": [text]} | content,
    }
    return {"id": id, "parent": parent, "children": [], "message": message}


def test_chatgpt_reads_the_branch_that_was_shown(tmp_path: Path) -> None:
    nodes = {
        "root": {"id": "root", "parent": None, "children": ["a"], "message": None},
        "a": node("a", "root", "user", "first try"),
        "b": node("b", "root", "user", "茶怎么泡？"),
        "c": node("c", "b", "assistant", "用热水。"),
        "t": node("t", "c", "assistant", "hidden thought", content_type="thoughts"),
        "d": node(
            "d", "t", "user", "", parts=[{"content_type": "image_asset_pointer", "asset_pointer": "file-1"}, "看图"]
        ),
    }
    talk = {"title": "茶", "conversation_id": "k1", "create_time": 1.0, "mapping": nodes, "current_node": "d"}
    messages, refused = taken(written(tmp_path, "conversations.json", [talk, {"mapping": {}, "id": "empty"}]))
    assert refused == []
    assert [(one.id, one.role, one.content) for one in messages] == [
        ("b", "user", "茶怎么泡？"),
        ("c", "assistant", "用热水。"),
        ("d", "user", "看图"),
    ]
    assert messages[0].metadata == {"title": "茶"}
    assert messages[2].attachments[0].kind == "image"
    nodes["b"]["parent"] = "d"  # a circle ends
    assert len(taken(written(tmp_path, "conversations.json", [talk]))[0]) == 3


def test_claude(tmp_path: Path) -> None:
    said = {
        "uuid": "m1",
        "sender": "human",
        "text": "hi",
        "created_at": "2026-03-01T08:00:00.5Z",
        "attachments": [{"file_name": "a.txt", "extracted_content": "tea"}],
    }
    talk = {
        "uuid": "c1",
        "name": "Tea",
        "chat_messages": [said, {**said, "uuid": "m2", "sender": "assistant", "created_at": "?"}],
    }
    messages, refused = taken(written(tmp_path, "conversations.json", [talk]))
    assert [(one.id, one.role, one.searched) for one in messages] == [("m1", "user", "hi\na.txt\ntea")]
    assert "ISO 8601" in refused[0]


SLACK = {
    "users.json": [
        {"id": "U1", "name": "ann", "profile": {"display_name": "Ann"}},
        {"id": "U2", "name": "li", "real_name": "李雷"},
    ],
    "channels.json": [{"id": "C1", "name": "general"}],
    "general/2026-03-01.json": [
        {
            "type": "message",
            "user": "U1",
            "ts": "1772323200.000100",
            "text": "<@U2> see <https://x.org|the plan> &amp; <#C1|general>",
        },
        {
            "type": "message",
            "user": "U2",
            "ts": "1772323260.000200",
            "text": "好",
            "thread_ts": "1772323200.000100",
            "files": [{"title": "plan.pdf", "mimetype": "application/pdf"}],
        },
        {
            "type": "message",
            "subtype": "channel_join",
            "user": "U2",
            "ts": "1772323000.000200",
            "text": "<@U2> has joined",
        },
        {"type": "message", "subtype": "bot_message", "username": "deploy", "ts": "1772323300.000200", "text": "done"},
        {"type": "other"},
        7,
    ],
    "general/broken.json": "{",
}


@pytest.mark.parametrize("packed", [True, False])
def test_slack_as_an_archive_and_as_a_folder(tmp_path: Path, packed: bool) -> None:
    path = tmp_path / ("slack.zip" if packed else "slack")
    contents = {name: item if isinstance(item, str) else json.dumps(item) for name, item in SLACK.items()}
    if packed:
        with zipfile.ZipFile(path, "w") as archive:
            for name, text in contents.items():
                archive.writestr(name, text)
    else:
        for name, text in contents.items():
            (path / name).parent.mkdir(parents=True, exist_ok=True)
            (path / name).write_text(text)
    messages, refused = taken(path)
    assert [(one.role, one.speaker, one.type, one.content) for one in messages] == [
        ("user", "Ann", "text", "@李雷 see the plan (https://x.org) & #general"),
        ("user", "李雷", "text", "好"),
        ("system", "李雷", "system", "@李雷 has joined"),
        ("assistant", "deploy", "text", "done"),
    ]
    assert messages[1].attachments[0].name == "plan.pdf"
    assert messages[1].metadata == {"thread": "1772323200.000100"}
    assert {one.session for one in messages} == {"general"}
    assert len(refused) == 2


WHATSAPP = {
    "[29/11/2026, 14:05:10] Ann: see you": datetime(2026, 11, 29, 14, 5, 10),
    "11/29/26, 2:05\u202fPM - Ann: see you": datetime(2026, 11, 29, 14, 5),
    "29.11.26, 14:05 - Ann: see you": datetime(2026, 11, 29, 14, 5),
    "2026/11/29 下午2:05 - Ann: see you": datetime(2026, 11, 29, 14, 5),
    "2026年11月29日 晚上12:05 - Ann: see you": datetime(2026, 11, 29, 12, 5),
    "\u200e[2026-11-29, 12:05:00 AM] Ann: see you": datetime(2026, 11, 29, 0, 5),
}


@pytest.mark.parametrize("text", WHATSAPP)
def test_whatsapp_in_its_shapes(tmp_path: Path, text: str) -> None:
    messages, refused = taken(written(tmp_path, "chat.txt", text + "\nsecond: line\n"))
    assert refused == []
    assert [(one.speaker, one.content) for one in messages] == [("Ann", "see you\nsecond: line")]
    assert messages[0].local_time.replace(tzinfo=None) == WHATSAPP[text]
    assert messages[0].zone == "Asia/Shanghai"


def test_whatsapp_of_an_hour_that_comes_twice(tmp_path: Path) -> None:
    clocks = ("01:50", "02:10", "02:50", "02:05", "02:40", "03:10")
    text = "\n".join(f"25/10/2026, {clock} - Ann: at {clock}" for clock in clocks)
    spring = "\n29/03/2026, 02:30 - Ann: not there\n26/10/2026, 02:20 - Ann: once\n26/10/2026, 02:10 - Ann: before"
    path = written(tmp_path, "night.txt", text + spring)
    messages, refused = taken(path, Given(tenant="t", user="ann", zone="Europe/Berlin"))
    assert refused == []
    assert [f"{one.time:%H:%M}" for one in messages] == [
        "23:50", "00:10", "00:50", "01:05", "01:40", "02:10", "01:30", "01:20", "01:10",
    ]  # fmt: skip
    again, _ = taken(path, Given(tenant="t", user="ann", zone="Europe/Berlin"))
    assert [one.id for one in again] == [one.id for one in messages]


def test_whatsapp_guesses_no_day(tmp_path: Path) -> None:
    text = "3/4/26, 10:00 - Ann: <Media omitted>\n3/5/26, 10:00 - Ann created the group\n3/5/26, 10:00 - Ann: x\n3/5/26, 10:00 - Ann: x\n"
    path = written(tmp_path, "chat.txt", text)
    messages, refused = taken(path)
    assert messages == []
    assert "--dates" in refused[0]
    messages, refused = taken(path, Given(tenant="t", user="ann", dates="day-first"))
    assert [one.time.month for one in messages] == [4, 5, 5, 5]
    assert [one.type for one in messages] == ["media", "system", "text", "text"]
    assert [one.content for one in messages][:2] == ["", "Ann created the group"]
    assert len({one.id for one in messages}) == 4  # the same twice in a minute is two messages
    longer = written(tmp_path, "chat.txt", text + "13/5/26, 10:00 - Ann: day first\n99/99/26, 10:00 - Ann: never\n")
    more, refused = taken(longer)
    assert [one.id for one in more][:4] == [one.id for one in messages]
    assert "is no day" in refused[0]


def test_locomo(tmp_path: Path) -> None:
    turn = {"speaker": "Ann", "dia_id": "D1:1", "text": "look", "blip_caption": "a photo of a boat"}
    talk = {
        "speaker_a": "Ann",
        "speaker_b": "Li",
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [turn, {**turn, "speaker": "Li", "dia_id": "D1:2"}, {"text": "?"}],
    }
    path = written(tmp_path, "locomo.json", [{"sample_id": "conv-1", "qa": [], "conversation": talk}])
    messages, refused = taken(path, Given(tenant="t", zone="UTC"))
    assert [(one.id, one.user, one.role, one.session) for one in messages] == [
        ("conv-1:D1:1", "conv-1", "user", "conv-1:session_1"),
        ("conv-1:D1:2", "conv-1", "assistant", "conv-1:session_1"),
    ]
    assert messages[1].time == datetime(2023, 5, 8, 13, 56, 1, tzinfo=UTC)
    assert messages[0].searched.endswith("a photo of a boat")
    assert len(refused) == 1


@pytest.mark.parametrize(
    ("name", "count"), [("locomo10.json", 5882), ("solo_chat_zh.json", 104), ("team_chat_zh.json", 510)]
)
def test_public_data(name: str, count: int) -> None:
    folder = os.environ.get("QX_TEST_DATA")
    if folder is None:
        pytest.skip("QX_TEST_DATA names no folder with public data")
    messages, refused = taken(Path(folder) / "chat" / name)
    assert (len(messages), refused) == (count, [])
    assert all(one.content or one.attachments for one in messages)


@pytest.mark.parametrize(
    ("name", "content"),
    [("x.bin", "\x00\x01"), ("x.json", "[1, 2]"), ("x.json", "{} {"), ("x.txt", "hello"), ("x.json", "[")],
)
def test_what_cannot_be_told_is_said(tmp_path: Path, name: str, content: str) -> None:
    with pytest.raises(UsageError, match=r"format|JSON"):
        taken(written(tmp_path, name, content))
    with pytest.raises(UsageError, match="no file"):
        taken(tmp_path / "none.json")
    with pytest.raises(UsageError, match="no format"):
        taken(written(tmp_path, name, content), format="telegram")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "role",
                    "content",
                    "messages",
                    "mapping",
                    "message",
                    "type",
                    "text",
                    "create_time",
                    "parts",
                    "author",
                    "chat_messages",
                    "conversation",
                    "speaker_a",
                    "conversation_list",
                    "id",
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(document=JSON, format=st.sampled_from([None, "messages", "chatgpt", "claude", "locomo", "group-chat", "jsonl"]))
def test_any_json_is_read_or_refused(tmp_path: Path, document: Any, format: str | None) -> None:
    path = written(tmp_path, "any.json", document)
    with suppress(UsageError):
        taken(path, format=format)


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(alphabet="1/,:- []APM:\n下午年月日x", max_size=40))
def test_any_text_is_read_as_whatsapp_or_refused(tmp_path: Path, text: str) -> None:
    path = written(tmp_path, "any.txt", "1/13/26, 1:00 PM - Ann: hi\n" + text)
    assert any(isinstance(one, Entry) for one in whatsapp.read(path, GIVEN))


async def test_an_import_may_be_repeated(tmp_path: Path) -> None:
    rows = [
        {"id": str(n), "session": "s", "role": "user", "time": "2026-03-01T08:00:00Z", "content": f"tea {n}"}
        for n in range(30)
    ]
    rows[7]["time"] = "?"
    path = written(tmp_path, "log.jsonl", "\n".join(map(json.dumps, rows)))
    store = await SqliteStore.open(tmp_path / "chat.db")
    told: list[int] = []
    first = await run(store, read(path, GIVEN), GIVEN, "log", tell=lambda report: told.append(report.added))
    again = await run(store, read(path, GIVEN), GIVEN, "log")
    dry = await run(None, read(path, GIVEN), GIVEN, "log")
    assert (first.added, first.known, first.refused) == (29, 0, 1)
    assert (again.added, again.known, again.refused) == (0, 29, 1)
    assert (dry.added, dry.refused) == (29, 1)
    assert told[-1] == 29
    assert await store.count(ANN, Filters()) == 29
    await store.aclose()
