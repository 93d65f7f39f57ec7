"""Step results, made once: cache -> single flight -> the work itself."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, cast

from pydantic import ValidationError

from qx.bounding import bounded
from qx.cache import Cache, Key
from qx.cachekey import digest
from qx.containment import contained
from qx.envelope import seal, unseal
from qx.flight import Flights
from qx.report import Report
from qx.request import RequestContext
from qx.serial import from_json, to_compact
from qx.settings import Profile

T = TypeVar("T")
log = logging.getLogger("qx")

LONGEST_READ = 0.5
"""Seconds that looking a result up may take: a cache that hangs leaves the request its time."""
LONGEST_WRITE = 2.0
"""Seconds that keeping a result may take, while nobody waits for it."""

Work = Callable[[RequestContext], Awaitable[T]]


@dataclass(frozen=True, slots=True)
class _Outcome(Generic[T]):
    """A step's result with what it reported, as one flight shares it."""

    result: T
    report: Report


class Memo:
    """The memory of one engine's steps.

    Args:
        fingerprints: Step -> what its results depend on besides the query; None: that step is not kept.
    """

    def __init__(self, cache: Cache, profile: Profile, fingerprints: Mapping[str, str | None]) -> None:
        self._cache = cache
        self._profile = profile
        self._fingerprints = fingerprints
        self._keeps = profile.cache.type != "none"  # without a cache equal requests at once still share a run
        self._flights: Flights[_Outcome[Any]] = Flights(self._landed)

    def key(self, step: str, context: RequestContext, *, pressed: bool = True) -> Key | None:
        """The key of ``step`` for the request's query; None where the step is not kept.

        Args:
            pressed: False: as if enough were left of the day's budget.
        """
        fingerprint = self._fingerprints[step]
        if fingerprint is None:
            return None
        if (routed := context.routed) is not None:
            marks = f"{routed.mark} {routed.pressed if pressed else ''}".strip()
            fingerprint += f" {marks}" if marks else ""
        query, known = context.query, context.digests.get(fingerprint)
        if known is None or known[0] is not query:  # a search may have rewritten its query
            known = query, digest(query, self._profile, fingerprint, context.clock)
            context.digests[fingerprint] = known
        return Key(tenant=self._profile.tenant, kind=step, digest=known[1])

    async def find(self, step: str, kind: type[T], context: RequestContext) -> T | None:
        """Return what is kept for the request's query, or None.

        Where little is left of the day and a request goes another way for it, what was made before is looked for first.
        """
        before = context.routed is not None and context.routed.pressed
        keys = [self.key(step, context, pressed=pressed) for pressed in ((False, True) if before else (True,))]
        for key in keys:
            if key is not None and (kept := await self.get(key, kind, context)) is not None:
                return kept
        return None

    async def get(self, key: Key, kind: type[T], context: RequestContext) -> T | None:
        """Return the kept result, or None; an entry that is damaged, late or missing is None as well."""
        if not self._keeps:
            return None
        left = context.budget.remaining().seconds
        try:
            with contained("the cache"):
                data = await bounded(self._cache.get(key), LONGEST_READ if left is None else min(left, LONGEST_READ))
        except TimeoutError:
            log.warning("the cache did not answer in time and counts as empty")
            return None
        except Exception as error:  # noqa: BLE001 a cache's bug costs an entry, not the request
            log.warning("the cache failed and counts as empty: %r", error)
            return None
        if data is None:
            return None
        if not isinstance(cast("object", data), bytes):
            log.warning("the cache gave no bytes and counts as empty")
            return None
        try:
            sealed = unseal(kind.__name__, data)
            result = None if sealed is None else from_json(kind, sealed)
        except ValidationError:
            result = None
        if result is None:
            log.warning("a cache entry of step %s is not valid and is made again", key.kind)
            return None
        context.report.absorb(Report(), spent=False)
        context.emit("cache.hit", step=key.kind)
        return result

    async def keep(self, key: Key, result: object, report: Report) -> None:
        """Keep ``result``, unless the step degraded on its way, or its text is broken (a lone surrogate has no UTF-8)."""
        if report.degraded or not self._keeps:
            return
        try:
            data = to_compact(result)
        except ValueError:
            log.debug("a result of step %s has no JSON form and is not kept", key.kind)
            return
        try:
            sealed = seal(type(result).__name__, data)
            with contained("the cache"):
                await bounded(self._cache.set(key, sealed, ttl=self._profile.cache.ttl), LONGEST_WRITE)
        except Exception as error:  # noqa: BLE001 the result is there, kept or not
            log.warning("the cache failed to keep a result: %r", error)

    async def run(self, step: str, kind: type[T], context: RequestContext, work: Work[T], *, shared: bool) -> T:
        """Return the result of ``work`` for the request's query, from the cache, another's flight, or by doing it.

        Args:
            shared: Whether equal requests may share one run (not where the caller brought a budget of his own).

        Raises:
            TimeoutError: the request's time is over.
        """
        await context.route()
        key = self.key(step, context)
        if key is None:
            return await bounded(work(context), context.budget.remaining().seconds)
        kept = await self.find(step, kind, context)
        if kept is not None:
            return kept

        async def fly() -> _Outcome[T]:
            report = Report()
            try:
                result = await bounded(work(context.at("", report)), context.budget.remaining().seconds)
            except BaseException:
                context.report.absorb(report, spent=True)  # what it fell to on its way is not forgotten
                raise
            return _Outcome(result, report)

        if shared:
            outcome, led = await bounded(self._flights.join(key, fly), context.budget.remaining().seconds)
        else:
            outcome, led = await self._flights.alone(key, fly), True
        context.report.absorb(outcome.report, spent=led)
        return outcome.result

    async def _landed(self, key: Key, outcome: _Outcome[Any]) -> None:
        await self.keep(key, outcome.result, outcome.report)

    async def aclose(self) -> None:
        """Cancel the runs under way; what is being written into the cache is written first."""
        await self._flights.aclose()


def step_fingerprint(base: str | None, step: object, own: object) -> str | None:
    """The fingerprint of a step: ``base`` for our own, else with the step's attribute, else None (not cached)."""
    if base is None or step is own:
        return base
    mine = getattr(step, "fingerprint", None)
    return f"{base}:{mine}" if isinstance(mine, str) else None
