"""The processor ``stale``: says so when the query wants something newer than all that was found.

A query that speaks of a time ("this week", 2026年) or of the newest (最新, "latest") has a moment before which nothing
answers it.  Where every dated hit lies before that moment, the outcome of the list is ``stale``; no hit is dropped.  A
query that speaks of no time is never stale, nor is one about the past without a beginning ("before 2020").
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta, tzinfo
from typing import TYPE_CHECKING, Self
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import Field

from qx.builtin.published import FIELDS, published
from qx.durations import Duration
from qx.model import Model
from qx.ranking import Ranking
from qx.text import times

if TYPE_CHECKING:
    from qx.context import Context
    from qx.hookspecs import Services


class Settings(Model):
    """The settings of ``{type: stale}`` under ``search.processors``."""

    fields: tuple[str, ...] = Field(default=FIELDS, min_length=1)
    """Where metadata keeps the date of publishing, the first that has one counts; `a.b` looks inside of mappings."""
    newest: Duration = 180 * 86400.0
    """How old the newest hit may be where the query asks for the newest and names no time."""
    top: int = Field(default=100, ge=1)
    """Hits that are looked at."""


class Stale:
    """Registered as ``stale`` through ``qx_post_processors``."""

    Settings = Settings

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    @classmethod
    async def create(cls, settings: Settings, services: Services, /) -> Self:
        """Make the processor; it holds nothing but its settings."""
        del services
        return cls(settings)

    async def process_hits(self, ranking: Ranking, context: Context, /) -> Ranking:
        """Return the list as it is, called ``stale`` where it is: the note has the newest date and the undated share."""
        now, zone = _moment(context)
        wanted = self._wanted(context.query.text, now, zone)
        count = min(self._settings.top, len(ranking.keys))
        if wanted is None or not count:
            return ranking
        dates = [
            published(ranking.hit(i).metadata, now=now, zone=zone, fields=self._settings.fields) for i in range(count)
        ]
        known = [found for found in dates if found is not None]
        if not known or max(known) >= wanted:
            return ranking
        note = (
            f"stale: the newest of {len(known)} dated hits is of {max(known).astimezone(zone):%Y-%m-%d}, "
            f"the query asks for {wanted.astimezone(zone):%Y-%m-%d} or later; "
            f"{1 - len(known) / count:.0%} of {count} hits have no date"
        )
        context.emit("stale", newest=max(known).isoformat(), wanted=wanted.isoformat(), undated=1 - len(known) / count)
        return replace(ranking, outcome="stale", notes=(*ranking.notes, note))

    def _wanted(self, text: str, now: datetime, zone: tzinfo) -> datetime | None:
        """The moment before which nothing answers ``text``; None where it speaks of no time, or of one without it."""
        mentions = times.find(text, now=now, zone=zone)
        recent = now - timedelta(seconds=self._settings.newest)
        ranges = [mention.range for mention in mentions if mention.range is not None]
        if any(found.open_start for found in ranges):
            return None
        # what is written about the future was written before it
        starts = [min(found.start, recent) if found.start > now else found.start for found in ranges]
        if starts:
            return min(starts)
        return recent if any(mention.newest for mention in mentions) else None

    async def aclose(self) -> None:
        """Nothing to close."""


def _moment(context: Context) -> tuple[datetime, tzinfo]:
    """The query's moment, and its zone: its own, or that of the moment."""
    now = context.query.now or context.clock.now()
    if context.query.timezone:
        try:
            return now, ZoneInfo(context.query.timezone)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            pass
    return now, now.tzinfo or context.clock.now().tzinfo or ZoneInfo("UTC")


__all__ = ["Settings", "Stale"]
