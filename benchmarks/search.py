"""What a search costs beside its engines: six sub-queries over three engines, in real time.

Run it by hand: ``python benchmarks/search.py [--searches N]``.  The engines are scripted: each answers every call after
its delay with 100 hits; an instant model writes five queries beside the original.  Printed are the best and the median
time (the best is what a machine with nothing else to do shows) and the processor's:

- ``30 ms``: three engines that take 20, 25 and 30 ms; the ratio to the slowest call is to stay below 1.3;
- ``instant``: the same with engines that answer at once: what is left is qx, and the scripted engines themselves;
- ``raw``: the original alone, without expanding;
- ``rules``: without a model, sub-queries by rules;
- below ``instant``, where its time goes, by the spans of the trace.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import time
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import qx.testing.plugin
from qx import Engine, Profile
from qx.backend import Document
from qx.llm import CompletionRequest
from qx.plugins import Plugins
from qx.testing import ScriptedLLM
from qx.testing.backend import ScriptedBackend
from qx.types import SearchResult

DELAYS = (0.02, 0.025, 0.03)
HITS = 100
TEXT = "how to fix a squeaky bicycle brake"
QUERIES = (
    "bicycle brake squeal causes",
    "noisy bicycle brake repair",
    "cleaning bicycle brake rims and pads",
    "toe in bicycle brake pads",
    "bicycle disc brake noise",
)
ANALYSIS: dict[str, Any] = {
    "intent": ["how-to"], "entities": [], "constraints": [], "implicit_needs": [], "keywords": [], "negations": [],
    "sentiment": {"label": "neutral", "intensity": 0.0}, "stance": "neutral", "senses": [], "kind": "simple",
    "standalone": None,
}  # fmt: skip


def answer(request: CompletionRequest) -> str:
    """What the model answers at once: an analysis, or five queries."""
    if "intent" in (request.schema or {}).get("properties", {}):
        return json.dumps(ANALYSIS)
    return json.dumps({"queries": [{"text": text, "strategy": "synonym", "why": ""} for text in QUERIES]})


def backend(number: int, delay: float) -> ScriptedBackend:
    """An engine whose list depends on the query, and overlaps with the others' lists."""
    documents = [
        Document(
            id=str(n),
            title=f"Bicycle repair, part {n}",
            text=f"Chapter {n}: brakes, wheels and how to keep them quiet. " * 4,
            url=f"https://example.org/{n}",
        )
        for n in range(4 * HITS)
    ]

    def listed(request: Any) -> Sequence[Document]:
        start = (len(request.text) * 7 + number * 40) % (3 * HITS)
        return documents[start : start + HITS]

    return ScriptedBackend(listed, delay=delay)


def profile(label: str, delays: Sequence[float], *, model: bool) -> Profile:
    """Three engines, no cache, every sub-query run."""
    blocks: dict[str, Any] = {}
    for number, delay in enumerate(delays):
        backend(number, delay).named(f"{label}-{number}")
        blocks[f"engine{number}"] = {"type": "scripted", "instance": f"{label}-{number}"}
    settings: dict[str, Any] = {
        "tenant": "bench",
        "cache": {"type": "none"},
        "understand": {"mode": "llm" if model else "rules"},
        "expand": {"limit": len(QUERIES)},
        "search": {"backends": blocks, "rerank": "never"},
    }
    if model:
        ScriptedLLM(answer).named(label)
        settings["llm"] = {"provider": "scripted", "model": "m", "options": {"instance": label}}
    return Profile.model_validate(settings)


async def measured(label: str, delays: Sequence[float], searches: int, *, model: bool, expand: bool = True) -> None:
    """Print the median time of a search, and how it compares with the slowest call."""
    plugins = Plugins.load(allow=(), modules=[qx.testing.plugin])
    times: list[float] = []
    worked: list[float] = []
    results: list[SearchResult] = []
    async with Engine.opened(profile(label, delays, model=model), plugins=plugins) as engine:
        for number in range(searches + 3):
            began, before = time.perf_counter(), time.process_time()
            result = await engine.search(f"{TEXT} {number % 7}" if not model else TEXT, expand=expand)
            if number >= 3:
                times.append(time.perf_counter() - began)
                worked.append(time.process_time() - before)
                results.append(result)
    lists = len([r for r in results[-1].rankings if r.status == "ok"])
    slowest, best, median = max(delays), min(times), statistics.median(times)
    ratio = f"   {best / slowest:.2f}x, {median / slowest:.2f}x of the slowest call" if slowest else ""
    spent = statistics.median(worked) * 1000
    print(
        f"{label:8} {lists:3} lists   best {best * 1000:6.1f} ms, median {median * 1000:6.1f} ms, "
        f"of processor time {spent:5.1f} ms{ratio}",
        flush=True,
    )
    if label == "instant":
        _parts(results)


def _parts(results: Sequence[SearchResult]) -> None:
    spent: dict[str, list[float]] = defaultdict(list)
    for result in results:
        of_one: dict[str, float] = defaultdict(float)
        for span in result.trace.spans:
            of_one[span.name] += span.duration
        for name, duration in of_one.items():
            spent[name].append(duration)
    for name, durations in sorted(spent.items(), key=lambda pair: -statistics.median(pair[1]))[:8]:
        print(f"    {name:32} {statistics.median(durations):6.2f} ms", flush=True)


async def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--searches", type=int, default=50)
    searches = parser.parse_args().searches
    await measured("30 ms", DELAYS, searches, model=True)
    await measured("instant", (0.0, 0.0, 0.0), searches, model=True)
    await measured("raw", (0.0, 0.0, 0.0), searches, model=False, expand=False)
    await measured("rules", (0.0, 0.0, 0.0), searches, model=False)


if __name__ == "__main__":
    asyncio.run(main())
