"""Why nothing could be found out is said once."""

from __future__ import annotations

from qx_answer.ending import failed
from qx_answer.events import Allowed, BudgetShown, Degradation, Done, Spent

NONE = Spent(used=0, limit=1)
BUDGET = BudgetShown(rounds=NONE, searches=NONE, tokens=NONE, seconds=Allowed(limit=1.0))


def done(*reasons: str) -> Done:
    found = tuple(Degradation(step="search", rung="without this query", reason=reason) for reason in reasons)
    return Done(answer="", stopped_because="search failed", budget=BUDGET, degraded=found)


def test_a_reason_within_another_one_is_not_said_twice() -> None:
    error = failed(done("docs: there is no index", "every search backend failed: docs: there is no index"))
    assert str(error).count("there is no index") == 1


def test_two_reasons_are_both_said() -> None:
    error = failed(done("docs: there is no index", "wiki: no answer"))
    assert "there is no index" in str(error)
    assert "no answer" in str(error)
