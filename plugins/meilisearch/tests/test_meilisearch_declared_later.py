"""A keyword field that is declared when documents are indexed already."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

pytest.importorskip("meilisearch_python_sdk")

from declared_later import DeclaredLaterSuite
from pydantic import SecretStr


class TestDeclaredLater(DeclaredLaterSuite):
    @pytest.fixture
    def place(self, place: Any) -> Mapping[str, Any]:
        key = SecretStr(place.key) if place.key else None
        return {"type": "meilisearch", "url": place.url, "api_key": key, "index": place.index}
