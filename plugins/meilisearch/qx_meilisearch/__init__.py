"""Meilisearch as a qx search backend.  Importing this is cheap; the client is imported by ``create``."""

from __future__ import annotations

from typing import Any

from qx.hookspecs import Contribution, hookimpl


@hookimpl
def qx_search_backends() -> list[Contribution[Any]]:
    return [Contribution(name="meilisearch", target="qx_meilisearch.backend:Meilisearch")]
