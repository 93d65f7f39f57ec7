"""What an OpenAI-compatible endpoint's refusal means: status, code and text -> an error of ``qx.errors``."""

from __future__ import annotations

import email.utils
import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, cast

from qx.errors import (
    AuthError,
    BadRequest,
    BadResponse,
    ProviderError,
    ProviderTimeout,
    QuotaExhausted,
    RateLimited,
    Unavailable,
)
from qx.http import Reply

_QUOTA_CODES = frozenset(
    {"insufficient_quota", "insufficient_balance", "billing_hard_limit_reached", "billing_not_active", "arrearage"}
)
_QUOTA_TEXT = re.compile(
    r"plan and billing|insufficient (?:balance|funds|credit)|余额不足|欠费|账户已停用", re.IGNORECASE
)
_LENGTH_CODES = frozenset({"context_length_exceeded", "exceed_context_size_error", "string_above_max_length"})
_LENGTH_TEXT = re.compile(
    r"context (?:length|window|size)|maximum (?:context|input)|too many tokens|too long", re.IGNORECASE
)
_LONGEST_MESSAGE = 300


def refusal(reply: Reply, *, place: str, model: str, now: datetime) -> ProviderError:
    """Return the error for an answer whose status is not 200 (or whose body is an error).

    Args:
        place: The endpoint's URL as messages may show it.
        now: For a ``Retry-After`` that is a date.
    """
    code, text = code_and_text(reply.body)
    said = f": {text}" if text else ""
    status, wait = reply.status, retry_after(reply.headers, now)
    if status == 402 or code.lower() in _QUOTA_CODES or (status in (400, 403, 429) and _QUOTA_TEXT.search(text)):
        return QuotaExhausted(f"the quota at {place} is used up ({status}{said}): top it up or use another key")
    if status == 429:
        return RateLimited(f"{place} asks to slow down (429{said})", retry_after=wait)
    if status in (401, 403):
        return AuthError(f"{place} refused the key ({status}{said}): check `api_key` of this endpoint")
    if status in (408, 504):
        return ProviderTimeout(f"{place} gave up waiting ({status}{said})", retry_after=wait)
    if status >= 500:
        return Unavailable(f"{place} failed ({status}{said})", retry_after=wait)
    if status == 404:
        return BadRequest(f"{place} knows no such address or model {model!r} (404{said}): check `api_base` and `model`")
    if code in _LENGTH_CODES or _LENGTH_TEXT.search(text):
        return BadRequest(f"the request is too long for {model!r} at {place} ({status}{said})")
    if "content_filter" in code or "content_policy" in code:
        return BadRequest(f"the content filter of {place} refused the request ({status}{said})")
    if 400 <= status < 500:
        return BadRequest(f"{place} refused the request ({status}{said})")
    return BadResponse(f"{place} answered {status} with an error{said}")


def retry_after(headers: Mapping[str, str], now: datetime) -> float | None:
    """Return the seconds that ``Retry-After`` (or ``retry-after-ms``) asks for; None if it does not.

    ``Retry-After`` is seconds or a date (RFC 9110, 10.2.3).
    """
    try:
        if "retry-after-ms" in headers:
            return max(0.0, float(headers["retry-after-ms"]) / 1000)
        if "retry-after" not in headers:
            return None
        text = headers["retry-after"].strip()
        if re.fullmatch(r"\d+(\.\d+)?", text):
            return float(text)
        when = email.utils.parsedate_to_datetime(text)
    except ValueError:
        return None
    when = when if when.tzinfo else when.replace(tzinfo=UTC)
    return max(0.0, (when - now).total_seconds())


def code_and_text(body: bytes) -> tuple[str, str]:
    """Return the code and the words of an error body, in any of the shapes that compatible servers use."""
    try:
        found: Any = json.loads(body)
    except ValueError:
        return "", _short(re.sub(r"<[^>]*>", " ", body[:2000].decode("utf-8", "replace")))
    if isinstance(found, list) and found:
        found = cast(list[Any], found)[0]
    if not isinstance(found, Mapping):
        return "", ""
    outer = cast(Mapping[str, Any], found)
    inner: Any = outer.get("error", outer)
    if not isinstance(inner, Mapping):
        return "", _short(str(inner))
    fields = cast(Mapping[str, Any], inner)
    code = next((str(fields[n]) for n in ("code", "type", "status") if isinstance(fields.get(n), str)), "")
    if str(fields.get("type", "")).lower() in _QUOTA_CODES | _LENGTH_CODES:
        code = str(fields["type"])
    text = next((fields[n] for n in ("message", "detail", "msg") if fields.get(n)), "")
    return code, _short(text if isinstance(text, str) else json.dumps(text, ensure_ascii=False))


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _LONGEST_MESSAGE else text[: _LONGEST_MESSAGE - 3] + "..."
