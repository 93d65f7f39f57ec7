"""What is said where somebody ends a long command with Ctrl-C: how far it was, and whether it goes on from there."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager

import click

GOES_ON = "the same command goes on from there"
ANEW = "nothing of it is kept: the same command begins anew"


@contextmanager
def saying_how_far(far: Callable[[], str], then: str = GOES_ON) -> Generator[None]:
    """Say at an interrupt how far the work was, and let it go on.

    Args:
        far: Returns that, such as ``3 of 40 trials``; empty: it had not begun.
        then: What the same command does.
    """
    try:
        yield
    except KeyboardInterrupt:
        said = far()
        click.echo(f"\nstopped after {said}: {then}" if said else f"\nstopped before it began: {then}", err=True)
        raise
