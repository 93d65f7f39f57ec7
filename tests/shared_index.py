"""Two tenants in one index, told apart by a filter of the caller's: what one holds is nothing to the other."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

import qx.testing.plugin
from engines import PLUGINS
from qx import Engine, Profile, Query
from qx.backend import Document, SupportsIndexing
from qx.filters import Compare
from qx.plugins import Plugins

KEYWORDS = ("owner", "brand", "author", "department")
FIELDS = {
    "title": "title^2",
    "text": "text",
    **{name: {"name": f"metadata.{name}", "type": "keyword"} for name in KEYWORDS},
}
OURS = (
    ("a1", "Desk lamp", "A lamp with a dimmer.", {"brand": "Belka", "author": "Ann Price"}),
    ("a2", "台灯", "书桌用的灯，可调光。", {"brand": "北斗", "department": "销售"}),
    ("a3", "Floor lamp", "A tall lamp, red team edition.", {"brand": "Castor", "author": "Larry Niven"}),
    ("a4", "Laptop stand", "Made of oak.", {"brand": "Castor", "department": "Sales"}),
)
THEIRS = (
    ("g1", "Quorvex lamp", "Prototype of the Quorvex.", {"brand": "Zorbex", "author": "Maud Quill"}),
    ("g2", "绝密灯", "并购计划的文件，玄武项目。", {"brand": "玄武", "department": "并购"}),
    ("g3", "Lamp of the merger", "Nobody may know of the dimmar.", {"brand": "Zorbex", "department": "Mergers"}),
    ("g4", "Laptop stands", "A sales department note, by Ann Price.", {"brand": "belka", "author": "price, ann"}),
)
ASKED = (
    "zorbex lamp",
    "zorbexx lamp",
    "玄武的台灯",
    "lamps by Maud Quill",
    "lamps not by Maud Quill",
    "mergers department",
    "并购部门的文件",
    "lamp quorvx",
    "lamp with a dimmr",
    "belka lamp",
    "lamps by Ann Price",
    "sales department",
    "北斗的台灯",
    "lamp",
)
"""What the one asks: of the other's, of its own, of what both have in another spelling."""
GROUNDED = {"belka lamp": "Belka", "lamps by Ann Price": "Ann Price", "sales department": "Sales"}
"""The values that are conditions all the same, as the one's own documents spell them."""


class SharedIndexSuite:
    """The same for any engine: override ``place``."""

    @pytest.fixture
    def place(self) -> Mapping[str, Any]:
        raise NotImplementedError

    async def test_what_another_tenant_holds_changes_nothing(
        self, place: Mapping[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        async with _filled(place, "acme", OURS) as engine:
            alone = {text: await _asked(engine, text) for text in ASKED}
        async with _filled(place, "globex", THEIRS) as engine:
            together = {text: await _asked(engine, text) for text in ASKED}
            stranger = await _asked(engine, "lamp", owner="acmee")
        assert (stranger["ids"], [note for note in stranger["notes"] if "acme" in note.replace("acmee", "")]) == (
            set(),
            [],
        )
        changed = {
            (text, what): (alone[text][what], found)
            for text, all_of_it in together.items()
            for what, found in all_of_it.items()
            if found != alone[text][what]
        }
        assert changed == {}, changed
        for text, value in GROUNDED.items():
            assert value in str(alone[text]["filters"]), text
        assert all("zorbex" not in str(found["notes"]).casefold().replace("zorbexx", "") for found in together.values())


@asynccontextmanager
async def _filled(place: Mapping[str, Any], owner: str, rows: Sequence[Any]) -> AsyncGenerator[Engine]:
    profile = Profile.model_validate(
        {
            "tenant": "shared",
            "understand": {"mode": "rules"},
            "search": {"backends": {"own": dict(place) | {"fields": FIELDS}}, "rerank": "never"},
        }
    )
    plugins = Plugins.load(allow=[str(place["type"])], modules=[qx.testing.plugin])
    plugins = PLUGINS if place["type"] == "local" else plugins
    async with Engine.opened(profile, plugins=plugins, waiting="always") as engine:
        writable = engine.backend()
        assert isinstance(writable, SupportsIndexing)
        await writable.prepare(fingerprint=None, dimensions=0)
        await writable.upsert(
            [
                Document(id=id, title=title, text=text, metadata=more | {"owner": owner})
                for id, title, text, more in rows
            ]
        )
        yield engine


async def _asked(engine: Engine, text: str, owner: str = "acme") -> dict[str, Any]:
    """All that a tenant gets to see of a search, but for scores."""
    mine = Compare(field="owner", op="eq", value=owner)
    found = await engine.search(Query(text=text, filters=mine), limit=20)
    return {
        "ids": {hit.id for hit in found.hits},
        "total": found.total,
        "notes": sorted(found.notes),
        "filters": sorted({str(ranking.filter) for ranking in found.rankings}),
        "queries": sorted({(one.query.text, one.status, one.reason) for one in found.rankings}),
    }
