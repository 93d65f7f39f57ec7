"""What the suites of a search backend share: a small corpus in two languages, its fields, and ways to ask."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any, cast

import pytest
import pytest_asyncio

from qx.backend import Document, SearchBackend, SearchRequest, SearchResponse, SupportsIndexing, read_fields
from qx.filters import Filter
from qx.filters.fieldmap import FieldMap, StoredField, lower
from qx.syntax import Expression, Terms, parse
from qx.types import Hit

SHORT_FIELDS: Mapping[str, object] = {
    "title": "title^2",
    "text": "text",
    "url": "url",
    "brand": {"name": "metadata.brand", "type": "keyword"},
    "tags": {"name": "metadata.tags", "type": "keyword"},
    "price": {"name": "metadata.price", "type": "number"},
    "rating": {"name": "metadata.rating", "type": "number"},
    "released": {"name": "metadata.released", "type": "date"},
    "used": {"name": "metadata.used", "type": "bool"},
}
"""The field map of the corpus, as a profile writes it: give it to the backend under test (other stored names will do)."""

FIELDS: FieldMap = {
    name: StoredField.model_validate(item) for name, item in cast("dict[str, Any]", read_fields(SHORT_FIELDS)).items()
}
"""The same, read."""


def _made(id: str, title: str, text: str, **metadata: object) -> Document:
    return Document(id=id, title=title, text=text, url=f"https://shop.example/{id}", metadata=metadata)


CORPUS: tuple[Document, ...] = (
    _made("red-1", "Red running shoes", "Light shoes for the road.", brand="Asics", price=129.5, rating=4.5,
          released="2023-05-01", used=False, tags=["running", "road"]),
    _made("red-2", "Red leather handbag", "A bag for every day.", brand="Ｇucci", price=990, rating=3,
          released="2021-11-30", used=True, tags=["bag"]),
    _made("blue-1", "Blue running jacket", "Keeps wind and rain out.", brand="asics", price=80, rating=4,
          released="2022-01-15T08:30:00+00:00", used=False, tags=["running", "rain"]),
    _made("white-1", "White trail shoes", "Grip on wet stones.", brand="HP", price=129, rating=None, tags=[]),
    _made("lap-1", "Gaming laptop 16GB", "Fast graphics, error 0x80070057 solved.", brand="HP", price=1499.99,
          rating=4.9, released="2024-02-29", used=False, tags=["gaming", "laptop"]),
    _made("lap-2", "Office laptop 8GB", "Quiet keyboard, policy POL-358 applies.", brand="Lenovo", price=499,
          released="2020-12-31", used=True, tags=["laptop"]),
    _made("zh-1", "明天下午三点开项目评审会议", "请带上修改youer服务端的计划。", brand="小米", price=0, rating=5,
          used=True, tags=["会议", "计划"]),
    _made("zh-2", "打印机卡纸怎么处理", "打开后盖，取出纸张，重新开机。", brand="惠普", price=-5, rating=2.5,
          released="2023-05-31", tags="printer"),
    _made("zh-3", "降噪耳机", "蓝牙耳机，续航三十小时。", brand="小米", price=599, rating=4.4, released="2023-06-01",
          used=False),
    _made("id-1", "Ticket 3f2504e0-4f89-11d3-9a0c-0305e82c3301", "A cat-o'-nine-tails hangs on the wall.", brand="a\"b\\c"),
    _made("id-2", "Monitor 27\" to 30'", "Prices rose by 50% says @nasa.", brand="AND", price=300, tags=["x y", "OR"]),
    Document(id="bare"),
)  # fmt: skip
"""Twelve documents; each field is absent, null, empty or a list somewhere."""

NASTY: tuple[str, ...] = (
    "what's the meaning of life", "NSUN/NSUN", "a)*", "blah }", "~!@#{$%^&*()_+}", "27\" to 30'", "(^hello)", ".", '"',
    "(", "*", "AND", "OR NOT", "NOT", "a:b", "title:", "50%", "@nasa", "POL-358", "3f2504e0-4f89-11d3-9a0c-0305e82c3301",
    "😀", "hel`lo", "怎么", "你是谁", "cat-o'-nine-tails", "[a TO b]", "a && b || !c", "-", "--", "- x", '"unclosed',
    "\\", "\\\"", "a\\", "/re.*x/", "fuzzy~2", "boost^9", "wild*card?", "{!lucene}", "<script>", "\u0000", "\ud800x",
    "a\u200bb", "ＦＵＬＬ　ｗｉｄｔｈ", "x" * 500, "word " * 2000, "会" * 3000, " \t\n", "é\u0301", "price:..10 *", "site:",
)  # fmt: skip
"""Texts that broke search engines' parsers, theirs or ours."""

STRANGE_IDS: tuple[str, ...] = (
    "0", "-1", "a b", "a/b", "a#b?c=d&e", "100%", "ä ö", "中文", "😀", "'; DROP TABLE x; --", 'q"uo\\te', "_under", ".",
    "..", "*", "a:b", "A", "x" * 400, "{json: 1}", "new\nline", "ＦＵＬＬ",
)  # fmt: skip
"""Ids that engines with narrow ids must map, and bring back as they were (``a`` and ``A`` are two)."""


def record(document: Document) -> Mapping[str, object]:
    """Return a document as ``qx.filters.matching.evaluate`` reads it, with the stored names of ``FIELDS``."""
    found = {"id": document.id, "title": document.title, "text": document.text, "url": document.url}
    return {**found, "metadata": document.metadata}


def ask(text: str | Expression, **wanted: Any) -> SearchRequest:
    """Return a request for words or an expression; further arguments are fields of ``SearchRequest``."""
    if isinstance(text, str):
        return SearchRequest(text=text, expression=parse(text) if text else Terms(words=()), **wanted)
    return SearchRequest(text="", expression=text, **wanted)


class BackendCase:
    """The root of the suites.  Override ``backend`` and, where the engine needs it, the attributes and methods.

    Attributes:
        fingerprint, dimensions: What the index of ``backend`` is to be prepared with.
        stems: Whether English endings do not count (shoe, shoes).
        traditional: Whether Traditional and Simplified Chinese find one another.
        partial_dates: Whether a stored `2021` or `2021-05` has its place among dates.
        by_id: Whether a query that is, or holds, the id of a document finds it (``qx.text.naming``).
        by_values: Whether the words of declared keyword fields are searched (``qx.filters.worded``).
    """

    fingerprint: str | None = None
    dimensions: int = 0
    stems = True
    traditional = False
    partial_dates = True
    by_id = False
    by_values = False

    @pytest_asyncio.fixture
    async def backend(self) -> AsyncIterator[SearchBackend]:
        """A backend with the fields of ``SHORT_FIELDS``, prepared, empty, ready to be written; closed afterwards."""
        raise NotImplementedError("override the async fixture `backend`")
        yield  # pragma: no cover

    async def fill(self, backend: SearchBackend, documents: Sequence[Document]) -> None:
        """Put documents into the index; override it for an engine that cannot be written through qx."""
        if not isinstance(backend, SupportsIndexing):
            pytest.skip("it cannot be written: override `fill`")
        report = await backend.upsert(documents)
        if report.failed or report.indexed != len({d.id for d in documents}):
            pytest.fail(f"the corpus was not indexed: {report}")

    @pytest_asyncio.fixture
    async def filled(self, backend: SearchBackend) -> SearchBackend:
        """The backend with the corpus in it."""
        await self.fill(backend, CORPUS)
        return backend

    def lowered(self, backend: SearchBackend, tree: Filter) -> Filter | None:
        """Return a filter in canonical names as the core lowers it for ``backend``."""
        found = lower(tree, backend.fields)
        if found.unlowered:
            pytest.fail(f"the backend's field map cannot carry {found.unlowered}: give it the corpus' fields")
        return found.filter


async def ids(backend: SearchBackend, text: str | Expression, **wanted: Any) -> list[str]:
    """Return the ids that a request finds, in order."""
    return list((await backend.search(ask(text, **wanted))).ids)


def hits(response: SearchResponse) -> list[Hit]:
    """Return all hits of a response."""
    return [response.hit(i) for i in range(len(response.ids))]
