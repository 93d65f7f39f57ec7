"""What one condition spent and how it fared, counted row by row."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from statistics import median, quantiles

from qx.eval.strategies import FIRST
from qx.eval.values import Dataset, Latency, Row
from qx.names import fallen as said_of
from qx.types import Usage


class Tally:
    """Takes the rows of one condition and holds numbers, and a few texts that its notes quote."""

    def __init__(self, name: str, dataset: Dataset) -> None:
        self.name = name
        self.rows = 0
        self.usage = Usage()
        self.abstained = 0
        self.degraded = 0
        self.errors = 0
        self.kept = 0
        self.incomplete = 0
        self.answered: set[str] = set()
        """Ids of queries with a row that is whole."""
        self._dataset = dataset
        self._times = array("d")
        self._falls: Counter[str] = Counter()
        self._causes: Counter[str] = Counter()
        self._silent: Counter[str] = Counter()
        self._shown = 0
        self._unjudged = 0
        self.unpriced = 0

    def add(self, row: Row) -> None:
        """Count one row."""
        self.rows += 1
        self.usage += row.usage
        self.abstained += row.abstained is not None
        self.degraded += bool(row.degraded or row.incomplete)
        self.incomplete += bool(row.incomplete)
        self.errors += bool(row.error)
        self.kept += row.kept > 0
        self.unpriced += row.usage.calls > 0 and row.usage.cost is None
        if not row.kept and not row.error:
            self._times.append(row.milliseconds)
        if row.error:
            self._causes[row.error] += 1
        elif row.incomplete:
            self._silent[row.incomplete] += 1
        if row.is_whole:
            self.answered.add(row.query)
        for fallen in row.degraded:
            self._falls[f"{said_of(fallen.step, fallen.rung)}: {fallen.reason}"] += 1
        grades = self._dataset.grades.get(row.query)
        if grades:
            shown = row.found[:FIRST]
            self._shown += len(shown)
            self._unjudged += sum(listed.id not in grades for listed in shown)

    def latency(self) -> Latency:
        """Return median and p95 over the rows that were really made and did not fail."""
        return latency(self._times)

    def notes(self) -> Iterator[str]:
        """Yield what a reader of the figures must know."""
        yield from self.lacks()
        if self.kept:
            yield (
                f"{self.name}: {self.kept} of {self.rows} rows were answered, in part at least, from what an earlier run "
                "kept: they are in no latency"
            )
        if self.unpriced:
            yield f"{self.name}: the price of the model is not known for {self.unpriced} searches: cost leaves them out"

    def lacks(self) -> Iterator[str]:
        """Yield what is wrong with the rows themselves: those that are missing, failed or degraded."""
        total = len(self._dataset.queries)
        if self.rows < total:
            yield f"{self.name}: {total - self.rows} of {total} queries have no row yet; they count as empty lists"
        if self.errors:
            yield f"{self.name}: {self.errors} of {self.rows} searches failed and count as empty lists{_most(self._causes)}"
        if self.incomplete:
            yield (
                f"{self.name}: {self.incomplete} of {self.rows} searches lack what an engine or a model did not answer, "
                f"which a next run asks again{_most(self._silent)}"
            )
        if self.degraded:
            yield f"{self.name}: {self.degraded} of {self.rows} searches are degraded{_most(self._falls)}"

    @property
    def unjudged(self) -> float | None:
        """The share of the documents on first pages that nobody judged; None where nothing was shown."""
        return self._unjudged / self._shown if self._shown else None


def latency(milliseconds: Sequence[float]) -> Latency:
    """Return median and p95 (linear between neighbours) of what rows took; none of both where there are no rows."""
    if not milliseconds:
        return Latency()
    ordered = sorted(milliseconds)
    p95 = quantiles(ordered, n=20, method="inclusive")[-1] if len(ordered) > 1 else ordered[0]
    return Latency(median=median(ordered), p95=p95, rows=len(ordered))


def _most(counted: Counter[str]) -> str:
    """The commonest cause, and how many others there are."""
    if not counted:
        return ""
    (text, number), *_ = counted.most_common(1)
    if len(counted) == 1:
        return f": {text}"
    others = "1 other cause" if len(counted) == 2 else f"{len(counted) - 1} other causes"
    return f": {text} ({number} times), and {others}"
