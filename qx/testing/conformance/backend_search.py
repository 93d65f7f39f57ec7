# ruff: noqa: S101 - tests, though they lie in the package
"""Searching: words, ids, paging, escaping, hits as they were stored."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
import pytest_asyncio

from qx.backend import Document, SearchBackend, SupportsFilter
from qx.errors import ProviderError, QxError
from qx.filters import Compare
from qx.syntax import And, Field, Not, Or, Phrase, Site, Terms, lexical
from qx.testing.conformance.backend_case import CORPUS, NASTY, STRANGE_IDS, BackendCase, ask, hits, ids

RICH = {
    "text": 'naïve 电脑 😀 " \\ \n',
    "number": 1.5,
    "whole": 7,
    "large": 2**53,
    "yes": True,
    "none": None,
    "list": [1, "two", None],
    "nested": {"deep": {"er": ["x"]}, "empty": {}},
    "dotted.key": "kept",
    "empty": [],
}


class BackendConformance(BackendCase):
    """What every backend must do.  Override ``broken`` too, with one whose engine cannot be reached."""

    @pytest_asyncio.fixture
    async def broken(self) -> AsyncIterator[SearchBackend]:
        pytest.skip("no fixture `broken`: a backend whose engine cannot be reached")
        yield  # pragma: no cover

    async def test_it_has_the_shape_of_the_contract(self, backend: SearchBackend) -> None:
        assert isinstance(backend, SearchBackend)
        assert inspect.iscoroutinefunction(type(backend).create), "a factory is needed: async classmethod create"  # type: ignore[attr-defined]
        assert type(backend).Settings.model_config.get("extra") == "forbid", "unknown settings must be errors"  # type: ignore[attr-defined]
        assert backend.name
        assert backend.endpoint
        assert backend.accepts <= {"any", "lexical", "vector", "web"}
        assert backend.accepts

    async def test_any_of_the_words_matches_and_more_words_come_first(self, filled: SearchBackend) -> None:
        found = await ids(filled, "red running shoes")
        assert found[0] == "red-1"
        assert {"red-1", "red-2", "blue-1", "white-1"} <= set(found)
        assert "lap-1" not in found

    async def test_case_and_width_do_not_count(self, filled: SearchBackend) -> None:
        assert "red-1" in await ids(filled, "ＲＥＤ")
        assert "lap-1" in await ids(filled, "gAMING")

    async def test_english_endings_do_not_count(self, filled: SearchBackend) -> None:
        if not self.stems:
            pytest.skip("the engine does not stem")
        assert "lap-2" in await ids(filled, "laptops")
        assert {"red-1", "white-1"} <= set(await ids(filled, "shoe"))

    async def test_documents_are_found_by_the_words_of_their_values(self, filled: SearchBackend) -> None:
        if not self.by_values:
            pytest.skip("the engine does not search the words of keyword fields")
        for text, found in (
            ("lenovo", {"lap-2"}),
            ("Printer", {"zh-2"}),
            ("小米", {"zh-1", "zh-3"}),
            ("惠普", {"zh-2"}),
            ("unheard x", {"id-2"}),
        ):
            assert set((await ids(filled, text))[: len(found)]) == found, text
        assert (await ids(filled, "laptop of lenovo"))[0] == "lap-2"
        assert "blue-1" not in await ids(filled, "2022-01-15T08:30:00+00:00")
        both = Phrase(text="running road")  # two values of one document are no phrase
        assert await ids(filled, both) == []

    async def test_short_chinese_words_are_found(self, filled: SearchBackend) -> None:
        assert (await ids(filled, "会议"))[0] == "zh-1"
        assert (await ids(filled, "打印机卡纸"))[0] == "zh-2"
        assert (await ids(filled, "蓝牙耳机"))[0] == "zh-3"

    async def test_latin_glued_to_chinese_is_found(self, filled: SearchBackend) -> None:
        assert (await ids(filled, "youer"))[0] == "zh-1"
        assert (await ids(filled, "youer服务端"))[0] == "zh-1"

    async def test_traditional_and_simplified_find_one_another(self, filled: SearchBackend) -> None:
        if not self.traditional:
            pytest.skip("the engine does not fold Traditional Chinese")
        assert (await ids(filled, "會議"))[0] == "zh-1"
        assert (await ids(filled, "印表機夾紙"))[0] == "zh-2"
        await self.fill(filled, [Document(id="tw-1", title="會議室預訂", text="請提前一天登記。")])
        assert (await ids(filled, "会议室预订"))[0] == "tw-1"
        assert (await ids(filled, "會議室預訂"))[0] == "tw-1"

    async def test_no_words_and_no_filter_find_nothing(self, filled: SearchBackend) -> None:
        for text in ("", Terms(words=()), And(parts=()), Or(parts=()), Terms(words=("",)), Phrase(text="")):
            response = await filled.search(ask(text))
            assert response.ids == (), f"{text!r} finds everything"
            assert not response.total

    async def test_exclusions_alone_and_no_filter_find_nothing(self, filled: SearchBackend) -> None:
        leather = Not(expression=Terms(words=("leather",)))
        for expression in (leather, And(parts=(leather, Not(expression=Phrase(text="running shoes"))))):
            response = await filled.search(ask(expression))
            assert response.ids == (), f"{expression!r} finds everything else"
            assert not response.total

    async def test_no_text_breaks_the_engines_grammar(self, filled: SearchBackend) -> None:
        for text in NASTY:
            for expression in (ask(text).expression, lexical(text), Phrase(text=text), Terms(words=(text,))):
                response = await filled.search(replace(ask(expression), text=text))
                assert len(response.ids) == len(response.scores) == len(set(response.ids))
                if not any(c.isalnum() for c in text) and text != "😀":
                    assert len(response.ids) < len(CORPUS), f"{text!r} finds everything"

    async def test_identifiers_are_found_literally(self, filled: SearchBackend) -> None:
        for text, id in (
            ("POL-358", "lap-2"),
            ("0x80070057", "lap-1"),
            ("3f2504e0-4f89-11d3-9a0c-0305e82c3301", "id-1"),
            ("cat-o'-nine-tails", "id-1"),
            ("@nasa", "id-2"),
        ):
            assert (await ids(filled, text))[:1] == [id], text

    async def test_documents_are_found_by_their_ids(self, backend: SearchBackend) -> None:
        if not self.by_id:
            pytest.skip("the engine does not look words up as ids")
        uuid = "9b2f1c5e-7a40-4c11-8d3e-2f6a90b1c7d4"
        others = [Document(id=f"kb-{n}", title=f"Policy number {n}", text="policy 999 and the rest") for n in range(3)]
        wanted = [
            Document(id=id, title="Delivery of parcels 包裹") for id in ("POL-999", uuid, "returns", "说明_7", "4711")
        ]
        await self.fill(backend, [*others, *wanted])
        for text, id in (
            ("POL-999", "POL-999"),
            ("pol-999", "POL-999"),
            ("where is policy POL-999", "POL-999"),
            ("POL-999是什么", "POL-999"),
            (uuid, uuid),
            (uuid.upper(), uuid),
            ("returns", "returns"),
            ("说明_7", "说明_7"),
            ("4711", "4711"),
        ):
            assert (await ids(backend, text))[:1] == [id], text
            page = await backend.search(ask(text, limit=1))
            assert page.ids == (id,), text
        for expression in (Phrase(text=uuid), Or(parts=(Terms(words=("parcels",)), Terms(words=(uuid,))))):
            assert (await ids(backend, expression))[:1] == [uuid], expression
        for limited in (
            Compare(field="title", op="eq", value="other"),
            Compare(field="metadata.brand", op="eq", value="x"),
        ):
            if isinstance(backend, SupportsFilter) and not backend.inexpressible(limited):
                assert "POL-999" not in (await backend.search(ask("POL-999", filter=limited))).ids, limited
        first = await backend.search(ask("POL-999 policy", limit=2))
        rest = await backend.search(ask("POL-999 policy", limit=10, offset=2))
        everything = await ids(backend, "POL-999 policy")
        assert [*first.ids, *rest.ids] == everything
        assert len(set(everything)) == len(everything)

    async def test_very_many_clauses_stay_under_the_engines_limit(self, filled: SearchBackend) -> None:
        many = tuple(
            Or(parts=(*(Terms(words=(f"w{i}x{j}",)) for j in range(20)), Terms(words=("red",)))) for i in range(300)
        )
        assert "red-1" in await ids(filled, Or(parts=many))
        found = await filled.search(ask(And(parts=many)))
        assert {"red-1", "red-2"} <= set(found.ids) or found.unexpressed, "words were left out, and nobody is told"
        assert set(found.ids) <= {"red-1", "red-2"} or found.unexpressed
        assert "red-1" in await ids(filled, Terms(words=("red", *(f"w{i}" for i in range(6000)))))

    async def test_phrases_fields_and_exclusions_are_compiled_or_reported(self, filled: SearchBackend) -> None:
        red = Terms(words=("red",))
        for expression, wanted, unwanted in (
            (Phrase(text="running shoes"), "red-1", "blue-1"),
            (And(parts=(red, Not(expression=Terms(words=("leather",))))), "red-1", "red-2"),
            (And(parts=(red, Terms(words=("running",)))), "red-1", "red-2"),
            (Or(parts=(Phrase(text="trail shoes"), Phrase(text="running jacket"))), "white-1", "red-1"),
            (Field(name="intitle", expression=Terms(words=("jacket",))), "blue-1", "red-1"),
            (And(parts=(red, Site(host="shop.example"))), "red-1", "blue-1"),
            (Phrase(text="评审会议"), "zh-1", "zh-2"),
        ):
            response = await filled.search(ask(expression))
            assert wanted in response.ids, expression
            assert response.unexpressed or unwanted not in response.ids, expression
        missing = await filled.search(ask(And(parts=(red, Site(host="other.example")))))
        assert missing.unexpressed or not missing.ids

    async def test_exclusions_alone_bring_nothing_that_is_excluded(self, filled: SearchBackend) -> None:
        response = await filled.search(ask(Not(expression=Terms(words=("red",)))))
        assert response.unexpressed or not {"red-1", "red-2"} & set(response.ids)

    async def test_pages_make_up_the_list(self, filled: SearchBackend) -> None:
        whole = await ids(filled, "red running shoes laptop jacket")
        pages = [await ids(filled, "red running shoes laptop jacket", limit=2, offset=at) for at in range(0, 8, 2)]
        assert [id for page in pages for id in page] == whole[:8]
        assert await ids(filled, "red", limit=10, offset=1000) == []

    async def test_pages_make_up_the_list_where_scores_are_equal(self, backend: SearchBackend) -> None:
        made = [Document(id=f"{n % 7}-{n:03}", title="same words", text="red" * (n % 50 == 0)) for n in range(260)]
        await self.fill(backend, made)
        whole = await ids(backend, "same red", limit=260)
        assert len(set(whole)) == len(whole)
        for size in (50, 100, 130):
            pages = [await ids(backend, "same red", limit=size, offset=at) for at in range(0, len(whole), size)]
            assert [id for page in pages for id in page] == whole
        for size in (1, 99, 101, 199):
            assert await ids(backend, "same red", limit=size) == whole[:size]

    async def test_scores_never_rise(self, filled: SearchBackend) -> None:
        scores = (await filled.search(ask("red running shoes"))).scores
        assert list(scores) == sorted(scores, reverse=True)

    async def test_the_total_counts_all_that_match(self, filled: SearchBackend) -> None:
        response = await filled.search(ask("red running shoes", limit=1))
        if response.total is None:
            pytest.skip("the engine does not count")
        assert response.total == len(await ids(filled, "red running shoes"))

    async def test_ids_may_have_any_characters(self, backend: SearchBackend) -> None:
        await self.fill(backend, [Document(id=id, title="same words", metadata={"n": 1}) for id in STRANGE_IDS])
        response = await backend.search(ask("same words"))
        assert sorted(response.ids) == sorted(STRANGE_IDS)
        assert [hit.id for hit in hits(response)] == list(response.ids)

    async def test_hits_are_as_they_were_stored(self, backend: SearchBackend) -> None:
        stored = Document(
            id="rich", title="Ünï 中文", text="one\ntwo  three", url="https://e.org/a?b=1#c", metadata=RICH
        )
        await self.fill(backend, [stored, Document(id="bare", text="one")])
        response = await backend.search(ask("one"))
        by_id = {hit.id: hit for hit in hits(response)}
        rich, bare = by_id["rich"], by_id["bare"]
        assert (rich.title, rich.text, rich.url) == (stored.title, stored.text, stored.url)
        assert dict(rich.metadata) == RICH
        assert type(rich.metadata["whole"]) is int
        assert (bare.title, bare.text, bare.url, dict(bare.metadata)) == ("", "one", None, {})
        assert {hit.backend for hit in by_id.values()} == {backend.name}
        if response.identities:
            assert dict(zip(response.ids, response.identities, strict=True)) == {"rich": stored.url, "bare": None}

    async def test_highlights_lie_within_their_text(self, filled: SearchBackend) -> None:
        for text in ("running shoes", "会议", "耳机 laptop"):
            for hit in hits(await filled.search(ask(text))):
                for highlight in hit.highlights:
                    assert all(0 <= start < end <= len(highlight.text) for start, end in highlight.spans)

    async def test_searches_run_at_once_and_a_cancelled_one_does_no_harm(self, filled: SearchBackend) -> None:
        wanted = await ids(filled, "red running shoes")
        cancelled = asyncio.ensure_future(filled.search(ask("red")))
        await asyncio.sleep(0)
        cancelled.cancel()
        with pytest.raises(asyncio.CancelledError):
            await cancelled
        found = await asyncio.gather(*(ids(filled, "red running shoes") for _ in range(8)))
        assert found == [wanted] * 8

    async def test_a_failure_is_an_error_that_names_the_backend_and_its_endpoint(self, broken: SearchBackend) -> None:
        with pytest.raises(ProviderError) as caught:
            await broken.search(ask("red"))
        assert broken.name in str(caught.value)
        assert broken.endpoint in str(caught.value)

    async def test_closing_twice_is_harmless_and_searching_afterwards_is_an_error(self, filled: SearchBackend) -> None:
        await filled.aclose()
        await filled.aclose()
        with pytest.raises(QxError):
            await filled.search(ask("red"))
