"""Entries of a cache: whole, of their type and version, or none at all."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from qx.builtin.memory_cache import MemoryCache
from qx.envelope import seal, unseal
from qx.serial import from_json, to_compact, to_json
from qx.types import Expansion, Understanding
from tests.engines import engine

TEXT = "5000元以下、轻薄、续航好的笔记本电脑"


@given(st.binary(max_size=60))
@settings(max_examples=60, deadline=None)
def test_what_was_sealed_comes_back(data: bytes):
    assert unseal("Expansion", seal("Expansion", data)) == data
    assert unseal("Understanding", seal("Expansion", data)) is None


@given(st.binary(max_size=80))
@settings(max_examples=60, deadline=None)
def test_anything_else_is_no_entry(entry: bytes):
    assert unseal("Expansion", entry) is None


def test_one_byte_more_less_or_other_is_no_entry():
    entry = seal("Understanding", to_json(Understanding(intent=("how-to",), language="zh")).encode())
    assert all(unseal("Understanding", entry[:i] + entry[i + 1 :]) is None for i in range(len(entry)))
    assert all(unseal("Understanding", entry[:i] + b"~" + entry[i + 1 :]) is None for i in range(len(entry)))
    assert unseal("Understanding", entry.replace(b'"v":1', b'"v":2')) is None


@pytest.mark.parametrize("text", ['{"unknown": 1}', '{"intent": [], "extra": {}}', "[]", "null", '{"intent": 3}'])
def test_json_with_unknown_keys_or_of_another_shape_is_refused(text: str):
    with pytest.raises(ValidationError):
        from_json(Understanding, text)


def test_unknown_keys_are_refused_at_any_depth():
    text = to_json(Expansion(original="a", queries=(), understanding=Understanding(language="en")))
    assert from_json(Expansion, text).original == "a"
    with pytest.raises(ValidationError):
        from_json(Expansion, text.replace('"language"', '"tongue"'))


def test_a_value_of_nothing_but_defaults_can_be_kept():
    empty = Understanding(language="en")
    assert from_json(Understanding, to_compact(empty)) == empty


@pytest.mark.parametrize("spoilt", [b"{}", b"", b"\xff", b'{"v":1,"type":"Expansion","sum":0,"value":{}}', b"whole"])
async def test_an_entry_that_is_not_whole_is_made_again(spoilt: bytes, caplog: pytest.LogCaptureFixture):
    async with engine() as opened:
        first = await opened.expand(TEXT)
        cache = opened.cache
        assert isinstance(cache, MemoryCache)
        keys = list(cache._entries)
        assert keys
        for key in keys:
            kept = await cache.get(key)
            assert kept is not None
            await cache.set(key, kept[:-9] if spoilt == b"whole" else spoilt, ttl=60)
        again = await opened.expand(TEXT)
    assert (again.queries, again.understanding) == (first.queries, first.understanding)
    assert again.usage.cached == 0
    assert any("is not valid and is made again" in record.message for record in caplog.records)
