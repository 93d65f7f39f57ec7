"""The word lists of this package: a line is a group of words; what is wrong in one is told with its file and line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import resources

from qx.errors import PluginError

Row = tuple[int, tuple[tuple[str, ...], ...]]
"""The number of a line, and its words by the columns that ``|`` parts."""


def rows(name: str, *, columns: int = 1) -> Iterator[Row]:
    """Yield the lines of ``data/NAME.txt`` that are no comments, their words parted by commas.

    Raises:
        PluginError: as ``parsed``.
    """
    text = resources.files("qx_answer").joinpath(f"data/{name}.txt").read_text("utf-8")
    return parsed(text.splitlines(), f"{name}.txt", columns=columns)


def parsed(lines: Sequence[str], file: str, *, columns: int = 1) -> Iterator[Row]:
    """Yield the rows of ``lines``.

    Args:
        file: The name that an error gives.
        columns: Parts of a line, between ``|``.

    Raises:
        PluginError: a line has other columns, no word between two commas, or a word that its column has from an earlier one:
            which of the two holds could not be told.
    """
    known: dict[tuple[int, str], int] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip() or line.startswith("#"):
            continue
        parts = line.split("|")
        if len(parts) != columns:
            raise _fault(file, number, f"{len(parts)} columns between |, where there are {columns}")
        found = tuple(tuple(word.strip() for word in part.split(",")) for part in parts)
        for column, listed in enumerate(found):
            for word in listed:
                if not word:
                    raise _fault(file, number, "no word between two commas")
                first = known.setdefault((column, word.casefold()), number)
                if first != number or listed.count(word) > 1:
                    raise _fault(file, number, f"{word!r} stands in line {first} already")
        yield number, found


def _fault(file: str, line: int, why: str) -> PluginError:
    return PluginError(f"{file}, line {line}: {why}", plugin="answer")
