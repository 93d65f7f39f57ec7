"""A keyword field that is declared when documents are indexed already."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("qx_qdrant", reason="the plugin qx-query-qdrant is not installed")

from declared_later import DeclaredLaterSuite


class TestDeclaredLater(DeclaredLaterSuite):
    @pytest.fixture
    def place(self, tmp_path: Path) -> Mapping[str, Any]:
        return {"type": "qdrant", "path": str(tmp_path / "points"), "collection": "later"}
