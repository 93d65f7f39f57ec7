"""What models, embedders and engines answered, kept in one SQLite file: asking the same again costs nothing.

It is the tape of ``qx.recording`` between an engine and whoever it asks, with another storage: an answer is found by the
key of its request and of the part that was asked: for which tenant, by the profiles of which folder, with which settings,
keys and headers; of an engine also how many documents it holds.  Only that one is read.  Failures are not kept.
"""

from __future__ import annotations

import json
import logging
import sqlite3
import time
import zlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from contextvars import ContextVar
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ValidationError

from qx.backend import SearchBackend
from qx.builtin.cassette_file import Exchange, Kind, exchange_of, line_of
from qx.builtin.cassette_tape import Tape
from qx.errors import ProfileError
from qx.eval.index_state import state_of
from qx.eval.own_digest import digest, salt
from qx.hookspecs import Services
from qx.plugins import Plugins
from qx.recorded_parts import RecordedBackend, RecordedEmbedder, RecordedModel, RecordedProcessor, WithoutCache, Wrap
from qx.recording import RecordedPlugins
from qx.sqlite import opened

Keep = Literal["auto", "all", "models", "none"]
KEEPS: tuple[Keep, ...] = ("auto", "all", "models", "none")
WAIT = 10.0
"""Seconds that a write waits for another process; then the answer is used but not kept."""
_WITHOUT_EFFECT = frozenset({"timeout", "prices", "requests_per_second", "concurrency", "retries"})
"""Settings of models and embedders that change how they are asked, not what they say."""
log = logging.getLogger("qx")

_SCHEMA = """
CREATE TABLE IF NOT EXISTS answers_1 (
    scope TEXT NOT NULL, kind TEXT NOT NULL, key TEXT NOT NULL, at REAL NOT NULL, exchange BLOB NOT NULL,
    PRIMARY KEY (scope, kind, key)
) WITHOUT ROWID
"""


class Count:
    """How many calls of one query were answered from what is kept."""

    def __init__(self) -> None:
        self.answers = 0


counted: ContextVar[Count | None] = ContextVar("counted", default=None)
"""Set while a query is asked: tasks that it starts count into the same."""


class Answers:
    """The file, opened; safe for several processes.  One thread uses it.

    Args:
        path: Made, with its folder, where it is not there.

    Raises:
        ProfileError: it is no such file, or cannot be written.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._connection = opened(path, _SCHEMA, wait=WAIT)
            self._salt = salt(path.parent)
        except (OSError, sqlite3.Error) as error:
            raise ProfileError(
                f"what was answered cannot be kept: {error}",
                file=str(path),
                hint="let QX_HOME name a folder that can be written; a file that is damaged may be removed",
            ) from error
        self._told = False

    def digest(self, item: object) -> str:
        """Return whose answers are in a scope: keyed, so that no key in it can be guessed from the file."""
        return digest(self._salt, item)

    def get(self, scope: str, kind: str, key: str, *, since: float, before: float | None) -> bytes | None:
        """Return what is kept under a key, if it was from ``since`` on and ``before`` a moment (seconds of the epoch)."""
        try:
            row = self._connection.execute(
                "SELECT exchange, at FROM answers_1 WHERE scope = ? AND kind = ? AND key = ?", (scope, kind, key)
            ).fetchone()
        except sqlite3.Error as error:
            raise ProfileError(
                f"what was answered cannot be read: {error}", file=str(self.path), hint="remove the file"
            ) from error
        if row is None or row[1] < since or (before is not None and row[1] >= before):
            return None
        return bytes(row[0])

    def put(self, scope: str, kind: str, key: str, exchange: bytes) -> None:
        """Keep an answer; where the file cannot be written, say so once and go on: the answer itself is there."""
        try:
            self._connection.execute(
                "INSERT OR REPLACE INTO answers_1 VALUES (?, ?, ?, ?, ?)", (scope, kind, key, time.time(), exchange)
            )
        except sqlite3.Error as error:
            if not self._told:
                self._told = True
                log.warning("%s: an answer could not be kept, and will be asked for again: %s", self.path, error)

    def close(self) -> None:
        """Close the file."""
        self._connection.close()


class _Scoped:
    """The answers of one part of an engine (implements ``Storage``)."""

    exchanges: Sequence[Exchange] = ()

    def __init__(self, answers: Answers, scope: str, since: float, before: float | None) -> None:
        self._answers = answers
        self._scope = scope
        self._since = since
        self._before = before

    def get(self, kind: Kind, key: str) -> Exchange | None:
        found = self._answers.get(self._scope, kind, key, since=self._since, before=self._before)
        if found is None:
            return None
        try:
            return exchange_of(json.loads(zlib.decompress(found)))
        except (zlib.error, ValueError, KeyError, TypeError, ValidationError) as error:
            log.warning("%s: an answer cannot be read, and is asked for again: %s", self._answers.path, error)
            return None

    def matching(self, said: str) -> Exchange | None:
        return None

    def add(self, exchange: Exchange, redact: Callable[[str], str] | None) -> None:
        if exchange.error is None:
            line = line_of(exchange, redact).encode("utf-8", "backslashreplace")
            self._answers.put(self._scope, exchange.kind, exchange.key, zlib.compress(line, 1))


class KeptTape(Tape):
    """A tape that asks for what is missing and counts what is not.

    Args:
        since: Answers before that moment do not count: a fresh run asks anew.
        began: When this run began.  Searches of this run itself are made again by each condition, so that its
            milliseconds are its own; a model is asked once.
    """

    streams = True

    def __init__(
        self, answers: Answers, *, since: float, began: float, scope: str = "", searching: bool = False
    ) -> None:
        super().__init__(answers.path, "auto", storage=_Scoped(answers, scope, since, began if searching else None))
        self._answers = answers
        self._since = since
        self._began = began

    async def scoped(self, part: str, settings: object, made: object, services: Services) -> Tape:
        """Return the tape of one part: two tenants, keys or engines, or two states of one, never answer for one another."""
        kind, _, name = part.partition(" ")
        told: dict[str, object] = {
            "part": part,
            "tenant": services.tenant,
            "profiles": str(services.folder.resolve()),
            "settings": _told(settings, _WITHOUT_EFFECT if kind in ("model", "embedder") else frozenset()),
        }
        if isinstance(made, SearchBackend):
            told["state"] = await state_of(name, made)
        scope = self._answers.digest(told)
        return KeptTape(self._answers, since=self._since, began=self._began, scope=scope, searching=kind == "backend")

    def play_now(self, kind: Kind, plain: Mapping[str, Any], ask: Callable[[], Any] | None) -> Any:
        """Ask, where there is somebody to ask: what needs no waiting is not worth keeping."""
        return super().play_now(kind, plain, None) if ask is None else ask()

    def _recorded(self, kind: Kind, plain: Mapping[str, Any], can_ask: bool, number: int = 1) -> Exchange | None:
        found = super()._recorded(kind, plain, can_ask, number)
        count = counted.get()
        if found is not None and count is not None:
            count.answers += 1
        return found


def _told(settings: object, without: frozenset[str]) -> dict[str, object]:
    """What in a part's settings may change its answers: whatever a plugin has, its keys and headers too."""
    if not isinstance(settings, BaseModel):
        return {}
    named = {name: getattr(settings, name) for name in type(settings).model_fields}
    return {name: item for name, item in {**named, **(settings.model_extra or {})}.items() if name not in without}


class Kept:
    """What is kept for one run.

    Args:
        path: The SQLite file.
        keep: ``auto`` keeps models, embeddings and the searches of every engine but ``local``, which is asked quicker
            than read back; ``all``, ``models`` and ``none`` say themselves what they keep.
        began: When the run began, seconds of the epoch.
        fresh: Nothing that was kept before counts.

    Raises:
        ProfileError: the file cannot be used.
    """

    def __init__(self, path: Path, keep: Keep, *, began: float, fresh: bool = False) -> None:
        self._keep = keep
        self._answers = Answers(path) if keep != "none" else None
        self._began = began
        self._since = began if fresh else 0.0

    def over(self, plugins: Plugins) -> Plugins:
        """Return ``plugins`` whose parts answer from what is kept.

        No condition has a memory of steps' results either: none would profit from what another has looked up.
        """
        tape = Tape(Path(), "auto", storage=_Nothing())
        if self._answers is not None:
            tape = KeptTape(self._answers, since=self._since, began=self._began)
        return RecordedPlugins(plugins, tape, self._wrapping())

    def _wrapping(self) -> Mapping[str, Wrap]:
        wrapping: dict[str, Wrap] = {"caches": WithoutCache}
        if self._keep != "none":
            wrapping |= {
                "llm_providers": RecordedModel,
                "embedders": RecordedEmbedder,
                "processors": RecordedProcessor,
            }
        if self._keep in ("auto", "all"):
            wrapping["backends"] = RecordedBackend if self._keep == "all" else _all_but_local
        return wrapping

    def close(self) -> None:
        """Close the file."""
        if self._answers is not None:
            with suppress(sqlite3.Error):
                self._answers.close()


class _Nothing:
    """A storage that keeps nothing."""

    exchanges: Sequence[Exchange] = ()

    def get(self, kind: Kind, key: str) -> Exchange | None:
        return None

    def matching(self, said: str) -> Exchange | None:
        return None

    def add(self, exchange: Exchange, redact: Callable[[str], str] | None) -> None:
        pass


def _all_but_local(tape: Tape, name: str, load: Callable[[], Any]) -> Any:
    return load() if name == "local" else RecordedBackend(tape, name, load)
