"""Conditions that no engine has a field for, and wishes that order nothing: said once each."""

from __future__ import annotations

import pytest

from backends import searching
from qx.filters.fieldmap import FieldMap, StoredField
from qx.testing.backend import ScriptedBackend
from qx.types import SortBy

pytestmark = pytest.mark.virtual_time
FIELDS = {"price": StoredField(name="p", type="number"), "brand": StoredField(name="b", type="keyword")}


async def notes(text: str, fields: FieldMap, **options: object) -> tuple[list[str], tuple[str, ...]]:
    backend = ScriptedBackend(default=["1"], fields=fields)
    async with searching(backend, expand={"strategies": []}) as opened:
        result = await opened.search(text, **options)  # type: ignore[arg-type]
    first = next(r for r in result.rankings if r.query.strategy == "original")
    return [note for note in result.notes if "stays a word" in note or "orders nothing" in note], first.unlowered


@pytest.mark.parametrize(
    ("text", "said", "field"),
    [
        ("2025年以后发布的手机", "2025年以后发布", "published"),
        ("phones released since 2024", "since 2024", "published"),
        ("laptop with at least 16GB of memory", "at least 16GB", "memory"),
        ("16GB内存的笔记本电脑", "16GB", "memory"),
        ("12月5日之前的课程", "12月5日", "date"),
        ("lessons after 3 March 2027", "afte", "date"),
    ],
)
async def test_a_limit_that_no_engine_has_a_field_for(text: str, said: str, field: str) -> None:
    told, unlowered = await notes(text, FIELDS)
    assert len(told) == 1
    assert said[:4] in told[0]
    assert told[0].endswith(f"stays a word: no engine has a field '{field}'")
    assert unlowered == (f"{field}: no field '{field}'",)


@pytest.mark.parametrize(
    "text", ["white phone", "红色手机", "HP laptop", "手机 推荐", "phone under 500", "上周三的会议记录"]
)
async def test_what_words_can_say_is_not_told(text: str) -> None:
    assert await notes(text, FIELDS) == ([], ())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("最便宜的手机", "“便宜” orders nothing: sort by price for the lowest first"),
        ("cheapest phone", "“cheapest” orders nothing: sort by price for the lowest first"),
        ("high-end phone", "“high-end” orders nothing: sort by -price for the highest first"),
    ],
)
async def test_a_wish_for_the_least_of_a_number(text: str, said: str) -> None:
    assert (await notes(text, FIELDS))[0] == [said]
    assert (await notes(text, {"brand": FIELDS["brand"]}))[0] == []
    assert (await notes(text, FIELDS, sort=[SortBy(field="price")]))[0] == []
