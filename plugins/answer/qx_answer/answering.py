"""What the section ``answer:`` opens: it begins answers, each of which shares nothing with another.

::

    answering = await engine.section("answer")
    run = answering.begin(engine, "How long do I have to return a jacket?")
    async for event in run.events():
        ...
    done = await run.result()
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, cast

from qx.asking import asked
from qx.context import Context
from qx.engine import Engine
from qx.errors import ProfileError, UsageError
from qx.processor import HitProcessor
from qx.text.language import identify
from qx.types import Query
from qx_answer import gaps, planning, selecting, writing
from qx_answer.ending import nothing_found, says_more
from qx_answer.events import Degradation, Done, Stopped
from qx_answer.expects import takes_for_granted
from qx_answer.feed import LIMIT, Feed, Subscription
from qx_answer.finding import Clean, Rerank, Search
from qx_answer.finishing import Finishing, shown_claims, shown_sources
from qx_answer.judging import Judging
from qx_answer.loop import Loop
from qx_answer.reading import Read
from qx_answer.spending import Account, Limits
from qx_answer.steps import Steps, chosen
from qx_answer.turning import turn
from qx_answer.values import Written
from qx_answer.vectors import calibrate
from qx_answer.verifier import Verification, verify

if TYPE_CHECKING:
    from qx.hookspecs import Services
    from qx_answer.section import AnswerSection


class Answering:
    """Belongs to one engine.

    Args:
        rerank, clean: The processors of ``read.rerank`` and ``read.clean``.
        judging: The judge of ``judge:``, opened; None: one that needs no opening.
    """

    def __init__(
        self,
        settings: AnswerSection.Settings,
        services: Services,
        *,
        rerank: HitProcessor,
        clean: HitProcessor,
        judging: Judging | None = None,
    ) -> None:
        self.settings = settings
        self._services = services
        self._rerank = rerank
        self._clean = clean
        self.judging = judging or Judging(settings.judge)
        self._thresholds: dict[str, float] = {}

    def steps(self, engine: Engine, *, extractive: bool = False) -> Steps:
        """Return the steps that the profile chooses; ``replace`` puts a caller's own in their places.

        Args:
            extractive: Whether to ask no model.
        """
        read = self.settings.read
        model = self.writes(engine) and not extractive
        written = writing.Extractive(sentences=read.sentences)
        selects = selecting.Extractive(size=read.passage, overlap=read.overlap)
        made = Steps(
            plan=planning.by_model if model else planning.by_rules,
            queries=planning.queries,
            search=Search(pool=read.pool, near=read.other_words and not _web(engine)),
            clean=Clean(processor=self._clean),
            rerank=Rerank(processor=self._rerank, pages=read.pages),
            read=Read(settings=read, web=_web(engine)),
            select=selecting.ByModel(instead=selects) if read.select == "model" and not extractive else selects,
            gaps=gaps.ByModel() if model else gaps.by_rules,
            turn=turn,
            write=writing.ByModel(instead=written) if model else written,
            verify=self.verify,
        )
        return chosen(made, self.settings.steps)

    def writes(self, engine: Engine) -> bool:
        """Whether a model plans and writes.

        Raises:
            ProfileError: the profile asks for one, to write or to select, and names none.
        """
        asks = {"write": self.settings.write, "read.select": self.settings.read.select}
        for key in (key for key, who in asks.items() if who == "model" and engine.profile.llm is None):
            raise ProfileError(f"answer.{key}: model, but the profile names none", hint="add an `llm:` block")
        return engine.profile.llm is not None and self.settings.write != "extractive"

    async def verify(self, written: Written, context: Context, /) -> Verification:
        """The step ``verify``: quotes, and whether statements follow from them."""
        judge = self.judging.over(context)
        return await verify(written.claims, written.sources, judge, run_cpu=context.run_cpu)

    def begin(
        self,
        engine: Engine,
        question: Query | str,
        *,
        limits: Limits | None = None,
        steps: Steps | None = None,
        extractive: bool = False,
    ) -> Run:
        """Begin an answer; it goes on in a task of its own until it ends or ``aclose`` is called.

        Args:
            limits: In place of the profile's.
            steps: In place of the profile's.
            extractive: Whether to quote alone, whatever model the profile has.

        Raises:
            UsageError, NotAllowed: the question is none or empty, or another tenant's.
        """
        query = asked(question, engine.profile)
        if not query.text.strip():
            raise UsageError("the question is empty: say what is asked")
        return Run(
            self, engine, query, limits or Limits(), steps or self.steps(engine, extractive=extractive), extractive
        )

    async def threshold(self, context: Context) -> float:
        """Return the cosine from which on queries mean nearly the same, measured once for an embedder."""
        fingerprint = context.embedder_fingerprint or ""
        if fingerprint not in self._thresholds:
            self._thresholds[fingerprint] = await calibrate(context)
        return self._thresholds[fingerprint]

    async def aclose(self) -> None:
        """Close the processors."""
        await self._rerank.aclose()
        await self._clean.aclose()

    @property
    def services(self) -> Services:
        """What the section was made with."""
        return self._services


def _web(engine: Engine) -> frozenset[str]:
    """The backends whose hits have snippets only."""
    found = engine.profile.search.backends
    return frozenset(name for name, block in found.items() if block.type == "web" or _recorded_web(block.settings))


def _recorded_web(settings: dict[str, object]) -> bool:
    inner = settings.get("backend")
    return isinstance(inner, dict) and cast("dict[str, object]", inner).get("type") == "web"


class Run:
    """One answer under way.  Its events may have several readers, none of whom delays it."""

    def __init__(
        self, answering: Answering, engine: Engine, query: Query, limits: Limits, steps: Steps, extractive: bool
    ) -> None:
        self._answering = answering
        self._engine = engine
        self._query = query
        self._steps = steps
        self._language = "zh" if identify(query.text).startswith("zh") else "en"
        self._feed = Feed()
        settings = answering.settings
        self._account = Account(
            engine,
            query.text,
            limits.over(settings.budget),
            answering.services.clock,
            writes=answering.writes(engine) and not extractive,
            decisions=answering.services.decisions,
        )
        self._loop = Loop(
            engine,
            query,
            self._language,
            steps=steps,
            settings=settings,
            account=self._account,
            feed=self._feed,
            threshold=answering.threshold,
        )
        self._first = self._feed.subscribe(limit=50 * LIMIT)
        self._taken = False
        self._task = asyncio.create_task(self._run(), name="qx answer")

    def events(self, limit: int = LIMIT) -> Subscription:
        """Return the events for one more reader, the result last; the first one misses none.

        Args:
            limit: Events that are kept for a reader who does not come for them.
        """
        if not self._taken:
            self._taken = True
            return self._first
        return self._feed.subscribe(limit)

    async def result(self) -> Done:
        """Wait for the result.

        Raises:
            QxError: what no answer can do without.
        """
        return await asyncio.shield(self._task)

    async def aclose(self) -> None:
        """End it, whatever is under way, and wait until it has ended."""
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> Done:
        try:
            because = await self._loop.run()
            done = await self._finished(because)
            self._feed.tell(done)
            return done
        finally:
            self._feed.end()

    async def _finished(self, because: Stopped) -> Done:
        loop, known = self._loop, self._loop.known
        instead = writing.Extractive(sentences=self._answering.settings.read.sentences)
        finishing = Finishing(self._steps, self._account, self._feed, lambda: loop.context(writing=True), instead)
        answer = await finishing.answer(self._query.text, self._language, known)
        if not answer.claims:
            because = because if says_more(because) else "nothing found"
        contexts = loop.contexts
        used = sum(c.usage.input_tokens + c.usage.output_tokens for c in contexts)
        degraded = dict.fromkeys(one for context in contexts for one in context.degraded)
        return Done(
            answer=answer.text
            or nothing_found(self._language, because, doubtful=known.doubtful and takes_for_granted(self._query.text)),
            claims=shown_claims(answer),
            sources=shown_sources(answer, known.sources),
            stopped_because=because,
            budget=self._account.shown(used),
            degraded=tuple(Degradation(step=d.step, rung=d.rung, reason=d.reason) for d in degraded),
        )
