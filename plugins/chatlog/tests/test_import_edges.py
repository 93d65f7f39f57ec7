"""Lines at the edge of an import: no numbers, too long, with what cannot be stored, of nobody known."""

import json
import tracemalloc
import zipfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qx.errors import QxError, UsageError
from qx_chatlog.importing import formats, jsonl, whatsapp
from qx_chatlog.importing.entry import Entry, Given, Refused
from qx_chatlog.importing.running import Report, run

GIVEN = Given(tenant="t", user="ann", zone="Asia/Shanghai")
ROW = {"session": "s", "role": "user", "time": "2026-11-20T10:00:00+08:00", "content": "茶水间的灯坏了"}


def _line(**more: Any) -> str:
    return json.dumps({**ROW, **more}, ensure_ascii=False)


async def _imported(tmp_path: Path, *lines: str | bytes, name: str = "chat.jsonl") -> Report:
    path = tmp_path / name
    path.write_bytes(b"\n".join(one.encode() if isinstance(one, str) else one for one in lines))
    return await run(None, formats.read(path, GIVEN), GIVEN, path.stem)


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999", '[1, {"x": NaN}]'])
async def test_what_is_no_number_of_json_is_refused_with_its_line(tmp_path: Path, number: str):
    bad = _line(id="m1")[:-1] + f', "metadata": {{"n": {number}}}}}'
    report = await _imported(tmp_path, _line(id="m0"), bad, _line(id="m2", content="ok, the lamp works"))
    assert report.added == 2
    assert report.reasons[0].place == "chat.jsonl:2"
    assert "no number" in report.reasons[0].reason


async def test_a_line_that_is_too_long_is_refused_in_bounded_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(jsonl, "LONGEST", 200_000)
    huge = b'{"content": "' + b"x" * 12_000_000 + b'"}'
    tracemalloc.start()
    try:
        first = await _imported(tmp_path, huge, _line(id="m1"), _line(id="m2", content="second"))
        tracemalloc.reset_peak()
        (tmp_path / "again.jsonl").write_bytes(huge + b"\n" + _line(id="m3").encode())
        size = tracemalloc.get_traced_memory()[0]
        tracemalloc.reset_peak()
        again = list(formats.read(tmp_path / "again.jsonl", GIVEN))
        peak = tracemalloc.get_traced_memory()[1] - size
    finally:
        tracemalloc.stop()
    assert (first.added, first.refused) == (2, 1)
    assert first.reasons[0].place == "chat.jsonl:1"
    assert "200,000" in first.reasons[0].reason
    assert isinstance(again[0], Refused)
    assert isinstance(again[1], Entry)
    assert peak < 5_000_000


async def test_a_long_line_of_a_text_chat_is_refused_and_the_rest_stays(tmp_path: Path):
    long = "[20/11/2026, 10:01:00] Ann: " + "x" * 1_200_000
    good = "[20/11/2026, 10:02:00] 小周: 灯修好了"
    report = await _imported(tmp_path, long, good, name="wa.txt")
    assert (report.added, report.refused) == (1, 1)
    assert report.reasons[0].place == "wa.txt:1"


async def test_a_document_of_one_long_line_is_read_whole(tmp_path: Path):
    path = tmp_path / "one.json"
    path.write_text(json.dumps({"messages": [{"role": "user", "content": "灯" * 90_000}]}), encoding="utf-8")
    given = Given(tenant="t", user="ann", start=None)
    assert len(list(formats.read(path, given))) == 1


@pytest.mark.parametrize("content", ["zero\0byte", "半个字\ud800符"])
async def test_replaced_characters_are_reported(tmp_path: Path, content: str):
    line = json.dumps({**ROW, "id": "m1", "content": content})
    report = await _imported(tmp_path, line, _line(id="m2", content="后面"))
    assert report.added == 2
    assert report.replaced == ["m1"]


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ({"role": "hacker"}, "hacker"),
        ({"role": "黑客"}, "黑客"),
        ({"user": "ann\n"}, "user"),
        ({"user": "  "}, "user"),
        ({"user": "小\t周"}, "user"),
        ({"session": "s\r\n"}, "session"),
    ],
)
async def test_names_that_nobody_could_ask_for_are_refused(tmp_path: Path, more: dict[str, str], reason: str):
    report = await _imported(tmp_path, _line(id="m1", **more), _line(id="m2"))
    assert (report.added, report.refused) == (1, 1)
    assert reason in report.reasons[0].reason


@pytest.mark.parametrize(("head", "wrong"), [("[14/11/2026, 29:02:11]", "29:02:11"), ("[14/11/2026, 10:75]", "10:75")])
def test_a_wrong_hour_is_called_that(tmp_path: Path, head: str, wrong: str):
    path = tmp_path / "wa.txt"
    path.write_text(f"{head} Ann: 你好\n[15/11/2026, 10:00:00] Ann: hello\n", encoding="utf-8")
    (refused, entry) = whatsapp.read(path, GIVEN)
    assert isinstance(refused, Refused)
    assert wrong in refused.reason
    assert "no day" not in refused.reason
    assert isinstance(entry, Entry)


@pytest.mark.parametrize(
    ("text", "kind", "name"),
    [
        ("\u200e<Media omitted>", "file", ""),
        ("<媒体文件已省略>", "file", ""),
        ("\u200eimage omitted", "image", ""),
        ("\u200e<attached: 0012-PHOTO.JPG>", "image", "0012-PHOTO.JPG"),
        ("\u200eNote-7.opus (file attached)", "audio", "Note-7.opus"),
        ("plan.pdf (file attached)", "file", "plan.pdf"),
    ],
)
def test_what_an_export_leaves_out_is_nobodys_words(tmp_path: Path, text: str, kind: str, name: str):
    path = tmp_path / "wa.txt"
    path.write_text(f"[14/11/2026, 10:00:00] Ann: {text}\n", encoding="utf-8")
    (entry,) = whatsapp.read(path, GIVEN)
    assert isinstance(entry, Entry)
    assert (entry.content, entry.type, entry.speaker) == ("", "media", "Ann")
    assert [(one.kind, one.name) for one in entry.attachments] == [(kind, name)]


@pytest.mark.parametrize(
    ("text", "role"),
    [
        ("\u200eThis message was deleted.", "system"),
        ("\u200e此消息已删除", "system"),
        ("\u200eMessages and calls are end-to-end encrypted. Tap to learn more.", "system"),
        ("Media is omitted in the export", "user"),
        ("我删除了那个文件", "user"),
    ],
)
def test_what_whatsapp_itself_says_is_nobodys_words(tmp_path: Path, text: str, role: str):
    path = tmp_path / "wa.txt"
    path.write_text(f"[14/11/2026, 10:00:00] Ann: {text}\n", encoding="utf-8")
    (entry,) = whatsapp.read(path, GIVEN)
    assert isinstance(entry, Entry)
    assert (entry.role, entry.content) == (role, text)


def _archive(path: Path) -> Path:
    row = {"type": "message", "user": "U1", "ts": "1772323200.000100", "text": "茶水间的灯坏了 " * 20}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("users.json", json.dumps([{"id": "U1", "name": "ann"}]))
        archive.writestr("general/2026-03-01.json", json.dumps([row] * 5))
    return path


@given(place=st.floats(0, 1, exclude_max=True), byte=st.integers(0, 255), cut=st.booleans())
@settings(max_examples=50, deadline=None)
def test_a_damaged_archive_is_refused_in_words(
    tmp_path_factory: pytest.TempPathFactory, place: float, byte: int, cut: bool
):
    path = _archive(tmp_path_factory.mktemp("slack") / "slack.zip")
    data = bytearray(path.read_bytes())
    at = int(place * len(data))
    data[at] = byte
    path.write_bytes(data[:at] if cut else data)
    for format in ("slack", None):
        try:
            read = list(formats.read(path, GIVEN, format))
        except QxError:
            continue
        assert all(isinstance(one, (Entry, Refused)) for one in read)


def test_a_damaged_archive_says_what_to_do(tmp_path: Path):
    path = _archive(tmp_path / "slack.zip")
    data = path.read_bytes()
    begin = data.index(b"PK\x01\x02")
    path.write_bytes(data.replace(b"PK\x01\x02", b"PK\x01\x07"))
    with pytest.raises(UsageError, match="damaged archive"):
        list(formats.read(path, GIVEN, "slack"))
    path.write_bytes(data[: begin - 40] + b"\x00" * 20 + data[begin - 20 :])
    read = list(formats.read(path, GIVEN))
    assert next(one.reason for one in read if isinstance(one, Refused)).startswith("it cannot be unpacked")
