"""The queries of a round: those that only repeat are replaced or end the search, the others run at once."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Protocol

from qx.context import Context
from qx.engine import Engine
from qx.errors import AuthError, BudgetExceeded, QxError, SearchFailed
from qx.serial import replace
from qx_answer.deadline import OutOfTime
from qx_answer.events import Action, Data, Stopped, Warning
from qx_answer.feed import Feed, InOrder
from qx_answer.gathering import Gathering
from qx_answer.history import Entry, History
from qx_answer.spending import Account
from qx_answer.steps import Steps
from qx_answer.together import together
from qx_answer.values import Searched, Wanted
from qx_answer.vectors import embedded

SHARE = 0.5
"""Of the time that is left, one search takes at most: where an engine hangs, others and other words have a chance."""
_SILENT = frozenset({"ProviderTimeout", "Unavailable"})
_STATUS = re.compile(r"failed \((\d{3})\b")
"""As the core's errors tell it; its text is kept in a recording, and so the same in a replay."""
_AT_ONCE = 4
"""Queries of a round at most."""

Running = tuple[Wanted, Entry]


class Stop(Exception):
    """Searching ends here; it never leaves the answer."""

    def __init__(self, because: Stopped) -> None:
        super().__init__(because)
        self.because: Stopped = because


class Begin(Protocol):
    """Begins a request within the account."""

    def __call__(self, text: str = "", *, writing: bool = False, share: float = 1.0) -> Context: ...


Turned = Callable[[str, str, Context, int], Awaitable[Sequence[Wanted]]]
"""Gives other strategies for a part: its id, its text, the request, how many."""


class Querying:
    """Searches for one answer.

    Args:
        engine: Whose backends are named in events.
        begin: Begins a request.
        turned: Gives another strategy in the place of a repeat.
    """

    def __init__(
        self,
        engine: Engine,
        steps: Steps,
        account: Account,
        feed: Feed,
        gathering: Gathering,
        begin: Begin,
        turned: Turned,
    ) -> None:
        self._engine = engine
        self._steps = steps
        self._account = account
        self._feed = feed
        self._gathering = gathering
        self._begin = begin
        self._turned = turned
        self.history = History()
        self.full = False
        self.failed: dict[str, Stopped] = {}
        """Part -> why its search failed: other words do not help it."""

    async def chosen(self, wanted: Sequence[Wanted]) -> list[Running]:
        """Return the queries of the round, those that only repeat replaced by another strategy.

        Raises:
            Stop: the planner repeats itself, or there is nothing to run.
        """
        context = self._begin()
        found: list[Running] = []
        queue = [query for one in wanted for query in await self._steps.queries(one, context)]
        vectors = await embedded(context, [one.text for one in queue])
        refined = repeating = False
        before = len(self.history.entries)
        for one, vector in zip(queue, vectors, strict=True):
            entry = self.history.entry(one.text, vector, one.entities)
            plain = one.strategy == "asked"  # the questions of one plan are not each other's repeats
            decision = self.history.decide(entry, before=before if plain else None)
            if decision == "run":
                found.append((one, entry))
            elif decision == "stop":
                repeating = True
                self._feed.tell(Warning(kind="repeating", text=f"asked before, with nothing new: {one.text}"))
                if one.strategy in ("asked", "next"):
                    break  # whoever plans goes round in circles; of the other strategies the next one may help
            elif not refined:
                refined = True
                found += await self._refined(one, context)
        room = self._account.limits.searches - self._account.searches
        self.full = len(found) > room
        if repeating and all(one.strategy == "next" for one, _ in found):
            raise Stop("repeating")
        if not found:
            raise Stop("repeating" if refined else "no new evidence")
        return found[: min(room, _AT_ONCE)]

    async def _refined(self, wanted: Wanted, context: Context) -> list[Running]:
        """Another strategy in the place of a query that only repeats; one that has not been asked before."""
        self._feed.tell(Warning(kind="repeat", text=f"nothing new is to be expected of: {wanted.text}"))
        found: list[Running] = []
        for other in await self._turned(wanted.part, wanted.text, context, 1):
            entry = self.history.entry(other.text)
            if self.history.decide(entry) == "run":
                found.append((other, entry))
        return found

    async def search(self, running: Sequence[Running], asked_of: Callable[[str], str]) -> list[Searched]:
        """Run the queries of a round at once; what is late or fails is left out.

        Raises:
            Stop: all of them failed and nothing is known yet, or the key is refused.
        """
        self._account.searches += len(running)
        told = InOrder(self._feed, len(running))
        allowed = self._allowed([wanted for wanted, _ in running])
        for wanted in allowed:  # before any is run: a replay, which waits for nothing, tells the same
            self._tell_search(wanted)
        works = [
            self._one(wanted, entry, asked_of, partial(told.tell, n))
            for n, (wanted, (_, entry)) in enumerate(zip(allowed, running, strict=True))
        ]
        outcomes = await together(works)
        failed = [one for one in outcomes if isinstance(one, QxError)]
        found = [one for one in outcomes if isinstance(one, Searched)]
        if failed and all(is_refused(one) for one in failed) and not any(one.hits for one in found):
            raise Stop("authentication")
        if failed and not found and not self._gathering.has_read:
            raise Stop("search failed")
        return found

    async def _one(
        self, wanted: Wanted, entry: Entry, asked_of: Callable[[str], str], tell: Callable[..., None]
    ) -> Searched | QxError | None:
        context = self._begin(asked_of(wanted.part), share=SHARE)
        try:
            found = await self._account.find(f"search {wanted.text}", lambda: self._steps.search(wanted, context))
        except OutOfTime:
            self.failed[wanted.part] = "seconds"
            tell(Warning(kind="late", text=f"no answer in time to: {wanted.text}"))
            return None
        except (SearchFailed, AuthError, BudgetExceeded) as error:
            self.failed[wanted.part] = "authentication" if is_refused(error) else "search failed"
            said = self._reason(error)
            tell(Warning(kind="search failed", text=said, about=wanted.text))
            context.degrade("search", "without this query", said)
            return error
        entry.results = len(found.hits) + len(found.near)
        entry.new = self._gathering.count_new((*found.hits, *found.near))
        self._account.searches += found.calls - 1
        hits = [
            Data(kind="hits", backend=backend or None, query=wanted.text, found=count, outcome=found.outcome)
            for backend, count in (found.backends or {"": len(found.hits)}).items()
        ]
        tell(*hits)
        return found

    def _tell_search(self, wanted: Wanted) -> None:
        self._feed.tell(
            Action(
                kind="search",
                round=self._account.rounds,
                query=wanted.text,
                strategy=wanted.strategy,
                backends=tuple(self._engine.profile.search.backends),
            )
        )

    def _allowed(self, queries: Sequence[Wanted]) -> list[Wanted]:
        """Queries with those marked that may be asked in other words as well: one more search each, where one is left."""
        left = self._account.limits.searches - self._account.searches
        asked = [i for i, one in enumerate(queries) if one.strategy == "asked"][: max(left, 0)]
        return [replace(one, near=i in asked) for i, one in enumerate(queries)]

    def _reason(self, error: QxError) -> str:
        """Why a search failed.  Of engines that do not answer, how long they had and how often is different in a replay."""
        if isinstance(error, SearchFailed) and error.kinds and error.kinds <= _SILENT:
            statuses = sorted(set(_STATUS.findall(str(error))))
            told = f" (status {', '.join(statuses)})" if statuses else ""
            return f"no answer from {', '.join(self._engine.profile.search.backends)}{told}"
        return str(error)


def is_refused(error: QxError) -> bool:
    """Whether it is the key that was refused: no other query helps then."""
    if isinstance(error, SearchFailed):
        return bool(error.kinds) and error.kinds <= {"AuthError"}
    return isinstance(error, AuthError)
