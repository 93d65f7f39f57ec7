"""What the client raises, as errors of qx."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, cast

import httpx
from qdrant_client.common.client_exceptions import ResourceExhaustedResponse
from qdrant_client.http.exceptions import ResponseHandlingException, UnexpectedResponse

from qx.errors import AuthError, BadRequest, BadResponse, ProviderError, ProviderTimeout, RateLimited, Unavailable
from qx_qdrant.bodies import Unreadable

_LONGEST_MESSAGE = 500


def translated(error: Exception, *, name: str, endpoint: str, embedded: bool) -> ProviderError | None:
    """Return the error of qx that ``error`` stands for; None where it is a fault of our own call of the embedded engine.

    The client reads a server's answer trustfully: what it stumbles over (an attribute that is not there, an assertion,
    brackets deeper than the stack) says that the answer is none of Qdrant's.
    """
    place = f"backend '{name}': Qdrant at {endpoint}"
    if isinstance(error, UnexpectedResponse):
        return _answered(error, place)
    if isinstance(error, ResourceExhaustedResponse):
        return RateLimited(f"{place} asks to slow down: {error.message}", retry_after=float(error.retry_after_s))
    if isinstance(error, ResponseHandlingException):
        return _unanswered(error.source, place)
    if isinstance(error, (json.JSONDecodeError, UnicodeDecodeError)):
        return _unanswered(error, place)
    if embedded and isinstance(error, (ValueError, KeyError, TypeError, RuntimeError, AssertionError)):
        return BadRequest(f"{place} refused the request: {_short(str(error))}")
    if isinstance(error, (UnicodeError, ValueError)):  # the request could not be written down
        return BadRequest(f"{place} cannot be sent this request: {_short(str(error))}")
    return None if embedded else _unanswered(error, place)


def _answered(error: UnexpectedResponse, place: str) -> ProviderError:
    status = error.status_code or 0
    message = _message(error.content)
    said = f"{place} answered {status}: {message}"
    if status in (401, 403):
        return AuthError(f"{said} (check `api_key`)")
    if status == 429:
        return RateLimited(said)
    if status in (408, 504):
        return ProviderTimeout(said)
    if status >= 500:
        return Unavailable(said)
    if 400 <= status < 500:
        return BadRequest(said)
    return BadResponse(said)


def _unanswered(source: object, place: str) -> ProviderError:
    if isinstance(source, httpx.TimeoutException):
        return ProviderTimeout(f"{place} did not answer in time ({type(source).__name__})")
    if isinstance(source, httpx.TransportError):
        return Unavailable(f"{place} cannot be reached: {_short(str(source)) or type(source).__name__}")
    if isinstance(source, Unreadable):
        return BadResponse(f"{place} answered {source}")
    reason = _short(str(source)) or type(source).__name__
    return BadResponse(f"{place} answered something that is not Qdrant's: {reason}")


def _message(content: bytes) -> str:
    """Return Qdrant's own words of an error."""
    try:
        found: Any = json.loads(content)
    except (ValueError, RecursionError):
        return _short(content.decode("utf-8", "replace"))
    if isinstance(found, Mapping):
        status = cast("Mapping[str, Any]", found).get("status")
        if isinstance(status, Mapping) and "error" in status:
            return _short(str(cast("Mapping[str, Any]", status)["error"]))
    return _short(found if isinstance(found, str) else content.decode("utf-8", "replace"))


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _LONGEST_MESSAGE else f"{text[:_LONGEST_MESSAGE]}…"
