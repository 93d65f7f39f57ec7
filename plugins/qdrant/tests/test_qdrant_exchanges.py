"""Against what a real Qdrant answered: our filters' form, the embedded engine's answers, errors by name."""

import gzip
import json
import tracemalloc
import warnings
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
import pytest_asyncio

pytest.importorskip("qx_qdrant", reason="the plugin qx-query-qdrant is not installed")

from qdrant_client import QdrantClient, models

from qx.backend import Document, SearchRequest
from qx.errors import AuthError, BadRequest, BadResponse, ProviderError, ProviderTimeout, RateLimited, Unavailable
from qx.filters import And, Compare, Exists, Filter, Not, Or
from qx.syntax import Terms
from qx.testing import TestServices
from qx_qdrant.backend import Qdrant, Settings
from qx_qdrant.connection import Connection
from qx_qdrant.filters import compiled
from servers.qdrant.replay import Replay, exchanges


def is_(field: str, value: Any) -> Compare:
    return Compare(field=field, op="eq", value=value)


FORMS: dict[str, Filter] = {
    "filter range lt": Compare(field="price_cents", op="lt", value=50000),
    "filter match": is_("brand", "HP"),
    "filter match apostrophe": is_("brand", "O'Neill"),
    "filter match case": is_("brand", "hp"),
    "filter must_not": Compare(field="brand", op="ne", value="HP"),
    "filter should": Or(filters=(is_("brand", "HP"), Compare(field="price_cents", op="ge", value=49900))),
    "filter datetime": Compare(field="release_date", op="ge", value="2025-01-01T00:00:00Z"),
    "filter bool": is_("in_stock", False),
    "filter unindexed field": is_("title", "Gaming laptop"),
    "filter nested must in should": Or(
        filters=(And(filters=(is_("brand", "HP"), is_("in_stock", True))), is_("brand", "Lenovo"))
    ),
}


@pytest.mark.parametrize("name", FORMS)
def test_filters_have_the_form_that_the_server_took(name: str) -> None:
    recorded = exchanges()[f"query: {name}"]
    made = compiled(FORMS[name]).model_dump(mode="json", exclude_none=True)
    assert recorded["response"]["status"] == 200
    assert made == recorded["request"]["body"]["filter"]


@pytest.fixture(scope="module")
def engine() -> Iterator[QdrantClient]:
    """The embedded engine with the points of the recordings."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        client = QdrantClient(location=":memory:")
        create = exchanges()["create: dense and sparse"]["request"]["body"]
        client.create_collection(
            "docs",
            vectors_config={k: models.VectorParams(**v) for k, v in create["vectors"].items()},
            sparse_vectors_config={k: models.SparseVectorParams(**v) for k, v in create["sparse_vectors"].items()},
        )
        for name in ("upsert and wait", "upsert: UUID id"):
            points = exchanges()[name]["request"]["body"]["points"]
            client.upsert("docs", [models.PointStruct(**point) for point in points])
        yield client
        client.close()


QUERIES = [
    name
    for name, found in exchanges().items()
    if name.startswith("query: ") and found["response"]["status"] == 200 and name != "query through the alias"
]
OTHERWISE = {"query: filter Chinese text"}
"""The embedded engine has no text index: our streams of words, one Chinese character each, do not need it."""


@pytest.mark.parametrize("name", QUERIES)
def test_the_embedded_engine_answers_like_the_server(engine: QdrantClient, name: str) -> None:
    recorded = exchanges()[name]
    body = models.QueryRequest.model_validate(recorded["request"]["body"])
    answer = engine.query_points(
        "docs",
        query=body.query,
        using=body.using,
        prefetch=body.prefetch,
        query_filter=body.filter,
        limit=body.limit or 10,
        offset=body.offset,
        score_threshold=body.score_threshold,
    )
    wanted = {str(point["id"]): point["score"] for point in recorded["response"]["body"]["result"]["points"]}
    found = {str(point.id): point.score for point in answer.points}
    if name in OTHERWISE:
        assert found != wanted
        return
    assert list(found.values()) == pytest.approx(list(wanted.values()), abs=1e-4)
    last = min(wanted.values(), default=0.0)  # which of several with one score come last is nobody's promise
    assert {id for id, score in found.items() if score > last + 1e-4} == {
        id for id, score in wanted.items() if score > last + 1e-4
    }


PLACE = "backend 'docs'"


@pytest.mark.parametrize(
    ("answer", "kind", "text"),
    [
        ("auth: none", AuthError, "Must provide an API key"),
        ("auth: wrong", AuthError, "Invalid API key or JWT.*check `api_key`"),
        ("query: collection that is not there", BadRequest, "Collection `nope` doesn't exist"),
        ("create again", BadRequest, "already exists"),
        ("query: error: wrong size", BadRequest, "expected dim: 3, got 2"),
        ("query: error: limit zero", BadRequest, "must be 1 or larger"),
        ("facet: not indexed", BadRequest, "No appropriate index for faceting"),
        ((429, "{}", {"Retry-After": "7"}), RateLimited, "slow down"),
        ((429, "busy", {}), RateLimited, "busy"),
        ((500, '{"status": {"error": "Service internal error"}}', {}), Unavailable, "Service internal error"),
        ((503, "<html>no</html>", {}), Unavailable, "503"),
        ((504, "", {}), ProviderTimeout, "504"),
        ((200, "<html>hello</html>", {}), BadResponse, "not Qdrant's"),
        ((200, '{"result": 5}', {}), BadResponse, "not Qdrant's"),
        ((200, "{}", {}), BadResponse, "not Qdrant's"),
        ((200, "null", {}), BadResponse, "not Qdrant's"),
        ((200, "[[[]]]", {}), BadResponse, "not Qdrant's"),
        ((200, "[" * 200_000, {}), BadResponse, "not Qdrant's"),
        ((200, '{"result": {"count": "many"}}', {}), BadResponse, "not Qdrant's"),
        ((500, "[" * 200_000, {}), Unavailable, "500"),
        ((200, b"x", {"Content-Encoding": "br"}), BadResponse, "encoding that was not asked for .'br'"),
        ((200, b"{}", {"Content-Encoding": "gzip"}), BadResponse, "cannot be decompressed"),
        ((200, gzip.compress(b"{}", mtime=0)[:-9], {"Content-Encoding": "gzip"}), BadResponse, "broke off"),
        ((302, "", {"Location": "http://127.0.0.1:9/"}), BadResponse, "302"),
    ],
    ids=lambda item: repr(item)[:50],
)
async def test_what_goes_wrong_is_an_error_of_qx(answer: Any, kind: type[ProviderError], text: str) -> None:
    async with Replay(answer).serve() as server:
        connection = Connection.server("docs", server.url, "s3cret", https=None, timeout=5)
        with pytest.raises(kind, match=text) as caught:
            await connection.call("count", collection_name="docs", exact=True, seconds=5)
        await connection.aclose()
    assert type(caught.value) is kind
    assert PLACE in str(caught.value)
    assert server.url in str(caught.value)
    assert "s3cret" not in str(caught.value)
    assert server.requests[0][3]["api-key"] == "s3cret"
    if isinstance(answer, tuple) and answer[2].get("Retry-After"):
        assert caught.value.retry_after == 7


@pytest.mark.parametrize(
    "answer", [(200, "{}", {}), (200, "[" * 200_000, {}), (200, b"\0\xff{", {})], ids=["{}", "[", "0"]
)
async def test_an_answer_that_is_not_qdrants_does_not_keep_the_engine_from_opening(
    services: TestServices, answer: Any
) -> None:
    async with Replay(*[answer] * 3).serve() as server:
        made = await Qdrant.create(Settings(url=server.url, collection="docs", name="docs"), services)
        with pytest.raises(BadResponse, match="not Qdrant's"):
            await made.search(SearchRequest(text="x", expression=Terms(words=("x",))))
        assert "not Qdrant's" in (await made.health()).detail
        await made.aclose()


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
async def test_no_more_of_an_answer_is_read_than_is_needed(monkeypatch: pytest.MonkeyPatch, packed: bool) -> None:
    monkeypatch.setattr("qx_qdrant.bodies.LARGEST", 2 * 1024**2)
    body = b'{"x": "' + b"a" * 40 * 1024**2
    answer = (200, gzip.compress(body, 1), {"Content-Encoding": "gzip"}) if packed else (200, body, {})
    async with Replay(answer, "query through the alias").serve() as server:
        connection = Connection.server("docs", server.url, None, https=None, timeout=5)
        tracemalloc.start()
        with pytest.raises(BadResponse, match=r"Qdrant at .* answered with more than 2 MB"):
            await connection.call("count", collection_name="docs", exact=True, seconds=5)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert (await connection.call("query_points", collection_name="docs", seconds=5)).points
        await connection.aclose()
    if packed:  # else the server in this process holds the whole
        assert peak < 10 * 1024**2


async def test_a_compressed_answer_is_read() -> None:
    body = gzip.compress(json.dumps(exchanges()["query through the alias"]["response"]["body"]).encode())
    async with Replay((200, body, {"Content-Encoding": "gzip"})).serve() as server:
        connection = Connection.server("docs", server.url, None, https=None, timeout=5)
        assert (await connection.call("query_points", collection_name="docs", seconds=5)).points
        await connection.aclose()


async def test_a_server_that_hangs_is_given_up_in_time() -> None:
    async with Replay(None).serve() as server:
        connection = Connection.server("docs", server.url, None, https=None, timeout=60)
        with pytest.raises(ProviderTimeout, match=r"did not answer count in 0\.1 s"):
            await connection.call("count", collection_name="docs", exact=True, seconds=0.1)
        await connection.aclose()


@pytest_asyncio.fixture
async def embedded(services: TestServices) -> AsyncIterator[Qdrant]:
    made = await Qdrant.create(Settings(path=":memory:", collection="docs"), services)
    await made.prepare(fingerprint=None, dimensions=0)
    yield made
    await made.aclose()


async def test_what_the_server_would_refuse_is_found_by_halving(embedded: Qdrant, monkeypatch: Any) -> None:
    connection = embedded._connection
    calls: list[int] = []
    inner = connection.call

    async def call(method: str, /, **arguments: Any) -> Any:
        if method == "upsert":
            titles = [point.payload["title"] for point in arguments["points"]]
            calls.append(len(titles))
            if "bad" in titles:
                raise BadRequest("Wrong input: this one")
        return await inner(method, **arguments)

    monkeypatch.setattr(connection, "call", call)
    report = await embedded.upsert([Document(id=str(i), title="bad" if i == 37 else f"w{i}") for i in range(100)])
    assert report.indexed == 99
    assert report.failed == (("37", "Wrong input: this one"),)
    assert len(calls) <= 2 * 8
    assert len(await embedded.ids()) == 99


async def test_only_filters_that_say_something_reach_a_missing_value(embedded: Qdrant) -> None:
    await embedded.upsert([Document(id="a", metadata={"x": None}), Document(id="b", metadata={"x": []})])
    await embedded.upsert([Document(id="c"), Document(id="d", metadata={"x": "y"})])
    assert await embedded.count(Exists(field="metadata.x")) == 1
    assert await embedded.count(Not(filter=Exists(field="metadata.x"))) == 3
    assert await embedded.count(Compare(field="metadata.x", op="ne", value="y")) == 3
