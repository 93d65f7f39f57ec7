"""Vectors of messages: made for those that have none, a batch at a time."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

from qx.embedder import EmbedRequest
from qx.errors import ProfileError, QxError
from qx_chatlog.store import ChatStore

if TYPE_CHECKING:
    from qx.clock import Clock
    from qx.context import Context

TIMEOUT = 120.0
"""Seconds of one call of the embedder."""
LONGEST = 8000
"""Characters of a message that its vector is made of; embedders read less."""
_EMPTY = "-"


async def embed(
    store: ChatStore,
    context: Context,
    *,
    tenant: str,
    batch: int = 100,
    limit: int | None = None,
    tell: Callable[[int], None] = lambda done: None,
) -> int:
    """Make the vectors of a tenant's messages that have none, and return how many were made.

    Args:
        context: Of a request with time enough; its profile's embedder makes them.
        limit: At most so many.

    Raises:
        ProfileError: the profile names no embedder.
        UsageError: another embedder made the vectors that are there.
        QxError: as ``Context.embed``; what was made until then stays.
    """
    fingerprint = context.embedder_fingerprint
    if fingerprint is None:
        raise ProfileError("vectors of messages need an embedder", hint="add an `embedder:` block to the profile")
    done = 0
    while limit is None or done < limit:
        room = batch if limit is None else min(batch, limit - done)
        waiting = await store.unembedded(tenant, limit=room)
        if not waiting:
            break
        texts = tuple(one.text.strip()[:LONGEST] or _EMPTY for one in waiting)
        made = await context.embed(EmbedRequest(texts=texts, kind="document", timeout=TIMEOUT))
        vectors = {(one.user, one.id): data for one, data in zip(waiting, made.vectors, strict=True)}
        await store.put_vectors(tenant, vectors, fingerprint=fingerprint)
        done += len(waiting)
        tell(done)
    return done


async def keep_embedded(
    store: ChatStore,
    begin: Callable[[], Context],
    clock: Clock,
    log: logging.Logger,
    *,
    tenant: str,
    every: float,
    batch: int,
) -> None:
    """Make the vectors of new messages every so many seconds, until cancelled; what goes wrong is logged."""
    while True:
        await clock.sleep(every)
        try:
            await embed(store, begin(), tenant=tenant, batch=batch)
        except QxError as error:
            log.warning("chat: vectors of new messages were not made (%s); next try in %.0f s", error, every)
