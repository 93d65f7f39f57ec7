"""Whether a judge can be believed: its agreement with the grades that people gave."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import field

from qx.eval.agreement import Weights, cohen_kappa
from qx.serial import empty, value

THRESHOLD = 0.4
"""Kappa below which a judge ranks nothing: from here on agreement is called moderate (Landis & Koch 1977)."""
ENOUGH = 20
"""Pairs from which on kappa says anything: with fewer, whoever guesses may reach any threshold."""


@value
class Trust:
    """One question: how far the judge and people agree.

    Attributes:
        kappa: Cohen's; None where it is not defined (no pairs, or all grades are one and the same).
        weights: How disagreements count; ``none`` where both sides are compared as yes or no.
        pairs: That both have graded; ``same``: how many alike.
        trusted: Whether kappa reaches ``threshold`` over ``ENOUGH`` pairs; None: no pair was graded by people, so nobody
            knows.
        confusion: People's grade -> the judge's grade -> pairs.
    """

    question: str
    kappa: float | None
    weights: Weights
    pairs: int
    same: int
    threshold: float
    trusted: bool | None
    confusion: Mapping[str, Mapping[str, int]] = field(default_factory=empty)
    note: str = ""


def trust(
    question: str,
    people: Sequence[int],
    judge: Sequence[int],
    *,
    scale: Sequence[int],
    weights: Weights,
    threshold: float = THRESHOLD,
) -> Trust:
    """Hold a judge's grades against people's, pair by pair.

    People's grades of relevance may be on another scale than the judge's: then both are compared as relevant (people:
    above 0; judge: 2 and above) or not.
    """
    notes: list[str] = []
    if any(grade not in scale for grade in people) or (len(scale) > 2 and scale[0] == 0 and set(people) <= {0, 1}):
        people, judge = [int(grade > 0) for grade in people], [int(grade >= 2) for grade in judge]
        scale, weights = (0, 1), "none"
        notes.append("people's grades are on another scale: compared as relevant (judge: 2 and above) or not")
    kappa = cohen_kappa(people, judge, weights=weights, scale=scale)
    table: dict[str, Counter[str]] = defaultdict(Counter)
    for one, other in zip(people, judge, strict=True):
        table[str(one)][str(other)] += 1
    if people and kappa is None:
        notes.append("kappa is not defined: all grades are one and the same")
    if 0 < len(people) < ENOUGH:
        count = "1 pair" if len(people) == 1 else f"{len(people)} pairs"
        notes.append(f"only {count}: {ENOUGH} are needed before kappa says anything")
    return Trust(
        question=question,
        kappa=kappa,
        weights=weights,
        pairs=len(people),
        same=sum(one == other for one, other in zip(people, judge, strict=True)),
        threshold=threshold,
        trusted=None if not people else len(people) >= ENOUGH and kappa is not None and kappa >= threshold,
        confusion={grade: dict(sorted(table[grade].items())) for grade in sorted(table, key=int)},
        note="; ".join(notes),
    )
