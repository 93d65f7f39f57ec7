"""The pack as the tests read it: by rules, from its folder, whether or not it is installed."""

from __future__ import annotations

from pathlib import Path

import pytest

from qx.testing.leaks import *  # noqa: F403  afterwards no task, thread or socket is left
from qx.testing.packs import *  # noqa: F403  pack, knowledge, read, packed, expanded


@pytest.fixture(scope="session")
def pack_folder() -> Path:
    return Path(__file__).parents[1]
