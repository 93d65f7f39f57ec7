"""A keyword field that a profile declares when documents are indexed already, for the tests of every engine."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import qx.testing.plugin
from engines import PLUGINS
from qx import Engine, Profile
from qx.backend import Document, SupportsHealth, SupportsIndexing
from qx.plugins import Plugins

BEFORE = {"title": "title", "text": "text", "shelf": {"name": "metadata.shelf", "type": "keyword"}}
TYPED = BEFORE | {"author": {"name": "metadata.author", "type": "keyword"}}
UNTYPED = BEFORE | {"author": "metadata.author"}
BOOKS = (
    Document(id="hand", title="The Left Hand", text="Winter.", metadata={"author": "Ursula Quill", "shelf": "A"}),
    Document(id="三体", title="三体", text="地球往事。", metadata={"author": "刘慈欣", "shelf": "乙"}),
    Document(id="none", title="Anonymous", text="Nobody knows.", metadata={"shelf": "A"}),
)
NEW = Document(id="new", title="New", text="Just in.", metadata={"author": "Andy Weir"})


class DeclaredLaterSuite:
    """The same for any engine: override ``place``.

    Attributes:
        heals: Whether indexing one document makes the words of all searched; else all have to be indexed again.
    """

    heals = True

    @pytest.fixture
    def place(self) -> Mapping[str, Any]:
        raise NotImplementedError

    @pytest.mark.parametrize("fields", [TYPED, UNTYPED], ids=["typed", "untyped"])
    async def test_it_is_told_until_its_words_are_searched(
        self,
        fields: Mapping[str, Any],
        place: Mapping[str, Any],
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        monkeypatch.chdir(tmp_path)
        assert "author" not in (await _indexed(place, BEFORE, BOOKS))[0]
        assert "metadata.author has words that are not searched" in (await _indexed(place, fields, ()))[0]
        assert "metadata.author has words that are not searched" in caplog.text
        assert "qx index" in caplog.text or "index all documents again" in caplog.text
        assert "shelf has words" not in caplog.text
        await _indexed(place, fields, [NEW])
        told, found = await _indexed(place, fields, ())
        assert ("has words that are not searched" in told) is not self.heals
        assert found == ({"hand", "三体", "new"} if self.heals else {"new"})
        caplog.clear()
        await _indexed(place, fields, (*BOOKS, NEW))
        caplog.clear()
        told, found = await _indexed(place, fields, ())
        assert "has words that are not searched" not in told + caplog.text
        assert found == {"hand", "三体", "new"}


async def _indexed(place: Mapping[str, Any], fields: Mapping[str, Any], documents: Any) -> tuple[str, set[str]]:
    """Open, index what there is to index; return what a look at the engine says, and what the authors find."""
    profile = Profile.model_validate(
        {"tenant": "later", "search": {"backends": {"own": {**place, "fields": fields}}, "rerank": "never"}}
    )
    plugins = (
        PLUGINS if place["type"] == "local" else Plugins.load(allow=[str(place["type"])], modules=[qx.testing.plugin])
    )
    async with Engine.opened(profile, plugins=plugins) as engine:
        backend = engine.backend()
        assert isinstance(backend, SupportsIndexing)
        assert isinstance(backend, SupportsHealth)
        if documents:
            await backend.prepare(fingerprint=None, dimensions=0)
            await backend.upsert(documents)
        detail = (await backend.health()).detail
        found = [await engine.search(text, expand=False) for text in ("Ursula Quill", "刘慈欣", "Andy Weir")]
        return detail, {hit.id for result in found for hit in result.hits}
