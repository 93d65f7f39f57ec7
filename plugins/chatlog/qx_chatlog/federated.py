"""One search over several logs, each with its own principal: a person's private chats and those of a team."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pydantic import Field

from qx.errors import QxError
from qx.model import Model
from qx.serial import value
from qx_chatlog.shown import Messages, Shown

if TYPE_CHECKING:
    from qx.engine import Engine
    from qx.operation import Principal

K = 60
"""The constant of reciprocal rank fusion."""


@value
class Source:
    """A log, and who asks it."""

    engine: Engine
    principal: Principal


class SourcedMessage(Model):
    """A message and the log that it comes from."""

    source: str
    message: Shown


class Federated(Model):
    """What was found in several logs.

    Attributes:
        messages: Best first, by the ranks in their logs (their scores do not compare), neighbours behind their message.
        failed: Why a log gave nothing, by its name.
    """

    messages: tuple[SourcedMessage, ...] = ()
    failed: Mapping[str, str] = Field(default_factory=dict)


async def search(sources: Mapping[str, Source], request: Mapping[str, Any], *, limit: int = 10) -> Federated:
    """Search every log as its own principal, together, and merge what they find by rank.

    Args:
        sources: The logs by name: each an engine of its own profile, and the principal that it is asked as.
        request: As ``chat.search`` takes it.
        limit: Found messages at most; neighbours come on top.

    Raises:
        QxError: every log fails.
    """
    answers = await asyncio.gather(*(_asked(source, request) for source in sources.values()), return_exceptions=True)
    failed: dict[str, str] = {}
    groups: list[tuple[float, str, list[Shown]]] = []
    for name, answer in zip(sources, answers, strict=True):
        if isinstance(answer, QxError):
            failed[name] = str(answer)
        elif isinstance(answer, BaseException):
            raise answer
        else:
            groups += [(1 / (K + rank), name, group) for rank, group in enumerate(_groups(answer), 1)]
    if sources and len(failed) == len(sources):
        raise next(answer for answer in answers if isinstance(answer, QxError))
    groups.sort(key=lambda group: (-group[0], list(sources).index(group[1])))
    messages = [SourcedMessage(source=name, message=one) for _, name, group in groups[:limit] for one in group]
    return Federated(messages=tuple(messages), failed=failed)


async def _asked(source: Source, request: Mapping[str, Any]) -> Messages:
    return await source.engine.result("chat.search", dict(request), principal=source.principal)


def _groups(found: Messages) -> list[list[Shown]]:
    """Each message that was found, with the neighbours that stand around it, in the order of the talk.

    A list of windows has its neighbours on both sides: those of one session that follow one another belong together.
    """
    groups: list[list[Shown]] = []
    for one in found.messages:
        same = bool(groups) and groups[-1][-1].session == one.session and groups[-1][-1].time <= one.time
        has_hit = bool(groups) and any(not each.context for each in groups[-1])
        if same and (one.context or not has_hit):
            groups[-1].append(one)
        else:
            groups.append([one])
    return groups
