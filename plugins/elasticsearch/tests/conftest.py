"""For every test: afterwards no asyncio task, thread or socket of its own is left.  The real node: see ``servers``."""

from qx.testing.leaks import *  # noqa: F403
