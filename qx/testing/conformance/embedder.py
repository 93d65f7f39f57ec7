# ruff: noqa: S101 - tests, though they lie in the package
"""The contract of an embedder, as tests."""

from __future__ import annotations

import math

import pytest

from qx.embedder import Embedder, EmbedRequest


class EmbedderConformance:
    """Subclass it, and override the fixture ``embedder``.  Needs ``asyncio_mode = "auto"``."""

    @pytest.fixture
    def embedder(self) -> Embedder:
        raise NotImplementedError("override the fixture `embedder`")

    async def test_it_has_the_shape_of_the_contract(self, embedder: Embedder) -> None:
        assert isinstance(embedder, Embedder)
        assert embedder.fingerprint

    async def test_one_vector_for_each_text_in_order(self, embedder: Embedder) -> None:
        texts = ("red shoes", "机械键盘 静音", "red shoes")
        found = await embedder.embed(EmbedRequest(texts=texts, kind="document"))
        assert len(found.vectors) == len(texts)
        assert found.vectors[0] == found.vectors[2]
        assert found.vectors[0] != found.vectors[1]
        assert found.usage.calls >= 1

    async def test_vectors_are_float32_of_the_dimensions_it_tells(self, embedder: Embedder) -> None:
        found = await embedder.embed(EmbedRequest(texts=("one", "two"), kind="query"))
        assert embedder.dimensions > 0
        for vector in found.vectors:
            assert len(vector) == 4 * embedder.dimensions
            assert all(map(math.isfinite, memoryview(vector).cast("f")))

    async def test_the_fingerprint_does_not_change(self, embedder: Embedder) -> None:
        before = embedder.fingerprint
        await embedder.embed(EmbedRequest(texts=("one",)))
        assert embedder.fingerprint == before

    async def test_no_texts_no_vectors(self, embedder: Embedder) -> None:
        assert (await embedder.embed(EmbedRequest(texts=()))).vectors == ()

    async def test_closing_twice_is_harmless(self, embedder: Embedder) -> None:
        await embedder.aclose()
        await embedder.aclose()
