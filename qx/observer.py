"""The contract of an observer: it is told what happens, and never slows it down."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any, Protocol, runtime_checkable

from qx.serial import empty, value


@value
class Event:
    """Something that happened.

    ``name`` is ``step.end``, ``model.call``, ``cache.hit``, ``degraded`` ...; ``attributes`` never hold query or
    document text; ``content`` does, and reaches only observers that ask for it.
    """

    name: str
    tenant: str
    trace: str
    at: float
    attributes: Mapping[str, Any] = field(default_factory=empty)
    content: Mapping[str, Any] = field(default_factory=empty)


@runtime_checkable
class Observer(Protocol):
    """Registered through ``qx_observers``."""

    @property
    def wants_content(self) -> bool: ...

    def on_event(self, event: Event, /) -> None:
        """Take note of ``event``.  Must not block; an exception is logged once and the request goes on."""
        ...

    async def aclose(self) -> None: ...
