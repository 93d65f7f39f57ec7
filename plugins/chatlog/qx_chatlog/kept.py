"""Results kept for whoever asked for them, until something of that user's log changes."""

from __future__ import annotations

import hashlib
import json
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import TypeVar

from pydantic import BaseModel

from qx.operation import Principal
from qx_chatlog.log import Log

M = TypeVar("M", bound=BaseModel)
_PRINCIPALS, _EACH = 256, 32
"""Principals whose results are kept, and results of each: the longest unused go first."""


class Kept:
    """Results in memory, apart for each principal.

    A result is found again by the operation, what was asked (the current conversation with it) and the minute; all of a
    principal's go as soon as a message, a note or a tag of that user's is added or deleted.  Nothing is written anywhere.
    """

    def __init__(self) -> None:
        self._versions: OrderedDict[Principal, str] = OrderedDict()
        self._results: dict[Principal, OrderedDict[str, BaseModel]] = {}
        self.hits = 0

    async def get(self, log: Log, operation: str, request: BaseModel, kind: type[M]) -> M | None:
        """Return the result that was kept, if there is one."""
        await self._renew(log)
        results = self._results[log.principal]
        found = results.get(_key(log, operation, request))
        if not isinstance(found, kind):
            return None
        self.hits += 1
        return found

    async def put(self, log: Log, operation: str, request: BaseModel, result: BaseModel) -> None:
        """Keep a result, unless it came about by something that failed, or the log changed meanwhile."""
        if log.context.degraded or await log.store.version(log.principal) != self._versions.get(log.principal):
            return
        results = self._results[log.principal]
        results[_key(log, operation, request)] = result
        while len(results) > _EACH:
            results.popitem(last=False)

    async def through(
        self, log: Log, operation: str, request: BaseModel, kind: type[M], make: Callable[[], Awaitable[M]]
    ) -> M:
        """Return what was kept, else what ``make`` makes."""
        found = await self.get(log, operation, request, kind)
        if found is None:
            found = await make()
            await self.put(log, operation, request, found)
        return found

    async def _renew(self, log: Log) -> None:
        """Drop what was kept of a principal whose log is another by now."""
        version = await log.store.version(log.principal)
        if self._versions.get(log.principal) != version:
            self._results[log.principal] = OrderedDict()
        self._versions[log.principal] = version
        self._versions.move_to_end(log.principal)
        while len(self._versions) > _PRINCIPALS:
            gone, _ = self._versions.popitem(last=False)
            del self._results[gone]


def _key(log: Log, operation: str, request: BaseModel) -> str:
    """What tells one result of a principal from the others: words for a time mean another one a minute later."""
    asked = [operation, request.model_dump(mode="json"), log.now.strftime("%Y-%m-%d %H:%M"), str(log.zone)]
    written = json.dumps(asked, sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.sha256(written.encode("utf-8", "surrogatepass")).hexdigest()
