"""Messages of the logs that tests write, their times as a clock in Shanghai shows them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from qx_chatlog.message import Message

SHANGHAI = ZoneInfo("Asia/Shanghai")


def said(id: str, session: str, role: str, when: str, content: str, who: str = "", **more: Any) -> Message:
    """A message of Ann's log, unless another user is given."""
    time = datetime.fromisoformat(when).replace(tzinfo=SHANGHAI).astimezone(UTC)
    given = {"user": "ann", "zone": "Asia/Shanghai", **more}
    return Message(id=id, tenant="t", session=session, role=role, time=time, content=content, speaker=who, **given)


def people_of(user: str) -> Callable[[str, str, str, str, str], Message]:
    """Return what makes a message that somebody wrote in a user's log, from id, session, time, content and speaker."""

    def message(id: str, session: str, when: str, content: str, who: str) -> Message:
        return said(id, session, "user", when, content, who, user=user, zone="UTC")

    return message
