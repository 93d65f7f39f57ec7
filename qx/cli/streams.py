"""The three standard streams: standard output is for results alone, and each of them is really there."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TextIO

_STDIN, _STDOUT, _STDERR = 0, 1, 2


@contextmanager
def printing_to_stderr() -> Generator[None]:
    """Send to standard error what plugins and libraries print while the body runs.

    Also what is written to the file descriptor itself: by C code, or by a program that a plugin starts.
    """
    kept = _divert()
    try:
        with contextlib.redirect_stdout(sys.stderr):
            yield
    finally:
        if kept is not None:
            os.dup2(kept, _STDOUT)
            os.close(kept)


@contextmanager
def live_stdout() -> Generator[Callable[[str], None]]:
    """Give what writes to standard output, at once, also while ``printing_to_stderr`` keeps everything else off it.

    Raises:
        OSError: (the writer) the output takes no more; ``BrokenPipeError`` where its reader went away.
    """
    stream, kept = sys.stdout, None
    with contextlib.suppress(OSError, ValueError):  # no descriptor behind it, as in a test
        stream.flush()
        kept = os.dup(stream.fileno())

    def write(text: str) -> None:
        if kept is None:
            stream.write(text)
            stream.flush()
            return
        data = memoryview(text.encode("utf-8", "replace"))
        while data:
            data = data[os.write(kept, data) :]

    try:
        yield write
    finally:
        if kept is not None:
            os.close(kept)


def _divert() -> int | None:
    """Make descriptor 1 a second name for descriptor 2 and return what it was."""
    try:
        sys.stdout.flush()
        kept = os.dup(_STDOUT)
    except (OSError, ValueError):  # closed, or full: the results will say so
        return None
    try:
        os.dup2(_STDERR, _STDOUT)
    except OSError:
        os.close(kept)
        return None
    return kept


def fill_missing() -> None:
    """Put something in the place of each standard stream that the program was started without.

    Else the next file that is opened would get its descriptor, and with it whatever is printed.  A standard output
    that is missing cannot be written to, so that a result is not lost without a word.
    """
    for descriptor, flags in ((_STDIN, os.O_RDONLY), (_STDOUT, os.O_RDONLY), (_STDERR, os.O_WRONLY)):
        try:
            os.fstat(descriptor)
        except OSError:
            opened = os.open(os.devnull, flags)
            if opened != descriptor:
                os.dup2(opened, descriptor)
                os.close(opened)
    if sys.stdin is None:  # pyright: ignore[reportUnnecessaryComparison] so it is where it was closed
        sys.stdin = os.fdopen(_STDIN, "r", encoding="utf-8", closefd=False)
    if sys.stdout is None:  # pyright: ignore[reportUnnecessaryComparison]
        sys.stdout = os.fdopen(_STDOUT, "w", encoding="utf-8", closefd=False)
    if sys.stderr is None:  # pyright: ignore[reportUnnecessaryComparison]
        sys.stderr = os.fdopen(_STDERR, "w", encoding="utf-8", closefd=False)


def forget_stdout() -> None:
    """Let the interpreter's last flush go nowhere, or it would complain of what is known already."""
    _forget(sys.stdout)


def flush_stderr() -> None:
    """Write what standard error still holds; where it takes nothing, the interpreter's last flush must not fail again."""
    try:
        sys.stderr.flush()
    except (OSError, ValueError):
        _forget(sys.stderr)


def _forget(stream: TextIO) -> None:
    try:
        descriptor = stream.fileno()
    except (OSError, ValueError):
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, descriptor)
    os.close(nowhere)
