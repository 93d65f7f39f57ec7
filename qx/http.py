"""The one place where qx speaks HTTP: proxy, certificates, no redirects, bounded bodies, errors of ``qx.errors``.

An engine makes one ``Http``; providers reach it as ``services.http``.  aiohttp is imported when the engine opens.

aiohttp's own ``trust_env`` is off: beside the proxy variables it reads ``~/.netrc``, in a thread for every request, and
would send what it finds there to a model endpoint.  The proxy variables are read here instead.
"""

from __future__ import annotations

import asyncio
import functools
import json
import os
import socket
import ssl
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit, urlunsplit

from qx.errors import BadRequest, BadResponse, ProviderError, ProviderTimeout, Unavailable
from qx.failures import Cause
from qx.serial import value

if TYPE_CHECKING:
    import aiohttp

T = TypeVar("T")

MAX_BODY = 16 * 1024 * 1024
"""Bytes of a decompressed body (or of a whole stream) that are read before the answer counts as broken."""

_HOSTS = 1000
"""Hosts whose proxy is remembered."""

_CA_VARIABLES = ("QX_CA_BUNDLE", "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE")


@value
class Reply:
    """A whole answer.  Header names are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    def json(self, *, place: str) -> Any:
        """Return the body as JSON.

        Raises:
            BadResponse: it is none; the text names ``place``.
        """
        try:
            return json.loads(self.body)
        except UnicodeDecodeError:  # a byte that is none of UTF-8 costs a character, not the answer
            with suppress(ValueError, RecursionError):
                return json.loads(self.body.decode("utf-8", "replace"))
            shown = self.body[:80].decode("utf-8", "replace")
        except (ValueError, RecursionError):  # the latter: lists in lists, thousands deep
            shown = self.body[:80].decode("utf-8", "replace")
        raise BadResponse(f"{place} answered something that is not JSON: {shown!r}")


_HOSTLESS = frozenset(("about", "blob", "data", "file", "ftp", "javascript", "mailto", "view-source"))


def place(url: str) -> str:
    """Return ``url`` as messages may show it: without user, password, query and fragment."""
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
        host = f"[{host}]" if ":" in host else host
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return "(not a URL)"
    if not host and parts.scheme in _HOSTLESS:
        return f"{parts.scheme}:…"
    if not host and (parts.scheme or "@" in url):  # a password is then anywhere in it
        return "(not a URL)"
    return urlunsplit((parts.scheme, host + port, parts.path, "", ""))


class Http:
    """The HTTP client of one engine.  Belongs to one event loop.

    Args:
        redact: Takes known secrets out of the text of errors.
        ca: A file of CA certificates; None: the first that is set of ``QX_CA_BUNDLE``, ``SSL_CERT_FILE``,
            ``REQUESTS_CA_BUNDLE``, ``CURL_CA_BUNDLE``, else the system's.
        max_body: Bytes of an answer that are read at most.
    """

    def __init__(
        self, *, redact: Callable[[str], str] = lambda text: text, ca: str | None = None, max_body: int = MAX_BODY
    ) -> None:
        self._redact = redact
        self._ca = ca or next((os.environ[name] for name in _CA_VARIABLES if os.environ.get(name)), None)
        self._max_body = max_body
        self._session: aiohttp.ClientSession | None = None
        self._pages: aiohttp.ClientSession | None = None
        self._proxies: dict[tuple[str, str], str | None] = {}

    @property
    def redact(self) -> Callable[[str], str]:
        """Takes the engine's known secrets out of a text: for whatever a plugin writes down."""
        return self._redact

    async def open(self) -> None:
        """Import the client and read the certificates now, so that no request has to wait for it."""
        self._client()

    async def send(
        self,
        method: str,
        url: str,
        /,
        *,
        json: object = None,
        headers: Mapping[str, str] | None = None,
        timeout: float,  # noqa: ASYNC109 translated into ProviderTimeout here, for every caller
    ) -> Reply:
        """Send one request and read the whole answer, whatever its status.

        Args:
            json: The body, sent as JSON; None: no body.
            timeout: Seconds for everything, connecting and reading included.

        Raises:
            ProviderTimeout: no whole answer in time.
            Unavailable: refused, unknown host, broken off.
            BadRequest: ``url`` is not an http(s) URL.
            BadResponse: a redirect, or a body above the limit.
        """

        async with self.stream(method, url, json=json, headers=headers, timeout=timeout) as stream:
            return await stream.reply()

    @asynccontextmanager
    async def stream(
        self,
        method: str,
        url: str,
        /,
        *,
        json: object = None,
        headers: Mapping[str, str] | None = None,
        timeout: float,  # noqa: ASYNC109 it must not run on while the caller works on what has arrived
    ) -> AsyncGenerator[Stream]:
        """Send one request and hand over the answer while it arrives.

        Leaving the block before the end closes the connection.  Raises as ``send`` does, each read too, when
        ``timeout`` seconds have passed since the call.
        """
        async with self._answer(self._request(method, url, json, headers), url, timeout) as stream:
            check_redirect(stream.status, stream.headers.get("location"), url)
            yield stream

    @asynccontextmanager
    async def pinned(
        self,
        url: str,
        address: str,
        /,
        *,
        headers: Mapping[str, str],
        timeout: float,  # noqa: ASYNC109 as for ``stream``
    ) -> AsyncGenerator[Stream]:
        """Get ``url`` from ``address``, whatever its name resolves to by now; as ``stream``, but for these:

        the body comes as it was sent, compressed if it was; a redirect is an answer like any other; and a connection
        serves one request, so that none is taken for another name's.  A proxy is told the address, too.
        """
        import yarl

        asked = yarl.URL(url)
        host, shown = asked.raw_host or "", asked.raw_host or ""
        if ":" in host:
            shown = f"[{host}]"
        port = "" if asked.is_default_port() else f":{asked.port}"
        request = self._client_of_pages().request(
            "GET",
            asked.with_host(address),
            headers={"Host": shown + port, **headers},
            server_hostname=None if host == address else host.rstrip("."),
            allow_redirects=False,
            proxy=self._proxy(asked.scheme, shown + port),
        )
        async with self._answer(request, url, timeout) as stream:
            yield stream

    @asynccontextmanager
    async def _answer(self, manager: Any, url: str, seconds: float) -> AsyncGenerator[Stream]:
        deadline = asyncio.get_running_loop().time() + seconds

        async def enter() -> Any:
            async with asyncio.timeout_at(deadline):
                return await manager.__aenter__()

        response = await self._translated(enter, url, seconds)

        async def read() -> bytes:
            async with asyncio.timeout_at(deadline):
                return await response.content.readany()

        try:
            yield Stream(
                status=response.status,
                headers=_lower(response.headers),
                read=lambda: self._translated(read, url, seconds),
                place=place(url),
                limit=self._max_body,
            )
        finally:
            response.close()
            await manager.__aexit__(None, None, None)

    async def aclose(self) -> None:
        """Close every connection."""
        sessions = self._session, self._pages
        self._session = self._pages = None
        for session in sessions:
            if session is not None:
                await session.close()

    def _client(self) -> aiohttp.ClientSession:
        if self._session is None:
            import aiohttp

            self._session = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(limit=0, ssl=_context(self._ca), ttl_dns_cache=300),
                cookie_jar=aiohttp.DummyCookieJar(),
                timeout=aiohttp.ClientTimeout(total=None),
                headers={"User-Agent": "qx"},
            )
        return self._session

    def _client_of_pages(self) -> aiohttp.ClientSession:
        if self._pages is None:
            import aiohttp

            self._pages = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(limit=0, ssl=_context(self._ca), force_close=True),
                cookie_jar=aiohttp.DummyCookieJar(),
                timeout=aiohttp.ClientTimeout(total=None),
                auto_decompress=False,
            )
        return self._pages

    def _request(self, method: str, url: str, body: object, headers: Mapping[str, str] | None) -> Any:
        scheme, host = urlsplit(url).scheme, urlsplit(url).netloc
        if scheme not in ("http", "https") or not host:
            raise BadRequest(f"{place(url)!r} is not an http or https URL: check `api_base`")
        return self._client().request(
            method, url, json=body, headers=headers, allow_redirects=False, proxy=self._proxy(scheme, host)
        )

    def _proxy(self, scheme: str, host: str) -> str | None:
        """The proxy that ``HTTP_PROXY``, ``HTTPS_PROXY``, ``ALL_PROXY`` and ``NO_PROXY`` name for this host."""
        if (scheme, host) not in self._proxies:
            from urllib.request import getproxies, proxy_bypass

            known = getproxies()
            found = None if proxy_bypass(host.rpartition("@")[2]) else known.get(scheme) or known.get("all")
            if len(self._proxies) >= _HOSTS:  # pages come from ever other hosts
                self._proxies.clear()
            self._proxies[scheme, host] = found
        return self._proxies[scheme, host]

    async def _translated(self, work: Callable[[], Awaitable[T]], url: str, seconds: float | None) -> T:
        """Run ``work``; what aiohttp raises becomes an error of qx that does not carry aiohttp's exception along.

        That exception holds headers and proxy URLs, so it must not even be the new one's ``__context__``.
        """
        import aiohttp

        try:
            return await work()
        except TimeoutError:
            waited = "" if seconds is None else f" within {seconds:g} s"
            failure: ProviderError = ProviderTimeout(f"{place(url)} did not answer{waited}")
        except (aiohttp.ClientError, OSError, ValueError) as error:
            failure = self._failure(error, url)
        raise failure

    def _failure(self, error: Exception, url: str) -> ProviderError:
        import aiohttp

        kind, where, detail = str(type(error).__name__), place(url), self._redact(_detail(error))
        failure: ProviderError
        if isinstance(error, (aiohttp.ClientConnectorCertificateError, aiohttp.ClientConnectorSSLError)):
            failure = ProviderError(
                f"the certificate of {where} is not trusted: {detail}; name your CA file in QX_CA_BUNDLE"
            )
        elif isinstance(error, aiohttp.ClientProxyConnectionError):
            failure = Unavailable(f"the proxy for {where} cannot be reached: {detail}; check HTTP_PROXY and NO_PROXY")
        elif isinstance(error, aiohttp.ClientConnectorError):
            failure = Unavailable(f"cannot connect to {where}: {detail}")
        elif isinstance(error, (aiohttp.InvalidURL, ValueError)):
            failure = BadRequest(f"{where} cannot be called: {detail}")
        elif isinstance(error, aiohttp.ClientResponseError):
            failure = BadResponse(f"{where} answered something that is not HTTP: {detail}")
        else:
            failure = Unavailable(f"the connection to {where} broke: {detail}")
        failure.__cause__ = Cause(f"{kind}: {detail}")
        return failure


class Stream:
    """An answer that is still arriving: read it once, by ``lines`` or by ``reply``."""

    def __init__(
        self, *, status: int, headers: Mapping[str, str], read: Callable[[], Awaitable[bytes]], place: str, limit: int
    ) -> None:
        self.status = status
        self.headers = headers
        self._read = read
        self._place = place
        self._limit = limit

    async def parts(self) -> AsyncIterator[bytes]:
        """Yield it as it comes."""
        size = 0
        while part := await self._read():
            size += len(part)
            if size > self._limit:
                raise BadResponse(f"{self._place} answered more than {self._limit:,} bytes")
            yield part

    async def reply(self) -> Reply:
        """Read all of it."""
        return Reply(status=self.status, headers=self.headers, body=b"".join([part async for part in self.parts()]))

    async def lines(self) -> AsyncIterator[bytes]:
        """Yield it line by line, without the line ends."""
        rest = b""
        async for part in self.parts():
            *whole, rest = (rest + part).split(b"\n")
            for line in whole:
                yield line.rstrip(b"\r")
        if rest:
            yield rest.rstrip(b"\r")


def check_redirect(status: int, location: str | None, url: str) -> None:
    """Raise ``BadResponse`` for a redirect: following it would carry the key to another host."""
    if 300 <= status < 400:
        target = f" to {place(location)}" if location else ""
        raise BadResponse(
            f"{place(url)} redirects{target}; redirects are not followed: put the final URL in `api_base`"
        )


def _lower(headers: Mapping[str, str]) -> dict[str, str]:
    return {name.lower(): text for name, text in headers.items()}


def _detail(error: Exception) -> str:
    """What went wrong, in the operating system's words where it has any: aiohttp's own may show a proxy's password."""
    inner = getattr(error, "os_error", error)
    if isinstance(inner, socket.gaierror):
        return str(inner.strerror)
    if isinstance(inner, OSError) and inner.errno:
        return os.strerror(inner.errno)
    return type(error).__name__


@functools.cache
def _context(ca: str | None) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=ca)
