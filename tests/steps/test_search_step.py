"""The step ``search`` over scripted backends: words and vectors apart, conditions and added words grounded."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from backends import BRAND, PRICE, TEXT, Knowing, Near, docs, ids, searching
from engines import analysis, queries, stage
from qx import Query
from qx.backend import SearchRequest
from qx.errors import ProfileError, Unavailable
from qx.filters import Compare, Filter, leaves
from qx.syntax import negated, words
from qx.testing import Answer, ScriptedLLM
from qx.testing.backend import Listing, ScriptedBackend
from qx.testing.embedder import FakeEmbedder
from qx.types import Constraint, SearchResult

pytestmark = pytest.mark.virtual_time
EMBEDDER = {"provider": "fake", "dimensions": 8}
UNGROUNDED = {"strong": 1.0}


@pytest.fixture
def embedders(monkeypatch: pytest.MonkeyPatch) -> list[FakeEmbedder]:
    """The embedders that engines made; each takes a second."""
    made: list[FakeEmbedder] = []

    async def create(cls: type, settings: Any, services: Any, /) -> FakeEmbedder:
        made.append(FakeEmbedder(dimensions=settings.dimensions, delay=1.0))
        return made[-1]

    monkeypatch.setattr(FakeEmbedder, "create", classmethod(create))
    return made


def by_vector(backend: ScriptedBackend) -> list[SearchRequest]:
    return [request for request in backend.requests if request.target == "vector"]


async def test_vectors_are_made_in_one_call_beside_the_words(embedders: list[FakeEmbedder]):
    times: list[tuple[str, float]] = []

    def answer(request: SearchRequest) -> tuple[str, ...]:
        times.append((request.target, asyncio.get_running_loop().time()))
        return ("1",)

    llm = ScriptedLLM(
        lambda r: (
            analysis()
            if stage(r) == "understand"
            else queries("brake squeal noise", "bicycle brake squeals", strategy="senses")
        )
    )
    backend = Near(answer, fingerprint="fake-8")
    async with searching(backend, llm=llm, embedder=EMBEDDER, expand={"strategies": ["senses"]}) as opened:
        began = asyncio.get_running_loop().time()
        result = await opened.search(TEXT)
    assert {r.text for r in by_vector(backend)} == {q.text for q in result.expansion.queries}  # type: ignore[union-attr]
    assert all(r.vector is not None and len(r.vector) == 32 for r in by_vector(backend))
    assert [len(r.texts) for r in embedders[0].requests] == [1, 2]  # the raw query, then all others at once
    assert max(at for target, at in times if target != "vector") == pytest.approx(began)
    assert min(at for target, at in times if target == "vector") == pytest.approx(began + 1)
    assert {r.target for r in result.rankings} == {"lexical", "vector"}


async def test_a_slow_embedder_costs_the_lists_by_meaning_only(monkeypatch: pytest.MonkeyPatch):
    async def create(cls: type, settings: Any, services: Any, /) -> FakeEmbedder:
        return FakeEmbedder(dimensions=8, delay=60.0)

    monkeypatch.setattr(FakeEmbedder, "create", classmethod(create))
    backend = Near(default=["1"], fingerprint="fake-8")
    async with searching(backend, embedder=EMBEDDER, deadline=2.0) as opened:
        result = await opened.search(TEXT)
    assert ids(result) == ["1"]
    assert {r.status for r in result.rankings if r.target == "vector"} == {"timeout"}
    assert {r.status for r in result.rankings if r.target == "lexical"} == {"ok"}


async def test_a_pseudo_document_goes_by_its_vector(embedders: list[FakeEmbedder]):
    passage = "A squeaky bicycle brake is fixed by cleaning rim and pads."
    llm = ScriptedLLM(
        lambda r: (
            analysis() if stage(r) == "understand" else queries(passage, strategy="pseudo-document", target="vector")
        )
    )
    by_meaning = Near(
        lambda r: ["meant"] if r.target == "vector" and r.text == passage else ["1"], fingerprint="fake-8"
    )
    by_words = ScriptedBackend(default=["1"])
    only = {"strategies": ["pseudo-document"]}
    async with searching(by_meaning, by_words, llm=llm, embedder=EMBEDDER, expand=only) as opened:
        result = await opened.search(TEXT)
    asked = [r for r in result.rankings if r.query.text == passage]
    assert [q.target for q in result.expansion.queries[1:]] == ["vector"]  # type: ignore[union-attr]
    assert "meant" in ids(result)
    assert passage not in by_words.queries
    assert {(r.backend, r.status) for r in asked} == {("a", "ok"), ("b", "skipped")}


async def test_vectors_of_another_embedder_are_an_error_that_names_both(embedders: list[FakeEmbedder]):
    async with searching(Near(default=["1"], fingerprint="other-8"), embedder=EMBEDDER) as opened:
        with pytest.raises(ProfileError, match=r"'other-8'.*'fake-8'.*index again"):
            await opened.search(TEXT)
    assert embedders[0].requests == []


async def test_an_engine_without_vectors_is_searched_by_words_and_says_so(embedders: list[FakeEmbedder]):
    backend = Near(default=["1"], fingerprint=None)
    async with searching(backend, embedder=EMBEDDER) as opened:
        result = await opened.search(TEXT)
    assert ids(result) == ["1"]
    assert by_vector(backend) == []
    assert embedders[0].requests == []
    assert [(d.step, d.rung) for d in result.degraded] == [("search", "without vectors")]
    assert {r.reason for r in result.rankings if r.target == "vector"} == {
        "it holds no vectors that can be compared with the embedder's"
    }


async def test_an_engine_that_gets_vectors_after_it_was_opened_is_searched_by_them(embedders: list[FakeEmbedder]):
    backend = Near(default=["1"], fingerprint=None)
    async with searching(backend, embedder=EMBEDDER) as opened:
        await opened.search(TEXT, expand=False)
        backend.fingerprint = "fake-8"
        await asyncio.sleep(61)
        await opened.search(TEXT, expand=False)
    assert [r.text for r in by_vector(backend)] == [TEXT]


class Limited(ScriptedBackend):
    """Filters by everything but ``colour``."""

    def inexpressible(self, filter: Filter, /) -> tuple[Filter, ...]:
        return tuple(leaf for leaf in leaves(filter) if leaf.field == "metadata.colour")


COLOUR = {"colour": {"name": "metadata.colour", "type": "keyword"}}


async def test_an_inferred_condition_that_an_engine_has_no_words_for_stays_words():
    backend = Limited(default=docs("1", price=400))
    async with searching(backend, search={"fields": PRICE | COLOUR}) as opened:
        result = await opened.search("laptop under $500 not white")
    assert all({leaf.field for leaf in leaves(r.filter)} == {"metadata.price"} for r in backend.requests)
    sought = [word for request in backend.requests for word in words(request.expression)]
    assert "laptop" in sought
    assert "white" not in sought  # as a word it would find what is not wanted
    assert any("white" in negated(request.expression) for request in backend.requests)
    assert any("“not white” stays a word: a has no words for it" in note for note in result.notes)


async def test_an_amount_in_a_unit_that_cannot_be_converted_stays_words():
    backend = ScriptedBackend(default=docs("1", price=400))
    async with searching(backend, search={"fields": PRICE}) as opened:
        result = await opened.search("5000元以下的笔记本电脑")
    assert all(r.filter is None and "5000元以下" in r.text for r in backend.requests)
    assert any("“5000元以下” stays a word" in note and "USD" in note for note in result.notes)


async def test_a_callers_condition_that_an_engine_has_no_words_for_skips_it_with_the_reason():
    able, unable = ScriptedBackend(default=docs("1", colour="red")), Limited(default=docs("2", colour="red"))
    async with searching(able, unable, search={"fields": COLOUR}) as opened:
        result = await opened.search(Query(text=TEXT, filters=Compare(field="colour", op="eq", value="red")))
    assert ids(result) == ["1"]
    assert unable.requests == []
    skipped = {r.reason for r in result.rankings if r.backend == "b"}
    assert skipped == {"it cannot apply the caller's filter (metadata.colour: it has no words for it)"}


async def test_a_typed_range_that_is_no_field_stays_in_the_expression():
    backend = ScriptedBackend(default=["1"])
    async with searching(backend) as opened:
        await opened.search("bicycle brake after:2024")
    assert all(request.filter is None for request in backend.requests)
    assert all("Range(field='published'" in repr(request.expression) for request in backend.requests)


@pytest.mark.parametrize("text", ["gaming laptop price:..200", "想买一台轻薄的笔记本电脑 price:..200"])
async def test_a_typed_range_goes_with_every_sub_query_and_is_a_word_in_none(text: str):
    backend = ScriptedBackend(default=docs("1", price=100))
    async with searching(backend, search={"fields": PRICE, **UNGROUNDED}) as opened:
        await opened.search(text)
    assert len(backend.requests) > 3
    for request in backend.requests:
        assert [(leaf.field, leaf.origin) for leaf in leaves(request.filter)] == [("metadata.price", "typed")]
        assert "200" not in repr(request.expression)
        assert "price:" not in request.text or request.text == text


async def test_what_an_engine_cannot_express_is_told():
    class Plain(ScriptedBackend):
        def _response(self, listing: Listing, request: SearchRequest) -> Any:
            from dataclasses import replace

            return replace(super()._response(listing, request), unexpressed=("intitle:",))

    async with searching(Plain(default=["1"])) as opened:
        result = await opened.search("intitle:brake bicycle", expand=False)
    assert result.rankings[0].unexpressed == ("intitle:",)
    assert "a has no words for a part of the query: intitle:" in result.notes


def branded(value: str, text: str) -> ScriptedLLM:
    """A model that reads a brand out of the query."""
    limit = {"field": "brand", "op": "eq", "value": value, "text": text, "hard": True}
    return ScriptedLLM(
        lambda r: Answer(
            text=analysis(constraints=[limit]) if stage(r) == "understand" else queries("laptop computer"), delay=0.5
        )
    )


@pytest.mark.parametrize(
    ("said", "stored", "sent"),
    [
        ("hewlett packard", ("HP", "Dell"), "HP"),
        ("HP", ("Hewlett-Packard", "Dell"), "Hewlett-Packard"),
        ("ｈｐ", ("HP", "Dell"), "HP"),
        ("hp", ("HP", "hp", "Dell"), ("HP", "hp")),
        ("lenovoo", ("Lenovo", "Dell"), "Lenovo"),
        ("雲帆", ("云帆", "雷霆"), "云帆"),
    ],
)
async def test_a_value_is_sent_as_the_index_spells_it(said: str, stored: tuple[str, ...], sent: str | tuple[str, ...]):
    text = f"{said} laptop"
    backend = Knowing(default=docs("1", brand=stored[0]), stored={"metadata.brand": stored})
    async with searching(backend, llm=branded(said, said), search={"fields": BRAND, **UNGROUNDED}) as opened:
        result = await opened.search(text)
    last = backend.requests[-1]
    assert [leaf.value for leaf in leaves(last.filter)] == [sent]  # type: ignore[union-attr]
    assert ids(result) == ["1"]
    if said not in stored:
        assert any(f"“{said}” is" in note for note in result.notes)


async def test_a_value_that_no_document_has_is_no_filter_and_stays_a_word():
    backend = Knowing(default=docs("1", brand="HP"), stored={"metadata.brand": ("HP", "Dell")})
    llm = branded("Zorblax", "Zorblax")
    async with searching(backend, llm=llm, search={"fields": BRAND, **UNGROUNDED}) as opened:
        result = await opened.search("Zorblax laptop")
    final = [r for r in backend.requests if r.filter is None]
    assert len(final) > 3
    assert all("Zorblax" in r.text for r in final)
    assert "“Zorblax” stays a word: no document has it in brand" in result.notes
    assert ids(result) == ["1"]


async def test_an_open_field_is_believed_whatever_it_holds():
    stored = tuple(f"brand {n}" for n in range(1000))
    backend = Knowing(default=docs("1", brand="Zorblax"), stored={"metadata.brand": stored})
    llm = branded("Zorblax", "Zorblax")
    async with searching(backend, llm=llm, search={"fields": BRAND, **UNGROUNDED}) as opened:
        result = await opened.search("Zorblax laptop")
    assert ids(result) == ["1"]
    assert [leaf.value for leaf in leaves(backend.requests[-1].filter)] == ["Zorblax"]  # type: ignore[union-attr]


async def test_values_are_asked_for_once_and_never_before_the_raw_query():
    backend = Knowing(default=docs("1", brand="HP"), stored={"metadata.brand": ("HP",)}, slow=0.2)
    async with searching(backend, llm=branded("hp", "hp"), search={"fields": BRAND, **UNGROUNDED}) as opened:
        loop = asyncio.get_running_loop()
        began = loop.time()
        async for _ in opened.search_events("hp laptop"):
            assert loop.time() == pytest.approx(began)  # the raw query's hits wait for nobody
            break
        await opened.search("hp laptop")
        await opened.search("hp laptop")
    assert backend.listed.count("metadata.brand") <= 2


async def test_a_vocabulary_that_fails_is_only_a_degradation():
    backend = Knowing(
        default=docs("1", brand="hp"), stored={"metadata.brand": ("HP",)}, broken=Unavailable("no vocabulary today")
    )
    async with searching(backend, llm=branded("hp", "hp"), search={"fields": BRAND, **UNGROUNDED}) as opened:
        result = await opened.search("hp laptop")
        assert ids(result) == ["1"]
        assert ("search", "without grounding") in {(d.step, d.rung) for d in result.degraded}
        asked = len(backend.listed) + len(backend.counted)
        await opened.search("hp laptop")
    assert len(backend.listed) + len(backend.counted) == asked  # left alone for a while
    assert result.partial is False


async def test_a_callers_value_is_sent_as_it_was_given():
    backend = Knowing(default=docs("1", brand="HP"), stored={"metadata.brand": ("HP",)})
    async with searching(backend, search={"fields": BRAND}) as opened:
        await opened.search(Query(text=TEXT, filters=Compare(field="brand", op="eq", value="hp")))
    assert {leaf.value for r in backend.requests for leaf in leaves(r.filter)} == {"hp"}  # type: ignore[union-attr]


async def asked_with(*texts: str, held: dict[str, int], **options: Any) -> tuple[SearchResult, Knowing]:
    llm = ScriptedLLM(lambda r: analysis() if stage(r) == "understand" else queries(*texts, strategy="senses"))
    backend = Knowing(default=["1"], held=held, **options)
    async with searching(backend, llm=llm, search=UNGROUNDED, expand={"strategies": ["senses"]}) as opened:
        return await opened.search(TEXT), backend


async def test_a_sub_query_whose_added_words_no_document_holds_is_left_out():
    result, _ = await asked_with("squeaky bicycle brake zyzzyva", "squeaky bicycle brake oil", held={"oil": 3})
    by_text = {r.query.text: r for r in result.rankings}
    assert by_text["squeaky bicycle brake zyzzyva"].status == "skipped"
    assert by_text["squeaky bicycle brake zyzzyva"].reason == "no document holds zyzzyva"
    assert by_text["squeaky bicycle brake oil"].status == "ok"
    assert "squeaky bicycle brake zyzzyva" not in {c.query for c in result.hits[0].contributions}


async def test_a_sub_query_of_which_a_part_is_held_counts_less():
    result, _ = await asked_with("squeaky bicycle brake oil zyzzyva", held={"oil": 3})
    query = next(r.query for r in result.rankings if "zyzzyva" in r.query.text)
    whole = next(q for q in result.expansion.queries if "zyzzyva" in q.text)  # type: ignore[union-attr]
    assert query.weight == pytest.approx(whole.weight / 2)
    assert "no document holds zyzzyva" in query.why


async def test_a_slow_vocabulary_delays_nothing():
    loop = asyncio.get_running_loop()
    began = loop.time()
    result, _ = await asked_with("squeaky bicycle brake zyzzyva", held={}, slow=5.0)
    assert loop.time() - began < 1.0
    assert {r.status for r in result.rankings} == {"ok"}
    assert result.degraded == ()  # an engine that is slow to tell is no failure
    assert any("what the index holds" in note for note in result.notes)


async def test_only_the_original_shows_what_matched():
    backend = ScriptedBackend(default=["1"])
    async with searching(backend) as opened:
        await opened.search(TEXT)
    assert {r.highlights for r in backend.requests if r.text == TEXT} == {True}
    assert {r.highlights for r in backend.requests if r.text != TEXT} == {False}


def test_the_constraint_of_a_model_is_one_of_ours():
    assert Constraint(field="brand", op="eq", value="HP", text="hp").hard
