"""A keyword field that is declared when documents are indexed already."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from declared_later import DeclaredLaterSuite


class TestDeclaredLater(DeclaredLaterSuite):
    heals = False

    @pytest.fixture
    def place(self, tmp_path: Path) -> Mapping[str, Any]:
        return {"type": "local", "path": str(tmp_path / "index")}
