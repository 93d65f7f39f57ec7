"""Scored rows added up: the tables of a report, confusion, calibration."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence

from qx.eval.understanding.scoring import NOTHING, Count, Scored
from qx.eval.understanding.values import F1, Bin, Calibration, Intents, Matched, Scores, Share

BINS = 10
"""Of equal width, over confidences from 0 to 1."""


def summarise(rows: Sequence[Scored]) -> Scores:
    """Return the table of ``rows``."""
    shares = {name: _share(rows, name) for name in _SHARES}
    return Scores(
        rows=len(rows),
        intents=_intents(rows),
        entities=_matches(rows, "entities"),
        constraints=_matches(rows, "constraints"),
        implicit_needs=_matches(rows, "implicit_needs"),
        **shares,
    )


_SHARES = ("language_read", "language_kept", "must", "must_not", "sentiment", "stance", "kind")


def grouped(rows: Sequence[Scored], by: Callable[[Scored], str]) -> Mapping[str, Scores]:
    """Return a table for each group, the largest first."""
    groups: dict[str, list[Scored]] = defaultdict(list)
    for row in rows:
        groups[by(row)].append(row)
    ordered = sorted(groups.items(), key=lambda group: (-len(group[1]), group[0]))
    return {name: summarise(members) for name, members in ordered}


def f1(count: Count) -> F1:
    """Return precision, recall and F1; nothing wanted and nothing read: 1, as nothing is wrong."""
    if not count.wanted and not count.read:
        return F1(precision=1.0, recall=1.0, f1=1.0, found=0, wanted=0, read=0)
    return F1(
        precision=count.found / count.read if count.read else 0.0,
        recall=count.found / count.wanted if count.wanted else 0.0,
        f1=2 * count.found / (count.wanted + count.read),
        found=count.found,
        wanted=count.wanted,
        read=count.read,
    )


def _total(counts: Sequence[Count]) -> Count:
    return sum(counts, Count())


def _matches(rows: Sequence[Scored], name: str) -> Matched | None:
    exact = [row.exact[name] for row in rows if name in row.exact]
    partial = [row.partial[name] for row in rows if name in row.partial]
    return Matched(rows=len(exact), exact=f1(_total(exact)), partial=f1(_total(partial))) if exact else None


def _share(rows: Sequence[Scored], name: str) -> Share | None:
    total = _total([row.shares[name] for row in rows if name in row.shares])
    return Share(share=total.found / total.wanted, of=total.wanted) if total.wanted else None


def _intents(rows: Sequence[Scored]) -> Intents | None:
    said = [(row, set(row.row.wanted.intents)) for row in rows if row.row.wanted.intents is not None]
    if not said:
        return None
    counts: dict[str, Count] = defaultdict(Count)
    for row, wanted in said:
        read = set(row.reading.understanding.intent)
        for label in wanted | read:
            both = label in wanted and label in read
            counts[label] += Count(found=int(both), wanted=int(label in wanted), read=int(label in read))
    labels = {label: f1(counts[label]) for label in sorted(counts)}
    first, among = _share(rows, "first"), _share(rows, "among")
    return Intents(
        rows=len(said),
        first=first.share if first else 0.0,
        among=among.share if among else 0.0,
        macro_f1=sum(label.f1 for label in labels.values()) / len(labels) if labels else 1.0,
        labels=labels,
    )


def confusion(rows: Sequence[Scored]) -> Mapping[str, Mapping[str, int]]:
    """Return first wanted intent -> first read intent -> rows."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        wanted = row.row.wanted.intents
        if wanted is not None:
            found[_first(wanted)][_first(row.reading.understanding.intent)] += 1
    return {label: dict(found[label].most_common()) for label in sorted(found)}


def _first(intents: Sequence[str]) -> str:
    return intents[0] if intents else NOTHING


def calibrate(rows: Sequence[Scored]) -> Calibration | None:
    """Return how well the confidence of ``rows`` tells whether the first intent is right; None: no row says which is.

    Source: M. P. Naeini et al., "Obtaining Well Calibrated Probabilities Using Bayesian Binning" (2015), for the expected
    calibration error; G. W. Brier (1950) for the score.
    """
    points = [
        (row.reading.understanding.confidence, row.shares["among"].found) for row in rows if "among" in row.shares
    ]
    if not points:
        return None
    bins: dict[int, list[tuple[float, int]]] = defaultdict(list)
    for confidence, right in points:
        bins[min(BINS - 1, int(confidence * BINS))].append((confidence, right))
    reliability = tuple(_bin(place, bins[place]) for place in sorted(bins))
    return Calibration(
        rows=len(points),
        ece=sum(b.rows * abs(b.accuracy - b.confidence) for b in reliability) / len(points),
        brier=sum((confidence - right) ** 2 for confidence, right in points) / len(points),
        confidence=sum(confidence for confidence, _ in points) / len(points),
        accuracy=sum(right for _, right in points) / len(points),
        bins=reliability,
    )


def _bin(place: int, points: Sequence[tuple[float, int]]) -> Bin:
    return Bin(
        low=place / BINS,
        high=(place + 1) / BINS,
        rows=len(points),
        confidence=sum(confidence for confidence, _ in points) / len(points),
        accuracy=sum(right for _, right in points) / len(points),
    )
