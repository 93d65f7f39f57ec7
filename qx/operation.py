"""The contract of an operation: one typed callable of a plugin, shown alike by the command line, servers and models.

::

    class Count:
        '''Count the documents that a query finds.'''

        class Request(Model):
            text: str
            limit: int = 100

        class Result(Model):
            found: int

        async def run(self, engine, request, principal):
            context = engine.begin(request.text, step="count")
            result = await context.search(request.text, limit=request.limit)
            yield self.Result(found=len(result.hits))

An operation is made without arguments and holds nothing of a request.  What outlives one (a store, an index) belongs to
a section of the profile (``qx_profile_sections``), which ``await engine.section(NAME)`` gives.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from pydantic import BaseModel

from qx.serial import value

if TYPE_CHECKING:
    from qx.engine import Engine
    from qx.errors import QxError


@value
class Principal:
    """Who asks.  The caller or the server says it; nothing that a model or a document says ever becomes a part of it.

    Attributes:
        tenant: The tenant of the engine's profile.
        user: Whose data it is about; None: nobody's.
        sessions: Conversations that may be read; None: all of the user's own.
    """

    tenant: str
    user: str | None = None
    sessions: frozenset[str] | None = None


@runtime_checkable
class Operation(Protocol):
    """Registered through ``qx_operations`` as ``NAME`` or ``GROUP.NAME``.

    Further attributes may be there: ``Events: tuple[type[BaseModel], ...]``, the kinds of what ``run`` yields before its
    result, each called by its class (``Progress``: ``progress``); ``needs_user = True``, where there is no call without
    ``principal.user``; and ``reads_pages = True``, for what reads pages to be made ready before ``run``.

    Attributes:
        Request: What is asked: flags of the command line, a JSON body, the parameters of a tool.  A field without a
            default is an argument.  Who asks is never a field.
        Result: The last thing that ``run`` yields, called by its class too (``Done``: ``done``).
    """

    Request: Any
    Result: Any

    def run(self, engine: Engine, request: Any, principal: Principal, /) -> AsyncIterator[BaseModel]:
        """Do it: yield any number of ``Events``, then one ``Result``.

        Its consumer may leave at any moment (``aclose``): what it has started ends then.

        Raises:
            QxError: one of its kinds (``qx.errors``), never a vendor's exception.
        """
        ...


@runtime_checkable
class SupportsFailure(Protocol):
    """An operation whose result may tell that what it stands on failed, where the result is worth showing all the same."""

    def failure(self, result: BaseModel, /) -> QxError | None:
        """Return the error with which the command ends after it has shown the result; None: it went well."""
        ...


@runtime_checkable
class SupportsText(Protocol):
    """An operation that says itself what a person reads of its events and its result."""

    def text(self, item: BaseModel, /) -> str:
        """Return the text of an event (a line of progress) or of the result (what is printed); empty: nothing."""
        ...
