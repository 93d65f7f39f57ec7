"""An observer that keeps what it was told, for a test to look at."""

from __future__ import annotations

from typing import ClassVar

from qx.hookspecs import Services
from qx.model import Model
from qx.observer import Event


class Settings(Model):
    """The settings of ``type: fake``: ``instance`` (see ``FakeObserver.named``)."""

    instance: str | None = None
    wants_content: bool = False


class FakeObserver:
    """Implements ``Observer``.

    Args:
        wants_content: Whether it asks for the text of queries and documents.

    Attributes:
        events: Every event so far.
        closed: Whether ``aclose`` was called.
    """

    Settings = Settings
    _instances: ClassVar[dict[str, FakeObserver]] = {}

    def __init__(self, *, wants_content: bool = False) -> None:
        self.wants_content = wants_content
        self.events: list[Event] = []
        self.closed = False

    @classmethod
    async def create(cls, settings: Settings, services: Services, /) -> FakeObserver:
        if settings.instance is not None:
            return cls._instances[settings.instance]
        return cls(wants_content=settings.wants_content)

    def named(self, instance: str) -> FakeObserver:
        """Make this one what ``{type: fake, instance: NAME}`` means in profiles of this process; returns itself."""
        self._instances[instance] = self
        return self

    @property
    def names(self) -> list[str]:
        """What happened, in order."""
        return [event.name for event in self.events]

    def on_event(self, event: Event, /) -> None:
        self.events.append(event)

    async def aclose(self) -> None:
        self.closed = True
