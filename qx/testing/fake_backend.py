"""A search backend that searches: documents in memory, with filters, sorting, writing and all; no engine is started."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar

from pydantic import Field

from qx.backend import BackendSettings, Document, SearchRequest, SearchResponse
from qx.filters.fieldmap import FieldMap
from qx.hookspecs import Services
from qx.in_memory import Written
from qx.in_memory.entry import Entry
from qx.model import Model
from qx.serial import from_plain


class Given(Model):
    """One document of ``type: fake``."""

    id: str
    title: str = ""
    text: str = ""
    url: str | None = None
    metadata: Mapping[str, object] = Field(default_factory=dict[str, object])


class Settings(BackendSettings):
    """The settings of ``type: fake``: ``instance`` (see ``FakeBackend.named``), or ``documents``."""

    instance: str | None = None
    documents: tuple[Given, ...] = ()


class FakeBackend(Written):
    """Finds what its documents hold, as the local backend would; what it was asked is kept.

    Args:
        documents: What is held at first; ``upsert`` adds to it.
        name, fields: As in a profile; without ``fields`` title and text are searched.
        failure: Raised by every call, in place of an answer.

    Attributes:
        requests: Every request so far.
    """

    Settings = Settings
    conformance: ClassVar[Mapping[str, bool]] = {"traditional": True, "by_id": True, "by_values": True, "keeps": False}
    _instances: ClassVar[dict[str, FakeBackend]] = {}

    def __init__(
        self,
        documents: Iterable[Document] = (),
        *,
        name: str = "fake",
        fields: FieldMap | None = None,
        failure: Exception | None = None,
    ) -> None:
        super().__init__(BackendSettings(name=name, fields=fields or {}), documents, endpoint="memory")
        self.failure = failure
        self.requests: list[SearchRequest] = []

    @classmethod
    async def create(cls, settings: Settings, services: Services, /) -> FakeBackend:
        """Make the backend, or return the one that ``instance`` names."""
        if settings.instance is not None:
            found = cls._instances[settings.instance]
            found.name = settings.name
            return found
        documents = [from_plain(Document, given.model_dump()) for given in settings.documents]
        return cls(documents, name=settings.name, fields=settings.fields)

    def named(self, instance: str) -> FakeBackend:
        """Make this one what ``instance: NAME`` means in profiles of this process; returns itself."""
        self._instances[instance] = self
        return self

    async def search(self, request: SearchRequest, /) -> SearchResponse:
        """Run one request; it is kept in ``requests``."""
        self.requests.append(request)
        return await super().search(request)

    def current(self) -> Mapping[str, Entry]:
        """Return what is held, or raise the failure."""
        if self.failure is not None:
            raise self.failure
        return super().current()
