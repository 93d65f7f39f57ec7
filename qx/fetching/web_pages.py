"""The fetcher ``http``: pages of the open web by http(s), each hop checked and pinned before it is gone.

Per hop: the address as text -> its name looked up -> every address public (``addresses``) -> ``robots.txt`` -> the
request, to a checked address -> a redirect is the next hop.  Then: media type, size, encoding, text (``reading``).
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from importlib.metadata import PackageNotFoundError, version

from pydantic import Field
from yarl import URL

from qx.durations import Wait
from qx.errors import BadRequest, BadResponse, ProviderError, ProviderTimeout, ScrapeError, ScrapeKind
from qx.fetch import FetchLimits, FetchRequest, Page
from qx.fetching import reading
from qx.fetching.addresses import Network, Resolve, allowed_networks, checked_addresses, checked_url, system_resolve
from qx.fetching.inflating import ENCODINGS, Body
from qx.fetching.robots import MOST_BYTES, Robots
from qx.hookspecs import Services
from qx.http import MAX_BODY, Stream, place
from qx.model import Model
from qx.serial import value

_TRIED = 3
"""Addresses of one name that are tried, one after the other."""
_REDIRECTS = (301, 302, 303, 307, 308)
_PLAIN = ("text/plain", "application/octet-stream")
"""As what sites send their ``robots.txt``."""


class Settings(Model):
    """The keys of ``fetch:``."""

    seconds: Wait = 10.0
    """Of one page, everything included."""
    bytes: int = Field(default=5_000_000, ge=1_000, le=MAX_BODY)
    """Of one page, decompressed."""
    redirects: int = Field(default=5, ge=0, le=20)
    """That are followed at most."""
    robots: bool = True
    """Whether `robots.txt` is read and followed."""
    user_agent: str = Field(default="", max_length=200, pattern=r"^[\x20-\x7e]*$")
    """What qx calls itself; empty: `qx/` and its version. Rules of `robots.txt` are looked up by its first word."""


@value
class _Body:
    """A page that came: where from in the end, what it is, and its bytes."""

    url: str
    media_type: str
    charset: str | None
    data: bytes


class WebPages:
    """Implements ``Fetcher``.

    Args:
        resolve: Looks names up.
        allowed: Networks that are not public and may be fetched from all the same: the operator's to say.
    """

    Settings = Settings

    def __init__(
        self,
        settings: Settings,
        services: Services,
        *,
        resolve: Resolve = system_resolve,
        allowed: Sequence[Network] = (),
    ) -> None:
        self._settings = settings
        self._services = services
        self._resolve = resolve
        self._allowed = allowed
        self._agent = settings.user_agent or f"qx/{_version()}"
        self._robots = Robots(self._agent.split("/")[0].split(" ")[0], services.clock.monotonic)

    @classmethod
    async def create(cls, settings: Settings, services: Services, /) -> WebPages:
        """Make one, and import the client and what reads pages now."""
        made = cls(settings, services, allowed=allowed_networks())
        await services.http.open()
        await services.run_cpu(reading.load)
        return made

    async def fetch(self, request: FetchRequest, /) -> Page:
        """Fetch and read one page; as ``Fetcher.fetch``."""
        limits = self._limits(request.limits)
        failure: ScrapeError
        try:
            async with asyncio.timeout(limits.seconds):
                found = await self._got(request.url, limits, robots=self._settings.robots)
                work = partial(
                    reading.page_of, found.data, url=found.url, media_type=found.media_type, charset=found.charset
                )
                return await self._services.run_cpu(work)
        except TimeoutError:
            failure = ScrapeError(f"{place(request.url)}: not read within {limits.seconds:g} s", kind="timeout")
        raise failure

    async def aclose(self) -> None:
        """Nothing to close: the connections are the engine's."""

    def _limits(self, asked: FetchLimits) -> FetchLimits:
        own = self._settings
        return FetchLimits(
            seconds=min(asked.seconds, own.seconds),
            bytes=min(asked.bytes, own.bytes),
            redirects=min(asked.redirects, own.redirects),
            media_types=asked.media_types,
        )

    async def _got(self, text: str, limits: FetchLimits, *, robots: bool) -> _Body:
        """Follow ``text`` hop by hop to a page."""
        url, hops = checked_url(text), [text]
        while True:
            # before anything is asked of it: its robots.txt is an address of its own
            addresses = await checked_addresses(url, self._resolve, self._allowed)
            if robots:
                await self._robots.check(url, self._robots_text)
            found = await self._hop(url, addresses, limits)
            if isinstance(found, _Body):
                return found
            url = found
            hops.append(str(url))
            if len(hops) > limits.redirects + 1 or str(url) in hops[:-1]:
                shown = " -> ".join(place(hop) for hop in hops)
                raise ScrapeError(f"too many redirects, or in a circle: {shown[:500]}", kind="redirects")

    async def _robots_text(self, url: URL) -> str:
        # less than a page may take: that it hangs is then known, and not found out by each caller anew
        limits = FetchLimits(bytes=MOST_BYTES, media_types=_PLAIN, seconds=self._settings.seconds / 2)
        try:
            async with asyncio.timeout(limits.seconds):
                body = await self._got(str(url), limits, robots=False)
        except TimeoutError:
            said = f"{place(str(url))}: not read within {limits.seconds:g} s"
            raise ScrapeError(said, kind="timeout") from None
        return reading.decoded(body.data, body.charset)

    async def _hop(self, url: URL, addresses: Sequence[str], limits: FetchLimits) -> _Body | URL:
        """Ask once, the next address where one cannot be reached; return the page, or where it redirects to."""
        failure: ScrapeError | None = None
        for address in addresses[:_TRIED]:
            try:
                return await self._ask(url, address, limits)
            except ScrapeError as error:
                if error.kind != "unreachable":
                    raise
                failure = error
        raise failure or ScrapeError(f"{place(str(url))}: the name has no address", kind="unreachable")

    async def _ask(self, url: URL, address: str, limits: FetchLimits) -> _Body | URL:
        headers = {
            "User-Agent": self._agent,
            "Accept": ", ".join(limits.media_types) + ", */*;q=0.1",
            "Accept-Encoding": ENCODINGS,
            "Accept-Language": "*",
        }
        failure: ScrapeError
        try:
            async with self._services.http.pinned(str(url), address, headers=headers, timeout=limits.seconds) as stream:
                return await self._answered(url, stream, limits)
        except ScrapeError:
            raise
        except ProviderError as error:
            failure = ScrapeError(str(error), kind=_kind(error))
        raise failure

    async def _answered(self, url: URL, stream: Stream, limits: FetchLimits) -> _Body | URL:
        where = place(str(url))
        if stream.status in _REDIRECTS:
            return _target(url, stream.headers.get("location", ""))
        if stream.status != 200:
            after = stream.headers.get("retry-after", "")
            raise ScrapeError(
                f"{where} answered {stream.status}",
                kind="status",
                status=stream.status,
                retry_after=float(after) if after.isascii() and after.isdigit() else None,
            )
        declared, header = stream.headers.get("content-length", ""), stream.headers.get("content-type", "")
        named = reading.media_type_of(header, b"%PDF-" if not header else b"")
        if header and named not in limits.media_types and named != "application/octet-stream":
            raise ScrapeError(f"{where} is {named[:80]}, which is not read", kind="media-type")
        if declared.isascii() and declared.isdigit() and int(declared) > limits.bytes:
            raise ScrapeError(f"{where}: the page has more than {limits.bytes:,} bytes", kind="too-large")
        body = Body(where, stream.headers.get("content-encoding", ""), limits.bytes)
        async for part in stream.parts():
            body.feed(part)
        data = body.whole()
        media_type = reading.media_type_of(header, data[:512])
        if media_type not in limits.media_types:
            raise ScrapeError(f"{where} is {media_type[:80]}, which is not read", kind="media-type")
        return _Body(url=str(url), media_type=media_type, charset=_charset(header), data=data)


def _target(url: URL, location: str) -> URL:
    try:
        found = url.join(URL(location))
    except ValueError:
        found = None
    if not location or found is None:
        raise ScrapeError(f"{place(str(url))} redirects to nowhere", kind="redirects")
    return checked_url(str(found))


def _charset(header: str) -> str | None:
    for part in header.split(";")[1:]:
        name, _, text = part.partition("=")
        if name.strip().lower() == "charset":
            return text.strip().strip("\"'") or None
    return None


def _kind(error: ProviderError) -> ScrapeKind:
    if isinstance(error, ProviderTimeout):
        return "timeout"
    return "unreadable" if isinstance(error, (BadResponse, BadRequest)) else "unreachable"


def _version() -> str:
    try:
        return version("qx-query")
    except PackageNotFoundError:  # run from a tree that was never installed
        return "0"
