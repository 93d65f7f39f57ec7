"""Which backends brought less than they were asked for: each cause once, however many lists it cost."""

from __future__ import annotations

from qx.searching.results import shortfalls
from qx.types import ListReport, Status, SubQuery


def report(backend: str, status: Status, reason: str = "") -> ListReport:
    return ListReport(query=SubQuery(text="x", strategy="original"), backend=backend, status=status, reason=reason)


def test_a_backend_that_is_late_is_told_once_and_each_other_cause():
    found = shortfalls(
        [
            report("a", "ok"),
            report("b", "timeout", "no answer within 2.8 s"),
            report("b", "timeout", "no answer within 2.7 s"),
            report("c", "timeout", "no answer within 2.7 s"),
            report("b", "failed", "refused"),
            report("b", "failed", "refused"),
            report("d", "skipped", "not for web"),
        ]
    )
    assert found == "b: no answer within 2.8 s; c: no answer within 2.7 s; b: refused"
    assert shortfalls([report("a", "ok")]) is False
