"""The side of an engine that plugins build on: operations by name, sections of the profile, requests of one's own."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import TYPE_CHECKING, Any, cast

from qx.asking import asked
from qx.budget import Budget, Cost, RequestBudget
from qx.context import Context
from qx.errors import PluginError, QxError
from qx.llm import Tool
from qx.observer import Event
from qx.parts import Parts
from qx.request import RequestContext
from qx.searching import Searching
from qx.serial import EMPTY
from qx.types import Query, SearchOptions, SearchResult
from qx.underway import Missed, UnderWay

if TYPE_CHECKING:
    from pydantic import BaseModel

    from qx.engine import Engine
    from qx.operation import Principal

_log = logging.getLogger("qx")


class Operating:
    """What ``Engine`` has of it."""

    _parts: Parts
    _under_way: UnderWay

    def _check_open(self) -> None:
        raise NotImplementedError

    def _check_loop(self) -> None:
        raise NotImplementedError

    def _request(
        self, query: Query | str, budget: Budget | None, options: SearchOptions | None = None
    ) -> RequestContext:
        raise NotImplementedError

    def _searching(self, *, shared: bool) -> Searching:
        raise NotImplementedError

    async def _search_within(self, context: RequestContext, expand: bool) -> SearchResult:
        """A search within a request: its budget is that request's, so it shares no flight with others."""
        self._check_open()
        context.query = asked(context.query, self._parts.profile)
        return await self._searching(shared=False).run(context, expand=expand)

    async def call(
        self, operation: str, request: object = EMPTY, /, *, principal: Principal | None = None
    ) -> AsyncGenerator[BaseModel]:
        """Call an operation of a plugin, and yield its events as they come; the last one is its result.

        Leaving early (``aclose``) ends it.

        Args:
            operation: ``chat.search``, or its name as a tool, ``chat_search``.
            request: A value of its ``Request``, or a mapping of the fields.
            principal: Who asks; None: nobody in particular, of this engine's tenant.

        Raises:
            PluginError: there is no such operation, its plugin is broken, or it fails otherwise than it may.
            UsageError: the request does not fit.
            NotAllowed: the principal is another tenant's, or names no user where the operation is about one's data.
            Closed: the engine is closed, or was meanwhile; or this is another event loop.
            QxError: what the operation itself raises.  All of these come when the first event is asked for.
        """
        self._check_open()
        self._check_loop()
        engine, clock, outcome = cast("Engine", self), self._parts.resources.clock, "left"
        began, missed = clock.monotonic(), Missed()
        try:
            async with aclosing(self._parts.operations.run(engine, operation, request, principal)) as events:
                while True:
                    async with self._under_way.request(
                        missed
                    ):  # not around the yield, where it is the caller who works
                        event = await anext(events, None)
                    if event is None:
                        outcome = "ok"
                        return
                    yield event
        except QxError as error:
            outcome = type(error).__name__
            raise
        finally:
            self._told(operation, outcome, round(clock.monotonic() - began, 4))

    def _told(self, operation: str, outcome: str, seconds: float) -> None:
        """Tell the observers that a call has ended, and how."""
        resources = self._parts.resources
        attributes = {"operation": operation, "outcome": outcome, "seconds": seconds}
        at = resources.clock.now().timestamp()
        resources.tell(Event(name="operation", tenant=resources.tenant, trace="", at=at, attributes=attributes))

    async def result(self, operation: str, request: object = EMPTY, /, *, principal: Principal | None = None) -> Any:
        """Call an operation and return its result alone; as ``call``."""
        last: BaseModel | None = None
        async with aclosing(self.call(operation, request, principal=principal)) as events:
            async for event in events:
                last = event
        return last

    def tools(self, *operations: str) -> tuple[Tool, ...]:
        """Return operations as tools for a model; ``call`` takes a tool's name too.

        Args:
            operations: Their names; none: all that can be used, whatever is wrong with others.

        Raises:
            PluginError: one that is named does not exist, or is broken.
        """
        known = self._parts.operations
        if operations:
            return tuple(known.get(name).tool() for name in operations)
        found: list[Tool] = []
        for name in known.names():
            try:
                found.append(known.get(name).tool())
            except PluginError as error:
                _log.warning("%s", error)
        return tuple(found)

    async def section(self, name: str, /) -> Any:
        """Return what the plugin that owns the profile's section ``name`` has made of it, opened on first use.

        Call it before the request begins: what it opens takes its time.  Closed with the engine.

        Raises:
            PluginError: no plugin owns it, or it cannot be opened.
            ProfileError: the profile lacks something that it needs.
            Closed: the engine is closed.
        """
        self._check_open()
        self._check_loop()
        return await self._parts.sections.get(name)

    def budget(self, limits: Cost, /) -> RequestBudget:
        """Return a budget of these limits, its time from now on: for ``begin``, where a request may take more or less."""
        return RequestBudget(limits, self._parts.resources.clock.monotonic)

    def begin(self, query: Query | str, /, *, step: str, budget: Budget | None = None) -> Context:
        """Begin a request of one's own, within an operation: what it searches, reads and asks shares one budget.

        Args:
            query: What it is about: its zone, user and filter go with every search of the request.
            step: The name of the work, in events, spans and errors.
            budget: None: the profile's for one request, its time from now on; the day's budget holds in any case.

        Raises:
            UsageError, NotAllowed, Closed: as for ``understand``.
        """
        return self._request(query, budget).at(step)
