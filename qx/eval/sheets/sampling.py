"""A seeded sample of queries that holds of every stratum: kind, language, length."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

from qx.errors import UsageError

T = TypeVar("T")

SHORT, LONG = 10, 30
"""Places (a Han character takes two) up to which a query is short, and from which it is long."""


def length_class(text: str) -> str:
    """Return ``short``, ``medium`` or ``long``."""
    from rich.cells import cell_len

    places = cell_len(text)
    return "short" if places <= SHORT else "long" if places >= LONG else "medium"


def stratified(items: Sequence[T], count: int, stratum: Callable[[T], Hashable], *, seed: int) -> tuple[T, ...]:
    """Draw ``count`` of ``items`` so that every stratum has its share, in the order of ``items``.

    Shares are proportional (each place to whom most is owed); while there are places, no stratum goes without.  The same items, seed
    and count give the same sample.

    Raises:
        UsageError: ``count`` is below 1.
    """
    if count < 1:
        raise UsageError(f"a sample of {count}: draw at least 1")
    strata: dict[Hashable, list[int]] = defaultdict(list)
    for place, item in enumerate(items):
        strata[stratum(item)].append(place)
    chosen: list[int] = []
    shares = _shares({name: len(places) for name, places in strata.items()}, min(count, len(items)))
    for name, places in strata.items():
        chosen += random.Random(f"{seed} {name}").sample(places, shares[name])
    return tuple(items[place] for place in sorted(chosen))


def _shares(sizes: dict[Hashable, int], count: int) -> dict[Hashable, int]:
    """Divide ``count`` among strata of ``sizes``; the largest come first where there are fewer places than strata."""
    ordered = sorted(sizes, key=lambda name: (-sizes[name], str(name)))
    shares = {name: int(place < count) for place, name in enumerate(ordered)}
    total = sum(sizes.values())
    for _ in range(count - sum(shares.values())):
        open_ = [name for name in ordered if shares[name] < sizes[name]]
        shares[max(open_, key=lambda name: count * sizes[name] / total - shares[name])] += 1
    return shares
