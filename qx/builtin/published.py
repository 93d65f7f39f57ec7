"""When a document was published, as far as its metadata says so."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import MAXYEAR, MINYEAR, UTC, date, datetime, tzinfo
from email.utils import parsedate_to_datetime
from typing import cast

from qx.text import times

FIELDS = ("published", "published_at", "publishedDate", "datePublished", "pubdate", "pubDate", "published_date", "date")
"""Where metadata keeps it, by the names that engines and feeds use."""

_SECONDS = (1e8, 1e10)  # 1973 to 2286
_MILLISECONDS = (1e11, 1e13)
_DIGITS = re.compile(r"\d{9,13}(?:\.\d+)?")
_LONGEST_DATE = 60


def published(
    metadata: Mapping[str, object], *, now: datetime, zone: tzinfo, fields: Sequence[str] = FIELDS
) -> datetime | None:
    """Return when a document was published (aware), or None where nothing of ``fields`` says so.

    Read are dates and date-times (ISO 8601, RFC 2822), seconds and milliseconds since 1970, and what people write
    (``3天前``, "May 3, 2024", ``2024年5月``), of which the beginning counts.

    Args:
        metadata: As it was stored; ``source.date`` also looks inside of mappings.
        now: What "3 days ago" is relative to.
        zone: The zone of times that name none.
    """
    for name in fields:
        found = read(_value(metadata, name), now=now, zone=zone)
        if found is not None:
            return found
    return None


def read(item: object, *, now: datetime, zone: tzinfo) -> datetime | None:
    """Return the moment that ``item`` names, or None.

    The first and the last year of the calendar stand for "never", and have no time in every zone: they name none.
    """
    found = _read(item, now=now, zone=zone)
    return found if found is not None and MINYEAR < found.year < MAXYEAR else None


def _read(item: object, *, now: datetime, zone: tzinfo) -> datetime | None:
    if isinstance(item, datetime):
        return item if item.tzinfo else item.replace(tzinfo=zone)
    if isinstance(item, date):
        return datetime(item.year, item.month, item.day, tzinfo=zone)
    if isinstance(item, (int, float)) and not isinstance(item, bool):
        return _since_1970(item)
    if not isinstance(item, str) or not item.strip() or len(item) > _LONGEST_DATE:
        return None
    text = item.strip()
    if _DIGITS.fullmatch(text):
        return _since_1970(float(text))
    return _written(text, now=now, zone=zone)


def _written(text: str, *, now: datetime, zone: tzinfo) -> datetime | None:
    for parse in (datetime.fromisoformat, parsedate_to_datetime):
        try:
            moment = parse(text)
            return moment if moment.tzinfo else moment.replace(tzinfo=zone)
        except (ValueError, TypeError, IndexError, OverflowError):
            continue
    found = times.parse(text, now=now, zone=zone)
    return found[0].start if found and not found[0].open_start else None


def _since_1970(seconds: float) -> datetime | None:
    """The moment, of any number: it may have 400 digits."""
    if _MILLISECONDS[0] <= seconds < _MILLISECONDS[1]:
        seconds /= 1000
    if not _SECONDS[0] <= seconds < _SECONDS[1]:
        return None
    return datetime.fromtimestamp(seconds, UTC)


def _value(metadata: Mapping[str, object], name: str) -> object:
    found = metadata.get(name)
    head, dot, rest = name.partition(".")
    if found is None and dot and isinstance(inner := metadata.get(head), Mapping):
        return _value(cast("Mapping[str, object]", inner), rest)
    if isinstance(found, (list, tuple)):
        return next(iter(cast("Sequence[object]", found)), None)
    return found


__all__ = ["FIELDS", "published", "read"]
