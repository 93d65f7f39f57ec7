"""A whole request recorded and replayed: models, embedders, engines and services of processors."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import qx.testing.plugin
from backends import Knowing
from engines import PLUGINS, analysis, profile, queries, stage
from qx import Contribution, Engine, SubQuery, hookimpl
from qx.backend import Document
from qx.builtin.cassette_tape import CassetteMiss, Tape
from qx.errors import ProfileError, QxError, RateLimited, Unavailable
from qx.http import Reply
from qx.llm import CompletionRequest
from qx.plugins import Plugins
from qx.profiles import load_profile
from qx.recorded_parts import _Http
from qx.recording import Recording
from qx.serial import to_plain
from qx.settings import Profile
from qx.testing import Answer, Listing, ModelServer, Reaction, ScriptedBackend, ScriptedLLM
from qx.types import Query, SearchResult

CANARY = "canary-key-40be77a1"
TIMINGS = ("took", "start", "duration")


def answer(request: CompletionRequest) -> str:
    return queries("红茶 冲泡方法", "black tea brewing") if stage(request) == "expand" else analysis()


def documents(*names: str) -> list[Document]:
    return [Document(id=n, title=f"红茶 {n}", text="冲泡", url=f"https://e.org/{n}") for n in names]


def scripted(name: str, default: Any) -> tuple[ScriptedBackend, dict[str, Any]]:
    return ScriptedBackend(default=default).named(name), {"type": "scripted", "instance": name}


async def search(recording: Recording, given: Profile, text: str = "红茶怎么泡") -> SearchResult:
    for block in given.search.backends.values():  # a scripted engine is closed with the engine before
        if block.type == "scripted":
            ScriptedBackend._instances[block.settings["instance"]].closed = False
    async with Engine.opened(given, plugins=recording.over(PLUGINS)) as engine:
        return await recording.run(Query(text=text), given, engine.search)


def untimed(item: Any) -> Any:
    """Everything but how long it took, and in what order."""
    plain = to_plain(item)

    def bare(part: Any) -> Any:
        if isinstance(part, dict):
            return {key: bare(inner) for key, inner in part.items() if key not in TIMINGS}
        return [bare(inner) for inner in part] if isinstance(part, list) else part

    assert plain["trace"].pop("spans")
    return bare(plain)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "tape.jsonl"


async def test_a_replay_is_the_same_and_asks_nobody(path: Path) -> None:
    llm = ScriptedLLM(answer)
    first, a = scripted("rec-a", documents("1", "2", "3"))
    second, b = scripted("rec-b", documents("3", "4"))
    given = profile(llm, embedder={"provider": "fake"}, search={"backends": {"a": a, "b": b}, "processors": ["mmr"]})
    kept = await search(Recording(path, "record"), given)
    assert [hit.id for hit in kept.hits]
    assert kept.usage.calls
    asked = (llm.calls, len(first.requests), len(second.requests))
    assert all(asked)
    again = await search(Recording(path, "replay"), given)
    assert untimed(again) == untimed(kept)
    assert (llm.calls, len(first.requests), len(second.requests)) == asked


async def test_failures_are_a_part_of_what_is_replayed(path: Path) -> None:
    def failing(request: CompletionRequest) -> Any:
        return Answer(error=Unavailable("the model is down")) if stage(request) == "expand" else analysis()

    _, a = scripted("rec-ok", documents("1"))
    _, b = scripted("rec-bad", Listing(error=RateLimited("slow down", retry_after=0.0)))
    given = profile(ScriptedLLM(failing), search={"backends": {"a": a, "b": b}})
    kept = await search(Recording(path, "record"), given)
    assert kept.degraded
    assert "slow down" in str(kept.partial)
    assert untimed(await search(Recording(path, "replay"), given)) == untimed(kept)


async def test_what_was_not_recorded_is_named(path: Path) -> None:
    _, a = scripted("rec-miss", documents("1"))
    given = profile(ScriptedLLM(answer), search={"backends": {"a": a}})
    await search(Recording(path, "record"), given)
    with pytest.raises(CassetteMiss, match=r"no request '绿茶' \(it has: '红茶怎么泡'\)"):
        await search(Recording(path, "replay"), given, "绿茶")
    other = given.model_copy(update={"search": given.search.model_copy(update={"depth": 7})})
    with pytest.raises(CassetteMiss, match=r"search: a"):
        await search(Recording(path, "replay"), other)
    hotter = given.model_copy(
        update={
            "llm": given.llm.model_copy(update={"max_tokens": given.llm.max_tokens.model_copy(update={"expand": 99})})
        }  # type: ignore[union-attr]
    )
    with pytest.raises(CassetteMiss, match="max_tokens"):  # a replay that fell back to rules would be another result
        await search(Recording(path, "replay"), hotter)


async def test_two_queries_in_one_file(path: Path) -> None:
    _, a = scripted("rec-two", documents("1"))
    given = profile(None, search={"backends": {"a": a}})
    kept = [await search(Recording(path, "record"), given, text) for text in ("红茶", "green tea")]
    again = [await search(Recording(path, "replay"), given, text) for text in ("红茶", "green tea")]
    assert list(map(untimed, again)) == list(map(untimed, kept))


async def test_auto_asks_for_what_is_missing(path: Path) -> None:
    backend, a = scripted("rec-auto", documents("1"))
    given = profile(None, search={"backends": {"a": a}})
    await search(Recording(path, "auto"), given)
    count = len(backend.requests)
    await search(Recording(path, "auto"), given)
    assert len(backend.requests) == count
    await search(Recording(path, "auto"), given, "green tea")
    assert len(backend.requests) > count


async def test_yesterday_is_the_recorded_one(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given = profile(None)
    asked = Recording(path, "record").query(Query(text="昨天的新闻"), given)
    assert Recording(path, "replay").query(Query(text="昨天的新闻"), given) == asked
    own = replace(asked, now=asked.now.replace(year=2020))  # type: ignore[union-attr]
    assert Recording(path, "replay").query(own, given) == own


@pytest.mark.parametrize("delay", [0.0, 0.15])
async def test_an_engine_that_was_faster_or_slower_than_the_expansion(path: Path, delay: float) -> None:
    listed = [Document(id=str(n), title="红茶 冲泡 茶壶", text="盖碗 水温") for n in range(6)]
    _, a = scripted(f"rec-speed-{delay}", Listing(documents=tuple(listed), delay=delay))
    given = profile(None, search={"backends": {"a": a}, "strong": 1})
    kept = await search(Recording(path, "record"), given)
    feedback = [q.text for q in kept.expansion.queries if q.strategy == "feedback"] if kept.expansion else []
    assert bool(feedback) is not bool(delay)  # its first hits were there in time, or not
    assert untimed(await search(Recording(path, "replay"), given)) == untimed(kept)


@pytest.mark.parametrize("delay", [0.0, 0.15])
async def test_what_an_index_was_not_asked_in_time_is_not_asked_in_a_replay(path: Path, delay: float) -> None:
    listed = (Document(id="1", title="红茶怎么泡", text="水温九十五度"),)
    made = Knowing(default=Listing(documents=listed, delay=delay), held={"红茶": 1, "怎么泡": 1}).named(
        f"rec-known-{delay}"
    )
    given = profile(
        None, search={"backends": {"a": {"type": "scripted", "instance": f"rec-known-{delay}"}}, "strong": 1}
    )
    text = "昨天买的红茶怎么泡"
    kept = await search(Recording(path, "record"), given, text)
    asked = [terms for terms in made.counted if "昨天" in "".join(terms) or "买的" in "".join(terms)]
    assert bool(asked) is not bool(delay)
    assert untimed(await search(Recording(path, "replay"), given, text)) == untimed(kept)


async def test_caches_are_not_used(path: Path) -> None:
    backend, a = scripted("rec-cache", documents("1"))
    given = profile(
        ScriptedLLM(answer), cache={"type": "sqlite", "path": str(path.parent / "c.db")}, search={"backends": {"a": a}}
    )
    await search(Recording(path, "record"), given)
    other = path.with_name("other.jsonl")
    await search(Recording(other, "record"), given)
    assert "红茶 冲泡方法" in other.read_text()
    assert not (path.parent / "c.db").exists()
    assert backend.requests


async def test_services_of_processors_are_recorded_too(path: Path, tmp_path: Path, model_server: ModelServer) -> None:
    _, a = scripted("rec-rerank", documents("1", "2"))
    scores = {"results": [{"index": 0, "relevance_score": 0.1}, {"index": 1, "relevance_score": 0.9}]}
    model_server.react(default=Reaction(body=scores))
    rerank = {"type": "rerank", "by": "api", "form": "jina", "url": model_server.url, "model": "m", "api_key": CANARY}
    given = profile(None, search={"backends": {"a": a}, "processors": [rerank]})
    kept = await search(Recording(path, "record"), given)
    calls = len(model_server.calls)
    assert calls
    assert untimed(await search(Recording(path, "replay"), given)) == untimed(kept)
    assert len(model_server.calls) == calls
    assert CANARY not in path.read_text()


def test_there_must_be_something_to_replay(path: Path) -> None:
    with pytest.raises(ProfileError, match="no such cassette"):
        Recording(path, "replay")
    path.write_text("nonsense\nmore\n")
    with pytest.raises(ProfileError, match="not an exchange"):
        Recording(path, "replay")


WEB = """
llm: {provider: openai, model: m, api_base: API, api_key: "${MODEL_KEY}"}
understand: {mode: llm}
search:
  backends:
    web: {type: web, url: "http://127.0.0.1:9/s?key={api_key}&q={query}", api_key: "${WEB_KEY}", response: {hits: hits}}
"""


async def test_no_key_is_written_and_none_is_needed(path: Path, tmp_path: Path, model_server: ModelServer) -> None:
    model_server.react(default=lambda body: Reaction(text=f"your key is {CANARY}"))
    file = tmp_path / "p.yaml"
    file.write_text(WEB.replace("API", model_server.url))
    env = {"MODEL_KEY": CANARY, "WEB_KEY": CANARY + "-web", "QX_HOME": str(tmp_path)}
    with pytest.raises(Exception, match="backend web"):  # nobody listens there
        await search(Recording(path, "record"), load_profile(file, env=env))
    text = path.read_text()
    assert CANARY not in text
    assert "[redacted]" in text
    with pytest.raises(ProfileError, match="MODEL_KEY"):
        load_profile(file, env={"QX_HOME": str(tmp_path)})
    bare = load_profile(file, env={"QX_HOME": str(tmp_path)}, lenient=True)
    calls = len(model_server.calls)
    with pytest.raises(Exception, match="backend web"):
        await search(Recording(path, "replay"), bare)
    assert len(model_server.calls) == calls


async def test_a_model_that_the_environment_named_is_there_again(path: Path) -> None:
    llm = ScriptedLLM(answer)
    given = profile(llm)
    query = Query(text="红茶怎么泡")
    recording = Recording(path, "record")
    async with Engine.opened(given, plugins=recording.over(PLUGINS)) as engine:
        kept = await recording.run(query, given, engine.expand)
    bare = given.model_copy(update={"llm": None})
    replaying = Recording(path, "replay")
    restored = replaying.profile(bare)
    assert restored.llm is not None
    async with Engine.opened(restored, plugins=replaying.over(PLUGINS)) as engine:
        again = await replaying.run(query, restored, engine.expand)
    assert untimed(again) == untimed(kept)


@pytest.fixture
def asked() -> list[str]:
    return []


def http(path: Path, mode: Any, asked: list[str], *, key: str = CANARY) -> Any:
    """An HTTP client through a tape, over one that answers with the number of the call."""

    class Plain:
        @staticmethod
        def redact(text: str) -> str:
            return text.replace(key, "[redacted]") if key else text

        async def send(self, method: str, url: str, /, **options: Any) -> Reply:
            asked.append(url)
            return Reply(status=200, headers={}, body=str(len(asked)).encode())

    return _Http(Plain(), Tape(path, mode))


async def test_addresses_that_differ_in_their_query_alone_are_two(path: Path, asked: list[str]) -> None:
    urls = [
        "https://api.example/s?q=tea",
        "https://api.example/s?q=coffee",
        "https://api.example/s",
        "https://api.example/s?q=",
    ]
    recorder = http(path, "record", asked)
    for url in urls:
        await recorder.send("GET", url, timeout=1.0)
    replay = http(path, "replay", asked)
    assert [(await replay.send("GET", url, timeout=1.0)).body for url in urls] == [b"1", b"2", b"3", b"4"]
    with pytest.raises(QxError):
        await replay.send("GET", "https://api.example/s?q=milk", timeout=1.0)
    assert asked == urls


async def test_a_replay_needs_no_key_in_the_address_and_the_tape_has_none(path: Path, asked: list[str]) -> None:
    for name in ("key", "api_key", "token", "accessToken"):
        await http(path, "auto", asked).send("GET", f"https://api.example/{name}?q=tea&{name}={CANARY}", timeout=1.0)
        for other in (f"&{name}=another", f"&{name}=", ""):
            replay = http(path, "replay", asked, key="")
            await replay.send("GET", f"https://api.example/{name}?q=tea{other}", timeout=1.0)
    assert CANARY not in path.read_text()


class AlsoFromHits:
    """A plugin's strategy that reads hits."""

    reads_hits = True
    calls = 0

    async def expand(self, query: Query, understanding: Any, context: Any, /) -> list[SubQuery]:
        type(self).calls += 1
        if context.first_pass is None:
            return []
        found = await context.first_pass.by_words()
        first = found[0].hit(0).id
        return [SubQuery(text=f"{query.text} 茶叶{first}号", strategy="also", weight=0.5)]


async def test_a_plugin_s_strategy_reads_the_recorded_hits(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module: Any = ModuleType("own_strategies")
    module.qx_steps = hookimpl(lambda: [Contribution(name="also", target=f"{__name__}:AlsoFromHits")])
    monkeypatch.setattr(AlsoFromHits, "calls", 0)
    _, a = scripted("rec-also", documents("1", "2"))
    given = profile(None, search={"backends": {"a": a}}, expand={"strategies": ["also"]})
    plugins = Plugins.load(allow=(), modules=[module, qx.testing.plugin])

    async def run(mode: Any) -> SearchResult:
        recording = Recording(path, mode)
        async with Engine.opened(given, plugins=recording.over(plugins)) as engine:
            return await recording.run(Query(text="红茶怎么泡"), engine.profile, engine.search)

    kept = await run("record")
    assert AlsoFromHits.calls == 1
    assert kept.expansion is not None
    made = [*kept.expansion.queries, *kept.expansion.dropped]
    assert any(query.text == "红茶怎么泡 茶叶1号" for query in made), made
    assert untimed(await run("replay")) == untimed(kept)
    assert AlsoFromHits.calls == 2
