"""Tags beside the untouched log: decisions, promises, tasks, key dates and corrections, set by rules."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Final, Literal
from zoneinfo import ZoneInfo

from qx.operation import Principal
from qx.serial import value
from qx.text import times
from qx_chatlog.asking.wording import CORRECTION
from qx_chatlog.message import Message, is_noise
from qx_chatlog.store import ChatStore, Note

Kind = Literal["decision", "promise", "task", "date", "correction"]
KIND: Final = "tag"
_STATE: Final = "tagged"
_BATCH = 500

_RULES: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    (
        "decision",
        re.compile(
            r"(?:我们|咱们|大家)?(?:最终|最后)?(?:决定|敲定|拍板|商定|定下来|说定|讲定|一致同意)|(?:就|那就)(?:这么定|这样定|定了|选|用)|定(?:在|为|了)|成交|就这么办"
            r"|\b(?:(?:we|i)(?:'ve| have)? (?:decided|agreed|settled|chose|picked)|let's go with|we(?:'ll| will) go with|it's (?:a deal|settled|decided)|final decision)\b",
            re.IGNORECASE,
        ),
    ),
    (
        "promise",
        re.compile(
            r"我(?:会|来|一定|保证|答应|负责|马上|明天|今晚|下周|周[一二三四五六日天])(?!说|问|想)[^？?]{0,30}|包在我身上|说到做到|交给我"
            r"|\b(?:i(?:'ll| will| promise| can promise|'m going to)|you have my word|count on me|leave it to me)\b",
            re.IGNORECASE,
        ),
    ),
    (
        "task",
        re.compile(
            r"(?:^|[，。,！!；;：:\s]|请|大家|你)记得(?!了|的|住|事|不|什么|吗|我们|他|她|那|上次|过)|别忘|不要忘|待办|需要(?:你|我|大家|尽快)|麻烦(?:你|您)|请(?:你|您|大家)?(?:在|于|把|先|尽快|务必|帮)|帮我|提醒我|要在.{1,12}(?:前|之前)|(?:必须|务必|一定要)(?:在)?.{1,12}前"
            r"|\b(?:todo|to-do|action item|don't forget|remember to|remind me|please (?:send|do|call|book|check|finish|prepare|bring|make|review|submit)|(?:need|have) to|must (?:be )?\w+)\b",
            re.IGNORECASE,
        ),
    ),
    ("correction", CORRECTION),
)
_DATED = re.compile(
    r"截止|期限|到期|生日|纪念日|婚礼|面试|考试|开会|会议|航班|出发|预约|聚餐|发布|上线|交付|签约|搬家|手术|体检"
    r"|\b(?:deadline|due|birthday|anniversary|wedding|interview|exam|meeting|flight|appointment|departure|launch|release|delivery|surgery|moving day|party|trip)\b",
    re.IGNORECASE,
)
_QUESTION = re.compile(r"(?:[?？]|吗|呢|么)[\s。.!！]*$")
_FINE = ("minute", "hour", "part", "day", "weekend")


@value
class Tag:
    """A tag of one message.

    Attributes:
        due: The day (``2026-11-28``) or moment (ISO 8601 with an offset) ahead that it speaks of, if it names one.
    """

    kind: Kind
    due: str | None = None


@value
class Progress:
    """How far tagging is.

    Attributes:
        read: Messages that were looked at, ``of`` how many.
        tags: Tags that were set.
    """

    read: int
    of: int
    tags: int


def tags_of(message: Message) -> tuple[Tag, ...]:
    """Return the tags of a message: what it decides, promises, asks to do, dates, takes back; noise has none."""
    text = message.content
    if is_noise(message) or not text or _QUESTION.search(text):
        return ()
    kinds: list[Kind] = [kind for kind, pattern in _RULES if pattern.search(text)]
    dated = _DATED.search(text) is not None
    if not kinds and not dated:
        return ()  # times are read last: they take nearly all the time
    ahead = _due(message)
    due = None if ahead is None else (ahead[0].date() if ahead[1] else ahead[0]).isoformat()
    found = [Tag(kind=kind, due=due) for kind in kinds]
    if dated and ahead is not None and ahead[0] > message.time:
        found.append(Tag(kind="date", due=due))
    return tuple(found)


def _due(message: Message) -> tuple[datetime, bool] | None:
    """The first day or hour ahead that a message names, by the clock of where it was written; and whether it is a day."""
    zone = ZoneInfo(message.zone)
    for one in times.find(message.content, now=message.time, zone=zone):
        readings = times.parse(one.text, now=message.time, zone=zone)
        for range in readings or ((one.range,) if one.range else ()):
            if range.open_start and range.end > message.time and not range.open_end:
                end = range.end.astimezone(zone)
                if (end.hour, end.minute) == (0, 0):
                    return end - timedelta(seconds=1), True  # "by the 3rd": the last day that is left
                return range.end, False  # "before three": that is the limit
            if range.grain in _FINE and range.end > message.time and not range.open_end:
                return range.start, range.grain in ("day", "weekend")
    return None


async def tag(store: ChatStore, principal: Principal, *, rebuild: bool = False) -> int:
    """Tag the user's messages that are not tagged yet, or all of them anew; return how many tags were set.

    A principal that may read some sessions only tags nothing: what is tagged counts for the whole log.
    """
    made = 0
    async for done in tagging(store, principal, rebuild=rebuild):
        made = done.tags
    return made


async def tagging(store: ChatStore, principal: Principal, *, rebuild: bool = False) -> AsyncGenerator[Progress]:
    """Tag as ``tag`` does, and say after each batch how far it is; the last one counts everything.

    What is left before the end goes on there the next time.
    """
    if principal.sessions is not None:
        return
    done = 0 if rebuild else await _done(store, principal)
    total = (await store.stats(principal)).messages
    if done == total and not rebuild:
        return
    if not done or done > total:
        await store.drop_notes(principal, _STATE, key="rules")
        await store.drop_notes(principal, KIND)
        done = 0
    made, batch, seen, last = 0, list[Note](), 0, None
    async for message in _after(store, principal, done):
        seen, last = seen + 1, message
        batch += _notes(message)
        if seen % _BATCH == 0:
            await _put(store, principal, batch, done + seen, last)
            made, batch = made + len(batch), []
            yield Progress(read=seen, of=total - done, tags=made)
    if last is not None:
        await _put(store, principal, batch, done + seen, last)
    yield Progress(read=seen, of=seen, tags=made + len(batch))


def _notes(message: Message) -> Iterator[Note]:
    for one in tags_of(message):
        yield Note(kind=KIND, key=one.kind, value={"due": one.due}, message=message.id, time=message.time)


async def _after(store: ChatStore, principal: Principal, passed: int) -> AsyncIterator[Message]:
    """The messages behind the first ``passed``, in the order in which they were added."""
    number = 0
    async for message in store.export(principal):
        number += 1
        if number > passed:
            yield message


async def _done(store: ChatStore, principal: Principal) -> int:
    """How many messages were tagged; 0 where the last of them is gone, since others may have come for it."""
    marks = await store.notes(principal, _STATE, key="rules")
    if not marks or marks[-1].message is None or not await store.get(principal, [marks[-1].message]):
        return 0
    return int(marks[-1].value) if isinstance(marks[-1].value, int) else 0


async def _put(store: ChatStore, principal: Principal, batch: Sequence[Note], messages: int, last: Message) -> None:
    """Set the tags of a batch and say up to where; without the mark, where this is cut off between, all is tagged anew."""
    await store.drop_notes(principal, _STATE, key="rules")
    await store.put_notes(principal, batch)
    mark = Note(kind=_STATE, key="rules", value=messages, message=last.id, time=last.time)
    await store.put_notes(principal, [mark])
