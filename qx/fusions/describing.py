"""What ranked lists say beside their hits (frequencies, counts, totals), put together for the list made of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from qx.ranking import Ranking
from qx.serial import replace


def described(fused: Ranking, rankings: Sequence[Ranking]) -> Ranking:
    """Return ``fused`` with what the lists that it was made of say beside their hits.

    Sub-queries of one engine look at the same documents, so its greatest number counts; those of several engines add
    up.  A total is never less than what was found.
    """
    frequencies: dict[str, int] = {}
    facets: dict[str, dict[str, dict[str, int]]] = {}
    totals: dict[str, int | None] = {}
    for ranking in rankings:
        name = ranking.backend or ""
        for word, count in ranking.frequencies.items():
            frequencies[word] = max(count, frequencies.get(word, 0))
        for field, counts in ranking.facets.items():
            known = facets.setdefault(field, {}).setdefault(name, {})
            for item, count in counts:
                known[item] = max(count, known.get(item, 0))
        before = totals.get(name, 0)
        totals[name] = None if before is None or ranking.total is None else max(before, ranking.total)
    known_totals = [total for total in totals.values() if total is not None]
    complete = bool(totals) and len(known_totals) == len(totals)
    return replace(
        fused,
        frequencies=frequencies,
        documents=max((r.documents for r in rankings if r.documents is not None), default=None),
        facets={field: _added(list(by_backend.values())) for field, by_backend in facets.items()},
        total=max(sum(known_totals), len(fused.keys)) if complete else None,
        dropped=tuple(dict.fromkeys(pair for r in rankings for pair in r.dropped)),
        notes=tuple(dict.fromkeys(note for r in rankings for note in r.notes)),
    )


def _added(counts: Sequence[Mapping[str, int]]) -> tuple[tuple[str, int], ...]:
    """The counts of several engines added up, most frequent first."""
    total: dict[str, int] = {}
    for of_one in counts:
        for item, count in of_one.items():
            total[item] = total.get(item, 0) + count
    return tuple(sorted(total.items(), key=lambda pair: (-pair[1], pair[0])))


__all__ = ["described"]
