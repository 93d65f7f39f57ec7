"""The key of a step's result: everything that it depends on, and nothing else."""

from __future__ import annotations

import hashlib
import json

from qx.clock import Clock
from qx.moment import moment, spoken_date
from qx.serial import to_plain
from qx.settings import Profile
from qx.types import Query

_PACKED = json.JSONEncoder(ensure_ascii=True, separators=(",", ":")).encode


def digest(query: Query, profile: Profile, fingerprint: str, clock: Clock) -> str:
    """Return the digest of a step's key for ``query``; the tenant and the step are fields of the key beside it.

    In it: the profile's fingerprint (model, prompts, parameters, packs), the
    exact text, history, language, time zone and filters, and the date only where the query speaks of time.  Of any
    other query the year is in it: rules write it into queries ("best laptops 2026"), which are wrong the year after.
    """
    now, zone = moment(query, profile, clock)
    parts = {
        "profile": fingerprint,
        "text": query.text,
        "history": [(turn.role, turn.content) for turn in query.history],
        "language": query.language,
        "date": spoken_date(query, now) or now.year,
        "zone": zone.key,
        "filters": to_plain(query.filters) if query.filters is not None else None,
    }
    return hashlib.sha256(_PACKED(parts).encode()).hexdigest()
