"""Errors that carry no secret: not in their text, not in an attribute, not in the chain behind them.

The exception of a client library may hold headers, a proxy's URL or the whole request.  So a provider's error keeps, of
what caused it, only a ``Cause``: the type and the text.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import TypeVar, cast
from urllib.parse import urlsplit

from pydantic import SecretStr

from qx.containment import contained, described
from qx.errors import (
    AuthError,
    BadRequest,
    BadResponse,
    CassetteMiss,
    PluginError,
    ProviderError,
    QuotaExhausted,
    QxError,
    RateLimited,
    Unavailable,
)
from qx.model import Model
from qx.secrets import Redactor

T = TypeVar("T")

UNBILLED = (RateLimited, Unavailable, AuthError, QuotaExhausted, BadRequest, CassetteMiss)
"""Errors after which an endpoint has done nothing, so that nothing is spent."""

_SECRET_WORDS = ("key", "token", "secret", "password", "authorization", "credential", "cookie")
_SHORTEST = 4
"""Shorter values are no secrets, and replacing them would garble every text."""


class Cause(Exception):
    """Stands for an exception of somebody else's code: its type and its text, nothing more."""


async def guarded(name: str, call: Awaitable[T]) -> T:
    """Await ``call`` of somebody else's code; what breaks its contract (an error of its own) is a ``BadResponse``.

    Args:
        name: Of the endpoint, for the message.
    """
    failure: ProviderError
    try:
        with contained(name):
            return await call
    except PluginError as error:  # it would have ended the process
        failure = BadResponse(str(error))
    except (QxError, TimeoutError):
        raise
    except Exception as error:  # noqa: BLE001 somebody else's code
        failure = BadResponse(f"{name} failed: {described(error)}")
        failure.__cause__ = Cause(described(error))
    raise failure  # out here, so that the foreign error is not its context


def secrets_of(endpoint: Model) -> frozenset[str]:
    """Return every value of ``endpoint`` that must not be shown: keys, passwords in URLs, those of nested blocks."""
    found = set[str]()
    _collect(endpoint.model_dump(), found, named=False)
    return frozenset(text for text in found if len(text) >= _SHORTEST)


def _collect(item: object, found: set[str], *, named: bool) -> None:
    if isinstance(item, SecretStr):
        found.add(item.get_secret_value())
    elif isinstance(item, Mapping):
        for name, inner in cast(Mapping[object, object], item).items():
            _collect(inner, found, named=named or any(word in str(name).lower() for word in _SECRET_WORDS))
    elif isinstance(item, (list, tuple)):
        for inner in cast(list[object], item):
            _collect(inner, found, named=named)
    elif isinstance(item, str):
        if named:
            found.update((item, item.removeprefix("Bearer ")))
        elif "://" in item:
            found.update(_of_url(item))


def _of_url(url: str) -> Iterable[str]:
    try:
        parts = urlsplit(url)
    except ValueError:
        return
    if parts.password:
        yield parts.password
    for pair in parts.query.split("&"):
        name, _, text = pair.partition("=")
        if any(word in name.lower() for word in _SECRET_WORDS) or name.lower() in ("sig", "code"):
            yield text


def redactor(secrets: Iterable[str]) -> Callable[[str], str]:
    """Return a function that takes each of ``secrets``, in whatever encoding, out of a text."""
    return Redactor(secrets).text


def cleaned(error: QxError, redact: Callable[[str], str]) -> QxError:
    """Take secrets out of ``error`` and of the chain behind it, in place, and return it."""
    error.args = tuple(redact(a) if isinstance(a, str) else a for a in error.args)
    if error.plugin:
        error.plugin = redact(error.plugin)
    suppressed = error.__suppress_context__
    cause, context = error.__cause__, error.__context__
    error.__cause__ = None if cause is None else _link(cause, redact, depth=0)
    error.__context__ = None if context is None or context is cause else _link(context, redact, depth=0)
    error.__suppress_context__ = suppressed
    error.__traceback__ = None
    return error


def _link(error: BaseException, redact: Callable[[str], str], *, depth: int) -> Cause:
    """A stand-in for ``error``: the chain behind it goes on, at most eight links deep."""
    text = str(error)
    stand_in = Cause(redact(text if isinstance(error, (QxError, Cause)) else f"{type(error).__name__}: {text}"))
    behind = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if behind is not None and depth < 8:
        stand_in.__cause__ = _link(behind, redact, depth=depth + 1)
    return stand_in
