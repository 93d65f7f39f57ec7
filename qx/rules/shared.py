"""The rules of one knowledge, compiled once for all engines of a process that have it."""

from __future__ import annotations

from qx.domain import Knowledge
from qx.rules.understand import RuleUnderstanding

KEPT = 16
"""Rules that are kept; then all are forgotten and it begins anew."""

_made: dict[tuple[int, bool, int], tuple[Knowledge, RuleUnderstanding]] = {}


def shared_rules(knowledge: Knowledge, *, spelling: bool, condense_above: int) -> RuleUnderstanding:
    """Return ``RuleUnderstanding`` of these very arguments; they hold nothing of the queries that they read.

    Knowledge is told apart by its identity: that of two tenants is one object only where it comes from installed packs
    alone (``qx.packs.merging``).

    Raises:
        PackError: as ``RuleUnderstanding``.
    """
    key = (id(knowledge), spelling, condense_above)
    known = _made.get(key)
    if known is None or known[0] is not knowledge:
        if len(_made) >= KEPT:
            _made.clear()
        rules = RuleUnderstanding(knowledge, spelling=spelling, condense_above=condense_above)
        known = _made[key] = (knowledge, rules)
    return known[1]
