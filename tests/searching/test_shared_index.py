"""Two tenants in one local index."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from shared_index import SharedIndexSuite


class TestSharedIndex(SharedIndexSuite):
    @pytest.fixture
    def place(self, tmp_path: Path) -> Mapping[str, Any]:
        return {"type": "local", "path": str(tmp_path / "index")}
