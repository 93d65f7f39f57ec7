"""Queries for searching, and queries for proving: drawn by a seed, in the same shares of every kind of query."""

from __future__ import annotations

import hashlib
import random
from collections import defaultdict
from dataclasses import replace

from qx.errors import UsageError
from qx.eval.measures import has_relevant
from qx.eval.values import Dataset, EvalQuery
from qx.text.normalise import fold

FEWEST = 10
"""Queries of each side: with fewer the search would learn them by heart.  To prove takes ``decision.PROVING``."""


def split(dataset: Dataset, *, share: float = 0.5, seed: int = 0) -> tuple[Dataset, Dataset]:
    """Return the training side and the held-out side.

    Queries without a relevant document prove nothing and are left out; queries of one text (case and width aside) stay on
    one side.  Within a kind of query (and language, where the dataset states one) the sides have their shares.

    Args:
        share: Of the training side.

    Raises:
        UsageError: ``share`` is out of bounds, there are no judgements, or a side would have too few queries.
    """
    if not 0 < share < 1:
        raise UsageError(f"share {share}: give one between 0 and 1")
    if not dataset.grades:
        raise UsageError(f"{dataset.name} has no judgements, and nothing is proven without: bring its qrels")
    kinds: dict[tuple[str, str], dict[str, list[EvalQuery]]] = defaultdict(dict)
    for query in dataset.queries:
        if has_relevant(dataset, query.id):
            kinds[query.kind, query.language or ""].setdefault(fold(query.text), []).append(query)
    chance = random.Random(f"{seed}:{dataset.fingerprint}")
    train: set[str] = set()
    held: set[str] = set()
    owed = 0.0
    for _, texts in sorted(kinds.items()):
        order = sorted(texts)
        chance.shuffle(order)
        owed += share * len(order)  # what rounding leaves goes on to the next kind
        take = min(len(order), max(0, round(owed)))
        owed -= take
        for place, text in enumerate(order):
            (train if place < take else held).update(query.id for query in texts[text])
    for name, side in (("training", train), ("held-out", held)):
        if len(side) < FEWEST:
            raise UsageError(
                f"{dataset.name}: {len(side)} {name} queries with relevant documents: tuning needs {FEWEST} on each side"
            )
    return _side(dataset, train, f"train-{seed}-{share:g}"), _side(dataset, held, f"held-{seed}-{share:g}")


def part(dataset: Dataset, count: int, *, seed: int = 0) -> Dataset:
    """Return ``count`` queries of a dataset, drawn by a seed; all of them where it has no more."""
    if count >= len(dataset.queries):
        return dataset
    chosen = random.Random(f"{seed}:{dataset.fingerprint}").sample([q.id for q in dataset.queries], count)
    return _side(dataset, set(chosen), f"{count}")


def _side(dataset: Dataset, ids: set[str], label: str) -> Dataset:
    digest = hashlib.sha256("\n".join([dataset.fingerprint, label, *sorted(ids)]).encode()).hexdigest()
    return replace(
        dataset,
        name=f"{dataset.name} {label}",
        queries=tuple(query for query in dataset.queries if query.id in ids),
        grades={id: grades for id, grades in dataset.grades.items() if id in ids},
        fingerprint=digest,
    )


__all__ = ["FEWEST", "part", "split"]
