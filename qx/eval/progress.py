"""How a run goes: what is left of it, how fast it is, and whether it is of any use to go on."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor

from qx.errors import ProviderError
from qx.eval.values import EvalQuery
from qx.serial import value

IN_A_ROW = 20
"""Queries that fail one after the other before a run gives up."""


@value
class Progress:
    """How far a run is: ``done`` of ``total`` rows, ``rate`` a second, ``left`` seconds at that rate."""

    condition: str
    done: int
    total: int
    failed: int
    seconds: float
    rate: float
    left: float | None


class Going:
    """How a run goes: what is left, what failed, and whether it is of any use to go on."""

    def __init__(
        self, pending: dict[str, list[EvalQuery]], queries: int, tell: Callable[[Progress], None] | None
    ) -> None:
        self.pending = pending
        self._queries = queries
        self.total = sum(map(len, pending.values()))
        self.there = queries * len(pending) - self.total
        self.done = 0
        self.failed: Counter[str] = Counter()
        self.idle: set[str] = set()
        """Conditions that are not run after all."""
        self.pool: ProcessPoolExecutor | None = None
        self.looked_at: dict[str, str] = {}
        """Engines -> what is wrong with what they hold; empty: nothing."""
        self._in_a_row = 0
        self._tell = tell
        self._began = time.monotonic()

    def again(self, condition: str, queries: Sequence[EvalQuery]) -> Sequence[EvalQuery]:
        """All of a condition's queries are to be asked after all."""
        more = len(queries) - len(self.pending[condition])
        self.total += more
        self.there -= more
        return queries

    def anew(self, condition: str, queries: Sequence[EvalQuery]) -> None:
        """All of a condition's queries are to be asked, those too that were asked in this run."""
        self.total += len(queries)
        self.there -= len(queries) - len(self.pending[condition])
        self.pending[condition] = list(queries)
        self.failed.pop(condition, None)

    def leave_out(self, condition: str) -> None:
        """A condition is not run after all."""
        self.total -= len(self.pending[condition])
        self.there -= self._queries - len(self.pending[condition])
        self.pending[condition] = []
        self.idle.add(condition)

    def note(self, condition: str, error: str) -> None:
        """Count a row and its error.

        Raises:
            ProviderError: it is the last of many that failed.
        """
        self.done += 1
        if error:
            self.failed[condition] += 1
        self._in_a_row = self._in_a_row + 1 if error else 0
        self.tell(condition)
        if self._in_a_row >= IN_A_ROW:
            raise ProviderError(
                f"{condition}: {IN_A_ROW} queries failed one after the other, the last with: {error[:500]}. "
                "Stopped; once that is put right, the same run goes on and asks them again"
            )

    def tell(self, doing: str) -> None:
        """Tell how far it is, and what is done now: a condition's name mostly."""
        if self._tell is None:
            return
        seconds = time.monotonic() - self._began
        rate = self.done / max(seconds, 1e-6)
        self._tell(
            Progress(
                condition=doing,
                done=self.done,
                total=self.total,
                failed=self.failed.total(),
                seconds=seconds,
                rate=rate,
                left=(self.total - self.done) / rate if rate else None,
            )
        )
