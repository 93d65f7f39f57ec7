"""``qx index`` as ``python killed.py PLACE NTH PROFILE FILE``: it is killed when it comes to PLACE for the NTH time.

No handler, no ``finally`` and no thread of the program runs after that, as after ``kill -9``.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from typing import Any

from qx.builtin.local import lock, sources
from qx.cli import main
from qx.indexing import journal, writing

PLACES: dict[str, tuple[Any, str]] = {
    "rows added": (sources.Sources, "add"),
    "old rows retired": (sources.Sources, "retire"),
    "batch written": (journal.Journal, "note"),
}
"""Name -> what is called there; the kill comes right after it."""


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def killing(call: Callable[..., Any], nth: int, *, before: bool = False) -> Callable[..., Any]:
    """``call`` that is the last thing done, the ``nth`` time."""
    calls = 0

    def wrapped(*arguments: Any, **named: Any) -> Any:
        nonlocal calls
        calls += 1
        if before and calls == nth:
            die()
        made = call(*arguments, **named)
        if calls == nth:
            die()
        return made

    return wrapped


class Handle:
    """tantivy's writer, which dies around a commit."""

    def __init__(self, handle: Any, commit: Callable[[], Any]) -> None:
        self._handle = handle
        self.commit = commit

    def __getattr__(self, name: str) -> Any:
        return getattr(self._handle, name)


def arm(place: str, nth: int) -> None:
    if place in PLACES:
        owner, name = PLACES[place]
        setattr(owner, name, killing(getattr(owner, name), nth))
        return
    acquired = lock._acquired
    commits = 0

    def with_deadly_commit(*arguments: Any, **named: Any) -> Handle:
        nonlocal commits
        commits += 1
        handle = acquired(*arguments, **named)
        deadly = killing(handle.commit, 1, before=place == "before the commit")
        return Handle(handle, deadly if commits == nth else handle.commit)

    lock._acquired = with_deadly_commit


if __name__ == "__main__":
    writing.BATCH = 100
    if sys.argv[1] != "never":
        arm(sys.argv[1], int(sys.argv[2]))
    main(["index", sys.argv[4], "-p", sys.argv[3]])
