"""The plugin's own ways: terms and BM25, expressions, alias and rebuilding, adoption, types, hybrid search."""

import math
import subprocess
import sys
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from hypothesis import given
from hypothesis import settings as bounds
from hypothesis import strategies as st

pytest.importorskip("qx_qdrant", reason="the plugin qx-query-qdrant is not installed")

from pydantic import ValidationError
from qdrant_client import models

from qx.backend import Document, SearchRequest, SupportsBatch, SupportsVectors
from qx.errors import BadRequest, NotAllowed, ProfileError
from qx.filters import Compare
from qx.plugins import Plugins
from qx.syntax import FileType, Not, Or, Site, Terms, parse
from qx.testing import FakeEmbedder, TestServices
from qx_qdrant import bm25
from qx_qdrant.analysis import Analysis, term_id
from qx_qdrant.backend import Qdrant, Settings
from qx_qdrant.points import file_type, point_id, sites

ANALYSIS = Analysis()


def ask(text: str, **more: Any) -> SearchRequest:
    return SearchRequest(text=text, expression=parse(text), **more)


async def opened(services: TestServices, **more: Any) -> Qdrant:
    found = {"path": ":memory:", "collection": "docs", "name": "mine"} | more
    return await Qdrant.create(Settings.model_validate(found), services)


@pytest_asyncio.fixture
async def backend(services: TestServices) -> AsyncIterator[Qdrant]:
    made = await opened(services, fields={"title": "title", "text": "text", "url": "url", "n": "metadata.n"})
    await made.prepare(fingerprint=None, dimensions=0)
    yield made
    await made.aclose()


@bounds(max_examples=100, deadline=None)
@given(text=st.text(st.characters() | st.sampled_from("打印机 会議ab-4.+#é'"), max_size=40))
def test_a_text_holds_the_terms_that_a_query_of_it_looks_for(text: str) -> None:
    terms, length = ANALYSIS.document_terms(text)
    assert set(ANALYSIS.query_terms(text)) <= set(terms)
    assert (length > 0) == bool(terms)
    assert all(token.isalnum() for token in ANALYSIS.stream(text))


@pytest.mark.parametrize(
    ("query", "document"),
    [
        ("laptops", "Laptop"), ("会议", "项目评审会议"), ("会", "会议"), ("印表機", "打印机"), ("C++", "c++ 教程"),
        ("gpt-4", "GPT 4"), ("POL-358", "pol-358"), ("café", "CAFE"), ("印刷機", "印刷机"), ("노트북", "게이밍노트북"),
        ("ＦＵＬＬ", "full"), ("youer", "修改youer服务端的计划"), ("😀", "so 😀"),
    ],
)  # fmt: skip
def test_what_finds_what(query: str, document: str) -> None:
    assert set(ANALYSIS.query_terms(query)) & set(ANALYSIS.document_terms(document)[0])


def test_stop_words_count_less_than_words() -> None:
    found = ANALYSIS.query_terms("why is my card blocked")
    assert found["card"] == 1.0
    assert 0 < found["is"] < 0.5


@pytest.mark.parametrize(
    ("query", "found", "alone"),
    [
        ("the shoes that are red", {"red", "shoes"}, "the"),
        ("红色的鞋子", {"red-zh"}, "的"),
        ("how to return", {"return"}, "how to"),
        ("怎么退货", {"return-zh"}, "怎么"),
    ],
)
async def test_a_stop_word_alone_makes_no_hit(backend: Qdrant, query: str, found: set[str], alone: str) -> None:
    texts = {
        "red": "red", "shoes": "the shoes", "the": "how to fill in the form that we are given", "return": "return it",
        "red-zh": "红色鞋子", "zh": "填写的单据怎么交", "return-zh": "退货",
    }  # fmt: skip
    await backend.upsert([Document(id=id, text=text) for id, text in texts.items()])
    for limit in (1, 10):
        answer = await backend.search(ask(query, limit=limit))
        assert set(answer.ids) <= found
        assert len(answer.ids) == min(limit, len(found))
        assert answer.total == len(found)
    assert (await backend.search(ask(alone))).ids, "nothing but stop words is looked for as it stands"


async def test_stop_words_still_put_in_order(backend: Qdrant) -> None:
    await backend.upsert([Document(id="a", text="card is blocked"), Document(id="b", text="why is my card blocked")])
    assert (await backend.search(ask("why is my card blocked"))).ids == ("b", "a")


def test_the_product_is_bm25() -> None:
    frequencies, length = bm25.weighted([("red shoes", 2.0), ("red leather", 1.0)], ANALYSIS)
    assert (frequencies, length) == ({"red": 3.0, "shoe": 2.0, "leather": 1.0}, 6.0)
    ids, values = bm25.document_vector(frequencies, length, 4.0)
    assert ids == sorted(ids)
    norm = 1.2 * (1 - 0.75 + 0.75 * 6 / 4)
    weight = dict(zip(ids, values, strict=True))[term_id("red")]
    assert weight == pytest.approx(3 * 2.2 / (3 + norm))


def test_terms_whose_numbers_collide_are_one_and_a_long_query_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bm25, "term_id", lambda term: len(term))
    assert bm25.query_vector({"a": 1.0, "b": 0.5, "cc": 1.0, "ddd": 1.0}, limit=2) == ([1, 2], [1.5, 1.0])
    ids, _ = bm25.document_vector({"a": 1.0, "b": 2.0}, 3.0, 3.0)
    assert ids == [1]


async def test_scores_are_bm25_over_the_whole_collection(backend: Qdrant) -> None:
    texts = ["red shoes", "red red bag", "blue coat with a long name"] * 12
    await backend.upsert([Document(id=str(i), text=text) for i, text in enumerate(texts)])
    found = await backend.search(ask("red"))
    average = sum(ANALYSIS.document_terms(text)[1] for text in texts) / len(texts)
    norm = 1.2 * (1 - 0.75 + 0.75 * 3 / average)
    idf = math.log((36 - 24 + 0.5) / 24.5 + 1)
    assert found.scores[0] == pytest.approx(idf * 2 * 2.2 / (2 + norm), rel=1e-4)
    assert {found.ids[i] for i in range(12)} == {str(i) for i in range(36) if i % 3 == 1}


async def test_vectors_are_made_anew_when_documents_get_longer(backend: Qdrant, services: TestServices) -> None:
    short = [Document(id=f"s{i}", text=f"red w{i}") for i in range(40)]
    long = [Document(id=f"l{i}", text="red " + "filling words " * 30) for i in range(60)]
    await backend.upsert(short)
    await backend.upsert(long)
    at_once = await opened(services, fields={"title": "title", "text": "text"})
    await at_once.prepare(fingerprint=None, dimensions=0)
    await at_once.upsert([*short, *long])
    found, wanted = [await made.search(ask("red")) for made in (backend, at_once)]
    assert dict(zip(found.ids, found.scores, strict=True)) == pytest.approx(
        dict(zip(wanted.ids, wanted.scores, strict=True)), rel=0.05
    )
    await at_once.aclose()


async def test_sites_file_types_and_alternatives(backend: Qdrant) -> None:
    await backend.upsert(
        [
            Document(id="a", text="manual", url="https://www.docs.example.org/Guide/print.PDF?x=1"),
            Document(id="b", text="manual", url="https://other.example.com/guide"),
            Document(id="c", text="manual", url="not a url"),
        ]
    )
    assert (await backend.search(ask("manual site:example.org"))).ids == ("a",)
    assert (await backend.search(ask("manual site:docs.example.org/guide"))).ids == ("a",)
    assert (await backend.search(ask("manual filetype:pdf"))).ids == ("a",)
    assert set((await backend.search(ask("manual -site:example.org"))).ids) == {"b", "c"}
    assert (await backend.search(SearchRequest(text="", expression=Site(host="example.com")))).ids == ("b",)
    both = Or(parts=(Site(host="example.com"), FileType(extension="pdf")))
    assert set((await backend.search(SearchRequest(text="", expression=both))).ids) == {"a", "b"}
    only = Not(expression=Terms(words=("manual",)))
    assert (await backend.search(SearchRequest(text="", expression=only))).ids == ()
    unsaid = await backend.search(ask("manual author:Smith"))
    assert unsaid.unexpressed == ("author:Smith",)


def test_the_names_of_a_page() -> None:
    assert sites("https://www.zhihu.com/question/1") == [
        "zhihu.com",
        "com",
        "zhihu.com/question",
        "zhihu.com/question/1",
    ]
    assert sites("http://[broken") == sites("mailto:x") == []
    assert file_type("https://e.org/a.TAR.gz#x") == "gz"
    assert point_id("a") != point_id("A")


async def test_a_folder_keeps_everything(services: TestServices) -> None:
    first = await opened(services, path="index", fields={"n": "metadata.n", "at": "metadata.at"})
    assert (services.folder / "index").is_dir()
    await first.prepare(fingerprint="e5", dimensions=2)
    await first.upsert([Document(id="a", title="kept", metadata={"n": 5, "at": "2024-01-01"}, vector=bytes(8))])
    await first.aclose()
    second = await opened(services, path="index", fields={"n": "metadata.n", "at": "metadata.at"})
    assert (await second.search(ask("kept"))).ids == ("a",)
    assert await second.stored_fingerprint() == "e5"
    assert "vector" in second.accepts
    assert {name: field.type for name, field in second.fields.items()} == {"n": "number", "at": "date"}
    assert (await second.health()).documents == 1
    await second.aclose()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # the library leaves its lock file open
async def test_a_folder_serves_one_at_a_time(services: TestServices) -> None:
    first = await opened(services, path="index")
    with pytest.raises(ProfileError, match="several need a server"):
        await opened(services, path="index")
    await first.aclose()


async def test_another_embedder_rebuilds_behind_the_alias(services: TestServices) -> None:
    made = await opened(services)
    await made.prepare(fingerprint=None, dimensions=0)
    documents = [Document(id=f"d{i}", title=f"word{i}", url="https://e.org", metadata={"n": i}) for i in range(300)]
    await made.upsert(documents)
    await made.prepare(fingerprint="one", dimensions=3)
    assert await made.stored_fingerprint() == "one"
    assert len(await made.ids()) == 300
    hit = (await made.search(ask("word299"))).hit(0)
    assert (hit.id, dict(hit.metadata), hit.url) == ("d299", {"n": 299}, "https://e.org")
    await made.prepare(fingerprint="one", dimensions=3)  # nothing changes
    await made.prepare(fingerprint=None, dimensions=0)  # words alone need no rebuilding
    assert await made.stored_fingerprint() == "one"
    names = await made._connection.call("get_collections", seconds=5)
    assert [item.name for item in names.collections] == ["docs__qx2"]
    await made.aclose()


async def theirs(made: Qdrant) -> None:
    await made._connection.call(
        "create_collection",
        collection_name="docs",
        vectors_config={"theirs": models.VectorParams(size=2, distance=models.Distance.DOT)},
        seconds=5,
    )
    point = models.PointStruct(id=7, vector={"theirs": [1, 0]}, payload={"title": "Red shoes", "sku": {"a": [1]}})
    await made._connection.call("upsert", collection_name="docs", points=[point], seconds=5)


async def test_a_foreign_collection_is_searched_as_it_is_and_never_written(services: TestServices) -> None:
    made = await opened(services, dense="theirs")
    await theirs(made)
    found = await made.search(ask("red boots"))
    assert found.ids == ("7",)
    hit = found.hit(0)
    assert (hit.title, dict(hit.metadata)) == ("Red shoes", {"title": "Red shoes", "sku": {"a": [1]}})
    assert (await made.search(ask("green"))).ids == ()
    by_meaning = replace(ask("x"), target="vector", vector=bytes.fromhex("0000803f00000000"))
    assert (await made.search(by_meaning)).ids == ("7",)
    assert not made.bm25
    assert await made.stored_fingerprint() is None
    for call in (
        made.prepare(fingerprint=None, dimensions=0),
        made.upsert([Document(id="a")]),
        made.delete(["7"]),
    ):
        with pytest.raises(NotAllowed, match="was not made by qx"):
            await call
    await made.aclose()


async def test_an_adopted_collection_keeps_its_points(services: TestServices) -> None:
    made = await opened(services)
    await theirs(made)
    await made.prepare(fingerprint="one", dimensions=4, adopt=True)
    await made.upsert([Document(id="a", title="red hat", vector=bytes(16))])
    assert sorted(await made.ids()) == ["7", "a"]
    assert (await made.search(ask("red"))).ids == ("a",)
    with pytest.raises(ProfileError, match="choose another `collection:`"):
        await made.prepare(fingerprint="two", dimensions=8)
    await made.aclose()


async def test_words_and_meaning_together(services: TestServices) -> None:
    made = await opened(services)
    embedder = FakeEmbedder(dimensions=16)
    await made.prepare(fingerprint=embedder.fingerprint, dimensions=16)
    texts = ("red shoes", "crimson footwear", "blue coat")
    vectors = embedder.vectors(texts)
    await made.upsert([Document(id=t, text=t, vector=v) for t, v in zip(texts, vectors, strict=True)])
    both = await made.search(ask("red", vector=vectors[1]))
    assert set(both.ids) == set(texts)
    assert both.ids[-1] == "blue coat"
    assert (await made.search(ask("red", vector=vectors[1], target="lexical"))).ids == ("red shoes",)
    without = await made.search(ask("red -coat", vector=vectors[1]))
    assert set(without.ids) == {"red shoes", "crimson footwear"}
    with pytest.raises(BadRequest, match="the collection's have 16"):
        await made.search(ask("red", vector=bytes(8)))
    report = await made.upsert([Document(id="x", vector=bytes(8)), Document(id="y", vector=b"\0\0\xc0\x7f" * 16)])
    assert [reason for _, reason in report.failed] == [
        "its vector has 2 numbers, the collection's have 16",
        "its vector has numbers that are not finite",
    ]
    await made.aclose()


async def test_types_are_read_from_the_data(backend: Qdrant) -> None:
    await backend.upsert(
        [Document(id="a", text="x", metadata={"n": 5}), Document(id="b", text="x", metadata={"n": 5.5})]
    )
    assert backend.fields["n"].type == "number"
    assert (await backend.search(ask("x n:..5"))).ids == ("a",)
    assert await backend.count(Compare(field="metadata.n", op="eq", value=5.0)) == 1


@pytest.mark.parametrize("text", ["n:many", "n:a..b", "n:.."])
async def test_what_a_field_cannot_hold_does_not_bring_everything_that_passes(backend: Qdrant, text: str) -> None:
    await backend.upsert([Document(id=f"d{i}", text="x", metadata={"n": i}) for i in range(3)])
    request = SearchRequest(text=text, expression=parse(text, fields=("n",)))
    everything = Compare(field="metadata.n", op="ge", value=0)
    assert (await backend.search(replace(request, filter=everything))).ids == ()


async def test_what_is_not_json_fails_alone(backend: Qdrant) -> None:
    bad = [Document(id="nan", metadata={"x": float("nan")}), Document(id="object", metadata={"x": object()})]
    report = await backend.upsert([*bad, Document(id="good", title="fine")])
    assert report.indexed == 1
    assert [id for id, _ in report.failed] == ["nan", "object"]


async def test_without_a_collection_it_says_what_to_do(services: TestServices) -> None:
    made = await opened(services)
    with pytest.raises(BadRequest, match=r"no collection 'docs'.*qx index"):
        await made.search(ask("x"))
    assert "qx index" in (await made.health()).detail
    assert isinstance(made, SupportsBatch)
    assert isinstance(made, SupportsVectors)
    await made.aclose()


@pytest.mark.parametrize(
    "wrong", [{}, {"url": "http://x", "path": "y"}, {"path": "x", "api_key": "k"}, {"path": "x", "colection": "y"}]
)
def test_settings_that_make_no_sense_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Settings.model_validate({"collection": "docs"} | wrong)


async def test_a_path_stays_where_the_profile_may_reach(services: TestServices, tmp_path: Path) -> None:
    with pytest.raises(NotAllowed):
        await opened(services, path="/etc/qdrant")


def test_it_is_found_by_its_name_and_importing_it_costs_nothing() -> None:
    assert Plugins.load(allow=["qx-query-qdrant"]).registry("backends").get("qdrant") is Qdrant
    code = "import sys, qx_qdrant; sys.exit(bool({'qdrant_client', 'numpy', 'grpc'} & set(sys.modules)))"
    subprocess.run([sys.executable, "-c", code], check=True)
