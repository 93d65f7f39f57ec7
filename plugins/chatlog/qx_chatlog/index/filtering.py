"""Filters and the principal's sessions, as a mask over the rows of a view."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Final

import numpy as np

from qx.operation import Principal
from qx_chatlog.index.columns import LABELS, Mask, Rows, among, matching, with_participants
from qx_chatlog.index.view import View
from qx_chatlog.message import utc
from qx_chatlog.store import Filters

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def microseconds(time: datetime) -> int:
    """Return microseconds since 1970; a time without a zone is UTC."""
    passed = utc(time) - _EPOCH
    return (passed.days * 86_400 + passed.seconds) * 1_000_000 + passed.microseconds


def moment(microseconds: int) -> datetime:
    """Return the time of ``microseconds`` since 1970."""
    return _EPOCH + timedelta(microseconds=microseconds)


async def allowed(view: View, rows: Rows, principal: Principal) -> Mask:
    """Return which rows the principal may read."""
    if principal.sessions is None:
        return np.ones(len(rows), dtype=np.bool_)
    numbers = await view.session_numbers(sorted(principal.sessions))
    return among(rows["session"], numbers.values())


async def mask(view: View, rows: Rows, principal: Principal, filters: Filters) -> Mask:
    """Return which rows the principal may read and fit all filters but the time range."""
    keep = await allowed(view, rows, principal)
    if filters.sessions:
        keep &= among(rows["session"], (await view.session_numbers(filters.sessions)).values())
    wanted = {"role": filters.roles, "speaker": filters.speakers, "type": filters.types}
    for label in LABELS:
        if wanted[label]:
            keep &= among(rows[label], matching(await view.labels(label), wanted[label]))
    if filters.without:
        keep &= ~among(rows["type"], matching(await view.labels("type"), filters.without))
    if filters.participants:
        labels = await view.labels("speaker")
        keep &= with_participants(rows, [matching(labels, [name]) for name in filters.participants])
    for key, item in filters.metadata.items():
        keep &= _of(rows, await view.having(key, item))
    if filters.tag is not None:
        keep &= _of(rows, await view.tagged(filters.tag))
    if filters.ids:
        keep &= _of(rows, (await view.numbers(filters.ids)).values())
    return keep


def within(rows: Rows, filters: Filters) -> Mask:
    """Return which rows are in the time range of the filters."""
    keep = np.ones(len(rows), dtype=np.bool_)
    if filters.since is not None:
        keep &= rows["time"] >= microseconds(filters.since)
    if filters.until is not None:
        keep &= rows["time"] < microseconds(filters.until)
    return keep


def _of(rows: Rows, numbers: Iterable[int]) -> Mask:
    keep = np.zeros(len(rows), dtype=np.bool_)
    keep[np.fromiter(numbers, dtype=np.intp)] = True
    return keep
