"""Two tenants in one index of a real Elasticsearch."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import pytest

pytest.importorskip("qx_elasticsearch")

from shared_index import SharedIndexSuite


@pytest.mark.timeout(400)
@(pytest.mark.slow if not os.environ.get("QX_TEST_ELASTICSEARCH_URL") else lambda cls: cls)
class TestSharedIndex(SharedIndexSuite):
    @pytest.fixture
    def place(self, node_url: str, index: str) -> Mapping[str, Any]:
        return {"type": "elasticsearch", "hosts": [node_url], "index": f"{index}-shared", "timeout": 60}
