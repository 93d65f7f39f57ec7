"""An engine's answer as a ranked list: keys that tell when two hits are one thing, and the report of the call."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence

from qx.backend import SearchResponse
from qx.calls.connection import Connection
from qx.containment import contained, described
from qx.errors import ProviderTimeout, QxError
from qx.ranking import Ranking, Unreadable
from qx.steps.lowering import Prepared, canonical_facets
from qx.steps.requests import Asked
from qx.types import Hit, ListReport, Status, SubQuery, Target

log = logging.getLogger("qx")


def listed(
    query: SubQuery,
    made: Prepared,
    answer: SearchResponse | QxError,
    connection: Connection,
    *,
    identity: str,
    took: float,
) -> Ranking:
    """Return an answer as a list, each key once at its first place; an error as an empty list that says so.

    Args:
        identity: ``search.identity`` of the profile.
        took: Milliseconds.
    """
    name, request = connection.name, made.request
    failed = isinstance(answer, QxError)
    keys: tuple[str, ...] = () if failed else tuple(_keys(answer, name, identity))
    status: Status = "ok" if not failed else "timeout" if isinstance(answer, ProviderTimeout) else "failed"
    report = ListReport(
        query=query,
        backend=name,
        status=status,
        reason=str(answer) if failed else "",
        target=request.target,
        hits=len(set(keys)),
        total=None if failed else answer.total,
        took=took,
        unexpressed=() if failed else answer.unexpressed,
        filter=request.filter,
        unlowered=made.unlowered,
        error=type(answer).__name__ if isinstance(answer, QxError) else "",
    )
    if failed:
        return Ranking.none(report)
    scores, hit = answer.scores, _contained(answer, name)
    if report.hits < len(keys):  # two documents that are one thing
        keys, scores, hit = _once(keys, scores, hit)
    return Ranking(
        query=query,
        backend=name,
        keys=keys,
        scores=tuple(scores),
        hit=hit,
        frequencies=answer.frequencies,
        documents=answer.documents,
        facets=canonical_facets(answer.facets, connection.backend) if answer.facets else {},
        total=answer.total,
        report=report,
    )


def _contained(answer: SearchResponse, name: str) -> Callable[[int], Hit]:
    """Make hits so that one which cannot be made is a hit that says so, and takes nothing else along."""

    def hit(index: int) -> Hit:
        try:
            with contained(f"backend {name}"):
                return answer.hit(index)
        except Exception as error:
            log.warning("backend %s: a hit cannot be read: %s", name, type(error).__name__, exc_info=error)
            reason = str(error) if isinstance(error, QxError) else described(error)
            return Unreadable(id=answer.ids[index], backend=name, reason=reason)

    return hit


def _once(
    keys: Sequence[str], scores: Sequence[float], hit: Callable[[int], Hit]
) -> tuple[tuple[str, ...], tuple[float, ...], Callable[[int], Hit]]:
    first: dict[str, int] = {}
    for index, key in enumerate(keys):
        first.setdefault(key, index)
    places = tuple(first.values())
    return tuple(first), tuple([scores[i] for i in places]), lambda index: hit(places[index])


def empty(asked: Asked, backend: str, status: Status, reason: str, target: Target = "any") -> Ranking:
    """Return the list of a call that was not made, or never answered."""
    return Ranking.none(ListReport(query=asked.query, backend=backend, status=status, reason=reason, target=target))


def _keys(answer: SearchResponse, backend: str, by: str) -> list[str]:
    if by == "id":
        return [f"id:{id}" for id in answer.ids]
    identities = answer.identities or (None,) * len(answer.ids)
    own = [f"{backend}:{id}" for id in answer.ids]
    if by == "url":
        from qx.urls import url_key

        return [f"url:{url_key(url)}" if url else key for url, key in zip(identities, own, strict=True)]
    return [f"{by}:{value}" if value else key for value, key in zip(identities, own, strict=True)]
