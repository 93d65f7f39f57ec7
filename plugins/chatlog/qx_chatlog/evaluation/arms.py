"""What is compared: plain BM25, all controls together, and each of them left out."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from functools import lru_cache
from typing import Final

from qx.operation import Principal
from qx.serial import replace, value
from qx.text import times
from qx_chatlog.asking.wording import wanted
from qx_chatlog.evaluation.locomo import TENANT, Question
from qx_chatlog.index.logstore import LogStore
from qx_chatlog.message import Found, Message
from qx_chatlog.store import Controls, Search

MOST: Final = 20
"""Turns that are looked at."""
PLAIN: Final = "bm25"
ALL: Final = "all controls"


@value
class Arm:
    """A way to search.

    Attributes:
        time: Whether times that a question names are used.
        kind: Whether what kind of message answers is.
        searches: So many, each for a part of the turns; the sessions of the former count as seen.
        speakers_in_text: The speaker's name is a word of the message.
    """

    name: str
    controls: Controls = Controls()
    time: bool = True
    kind: bool = True
    searches: int = 1
    speakers_in_text: bool = False


_ONLY_WORDS = Controls(fusion=False, window=0, near=False, speakers=False, time_first=False, skip_seen=False)
ARMS: Final = (
    Arm(name=PLAIN, controls=_ONLY_WORDS, time=False, kind=False, speakers_in_text=True),
    Arm(name=ALL),
    Arm(name="without session fusion", controls=Controls(fusion=False)),
    Arm(name="without window", controls=Controls(window=0)),
    Arm(name="without time", time=False),
    Arm(name="without neighbours' words", controls=Controls(near=False)),
    Arm(name="without speakers", controls=Controls(speakers=False)),
    Arm(name="without kind of answer", kind=False),
    Arm(name="the paper's four alone", controls=Controls(near=False, speakers=False, share=1.0), kind=False),
    Arm(name="two searches", searches=2),
    Arm(name="two searches, without skipping", controls=Controls(skip_seen=False), searches=2),
)


async def search(log: LogStore, arm: Arm, question: Question, now: datetime, *, turns: int) -> tuple[Message, ...]:
    """Return ``turns`` messages at most, best first, found ones and neighbours alike.

    Where neighbours' words do not count, neighbours have no score: they come right beside what was found.
    """
    principal = Principal(tenant=TENANT, user=question.user)
    wants = (wanted(question.text) or "statement") if arm.kind else None
    asked = Search(
        text=question.text,
        limit=-(-turns // arm.searches),
        controls=arm.controls,
        wants=wants,
        likely=spoken_of(question.text, now) if arm.time else (),
    )
    found: list[Message] = []
    for part in range(arm.searches):
        room = turns * (part + 1) // arm.searches - turns * part // arm.searches
        result = await log.search(principal, asked)
        ordered = best(result.found) if arm.controls.near else [one.message for one in result.found]
        found += [one for one in ordered[:room] if one not in found]
        asked = replace(asked, seen=tuple(dict.fromkeys(message.session for message in found)))
    return tuple(found)


def best(found: Sequence[Found]) -> list[Message]:
    """Return messages by score, whether they were found themselves or stand beside those that were."""
    return [one.message for one in sorted(found, key=lambda one: -one.score)]


@lru_cache(maxsize=4096)  # every arm asks it of the same questions
def spoken_of(text: str, now: datetime) -> tuple[tuple[datetime, datetime], ...]:
    """Return the times that a question names."""
    found = times.find(text, now=now, zone=UTC, past=True)
    return tuple((one.range.start, one.range.end) for one in found if one.range is not None)
