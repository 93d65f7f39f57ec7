"""Tables of plain text for terminals and pipes: columns line up, Chinese characters taking two places."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.cells import cell_len, set_cell_size

GAP = "  "


def aligned(rows: Sequence[Sequence[str]], *, left: int = 1, widest: int = 60) -> list[str]:
    """Return ``rows`` as lines whose columns line up.

    Args:
        rows: Cells; a row may be shorter than others.
        left: So many columns, the first, begin at their left; the others, numbers, end at their right.
        widest: Places of a column at most; longer text is cut with ``…``.
    """
    cells = [[_cut(cell, widest) for cell in row] for row in rows]
    count = max((len(row) for row in cells), default=0)
    widths = [max(cell_len(row[i]) for row in cells if i < len(row)) for i in range(count)]
    return [GAP.join(_padded(cell, widths[i], left=i < left) for i, cell in enumerate(row)).rstrip() for row in cells]


def indented(rows: Sequence[Sequence[str]], *, left: int) -> Iterator[str]:
    """Yield ``aligned`` rows as lines of a report, two places in."""
    for line in aligned(rows, left=left):
        yield f"{GAP}{line}"


def _cut(text: str, widest: int) -> str:
    return text if cell_len(text) <= widest else set_cell_size(text, widest - 1).rstrip() + "…"


def _padded(text: str, width: int, *, left: bool) -> str:
    space = " " * (width - cell_len(text))
    return text + space if left else space + text


def points(fraction: float | None, digits: int = 1) -> str:
    """Return a fraction of 1 in points of 100, ``-`` for None."""
    return "-" if fraction is None else f"{fraction * 100:.{digits}f}"


def number(item: float | None, digits: int = 2) -> str:
    """Return a number with so many digits, ``-`` for None."""
    return "-" if item is None else f"{item:.{digits}f}"
