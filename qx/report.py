"""What a request has to report beside its result: it grows while the request runs, and goes out with the result."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from qx.serial import replace
from qx.types import Degraded, Expansion, Span, Trace, Usage

if TYPE_CHECKING:
    from qx.request import RequestContext


@dataclass(slots=True)
class Report:
    """What a request has to report: it grows while the request runs."""

    usage: Usage = field(default_factory=Usage)
    degraded: list[Degraded] = field(default_factory=lambda: list[Degraded]())
    notes: list[str] = field(default_factory=lambda: list[str]())
    spans: list[Span] = field(default_factory=lambda: list[Span]())

    def absorb(self, other: Report, *, spent: bool) -> None:
        """Take over what ``other`` reports; its usage counts here only if ``spent``."""
        self.usage += other.usage if spent else Usage(cached=1)
        self.degraded.extend(other.degraded)
        self.notes.extend(other.notes)
        self.spans.extend(other.spans)


async def noted(context: RequestContext, expand: Callable[[RequestContext], Awaitable[Expansion]]) -> Expansion:
    """Return what ``expand`` makes of a request, with what was noted on its way, so that both are kept together."""
    report = Report()
    try:
        made = await expand(context.at("expand", report))
    finally:
        context.report.absorb(report, spent=True)
    return replace(made, notes=tuple(dict.fromkeys((*made.notes, *report.notes))))


def reported(expansion: Expansion, context: RequestContext) -> Expansion:
    """Return ``expansion`` with what its request reports: degradations, usage, trace."""
    report = context.report
    return replace(
        expansion,
        degraded=tuple(dict.fromkeys((*report.degraded, *expansion.degraded))),
        usage=report.usage,
        trace=Trace(id=context.trace, spans=tuple(report.spans)),
    )
