"""What a caller hands to the engine, checked: the query, and which part of a list is wanted."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import cast

from qx.errors import NotAllowed, UsageError
from qx.filters.checking import checked
from qx.serial import replace
from qx.settings import Profile
from qx.types import Query, SearchOptions, SortBy, Turn


def asked(query: Query | str, profile: Profile) -> Query:
    """Return the query of a request, with the profile's language and time zone where it has none of its own.

    Raises:
        UsageError: it is no query.
        NotAllowed: it is for another tenant.
    """
    made = Query(text=query) if isinstance(query, str) else query
    if not isinstance(cast("object", made), Query):
        raise UsageError(f"a query is a str or a Query, not {type(query).__name__}")
    _check(made)
    if made.tenant is not None and made.tenant != profile.tenant:
        raise NotAllowed(f"the query is for tenant {made.tenant!r}, this engine serves {profile.tenant!r}")
    return replace(made, language=made.language or profile.language, timezone=made.timezone or profile.timezone)


def _check(query: Query) -> None:
    """Refuse what a dataclass takes and no step could read, before anything else stumbles over it."""
    for name in ("text", "language", "timezone", "tenant", "user", "user_class"):
        given: object = getattr(query, name)
        if not isinstance(given, str) and (name == "text" or given is not None):
            raise UsageError(f"Query({name}=…) is a str, not {type(given).__name__}")
    if query.now is not None and not isinstance(cast("object", query.now), datetime):
        raise UsageError(
            f"Query(now=…) is a datetime with its zone, not {type(query.now).__name__}: "
            "datetime.fromisoformat('2021-05-03T12:00+00:00')"
        )
    if not isinstance(cast("object", query.history), tuple) or not all(
        isinstance(turn, Turn) for turn in cast("tuple[object, ...]", query.history)
    ):
        raise UsageError("Query(history=…) is a tuple of Turn, oldest first")
    checked(query.filters)


def page(
    limit: int, offset: int, sort: Sequence[SortBy | str], facets: Sequence[str], *, highlights: bool = True
) -> SearchOptions:
    """Return what is wanted of a list.

    Args:
        sort: Fields; a name alone stands for ``SortBy(field=NAME)``, with ``-`` before it for the descending order.

    Raises:
        UsageError: the limit is below 1, the offset below 0, or something is of another type.
    """
    for name, number in (("limit", limit), ("offset", offset)):
        if not isinstance(cast("object", number), int) or isinstance(number, bool):
            raise UsageError(f"{name}={number!r}: give a whole number")
    if limit < 1 or offset < 0:
        raise UsageError(f"limit={limit}, offset={offset}: give a limit from 1 and an offset from 0")
    counted = _several("facets", facets)
    if not all(isinstance(field, str) for field in counted):
        raise UsageError(f"facets={facets!r}: give the names of fields")
    order = tuple(_sort(one) for one in _several("sort", sort))
    return SearchOptions(
        limit=limit, offset=offset, sort=order, facets=cast("tuple[str, ...]", counted), highlights=highlights
    )


def _several(name: str, given: object) -> tuple[object, ...]:
    """The items of an argument; a text is one of them, not its characters."""
    if isinstance(given, (str, SortBy)):
        return (given,)
    if not isinstance(given, (Sequence, set, frozenset)):
        raise UsageError(f"{name}={given!r}: give a sequence of fields")
    return tuple(cast("Sequence[object]", given))


def _sort(given: object) -> SortBy:
    if isinstance(given, str) and given.removeprefix("-"):
        return SortBy(field=given.removeprefix("-"), descending=given.startswith("-"))
    if not isinstance(given, SortBy) or not isinstance(cast("object", given.field), str):
        raise UsageError(f"sort: {given!r} is no field: give 'price', '-price' or SortBy(field='price')")
    return given


__all__ = ["asked", "page"]
