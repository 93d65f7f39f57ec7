"""For every test: afterwards no asyncio task, thread or socket of its own is left.  And the real node."""

import json
import os
import urllib.request
import uuid
from collections.abc import Iterator

import pytest

from qx.testing.leaks import *  # noqa: F403
from servers.elasticsearch.node import missing, running


@pytest.fixture(scope="session")
def node_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a real node: that of ``QX_TEST_ELASTICSEARCH_URL``, else one that runs until the tests are over."""
    if given := os.environ.get("QX_TEST_ELASTICSEARCH_URL"):
        yield given
        return
    if reason := missing():
        pytest.skip(reason)
    with running(tmp_path_factory.mktemp("elasticsearch")) as url:
        yield url


@pytest.fixture(scope="module")
def index(node_url: str) -> Iterator[str]:
    """A name that no other run uses; every index that begins with it is removed at the end."""
    name = f"qx-test-{uuid.uuid4().hex[:8]}"
    yield name
    with urllib.request.urlopen(f"{node_url}/_cat/indices/{name}*?h=index&format=json", timeout=60) as answer:
        found = [row["index"] for row in json.load(answer)]
    for made in found:
        urllib.request.urlopen(urllib.request.Request(f"{node_url}/{made}", method="DELETE"), timeout=60).close()
