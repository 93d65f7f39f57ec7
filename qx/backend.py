"""The contract of a search backend: one request in, ids and scores out.

A backend translates a ``SearchRequest`` into its engine's language and the answer back.  It has no retry, cache or
deadline of its own: the core owns those.  What it can do besides searching it says by implementing the ``Supports…``
protocols below; nothing else is asked of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import Annotated, Any, Protocol, cast, runtime_checkable

from pydantic import BeforeValidator, Field

from qx.errors import QxError
from qx.filters import Filter
from qx.filters.fieldmap import FieldMap, StoredField
from qx.model import Model
from qx.serial import empty, value
from qx.syntax.tree import Expression
from qx.types import Hit, Target


def read_fields(item: object) -> object:
    """Turn the short forms of a field map into full ones: ``title: title^3``, ``brand: brand.keyword``."""
    if not isinstance(item, Mapping):
        return item
    return {name: _read_field(stored) for name, stored in cast("Mapping[str, object]", item).items()}


def _read_field(item: object) -> object:
    if not isinstance(item, str):
        return item
    name, caret, boost = item.partition("^")
    return {"name": name.strip(), "boost": boost.strip()} if caret else {"name": name.strip()}


class _ShortForms:
    """In a profile the stored name alone will do, with a weight: ``title^3``; the JSON Schema says so."""

    def __get_pydantic_json_schema__(self, core: Any, handler: Any) -> dict[str, Any]:
        made: dict[str, Any] = handler(core)
        return {**made, "additionalProperties": {"anyOf": [{"type": "string"}, made["additionalProperties"]]}}


Fields = Annotated[Mapping[str, StoredField], BeforeValidator(read_fields), _ShortForms()]


class BackendSettings(Model):
    """What the settings of every backend begin with: subclass it as your class's ``Settings``.

    ``name`` is set by the core: the key under ``search.backends``.
    """

    name: str = "main"
    fields: Fields = Field(default_factory=dict[str, StoredField])


@value
class Sort:
    """``field`` is a stored name; documents without it come last."""

    field: str
    descending: bool = False


@value
class Boost:
    """Documents with ``value`` in the stored ``field`` count ``weight`` times."""

    field: str
    value: str
    weight: float


@value
class SearchRequest:
    """One sub-query for one backend.

    Attributes:
        text: The sub-query's words as typed, for engines that take plain text and for what is shown.
        expression: The same, parsed once by the core; operators, phrases and ``site:`` are in it.  An empty expression
            asks for everything that passes ``filter``; without a filter too, for nothing.
        target: ``any | lexical | vector | web``: which side of the engine it is for.
        filter: Already lowered: stored names, scaled values, the engine's spellings.
        boosts: What the query wishes for but does not demand; an engine that cannot weigh documents leaves them out.
        vector: The query's vector as float32 little endian, where the profile has an embedder.
        sort: Replaces the order by score.
        facets: Stored fields whose values are to be counted.
        identity: The stored field that tells when two documents are one thing, returned as ``identities``; None: none.
        highlights: Whether hits are to show what matched; False where nobody will look at them, so that an engine that
            pays for each need not make them.
        limit, offset: The part of the list that is wanted.
        timeout: Seconds for the whole call.
    """

    text: str
    expression: Expression
    target: Target = "any"
    filter: Filter | None = None
    boosts: tuple[Boost, ...] = ()
    vector: bytes | None = None
    sort: tuple[Sort, ...] = ()
    facets: tuple[str, ...] = ()
    identity: str | None = "url"
    highlights: bool = True
    limit: int = 100
    offset: int = 0
    timeout: float = 10.0


@value
class SearchResponse:
    """What an engine found, best first.

    Attributes:
        ids: The documents' own ids, as they were indexed.
        scores: One for each id; only their order within this list means anything.
        hit: Makes the hit object at an index: ``id``, ``backend``, ``title``, ``text``, ``url``, ``metadata``,
            ``highlights``; the core sets the rest.
        identities: Url (or the profile's identity field) of each id, None where a document has none; () where the
            engine did not return any.  The core normalises them.
        total: How many documents match, where the engine knows.
        facets: Stored field -> (value, count), most frequent first.
        frequencies: Word -> number of documents that hold it, where the engine reports it with the answer.
        documents: How many documents the index holds, where the engine reports frequencies.
        unexpressed: Parts of the expression that the engine has no words for.
        notes: What else the caller has to know about this answer: counts that are of a part only.
    """

    ids: tuple[str, ...]
    scores: tuple[float, ...]
    hit: Callable[[int], Hit]
    identities: tuple[str | None, ...] = ()
    total: int | None = None
    facets: Mapping[str, Sequence[tuple[str, int]]] = field(default_factory=empty)
    frequencies: Mapping[str, int] = field(default_factory=empty)
    documents: int | None = None
    unexpressed: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@value
class Document:
    """One document to index.  ``id`` may have any characters; ``vector`` is float32 little endian."""

    id: str
    title: str = ""
    text: str = ""
    url: str | None = None
    metadata: Mapping[str, object] = field(default_factory=empty)
    vector: bytes | None = None


@value
class IndexReport:
    """``indexed`` counts what is findable now; ``failed`` names each document that is not, with the engine's reason.

    ``again`` are the ids among them whose reason may pass (the engine was busy): the indexer sends those once more.
    """

    indexed: int
    failed: tuple[tuple[str, str], ...] = ()
    again: frozenset[str] = frozenset()


@value
class Health:
    """``detail`` says what was asked and what was wrong; ``version`` is the engine's, where it says.

    ``ours`` tells whether qx made (or adopted) the index; None where that is not known.
    """

    ok: bool
    detail: str = ""
    version: str = ""
    documents: int | None = None
    ours: bool | None = None


@runtime_checkable
class SearchBackend(Protocol):
    """Registered through ``qx_search_backends``; its class is a ``Factory`` (``Settings``, ``create``).

    Attributes:
        name: The profile's name for it (``search.backends`` key); it stands in every hit.
        endpoint: Where it is, for messages: no credentials in it.
        accepts: The targets that it can serve.
        fields: Canonical field -> stored field, types filled in from the engine where the profile leaves them out.
        bm25: Whether a list of words comes back in the order of BM25 over all that have any of the words.
    """

    @property
    def name(self) -> str: ...

    @property
    def endpoint(self) -> str: ...

    @property
    def accepts(self) -> frozenset[Target]: ...

    @property
    def fields(self) -> FieldMap: ...

    @property
    def bm25(self) -> bool: ...

    async def search(self, request: SearchRequest, /) -> SearchResponse:
        """Run one request.

        Raises:
            ProviderError: one of its kinds, naming the backend, its endpoint and the engine's own message.
        """
        ...

    async def aclose(self) -> None: ...


@runtime_checkable
class SupportsBatch(Protocol):
    """Several requests in one round trip; one that fails must not take the others along."""

    async def search_many(self, requests: Sequence[SearchRequest], /) -> Sequence[SearchResponse | QxError]: ...


@runtime_checkable
class SupportsFilter(Protocol):
    """Filters at all; a backend without this is skipped when the caller gave a filter."""

    def inexpressible(self, filter: Filter, /) -> Sequence[Filter]:
        """Return the parts of a lowered filter that the engine has no words for."""
        ...


@runtime_checkable
class SupportsVectors(Protocol):
    """Vector search.  Vectors of unlike fingerprints are never compared."""

    async def stored_fingerprint(self) -> str | None:
        """Return the fingerprint of the embedder that made the stored vectors; None where there are none."""
        ...


@runtime_checkable
class SupportsIndexing(Protocol):
    """Writing.  What a call returns as indexed is findable when it returns."""

    async def prepare(self, *, fingerprint: str | None, dimensions: int, adopt: bool = False) -> None:
        """Make the index if there is none, with room for vectors of ``dimensions`` (0: none).

        Raises:
            NotAllowed: there is one that qx did not make, and ``adopt`` is False.
        """
        ...

    async def upsert(self, documents: Sequence[Document], /) -> IndexReport: ...

    async def delete(self, ids: Sequence[str], /) -> int:
        """Remove documents by id and return how many there were."""
        ...

    async def ids(self) -> Sequence[str]:
        """Return the ids of all documents that are indexed."""
        ...


@runtime_checkable
class SupportsVocabulary(Protocol):
    """What the index holds: for grounding filter values and expansion terms, and for ordering by BM25."""

    async def frequencies(self, terms: Sequence[str], /) -> Mapping[str, int]:
        """Return in how many documents each term occurs (analysed as the engine does)."""
        ...

    async def values(self, field: str, /, *, limit: int) -> Sequence[tuple[str, int]]:
        """Return the known values of a stored field with their counts, most frequent first."""
        ...


@runtime_checkable
class SupportsSpelling(Protocol):
    """Words of the index near a word that it does not hold: for queries that are misspelt."""

    async def spellings(self, terms: Sequence[str], /, *, limit: int) -> Mapping[str, Sequence[str]]:
        """Return, for each term, words that documents hold and that are written nearly like it.

        At most ``limit``, nearest first, as documents write them (``qx.text.near`` has the distance); a term without any
        may be left out.
        """
        ...


@runtime_checkable
class SupportsCount(Protocol):
    """Counts documents.  ``filter`` is lowered to the engine's names, like that of a search; None: all documents."""

    async def count(self, filter: Filter | None, /) -> int: ...


@runtime_checkable
class SupportsHealth(Protocol):
    """Says how the engine is, for ``qx doctor``.  What is wrong is in the answer: it raises nothing."""

    async def health(self) -> Health: ...
