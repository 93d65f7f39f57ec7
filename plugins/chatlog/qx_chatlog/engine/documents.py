"""Messages as an engine's documents, and a principal's filters in its language."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from qx.backend import Document, SearchRequest
from qx.filters import And, Compare, Filter
from qx.filters.fieldmap import FieldMap
from qx.operation import Principal
from qx.syntax.tree import Terms
from qx_chatlog.index.filtering import microseconds
from qx_chatlog.message import Message
from qx_chatlog.store import Filters, Search

FIELDS: Final[Mapping[str, Any]] = {
    "text": "text",
    "owner": {"name": "metadata.owner", "type": "keyword"},
    "session": {"name": "metadata.session", "type": "keyword"},
    "role": {"name": "metadata.role", "type": "keyword"},
    "seconds": {"name": "metadata.seconds", "type": "number"},
}
"""What the engine keeps of a message, unless the profile's block names its fields otherwise."""


def owner(tenant: str, user: str) -> str:
    """Return the value by which an engine tells users apart."""
    return json.dumps([tenant, user], ensure_ascii=False)


def document_id(tenant: str, user: str, id: str) -> str:
    """Return the id of a message's document: two users may have messages of one id."""
    return json.dumps([tenant, user, id], ensure_ascii=False)


def message_id(document: str, principal: Principal) -> str | None:
    """Return the message of a document's id; None: it is not the principal's user's, whatever the engine says."""
    try:
        tenant, user, id = json.loads(document)
    except (ValueError, TypeError):
        return None
    return id if (tenant, user) == (principal.tenant, principal.user) and isinstance(id, str) else None


def document_of(message: Message) -> Document:
    """Return a message's document."""
    return Document(
        id=document_id(message.tenant, message.user, message.id),
        text=message.searched,
        metadata={
            "owner": owner(message.tenant, message.user),
            "session": message.session,
            "role": message.role,
            "seconds": microseconds(message.time) // 1_000_000,
        },
    )


def request(principal: Principal, search: Search, fields: FieldMap, *, limit: int, timeout: float) -> SearchRequest:
    """Return what the engine is asked for: words alone, of this user alone."""
    words = tuple(dict.fromkeys(" ".join((search.text, *search.also)).split()))
    return SearchRequest(
        text=" ".join(words),
        expression=Terms(words=words),
        filter=_filter(principal, search, fields),
        identity=None,
        highlights=False,
        limit=limit,
        timeout=timeout,
    )


def _filter(principal: Principal, search: Search, fields: FieldMap) -> Filter:
    """The owner, and what else an engine can say; the store applies all filters again."""
    filters = search.filters
    parts: list[Filter] = [
        Compare(field=fields["owner"].name, op="eq", value=owner(principal.tenant, principal.user or ""))
    ]
    for sessions in (filters.sessions, tuple(sorted(principal.sessions or ()))):
        if sessions:
            parts.append(Compare(field=fields["session"].name, op="in", value=sessions))
    if filters.roles:
        parts.append(Compare(field=fields["role"].name, op="in", value=filters.roles))
    if search.controls.time_first:
        parts += _times(filters, fields["seconds"].name)
    return And(filters=tuple(parts))


def _times(filters: Filters, field: str) -> list[Filter]:
    found: list[Filter] = []
    if filters.since is not None:
        found.append(Compare(field=field, op="ge", value=microseconds(filters.since) // 1_000_000))
    if filters.until is not None:
        found.append(Compare(field=field, op="le", value=microseconds(filters.until) // 1_000_000))
    return found
