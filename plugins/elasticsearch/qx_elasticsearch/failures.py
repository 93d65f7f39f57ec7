"""The client's exceptions and the engine's refusals -> the errors of qx, without a secret in them or behind them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any, cast

from qx.errors import (
    AuthError,
    BadRequest,
    BadResponse,
    ProviderError,
    ProviderTimeout,
    RateLimited,
    Unavailable,
)
from qx.failures import Cause
from qx.wire.refusal import retry_after

_LONGEST_MESSAGE = 400
_VERSIONS = re.compile(r"must be either version (\d+) or (\d+), but found (\d+)")


class TooMuch(BadResponse):
    """One answer holds more than may be read of it: fewer documents may be asked for."""


def translated(error: Exception, *, place: str, now: datetime) -> ProviderError:
    """Return the error of qx that an exception of ``elasticsearch`` or ``elastic_transport`` means.

    Args:
        error: What the client raised.
        place: The backend and its endpoint, as messages name them.
        now: For a ``Retry-After`` that is a date.
    """
    failure = _translated(error, place, now)
    failure.__cause__ = Cause(f"{type(error).__name__}: {str(error)[:_LONGEST_MESSAGE]}")
    return failure


def refused(
    status: int, body: object, *, place: str, headers: Mapping[str, str] | None = None, now: datetime
) -> ProviderError:
    """Return the error for an answer, or a part of one, whose status is not 2xx."""
    reason = reason_of(body)
    said = f"{status}: {reason}" if reason else str(status)
    if mismatch := _VERSIONS.search(reason):
        return BadRequest(f"{place}: {wrong_client(int(mismatch[3]), int(mismatch[1]))}")
    if status == 429:
        wait = retry_after({name.lower(): text for name, text in (headers or {}).items()}, now)
        return RateLimited(f"{place} asks to slow down ({said})", retry_after=wait)
    if status in (401, 403):
        return AuthError(
            f"{place} refused the credentials ({said}): check `api_key`, or `username` and `password`; reading needs "
            "the privileges read and view_index_metadata, indexing write and manage"
        )
    if status in (408, 504):
        return ProviderTimeout(f"{place} gave up waiting ({said})")
    if status >= 500:
        return Unavailable(f"{place} failed ({said})")
    if "Result window is too large" in reason:
        return BadRequest(f"{place} lists no more hits than that: narrow the search by a filter ({said})")
    if status == 404 and "no such index" in reason:
        return BadRequest(f"{place} has no such index ({said}): check `index`, or make it with `qx index`")
    if 300 <= status < 400:
        return BadResponse(f"{place} redirects ({status}); redirects are not followed: put the final URL in `hosts`")
    return BadRequest(f"{place} refused the request ({said})")


def wrong_client(client: int, server: int) -> str:
    """Return what to do where the client's major version does not fit the server's."""
    if server < 8:
        return f"the server has version {server}; versions 8 and 9 are supported"
    return (
        f"the installed client elasticsearch {client}.x does not speak to a server of version {server}: "
        f"install 'elasticsearch>={'8.19' if server < 9 else server},<{server + 1}'"
    )


def reason_of(body: object) -> str:
    """Return the engine's own reason: that of the root cause, and of what is behind it where that says more."""
    error = cast("Mapping[str, Any]", body).get("error", body) if isinstance(body, Mapping) else body
    if not isinstance(error, Mapping):
        return _short(re.sub(r"<[^>]*>", " ", str(error))) if error else ""
    found = cast("Mapping[str, Any]", error)
    roots = found.get("root_cause") or ()
    root = roots[0] if roots else found
    parts = [str(root.get("reason") or root.get("type") or "")]
    for inner in _behind(found):
        if inner not in parts:
            parts.append(inner)
    return _short(": ".join(part for part in parts if part))


def _behind(error: Mapping[str, Any]) -> list[str]:
    """The reasons of the shards and of causes, each once."""
    found: list[str] = []
    shards = error.get("failed_shards") or ()
    inner: Any = shards[0].get("reason") if shards else error.get("caused_by")
    depth = 0
    while isinstance(inner, Mapping) and depth < 4:
        node = cast("Mapping[str, Any]", inner)
        if (reason := str(node.get("reason") or "")) and reason not in found:
            found.append(reason)
        inner, depth = node.get("caused_by"), depth + 1
    return found


def _translated(error: Exception, place: str, now: datetime) -> ProviderError:
    import elasticsearch

    if isinstance(error, elasticsearch.ConnectionTimeout):
        return ProviderTimeout(f"{place} did not answer in time")
    if isinstance(error, elasticsearch.SSLError):
        return ProviderError(
            f"{place}: its certificate is not trusted ({_short(str(error))}); name your CA file in `ca`"
        )
    if isinstance(error, elasticsearch.ConnectionError):
        return Unavailable(f"cannot connect to {place}: {_short(str(error))}")
    if isinstance(error, elasticsearch.UnsupportedProductError):
        return BadResponse(f"{place} is not Elasticsearch: {_short(str(error))}")
    if isinstance(error, elasticsearch.ApiError):
        return refused(error.meta.status, error.body, place=place, headers=error.meta.headers, now=now)
    from qx_elasticsearch.node import TooLong

    if isinstance(error, TooLong):
        return TooMuch(f"{place} answered {error}, which is more than is read of one answer")
    if isinstance(error, RecursionError):
        return BadResponse(f"{place} answered JSON that is nested too deeply to be read")
    return BadResponse(f"{place} answered something that cannot be read: {_short(str(error))}")


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _LONGEST_MESSAGE else text[: _LONGEST_MESSAGE - 3] + "..."
