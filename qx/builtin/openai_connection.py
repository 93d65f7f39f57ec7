"""Where an OpenAI-compatible endpoint is and how one knocks: URL, headers, Azure's own way of both."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from typing import Any, cast
from urllib.parse import quote, urlsplit

from pydantic import Field

from qx.addresses import HttpAddress
from qx.clock import Clock
from qx.errors import BadResponse
from qx.hookspecs import Services
from qx.http import Http, Stream, place
from qx.model import Model
from qx.settings import Secret
from qx.wire.refusal import refusal

OPENAI = "https://api.openai.com/v1"


class Azure(Model):
    """Azure OpenAI: the key goes as ``api-key``, the deployment into the path, the API version into the query."""

    api_version: str = "2024-10-21"
    deployment: str | None = None
    """None: the model's name."""


class ConnectionSettings(Model):
    """What every OpenAI-compatible client is told.

    ``headers`` and ``body`` go with every request, over what qx sends itself (not over ``Authorization``).
    """

    model: str = ""
    api_base: HttpAddress = OPENAI
    api_key: Secret | None = None
    organisation: str | None = None
    project: str | None = None
    azure: Azure | None = None
    headers: Mapping[str, str] = Field(default_factory=dict)
    body: Mapping[str, Any] = Field(default_factory=dict)


class Connection:
    """One endpoint's HTTP side."""

    def __init__(self, settings: ConnectionSettings, http: Http, clock: Clock) -> None:
        self._settings = settings
        self._http = http
        self._clock = clock
        self._base = settings.api_base.rstrip("/")

    @classmethod
    async def create(cls, settings: ConnectionSettings, services: Services) -> Connection:
        """Make a connection and load the HTTP client now."""
        await services.http.open()
        return cls(settings, services.http, services.clock)

    @property
    def is_openai(self) -> bool:
        """Whether this is OpenAI itself, or Azure's copy of it."""
        return self._settings.azure is not None or urlsplit(self._base).hostname == "api.openai.com"

    @property
    def place(self) -> str:
        """The endpoint as messages may show it."""
        return place(self._base)

    def url(self, operation: str, model: str) -> str:
        """Return the URL of ``chat/completions`` or ``embeddings``."""
        azure = self._settings.azure
        if azure is None:
            base, mark, query = self._base.partition("?")
            base = base.rstrip("/")
            return (base if base.endswith(operation) else f"{base}/{operation}") + mark + query
        deployment = quote(azure.deployment or model, safe="")
        return f"{self._base}/openai/deployments/{deployment}/{operation}?api-version={quote(azure.api_version)}"

    def headers(self) -> dict[str, str]:
        settings = self._settings
        found = dict(settings.headers)
        if settings.organisation:
            found["OpenAI-Organization"] = settings.organisation
        if settings.project:
            found["OpenAI-Project"] = settings.project
        if settings.api_key is not None and settings.api_key.get_secret_value():
            key = settings.api_key.get_secret_value()
            found |= {"Authorization": f"Bearer {key}"} if settings.azure is None else {"api-key": key}
        return found

    async def post(self, operation: str, model: str, body: Mapping[str, Any], *, seconds: float) -> Mapping[str, Any]:
        """Send ``body`` and return the JSON object of the answer.

        Raises:
            ProviderError: one of its kinds.
        """
        reply = await self._http.send(
            "POST", self.url(operation, model), json=body, headers=self.headers(), timeout=seconds
        )
        if reply.status != 200:
            raise refusal(reply, place=self.place, model=model, now=self._clock.now())
        answer = reply.json(place=self.place)
        if not isinstance(answer, Mapping):
            raise BadResponse(f"{self.place} answered JSON that is not an object")
        found = cast(Mapping[str, Any], answer)
        if found.get("error"):
            raise refusal(reply, place=self.place, model=model, now=self._clock.now())
        return found

    @asynccontextmanager
    async def stream(
        self, operation: str, model: str, body: Mapping[str, Any], *, seconds: float
    ) -> AsyncGenerator[Stream]:
        """Send ``body`` and hand over the answer as it arrives; refusals raise as for ``post``."""
        url = self.url(operation, model)
        async with self._http.stream("POST", url, json=body, headers=self.headers(), timeout=seconds) as stream:
            if stream.status != 200:
                raise refusal(await stream.reply(), place=self.place, model=model, now=self._clock.now())
            yield stream
