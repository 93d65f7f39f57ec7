"""What an answer costs beside its engines, models and pages.

Run it by hand: ``python benchmarks/answering.py [--rounds N]`` (it needs the plugin ``answer``).  Printed are the best and
the median; where the machine has other work to do, read the best and the processor's time:

- ``round``: one round with instant effects: a search that answers at once with 50 hits of 2,000 characters, cleaned, put
  in order, 8 of them read, passages selected, gaps looked for, an answer by quotation written and verified; every text is
  new.  The goal is under 20 ms;
- ``with a search``: the same over an engine that answers at once, so with the core's own work of a search;
- ``pages``: ten small pages of 200 ms each, read by the guarded fetcher from a server on this machine.  The goal is under
  400 ms for all of them.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

os.environ["QX_ALLOW_ADDRESSES"] = "127.0.0.1"

from aiohttp import web

import qx.testing.plugin
import qx_answer
from qx import Engine, Profile
from qx.backend import Document
from qx.context import Context
from qx.plugins import Plugins
from qx.testing import ScriptedBackend
from qx.types import Hit
from qx_answer.values import Searched, Wanted

HITS = 50
LENGTH = 2_000
PLACES = ("harbour", "cellar", "tower", "garden", "kitchen", "library", "workshop", "quay", "attic", "stable")
THINGS = ("bell", "lamp", "door", "clock", "pump", "stove", "ladder", "gate", "mirror", "wheel")
DOINGS = ("is checked by the warden", "was painted in spring", "closes at nine", "is kept behind the desk",
          "needs oil twice a year", "was bought from a shop in town", "is counted every Monday")  # fmt: skip
PLUGINS = Plugins.load(allow=(), modules=[qx.testing.plugin, qx_answer])


def texts(seed: int) -> Iterator[str]:
    """Texts of ``LENGTH`` characters; those of another seed have other sentences."""
    for n in range(HITS):
        said: list[str] = []
        while sum(map(len, said)) < LENGTH:
            k = seed * 31 + n * 7 + len(said)
            place, thing = PLACES[k % len(PLACES)], THINGS[(k // 3) % len(THINGS)]
            said.append(f"The {thing} number {k} of the {place} {DOINGS[k % len(DOINGS)]}. ")
        yield "".join(said)[:LENGTH]


def profile(backend: ScriptedBackend) -> Profile:
    backend.named("bench")
    return Profile.model_validate(
        {
            "tenant": "bench",
            "understand": {"mode": "rules"},
            "search": {"backends": {"docs": {"type": "scripted", "instance": "bench"}}, "min_results": 0},
            "fetch": {"robots": False},
            "answer": {"read": {"pages": 8}},
        }
    )


async def measured(times: int, once: Callable[[int], Awaitable[int]]) -> tuple[float, float, float, float]:
    """(best, median, best and median of the processor's time), in milliseconds, each run by what it returns: its rounds."""
    walls: list[float] = []
    cpus: list[float] = []
    for n in range(times):
        wall, cpu = time.perf_counter(), time.process_time()
        rounds = await once(n)
        walls.append((time.perf_counter() - wall) * 1000 / rounds)
        cpus.append((time.process_time() - cpu) * 1000 / rounds)
    return min(walls), statistics.median(walls), min(cpus), statistics.median(cpus)


def printed(name: str, figures: tuple[float, float, float, float], note: str = "") -> None:
    best, median, cpu, usual = figures
    print(
        f"{name:14} best {best:6.1f} ms   median {median:6.1f} ms   cpu best {cpu:6.1f} ms   median {usual:6.1f} ms{note}"
    )


async def rounds(times: int) -> None:
    """Print what a round costs, without and with the core's search."""
    corpora = [[Document(id=f"{n}-{i}", title=f"House rules {i}", text=t) for i, t in enumerate(texts(n))] for n in range(times + 3)]  # fmt: skip
    at = [0]
    backend = ScriptedBackend(lambda request: corpora[at[0]])
    async with Engine.opened(profile(backend), plugins=PLUGINS) as engine:
        answering = await engine.section("answer")

        async def instant(wanted: Wanted, context: Context, /) -> Searched:
            found = corpora[at[0]]
            hits = tuple(Hit(id=d.id, backend="docs", title=d.title, text=d.text) for d in found)
            return Searched(wanted=wanted, hits=hits, backends={"docs": len(hits)})

        async def once(n: int, **replaced: Any) -> int:
            at[0] = n % len(corpora)
            k = (n * 31) % 100
            question = f"When does the {THINGS[k % 10]} number {k} of the {PLACES[(k * 3) % 10]} close?"
            steps = replace(answering.steps(engine), **replaced)
            run = answering.begin(engine, question, limits=None, steps=steps)
            done = await run.result()
            await run.aclose()
            return int(done.budget.rounds.used)

        for name, replaced in (("round", {"search": instant}), ("with a search", {})):
            for n in range(3):
                await once(n, **replaced)
            printed(name, await measured(times, lambda n, r=replaced: once(n + 3, **r)), "   (a round)")


@asynccontextmanager
async def server(delay: float) -> Any:
    """Pages on this machine, each after ``delay`` seconds."""

    async def page(request: web.Request) -> web.Response:
        await asyncio.sleep(delay)
        said = f"Page {request.path}. A jacket can be returned within 60 days. The shop is in the harbour."
        return web.Response(text=said, content_type="text/plain")

    app = web.Application()
    app.router.add_get("/{name}", page)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


async def pages(times: int) -> None:
    """Print what reading ten pages at once costs."""
    async with server(0.2) as address:
        hits = [Document(id=str(n), title=f"Page {n}", text="A jacket …", url=f"{address}/{n}") for n in range(10)]
        made = profile(ScriptedBackend(default=hits))
        made = made.model_copy(update={"fetch": made.fetch.model_copy(update={"concurrency": 10})})
        async with Engine.opened(made, plugins=PLUGINS) as engine:
            answering = await engine.section("answer")
            read = answering.steps(engine).read
            context = engine.begin("pages", step="bench")
            every = [Hit(id=d.id, backend="docs", title=d.title, text=d.text, url=d.url) for d in hits]
            await read(every[0], context)

            async def once(n: int) -> int:
                context = engine.begin("pages", step="bench")
                await asyncio.gather(*(read(hit, context) for hit in every))
                return 1

            printed("pages", await measured(times, once), "   (10 pages of 200 ms)")


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=30)
    given = parser.parse_args()
    await rounds(given.rounds)
    await pages(5)


if __name__ == "__main__":
    asyncio.run(main())
