"""The loop: rounds of searching and reading until the question is answered, or nothing more helps, or the budget ends."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from qx.budget import Cost
from qx.context import Context
from qx.engine import Engine
from qx.errors import QxError
from qx.serial import replace
from qx.types import Outcome, Query
from qx_answer.claims import Source
from qx_answer.deadline import OutOfTime
from qx_answer.events import Data, OpenQuestion, Stopped, Thinking
from qx_answer.feed import Feed
from qx_answer.gaps import by_rules
from qx_answer.gathering import Gathering
from qx_answer.hops import decompose
from qx_answer.loop_settings import LoopSettings
from qx_answer.querying import Querying, Stop
from qx_answer.spending import Account
from qx_answer.steps import Steps
from qx_answer.turning import Turn
from qx_answer.values import Evidence, Expects, Gaps, Open, Passage, Plan, Reading, Searched, Wanted

FEWEST = 400
"""Tokens below which no further round is begun where a model is asked."""


_LESS: frozenset[Stopped] = frozenset(("no new evidence", "repeating"))
"""Reasons that say less than that no model could be asked any more."""
_SPENT: dict[str, Stopped] = {"tokens": "tokens", "calls": "calls", "money": "cost", "seconds": "seconds"}


@dataclass(slots=True)
class Known:
    """What one answer knows so far."""

    plan: Plan
    sources: list[Source] = field(default_factory=lambda: list[Source]())
    passages: tuple[Passage, ...] = ()
    gaps: Gaps = field(default_factory=lambda: Gaps(questions=()))
    tried: dict[str, set[str]] = field(default_factory=lambda: dict[str, set[str]]())
    doubtful: bool = False
    """What the question takes for granted exists, and nothing says of it what is asked."""
    outcomes: dict[str, Outcome] = field(default_factory=lambda: dict[str, Outcome]())


class Loop:
    """One answer's rounds.

    Args:
        engine: Whose requests they are.
        threshold: Gives the cosine from which on two queries mean nearly the same; asked once, where there is an embedder.
    """

    def __init__(
        self,
        engine: Engine,
        query: Query,
        language: str,
        *,
        steps: Steps,
        settings: LoopSettings,
        account: Account,
        feed: Feed,
        threshold: Callable[[Context], Awaitable[float]],
    ) -> None:
        self._engine = engine
        self._query = query
        self._language = language
        self._steps = steps
        self._settings = settings
        self._account = account
        self._feed = feed
        self._threshold = threshold
        self.contexts: list[Context] = []
        self._selected: Reading | None = None
        self._gathering = Gathering(steps, settings, account, feed)
        self._querying = Querying(engine, steps, account, feed, self._gathering, self.context, self._turned)
        self.known = Known(plan=decompose(query.text))

    def context(self, text: str = "", *, writing: bool = False, share: float = 1.0) -> Context:
        """Begin a request about ``text`` (empty: the question) within the account.

        Args:
            share: Of the time that is left for finding.
        """
        budget = self._account.all if writing else self._account.finding
        left = budget.remaining().seconds
        if share < 1 and left is not None:
            budget = budget.child(keep=Cost(seconds=left * (1 - share)))
        query = replace(self._query, text=text or self._query.text)
        made = self._engine.begin(query, step="answer", budget=budget)
        self.contexts.append(made)
        return made

    async def run(self) -> Stopped:
        """Search and read; return why it ended.  What is known then is in ``known``.

        Raises:
            QxError: what is nobody's to go on without: no backend, a spent day, a closed engine.
        """
        try:
            await self._plan()
            wanted = [Wanted(text=p.text, part=p.id) for p in self.known.plan.parts if not p.needs]
            while True:
                self._check_budget()
                searched = await self._round(wanted)
                if not self.known.gaps.missing and self.known.gaps.questions:
                    return "answered"
                wanted = await self._next(searched)
        except Stop as stop:
            return _SPENT.get(self.known.gaps.spent, stop.because) if stop.because in _LESS else stop.because
        except OutOfTime:
            return "seconds"

    async def _plan(self) -> None:
        context = self.context()
        if context.has_embedder:
            await self._calibrate(context)
        plan = await self._account.find("plan", lambda: self._steps.plan(self._query.text, context))
        self.known.plan = plan
        if len(plan.parts) > 1:
            asked = tuple(OpenQuestion(asked=part.text, missing=part.text) for part in plan.parts)
            self._feed.tell(Thinking(text=f"{len(plan.parts)} questions, one after the other", questions=asked))

    async def _calibrate(self, context: Context) -> None:
        try:
            self._querying.history.threshold = await self._account.find("calibration", lambda: self._threshold(context))
        except QxError as error:
            context.degrade("loops", "lexical", f"queries are compared by their words: {error}")

    def _check_budget(self) -> None:
        """Whether another round may begin."""
        if self._account.rounds >= self._account.limits.rounds:
            raise Stop("rounds")
        if self._account.searches >= self._account.limits.searches:
            raise Stop("searches")
        if self._account.time_is_up():
            raise Stop("seconds")
        left = self._account.tokens_left()
        if left is not None and left < FEWEST and self.contexts and self.contexts[0].has_model:
            raise Stop("tokens")

    async def _round(self, wanted: Sequence[Wanted]) -> list[Searched]:
        running = await self._querying.chosen(wanted)
        self._account.rounds += 1
        searched = await self._querying.search(running, self._asked_of)
        read = await self._gathering.read(searched, self._asked_of, self.context)
        self.known.sources += read
        if read or not self.known.gaps.questions or self._steps.gaps is not by_rules:
            await self._look()
        else:  # rules say the same of the same sources; a model may propose something else
            self._tell_gaps()
        return searched

    def _asked_of(self, part: str) -> str:
        """The question of a part as it stands, with the facts that it needed."""
        found = next((one.text for one in self.known.gaps.questions if one.part.id == part), None)
        if found is None:
            found = next((one.text for one in self.known.plan.parts if one.id == part), self._query.text)
        return found if "{" not in found else self._query.text

    async def _look(self) -> None:
        """Select passages and look for gaps; again where a fact opens the next question and sources may answer it."""
        for _ in self.known.plan.parts:
            ready = [self._asked_of(part.id) for part in self.known.plan.parts if self._is_ready(part.id)]
            before = [one.text for one in self.known.gaps.questions]
            await self._select(ready)
            context = self.context()
            evidence = Evidence(
                question=self._query.text,
                language=self._language,
                plan=self.known.plan,
                sources=tuple(self.known.sources),
                passages=self.known.passages,
                searched=tuple(entry.query for entry in self._querying.history.entries if entry.ran),
            )
            number = f"gaps {self._account.rounds} {len(ready)}"
            self.known.gaps = await self._account.find(number, lambda e=evidence, c=context: self._steps.gaps(e, c))
            after = [one.text for one in self.known.gaps.questions]
            if not self.known.gaps.missing or before == after or not any("{" in p.text for p in self.known.plan.parts):
                break
        self._tell_gaps()

    def _is_ready(self, part: str) -> bool:
        found = next((one for one in self.known.plan.parts if one.id == part), None)
        opened = next((one for one in self.known.gaps.questions if one.part.id == part), None)
        return found is not None and (not found.needs or (opened is not None and "{" not in opened.text))

    async def _select(self, questions: Sequence[str]) -> None:
        context = self.context()
        reading = Reading(
            questions=tuple(dict.fromkeys((*questions, self._query.text))),
            sources=tuple(self.known.sources),
            tokens=self._account.window(context, self._settings.read.window),
            names=tuple(one.fact for one in self.known.gaps.questions if one.fact),
        )
        if reading == self._selected:
            return  # nothing new was read: the passages stay, and no model is asked again
        self._selected = reading
        number = f"select {self._account.rounds} {len(questions)}"
        self.known.passages = await self._account.find(number, lambda: self._steps.select(reading, context))
        if self.known.passages:
            self._feed.tell(Data(kind="passages", found=len(self.known.passages)))

    def _tell_gaps(self) -> None:
        gaps = self.known.gaps
        listed = tuple(_shown(one) for one in gaps.questions)
        missing = len(gaps.missing)
        text = "all is answered" if not missing else f"{missing} of {len(listed)} questions open"
        self._feed.tell(Thinking(text=text, questions=listed))

    async def _next(self, searched: Sequence[Searched]) -> list[Wanted]:
        """What to search for next: what a reader asked for, else questions that are ready, else another strategy."""
        gaps = self.known.gaps
        for one in searched:
            self.known.outcomes[one.wanted.part] = one.outcome if one.outcome != "ok" or one.hits else "empty"
            self.known.tried.setdefault(one.wanted.part, set()).add(one.wanted.strategy)
            self.known.doubtful |= one.wanted.strategy == "premise" and bool(one.hits)
        failed = self._querying.failed
        ready = [one for one in gaps.missing if "{" not in one.text and one.part.id not in failed]
        fresh = [Wanted(text=o.text, part=o.part.id) for o in ready if o.part.id not in self.known.tried]
        if gaps.next or fresh:
            return [*fresh, *gaps.next]
        context = self.context()
        found: list[Wanted] = []
        for one in ready:
            found += await self._turned(one.part.id, one.text, context, 2)
        if not found:
            because: Stopped = "searches" if self._querying.full else "no new evidence"
            for one in gaps.missing:
                because = failed.get(one.part.id, because)
            raise Stop(because)
        return found

    async def _turned(self, part: str, text: str, context: Context, count: int) -> tuple[Wanted, ...]:
        tried = self.known.tried.setdefault(part, set())
        expects = self._expects(part)
        outcome: Outcome = self.known.outcomes.get(part, "empty")
        value = Turn(part=part, text=text, expects=expects, outcome=outcome, tried=frozenset(tried), wanted=count)
        found = await self._steps.turn(value, context)
        tried.update(one.strategy for one in found)
        return found

    def _expects(self, part: str) -> Expects:
        found = next((one for one in self.known.plan.parts if one.id == part), None)
        return "thing" if found is None else found.expects


def _shown(one: Open) -> OpenQuestion:
    return OpenQuestion(
        asked=one.text,
        answered=one.answered or None,
        source_id=one.source_id or None,
        missing=one.missing or None,
    )
