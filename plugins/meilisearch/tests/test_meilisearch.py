"""Against the loopback server: failures, tasks, indexes of others, vectors beside words."""

from __future__ import annotations

import pytest

pytest.importorskip("meilisearch_python_sdk")

import gzip
import re
from array import array
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest_asyncio

from qx.backend import Boost, Document, SearchRequest, SearchResponse, Sort
from qx.errors import (
    AuthError,
    BadRequest,
    BadResponse,
    NotAllowed,
    ProviderError,
    ProviderTimeout,
    QxError,
    RateLimited,
    Unavailable,
    UsageError,
)
from qx.filters import Compare, Exists, Not
from qx.filters.matching import evaluate
from qx.syntax import And, Field, Terms, parse
from qx.testing.conformance.backend import ask, ids
from qx.testing.services import TestServices
from qx_meilisearch.backend import Meilisearch

SHOES = (
    Document(id="a", title="red shoes", text="for men", url="https://shop.example/a.pdf", metadata={"n": 1}),
    Document(id="b", title="blue shoes", text="", url="https://other.example/b", metadata={"n": 3}),
    Document(id="c", title="red bag", text="", metadata={"n": 2}),
)


async def opened(place: Any, services: TestServices, **more: Any) -> Meilisearch:
    return await Meilisearch.create(Meilisearch.Settings.model_validate(place.settings(**more)), services)


@pytest_asyncio.fixture
async def shop(place: Any, services: TestServices) -> AsyncIterator[Meilisearch]:
    made = await opened(place, services)
    await made.prepare(fingerprint=None, dimensions=0)
    await made.upsert(SHOES)
    yield made
    await made.aclose()


async def test_frequencies_come_with_the_answer(shop: Meilisearch) -> None:
    response = await shop.search(ask("red shoes bag"))
    assert dict(response.frequencies) == {"red": 2, "shoes": 2, "bag": 1}
    assert shop.bm25 is False


async def test_one_round_trip_for_all(loopback: Any, shop: Meilisearch) -> None:
    loopback.server.calls.clear()
    await shop.search_many([ask("red shoes"), ask("blue bag"), ask("red shoes")])
    ((_, path, body),) = loopback.server.calls
    assert path == "/multi-search"
    assert len({repr(query) for query in body["queries"]}) == len(body["queries"]), "nothing is asked twice"


async def test_a_refused_request_takes_no_other_along(loopback: Any, shop: Meilisearch) -> None:
    bad = ask("red", sort=(Sort(field='"'),))
    loopback.server.indexes[loopback.index].settings["sortableAttributes"] = []
    first, second, third = await shop.search_many([ask("red"), bad, ask("blue")])
    assert isinstance(first, SearchResponse)
    assert isinstance(third, SearchResponse)
    assert isinstance(second, BadRequest)
    assert "is not sortable" in str(second)
    assert first.ids
    assert third.ids == ("b",)


@pytest.mark.parametrize(
    ("reaction", "kind"),
    [
        ((401, {"message": "no", "code": "missing_authorization_header"}), AuthError),
        ((403, {"message": "no", "code": "invalid_api_key"}), AuthError),
        ((429, {"message": "slow"}, {"Retry-After": "7"}), RateLimited),
        ((500, {"message": "oops", "code": "internal"}), Unavailable),
        ((503, {}), Unavailable),
        ((408, {}), ProviderTimeout),
        ((400, {"message": "wrong", "code": "bad_request"}), BadRequest),
        ((302, {}, {"Location": "http://evil.example"}), BadResponse),
        ("garbage", BadResponse),
        ((200, {"unheard": "of"}), BadResponse),
    ],
)
async def test_failures_are_qx_errors(loopback: Any, shop: Meilisearch, reaction: Any, kind: type[QxError]) -> None:
    loopback.server.react = lambda method, path: reaction
    with pytest.raises(ProviderError) as caught:
        await shop.search(ask("red"))
    assert type(caught.value) is kind
    assert "'meili'" in str(caught.value)
    assert shop.endpoint in str(caught.value)
    assert loopback.key not in f"{caught.value!r} {caught.value.__cause__!r}"
    if kind is RateLimited:
        assert caught.value.retry_after == 7


JSON = {"Content-Type": "application/json"}
BOMB = gzip.compress(b'{"results": "' + b"a" * 4_000_000 + b'"}', mtime=0)


@pytest.mark.parametrize("status", [200, 500])
@pytest.mark.parametrize(
    ("body", "headers"),
    [
        (b"a" * 2_000_000, JSON),
        (BOMB, {**JSON, "Content-Encoding": "gzip"}),
        (gzip.compress(BOMB, mtime=0), {**JSON, "Content-Encoding": "gzip, gzip"}),
        (BOMB, {**JSON, "Content-Encoding": "zstd"}),
        (BOMB[:-100], {**JSON, "Content-Encoding": "gzip"}),
        (b"no gzip", {**JSON, "Content-Encoding": "gzip"}),
    ],
)
async def test_an_answer_is_read_to_a_bound(
    loopback: Any, shop: Meilisearch, monkeypatch: pytest.MonkeyPatch, status: int, body: bytes, headers: dict[str, str]
) -> None:
    monkeypatch.setattr("qx_meilisearch.bounded.MAX_BODY", 1_000_000)
    loopback.server.react = lambda method, path: (status, body, headers)
    with pytest.raises(ProviderError) as caught:
        await shop.search(ask("red"))
    assert type(caught.value) is BadResponse
    assert "'meili'" in str(caught.value)
    loopback.server.react = lambda method, path: None
    assert await ids(shop, "blue") == ["b"], "the connection is as good as before"


async def test_a_packed_answer_is_read(loopback: Any, shop: Meilisearch) -> None:
    body = gzip.compress(b'{"message": "packed words", "code": "c", "type": "t", "link": "l"}')
    loopback.server.react = lambda method, path: (400, body, {**JSON, "Content-Encoding": "gzip"})
    with pytest.raises(BadRequest, match="packed words"):
        await shop.search(ask("red"))


async def test_no_answer_in_time_is_a_timeout(loopback: Any, shop: Meilisearch) -> None:
    loopback.server.react = lambda method, path: "hang"
    with pytest.raises(ProviderTimeout):
        await shop.search(ask("red", timeout=0.05))


async def test_a_wrong_key_is_told(loopback: Any, shop: Meilisearch, services: TestServices) -> None:
    loopback.key = "some-wrong-key"
    made = await opened(loopback, services)
    with pytest.raises(AuthError, match="api_key"):
        await made.search(ask("red"))
    assert "some-wrong-key" not in (await made.health()).detail
    await made.aclose()


async def test_an_index_that_is_not_there_is_an_error(place: Any, services: TestServices) -> None:
    made = await opened(place, services)
    with pytest.raises(BadRequest, match="index_not_found"):
        await made.search(ask("red"))
    assert not (await made.health()).ok
    await made.aclose()


async def test_an_index_that_is_not_there_is_not_made_by_writing(place: Any, services: TestServices) -> None:
    made = await opened(place, services)
    with pytest.raises(UsageError, match="qx index"):
        await made.upsert(SHOES)
    with pytest.raises(UsageError, match="qx index"):
        await made.delete(["a"])
    assert not (await made.health()).ok
    await made.aclose()


async def test_tasks_are_waited_for(loopback: Any, services: TestServices) -> None:
    loopback.server.polls = 2
    made = await opened(loopback, services)
    await made.prepare(fingerprint=None, dimensions=0)
    assert (await made.upsert(SHOES)).indexed == 3
    assert await made.delete(["a"]) == 1
    await made.aclose()


async def test_a_failed_task_is_told_by_document(loopback: Any, shop: Meilisearch) -> None:
    """Meilisearch may refuse what was not foreseen: only the documents to blame are missing."""
    index = loopback.server.indexes[loopback.index]
    inner = index._validate

    def picky(document: Any, *, partial: bool) -> None:
        from servers.meilisearch.index import Failure

        if document["title"] == "bad":
            raise Failure("Document has a bad title.", "invalid_document_fields")
        inner(document, partial=partial)

    index._validate = picky
    documents = [Document(id=f"d{i}", title="bad" if i in (3, 11) else "good") for i in range(20)]
    report = await shop.upsert(documents)
    assert report.indexed == 18
    assert sorted(report.failed) == [("d11", "Document has a bad title."), ("d3", "Document has a bad title.")]
    assert len(await shop.ids()) == 21


async def test_a_task_that_blames_no_document_is_an_error(loopback: Any, shop: Meilisearch) -> None:
    from servers.meilisearch.index import Failure

    def full(document: Any, *, partial: bool) -> None:
        raise Failure("No space left on device.", "no_space_left_on_device", "system")

    loopback.server.indexes[loopback.index]._validate = full
    with pytest.raises(BadRequest, match="No space left"):
        await shop.upsert(SHOES)


async def test_a_vector_of_the_wrong_size_is_told(place: Any, services: TestServices) -> None:
    made = await opened(place, services)
    await made.prepare(fingerprint="e5", dimensions=3)
    wrong = Document(id="w", title="x", vector=array("f", [1, 2]).tobytes())
    right = Document(id="r", title="x", vector=array("f", [1, 2, 3]).tobytes())
    report = await made.upsert([wrong, right, Document(id="n", title="x")])
    assert report.indexed == 2
    assert [id for id, _ in report.failed] == ["w"]
    with pytest.raises(NotAllowed, match="e5"):
        await made.prepare(fingerprint="other", dimensions=3)
    both = await made.search(ask("x", vector=array("f", [1, 2, 3]).tobytes()))
    assert both.ids[0] == "r"
    await made.aclose()


async def test_vectors_without_an_embedder_are_refused(shop: Meilisearch) -> None:
    with pytest.raises(BadRequest, match="no embedder"):
        await shop.search(ask("x", target="vector", vector=array("f", [1]).tobytes()))


async def test_places_sorting_and_boosts(shop: Meilisearch) -> None:
    assert await ids(shop, "red site:shop.example") == ["a"]
    assert await ids(shop, "shoes filetype:pdf") == ["a"]
    assert await ids(shop, "shoes -site:shop.example") == ["b"]
    assert await ids(shop, "red shoes bag", sort=(Sort(field="metadata.n", descending=True),)) == ["b", "c", "a"]
    boosted = ask("red shoes", boosts=(Boost(field="metadata.n", value="x", weight=9),))
    assert (await shop.search(boosted)).ids[0] == "a"


async def test_a_field_that_is_no_text_is_never_searched_as_an_attribute(place: Any, services: TestServices) -> None:
    fields = {"price": {"name": "metadata.n", "type": "number"}, "author": {"name": "metadata.who", "type": "keyword"}}
    made = await opened(place, services, fields=fields)
    await made.prepare(fingerprint=None, dimensions=0)
    await made.upsert([*SHOES, Document(id="w", title="green shoes", metadata={"who": "Bob Lee"})])

    async def found(text: str) -> tuple[list[str], tuple[str, ...]]:
        response = await made.search(replace(ask(text), expression=parse(text, fields=("price", "author"))))
        return sorted(response.ids), tuple(response.unexpressed)

    unread = Field(name="price", expression=Terms(words=("a..b",)))
    assert (await made.search(replace(ask("x"), expression=unread))).ids == ()
    response = await made.search(replace(ask("red"), expression=And(parts=(Terms(words=("red",)), unread))))
    assert sorted(response.ids) == ["a", "c"]
    assert tuple(response.unexpressed) == ("price: (no such field that holds words)",)
    assert (await found("red price:a..b"))[0] == ["a", "c"]
    assert (await found("author:bob"))[0] == ["w"]
    assert (await found("shoes author:lee"))[0] == ["w"]
    assert (await found("shoes -author:lee"))[0] == ["a", "b"]
    assert (await found("price:..2 shoes"))[0] == ["a"]
    await made.aclose()


async def test_a_filter_costs_queries_and_too_long_a_one_is_refused(loopback: Any, shop: Meilisearch) -> None:
    def within(count: int) -> SearchRequest:
        return ask(
            "red shoes for big men", filter=Compare(field="metadata.n", op="in", value=tuple(range(count))), timeout=1
        )

    asked: list[int] = []
    for count in (10, 900):
        loopback.server.calls.clear()
        assert (await shop.search(within(count))).ids[0] == "a"
        asked.append(len(loopback.server.calls[-1][2]["queries"]))
    assert asked[0] > asked[1] >= 1
    with pytest.raises(BadRequest, match="20,003 values"):
        await shop.search(within(20_000))


async def test_values_that_read_alike_are_counted_together(shop: Meilisearch) -> None:
    mixed = [True, "true", "true", 8, "8", 8.0, "red"]
    await shop.upsert([Document(id=f"m{i}", title="mixed", metadata={"v": item}) for i, item in enumerate(mixed)])
    counted = [("8", 3), ("true", 3), ("red", 1)]
    assert list(await shop.values("metadata.v", limit=9)) == counted
    assert list((await shop.search(ask("mixed", facets=("metadata.v",)))).facets["metadata.v"]) == counted


async def test_counts_of_a_part_of_what_matches_say_so(shop: Meilisearch) -> None:
    made = [Document(id=f"n{n}", title=f"common thing{n % 2}", metadata={"v": n % 2}) for n in range(260)]
    await shop.upsert(made)
    answer = await shop.search(ask("common thing1", facets=("metadata.v",)))
    assert sum(count for _, count in answer.facets["metadata.v"]) < 260
    assert [note for note in answer.notes if note.startswith("facets count the ")]
    for one in (ask("common", facets=("metadata.v",)), ask("common thing1"), ask("blue bag", facets=("metadata.v",))):
        assert (await shop.search(one)).notes == ()


async def test_a_field_that_holds_an_object_is_there(shop: Meilisearch) -> None:
    held: list[Any] = [{"a": 1}, {}, [{"a": 1}], [[1]], [None], [], None, "x", {"b": {}}, {"a": None}]
    documents = [Document(id=f"o{i}", title="held", metadata={"v": item}) for i, item in enumerate(held)]
    await shop.upsert(documents)
    for field in ("metadata.v", "metadata.v.a", "metadata.v.b", "metadata"):
        for tree in (Exists(field=field), Not(filter=Exists(field=field)), Compare(field=field, op="ne", value="x")):
            wanted = [d.id for d in documents if evaluate(tree, {"metadata": d.metadata})]
            assert sorted(await ids(shop, "held", filter=tree, limit=20)) == wanted, tree
    assert list(await shop.values("metadata.v", limit=9)) == [("x", 1)]


async def test_an_index_of_others_is_searched_as_it_is(place: Any, services: TestServices) -> None:
    from meilisearch_python_sdk import AsyncClient
    from meilisearch_python_sdk.models.settings import MeilisearchSettings

    async with AsyncClient(place.url, place.key) as client:
        index = client.index(place.index)
        found = [
            {"sku": 1, "name": "red shoes", "body": "men", "brand": "HP", "cents": 500, "link": "https://e.org/a"},
            {"sku": 2, "name": "blue shoes", "body": "men", "brand": "Dell", "cents": 900},
        ]
        wanted = MeilisearchSettings(filterable_attributes=["brand", "cents"], sortable_attributes=["cents"])
        for task in (await index.update_settings(wanted), await index.add_documents(found, "sku")):
            await client.wait_for_task(task.task_uid, timeout_in_ms=None)
    fields = {
        "title": "name",
        "text": "body",
        "url": "link",
        "brand": "brand",
        "price": {"name": "cents", "scale": 100},
    }
    made = await opened(place, services, fields=fields)
    assert made.fields["price"].type == "number"
    response = await made.search(ask("shoes", filter=Not(filter=Compare(field="brand", op="eq", value="Dell"))))
    hit = response.hit(0)
    assert (response.ids, hit.title, hit.url, hit.metadata["brand"]) == (("1",), "red shoes", "https://e.org/a", "HP")
    assert await ids(made, "shoes site:e.org") == ["1"]
    assert (await made.search(ask("shoes site:e.org"))).unexpressed
    assert made.inexpressible(Compare(field="name", op="eq", value="x"))
    assert dict(await made.values("brand", limit=5)) == {"HP": 1, "Dell": 1}
    with pytest.raises(NotAllowed):
        await made.prepare(fingerprint=None, dimensions=0)
    with pytest.raises(NotAllowed, match="--adopt"):
        await made.delete(["1"])
    assert await made.count(None) == 2
    await made.aclose()


async def test_a_list_that_goes_on_below_the_engines_end_is_an_error_with_the_limit(
    place: Any, shop: Meilisearch, services: TestServices
) -> None:
    from meilisearch_python_sdk import AsyncClient
    from meilisearch_python_sdk.models.settings import MeilisearchSettings, Pagination

    async with AsyncClient(place.url, place.key) as client:
        wanted = MeilisearchSettings(pagination=Pagination(max_total_hits=2))
        task = await client.index(place.index).update_settings(wanted)
        await client.wait_for_task(task.task_uid)
    again = await opened(place, services)
    try:
        short = await again.search(ask("blue", offset=100_000, limit=10))
        assert (short.ids, short.total) == ((), 1)
        assert len((await again.search(ask("shoes", limit=2))).ids) == 2
        good, bad = await again.search_many([ask("blue"), ask("shoes", offset=2, limit=1)])
        assert isinstance(bad, UsageError)
        assert re.search(r"no more than 2 hits.*pagination\.maxTotalHits", str(bad))
        assert good.ids == ("b",)  # type: ignore[union-attr]
    finally:
        await again.aclose()
