"""The log on stderr."""

from __future__ import annotations

import logging
from collections.abc import Callable

import click


class Stderr(logging.Handler):
    """One line an entry: ``warning: text``.  It finds stderr anew each time, so that a spinner can stand aside.

    Args:
        redact: Takes secrets out of a text.
        debug: Whether tracebacks are wanted; else an exception is its type and text.
    """

    def __init__(self, redact: Callable[[str], str], debug: Callable[[], bool]) -> None:
        super().__init__()
        self._redact = redact
        self._debug = debug

    def emit(self, record: logging.LogRecord) -> None:
        try:
            text = self._redact(self.format(record) if self._debug() else _brief(record))
            click.echo(f"{record.levelname.lower()}: {text}", err=True)
        except RecursionError:
            raise
        except Exception:  # noqa: BLE001 what logging asks of a handler: a bad record is reported, not raised
            self.handleError(record)


def _brief(record: logging.LogRecord) -> str:
    lines = record.getMessage().splitlines() or [""]
    error = record.exc_info[1] if record.exc_info else None
    if error is None:
        return "\n".join(lines)
    from qx.containment import described

    return f"{lines[0]}: {described(error)}"
