"""What must hold on the public sets, for any engine: filters, pages and counts agree, and expanding is never worse.

``QX_TEST_DATA`` names their folder; the sets and the runs are those of ``benchmarks/results.py``.
"""

from __future__ import annotations

import importlib
import os
import random
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from qx.backend import Document, SearchBackend, SupportsCount
from qx.eval.values import Comparison, Report
from qx.filters import And, Compare, Exists, Filter, Not, Or
from qx.filters.fieldmap import lower
from qx.filters.matching import evaluate
from qx.plugins import Plugins
from qx.testing.conformance.backend import ask
from qx.testing.conformance.backend_case import record

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"
DATA = os.environ.get("QX_TEST_DATA")
needs_data = pytest.mark.skipif(DATA is None, reason="QX_TEST_DATA does not name the folder of test sets")
QUERIES = {"shop": 60, "papers": None, "support": 80, "constrained": 60}
PAGE = 37


@contextmanager
def benchmarks() -> Iterator[Any]:
    """The modules of ``benchmarks``."""
    if not BENCHMARKS.is_dir():
        pytest.skip("the benchmarks are not beside the tests")
    sys.path.insert(0, str(BENCHMARKS))
    try:
        yield importlib.import_module("results")
    finally:
        sys.path.remove(str(BENCHMARKS))
        for name in ("results", "results_page", "sets"):
            sys.modules.pop(name, None)


async def measured(name: str, engine: str, url: str | None) -> Report:
    """Rules beside the raw query on one set, over one engine."""
    with benchmarks() as results:
        options = results.Options(
            data=Path(str(DATA)), sets=[name], engines={engine: url}, queries=QUERIES[name], trials=0,
            plugins=Plugins.load(), quiet=True,
        )  # fmt: skip
        return (await results.measure(options)).reports[name, engine]


def against(found: Report, a: str, b: str, measure: str) -> Comparison:
    """One comparison of a report."""
    return next(c for c in found.comparisons if (c.a, c.b, c.measure) == (a, b, measure))


def never_worse(found: Report) -> str:
    """Assert that rules may be as good as the raw query, and return what was measured."""
    told: list[str] = []
    for measure in ("ndcg@10", "recall@100"):
        one = against(found, "no-expansion", "rules", measure)
        told.append(
            f"{found.dataset} {measure}: {100 * one.difference:+.1f} [{100 * one.low:+.1f}, {100 * one.high:+.1f}]"
        )
        assert one.high >= 0, told[-1]
        assert one.queries >= 40
    return "; ".join(told)


def filters_win(found: Report) -> str:
    """Assert that conditions as filters find more than the same as words."""
    mean = {c.name: c.measures["ndcg@10"] for c in found.conditions}
    words = next(mean[name] for name in mean if "words" in name)
    assert mean["rules"] > words + 0.05, mean
    return f"{found.dataset}: words {words:.3f}, filters {mean['rules']:.3f}"


def generated(documents: Sequence[Document], count: int) -> Iterator[Filter]:
    """Filters in canonical names, with values that the documents have."""
    chance = random.Random(11)
    brands = sorted({str(d.metadata["brand"]) for d in documents if d.metadata.get("brand")})

    def leaf() -> Filter:
        kind = chance.randrange(5)
        if kind == 0:
            return Compare(field="brand", op=chance.choice(("eq", "ne")), value=chance.choice(brands))
        if kind == 1:
            return Compare(field="brand", op="in", value=tuple(chance.sample(brands, 5)))
        if kind == 2:
            op = chance.choice(("lt", "le", "gt", "ge"))
            return Compare(field="price", op=op, value=chance.choice((19.99, 100, 299.5, 800)))
        if kind == 3:
            return Compare(
                field="memory", op=chance.choice(("eq", "ge", "lt")), value=chance.choice((2, 4, 8, 16)), unit="GB"
            )
        return Exists(field=chance.choice(("brand", "price", "memory")))

    for _ in range(count):
        a, b, c = leaf(), leaf(), leaf()
        yield chance.choice(
            (
                a,
                And(filters=(a, b)),
                Or(filters=(a, And(filters=(b, c)))),
                Not(filter=a),
                And(filters=(a, Not(filter=b))),
            )
        )


async def agrees(backend: SearchBackend, documents: Sequence[Document], count: int = 25) -> None:
    """Assert that an engine filters, counts and pages as ``qx.filters.matching`` says."""
    assert isinstance(backend, SupportsCount)
    records = {d.id: record(d) for d in documents}
    assert await backend.count(None) == len(records)
    sizes: set[int] = set()
    for tree in generated(documents, count):
        lowered = lower(tree, backend.fields)
        assert not lowered.unlowered, tree
        wanted = {id for id, item in records.items() if lowered.filter is None or evaluate(lowered.filter, item)}
        sizes.add(len(wanted))
        assert await backend.count(lowered.filter) == len(wanted), tree
        found: list[str] = []
        for at in range(0, 3 * PAGE, PAGE):
            page = await backend.search(ask("", filter=lowered.filter, limit=PAGE, offset=at))
            assert page.total in (None, len(wanted)), tree
            found += page.ids
        assert len(found) == len(set(found)) == min(3 * PAGE, len(wanted)), tree
        assert set(found) <= wanted, tree
    assert len(sizes) > count // 3, "the filters tell nothing apart"


async def finds_by_name(backend: SearchBackend, documents: Sequence[Document]) -> None:
    """Assert that documents are found by their titles."""
    chance = random.Random(5)
    named = chance.sample([d for d in documents if len(d.title.split()) > 5], 40)
    found = [document.id in (await backend.search(ask(document.title, limit=10))).ids for document in named]
    assert sum(found) >= 38


async def agrees_once_indexed(backend: Any, documents: Sequence[Document]) -> None:
    """Index all documents, hold the backend against the reference, and close it."""
    try:
        await backend.prepare(fingerprint=None, dimensions=0)
        for at in range(0, len(documents), 2000):
            assert (await backend.upsert(documents[at : at + 2000])).failed == ()
        await agrees(backend, documents)
        await finds_by_name(backend, documents)
    finally:
        await backend.aclose()


def shop_documents() -> tuple[list[Document], Mapping[str, Any]]:
    """The shop's documents, and its field map."""
    with benchmarks():
        sets = importlib.import_module("sets")
        of = sets.collection(Path(str(DATA)), "shop")
        return list(of.documents()), of.fields
