"""A keyword field that is declared when documents are indexed already."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import pytest

pytest.importorskip("qx_elasticsearch")

from declared_later import DeclaredLaterSuite


@pytest.mark.timeout(400)
@(pytest.mark.slow if not os.environ.get("QX_TEST_ELASTICSEARCH_URL") else lambda cls: cls)
class TestDeclaredLater(DeclaredLaterSuite):
    @pytest.fixture
    def place(self, node_url: str, index: str) -> Mapping[str, Any]:
        return {"type": "elasticsearch", "hosts": [node_url], "index": f"{index}-later", "timeout": 60}
