"""What ``qx index`` says it did: one line for a person, a value for ``--json``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qx.indexing.record import Bad
from qx.serial import value

if TYPE_CHECKING:
    from qx.indexing.writing import Summary


@value
class IndexSummary:
    """``indexed`` are findable now, ``resumed`` were there from a run that was cut off; ``dry_run``: nothing was done.

    ``warnings``: where the profile's fields and the whole index do not go together.
    """

    backend: str
    indexed: int = 0
    resumed: int = 0
    deleted: int = 0
    skipped: tuple[Bad, ...] = ()
    dry_run: bool = False
    warnings: tuple[str, ...] = ()


def index_summary(summary: Summary, backend: str, *, dry: bool, warnings: tuple[str, ...] = ()) -> IndexSummary:
    """Return the value that ``--json`` prints."""
    return IndexSummary(
        backend=backend,
        indexed=summary.indexed,
        resumed=summary.resumed,
        deleted=summary.deleted,
        skipped=tuple(summary.skipped),
        dry_run=dry,
        warnings=warnings,
    )


def index_line(made: IndexSummary, *, deleting: bool) -> str:
    """Return such as ``3 documents indexed, 1 skipped``."""
    would = "would be " if made.dry_run else ""
    parts = [] if deleting else [f"{_documents(made.indexed)} {would}indexed"]
    if made.resumed:
        parts.append(f"{made.resumed} {_were(made.resumed)} there from a run that was cut off")
    if deleting or made.deleted:
        parts.append(f"{_documents(made.deleted) if deleting else made.deleted} {would}removed")
    if made.skipped:
        parts.append(f"{len(made.skipped)} skipped")
    return ", ".join(parts)


def _documents(number: int) -> str:
    return f"{number} document{'' if number == 1 else 's'}"


def _were(number: int) -> str:
    return "was" if number == 1 else "were"
