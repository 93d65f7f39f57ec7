"""Calls an operation: its request checked, its principal checked, what it yields checked."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any, cast

from pydantic import BaseModel

from qx.containment import contained, described
from qx.errors import NotAllowed, PluginError, QxError, UsageError
from qx.operation import Principal
from qx.operations.declared import Declared, declared, tool_name
from qx.registry import Registry
from qx.secrets import Redactor
from qx.validation import problems_of, told
from qx.yaml import Loc, Place

if TYPE_CHECKING:
    from qx.engine import Engine


class Operations:
    """The operations of one engine.

    Args:
        registry: The kind ``operations``.
        tenant: The engine's.
        redactor: Takes known secrets out of all that they yield, and of their failures.
        ready: Makes ready what reads pages.
    """

    def __init__(
        self,
        registry: Registry,
        tenant: str,
        redactor: Redactor,
        ready: Callable[[], Awaitable[object]],
    ) -> None:
        self._ready = ready
        self._registry = registry
        self._tenant = tenant
        self._redactor = redactor
        self._known: dict[str, Declared] = {}

    def names(self) -> tuple[str, ...]:
        """Return the names that can be called."""
        return self._registry.names()

    def get(self, name: str) -> Declared:
        """Return what an operation declares, by its name or its name as a tool.

        Raises:
            PluginError: there is none, or it is broken.
        """
        if name not in self._known:
            known = {tool_name(one): one for one in self._registry.names()}
            full = name if name in self._registry else known.get(name, name)
            self._known[name] = declared(full, self._registry.get(full))
        return self._known[name]

    async def run(
        self, engine: Engine, name: str, request: object, principal: Principal | None
    ) -> AsyncGenerator[BaseModel]:
        """Yield the events of one call, the result last; as ``Engine.call``."""
        found = self.get(name)
        asked, who = checked_request(found, request), self._principal(found, principal)
        label = f"operation {found.name}"
        if found.reads_pages:
            await self._ready()
        try:
            with contained(label):
                events = aiter(found.make().run(engine, asked, who))
        except QxError:
            raise
        except Exception as error:  # noqa: BLE001 whatever it is, it is that plugin's
            raise self._failure(label, error) from None
        ended = False
        try:
            while (event := await self._next(label, events)) is not None:
                kind = found.kind(event)
                if kind is None or ended:
                    said = "yields more after its result" if ended else f"yields a {type(event).__name__}"
                    raise PluginError(f"{label} {said}: it yields what it declares, its Result last", plugin=name)
                ended = isinstance(event, found.result)
                yield self._clean(label, event)
        finally:
            await _close(events)
        if not ended:
            raise PluginError(f"{label} ended without a result", plugin=name)

    async def _next(self, label: str, events: AsyncIterator[BaseModel]) -> BaseModel | None:
        failure: QxError
        try:
            with contained(label):
                return await anext(events, None)
        except QxError:
            raise
        except Exception as error:  # noqa: BLE001 somebody else's code
            failure = self._failure(label, error)
        raise failure  # out here, so that the foreign error is not its context

    def _clean(self, label: str, event: BaseModel) -> BaseModel:
        """``event`` without the profile's secrets, which are known to be in no output whatever a plugin yields."""
        try:
            return self._redactor.value(event)
        except Exception as error:  # noqa: BLE001 a model of somebody else's that does not let itself be read
            raise self._failure(label, error) from None

    def _failure(self, label: str, error: Exception) -> PluginError:
        return PluginError(f"{label} failed: {self._redactor.text(described(error))}", plugin=label)

    def _principal(self, found: Declared, given: Principal | None) -> Principal:
        who = given or Principal(tenant=self._tenant)
        if not isinstance(cast("object", who), Principal):
            raise UsageError(f"principal=… is a qx.Principal, not {type(who).__name__}")
        if who.tenant != self._tenant:
            raise NotAllowed(f"the principal is of tenant {who.tenant!r}, this engine serves {self._tenant!r}")
        if found.needs_user and not who.user:
            raise NotAllowed(f"{found.name} is about one user's data: say whose (--user, or principal=Principal(…))")
        return who


def checked_request(found: Declared, request: object) -> BaseModel:
    """Return ``request``, a value of the operation's ``Request`` or a mapping of its fields.

    Raises:
        UsageError: it does not fit; names each field, without its value.
    """
    if isinstance(request, found.request):
        return request
    if not isinstance(request, Mapping):
        raise UsageError(
            f"{found.name} takes a mapping or its {found.request.__name__}, not a {type(request).__name__}"
        )
    given = dict(cast("Mapping[str, Any]", request))
    problems = problems_of(found.request, given, locate=_nowhere, where=_same)
    if problems:
        raise UsageError(f"{found.name}: {told(problems)}")
    return found.request.model_validate(given)


def _nowhere(loc: object) -> Place:
    return Place()


def _same(loc: Loc) -> Loc:
    return loc


async def _close(events: AsyncIterator[BaseModel]) -> None:
    close: Any = getattr(events, "aclose", None)
    if close is not None:
        await close()
