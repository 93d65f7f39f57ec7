"""What a field of words holds, as far as the backends that are asked can say."""

from __future__ import annotations

from collections.abc import Sequence

from qx.backend import SearchBackend
from qx.context import Context
from qx.errors import QxError
from qx.steps.grounding.vocabulary import tell_unknown
from qx.vocabulary import Held, Vocabulary

VALUES_SHARE = 0.1
"""Of the time that is left, what looking values up may take."""
VALUES_SECONDS = 0.5
"""What it takes at most."""


async def held(
    field: str,
    backends: Sequence[SearchBackend],
    context: Context,
    *,
    ask: bool,
    vocabulary: Vocabulary | None = None,
) -> Held | None:
    """Return the values of a canonical field that all of ``backends`` have; None where they cannot be known.

    Args:
        ask: False uses only what is remembered.
        vocabulary: Whom to ask; None: the request's own.
    """
    vocabulary = vocabulary or context.vocabulary
    kinds = {backend.fields[field].type for backend in backends}
    if vocabulary is None or not kinds <= {"keyword", None} or not vocabulary.tells("values"):
        return None
    if not ask:
        return vocabulary.remembered(field)
    try:
        return await vocabulary.values(field, within(context.budget.remaining().seconds))
    except QxError as error:
        tell_unknown(context, error)
        return None


def within(left: float | None) -> float:
    """Return the seconds that looking things up may take, of those that are left."""
    return VALUES_SECONDS if left is None else min(VALUES_SECONDS, left * VALUES_SHARE)
