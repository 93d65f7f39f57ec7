"""An import: a file's messages into a store, in batches; what is there already is passed over, so it may be repeated."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

from qx.errors import UsageError
from qx_chatlog.importing.entry import Given, Read, Refused, message_of
from qx_chatlog.index.storable import storable
from qx_chatlog.message import Message
from qx_chatlog.store import ChatStore

BATCH: Final = 2_000
SHOWN: Final = 1_000
"""Refused records and changed ids that are kept for the report."""

Change = Callable[[Sequence[Message]], Sequence[Message]]
"""What becomes of messages before they are stored, such as redaction."""
Describe = Callable[[Sequence[Message]], Awaitable[Sequence[Message]]]
"""Adds to messages what their pictures show and what their recordings say."""


@dataclass(slots=True)
class Report:
    """What became of a file's messages so far."""

    added: int = 0
    known: int = 0
    refused: int = 0
    reasons: list[Refused] = field(default_factory=lambda: list[Refused]())
    changed: list[str] = field(default_factory=lambda: list[str]())
    replaced: list[str] = field(default_factory=lambda: list[str]())
    """Ids of messages with zero bytes or halves of characters, which are stored as U+FFFD."""

    def refuse(self, one: Refused) -> None:
        """Count a record that is not stored."""
        self.refused += 1
        if len(self.reasons) < SHOWN:
            self.reasons.append(one)


async def run(
    store: ChatStore | None,
    entries: Iterable[Read],
    given: Given,
    stem: str,
    *,
    tell: Callable[[Report], None] = lambda report: None,
    change: Change | None = None,
    describe: Describe | None = None,
) -> Report:
    """Add the messages of ``entries`` to ``store``; None: only look whether they are right.

    Raises:
        QxError: as ``ChatStore.append``; what was added until then stays, and the same call goes on from there.
    """
    report = Report()
    stream = iter(entries)
    while batch := await asyncio.to_thread(_batch, stream, given, stem, report):
        if describe is not None:
            batch = list(await describe(batch))
        if change is not None:
            batch = list(change(batch))
        if store is None:
            report.added += len(batch)
        else:
            done = await store.append(batch)
            report.added += done.added
            report.known += done.known
            report.changed += done.changed[: SHOWN - len(report.changed)]
        tell(report)
    tell(report)
    return report


def _batch(stream: Iterator[Read], given: Given, stem: str, report: Report) -> list[Message]:
    batch: list[Message] = []
    for read in islice(stream, BATCH):
        made = read if isinstance(read, Refused) else _stored(message_of(read, given, stem), read.place, report)
        if isinstance(made, Refused):
            report.refuse(made)
        else:
            batch.append(made)
    return batch or _rest(stream, given, stem, report)


def _rest(stream: Iterator[Read], given: Given, stem: str, report: Report) -> list[Message]:
    """A batch of refused records alone is not the end of the file."""
    for read in stream:
        made = read if isinstance(read, Refused) else _stored(message_of(read, given, stem), read.place, report)
        if not isinstance(made, Refused):
            return [made]
        report.refuse(made)
    return []


def _stored(made: Message | Refused, place: str, report: Report) -> Message | Refused:
    if isinstance(made, Refused):
        return made
    try:
        kept = storable(made)
        if kept.content != made.content and len(report.replaced) < SHOWN:
            report.replaced.append(kept.id)
        return kept
    except UsageError as error:
        return Refused(place=place, reason=str(error))
