"""Documents that are called by their names: ids, and codes in keyword fields."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from hypothesis import given, settings
from hypothesis import strategies as st

from qx.backend import Document
from qx.builtin.local import marker as markers
from qx.builtin.local.backend import LocalBackend
from qx.filters import Compare
from qx.filters.fieldmap import lower
from qx.serial import replace
from qx.syntax import Not, Phrase, Terms, parse
from qx.testing import TestServices
from qx.testing.conformance.backend import ask, ids
from qx.text.naming import names

FIELDS = {
    "title": "title^3",
    "text": "text",
    "sku": {"name": "metadata.sku", "type": "keyword"},
    "isbn": {"name": "metadata.isbn", "type": "keyword"},
    "brand": {"name": "metadata.brand", "type": "keyword"},
    "memory": {"name": "metadata.memory", "type": "keyword"},
}
PRODUCTS = tuple(
    Document(
        id=f"SKU-{1000 + n}",
        title=("手机 phone" if n % 2 else "笔记本电脑 laptop") + (" SKU-1005 Zubehör" if n == 9 else ""),
        text="Price and delivery. 价格",
        metadata={"sku": f"AB-{1000 + n}", "brand": "Apple", "memory": "16GB", "isbn": f"978-7-111-5474{n % 10}-6"},
    )
    for n in range(1, 13)
)
DOCUMENTS = (
    *PRODUCTS,
    Document(id="15", title="A number"),
    Document(id="docs/searching.md", title="Pages"),
    Document(id="文档甲", title="Another"),
)


async def opened(services: TestServices, path: str, **more: object) -> LocalBackend:
    described = {"name": "named", "path": path, "fields": {**FIELDS, **more}}
    made = await LocalBackend.create(LocalBackend.Settings.model_validate(described), services)
    await made.prepare(fingerprint=None, dimensions=0)
    await made.upsert(DOCUMENTS)
    return made


@pytest_asyncio.fixture
async def backend(services: TestServices) -> AsyncIterator[LocalBackend]:
    made = await opened(services, "index")
    yield made
    await made.aclose()


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("SKU-1005", "SKU-1005"),
        ("sku-1005", "SKU-1005"),
        ("ＳＫＵ－1005", "SKU-1005"),
        ("SKU-1005的价格", "SKU-1005"),
        ("price of SKU-1005?", "SKU-1005"),
        ('"SKU-1005"', "SKU-1005"),
        ("AB-1005", "SKU-1005"),
        ("ab-1005 手机", "SKU-1005"),
        ("978-7-111-54745-6", "SKU-1005"),
        ("15", "15"),
        ("docs/searching.md", "docs/searching.md"),
        ("what says docs/searching.md", "docs/searching.md"),
        ("文档甲", "文档甲"),
    ],
)
async def test_what_is_called_so_comes_first(backend: LocalBackend, text: str, wanted: str) -> None:
    assert (await ids(backend, text))[:1] == [wanted]


async def test_a_name_alone_brings_nothing_that_has_some_of_its_parts(backend: LocalBackend) -> None:
    assert await ids(backend, "AB-1005") == ["SKU-1005"]
    assert await ids(backend, "SKU-1005") == ["SKU-1005", "SKU-1009"]  # which names it
    assert await ids(backend, "SKU-1099") == ["SKU-1009"]  # no such document: the nearest that there is


async def test_numbers_and_brands_among_words_are_words(backend: LocalBackend) -> None:
    assert "15" not in await ids(backend, "phone 15 price")
    assert len(await ids(backend, "Apple")) == 12  # its makers are words of its documents
    first = await ids(backend, "16GB laptop", limit=6)
    assert all(int(id.removeprefix("SKU-")) % 2 == 0 for id in first)


async def test_exclusions_mean_the_document_with_this_id_too(backend: LocalBackend) -> None:
    for named in (Terms(words=("SKU-1001",)), Phrase(text="SKU-1001")):
        apple = Compare(field="metadata.brand", op="eq", value="Apple")
        answer = await backend.search(ask(Not(expression=named), filter=apple))
        assert "SKU-1001" not in answer.ids
        assert "SKU-1003" in answer.ids


async def test_id_is_a_canonical_field(backend: LocalBackend) -> None:
    for op, value, number in (
        ("eq", "SKU-1005", 1),
        ("in", ("SKU-1005", "15", "no"), 2),
        ("ne", "15", len(DOCUMENTS) - 1),
    ):
        lowered = lower(Compare(field="id", op=op, value=value), backend.fields)  # type: ignore[arg-type]
        assert await backend.count(lowered.filter) == number, op


async def test_a_field_before_a_colon_may_be_the_id(backend: LocalBackend) -> None:
    for text in ("id:SKU-1005", "id:sku-1005", 'id:"SKU-1005"'):
        answer = await backend.search(ask(parse(text, fields=("id",))))
        assert (list(answer.ids), answer.unexpressed) == (["SKU-1005"], ())
    assert not (await backend.search(ask(parse("id:SKU", fields=("id",))))).ids


async def test_an_id_as_a_text_field_is_searched(services: TestServices) -> None:
    made = await opened(
        services,
        "texts",
        number={"name": "id", "type": "text", "boost": 9},
        code={"name": "metadata.sku", "type": "text"},
    )
    try:
        assert (await ids(made, "SKU 1005"))[:1] == ["SKU-1005"]
        assert await ids(made, "AB-1005") == ["SKU-1005"]
        assert len(await ids(made, "AB-1099")) > 1  # there is none: its parts count
    finally:
        await made.aclose()


@settings(max_examples=100, deadline=None)
@given(st.lists(st.text(max_size=30), max_size=4))
def test_any_text_is_looked_at(words: list[str]) -> None:
    found = names(words)
    assert len(found.codes) <= 8
    assert all(found.codes)


async def test_a_field_that_became_text_after_indexing_is_told(
    services: TestServices, caplog: pytest.LogCaptureFixture
) -> None:
    await (await opened(services, "index")).aclose()
    assert "is of type text" not in caplog.text
    described = {
        "name": "later",
        "path": "index",
        "fields": {**FIELDS, "sku": {"name": "metadata.sku", "type": "text"}},
    }
    made = await LocalBackend.create(LocalBackend.Settings.model_validate(described), services)
    await made.aclose()
    assert "metadata.sku is of type text, but the index was made without it" in caplog.text


async def told_of(services: TestServices, caplog: pytest.LogCaptureFixture, fields: object) -> str:
    """What is told when the folder is opened once more, and all is indexed again into it."""
    described = {"name": "later", "path": "index", "fields": fields}
    for _ in range(2):
        caplog.clear()
        made = await LocalBackend.create(LocalBackend.Settings.model_validate(described), services)
        await made.prepare(fingerprint=None, dimensions=0)
        await made.upsert(DOCUMENTS)
        await made.aclose()
    return caplog.text


async def test_an_index_of_before_there_were_words_of_values_wants_another_folder(
    services: TestServices, caplog: pytest.LogCaptureFixture
) -> None:
    await (await opened(services, "index")).aclose()
    folder = services.folder / "index"
    found = markers.read(folder)
    assert found is not None
    markers.write(folder, replace(found, worded=None))
    told = await told_of(services, caplog, FIELDS)
    assert "metadata.brand has words that are not searched" in told
    assert "into an empty folder" in told


async def test_words_of_a_keyword_field_that_was_declared_later_come_with_the_documents(
    services: TestServices, caplog: pytest.LogCaptureFixture
) -> None:
    fields = {name: field for name, field in FIELDS.items() if name != "brand"}
    described = {"name": "before", "path": "index", "fields": fields}
    made = await LocalBackend.create(LocalBackend.Settings.model_validate(described), services)
    await made.prepare(fingerprint=None, dimensions=0)
    await made.upsert(DOCUMENTS)
    await made.aclose()
    again = await LocalBackend.create(LocalBackend.Settings.model_validate({**described, "fields": FIELDS}), services)
    await again.aclose()
    assert "metadata.brand has words that are not searched" in caplog.text
    assert "index all documents again" in caplog.text
    assert "has words" not in await told_of(services, caplog, FIELDS)


async def test_one_document_does_not_make_the_words_of_a_new_field_searched_in_the_others(
    services: TestServices, caplog: pytest.LogCaptureFixture
) -> None:
    fields = {name: field for name, field in FIELDS.items() if name != "brand"}
    described = {"name": "before", "path": "index", "fields": fields}
    made = await LocalBackend.create(LocalBackend.Settings.model_validate(described), services)
    await made.prepare(fingerprint=None, dimensions=0)
    await made.upsert(DOCUMENTS)
    await made.aclose()
    described["fields"] = FIELDS
    for documents, behind in (([Document(id="new", metadata={"brand": "Castor"})], True), (DOCUMENTS, False)):
        again = await LocalBackend.create(LocalBackend.Settings.model_validate(described), services)
        await again.prepare(fingerprint=None, dimensions=0)
        await again.upsert(documents)
        told = (await again.health()).detail
        assert ("metadata.brand has words that are not searched" in told) is behind
        await again.aclose()
        caplog.clear()
        await (await LocalBackend.create(LocalBackend.Settings.model_validate(described), services)).aclose()
        assert ("index all documents again" in caplog.text) is behind
