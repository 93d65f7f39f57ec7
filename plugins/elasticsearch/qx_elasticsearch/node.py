"""The client's HTTP node as qx wants it: no redirects, the environment's proxy, no warnings for the caller's filters."""

from __future__ import annotations

import logging
from typing import Any
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from elastic_transport import AiohttpHttpNode

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


class _Session:
    """An aiohttp session whose requests follow no redirect: that would carry the key to another host."""

    def __init__(self, session: Any, proxy: str | None) -> None:
        self._session = session
        self._proxy = proxy

    def request(self, method: str, url: str, **kwargs: Any) -> Any:
        return self._session.request(method, url, allow_redirects=False, proxy=self._proxy, **kwargs)

    async def close(self) -> None:
        await self._session.close()


def _proxy(url: str) -> str | None:
    """The proxy that ``HTTP_PROXY``, ``HTTPS_PROXY``, ``ALL_PROXY`` and ``NO_PROXY`` name for this host."""
    parts = urlsplit(url)
    known = getproxies()
    return None if proxy_bypass(parts.netloc) else known.get(parts.scheme) or known.get("all")
