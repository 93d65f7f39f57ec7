"""No task, thread or socket may be left after a test of the local backend."""

from qx.testing.leaks import *  # noqa: F403
