"""Two tenants in one collection of an embedded Qdrant."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("qx_qdrant", reason="the plugin qx-query-qdrant is not installed")

from shared_index import SharedIndexSuite


class TestSharedIndex(SharedIndexSuite):
    @pytest.fixture
    def place(self, tmp_path: Path) -> Mapping[str, Any]:
        return {"type": "qdrant", "path": str(tmp_path / "points"), "collection": "shared"}
