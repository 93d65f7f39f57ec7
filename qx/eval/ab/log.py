"""The log of an experiment: JSON lines, appended by any number of processes, read in one go."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import BinaryIO

from qx.builtin.own_file import append
from qx.errors import ProfileError, UsageError
from qx.eval.ab.records import Exposure, Outcome, Row, parse
from qx.indexing.record import MOST_BYTES
from qx.serial import empty, to_json, value


class Log:
    """Appends rows to a file, which is opened anew for each, so that a rotated file is followed.

    A row is one write at the end of the file (``O_APPEND``): rows of several processes on one machine do not mix.  What a
    crash tears off in the middle ends at the next row's first byte, a new line, and costs that one row.  The file is its
    owner's alone: it holds what people searched for.

    Args:
        path: The file; made with the first row.
    """

    def __init__(self, path: Path | str) -> None:
        self._path = Path(path)

    def write(self, *rows: Row) -> None:
        """Append rows.  Takes some ten microseconds and does not wait for the disk.

        Raises:
            UsageError: a row could not be read back (no time zone, no user).
            OSError: the file cannot be written.
        """
        lines: list[bytes] = []
        for row in rows:
            line = to_json(row).encode("utf-8", "backslashreplace")
            problem = parse(line)
            if isinstance(problem, str):
                raise UsageError(f"this row cannot be logged: {problem}")
            lines.append(line)
        if lines:
            append(self._path, b"\n".join(lines) + b"\n")


@value
class Logged:
    """What the files of an experiment hold.

    Attributes:
        unreadable: Why lines were left out -> how many.
        copies: Rows that stand word for word in another file as well, and were counted there.
    """

    exposures: Sequence[Exposure]
    outcomes: Sequence[Outcome]
    unreadable: Mapping[str, int] = field(default_factory=empty)
    copies: int = 0


def read(paths: Sequence[Path], experiment: str | None = None) -> tuple[str, Logged]:
    """Read logs.  A row that stands twice in one file counts twice, as it was logged; one that stands in two files counts
    once: a log and its rotated copy hold the same.

    Args:
        paths: Files of JSON lines; rotated ones in any order, none of them twice.
        experiment: Its name; None: the only one that they hold.

    Returns:
        The experiment's name, and its rows.

    Raises:
        ProfileError: a file cannot be read.
        UsageError: a file is named twice, there is no row of the experiment, or several experiments and none is named.
    """
    _check_once(paths)
    copies = _Copies()
    rows: dict[str, list[Row]] = {}
    unreadable: Counter[str] = Counter()
    for path in paths:
        try:
            if path.exists() and not path.is_file():
                raise ProfileError("is no file with an end", file=str(path), hint="give a file of JSON lines")
            copies.next_file()
            with path.open("rb") as stream:
                for line in _lines(stream):
                    if line is None:
                        unreadable[f"longer than {MOST_BYTES // 1_000_000} MB"] += 1
                        continue
                    found = parse(line) if line.strip() else None
                    if isinstance(found, str):
                        unreadable[found] += 1
                    elif found is not None and not copies.holds(line):
                        rows.setdefault(found.experiment, []).append(found)
        except OSError as error:
            raise ProfileError(f"cannot be read: {error.strerror or error}", file=str(path)) from error
    name = _chosen(rows, experiment, unreadable)
    return name, Logged(
        exposures=[row for row in rows[name] if isinstance(row, Exposure)],
        outcomes=[row for row in rows[name] if isinstance(row, Outcome)],
        unreadable=dict(unreadable.most_common()),
        copies=copies.count,
    )


def _check_once(paths: Sequence[Path]) -> None:
    known: dict[Path, Path] = {}
    for path in paths:
        place = path.resolve()
        if place in known:
            raise UsageError(
                f"{path} is named twice{f' (as {known[place]})' if known[place] != path else ''}: name it once"
            )
        known[place] = path


class _Copies:
    """Finds the lines that another file holds as well; of each line as many count as the file with most of them has."""

    def __init__(self) -> None:
        self.count = 0
        self._before: Counter[int] = Counter()
        self._here: Counter[int] = Counter()

    def next_file(self) -> None:
        """What comes now is of another file."""
        self._before |= self._here
        self._here = Counter()

    def holds(self, line: bytes) -> bool:
        """Take a line, and return whether it was counted with an earlier file."""
        digest = hash(line.strip())
        self._here[digest] += 1
        again = self._here[digest] <= self._before[digest]
        self.count += again
        return again


def _lines(stream: BinaryIO) -> Iterator[bytes | None]:
    """Yield lines; None for one that is too long to be a row, of which no more than that is ever held."""
    while line := stream.readline(MOST_BYTES + 1):
        if len(line) <= MOST_BYTES:
            yield line
            continue
        while line and not line.endswith(b"\n"):
            line = stream.readline(MOST_BYTES)
        yield None


def _chosen(rows: Mapping[str, object], experiment: str | None, unreadable: Counter[str]) -> str:
    if experiment is not None and experiment in rows:
        return experiment
    known = ", ".join(sorted(rows)) or "none"
    if experiment is not None:
        raise UsageError(f"there are no rows of the experiment {experiment!r} (there are: {known})")
    if len(rows) == 1:
        return next(iter(rows))
    if rows:
        raise UsageError(f"there are several experiments: name one of {known}")
    why = f"; {sum(unreadable.values())} lines cannot be read: {next(iter(unreadable))}" if unreadable else ""
    raise UsageError(f"there is no row in these files{why}")


__all__ = ["Log", "Logged", "read"]
