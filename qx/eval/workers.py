"""Worker processes of a run: each opens a condition's engine itself and sends rows back; one process writes them."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import threading
from collections.abc import AsyncGenerator, Generator, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from itertools import islice
from multiprocessing import connection, util
from pathlib import Path
from typing import TYPE_CHECKING

from qx.errors import QxError, UsageError
from qx.eval.asking import Asking, ask, opened
from qx.eval.kept import Keep, Kept
from qx.eval.row_file import Line
from qx.eval.values import Condition, EvalQuery
from qx.plugins import Plugins
from qx.serial import value
from qx.steps.pace import Waiting

if TYPE_CHECKING:
    from qx.engine import Engine

CHUNK = 16
"""Queries that are sent to a worker at once."""


@value
class Keeping:
    """What the workers keep answers in, and since when; as ``Kept`` takes it."""

    path: Path
    keep: Keep
    began: float
    fresh: bool


@value
class Job:
    """Some queries of one condition."""

    condition: Condition
    queries: tuple[EvalQuery, ...]
    asking: Asking
    keeping: Keeping
    concurrency: int
    waiting: Waiting = "always"


@asynccontextmanager
async def pool(count: int) -> AsyncGenerator[ProcessPoolExecutor]:
    """Start worker processes; at the end they are told to stop, and those at work finish their chunk."""
    started = ProcessPoolExecutor(count, mp_context=multiprocessing.get_context("spawn"), initializer=_begin)
    try:
        yield started
    finally:
        await asyncio.to_thread(started.shutdown, wait=True, cancel_futures=True)


async def lines(
    started: ProcessPoolExecutor,
    condition: Condition,
    queries: Iterable[EvalQuery],
    asking: Asking,
    keeping: Keeping,
    *,
    workers: int,
    concurrency: int,
    waiting: Waiting,
) -> AsyncGenerator[Line]:
    """Yield the lines of the rows of ``queries`` as workers make them, never more chunks under way than two for each.

    Raises:
        QxError: a worker could not open the condition's engine, or was killed.
    """
    loop = asyncio.get_running_loop()
    chunks = _chunks(queries)
    under_way: set[asyncio.Future[list[Line]]] = set()

    def more() -> None:
        for chunk in islice(chunks, max(0, 2 * workers - len(under_way))):
            job = Job(
                condition=condition,
                queries=chunk,
                asking=asking,
                keeping=keeping,
                concurrency=concurrency,
                waiting=waiting,
            )
            with _uninterrupted():  # which may start a worker
                under_way.add(loop.run_in_executor(started, work, job))

    try:
        more()
        while under_way:
            done, under_way = await asyncio.wait(under_way, return_when=asyncio.FIRST_COMPLETED)
            more()
            for one in done:
                for line in _result(one):
                    yield line
    finally:
        for one in under_way:
            one.cancel()


@contextmanager
def _uninterrupted() -> Generator[None]:
    """Hold back Ctrl-C; a process that is started meanwhile never sees one, even before it has begun its work."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT,))
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _result(done: asyncio.Future[list[Line]]) -> list[Line]:
    try:
        return done.result()
    except BrokenProcessPool as error:
        raise QxError(
            "a worker process of the run ended by itself (killed, or out of memory): run again with fewer --workers"
        ) from error


def _chunks(queries: Iterable[EvalQuery]) -> Iterator[tuple[EvalQuery, ...]]:
    rest = iter(queries)
    while chunk := tuple(islice(rest, CHUNK)):
        yield chunk


def check_importable(plugins: Plugins | None) -> None:
    """Refuse plugins that only this process has.

    Raises:
        UsageError: there are such.
    """
    if plugins is not None:
        raise UsageError("worker processes look for plugins themselves: leave `plugins` out, or use workers=1")


# ---- In the worker ----------------------------------------------------------------------------------------------


class _Worker:
    """What a worker process has open: one engine, in one event loop."""

    def __init__(self) -> None:
        self._runner = asyncio.Runner()
        self._stack: AsyncExitStack | None = None
        self._engine: Engine | None = None
        self._condition: Condition | None = None
        self._plugins: Plugins | None = None
        util.Finalize(self, self._close, exitpriority=10)

    def run(self, job: Job) -> list[Line]:
        return self._runner.run(self._run(job))

    async def _run(self, job: Job) -> list[Line]:
        if self._engine is None or job.condition != self._condition:
            await self._open(job)
        engine = self._engine
        if engine is None:  # _open has raised
            return []
        turn = asyncio.Semaphore(job.concurrency)

        async def one(query: EvalQuery) -> Line:
            async with turn:
                return Line.of(await ask(engine, job.condition, query, job.asking))

        return list(await asyncio.gather(*map(one, job.queries)))

    async def _open(self, job: Job) -> None:
        await self._end()
        self._plugins = self._plugins or Plugins.load()
        keeping = job.keeping
        kept = Kept(keeping.path, keeping.keep, began=keeping.began, fresh=keeping.fresh)
        async with AsyncExitStack() as stack:
            stack.callback(kept.close)
            self._engine = await stack.enter_async_context(opened(job.condition, kept.over(self._plugins), job.waiting))
            self._condition = job.condition
            self._stack = stack.pop_all()

    async def _end(self) -> None:
        stack, self._stack, self._engine = self._stack, None, None
        if stack is not None:
            await stack.aclose()

    def _close(self) -> None:
        self._runner.run(self._end())
        self._runner.close()


_worker: _Worker | None = None


def work(job: Job) -> list[Line]:
    """Ask the queries of a job; runs in a worker."""
    global _worker
    if _worker is None:
        _worker = _Worker()
    return _worker.run(job)


def _begin() -> None:
    """Prepare a worker: Ctrl-C is for the process that writes, standard output too, and without it there is no work."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.dup2(2, 1)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    connection.wait([sentinel])
    os._exit(1)


def processors() -> int:
    """Return how many processors this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1


def share(queries: Sequence[EvalQuery], workers: int) -> int:
    """Return how many workers are worth their start for so many queries."""
    return max(1, min(workers, len(queries) // (4 * CHUNK)))
