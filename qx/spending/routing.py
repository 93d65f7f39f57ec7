"""Which tier of models a request is worth: ``llm.tiers.routes``.

Kind and user class come with the query; how often it is asked is counted by tenant and folded text, for a week; what is
left is that of the day's budget.  All but the kind is looked up before the cache is: a query that was answered by the small
model while it was rare is answered anew once it is frequent, and a class of users never gets what another's model wrote.
What little is left of a day changes no key that is there: what the better model wrote is as good then as before.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING

from qx.cache import Key, SupportsCounters
from qx.errors import QxError
from qx.serial import value
from qx.text.normalise import fold
from qx.tiers import Route, TierName
from qx.types import Kind, Query

if TYPE_CHECKING:
    from qx.spending.day_budget import DayBudget

SEEN_WITHIN = 7 * 86400.0
"""Seconds within which a query counts as asked again."""

_log = logging.getLogger("qx")


@value
class Routed:
    """The routes that are open to one request, as far as that does not depend on its kind.

    Attributes:
        routes: Those whose other conditions hold.
        mark: Tells requests apart that go other ways by user class or by how often they come, in the key of the cache.
        pressed: Tells those apart which go another way only since little is left of the day; "" where none does.
    """

    routes: tuple[Route, ...] = ()
    mark: str = ""
    pressed: str = ""

    def tier(self, kind: Kind | None) -> TierName | None:
        """Return the tier of the first route for ``kind`` (None: for any kind); None: no route says anything."""
        return next((route.tier for route in self.routes if not route.kinds or kind in route.kinds), None)


class Router:
    """The routes of one engine.

    Args:
        counters: Where queries are counted; None: every query counts as the first of its kind.
        day: The day's budget; None: all of it is always left.
    """

    def __init__(
        self, routes: Sequence[Route], tenant: str, *, counters: SupportsCounters | None, day: DayBudget | None
    ) -> None:
        self._routes = tuple(routes)
        self._tenant = tenant
        self._counters = counters if any(route.seen_at_least is not None for route in routes) else None
        self._day = day if any(route.left_at_most is not None for route in routes) else None

    async def route(self, query: Query) -> Routed:
        """Find out which routes are open to ``query``, and count it."""
        return self._routed(
            query, seen=await self._seen(query), left=1.0 if self._day is None else await self._day.left()
        )

    def plain(self, query: Query) -> Routed:
        """The routes of ``query`` were it asked for the first time, at the beginning of a day."""
        return self._routed(query, seen=1, left=1.0)

    def _routed(self, query: Query, *, seen: int, left: float) -> Routed:
        lasting = [_lasts(route, query, seen) for route in self._routes]
        pressing = [route.left_at_most is not None and left <= route.left_at_most for route in self._routes]
        is_open = [
            fits and (route.left_at_most is None or pressed)
            for route, fits, pressed in zip(self._routes, lasting, pressing, strict=True)
        ]
        told = any(route.user_classes or route.seen_at_least is not None for route in self._routes)
        return Routed(
            routes=tuple(route for route, opened in zip(self._routes, is_open, strict=True) if opened),
            mark="".join("01"[fits] for fits in lasting) if told else "",
            pressed="".join("01"[pressed] for pressed in pressing) if any(pressing) else "",
        )

    async def _seen(self, query: Query) -> int:
        if self._counters is None:
            return 1
        digest = hashlib.sha256(fold(query.text).encode("utf-8", "replace")).hexdigest()[:32]
        key = Key(tenant=self._tenant, kind="seen", digest=digest)
        try:
            return await self._counters.add(key, 1, ttl=SEEN_WITHIN, ceiling=None) or 1
        except QxError as error:
            _log.warning("how often a query comes cannot be counted, it counts as the first: %s", error)
            return 1


def _lasts(route: Route, query: Query, seen: int) -> bool:
    """Whether the conditions hold that are the same tomorrow."""
    if route.user_classes and query.user_class not in route.user_classes:
        return False
    return route.seen_at_least is None or seen >= route.seen_at_least
