"""One line on stderr that a person can watch, and for a log a line now and then; what is told is said by who counts."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Self

import click

from qx.cli.output import printable

if TYPE_CHECKING:
    from pathlib import Path

    from qx.eval.running import Progress as RunState
    from qx.eval.tuning import Progress as TuneState
    from qx.indexing.writing import Summary

EVERY = 10.0
"""Seconds between the lines of a log."""


class Progress:
    """The line.  As a context manager it is taken away at the end.

    Args:
        quiet: Nothing is shown.
        logged: Where nobody watches, a line is written every ``EVERY`` seconds.
    """

    def __init__(self, *, quiet: bool, logged: bool = False) -> None:
        self._shown = sys.stderr.isatty() and not quiet
        self._logged = logged and not self._shown and not quiet
        self._last = time.monotonic()
        self._began = self._last
        self._open = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.end()

    @property
    def seconds(self) -> float:
        """Since the beginning."""
        return time.monotonic() - self._began

    def show(self, said: str) -> None:
        """Put ``said`` in the place of what stood there."""
        if self._shown:
            click.echo(f"\r\x1b[K{printable(said)}", nl=False, err=True)
            self._open = True
        elif self._logged and time.monotonic() - self._last >= EVERY:
            self._last = time.monotonic()
            click.echo(printable(said), err=True)

    def end(self) -> None:
        """Take the line away."""
        if self._open:
            click.echo("\r\x1b[K", nl=False, err=True)
            self._open = False


class Counting(Progress):
    """Called with (done, of how many) after each piece of work.

    Args:
        what: What is counted: ``rows``, ``pairs``.
        quiet: Show nothing.
    """

    def __init__(self, what: str, *, quiet: bool) -> None:
        super().__init__(quiet=quiet)
        self._what = what
        self._latest = ""

    @property
    def far(self) -> str:
        """How far it is, in words; empty before the first piece."""
        return self._latest

    def __call__(self, done: int, total: int) -> None:
        self._latest = f"{done} of {total} {self._what}"
        left = self.seconds / done * (total - done) if done else 0.0
        self.show(self._latest + (f", {duration(left)} left" if left >= 1 else ""))


class RunProgress(Progress):
    """Called after each row of a run; ``latest`` is what it was told last."""

    def __init__(self, *, quiet: bool) -> None:
        super().__init__(quiet=quiet, logged=True)
        self.latest: RunState | None = None

    @property
    def far(self) -> str:
        """How far it is, in words; empty before the first row."""
        return "" if self.latest is None else f"{self.latest.done} of {self.latest.total} searches"

    def __call__(self, state: RunState) -> None:
        self.latest = state
        how = f"{state.rate:.1f}/s, {duration(state.left)} left"
        if state.failed:
            how += f", {state.failed} failed"
        self.show(f"{state.condition}: {state.done} of {state.total}, {how}")


class TuneProgress(Progress):
    """Called after each trial of a search for settings."""

    def __init__(self, *, quiet: bool) -> None:
        super().__init__(quiet=quiet, logged=True)
        self.far = ""
        """How far it is, in words; empty before the first trial."""

    def __call__(self, state: TuneState) -> None:
        self.far = f"{state.trial} of {state.trials} trials"
        best = "" if state.best is None else f", best {100 * state.best:+.2f} points (less its error)"
        self.show(f"trial {state.trial} of {state.trials} ({state.stage}){best}")


class IndexProgress(Progress):
    """Called as documents are written; records that are skipped are told as soon as they are.

    Attributes:
        told: How many skipped records were reported.
        far: How far it is, in words; empty before the first documents.
    """

    def __init__(self, *, quiet: bool) -> None:
        super().__init__(quiet=quiet)
        self.told = 0
        self.far = ""

    def __call__(self, summary: Summary, path: Path) -> None:
        new = summary.skipped[self.told :]
        if new:
            self.end()
        for bad in new:
            click.echo(printable(str(bad)), err=True)
        self.told += len(new)
        rate = summary.indexed / max(0.001, self.seconds)
        self.far = f"{summary.indexed + summary.resumed} documents"
        self.show(f"{path.name}: {self.far} ({rate:.0f} a second)")


def duration(seconds: float | None) -> str:
    """Return how long that is, in the unit in which it is a small number."""
    if seconds is None:
        return "unknown"
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
