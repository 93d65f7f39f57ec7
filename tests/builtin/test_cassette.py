import asyncio
import json
import multiprocessing
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qx.builtin import cassette_file as tape
from qx.builtin.cassette import Cassette, CassetteMiss, Settings, rerecord
from qx.errors import NotAllowed, ProfileError, Unavailable
from qx.llm import Capabilities, CompletionRequest, LLMProvider, Message
from qx.settings import Endpoint
from qx.testing import Answer, LLMProviderConformance, ScriptedLLM, TestServices

CANARY = "sk-canary-330011"


def request(text: str = "红色 鞋", **fields: Any) -> CompletionRequest:
    messages = (Message(role="system", content="Rewrite the query."), Message(role="user", content=text))
    return CompletionRequest(**{"model": "m", "messages": messages} | fields)


async def test_what_was_recorded_is_replayed(tmp_path: Path) -> None:
    path = tmp_path / "tape.jsonl"
    inner = ScriptedLLM([Answer(text="好", output_tokens=3)], capabilities=Capabilities(schema=False, context=4096))
    recorded = await Cassette(path, "record", inner).complete(request())
    replaying = Cassette(path)
    assert await replaying.complete(request(timeout=99.0)) == recorded
    assert not replaying.capabilities("m").schema
    assert replaying.capabilities("m").context == 4096
    line = json.loads(path.read_text())
    assert line["mark"] == "recorded"
    assert line["request"]["messages"][1]["content"] == "红色 鞋"
    assert "红色" in path.read_text()  # readable, not escaped
    await replaying.aclose()


@pytest.mark.parametrize(
    "change",
    [
        {"model": "other"},
        {"temperature": 0.7},
        {"max_tokens": 9},
        {"schema": {"type": "object"}},
        {"options": {"seed": 1}},
        {"text": "蓝色 鞋"},
    ],
)
async def test_another_request_is_another_exchange(tmp_path: Path, change: dict[str, Any]) -> None:
    path = tmp_path / "tape.jsonl"
    await Cassette(path, "record", ScriptedLLM(["a"])).complete(request())
    with pytest.raises(CassetteMiss):
        await Cassette(path).complete(request(**change))


async def test_a_miss_names_the_file_and_what_differs_most(tmp_path: Path) -> None:
    path = tmp_path / "tape.jsonl"
    recorder = Cassette(path, "record", ScriptedLLM(default="a"))
    await recorder.complete(request("how to fix a black screen on boot"))
    await recorder.complete(request("beijing weather tomorrow"))
    with pytest.raises(CassetteMiss) as caught:
        await Cassette(path).complete(request("how to fix a blue screen on boot"))
    text = str(caught.value)
    assert str(path) in text
    assert "'messages'" in text
    assert "blue screen" in text
    assert "black screen" in text
    assert "weather" not in text
    with pytest.raises(CassetteMiss, match=r"differs most in 'temperature': asked '0\.9', recorded '0\.0'"):
        await Cassette(path).complete(request("beijing weather tomorrow", temperature=0.9))


async def test_auto_calls_only_for_what_is_missing(tmp_path: Path) -> None:
    inner = ScriptedLLM(["a", "b"])
    cassette = Cassette(tmp_path / "new" / "tape.jsonl", "auto", inner)
    for text in ("1", "2", "1", "2"):
        await cassette.complete(request(text))
    assert inner.calls == 2


async def test_record_replaces_an_older_answer(tmp_path: Path) -> None:
    path = tmp_path / "tape.jsonl"
    for answer in ("old", "new"):
        await Cassette(path, "record", ScriptedLLM([answer])).complete(request())
    assert (await Cassette(path).complete(request())).text == "new"


async def test_handwritten_lines_match_by_texts_or_by_request(tmp_path: Path) -> None:
    path = tmp_path / "tape.jsonl"
    lines = [
        {"mark": "handwritten", "match": ["Rewrite", "东京天气"], "response": {"text": "东京 未来一周 天气预报"}},
        {"mark": "handwritten", "request": tape.readable(request("苹果")), "response": {"text": "exact"}},
    ]
    path.write_text("\n\n".join(json.dumps(line) for line in lines))
    cassette = Cassette(path)
    assert (await cassette.complete(request("东京天气"))).text == "东京 未来一周 天气预报"
    assert (await cassette.complete(request("苹果"))).text == "exact"
    with pytest.raises(CassetteMiss):
        await cassette.complete(request("大阪天气"))


@pytest.mark.parametrize(
    "line",
    ["not json", "[]", '{"response": {"text": "x"}}', '{"match": ["a"]}', '{"match": ["a"], "response": {"txt": 1}}'],
)
def test_a_wrong_line_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "tape.jsonl"
    path.write_text('{"match": ["a"], "response": {"text": "x"}}\n' + line + "\n")
    with pytest.raises(ProfileError, match=r"tape\.jsonl:2: not an exchange"):
        Cassette(path)


@pytest.mark.parametrize("torn", [b'{"key": "abc", "requ', b'{"key": "\xe7\xba', b'{"key": "' + b"x" * 200_000])
async def test_a_line_that_a_crash_cut_short_costs_only_itself(tmp_path: Path, torn: bytes) -> None:
    path = tmp_path / "tape.jsonl"
    recorder = Cassette(path, "record", ScriptedLLM(default="a"))
    await recorder.complete(request("1"))
    with path.open("ab") as file:
        file.write(torn)
    assert len(tape.read(path)) == 1
    await Cassette(path, "record", ScriptedLLM(["b"])).complete(request("2"))
    assert [exchange.response.text for exchange in tape.read(path)] == ["a", "b"]


async def test_a_whole_last_line_without_an_end_stays(tmp_path: Path) -> None:
    path = tmp_path / "tape.jsonl"
    path.write_text('{"match": ["東京"], "response": {"text": "a"}}')
    await Cassette(path, "record", ScriptedLLM(["b"])).complete(request("2"))
    assert [exchange.response.text for exchange in tape.read(path)] == ["a", "b"]


@pytest.mark.parametrize(
    ("data", "where"),
    [
        (b'{"match": ["a"], "response": {"text": "\xff"}}\n', r"tape\.jsonl:1: .*not UTF-8"),
        ('{"match": ["a"], "response": {"text": "a"}}\n'.encode("utf-16"), r"tape\.jsonl:1: .*not UTF-8"),
        (b"my notes", r"tape\.jsonl:1: not an exchange"),
        (b"[" * 200_000 + b"\n", r"tape\.jsonl:1: not an exchange"),
    ],
    ids=["a byte", "UTF-16", "notes", "deep"],
)
def test_a_file_of_something_else_is_no_fault_of_qx(tmp_path: Path, data: bytes, where: str) -> None:
    path = tmp_path / "tape.jsonl"
    path.write_bytes(data)
    with pytest.raises(ProfileError, match=where):
        Cassette(path, "record", ScriptedLLM(["b"]))
    assert path.read_bytes() == data


def test_nor_is_a_folder(tmp_path: Path) -> None:
    with pytest.raises(ProfileError, match="cannot be read"):
        Cassette(tmp_path)


def _append_many(path: Path, name: str) -> None:
    async def work() -> None:
        cassette = Cassette(path, "record", ScriptedLLM(default="x" * 5000))
        await asyncio.gather(*(cassette.complete(request(f"{name} {i}")) for i in range(25)))

    asyncio.run(work())


def test_processes_append_whole_lines(tmp_path: Path) -> None:
    path = tmp_path / "tape.jsonl"
    spawn = multiprocessing.get_context("fork")
    writers = [spawn.Process(target=_append_many, args=(path, str(n))) for n in range(3)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
        assert writer.exitcode == 0
    assert len({e.key for e in tape.read(path)}) == 75


async def test_no_secret_is_written(tmp_path: Path, services: TestServices) -> None:
    inner = Endpoint(provider="openai", model="m", api_key=CANARY)  # type: ignore[arg-type]
    echoing = ScriptedLLM(lambda r: f"your key is {CANARY}")
    made = TestServices(tmp_path, providers=lambda endpoint: echoing)
    options = Settings.model_validate({"path": "tape.jsonl", "mode": "record", "inner": inner})
    cassette = await Cassette.create(options, made)
    await cassette.complete(request(options={"api_key": CANARY, "extra": {"seed": 1}}))
    await cassette.complete(request(f"what is {CANARY}"))
    await cassette.aclose()
    await made.aclose()
    assert CANARY not in (tmp_path / "tape.jsonl").read_text()
    assert echoing.closed


async def test_settings_are_checked(services: TestServices) -> None:
    with pytest.raises(ValueError, match="needs `inner`"):
        Settings.model_validate({"path": "x", "mode": "record"})
    with pytest.raises(ProfileError, match="no such cassette"):
        await Cassette.create(Settings(path=Path("absent.jsonl")), services)
    with pytest.raises(NotAllowed):
        await Cassette.create(Settings(path=Path("../../outside.jsonl")), services)


async def test_the_inner_model_is_asked_where_the_block_names_one(tmp_path: Path) -> None:
    inner = ScriptedLLM(["a"])
    cassette = Cassette(tmp_path / "t.jsonl", "record", inner, model="real-model")
    await cassette.complete(request(model="cassette-model"))
    assert inner.requests[0].model == "real-model"
    assert (await Cassette(tmp_path / "t.jsonl").complete(request(model="cassette-model"))).text == "a"


async def test_rerecording_asks_all_anew_and_keeps_what_was_written_by_hand(tmp_path: Path) -> None:
    path = tmp_path / "tape.jsonl"
    recorder = Cassette(path, "record", ScriptedLLM(default="old"))
    for text in ("1", "2", "3", "1"):
        await recorder.complete(request(text))
    hand = {"mark": "handwritten", "match": ["hand"], "response": {"text": "mine"}}
    with path.open("a") as file:
        file.write(json.dumps(hand) + "\n")
    fresh = ScriptedLLM(["new", Unavailable("down"), "old"])
    report = await rerecord(path, fresh)
    assert (report.asked, report.changed, report.handwritten) == (3, 1, 1)
    assert [reason for _, reason in report.failed] == ["down"]
    replaying = Cassette(path)
    assert [(await replaying.complete(request(t))).text for t in ("1", "2", "3", "by hand")] == [
        "new",
        "old",
        "old",
        "mine",
    ]
    assert os.listdir(tmp_path) == ["tape.jsonl"]  # no half-written file is left


@settings(max_examples=40, deadline=None)
@given(st.text(), st.text(max_size=20), st.floats(0, 2))
def test_any_text_comes_back_as_it_was(
    tmp_path_factory: pytest.TempPathFactory, text: str, model: str, heat: float
) -> None:
    path = tmp_path_factory.mktemp("tape") / "t.jsonl"

    async def work() -> None:
        asked = request(text, model=model, temperature=heat)
        recorded = await Cassette(path, "record", ScriptedLLM([text + "!"])).complete(asked)
        assert await Cassette(path).complete(asked) == recorded

    asyncio.run(work())


class TestConformance(LLMProviderConformance):
    @pytest.fixture
    def provider(self, tmp_path: Path) -> LLMProvider:
        return Cassette(tmp_path / "tape.jsonl", "auto", ScriptedLLM(default="hello"))

    @pytest.fixture
    def broken(self, tmp_path: Path) -> LLMProvider:
        return Cassette(tmp_path / "tape.jsonl", "auto", ScriptedLLM(default=Unavailable("down")))
