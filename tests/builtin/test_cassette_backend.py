"""Recorded engines and embedders: what was answered comes back without them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from hypothesis import given, settings
from hypothesis import strategies as st

from qx.backend import (
    Document,
    SearchBackend,
    SearchRequest,
    SupportsBatch,
    SupportsCount,
    SupportsFilter,
    SupportsIndexing,
    SupportsSpelling,
    SupportsVectors,
    SupportsVocabulary,
)
from qx.builtin import cassette_file as file
from qx.builtin.cassette_answers import Listing
from qx.builtin.cassette_backend import CassetteBackend, described, recorded, replayed
from qx.builtin.cassette_embedder import CassetteEmbedder
from qx.builtin.cassette_tape import CassetteMiss, Tape
from qx.builtin.local.backend import LocalBackend
from qx.embedder import EmbedRequest
from qx.errors import BadRequest, Closed, ProfileError, ProviderError, ProviderTimeout, RateLimited, Unavailable
from qx.filters import And, Compare, Not
from qx.profiles import load_profile
from qx.settings import BackendBlock
from qx.syntax import parse
from qx.testing import FakeEmbedder, ScriptedBackend, TestServices
from qx.testing import Listing as Scripted
from qx.testing.conformance.backend import (
    SHORT_FIELDS,
    BackendConformance,
    BatchConformance,
    CountConformance,
    FilterConformance,
    SpellingConformance,
    VocabularyConformance,
    ask,
    hits,
)
from qx.types import Hit

CANARY = "canary-key-8d11f09a"
DOCUMENTS = (
    Document(id="a/1", title="红茶", text="一", url="https://e.org/a", metadata={"n": 1, "deep": {"x": [None, 2.5]}}),
    Document(id="b", title="tea"),
)


def tape(folder: Path, mode: Any = "record") -> Tape:
    return Tape(folder / "tape.jsonl", mode)


async def test_what_an_engine_answered_is_replayed_without_it(tmp_path: Path) -> None:
    inner = ScriptedBackend(default=DOCUMENTS, name="web")
    kept = await recorded(tape(tmp_path), "web", inner).search(ask("茶", limit=7))
    again = replayed(tape(tmp_path, "replay"), "web")
    found = await again.search(ask("茶", limit=7, timeout=99.0))
    assert hits(found) == hits(kept) == hits(await inner.search(ask("茶", limit=7)))
    assert (found.ids, found.scores, found.identities, found.total) == (
        kept.ids, kept.scores, kept.identities, kept.total,
    )  # fmt: skip
    assert (again.name, again.endpoint, again.accepts, again.bm25) == ("web", inner.endpoint, inner.accepts, True)
    await again.aclose()
    with pytest.raises(Closed):
        await again.search(ask("茶"))


@pytest.mark.parametrize(
    "other",
    [ask("茶", limit=8), ask("茶", offset=1), ask("咖啡"), ask("茶", target="web"), ask("茶", vector=b"\0\0\0\0"),
     ask("茶", filter=Compare(field="n", op="eq", value=1)), ask("-茶")],
)  # fmt: skip
async def test_another_request_is_a_miss_that_names_it(tmp_path: Path, other: SearchRequest) -> None:
    await recorded(tape(tmp_path), "web", ScriptedBackend(default=DOCUMENTS)).search(ask("茶"))
    replay = tape(tmp_path, "replay")
    with pytest.raises(CassetteMiss, match=r"search: web") as caught:
        await replayed(replay, "web").search(other)
    assert other.text in str(caught.value)
    assert str(replay.path) in str(caught.value)
    assert replay.misses == [caught.value]


@pytest.mark.parametrize(
    ("endpoint", "kept"),
    [
        ("/home/somebody/profiles/索引", "索引"),
        ("C:\\Users\\somebody\\index", "index"),
        ("https://search.example/shop", "https://search.example/shop"),
        ("web", "web"),
    ],
)
async def test_a_recording_tells_no_folder_of_a_machine(tmp_path: Path, endpoint: str, kept: str) -> None:
    inner = ScriptedBackend(default=DOCUMENTS, name="web")
    inner.endpoint = endpoint
    await recorded(tape(tmp_path), "web", inner).search(ask("茶"))
    assert "somebody" not in (tmp_path / "tape.jsonl").read_text("utf-8")
    again = replayed(tape(tmp_path, "replay"), "web")
    assert (again.endpoint, len(hits(await again.search(ask("茶"))))) == (kept, 2)


async def test_an_engine_that_was_not_recorded_is_named(tmp_path: Path) -> None:
    recorded(tape(tmp_path), "shop", ScriptedBackend())
    with pytest.raises(CassetteMiss, match=r"backend 'web' \(it has: shop\)"):
        replayed(tape(tmp_path, "replay"), "web")


async def test_it_has_the_abilities_of_the_engine_and_no_other(tmp_path: Path, services: TestServices) -> None:
    local = await LocalBackend.create(
        LocalBackend.Settings.model_validate({"name": "l", "path": "index", "fields": SHORT_FIELDS}), services
    )
    for made in (recorded(tape(tmp_path), "l", local), replayed(tape(tmp_path, "replay"), "l")):
        for ability in (
            SupportsBatch,
            SupportsFilter,
            SupportsVectors,
            SupportsVocabulary,
            SupportsSpelling,
            SupportsCount,
        ):
            assert isinstance(made, ability) is isinstance(local, ability)
        assert not isinstance(made, SupportsIndexing)
        assert made.fields == local.fields
    await local.aclose()
    plain = recorded(tape(tmp_path), "s", ScriptedBackend())
    assert isinstance(plain, SupportsFilter)
    assert not isinstance(plain, (SupportsBatch, SupportsVocabulary, SupportsVectors))


async def test_filters_are_judged_as_the_engine_did(tmp_path: Path) -> None:
    tree = And(
        filters=(Compare(field="n", op="lt", value=3), Not(filter=Compare(field="s", op="in", value=("x", "y"))))
    )
    able, unable = ScriptedBackend(), ScriptedBackend(filters=False)
    for name, inner in (("able", able), ("unable", unable)):
        made: Any = recorded(tape(tmp_path), name, inner)
        made.inexpressible(tree)
    for name, inner in (("able", able), ("unable", unable)):
        again: Any = replayed(tape(tmp_path, "replay"), name)
        assert list(again.inexpressible(tree)) == list(inner.inexpressible(tree))


async def test_a_vector_is_kept_as_its_hash(tmp_path: Path) -> None:
    vector = b"\x01\x02\x03\x04" * 8
    made = recorded(tape(tmp_path), "web", ScriptedBackend(default=DOCUMENTS))
    await made.search(ask("茶", target="vector", vector=vector))
    again = replayed(tape(tmp_path, "replay"), "web")
    assert (await again.search(ask("茶", target="vector", vector=vector))).ids
    with pytest.raises(CassetteMiss):
        await again.search(ask("茶", target="vector", vector=vector[4:]))
    request = json.loads((tmp_path / "tape.jsonl").read_text().splitlines()[1])["request"]
    assert request["vector"].startswith("sha256:")


async def test_a_failure_is_replayed_and_asked_anew_otherwise(tmp_path: Path) -> None:
    inner = ScriptedBackend(default=Scripted(error=RateLimited("slow down", retry_after=3.0)))
    with pytest.raises(RateLimited):
        await recorded(tape(tmp_path), "web", inner).search(ask("茶"))
    with pytest.raises(RateLimited, match="slow down") as caught:
        await replayed(tape(tmp_path, "replay"), "web").search(ask("茶"))
    assert caught.value.retry_after == 3.0
    better = ScriptedBackend(default=DOCUMENTS)
    assert (await recorded(tape(tmp_path, "auto"), "web", better).search(ask("茶"))).ids
    assert (await replayed(tape(tmp_path, "replay"), "web").search(ask("茶"))).ids  # the newest counts


async def test_an_answer_that_came_too_late_is_a_timeout(tmp_path: Path) -> None:
    made = recorded(tape(tmp_path), "web", ScriptedBackend(default=Scripted(hang=True)))
    asking = asyncio.ensure_future(made.search(ask("茶")))
    await asyncio.sleep(0)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    with pytest.raises(ProviderTimeout):
        await replayed(tape(tmp_path, "replay"), "web").search(ask("茶"))


class Batching(ScriptedBackend):
    """Answers several at once; a query of ``bad`` fails alone."""

    batches: list[int]

    async def search_many(self, requests: Sequence[SearchRequest], /) -> Sequence[Any]:
        self.batches = [*getattr(self, "batches", []), len(requests)]
        return [Unavailable("bad") if r.text == "bad" else await self.search(r) for r in requests]


async def test_of_a_batch_each_is_kept_by_itself(tmp_path: Path) -> None:
    inner = Batching(default=DOCUMENTS)
    made: Any = recorded(tape(tmp_path), "web", inner)
    await made.search_many([ask("a"), ask("bad")])
    again: Any = replayed(tape(tmp_path, "replay"), "web")
    bad, good, missed = await again.search_many([ask("bad"), ask("a"), ask("c")])
    assert isinstance(bad, Unavailable)
    assert [hit.id for hit in hits(good)] == ["a/1", "b"]
    assert isinstance(missed, CassetteMiss)
    auto: Any = recorded(tape(tmp_path, "auto"), "web", inner)
    await auto.search_many([ask("a"), ask("bad"), ask("c")])
    assert inner.batches == [2, 2]  # "a" was there


class Knowing(ScriptedBackend):
    """Knows how many documents hold a word: as many as it has letters."""

    async def frequencies(self, terms: Sequence[str], /) -> dict[str, int]:
        if "bad" in terms:
            raise Unavailable("bad")
        return {term: len(term) for term in terms}

    async def values(self, field: str, /, *, limit: int) -> Sequence[tuple[str, int]]:
        return [("x", limit)]


async def test_words_may_be_asked_for_in_other_groups(tmp_path: Path) -> None:
    made: Any = recorded(tape(tmp_path), "web", Knowing())
    await made.frequencies(["tea", "coffee"])
    await made.frequencies(["milk"])
    with pytest.raises(Unavailable):
        await made.frequencies(["bad", "worse"])
    await made.values("brand", limit=3)
    again: Any = replayed(tape(tmp_path, "replay"), "web")
    assert await again.frequencies(["milk", "tea"]) == {"milk": 4, "tea": 3}
    assert await again.frequencies(["tea", "coffee"]) == {"tea": 3, "coffee": 6}
    assert await again.values("brand", limit=3) == [("x", 3)]
    with pytest.raises(Unavailable):
        await again.frequencies(["worse"])
    with pytest.raises(CassetteMiss, match="frequencies"):
        await again.frequencies(["tea", "water"])


async def test_two_recordings_into_one_file_add_up(tmp_path: Path) -> None:
    for text in ("茶", "咖啡", "茶"):
        await recorded(tape(tmp_path), "web", ScriptedBackend({text: [text]})).search(ask(text))
    again = replayed(tape(tmp_path, "replay"), "web")
    assert [(await again.search(ask(text))).ids for text in ("茶", "咖啡")] == [("茶",), ("咖啡",)]
    assert len(file.read(tmp_path / "tape.jsonl")) == 3  # what the engine is, and two lists: the same is kept once


# ---- as a profile's type ----


async def test_a_replay_opens_nothing_and_recording_closes_what_it_opened(tmp_path: Path) -> None:
    inner = ScriptedBackend(default=DOCUMENTS)
    opened: list[str] = []

    def make(name: str, block: BackendBlock) -> SearchBackend:
        opened.append(f"{name} {block.type} {block.settings['api_key']}")
        return inner

    services = TestServices(tmp_path, backends=make)
    block = {"type": "web", "preset": "brave", "api_key": CANARY}
    told = {"name": "web", "path": "t.jsonl", "mode": "record", "backend": block}
    recording = await CassetteBackend.create(CassetteBackend.Settings.model_validate(told), services)
    await recording.search(ask(f"my key is {CANARY}"))
    await recording.search(ask("茶"))
    await recording.aclose()
    assert inner.closed
    assert opened == [f"web web {CANARY}"]
    assert CANARY not in (tmp_path / "t.jsonl").read_text()
    told["mode"] = "replay"
    again = await CassetteBackend.create(CassetteBackend.Settings.model_validate(told), services)
    assert (await again.search(ask("茶"))).ids
    assert len(opened) == 1
    await services.aclose()


async def test_settings_are_checked(tmp_path: Path, services: TestServices) -> None:
    with pytest.raises(ValueError, match="needs `backend`"):
        CassetteBackend.Settings.model_validate({"path": "x", "mode": "auto"})
    with pytest.raises(ValueError, match="needs `inner`"):
        CassetteEmbedder.Settings.model_validate({"path": "x", "mode": "auto"})
    with pytest.raises(ProfileError, match="no such cassette"):
        await CassetteBackend.create(CassetteBackend.Settings(path=Path("absent.jsonl")), services)


def test_a_profile_that_replays_needs_no_key(tmp_path: Path) -> None:
    path = tmp_path / "p.yaml"
    text = """
llm: {provider: cassette, options: {path: t.jsonl, inner: {provider: openai, api_key: "${NO_SUCH_KEY}"}}}
embedder: {provider: cassette, path: t.jsonl, inner: {provider: openai, model: m, api_key: "${NO_SUCH_KEY}"}}
search:
  backends:
    web: {type: cassette, path: t.jsonl, mode: replay, backend: {type: web, preset: brave, api_key: "${NO_SUCH_KEY}"}}
"""
    path.write_text(text)
    assert load_profile(path, env={"QX_HOME": str(tmp_path)}).search.backends["web"].type == "cassette"
    path.write_text(text.replace("mode: replay", "mode: auto"))
    with pytest.raises(ProfileError, match="NO_SUCH_KEY"):
        load_profile(path, env={"QX_HOME": str(tmp_path)})


# ---- embedders ----


async def test_vectors_are_replayed_without_the_embedder(tmp_path: Path) -> None:
    inner = FakeEmbedder()
    request = EmbedRequest(texts=("茶", "tea"))
    made = await CassetteEmbedder(tape(tmp_path), inner).embed(request)
    again = CassetteEmbedder(tape(tmp_path, "replay"))
    assert await again.embed(request) == made
    assert (again.fingerprint, again.dimensions) == (inner.fingerprint, inner.dimensions)
    with pytest.raises(CassetteMiss, match="embedding: 咖啡"):
        await again.embed(EmbedRequest(texts=("咖啡",)))
    with pytest.raises(CassetteMiss):
        await again.embed(EmbedRequest(texts=("茶", "tea"), kind="document"))
    await again.aclose()


# ---- the file ----

PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=60, deadline=None)
@given(st.text(), st.text(), st.dictionaries(st.text(max_size=6), PLAIN, max_size=3), st.none() | st.text(max_size=9))
def test_any_hit_comes_back_as_it_was(
    tmp_path_factory: pytest.TempPathFactory, id: str, text: str, metadata: dict[str, Any], url: str | None
) -> None:
    kept = tape(tmp_path_factory.mktemp("tape"))
    hit = Hit(id=id, backend="web", title=text, text=text, url=url, metadata=metadata)
    listing = Listing(hits=(hit,), scores=(0.5,), identities=(url,), facets={text: ((id, 3),)})
    plain = described("web", SearchRequest(text=text, expression=parse(text)))
    kept.keep("search", plain, listing)
    found = Tape(kept.path, "replay").find("search", plain)
    assert found is not None
    assert found.response == listing


@settings(max_examples=30, deadline=None)
@given(st.sampled_from([RateLimited, Unavailable, ProviderTimeout, BadRequest, ProviderError]), st.text())
def test_any_failure_comes_back_as_it_was(
    tmp_path_factory: pytest.TempPathFactory, kind: type[ProviderError], text: str
) -> None:
    kept = tape(tmp_path_factory.mktemp("tape"))
    kept.keep("search", {"text": "x"}, error=kind(text))
    found = Tape(kept.path, "replay").find("search", {"text": "x"})
    assert found is not None
    assert found.error is not None
    again = found.error.error()
    assert str(again) == text
    assert isinstance(again, kind)


@pytest.mark.parametrize("line", [
    '{"kind": "search", "request": {"text": "x"}}', '{"kind": "odd", "request": {"text": "x"}, "response": 1}',
    '{"kind": "search", "request": {"text": "x"}, "response": {"hits": [{}]}}',
    '{"kind": "search", "request": {"text": "x"}, "error": {"message": "no type"}}',
])  # fmt: skip
def test_a_wrong_line_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "tape.jsonl"
    path.write_text(line + "\n")
    with pytest.raises(ProfileError, match=r"tape\.jsonl:1: not an exchange"):
        file.read(path)


def test_an_error_of_another_program_is_no_way_to_any_class(tmp_path: Path) -> None:
    path = tmp_path / "tape.jsonl"
    path.write_text('{"kind": "search", "request": {"text": "x"}, "error": {"type": "annotations", "message": "m"}}\n')
    found = Tape(path, "replay").find("search", {"text": "x"})
    assert found is not None
    assert found.error is not None
    assert type(found.error.error()) is ProviderError


class TestRecorded(
    BackendConformance,
    FilterConformance,
    VocabularyConformance,
    SpellingConformance,
    CountConformance,
    BatchConformance,
):
    """A recorded local index behaves as the index; it is filled through it."""

    traditional = True

    @pytest_asyncio.fixture
    async def backend(self, tmp_path: Path, services: TestServices) -> AsyncIterator[SearchBackend]:
        told = {"name": "mine", "path": "index", "fields": SHORT_FIELDS}
        self.inner = await LocalBackend.create(LocalBackend.Settings.model_validate(told), services)
        await self.inner.prepare(fingerprint=None, dimensions=0)
        made = recorded(tape(tmp_path), "mine", self.inner)
        yield made
        await made.aclose()

    async def fill(self, backend: SearchBackend, documents: Sequence[Document]) -> None:
        report = await self.inner.upsert(documents)
        assert not report.failed
