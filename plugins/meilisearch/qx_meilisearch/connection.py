"""The client of one Meilisearch, and its failures in qx's terms."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from qx.errors import (
    AuthError,
    BadRequest,
    BadResponse,
    Closed,
    ProviderError,
    ProviderTimeout,
    QxError,
    RateLimited,
    Unavailable,
)
from qx.failures import Cause, redactor
from qx.http import place
from qx.secrets import secrets_of
from qx_meilisearch.settings import Settings

T = TypeVar("T")


class Connection:
    """One client.  ``meilisearch-python-sdk`` does the talking; neither it nor this retries or follows redirects."""

    def __init__(self, settings: Settings, client: Any, index: Any) -> None:
        self.client = client
        self.index = index
        self.name = settings.name
        self.endpoint = f"{place(settings.url)}/indexes/{settings.index}"
        self._redact = redactor(secrets_of(settings))
        self._closed = False

    @classmethod
    def open(cls, settings: Settings) -> Connection:
        """Make the client; nothing is sent yet."""
        from meilisearch_python_sdk import AsyncClient

        from qx_meilisearch.bounded import ENCODING, bounded

        key = settings.api_key.get_secret_value() if settings.api_key else None
        verify = ssl.create_default_context(cafile=settings.ca) if settings.ca else True
        headers = {"Accept-Encoding": ENCODING}
        client = AsyncClient(settings.url.rstrip("/"), key, timeout=None, verify=verify, custom_headers=headers)
        made = cls(settings, client, client.index(settings.index))
        client.http_client.event_hooks = {"response": [bounded(lambda text: made._error(BadResponse, text))]}
        return made

    async def call(self, work: Callable[[], Awaitable[T]], seconds: float) -> T:
        """Run one call of the client within ``seconds``.

        Raises:
            ProviderError: one of its kinds; the text names the backend, the endpoint and Meilisearch's own message.
            Closed: after ``aclose``.
        """
        if self._closed:
            raise Closed(f"the backend '{self.name}' is closed: open the engine again")
        try:
            async with asyncio.timeout(seconds):
                return await work()
        except TimeoutError as error:
            failure: QxError = self._error(ProviderTimeout, f"no answer within {seconds:.3g} s")
            cause = self._cause(error)
        except QxError:
            raise
        except Exception as error:  # noqa: BLE001 the client's errors have no common root: several libraries' come through
            failure, cause = self._translated(error), self._cause(error)
        raise failure from cause

    async def aclose(self) -> None:
        """Close the connections; twice is harmless."""
        if not self._closed:
            self._closed = True
            await self.client.aclose()

    def refused(self, message: str) -> BadRequest:
        """Return the error for something that Meilisearch refused."""
        return BadRequest(f"{self._where()} refused: {self._redact(message)}", plugin="meilisearch")

    def _where(self) -> str:
        return f"the backend '{self.name}' at {self.endpoint}"

    def _error(self, kind: type[ProviderError], message: str, **more: Any) -> ProviderError:
        return kind(f"{self._where()}: {self._redact(message)}", plugin="meilisearch", **more)

    def _cause(self, error: Exception) -> Cause:
        return Cause(self._redact(f"{type(error).__name__}: {error}"))

    def _translated(self, error: Exception) -> ProviderError:
        from httpx2 import HTTPError
        from meilisearch_python_sdk.errors import MeilisearchApiError, MeilisearchError

        response = getattr(error if not isinstance(error, MeilisearchApiError) else error.__cause__, "response", None)
        if response is not None:
            detail = message_of(error) if isinstance(error, MeilisearchApiError) else ""
            return self._of_status(int(response.status_code), detail, response.headers.get("Retry-After"))
        if isinstance(error, (HTTPError, MeilisearchError, OSError, ssl.SSLError)):
            cause = error.__cause__
            kind = ProviderTimeout if cause is not None and "Timeout" in type(cause).__name__ else Unavailable
            return self._error(kind, f"cannot be reached: {error}; is Meilisearch running there?")
        return self._error(BadResponse, f"answered something that cannot be read: {type(error).__name__}")

    def _of_status(self, status: int, detail: str, retry_after: str | None) -> ProviderError:
        text = f"HTTP {status}" + (f", {detail}" if detail else "")
        if status in (401, 403):
            return self._error(AuthError, f"{text}; check `api_key` and what it may do")
        if status == 429:
            wait = float(retry_after) if retry_after and retry_after.isdigit() else None
            return self._error(RateLimited, text, retry_after=wait)
        if status in (408, 504):
            return self._error(ProviderTimeout, text)
        if status >= 500:
            return self._error(Unavailable, text)
        if 300 <= status < 400:
            return self._error(BadResponse, f"{text}: a redirect, which is not followed; set `url` to where it leads")
        return self._error(BadRequest, text)


def message_of(error: Any) -> str:
    """Return Meilisearch's own message and its code."""
    message = str(getattr(error, "message", "")).removeprefix("Error message: ").strip()
    code = str(getattr(error, "code", ""))
    return f"{message} ({code})" if code else message
