"""The section ``chat:`` of a profile: where its messages are, opened once for an engine."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from qx.durations import Duration, Wait
from qx.model import Model
from qx.settings import BackendBlock, Named, Secret
from qx.tenant_folder import own_path
from qx_chatlog.asking.settings import AskSettings
from qx_chatlog.controls import ControlSettings
from qx_chatlog.kept import Kept
from qx_chatlog.redaction import RedactSettings

if TYPE_CHECKING:
    from qx.context import Context
    from qx.hookspecs import Services
    from qx_chatlog.describing import Describing
    from qx_chatlog.store import ChatStore


class SqliteStoreSettings(Model):
    type: Literal["sqlite"] = "sqlite"
    path: Path | None = None
    """The file, relative to the profile's folder; null: `chat.db` in the tenant's data folder."""
    wait: Wait = 30.0
    """How long a call waits for another's lock before it fails."""


class PostgresStoreSettings(Model):
    type: Literal["postgres"]
    dsn: Secret
    """Where it is: `${NAME}` of an environment variable with `postgresql://user:password@host/database`."""
    wait: Wait = 30.0
    """How long a call waits for a connection or a lock before it fails."""
    connections: int = Field(default=8, ge=1, le=200)
    """Connections at most."""


class VectorSettings(Model):
    every: Duration = 3600.0
    """How often new messages get their vectors in a program that stays (`chat.embed` makes them at once)."""
    batch: int = Field(default=100, ge=1, le=10_000)
    """Messages of one call of the embedder."""


class EngineSettings(Model):
    backend: BackendBlock
    """The engine: `type` and its own settings, as under `search.backends`; its index is this tenant's alone."""
    timeout: Wait = 5.0
    """Of one search of it."""


class ChatSection:
    """What the section opens: ``store``, ``settings`` as the profile has them, and results that are ``kept``."""

    class Settings(Model):
        store: Annotated[SqliteStoreSettings | PostgresStoreSettings, Field(discriminator="type")] = Field(
            default_factory=SqliteStoreSettings
        )
        """Where messages are kept."""
        search: EngineSettings | None = None
        """An engine that proposes what the store then puts in order; null: the store searches alone."""
        vectors: VectorSettings | None = None
        """Vectors of messages, for search by meaning; the profile's `embedder:` makes them."""
        horizon: Duration | None = 365 * 86400.0
        """How far back is searched where no time is named, unless that gives less than was asked for; null: all of it."""
        controls: ControlSettings = Field(default_factory=ControlSettings)
        """How what is found is put in order, each part to be switched off alone."""
        ask: AskSettings = Field(default_factory=AskSettings)
        """What an answer may spend."""
        describe: Named | None = None
        """What captions pictures and transcribes recordings at import: the name of a describer, with its settings."""
        redact: RedactSettings | None = None
        """Personal data in messages is hidden; null: it is not."""

    def __init__(self, settings: Settings, store: ChatStore, tenant: str) -> None:
        self.settings = settings
        self.store = store
        self.tenant = tenant
        self.kept = Kept()
        self._services: Services | None = None
        self._task: asyncio.Task[None] | None = None

    @classmethod
    async def create(cls, settings: Settings, services: Services, /) -> ChatSection:
        """Open the store.

        Raises:
            NotAllowed: its path is not allowed.
            Unavailable, ProviderError: it cannot be opened.
        """
        made = cls(settings, await open_store(settings, services), services.tenant)
        made._services = services
        if settings.vectors is not None:
            made.keep_embedded(settings.vectors, services)
        return made

    async def describing(self, export: Path) -> Describing | None:
        """Return what describes the pictures and recordings beside ``export``; None: the profile names nothing.

        Raises:
            PluginError: there is no such describer.
        """
        if self.settings.describe is None or self._services is None:
            return None
        from qx_chatlog.describing import Describing

        return Describing(await self._services.describer(self.settings.describe), export)

    def keep_embedded(self, settings: VectorSettings, services: Services) -> None:
        """Make vectors of new messages from now and then, until the section is closed."""
        from qx.budget import Cost, RequestBudget
        from qx_chatlog.embedding import keep_embedded

        def begin() -> Context:
            unlimited = RequestBudget(Cost(), services.clock.monotonic)
            return services.begin("embed", step="chat.embed", budget=unlimited)

        self._task = asyncio.create_task(
            keep_embedded(
                self.store,
                begin,
                services.clock,
                services.log,
                tenant=self.tenant,
                every=settings.every,
                batch=settings.batch,
            )
        )

    async def aclose(self) -> None:
        """Stop what runs beside, and close the store."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        await self.store.aclose()


async def open_store(settings: ChatSection.Settings, services: Services) -> ChatStore:
    """Open what ``settings.store`` names, with the engine of ``settings.search``."""
    store = await _store(settings, services)
    if settings.search is None:
        return store
    from qx_chatlog.engine.documents import FIELDS
    from qx_chatlog.engine.store import EngineStore

    block = settings.search.backend
    try:
        fields = {**FIELDS, **block.settings.get("fields", {})}
        own = BackendBlock.model_validate({"type": block.type, **block.settings, "fields": fields})
        backend = await services.search_backend("chat", own)
        return EngineStore(store, backend, timeout=settings.search.timeout, log=services.log)
    except BaseException:
        await store.aclose()
        raise


async def _store(settings: ChatSection.Settings, services: Services) -> ChatStore:
    chosen = settings.store
    if isinstance(chosen, PostgresStoreSettings):
        from qx_chatlog.postgres.store import PostgresStore

        return await PostgresStore.open(chosen.dsn.get_secret_value(), wait=chosen.wait, connections=chosen.connections)
    from qx_chatlog.sqlite.store import SqliteStore

    path = services.data / "chat.db" if chosen.path is None else own_path(chosen.path.expanduser(), services)
    return await SqliteStore.open(path, wait=chosen.wait)
