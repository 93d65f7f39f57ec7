"""What a large evaluation costs: ten thousand queries made from titles, five conditions by rules, the local backend.

::

    QX_TEST_DATA=DIR python benchmarks/evaluation.py [--queries 10000] [--workers N]

The goal is ten minutes on two cores, with flat memory.  It prints the time of the run and of the report, and the resident
memory of all its processes at 10, 50 and 100 of 100 rows.  Rows and index are in a temporary folder: nothing is kept.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import os
import random
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

from sets import collection, filled, profile

from qx.backend import Document
from qx.eval.reporting import report
from qx.eval.running import Progress, Run
from qx.eval.values import Condition, Dataset, EvalQuery
from qx.plugins import Plugins

MARKS = (10, 50, 100)
WAYS = {
    "default": {},
    "limit 4": {"expand": {"limit": 4}},
    "synonyms": {"expand": {"strategies": ["synonym", "spelling"]}},
    "no feedback": {"expand": {"without": ["feedback"]}},
    "refining": {"expand": {"strategies": ["refine", "keywords", "generalize"]}},
}


def made(documents: Iterable[Document], count: int) -> Dataset:
    """Return queries of two to five words of a title; its document answers."""
    chance = random.Random(3)
    titled = [document for document in documents if len(document.title.split()) > 2]
    queries: list[EvalQuery] = []
    grades: dict[str, dict[str, int]] = {}
    for number in range(count):
        document = titled[number % len(titled)]
        words = document.title.split()
        length = min(len(words), chance.randint(2, 5))
        start = chance.randint(0, len(words) - length)
        queries.append(EvalQuery(id=f"t{number}", text=" ".join(words[start : start + length])))
        grades[queries[-1].id] = {document.id: 1}
    digest = hashlib.sha256("\n".join(query.text for query in queries).encode()).hexdigest()
    return Dataset(name="titles", queries=tuple(queries), grades=grades, fingerprint=digest)


class Memory:
    """Resident megabytes of this process and its children at some shares of a run (Linux)."""

    def __init__(self) -> None:
        self.at: dict[int, float] = {}

    def note(self, progress: Progress) -> None:
        """Look at the memory where a share is reached."""
        for mark in MARKS:
            if mark not in self.at and progress.done >= mark / 100 * progress.total:
                self.at[mark] = sum(map(_resident, [os.getpid(), *_children()]))
                print(f"{mark:3} %: {self.at[mark]:.0f} MB, {progress.seconds:.0f} s", flush=True)


def _children() -> list[int]:
    found: list[int] = []
    for path in Path("/proc/self/task").glob("*/children"):
        found += map(int, path.read_text().split())
    return found


def _resident(pid: int) -> float:
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:  # it has ended meanwhile
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS:")), 0.0)


async def main() -> None:
    """Run, report, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--queries", type=int, default=10_000)
    parser.add_argument("--workers", type=int)
    given = parser.parse_args()
    shop = collection(Path(os.environ["QX_TEST_DATA"]), "shop")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["QX_HOME"] = folder
        plugins = Plugins.load()
        backend = {"type": "local", "path": "index-shop"}
        ways = [Condition(name=name, profile=profile("p", shop, backend, **way)) for name, way in WAYS.items()]
        documents = await filled(shop, ways[0].profile, plugins)
        dataset, memory = made(shop.documents(), given.queries), Memory()
        print(f"{given.queries} queries x {len(ways)} conditions, {documents} documents", flush=True)
        began, used = time.perf_counter(), os.times()
        run = Run(dataset, ways, workers=given.workers, on_progress=memory.note)
        result = await run.run()
        took, now = time.perf_counter() - began, os.times()
        processor = sum(now[:4]) - sum(used[:4])
        rate = result.asked / took
        print(f"run: {took:.0f} s, {rate:.0f} rows/s, {processor:.0f} s of the processor", flush=True)
        began = time.perf_counter()
        found = report(dataset, ways, run.rows, ("ndcg@10", "recall@100"), kinds=False)
        print(f"report: {time.perf_counter() - began:.0f} s, {_resident(os.getpid()):.0f} MB", flush=True)
        for one in found.conditions:
            print(f"  {one.name:12} ndcg@10 {100 * one.measures['ndcg@10']:.1f}, failed {one.errors}")


if __name__ == "__main__":
    asyncio.run(main())
