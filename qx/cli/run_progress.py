"""How far a run is, on stderr: a bar for a person, a line now and then for a log."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import click

from qx.cli.output import printable

if TYPE_CHECKING:
    from qx.eval.running import Progress

EVERY = 10.0
"""Seconds between the lines of a log."""


class RunProgress:
    """Called after each row, as a context manager.

    Args:
        quiet: Nothing is shown.
    """

    def __init__(self, *, quiet: bool) -> None:
        self._quiet = quiet
        self._last = time.monotonic()
        self._bar: Any = None
        self._task: Any = None
        self.latest: Progress | None = None

    def __enter__(self) -> Self:
        if not self._quiet and sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
            from rich.progress import Progress as Bar

            columns = (
                TextColumn("{task.description}"),
                BarColumn(),
                MofNCompleteColumn(),
                TextColumn("{task.fields[how]}"),
            )
            self._bar = Bar(*columns, console=Console(stderr=True), transient=True)
            self._bar.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._bar is not None:
            self._bar.stop()

    def __call__(self, progress: Progress) -> None:
        self.latest = progress
        how = f"{progress.rate:.1f}/s, {_time(progress.left)} left"
        if progress.failed:
            how += f", {progress.failed} failed"
        if self._bar is not None:
            if self._task is None:
                self._task = self._bar.add_task("", total=progress.total, how="")
            name = printable(progress.condition)
            self._bar.update(self._task, completed=progress.done, total=progress.total, description=name, how=how)
        elif not self._quiet and time.monotonic() - self._last >= EVERY:
            self._last = time.monotonic()
            click.echo(f"{printable(progress.condition)}: {progress.done} of {progress.total}, {how}", err=True)


def _time(seconds: float | None) -> str:
    if seconds is None:
        return "unknown"
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
