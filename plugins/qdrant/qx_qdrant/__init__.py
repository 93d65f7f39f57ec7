"""Qdrant as a qx search backend.  Importing this is cheap."""

from __future__ import annotations

from typing import Any

from qx.hookspecs import Contribution, hookimpl


@hookimpl
def qx_search_backends() -> list[Contribution[Any]]:
    return [Contribution(name="qdrant", target="qx_qdrant.backend:Qdrant")]
