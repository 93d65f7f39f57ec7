"""The engines of a process that serves many tenants: opened on demand, reloaded when their profiles change.

::

    async with Engines("profiles") as engines:
        async with engines.use("acme") as engine:
            found = await engine.search("硬壳外套")

An edit that is wrong changes nothing: the last good engine goes on, and the log, its observers and ``problems`` say what
is the matter.  One that is right swaps the engines; the old one ends what it has begun, and is closed.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, Callable, Collection, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Self

from qx.engine import Engine, Steps
from qx.errors import Closed, ProfileError, QxError
from qx.observer import Event
from qx.opening import open_parts
from qx.parts import Parts
from qx.plugins import Plugins
from qx.profiles import Loaded, load
from qx.profiles.environment import environment
from qx.serial import value
from qx.tenants import Stamp, TenantFolder, changed_since, sources_of, stamps

RETRY = 30.0
"""Seconds after which a profile whose files are right, and whose engine could not be opened, is tried again."""

_TICK = 20_000_000
"""Nanoseconds by which the times of a file system may lag: they go on in steps."""
_READINGS = 3
"""Of one profile whose files change while they are read."""

_log = logging.getLogger("qx")


@value
class Change:
    """What a look at the files came to for one tenant: ``reloaded``, ``refused`` (the last good one goes on), ``removed``."""

    tenant: str
    what: Literal["reloaded", "refused", "removed"]
    reason: str = ""


@dataclass(slots=True, eq=False)
class _Served:
    """One profile's engine, and what it was made of."""

    engine: Engine
    parts: Parts
    sources: tuple[Path, ...]
    made_of: dict[Path, Stamp]
    holders: int = 0
    used: float = 0.0
    missing: int = 0
    refused: dict[Path, Stamp] | None = None
    retry: float | None = None
    free: asyncio.Event = field(default_factory=asyncio.Event)


class Engines:
    """The engines of a folder of profiles.  Belongs to one event loop.

    Args:
        folder: Where the profiles lie, one per tenant (``qx.tenants``).
        plugins: What is installed; None: discover it, once for all.
        variables: Tenant -> the variables that its profile may name (``${NAME}``); tenants that are not in it may name
            none.  None: any may name any, since whoever writes the profiles runs the process.
        steps: As for ``Engine.open``, for every engine.
        every: Seconds between looks at the files; None: only ``reload`` looks.
        most: Engines that are open at once; beyond it the one that was asked the longest ago is closed, but for the last
            good one of a profile that is wrong by now.
        linger: Seconds for which an engine that was replaced still takes requests of callers who have it from ``get``.
    """

    def __init__(
        self,
        folder: str | Path = "profiles",
        *,
        plugins: Plugins | None = None,
        variables: Mapping[str, Collection[str]] | None = None,
        steps: Callable[[Steps], Steps] | None = None,
        every: float | None = 2.0,
        most: int = 256,
        linger: float = 10.0,
    ) -> None:
        self._folder = TenantFolder(Path(folder).absolute())
        self._plugins = plugins
        self._variables = variables
        self._steps = steps
        self._every = every
        self._most = most
        self._linger = linger
        self._served: dict[Path, _Served] = {}
        self._opening: dict[Path, asyncio.Task[_Served]] = {}
        self._draining: set[asyncio.Task[None]] = set()
        self._problems: dict[str, QxError] = {}
        self._watching: asyncio.Task[None] | None = None
        self._looking = asyncio.Lock()
        self._ending = asyncio.Event()
        self._closed = False

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.aclose()

    @property
    def tenants(self) -> tuple[str, ...]:
        """Everybody whom a profile is for, as of the last look; empty before the first request or ``reload``."""
        return self._folder.tenants

    @property
    def open(self) -> tuple[str, ...]:
        """The tenants whose engines are open."""
        return tuple(sorted(served.parts.profile.tenant for served in self._served.values()))

    @property
    def problems(self) -> Mapping[str, QxError]:
        """What is wrong with the profiles of which an older state goes on, by tenant."""
        return dict(self._problems)

    async def get(self, tenant: str, /) -> Engine:
        """Return the tenant's engine, opened if need be.  Ask for it for every request; who keeps it, ``use``s it.

        Raises:
            ProfileError, PluginError: there is no such tenant, or its profile is wrong and never was right.
            UsageError: the tenant has several profiles: name one of them.
            Closed: these engines are closed.
        """
        return (await self._of(tenant)).engine

    @asynccontextmanager
    async def use(self, tenant: str, /) -> AsyncGenerator[Engine]:
        """As ``get``; the engine stays open until the end of the block, whatever becomes of its profile."""
        served = await self._of(tenant)
        served.holders += 1
        try:
            yield served.engine
        finally:
            served.holders -= 1
            if not served.holders:
                served.free.set()

    async def reload(self) -> tuple[Change, ...]:
        """Look at the files of every open engine now, and return what has changed.

        Raises:
            ProfileError: the folder is not there.
            Closed: these engines are closed.
        """
        self._check()
        return await self._look(patient=False)

    async def aclose(self) -> None:
        """Close every engine; requests under way end with ``Closed``."""
        self._closed = True
        self._ending.set()
        tasks = list[asyncio.Task[Any]](self._opening.values())
        if self._watching is not None:
            tasks.append(self._watching)
        for task in tasks:
            task.cancel()
        tasks += self._draining
        await asyncio.gather(*tasks, return_exceptions=True)
        served = list(self._served.values())
        self._served.clear()
        await asyncio.gather(*(one.engine.aclose() for one in served))

    # ---- opening -----------------------------------------------------------------------------------------------------

    async def _of(self, tenant: str) -> _Served:
        self._check()
        if self._every is not None and self._watching is None:
            self._watching = asyncio.ensure_future(self._watch(self._every))
        while True:
            path = await self._path(tenant)
            served = self._served.get(path)
            if served is not None:
                served.used = time.monotonic()
                return served
            try:
                await asyncio.shield(self._begun(path))
            except asyncio.CancelledError:
                task = asyncio.current_task()
                if self._closed and (task is None or not task.cancelling()):
                    raise Closed("these engines were closed while this one was being opened") from None
                raise

    async def _path(self, tenant: str) -> Path:
        with suppress(ProfileError):
            return self._folder.find(tenant)
        await asyncio.to_thread(self._folder.look)  # a tenant may have come since
        return self._folder.find(tenant)

    def _begun(self, path: Path) -> asyncio.Task[_Served]:
        if path not in self._opening:
            task = self._opening[path] = asyncio.ensure_future(self._opened(path))
            task.add_done_callback(lambda done: self._ended(path, done))
        return self._opening[path]

    def _ended(self, path: Path, task: asyncio.Task[_Served]) -> None:
        self._opening.pop(path, None)
        if not task.cancelled():
            task.exception()  # whoever asked may have left

    async def _opened(self, path: Path) -> _Served:
        served = await self._made(path)
        self._served[path] = served
        served.used = time.monotonic()
        while len(self._served) > self._most:
            # one whose files are wrong by now could not be opened again
            others = [other for other, one in self._served.items() if other != path and one.refused is None]
            if not others:
                break
            self._retire(min(others, key=lambda other: self._served[other].used))
        return served

    async def _made(self, path: Path) -> _Served:
        plugins = await self._installed()
        loaded, made_of = await asyncio.to_thread(self._read, path, plugins)
        parts = await open_parts(loaded, plugins)
        return _Served(engine=Engine(parts, self._steps), parts=parts, sources=sources_of(loaded), made_of=made_of)

    def _read(self, path: Path, plugins: Plugins) -> tuple[Loaded, dict[Path, Stamp]]:
        """Read a profile and the states of its files, again where they changed meanwhile; what they are is known then."""
        began, before = time.time_ns() - _TICK, dict[Path, Stamp]()
        loaded, made_of = self._load(path, plugins), before
        for _ in range(_READINGS):
            made_of = stamps(sources_of(loaded))
            if made_of == before or not changed_since(began, made_of):
                return loaded, made_of
            loaded, before = self._load(path, plugins), made_of
        return loaded, dict.fromkeys(made_of)  # they change all the time: the next look reads them again

    async def _installed(self) -> Plugins:
        if self._plugins is None:
            self._plugins = await asyncio.to_thread(Plugins.load)
        return self._plugins

    def _load(self, path: Path, plugins: Plugins) -> Loaded:
        tenant = self._folder.tenant(path) if self._folder.holds(path) else path.stem
        allowed = None if self._variables is None else self._variables.get(tenant, ())
        loaded = load(path, plugins=plugins, env=environment(), allowed_env=allowed)
        if loaded.profile.tenant != tenant:  # and so perhaps with another tenant's variables
            raise ProfileError("it became another tenant's while it was read", file=str(path), hint="ask for it again")
        return loaded

    # ---- reloading ---------------------------------------------------------------------------------------------------

    async def _watch(self, every: float) -> None:
        while True:
            await asyncio.sleep(every)
            try:
                await self._look(patient=True)
            except Exception as error:  # noqa: BLE001 whatever it is, the next look may find the files in order
                _log.warning("the profiles in %s could not be looked at: %s", self._folder.folder, error)

    async def _look(self, *, patient: bool) -> tuple[Change, ...]:
        """See what has changed; ``patient``: a file that is missing once may be being written anew."""
        async with self._looking:
            await asyncio.to_thread(self._folder.look)
            changes = [await self._checked(path, patient) for path in list(self._served)]
            return tuple(change for change in changes if change is not None)

    async def _checked(self, path: Path, patient: bool) -> Change | None:
        served = self._served.get(path)
        if served is None:
            return None
        tenant = served.parts.profile.tenant
        if not self._folder.holds(path):
            served.missing += 1
            if patient and served.missing < 2:
                return None
            _log.warning("tenant %s: %s is gone, and its engine is closed", tenant, path)
            _tell(served.parts, "profile.removed", {"file": str(path)})
            self._retire(path)
            self._problems.pop(tenant, None)
            return Change(tenant=tenant, what="removed")
        served.missing = 0
        now = await asyncio.to_thread(stamps, served.sources)
        if now == served.made_of:
            served.refused = None
            self._problems.pop(tenant, None)  # the edit was taken back
            return None
        now |= await asyncio.to_thread(stamps, [self._folder.folder])  # any file of it may be what was missing
        waiting = served.retry is None or _seconds() < served.retry
        if now == served.refused and waiting:
            return None
        return await self._renewed(path, served, now)

    async def _renewed(self, path: Path, served: _Served, now: dict[Path, Stamp]) -> Change:
        tenant = served.parts.profile.tenant
        try:
            new = await self._made(path)
        except Exception as error:  # noqa: BLE001 whatever a plugin raises, the last good engine goes on
            failure = error if isinstance(error, QxError) else ProfileError(f"{type(error).__name__}: {error}")
            return self._refused(served, failure, now)
        self._retire(path)
        new.used = served.used
        self._served[path] = new
        self._problems.pop(tenant, None)
        _log.info("tenant %s: %s is reloaded", tenant, path)
        _tell(new.parts, "profile.reloaded", {"file": str(path)})
        return Change(tenant=new.parts.profile.tenant, what="reloaded")

    def _refused(self, served: _Served, error: QxError, now: dict[Path, Stamp]) -> Change:
        """Let the last good engine go on, and say so, once for each state of the files: ``now``, before they were read."""
        tenant = served.parts.profile.tenant
        served.refused = now
        served.retry = None if isinstance(error, ProfileError) else _seconds() + RETRY
        before, self._problems[tenant] = self._problems.get(tenant), error
        if str(before) != str(error):
            _log.error("tenant %s goes on with its profile as it was: %s", tenant, error)
            where = {"file": getattr(error, "file", None), "line": getattr(error, "line", None)}
            _tell(served.parts, "profile.refused", {"error": type(error).__name__, **where})
        return Change(tenant=tenant, what="refused", reason=str(error))

    # ---- closing -----------------------------------------------------------------------------------------------------

    def _retire(self, path: Path) -> None:
        """Take an engine out of service; it is closed once nobody uses it."""
        task = asyncio.ensure_future(self._drained(self._served.pop(path)))
        self._draining.add(task)
        task.add_done_callback(self._draining.discard)

    async def _drained(self, served: _Served) -> None:
        waiting: set[asyncio.Task[Any]] = {
            asyncio.ensure_future(self._unused(served)),
            asyncio.ensure_future(self._ending.wait()),
        }
        await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        for task in waiting:
            task.cancel()
        await asyncio.wait(waiting)
        await served.engine.aclose()

    async def _unused(self, served: _Served) -> None:
        await asyncio.sleep(self._linger)
        while served.holders:
            served.free.clear()
            await served.free.wait()
        await served.engine.idle()

    def _check(self) -> None:
        if self._closed:
            raise Closed("these engines are closed: make others")


def _seconds() -> float:
    return asyncio.get_running_loop().time()


def _tell(parts: Parts, name: str, attributes: Mapping[str, Any]) -> None:
    at = parts.resources.clock.now().timestamp()
    parts.resources.tell(Event(name=name, tenant=parts.profile.tenant, trace="", at=at, attributes=attributes))
