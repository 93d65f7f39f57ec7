"""The connection to one cluster: the official client, its credentials, its errors."""

from __future__ import annotations

import os
import ssl
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from typing import Any, TypeVar

from qx.clock import Clock
from qx.errors import BadResponse, Closed, ProfileError, ProviderError
from qx.hookspecs import Services
from qx.http import place
from qx.tenant_folder import own_path
from qx_elasticsearch.failures import refused, translated, wrong_client
from qx_elasticsearch.settings import Settings

T = TypeVar("T")

_CA_VARIABLES = ("QX_CA_BUNDLE", "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE")
_LOCAL = ("http://localhost:9200",)


class Connection:
    """Calls of the client, with errors of qx.  Belongs to one event loop.

    Attributes:
        endpoint: Where the cluster is, without credentials.
        place: The backend with its endpoint, as messages name it.
    """

    def __init__(self, settings: Settings, client: Any, clock: Clock) -> None:
        self.endpoint = _endpoint(settings)
        self.place = f"elasticsearch backend '{settings.name}' at {self.endpoint}"
        self._client = client
        self._clock = clock
        self._closed = False

    @classmethod
    async def create(cls, settings: Settings, services: Services) -> Connection:
        """Import the client (that takes a second) and make one.  Nothing is sent yet.

        Raises:
            ProfileError: a host is not a URL, the CA file is not one.
            NotAllowed: the CA file lies outside of the profile's folder.
        """
        context = _context(settings, services)
        make = await services.run_cpu(_load)
        try:
            return cls(settings, make(settings, context), services.clock)
        except (ValueError, TypeError) as error:
            hint = "a host is a URL such as https://es.example.com:9200"
            raise ProfileError(f"backend '{settings.name}': {_without_secrets(error, settings)}", hint=hint) from None

    async def call(self, work: Callable[[Any], Awaitable[T]], *, timeout: float) -> T:  # noqa: ASYNC109 the client's own
        """Run ``work`` with the client.

        Raises:
            ProviderError: whatever went wrong, as one of its kinds.
            Closed: the backend is closed.
        """
        import elasticsearch

        if self._closed:
            raise Closed(f"{self.place} is closed")
        try:
            answer = await work(self._client.options(request_timeout=timeout))
        except (elasticsearch.ApiError, elasticsearch.TransportError, ValueError, RecursionError) as error:
            failure = translated(error, place=self.place, now=self._clock.now())
        else:
            body: object = getattr(answer, "body", None)
            if isinstance(body, (dict, bool)):  # a question by HEAD is answered yes or no
                return answer
            failure = BadResponse(f"{self.place} answered something that is no JSON object, as Elasticsearch does")
        raise failure

    @contextmanager
    def reading(self, what: str) -> Generator[None]:
        """Read an answer within it: one that has not the shape of ``what`` is a ``BadResponse``."""
        failure: BadResponse
        try:
            yield
            return
        except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
            failure = BadResponse(f"{self.place} answered something that is no {what} ({type(error).__name__})")
        raise failure

    def refused(self, status: int, body: object) -> ProviderError:
        """Return the error for one part of an answer."""
        return refused(status, body, place=self.place, now=self._clock.now())

    async def check_version(self, *, timeout: float) -> str:  # noqa: ASYNC109 the client's own
        """Return the server's version.

        Raises:
            ProfileError: the installed client does not speak to it; the text names the version to install.
            ProviderError: it does not answer.
        """
        import elasticsearch

        mine = elasticsearch.__version__[0]
        try:
            info = await self.call(lambda client: client.info(), timeout=timeout)
        except ProviderError as error:
            if "the installed client" in str(error):
                raise ProfileError(str(error)) from error
            raise
        with self.reading("description of a cluster"):
            version = str(info["version"]["number"])
            server = int(version.partition(".")[0])
        if server < mine:
            raise ProfileError(f"{self.place}: {wrong_client(mine, server)}")
        return version

    async def aclose(self) -> None:
        """Close every connection; twice is harmless."""
        if not self._closed:
            self._closed = True
            await self._client.close()


def _load() -> Callable[[Settings, ssl.SSLContext], Any]:
    from elasticsearch import AsyncElasticsearch

    from qx_elasticsearch.node import Node

    def make(settings: Settings, context: ssl.SSLContext) -> Any:
        named: dict[str, Any] = {"node_class": Node, "max_retries": 0, "retry_on_timeout": False}
        named["retry_on_status"] = ()  # only the core retries
        if settings.cloud_id is not None:
            named["cloud_id"] = settings.cloud_id.get_secret_value()
        else:
            named["hosts"] = list(settings.hosts or _LOCAL)
        if settings.cloud_id is not None or any(host.startswith("https") for host in settings.hosts):
            named["ssl_context"] = context
        if settings.api_key is not None:
            named["api_key"] = settings.api_key.get_secret_value()
        if settings.username is not None and settings.password is not None:
            named["basic_auth"] = (settings.username, settings.password.get_secret_value())
        return AsyncElasticsearch(**named)

    return make


def _context(settings: Settings, services: Services) -> ssl.SSLContext:
    ca = next((os.environ[name] for name in _CA_VARIABLES if os.environ.get(name)), None)
    if settings.ca is not None:
        ca = str(own_path(settings.ca, services))
    try:
        context = ssl.create_default_context(cafile=ca)
    except (OSError, ssl.SSLError) as error:
        raise ProfileError(
            f"backend '{settings.name}': {ca} is no file of CA certificates ({error})", hint="`ca` names a PEM file"
        ) from error
    if not settings.verify:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context


def _endpoint(settings: Settings) -> str:
    if settings.cloud_id is not None:
        return f"Elastic Cloud ({settings.cloud_id.get_secret_value().partition(':')[0]})"
    return ", ".join(place(host) for host in settings.hosts or _LOCAL)


def _without_secrets(error: Exception, settings: Settings) -> str:
    text = str(error)
    for host in settings.hosts:
        text = text.replace(host, place(host))
    return text
