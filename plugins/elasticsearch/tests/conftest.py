"""For every test: afterwards no asyncio task, thread or socket of its own is left.  And the real node."""

import os
from collections.abc import Iterator

import pytest
from servers.elasticsearch.node import missing, running

from qx.testing.leaks import *  # noqa: F403


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
