"""For every test: afterwards no asyncio task, thread or socket of its own is left."""

from qx.testing.leaks import *  # noqa: F403
