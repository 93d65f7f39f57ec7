"""Two tenants in one index of a Meilisearch: the loopback server, or a real one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

pytest.importorskip("meilisearch_python_sdk")

from pydantic import SecretStr
from shared_index import SharedIndexSuite


class TestSharedIndex(SharedIndexSuite):
    @pytest.fixture
    def place(self, place: Any) -> Mapping[str, Any]:
        key = SecretStr(place.key) if place.key else None
        return {"type": "meilisearch", "url": place.url, "api_key": key, "index": place.index}
