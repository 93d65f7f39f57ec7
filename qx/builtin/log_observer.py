"""Events as log lines: ``observers: [{type: log, level: info}]``."""

from __future__ import annotations

import logging
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from qx.hookspecs import Services
from qx.observer import Event
from qx.serial import to_json


class LogObserverSettings(BaseModel):
    """``level`` is the level of the lines."""

    model_config = ConfigDict(extra="forbid")
    level: Literal["debug", "info", "warning"] = "info"


class LogObserver:
    """One line an event on the logger ``qx.events``.  It never sees the text of a query.

    What degrades a result is a warning on the logger ``qx`` already, with its reason; its event is a line like others.

    Args:
        level: A level of ``logging``.
    """

    Settings = LogObserverSettings
    wants_content = False

    def __init__(self, level: int) -> None:
        self._level = level
        self._log = logging.getLogger("qx.events")

    @classmethod
    async def create(cls, settings: LogObserverSettings, services: Services, /) -> LogObserver:
        return cls(logging.getLevelNamesMapping()[settings.level.upper()])

    def on_event(self, event: Event, /) -> None:
        if self._log.isEnabledFor(self._level):
            words = " ".join(f"{name}={_word(item)}" for name, item in event.attributes.items())
            self._log.log(self._level, "%s tenant=%s trace=%s %s", event.name, event.tenant, event.trace, words)

    async def aclose(self) -> None:
        return None


def _word(item: Any) -> str:
    """A value as one word of a log line: bare where it is one, else JSON (no line breaks)."""
    if isinstance(item, float):
        return f"{item:.6g}"
    if isinstance(item, str) and item.isalnum():
        return item
    return to_json(item)
