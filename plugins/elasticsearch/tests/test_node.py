"""What only a real node can tell: its grammar, foreign indices, swapping, limits."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest
import pytest_asyncio

pytest.importorskip("qx_elasticsearch")

from qx.backend import Boost, Document, SearchRequest, Sort
from qx.errors import BadRequest, NotAllowed, UsageError
from qx.filters import And as AllOf
from qx.filters import Compare, Exists, Not
from qx.filters.fieldmap import lower
from qx.syntax import And, Or, Phrase, Terms, asks_nothing, lexical, parse
from qx.testing.conformance.backend import CORPUS, NASTY, SHORT_FIELDS, ask, generated, hits, ids
from qx.testing.embedder import FakeEmbedder
from qx.testing.services import TestServices
from qx_elasticsearch.backend import Elasticsearch
from qx_elasticsearch.body import search_body
from qx_elasticsearch.wording import pruned

pytestmark = [pytest.mark.timeout(400)]
if not os.environ.get("QX_TEST_ELASTICSEARCH_URL"):
    pytestmark.append(pytest.mark.slow)

FACETED = ("keyword", "number", "bool", "date")
Make = Callable[..., Awaitable[Elasticsearch]]

BOOKS = {
    "properties": {
        "name": {"type": "text", "fields": {"raw": {"type": "keyword"}}},
        "about": {"properties": {"blurb": {"type": "text"}}},
        "link": {"type": "keyword"},
        "year": {"type": "integer"},
        "published": {"type": "date", "format": "yyyy-MM-dd"},
        "sold": {"type": "boolean"},
        "genre": {"type": "keyword"},
    }
}
BOOK_FIELDS = {
    "title": "name^2",
    "text": "about.blurb",
    "url": "link",
    "year": "year",
    "published": "published",
    "sold": "sold",
    "genre": "genre",
}
SOURCES = {
    "1": {"name": "Red moon", "about": {"blurb": "A trip to the moon."}, "link": "https://www.books.example/a/red.html",
          "year": 1999, "published": "1999-04-01", "sold": True, "genre": ["space", "novel"], "extra": {"x": [1, None]}},
    "2": {"name": "Blue sea", "about": {"blurb": "Below the waves, no moon."}, "link": "http://sea.example:8080/b.pdf",
          "year": 2005, "sold": False, "genre": "novel"},
    "3": {"name": "月亮", "about": {"blurb": "去月球的旅行"}, "published": "2010-10-10"},
}  # fmt: skip


@pytest_asyncio.fixture
async def make(services: TestServices, node_url: str, index: str) -> AsyncIterator[Make]:
    """Makes backends of this run's indices, and closes them."""
    opened: list[Elasticsearch] = []

    async def made(name: str = "corpus", **settings: Any) -> Elasticsearch:
        block = {"name": "es", "hosts": (node_url,), "index": f"{index}-{name}", "fields": SHORT_FIELDS, **settings}
        opened.append(await Elasticsearch.create(Elasticsearch.Settings.model_validate(block), services))
        return opened[-1]

    yield made
    for backend in opened:
        await backend.aclose()


async def client_call(backend: Elasticsearch, work: Callable[[Any], Awaitable[Any]]) -> Any:
    return await backend._connection.call(work, timeout=60)


@pytest_asyncio.fixture
async def corpus(make: Make) -> Elasticsearch:
    backend = await make()
    await backend.prepare(fingerprint=None, dimensions=0)
    if await backend.count(None) != len(CORPUS):
        assert (await backend.upsert(CORPUS)).failed == ()
    return backend


@pytest_asyncio.fixture
async def books(make: Make) -> Elasticsearch:
    """An index of somebody else's."""
    backend = await make("books", fields=BOOK_FIELDS)
    name = backend._settings.index
    await client_call(backend, lambda c: c.options(ignore_status=404).indices.delete(index=name))
    await client_call(backend, lambda c: c.indices.create(index=name, mappings=BOOKS))
    operations: list[Any] = []
    for id, source in SOURCES.items():
        operations += [{"index": {"_id": id}}, source]
    await client_call(backend, lambda c: c.bulk(index=name, operations=operations, refresh=True))
    await backend._look(timeout=10)
    return backend


async def bodies(backend: Elasticsearch, *requests: SearchRequest) -> list[Any]:
    """What goes out for each request; None where nothing does, which is only for a request that asks for nothing."""
    catalog = await backend._known(timeout=10)
    made = [search_body(r, catalog, backend.fields, match="cross_fields", highlight=True).query for r in requests]
    for request, body in zip(requests, made, strict=True):
        asks = not asks_nothing(pruned(request.expression)) or request.filter is not None or request.target == "vector"
        assert (body is not None) is asks, f"{request}: nothing is sent, or something for nothing"
    return made


async def valid(backend: Elasticsearch, *requests: SearchRequest) -> None:
    """Every query passes the node's own parser, and every whole body runs: kNN, order, counts, highlights too."""
    found = [body for body in await bodies(backend, *requests) if body is not None]
    for body in found:
        for query in filter(None, (body.get("query"), {"bool": {"filter": (body.get("knn") or {}).get("filter", [])}})):
            answer = await client_call(
                backend,
                lambda c, query=query: c.indices.validate_query(
                    index=backend._settings.index, query=query, explain=True
                ),
            )
            assert answer["valid"], (query, answer.get("explanations"), answer.get("error"))
    if not found:
        return
    searches = [part for body in found for part in ({}, body)]
    answers = await client_call(backend, lambda c: c.msearch(index=backend._settings.index, searches=searches))
    for body, answer in zip(found, answers["responses"], strict=True):
        assert answer.get("status") == 200, (body, answer.get("error"))
        assert answer["_shards"]["failed"] == 0, (body, answer["_shards"])


async def test_every_nasty_text_compiles_to_a_valid_query(corpus: Elasticsearch) -> None:
    for text in NASTY:
        for expression in (
            parse(text),
            lexical(text),
            Phrase(text=text),
            parse(f"red -{text} site:{text} author:{text}"),
        ):
            await valid(corpus, ask(expression))
    assert (await corpus.search(ask("x" * 10_000))).ids == ()
    long = await ids(corpus, "会议 red " * 1500)
    assert set(long) == {"zh-1", "red-1", "red-2"}


async def test_all_that_a_request_may_ask_for_runs(make: Make) -> None:
    """Vectors, orders, counts, boosts, pages: whole bodies, for an index with vectors of its own."""
    backend = await make("whole")
    await backend.prepare(fingerprint="fake", dimensions=8)
    (vector,) = FakeEmbedder(dimensions=8).vectors(["red shoes"])
    await backend.upsert([replace(document, vector=vector) for document in CORPUS])
    plain = replace(ask("red running shoes"), vector=vector)
    boost = Boost(field="metadata.brand", value="HP", weight=1.2)
    requests: list[SearchRequest] = []
    for seed in range(12):
        tree = lower(generated(seed, depth=2), backend.fields).filter
        for target in ("any", "lexical", "vector"):
            requests += [
                replace(plain, target=target, filter=tree),
                replace(plain, target=target, filter=tree, limit=3, offset=2, boosts=(boost,)),
                replace(
                    plain,
                    target=target,
                    filter=tree,
                    facets=tuple(f.name for f in backend.fields.values() if f.type in FACETED),
                ),
            ]
    for field in backend.fields.values():
        if field.type in (*FACETED, "text") and field.name != "text":
            for descending in (True, False):
                requests.append(replace(plain, sort=(Sort(field=field.name, descending=descending),)))
    assert len(requests) > 100
    await valid(backend, *requests)


async def test_the_check_sees_a_body_that_is_not_sent(corpus: Elasticsearch, monkeypatch: pytest.MonkeyPatch) -> None:
    nothing = search_body(ask(""), await corpus._known(timeout=10), corpus.fields, match="cross_fields", highlight=True)
    monkeypatch.setattr(f"{__name__}.search_body", lambda *_, **__: nothing)
    with pytest.raises(AssertionError, match="nothing is sent"):
        await valid(corpus, ask("red"))


async def test_every_generated_filter_compiles_to_a_valid_query(corpus: Elasticsearch, books: Elasticsearch) -> None:
    for seed in range(60):
        await valid(corpus, ask("", filter=lower(generated(seed, depth=3), corpus.fields).filter))
    for text in (
        "moon site:books.example/a filetype:html",
        "genre:novel OR year:1990..2000 OR before:2000",
        "intitle:red",
    ):
        await valid(books, ask(parse(text, fields=BOOK_FIELDS)))


async def test_many_synonyms_stay_under_the_clause_limit(corpus: Elasticsearch) -> None:
    groups = tuple(Or(parts=tuple(Terms(words=(f"w{i}x{j}",)) for j in range(20))) for i in range(300))
    for expression in (Or(parts=groups), And(parts=groups), Or(parts=(Phrase(text="cat-o'-nine-tails"), *groups))):
        await valid(corpus, ask(expression))
        response = await corpus.search(ask(expression))
        assert any("words too many" in part for part in response.unexpressed)
    assert "id-1" in response.ids


async def test_only_function_words_are_looked_for_as_they_are(corpus: Elasticsearch) -> None:
    assert await ids(corpus, "what for") == await ids(corpus, "for") != []
    assert "red-1" not in await ids(corpus, "what for every")


async def test_highlights_mark_what_matched(corpus: Elasticsearch) -> None:
    (hit, *_) = hits(await corpus.search(ask("running shoes")))
    marked = {h.field: [h.text[a:b] for a, b in h.spans] for h in hit.highlights}
    assert marked == {"title": ["running", "shoes"], "text": ["shoes"]}
    (hit, *_) = hits(await corpus.search(ask("评审会议")))
    assert hit.highlights[0].text[slice(*hit.highlights[0].spans[0])] in "评审会议"


async def test_sites_file_types_and_ranges_of_our_own(corpus: Elasticsearch) -> None:
    await corpus.upsert([Document(id="page", text="moon page", url="https://blog.e.org/a/b.PDF?x=1")])
    for text, found in (
        ("moon site:e.org", True), ("moon site:blog.e.org", True), ("moon site:org", True), ("moon site:og.e.org", False),
        ("moon site:e.org/a", True), ("moon site:e.org/a/b.PDF", True), ("moon site:e.org/b", False),
        ("moon filetype:pdf", True), ("moon filetype:html", False), ("moon -site:e.org", False),
    ):  # fmt: skip
        assert (await ids(corpus, text) == ["page"]) is found, text
    await corpus.delete(["page"])
    either = parse("jacket OR price:1000..2000", fields=("price",))
    assert set(await ids(corpus, either)) == {"blue-1", "lap-1"}


async def test_boosts_sorting_and_facets(corpus: Elasticsearch) -> None:
    assert (await ids(corpus, "laptop"))[0] in ("lap-1", "lap-2")
    for brand, first in (("HP", "lap-1"), ("Lenovo", "lap-2")):
        boost = Boost(field="metadata.brand", value=brand, weight=20)
        assert (await ids(corpus, "laptop", boosts=(boost,)))[0] == first
    by_date = await ids(corpus, "red laptop jacket", sort=(Sort(field="metadata.released"),))
    assert by_date == ["lap-2", "red-2", "blue-1", "red-1", "lap-1"]
    by_title = await ids(corpus, "laptop", sort=(Sort(field="title", descending=True),))
    assert by_title == ["lap-2", "lap-1"]
    response = await corpus.search(ask("red laptop", facets=("metadata.tags", "metadata.used", "metadata.price")))
    assert dict(response.facets["metadata.tags"])["laptop"] == 2
    assert dict(response.facets["metadata.used"]) == {"false": 2, "true": 2}
    assert set(dict(response.facets["metadata.price"])) == {"129.5", "990", "1499.99", "499"}


async def test_open_attributes_are_flattened_and_compare_as_they_are(make: Make) -> None:
    backend = await make("open", fields={})
    await backend.prepare(fingerprint=None, dimensions=0)
    documents = [
        Document(id="a", metadata={"size": 9, "nest": {"deep": ["x", "y"]}, "at": "2023-05-01", "mixed": 5, "": 1}),
        Document(
            id="b", metadata={"size": 10.5, "nest": {"deep": "z"}, "at": "2023-05-01T08:00:00+08:00", "mixed": "5"}
        ),
        Document(
            id="c", metadata={"size": -3, "at": "2023-06-01", "mixed": True, "odd..key": {" ": 1}, "long": "l" * 50_000}
        ),
    ]
    report = await backend.upsert(documents)
    assert report.failed == ()
    found = {h.id: h.metadata for h in hits(await backend.search(ask("", filter=Exists(field="metadata.size"))))}
    assert found == {d.id: d.metadata for d in documents}
    for leaf, wanted in (
        (Compare(field="metadata.size", op="gt", value=9), {"b"}),
        (Compare(field="metadata.size", op="le", value=9.0), {"a", "c"}),
        (Compare(field="metadata.nest.deep", op="eq", value="y"), {"a"}),
        (Compare(field="metadata.nest.deep", op="ne", value="y"), {"b", "c"}),
        (Compare(field="metadata.at", op="eq", value="2023-05-01T00:00:00Z"), {"a", "b"}),
        (Compare(field="metadata.at", op="gt", value="2023-05-01"), {"c"}),
        (Compare(field="metadata.mixed", op="eq", value=5), {"a"}),
        (Compare(field="metadata.mixed", op="in", value=("5", True)), {"b", "c"}),
        (Compare(field="metadata.long", op="eq", value="l" * 50_000), {"c"}),
        (Compare(field="metadata.long", op="eq", value="l" * 49_999), set()),
        (Exists(field="metadata.nest"), {"a", "b"}),
        (Compare(field="id", op="in", value=("a", "c")), {"a", "c"}),
    ):
        assert set(await ids(backend, "", filter=leaf)) == wanted, leaf
        negated = await ids(backend, "", filter=Not(filter=leaf))
        assert set(negated) == {"a", "b", "c"} - wanted, leaf
    assert dict(await backend.values("metadata.at", limit=10)) == {
        "2023-05-01": 1, "2023-05-01T08:00:00+08:00": 1, "2023-06-01": 1,
    }  # fmt: skip
    by_size = await ids(backend, "", filter=Exists(field="metadata.size"), sort=(Sort(field="metadata.size"),))
    assert by_size == ["c", "a", "b"]
    mapping = await client_call(backend, lambda c: c.indices.get_mapping(index=backend._settings.index))
    assert next(iter(mapping.values()))["mappings"]["properties"]["open"]["type"] == "flattened"


async def test_ids_that_elasticsearch_cannot_hold(make: Make) -> None:
    backend = await make("ids")
    await backend.prepare(fingerprint=None, dimensions=0)
    strange = ["", "x" * 513, "会" * 200, "lone \ud800", "qx:sha256:0", "_id", "a" * 512]
    report = await backend.upsert([Document(id=id, text="same words") for id in strange])
    assert report.failed == ()
    assert sorted(await backend.ids()) == sorted(strange)
    assert sorted(await ids(backend, "same")) == sorted(strange)
    assert set(await ids(backend, "", filter=Compare(field="id", op="eq", value="x" * 513))) == {"x" * 513}
    assert await backend.delete(strange) == len(strange)


async def test_below_the_end_of_a_short_list_there_is_nothing(corpus: Elasticsearch) -> None:
    for offset in (9_990, 10_000, 100_000):
        found = await corpus.search(ask("red", offset=offset, limit=100))
        assert found.ids == ()
        assert found.total


async def test_a_list_that_goes_on_below_the_engines_end_is_an_error_with_the_limit(make: Make) -> None:
    backend = await make("deep", index_settings={"max_result_window": 10})
    await backend.prepare(fingerprint=None, dimensions=0)
    await backend.upsert([Document(id=f"d{i}", title="moon", text="one moon") for i in range(30)])
    assert len((await backend.search(ask("moon", limit=10))).ids) == 10
    with pytest.raises(UsageError, match=r"no more than 10 hits.*index\.max_result_window") as caught:
        await backend.search(ask("moon", offset=10, limit=1))
    assert backend.endpoint in str(caught.value)
    good, bad = await backend.search_many([ask("moon", limit=10), ask("moon", limit=11)])
    assert isinstance(bad, UsageError)
    assert good.ids  # type: ignore[union-attr]


async def test_frequencies_of_phrases_and_characters(corpus: Elasticsearch) -> None:
    found = await corpus.frequencies(["running shoes", "打印机", "会", "POL-358", "SHOE", "shoes running"])
    assert found == {
        "running shoes": 1, "打印机": 1, "会": 1, "POL-358": 1, "SHOE": 2, "shoes running": 0,
    }  # fmt: skip


async def test_frequencies_add_up_over_shards(make: Make) -> None:
    backend = await make("sharded", index_settings={"number_of_shards": 3, "number_of_replicas": 0})
    await backend.prepare(fingerprint=None, dimensions=0)
    await backend.upsert([Document(id=f"d{i}", title="moon", text="one moon") for i in range(30)])
    assert await backend.frequencies(["moon", "sun"]) == {"moon": 30, "sun": 0}
    assert len(await backend.ids()) == 30


# ---- indices of somebody else's ----


async def test_a_foreign_index_is_read_as_it_is(books: Elasticsearch) -> None:
    assert {n: f.type for n, f in books.fields.items()} == {
        "title": "text", "text": "text", "url": "keyword", "year": "number", "published": "date", "sold": "bool",
        "genre": "keyword",
    }  # fmt: skip
    response = await books.search(ask("red moon"))
    assert set(response.ids) == {"1", "2"}
    assert response.identities[response.ids.index("1")] == SOURCES["1"]["link"]
    hit = response.hit(response.ids.index("1"))
    assert (hit.title, hit.text, hit.url) == ("Red moon", "A trip to the moon.", SOURCES["1"]["link"])
    assert hit.metadata == SOURCES["1"]
    for text, found in (
        ("moon site:books.example", {"1"}), ("moon site:books.example/a", {"1"}), ("moon site:ooks.example", set()),
        ("moon site:sea.example", {"2"}), ("moon filetype:pdf", {"2"}), ("moon OR 月亮", {"1", "2", "3"}),
        ("intitle:moon", {"1"}),
    ):  # fmt: skip
        assert set(await ids(books, text)) == found, text
    fields = books.fields
    for leaf, found in (
        (Compare(field="year", op="ge", value=2000), {"2"}), (Compare(field="genre", op="eq", value="novel"), {"1", "2"}),
        (Compare(field="published", op="eq", value="1999-04"), {"1"}), (Compare(field="sold", op="ne", value=True), {"2", "3"}),
        (Compare(field="published", op="gt", value="1999-04-01"), {"3"}), (Not(filter=Exists(field="year")), {"3"}),
    ):  # fmt: skip
        assert set(await ids(books, "", filter=lower(leaf, fields).filter)) == found, leaf
    title = Compare(field="name", op="eq", value="Red moon")
    assert await ids(books, "", filter=title) == ["1"]
    blurb = Compare(field="about.blurb", op="eq", value="x")
    assert books.inexpressible(AllOf(filters=(title, blurb))) == (blurb,)
    assert await books.frequencies(["moon", "月亮", "sun"]) == {"moon": 2, "月亮": 1, "sun": 0}


async def test_a_foreign_index_is_not_written_to_unless_adopted(books: Elasticsearch, make: Make) -> None:
    name = books._settings.index
    before = await client_call(books, lambda c: c.indices.get_mapping(index=name))
    for call in (books.upsert([Document(id="4")]), books.delete(["1"]), books.prepare(fingerprint=None, dimensions=0)):
        with pytest.raises(NotAllowed, match="adopt"):
            await call
    assert before.body == (await client_call(books, lambda c: c.indices.get_mapping(index=name))).body
    await books.prepare(fingerprint="fake", dimensions=8, adopt=True)
    (vector,) = FakeEmbedder(dimensions=8).vectors(["green hill"])
    new = Document(
        id="n" * 600, title="Green hill", text="Grass.", url="https://h.example/x", metadata={"year": 1}, vector=vector
    )
    assert (await books.upsert([new])).failed == ()
    assert set(await books.ids()) == {"1", "2", "3", new.id}
    response = await books.search(ask("green"))
    hit = response.hit(0)
    assert (hit.id, hit.title, hit.text, hit.url) == (new.id, new.title, new.text, new.url)
    assert hit.metadata["year"] == 1
    again = await make("books", fields=BOOK_FIELDS)
    assert await again.stored_fingerprint() == "fake"
    assert await ids(again, "", target="vector", vector=vector) == [new.id]
    assert await again.delete([new.id]) == 1
    await again.prepare(fingerprint="fake", dimensions=8)  # adopted once is enough


async def test_without_fields_a_foreign_index_is_searched_in_all_its_texts(books: Elasticsearch, make: Make) -> None:
    bare = await make("books", fields={})
    response = await bare.search(ask("waves"))
    assert response.ids == ("2",)
    assert "Below the waves" in response.hit(0).text


async def test_a_pattern_is_searched_but_not_indexed(make: Make, corpus: Elasticsearch) -> None:
    pattern = await make("corp*")
    assert (await ids(pattern, "gaming laptop"))[0] == "lap-1"
    with pytest.raises(UsageError, match="several indices"):
        await pattern.prepare(fingerprint=None, dimensions=0)


async def test_what_is_not_there_is_named(make: Make) -> None:
    missing = await make("missing")
    with pytest.raises(BadRequest, match="qx index"):
        await missing.search(ask("red"))
    with pytest.raises(UsageError):
        await missing.upsert([Document(id="a")])
    assert not (await missing.health()).ok


# ---- swapping ----


async def test_a_new_mapping_is_swapped_in_without_a_gap(make: Make) -> None:
    old = await make("swap")
    await old.prepare(fingerprint=None, dimensions=0)
    documents = [replace(CORPUS[0], id=f"d{i}") for i in range(1200)]
    await old.upsert(documents)
    name = old._settings.index
    leftover = {"_meta": {"qx": {"layout": "own", "alias": name}}}
    await client_call(old, lambda c: c.indices.create(index=f"{name}-000007", mappings=leftover))
    done = asyncio.Event()
    seen: list[int | None] = []

    async def reader() -> None:
        reading = await make("swap")
        while not done.is_set():
            seen.append((await reading.search(ask("red", limit=1))).total)

    async def swap() -> None:
        new = await make("swap", fields={**SHORT_FIELDS, "colour": {"name": "metadata.colour", "type": "keyword"}})
        await new.prepare(fingerprint=None, dimensions=0)
        done.set()

    await asyncio.gather(reader(), swap())
    assert seen
    assert set(seen) == {1200}
    names = await client_call(old, lambda c: c.indices.get_alias(index=f"{name}*"))
    assert list(names.body) == [f"{name}-000008"], "the old one and what a broken-off run left are gone"
    new = await make("swap")
    await new.prepare(fingerprint=None, dimensions=0)
    assert len(await new.ids()) == 1200


async def test_vectors_survive_a_swap_and_go_with_another_embedder(make: Make) -> None:
    backend = await make("swap-vectors")
    await backend.prepare(fingerprint="one", dimensions=8)
    (vector,) = FakeEmbedder(dimensions=8).vectors(["red shoes"])
    await backend.upsert([Document(id="a", text="red shoes", vector=vector), Document(id="b", text="none")])
    typed = await make("swap-vectors", fields={"x": {"name": "metadata.x", "type": "number"}})
    await typed.prepare(fingerprint=None, dimensions=0)  # a run without an embedder
    assert await typed.stored_fingerprint() == "one"
    assert await ids(typed, "", target="vector", vector=vector) == ["a"]
    await typed.prepare(fingerprint="two", dimensions=16)
    assert await typed.stored_fingerprint() == "two"
    (other,) = FakeEmbedder(dimensions=16).vectors(["red shoes"])
    assert await ids(typed, "", target="vector", vector=other) == []
    assert await ids(typed, "red") == ["a"]


async def test_two_processes_may_prepare_at_once(make: Make) -> None:
    backends = [await make("race") for _ in range(3)]
    await asyncio.gather(*(b.prepare(fingerprint=None, dimensions=0) for b in backends))
    await backends[0].upsert([Document(id="a", text="words")])
    assert await ids(backends[2], "words") == ["a"]


async def test_a_query_of_function_words_finds_what_holds_them(make: Make) -> None:
    backend = await make("function-words")
    await backend.prepare(fingerprint=None, dimensions=0)
    await backend.upsert([Document(id="a", title="Pattern a)* matches"), Document(id="b", title="Pattern matches")])
    for text in ("a)*", "(a", "Ａ", "a"):
        assert await ids(backend, Terms(words=(text,))) == ["a"], text


async def test_dates_are_counted_as_they_were_stored(make: Make) -> None:
    typed = {**SHORT_FIELDS, "released": {"name": "metadata.released", "type": "date"}}
    backend = await make("spelled", fields=typed)
    await backend.prepare(fingerprint=None, dimensions=0)
    dates = ["2022-01-01", "2022-01-01", "2022-01-15T08:30:00+01:00", ["1999-01-01", "2000-02-29"]]
    await backend.upsert([Document(id=str(i), metadata={"released": date}) for i, date in enumerate(dates)])
    request = ask("", filter=Exists(field="metadata.released"), facets=("metadata.released",))
    found = dict((await backend.search(request)).facets["metadata.released"])
    assert found == {"2022-01-01": 2, "2022-01-15T08:30:00+01:00": 1, "1999-01-01": 1, "2000-02-29": 1}


async def test_lists_of_many_values_and_dates(make: Make) -> None:
    backend = await make("many")
    await backend.prepare(fingerprint=None, dimensions=0)
    await backend.upsert([Document(id="x", metadata={"brand": "HP", "any": "2001-02-03"}), Document(id="y")])
    brands = (*(f"v{i}" for i in range(70_000)), "HP")
    days = tuple(f"{1900 + i // 336}-{i // 28 % 12 + 1:02}-{i % 28 + 1:02}" for i in range(499))
    for leaf in (
        Compare(field="metadata.brand", op="in", value=brands),
        Compare(field="metadata.any", op="in", value=(*days, "2001-02-03")),
        Compare(field="id", op="in", value=(*brands, "x")),
    ):
        assert await ids(backend, "", filter=leaf) == ["x"]
        assert await ids(backend, "", filter=Not(filter=leaf)) == ["y"]
