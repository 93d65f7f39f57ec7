"""The log on stderr."""

from __future__ import annotations

import logging
from collections.abc import Callable

import click


class Stderr(logging.Handler):
    """One line an entry: ``warning: text``.  It finds stderr anew each time, so that a spinner can stand aside.

    Args:
        redact: Takes secrets out of a text.
    """

    def __init__(self, redact: Callable[[str], str]) -> None:
        super().__init__()
        self._redact = redact

    def emit(self, record: logging.LogRecord) -> None:
        try:
            text = self._redact(self.format(record))
            click.echo(f"{record.levelname.lower()}: {text}", err=True)
        except RecursionError:
            raise
        except Exception:  # noqa: BLE001 what logging asks of a handler: a bad record is reported, not raised
            self.handleError(record)
