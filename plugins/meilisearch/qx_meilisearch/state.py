"""What an index is like: who made it, what it can filter and sort by, which vectors it holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any, Literal, cast

from qx.errors import BadRequest
from qx.filters.fieldmap import FieldMap, FieldType
from qx.serial import empty, value
from qx_meilisearch.connection import Connection
from qx_meilisearch.documents import Layout
from qx_meilisearch.filters import ExactFilters, NativeFilters
from qx_meilisearch.tokens import flattened, moment

MADE = "qx.made"
"""An attribute that nobody else declares filterable: the mark of an index that qx made."""
ADOPTED = "qx.adopted"
"""The same of one that qx was told to write to."""
FINGERPRINT = "qx.fingerprint."
"""And, followed by hexadecimal, the embedder of the stored vectors."""

MOST = 1000
"""How far down lists go where nothing is set."""
_SAMPLE = 50


@value
class State:
    """An index as it was found.

    Attributes:
        made: ``own`` (by qx), ``adopted``, ``foreign``, or ``missing``.
        key: The primary key.
        filterable, searchable, stop_words: From its settings; ``("*",)`` searches everything.
        prefixes: Whether the last word of a query may begin a longer one.
        most: How far down its lists go (``pagination.maxTotalHits``).
        embedders: Name -> source (``userProvided``, ``openAi``...).
        dimensions: Of the user-provided embedders, by name.
        documents: How many there are.
        types: Attribute -> type, as read from a sample of the documents.
    """

    made: Literal["own", "adopted", "foreign", "missing"] = "missing"
    key: str = "id"
    filterable: tuple[str, ...] = ()
    searchable: tuple[str, ...] = ("*",)
    stop_words: tuple[str, ...] = ()
    prefixes: bool = True
    most: int = MOST
    embedders: Mapping[str, str] = field(default_factory=empty)
    dimensions: Mapping[str, int] = field(default_factory=empty)
    documents: int = 0
    types: Mapping[str, FieldType] = field(default_factory=empty)

    @property
    def fingerprint(self) -> str | None:
        """The fingerprint of the embedder that made the stored vectors."""
        found = next((name for name in self.filterable if name.startswith(FINGERPRINT)), None)
        return bytes.fromhex(found.removeprefix(FINGERPRINT)).decode() if found else None

    def searches(self, attribute: str) -> bool:
        """Return whether words may be looked for in ``attribute`` alone: Meilisearch refuses one that it does not know."""
        if attribute in self.searchable:
            return True
        inside = any(name == "*" or attribute.startswith(f"{name}.") for name in self.searchable)
        return inside and attribute in self.types

    def unsearched(self, attributes: Sequence[str]) -> tuple[str, ...]:
        """Return those of ``attributes`` that an index of qx's own does not look for words in: declared since."""
        if self.made != "own" or "*" in self.searchable:
            return ()
        return tuple(name for name in attributes if name not in self.searchable)

    def filters(self) -> ExactFilters | NativeFilters:
        """Return what compiles filters for it."""
        return ExactFilters() if self.made == "own" else NativeFilters(self.filterable)

    def layout(self, fields: FieldMap) -> Layout:
        """Return where its documents keep what."""
        return Layout.of(fields, key=self.key, own=self.made == "own")

    def typed(self, fields: FieldMap) -> FieldMap:
        """Return ``fields`` with the types that the profile left out."""
        return {
            name: stored if stored.type else stored.model_copy(update={"type": self.types.get(stored.name)})
            for name, stored in fields.items()
        }


async def read_state(connection: Connection, seconds: float) -> State:
    """Ask Meilisearch about the index.

    Raises:
        ProviderError: it cannot be asked; a missing index is no error.
    """
    client, index = connection.client, connection.index
    try:
        settings = await connection.call(index.get_settings, seconds)
    except BadRequest as error:
        if "index_not_found" in str(error):
            return State()
        raise
    found = settings.model_dump(by_alias=True)
    info = await connection.call(lambda: client.get_raw_index(index.uid), seconds)
    stats = await connection.call(index.get_stats, seconds)
    sample = await connection.call(lambda: index.get_documents(limit=_SAMPLE), seconds)
    filterable = _names(found.get("filterableAttributes"))
    embedders = cast("Mapping[str, Mapping[str, Any]]", found.get("embedders") or {})
    return State(
        made="own" if MADE in filterable else "adopted" if ADOPTED in filterable else "foreign",
        key=(info.primary_key if info else None) or "id",
        filterable=filterable,
        searchable=_names(found.get("searchableAttributes")),
        stop_words=tuple(found.get("stopWords") or ()),
        prefixes=found.get("prefixSearch") != "disabled",
        most=int((found.get("pagination") or {}).get("maxTotalHits") or MOST),
        embedders={name: str(item.get("source")) for name, item in embedders.items()},
        dimensions={name: int(item["dimensions"]) for name, item in embedders.items() if item.get("dimensions")},
        documents=int(stats.number_of_documents),
        types=infer(sample.results),
    )


def infer(documents: Sequence[Mapping[str, object]]) -> dict[str, FieldType]:
    """Return the type of each attribute, by path, of which all sampled values are of one kind."""
    seen: dict[str, set[FieldType]] = {}
    for document in documents:
        plain = {name: item for name, item in document.items() if name not in ("qx", "_vectors")}
        for path, values in flattened(plain):
            seen.setdefault(path, set()).update(_type(item) for item in values)
    return {path: next(iter(kinds)) for path, kinds in seen.items() if len(kinds) == 1}


def _type(item: str | int | float | bool) -> FieldType:
    if isinstance(item, bool):
        return "bool"
    if isinstance(item, (int, float)):
        return "number"
    return "date" if moment(item) is not None else "text" if len(item) > 100 else "keyword"


def _names(found: object) -> tuple[str, ...]:
    """The names of an attribute list: patterns stand for all that they name."""
    names: list[str] = []
    for item in cast("Sequence[object]", found or ()):
        if isinstance(item, str):
            names.append(item)
        elif isinstance(item, Mapping):
            names += cast("Mapping[str, Sequence[str]]", item).get("attributePatterns", ())
    return tuple(names)
