"""The client's HTTP node as qx wants it: no redirects, the environment's proxy, no warnings for the caller's filters."""

from __future__ import annotations

import io
import logging
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from elastic_transport import AiohttpHttpNode

MOST_BYTES = 64 * 1024 * 1024
"""Of one answer, unpacked."""
LONG_BODY = 256 * 1024
"""Bytes from which a body is not sent at once: that would hold up everything else of the loop."""

_log = logging.getLogger("qx.elasticsearch")


class Node(AiohttpHttpNode):
    """Registered as the client's ``node_class``."""

    def _create_aiohttp_session(self) -> None:
        super()._create_aiohttp_session()
        self.session: Any = _Session(self.session, _proxy(self.base_url))

    async def perform_request(self, *args: Any, **kwargs: Any) -> Any:
        """Send one request.  Deprecation headers are logged: as Python warnings they would be global state."""
        answer = await super().perform_request(*args, **kwargs)
        if "warning" in answer.meta.headers:
            _log.debug("%s warns: %s", self.base_url, answer.meta.headers["warning"])
            del answer.meta.headers["warning"]
        return answer


class TooLong(ValueError):
    """An answer of more than ``MOST_BYTES``.  A ``ValueError`` passes through the client as it is."""

    def __init__(self) -> None:
        super().__init__(f"more than {MOST_BYTES:,} bytes")


class _Session:
    """An aiohttp session whose requests follow no redirect: that would carry the key to another host.

    Of an answer no more is read than may be kept: one without an end, or one that is packed, would fill the memory.
    """

    def __init__(self, session: Any, proxy: str | None) -> None:
        self._session = session
        self._proxy = proxy

    def request(self, method: str, url: str, *, data: bytes | None = None, **kwargs: Any) -> Any:
        """Begin a request; a long body is sent piece by piece, as aiohttp (which warns of others) asks for."""
        if data is not None and len(data) > LONG_BODY:
            kwargs["data"] = io.BytesIO(data)
        elif data is not None:
            kwargs["data"] = data
        return _Request(self._session.request(method, url, allow_redirects=False, proxy=self._proxy, **kwargs))

    async def close(self) -> None:
        await self._session.close()


class _Request:
    """A request of aiohttp, to be entered."""

    def __init__(self, request: Any) -> None:
        self._request = request

    async def __aenter__(self) -> _Answer:
        return _Answer(await self._request.__aenter__())

    async def __aexit__(self, *exc: object) -> None:
        await self._request.__aexit__(*exc)


class _Answer:
    """What the client's node uses of an aiohttp response."""

    def __init__(self, response: Any) -> None:
        self._response = response
        self.status: int = response.status
        self.headers: Mapping[str, str] = response.headers

    async def read(self) -> bytes:
        if (self._response.content_length or 0) > MOST_BYTES:
            raise TooLong
        parts: list[bytes] = []
        size = 0
        async for part in self._response.content.iter_any():
            size += len(part)
            if size > MOST_BYTES:
                raise TooLong
            parts.append(part)
        return b"".join(parts)

    async def release(self) -> None:
        self._response.release()


def _proxy(url: str) -> str | None:
    """The proxy that ``HTTP_PROXY``, ``HTTPS_PROXY``, ``ALL_PROXY`` and ``NO_PROXY`` name for this host."""
    parts = urlsplit(url)
    known = getproxies()
    return None if proxy_bypass(parts.netloc) else known.get(parts.scheme) or known.get("all")
