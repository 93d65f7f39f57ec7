"""What a cassette holds beside a model's answers: vectors, lists of hits, what an engine is and says, failures."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import field

from qx import errors
from qx.backend import SearchResponse
from qx.embedder import Embeddings
from qx.errors import ProviderError, QxError, kind_of
from qx.filters.fieldmap import FieldMap, StoredField
from qx.serial import empty, to_plain, value
from qx.types import Hit, Target, Usage


@value
class Embedded:
    """``Embeddings`` as JSON: the vectors in base64."""

    vectors: tuple[str, ...]
    usage: Usage

    @classmethod
    def of(cls, made: Embeddings) -> Embedded:
        """Return what is kept of an embedder's answer."""
        return cls(vectors=tuple(base64.b64encode(v).decode() for v in made.vectors), usage=made.usage)

    def embeddings(self) -> Embeddings:
        """Return the answer again."""
        return Embeddings(vectors=tuple(map(base64.b64decode, self.vectors)), usage=self.usage)


@value
class Listing:
    """A ``SearchResponse`` with all of its hits."""

    hits: tuple[Hit, ...] = ()
    scores: tuple[float, ...] = ()
    identities: tuple[str | None, ...] = ()
    total: int | None = None
    facets: Mapping[str, tuple[tuple[str, int], ...]] = field(default_factory=empty)
    frequencies: Mapping[str, int] = field(default_factory=empty)
    documents: int | None = None
    unexpressed: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, found: SearchResponse) -> Listing:
        """Return what is kept of an engine's answer."""
        return cls(
            hits=tuple(found.hit(index) for index in range(len(found.ids))),
            scores=tuple(found.scores),
            identities=tuple(found.identities),
            total=found.total,
            facets={name: tuple((text, count) for text, count in counts) for name, counts in found.facets.items()},
            frequencies=dict(found.frequencies),
            documents=found.documents,
            unexpressed=tuple(found.unexpressed),
            notes=tuple(found.notes),
        )

    def response(self) -> SearchResponse:
        """Return the answer again."""
        return SearchResponse(
            ids=tuple(hit.id for hit in self.hits),
            scores=self.scores,
            hit=self.hits.__getitem__,
            identities=self.identities,
            total=self.total,
            facets=self.facets,
            frequencies=self.frequencies,
            documents=self.documents,
            unexpressed=self.unexpressed,
            notes=self.notes,
        )


@value
class About:
    """What an engine or embedder is, so that it need not be there for a replay.

    ``fields`` is the field map as JSON; ``abilities`` names the ``Supports…`` protocols that it has.
    """

    endpoint: str = ""
    accepts: tuple[Target, ...] = ()
    fields: Mapping[str, object] = field(default_factory=empty)
    bm25: bool = False
    abilities: tuple[str, ...] = ()
    fingerprint: str = ""
    dimensions: int = 0


@value
class Moment:
    """When a query was asked, its trace's id, and the model's block where the environment alone named one."""

    now: str
    trace: str = ""
    llm: Mapping[str, object] | None = None


@value
class Replied:
    """An HTTP answer to a processor; bytes that are no UTF-8 are kept as lone surrogates."""

    status: int
    headers: Mapping[str, str] = field(default_factory=empty)
    body: str = ""


@value
class Failure:
    """An error instead of an answer: its class in ``qx.errors``, its text, and the seconds that it asks to wait."""

    type: str
    message: str
    retry_after: float | None = None

    @classmethod
    def of(cls, error: QxError) -> Failure:
        """Return what is kept of an error: of a class that is not qx's, the nearest one that is."""
        return cls(type=kind_of(error), message=str(error), retry_after=error.retry_after)

    def error(self) -> QxError:
        """Return the error again."""
        kind = getattr(errors, self.type, None)
        made = kind if isinstance(kind, type) and issubclass(kind, ProviderError) else ProviderError
        return made(self.message, retry_after=self.retry_after)


def plain_fields(fields: FieldMap) -> Mapping[str, object]:
    """Return a field map as JSON has it."""
    return {name: to_plain(stored.model_dump(mode="json")) for name, stored in fields.items()}


def read_fields(plain: Mapping[str, object]) -> FieldMap:
    """Return the field map again."""
    return {name: StoredField.model_validate(item) for name, item in plain.items()}
