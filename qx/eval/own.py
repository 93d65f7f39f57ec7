"""qx's own measures: what a list is beside the raw query's.  One function each; all are per query."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from qx.serial import value

NOT_COUNTED = float("nan")
"""A query to which a measure does not apply: means and comparisons leave it out."""


@value
class RawList:
    """What is kept of the raw query's list: its first documents, and those of all its documents that are relevant."""

    first: tuple[str, ...] = ()
    relevant: frozenset[str] = frozenset()


@value
class Listing:
    """One query's list as the measures see it.

    Attributes:
        found: Document ids, best first.
        grades: The query's own; None where nobody judged it.
        least: The least grade that counts as relevant.
        raw: None where the report has no raw list.
    """

    found: Sequence[str]
    grades: Mapping[str, int] | None
    least: int = 1
    raw: RawList | None = None

    def relevant(self, ids: Collection[str]) -> set[str]:
        """Return those of ``ids`` that are relevant; what nobody judged is not."""
        grades = self.grades or {}
        return {id_ for id_ in ids if grades.get(id_, 0) >= self.least}


def zero_results(listing: Listing, depth: int | None) -> float:
    """1 where nothing was found (a failed search found nothing), else 0; every query counts."""
    return 0.0 if listing.found else 1.0


def unique_useful(listing: Listing, depth: int | None) -> float:
    """Return how many relevant documents the first ``depth`` (None: all) have that the raw list has nowhere."""
    if listing.raw is None or listing.grades is None:
        return NOT_COUNTED
    return float(len(listing.relevant(listing.found[:depth]) - listing.raw.relevant))


def good(listing: Listing, depth: int | None) -> float:
    """Return how many relevant documents are in the first ``depth``; a judged query without any counts as 0."""
    if listing.grades is None:
        return NOT_COUNTED
    return float(len(listing.relevant(listing.found[:depth])))


def good_kept(listing: Listing, depth: int | None) -> float:
    """Return which share of the relevant documents of the raw list's first ``depth`` is still in the first ``depth``."""
    if listing.raw is None or listing.grades is None:
        return NOT_COUNTED
    before = listing.relevant(listing.raw.first[:depth])
    return len(before & set(listing.found[:depth])) / len(before) if before else NOT_COUNTED


def good_added(listing: Listing, depth: int | None) -> float:
    """Return how many relevant documents of the first ``depth`` are not in the raw list's first ``depth``."""
    if listing.raw is None or listing.grades is None:
        return NOT_COUNTED
    return float(len(listing.relevant(listing.found[:depth]) - set(listing.raw.first[:depth])))


def overlap(listing: Listing, depth: int | None) -> float:
    """Return the share of the longer list's first ``depth`` that both have; two empty lists are the same."""
    if listing.raw is None:
        return NOT_COUNTED
    here, there = set(listing.found[:depth]), set(listing.raw.first[:depth])
    longer = max(len(here), len(there))
    return len(here & there) / longer if longer else 1.0


def mean_grade(listing: Listing, depth: int | None) -> float:
    """Return the mean grade of the first ``depth``; not judged and negative are 0, and so is an empty list."""
    if listing.grades is None:
        return NOT_COUNTED
    shown = listing.found[:depth]
    return sum(max(listing.grades.get(id_, 0), 0) for id_ in shown) / len(shown) if shown else 0.0


OWN: dict[str, Callable[[Listing, int | None], float]] = {
    "zero-results": zero_results,
    "unique-useful": unique_useful,
    "good": good,
    "good-kept": good_kept,
    "good-added": good_added,
    "overlap": overlap,
    "mean-grade": mean_grade,
}
"""By family."""
