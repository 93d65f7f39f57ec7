"""litellm's exceptions -> the errors of qx."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from qx.errors import BadRequest, ProviderError, ProviderTimeout, Unavailable
from qx.http import Reply
from qx.wire.refusal import refusal, retry_after


def translated(error: Exception, litellm: Any, *, place: str, model: str, now: datetime) -> ProviderError:
    """Return the error of qx that ``error`` means, with ``Retry-After`` where the endpoint sent one."""
    headers = _headers(error)
    text = _text(error)
    if isinstance(error, litellm.Timeout):
        return ProviderTimeout(f"{place} did not answer in time", retry_after=retry_after(headers, now))
    if isinstance(error, litellm.ContentPolicyViolationError):
        return BadRequest(f"the content filter of {place} refused the request: {text}")
    if isinstance(error, litellm.ContextWindowExceededError):
        return BadRequest(f"the request is too long for {model!r} at {place}: {text}")
    if isinstance(error, litellm.APIConnectionError):
        return Unavailable(f"cannot reach {place}: {text}")
    status = getattr(error, "status_code", None)
    if not isinstance(status, int) or status < 400:
        return ProviderError(f"{place} failed: {type(error).__name__}: {text}")
    body = {"error": {"code": _code(error), "message": text}}
    reply = Reply(status=status, headers=headers, body=json.dumps(body).encode())
    return refusal(reply, place=place, model=model, now=now)


def _headers(error: Exception) -> Mapping[str, str]:
    """The answer's headers, wherever this kind of exception keeps them."""
    found: dict[str, str] = {}
    for holder in (
        getattr(getattr(error, "response", None), "headers", None),
        getattr(error, "litellm_response_headers", None),
    ):
        for name, text in dict(holder or {}).items():
            found[str(name).lower()] = str(text)
    return found


def _code(error: Exception) -> str:
    code = getattr(error, "code", None) or getattr(error, "type", None)
    if isinstance(code, str) and not code.isdigit():
        return code
    return "insufficient_quota" if "insufficient_quota" in str(error) else ""


def _text(error: Exception) -> str:
    """The endpoint's own words: litellm puts names of its classes before them."""
    text = str(error)
    while text.startswith("litellm.") and ": " in text:
        text = text.partition(": ")[2]
    return " ".join(text.split())[:300]
