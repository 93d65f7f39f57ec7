"""What an API's refusal means: status, message and headers -> an error of ``qx.errors``."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any

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
from qx.wire.refusal import retry_after

_QUOTA = re.compile(
    r"quota|run out of (?:searches|credits)|out of credits|(?:usage|monthly|daily|plan'?s?(?: usage)?) limit|"
    r"insufficient|(?:not |n.t )(?:have )?enough (?:money|credits?|balance)|billing|payment required|余额|欠费|额度|配额",
    re.IGNORECASE,
)
_RATE = re.compile(
    r"per (?:second|minute)|rate.?limit|too many requests|slow down|throttl|qps|频率|限流|并发|请求过(?:快|多)",
    re.IGNORECASE,
)
_KEY = re.compile(
    r"(?:api|subscription|access)[ _-]?(?:key|token)|unauthori[sz]ed|authenticat(?:ion|e)|invalid (?:key|token)|鉴权|认证失败|密钥",
    re.IGNORECASE,
)
_LONGEST_PAUSE = 120.0
"""Seconds: a longer wait than this is a used-up quota, however the API calls it."""


def refusal(
    reply: Reply, said: str, *, where: str, now: datetime, quota: Any = None, wait: str | None = None
) -> ProviderError:
    """Return the error for an answer that is a refusal, by its status or by its words.

    Args:
        said: The API's own message, "" where it gave none.
        where: Backend and endpoint, for the message.
        quota: Compiled pattern of messages that mean a used-up quota.
        wait: Name of a header with seconds, for APIs without ``Retry-After``.
    """
    status, told = reply.status, f": {said}" if said else ""
    seconds = _seconds(reply, now, wait)
    rate = bool(_RATE.search(said))
    spent = bool((_QUOTA.search(said) and not rate) or (quota is not None and quota.search(said)))
    if status == 402 or (status < 500 and spent):
        return QuotaExhausted(f"{where}: the quota is used up ({status}{told}): top it up or use another key")
    if status == 429 or (status < 400 and rate):
        return RateLimited(f"{where} asks to slow down ({status}{told})", retry_after=seconds)
    if status in (401, 403) or (status < 500 and _KEY.search(said)):
        return AuthError(
            f"{where} refused access ({status}{told}): check `api_key`, and that JSON answers are switched on there"
        )
    if status in (408, 504):
        return ProviderTimeout(f"{where} gave up waiting ({status}{told})", retry_after=seconds)
    if status >= 500:
        return Unavailable(f"{where} failed ({status}{told})", retry_after=seconds)
    if status == 404:
        return BadRequest(f"{where} knows no such address (404{told}): check `url`")
    if status < 400 and not said:
        return BadResponse(f"{where} answered {status} without an answer")
    return BadRequest(f"{where} refused the request ({status}{told})")


def _seconds(reply: Reply, now: datetime, wait: str | None) -> float | None:
    if (seconds := retry_after(reply.headers, now)) is not None or wait is None:
        return seconds
    found = [float(item) for item in re.findall(r"\d+(?:\.\d+)?", reply.headers.get(wait.lower(), ""))]
    return min((item for item in found if item <= _LONGEST_PAUSE), default=None)
