"""Trouble that comes back: a new report that is like an older one which was solved."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Final

from qx.serial import value
from qx.text import segment
from qx_chatlog.asking.wording import TALK
from qx_chatlog.log import HALF, Ask, Log, coverage
from qx_chatlog.message import NOBODYS, Message
from qx_chatlog.store import Filters, Note
from qx_chatlog.when import Span, When

KIND: Final = "recurrence"
REPORT = re.compile(
    r"慢|打不开|失败|报错|错误|崩溃|卡[住死顿]|闪退|无法|不能[用登打开]|坏了|故障|异常|出问题|有问题|收不到|没反应|不见了|又(?:出现|不行|坏|不能|打不)"
    r"|\b(?:errors?|fail(?:s|ed|ing|ure)?|crash(?:es|ed|ing)?|broken|bugs?|(?:not|isn't|doesn't|stopped) work(?:ing)?|can(?:'t|not)|unable|slow|time(?:s|d)? ?out|is down|freez(?:es|ing)|stuck|issues?|problems?|missing)\b",
    re.IGNORECASE,
)
"""Words of a report."""
SOLVED = re.compile(
    r"(?:(?<!没)(?<!未)解决了|已(?:经)?解决|(?<!没)修好|(?<!未)修复|恢复(?:了|正常)|搞定|处理好|(?:可以|正常|好)了)(?!了?(?:吗|没|么|\?|？))"
    r"|\b(?<!not )(?:fixed|resolved|solved|works? (?:now|again)|restored|back to normal|sorted out)\b(?! ?\?)",
    re.IGNORECASE,
)
"""Words that mark one as solved."""
_ASKS = re.compile(
    r"(?:[?？]|吗|没有?)[\s。.!！]*$|\bnot (?:fixed|resolved|solved)\b|没(?:有)?(?:解决|修好|修复)|未(?:解决|修复)"
)
_HISTORY = 20
_PENDING = 50
"""Of the latest messages, how many reports are looked at in one call."""


@value
class Recurrence:
    """A report like an older one.

    Attributes:
        report: The new one.
        earlier: The old one.
        solved: The message that marked it as solved.
        history: The talk from the old report to its end.
        now: The talk around the new one.
    """

    report: Message
    earlier: Message
    solved: Message
    history: tuple[Message, ...] = ()
    now: tuple[Message, ...] = ()


async def recurring(log: Log, report: Message) -> Recurrence | None:
    """Return the older, solved report that ``report`` is like; None: there is none."""
    words = _words(report)
    if not words:
        return None
    ask = Ask(
        text=" ".join(words),
        when=When(said="before", spans=(Span(end=report.time),)),
        filters=Filters(roles=("user",)),
        window=0,
    )
    for hit in (await log.search(ask)).hits:
        earlier = hit.message
        if earlier.session == report.session or not REPORT.search(earlier.content):
            continue
        if max(coverage(words, earlier), coverage(_words(earlier), report)) < HALF:
            continue
        history = await _until_solved(log, earlier, report)
        if history:
            around = await log.around(report.id, before=5, after=5)
            return Recurrence(
                report=report,
                earlier=earlier,
                solved=history[-1],
                history=history,
                now=tuple(one.message for one in around),
            )
    return None


async def newly(log: Log, *, days: float = 30, again: bool = False) -> tuple[Recurrence, ...]:
    """Return recurrences among the latest reports, each told once.

    Args:
        days: How far back new reports are looked for.
        again: Those that were told before too.
    """
    told = {note.key for note in await log.store.notes(log.principal, KIND)}
    since = log.now - timedelta(days=days)
    latest = await log.read(Filters(roles=("user",), since=since, without=NOBODYS), limit=1000, newest=True)
    reports = [one for one in latest if REPORT.search(one.content) and (again or one.id not in told)]
    found: list[Recurrence] = []
    for report in reversed(reports[:_PENDING]):
        one = await recurring(log, report)
        if one is not None:
            found.append(one)
    notes = [
        Note(kind=KIND, key=one.report.id, value=one.earlier.id, message=one.report.id, time=one.report.time)
        for one in found
        if one.report.id not in told
    ]
    if notes and log.principal.sessions is None:
        await log.store.put_notes(log.principal, notes)
    return tuple(found)


async def _until_solved(log: Log, earlier: Message, report: Message) -> tuple[Message, ...]:
    """The talk from ``earlier`` to the message that marks it as solved; () where none does."""
    filters = Filters(sessions=(earlier.session,), since=earlier.time, until=report.time, without=NOBODYS)
    talk = await log.read(filters, limit=_HISTORY * 5)
    for place, one in enumerate(talk):
        if one.id != earlier.id and SOLVED.search(one.content) and not _ASKS.search(one.content):
            return talk[max(0, place + 1 - _HISTORY) : place + 1]
    return ()


def _words(message: Message) -> tuple[str, ...]:
    return tuple(word for word in segment.keywords(message.content) if word.casefold() not in TALK)[:20]
