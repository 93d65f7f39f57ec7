"""A local index in both languages, and engines that work by a baseline over it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from qx import Engine, Profile
from qx.backend import Document
from qx.engine import Steps
from qx.plugins import Plugins

DOCUMENTS = (
    Document(id="jam-1", title="Printer jam", text="paper tray stuck roller", metadata={"price": 10}),
    Document(
        id="jam-2",
        title="Clearing a printer jam",
        text="open the tray and pull the paper roller",
        metadata={"price": 20},
    ),
    Document(id="doc-tray", title="Tray roller kit", text="roller tray spare part", metadata={"price": 300}),
    Document(id="doc-ink", title="Ink cartridge", text="colour ink bottle", metadata={"price": 30}),
    Document(id="doc-lamp", title="Desk lamp", text="warm light bulb", metadata={"price": 40}),
    Document(id="doc-chair", title="Office chair", text="leather seat wheels", metadata={"price": 50}),
    Document(id="文-卡纸", title="打印机卡纸怎么办", text="打开纸盒取出卡住的纸张检查滚筒"),
    Document(id="文-卡纸2", title="打印机卡纸处理", text="清洁滚筒再放回纸盒"),
    Document(id="文-滚筒", title="滚筒更换", text="更换滚筒和纸盒的步骤"),
    Document(id="文-墨水", title="墨水用完", text="更换彩色墨水瓶"),
    *(Document(id=f"other-{n}", title=f"Garden tool {n}", text="spade rake hose") for n in range(20)),
    *(Document(id=f"别的-{n}", title=f"园艺工具 {n}", text="铲子 水管 花盆") for n in range(20)),
)
Opened = Callable[..., AbstractAsyncContextManager[Engine]]


@pytest.fixture
def opened(tmp_path: Path) -> Opened:
    @asynccontextmanager
    async def made(
        steps: Callable[[Steps], Steps] | None = None, *, plugins: Plugins | None = None, **settings: Any
    ) -> AsyncGenerator[Engine]:
        fields = {
            "title": "title",
            "text": "text",
            "price": {"name": "metadata.price", "type": "number", "unit": "USD"},
        }
        data = {
            "tenant": "t",
            "understand": {"mode": "rules"},
            "cache": {"type": "none"},
            "search": {"backends": {"main": {"type": "local", "path": "index", "fields": fields}}},
            **settings,
        }
        profile = Profile.model_validate(data).model_copy(update={"folder": tmp_path})
        async with Engine.opened(profile, steps=steps, plugins=plugins or Plugins.load(allow=())) as engine:
            if not (await engine.backend().health()).documents:  # type: ignore[attr-defined]
                await engine.backend().prepare(fingerprint=None, dimensions=0)  # type: ignore[attr-defined]
                await engine.backend().upsert(DOCUMENTS)  # type: ignore[attr-defined]
            yield engine

    return made
