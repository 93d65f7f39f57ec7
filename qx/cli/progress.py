"""One line on stderr that a person can watch: how many are done, and how long it will still take."""

from __future__ import annotations

import sys
import time

import click

from qx.cli.output import printable


class Counting:
    """Called with (done, of how many) after each piece of work; silent where nobody watches.

    Args:
        what: What is counted: ``rows``, ``pairs``.
        quiet: Show nothing.
    """

    def __init__(self, what: str, *, quiet: bool) -> None:
        self._what = what
        self._shown = sys.stderr.isatty() and not quiet
        self._began = time.monotonic()
        self._open = False

    def __call__(self, done: int, total: int) -> None:
        if not self._shown:
            return
        left = (time.monotonic() - self._began) / done * (total - done) if done else 0.0
        said = f"{done} of {total} {self._what}" + (f", {left:.0f} s left" if left >= 1 else "")
        click.echo(f"\r\x1b[K{printable(said)}", nl=False, err=True)
        self._open = True

    def end(self) -> None:
        """Take the line away."""
        if self._open:
            click.echo("\r\x1b[K", nl=False, err=True)
            self._open = False
