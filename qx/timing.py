"""How long the pieces of a request take: the spans of its trace."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from qx.errors import QxError
from qx.types import Span

if TYPE_CHECKING:
    from qx.request import RequestContext


class Timer:
    """Times a ``with`` block and adds it to the report as a span, also when the block raises."""

    __slots__ = ("_attributes", "_began", "_context", "_name")

    def __init__(self, context: RequestContext, name: str, attributes: dict[str, Any]) -> None:
        self._context = context
        self._name = name
        self._attributes = attributes
        self._began = 0.0

    def set(self, **attributes: str | int | float | bool | None) -> None:
        self._attributes.update(attributes)

    def __enter__(self) -> Timer:
        self._began = self._context.clock.monotonic()
        return self

    def __exit__(self, *exc: object) -> None:
        error = exc[1]
        if error is not None:
            self._attributes["error"] = str(error) if isinstance(error, QxError) else type(error).__name__
            self._attributes["kind"] = type(error).__name__
        now = self._context.clock.monotonic()
        span = Span(
            name=self._name,
            start=round((self._began - self._context.began) * 1000, 3),
            duration=round((now - self._began) * 1000, 3),
            attributes=self._attributes,
        )
        self._context.report.spans.append(span)
        if self._context.observed:
            self._context.emit("span", span=span.name, duration=span.duration, **self._attributes)
