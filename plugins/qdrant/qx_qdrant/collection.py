"""The collection itself: made, recognised by its mark, adopted, rebuilt behind an alias without a gap.

qx searches through an alias (``docs``) of a collection of its own (``docs__qx1``).  When the vectors change (another
embedder, another analysis) a second collection is filled from the first one's payloads and the alias switches in one
request, so that every document stays findable all the time.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, cast

from qdrant_client import models

from qx.errors import BadRequest, NotAllowed, ProfileError
from qx.filters.fieldmap import FieldMap
from qx_qdrant.analysis import VERSION
from qx_qdrant.connection import Connection
from qx_qdrant.filters import common, kind, path
from qx_qdrant.points import FILE_TYPE, ID, SITES, TEXT_WORDS, TITLE_WORDS, values_at

MARK = "qx"
SECONDS = 60.0
"""For one call that changes the collection."""
SAMPLE = 200


@dataclass(frozen=True)
class Mark:
    """What qx keeps in the collection's metadata, and recognises its own collections by.

    Attributes:
        fingerprint, dimensions: Of the embedder whose vectors are stored.
        average: Length of a document, in weighted words, that the stored vectors were made with; None until enough
            documents were seen.
        seen, words: Documents that were written and their lengths together, as of the last writing of the mark.
    """

    analysis: int = VERSION
    fingerprint: str | None = None
    dimensions: int = 0
    average: float | None = None
    seen: int = 0
    words: float = 0.0


@dataclass(frozen=True)
class State:
    """What a look at the collection found.

    Attributes:
        dense: Length of the vectors under the dense name, 0 where there is none.
        sparse: Whether there is a sparse vector of qx's name.
        types: Payload path -> type as a field map names it, of what is indexed.
    """

    physical: str
    mark: Mark | None
    dense: int
    sparse: bool
    types: Mapping[str, str]
    points: int

    @property
    def aliased(self) -> bool:
        """Whether it is one of the collections that qx makes behind an alias."""
        return re.search(r"__qx\d+$", self.physical) is not None


_TYPES = {"keyword": "keyword", "integer": "number", "float": "number", "datetime": "date", "bool": "bool"}
_SCHEMAS = {
    "keyword": models.PayloadSchemaType.KEYWORD,
    "number": models.PayloadSchemaType.FLOAT,  # holds whole numbers too, where an integer index would miss 129.5
    "date": models.PayloadSchemaType.DATETIME,
    "bool": models.PayloadSchemaType.BOOL,
}


class Collection:
    """One collection under its name in the profile.

    Args:
        dense, sparse: Names of its vectors.
    """

    def __init__(self, connection: Connection, name: str, *, dense: str, sparse: str) -> None:
        self.name = name
        self._connection = connection
        self._dense, self._sparse = dense, sparse
        self._indexed: set[str] = set()

    async def look(self, seconds: float) -> State | None:
        """Return what is there; None where nothing is."""
        names = [item.name for item in (await self._call("get_collections", seconds=seconds)).collections]
        aliases = (await self._call("get_aliases", seconds=seconds)).aliases
        physical = {a.alias_name: a.collection_name for a in aliases}.get(self.name, self.name)
        if physical not in names:
            return None
        info = await self._call("get_collection", collection_name=physical, seconds=seconds)
        params, vectors = info.config.params, info.config.params.vectors
        dense = vectors.get(self._dense) if isinstance(vectors, Mapping) else None
        schema = cast("Mapping[str, Any]", info.payload_schema or {})
        self._indexed |= set(schema)
        return State(
            physical=physical,
            mark=_mark(info.config.metadata),
            dense=dense.size if dense is not None else 0,
            sparse=self._sparse in (params.sparse_vectors or {}),
            types={key: _TYPES[str(i.data_type.value)] for key, i in schema.items() if i.data_type.value in _TYPES},
            points=info.points_count or 0,
        )

    async def sampled(self, state: State, names: Sequence[str], seconds: float) -> State:
        """Return ``state`` with the types of ``names`` as the first points have them, where no index tells."""
        points, _ = await self._call(
            "scroll",
            collection_name=state.physical,
            limit=SAMPLE,
            with_payload=[path(n) for n in names],
            seconds=seconds,
        )
        types = dict(state.types)
        for name in names:
            one = common({kind(item) for point in points for item in values_at(point.payload or {}, name)})
            if one is not None:
                types.setdefault(name, one)
        return replace(state, types=types)

    async def create(self, mark: Mark, fields: FieldMap, *, number: int = 1) -> State:
        """Make a collection behind the alias; the alias itself follows by ``switch``."""
        physical = f"{self.name}__qx{number}"
        vectors = {}
        if mark.dimensions:
            vectors[self._dense] = models.VectorParams(size=mark.dimensions, distance=models.Distance.COSINE)
        await self._call(
            "create_collection",
            collection_name=physical,
            vectors_config=vectors,
            sparse_vectors_config={self._sparse: models.SparseVectorParams(modifier=models.Modifier.IDF)},
            metadata={MARK: asdict(mark)},
        )
        self._indexed.clear()
        state = State(physical=physical, mark=mark, dense=mark.dimensions, sparse=True, types={}, points=0)
        await self.index_own(physical)
        await self.index(physical, fields)
        return state

    async def switch(self, state: State, *, old: State | None = None) -> None:
        """Let the alias point to ``state``, in one request; the old collection is deleted afterwards."""
        change: list[Any] = []
        if old is not None:
            change.append(models.DeleteAliasOperation(delete_alias=models.DeleteAlias(alias_name=self.name)))
        created = models.CreateAlias(collection_name=state.physical, alias_name=self.name)
        change.append(models.CreateAliasOperation(create_alias=created))
        await self._call("update_collection_aliases", change_aliases_operations=change)
        if old is not None:
            await self._call("delete_collection", collection_name=old.physical)

    async def adopt(self, state: State, mark: Mark, fields: FieldMap) -> State:
        """Take over a collection that qx did not make: its points stay, what qx needs is added.

        Raises:
            ProfileError: its vectors are of another length.
        """
        if mark.dimensions and state.dense not in (0, mark.dimensions):
            raise ProfileError(
                f"collection '{self.name}' has vectors of {state.dense} numbers under '{self._dense}',"
                f" the profile's embedder makes {mark.dimensions}",
                hint="set `dense:` to another name, or choose another collection",
            )
        if state.sparse:
            raise ProfileError(
                f"collection '{self.name}' has a sparse vector '{self._sparse}' that qx did not make",
                hint="set `sparse:` to another name",
            )
        sparse = models.SparseVectorConfig(modifier=models.Modifier.IDF)
        await self._add_vector(state.physical, self._sparse, models.SparseVectorNameConfig(sparse=sparse))
        if mark.dimensions and not state.dense:
            dense = models.DenseVectorConfig(size=mark.dimensions, distance=models.Distance.COSINE)
            await self._add_vector(state.physical, self._dense, models.DenseVectorNameConfig(dense=dense))
        await self.remember(state.physical, mark)
        await self.index_own(state.physical)
        await self.index(state.physical, fields)
        return replace(state, mark=mark, dense=mark.dimensions or state.dense, sparse=True)

    async def remember(self, physical: str, mark: Mark) -> None:
        """Write the mark."""
        await self._call("update_collection", collection_name=physical, metadata={MARK: asdict(mark)})

    async def index_own(self, physical: str) -> None:
        """Index what qx keeps beside each document."""
        text = models.TextIndexParams(
            type=models.TextIndexType.TEXT,
            tokenizer=models.TokenizerType.WHITESPACE,
            lowercase=False,
            phrase_matching=True,
        )
        for key, schema in (
            (ID, models.PayloadSchemaType.KEYWORD),
            (SITES, models.PayloadSchemaType.KEYWORD),
            (FILE_TYPE, models.PayloadSchemaType.KEYWORD),
            (TITLE_WORDS, text),
            (TEXT_WORDS, text),
        ):
            await self._index(physical, key, schema)

    async def index(self, physical: str, fields: FieldMap) -> None:
        """Index the payload of every field whose type is known."""
        for field in fields.values():
            if field.type in _SCHEMAS:
                await self._index(physical, path(field.name), _SCHEMAS[field.type])

    async def _index(self, physical: str, key: str, schema: Any) -> None:
        if self._connection.embedded or key in self._indexed:  # the embedded engine has no indexes
            return
        await self._call(
            "create_payload_index", collection_name=physical, field_name=key, field_schema=schema, wait=True
        )
        self._indexed.add(key)

    async def _add_vector(self, physical: str, name: str, config: Any) -> None:
        try:
            await self._call(
                "create_vector_name", collection_name=physical, vector_name=name, vector_name_config=config
            )
        except BadRequest as error:
            raise ProfileError(
                f"collection '{self.name}' has no vector '{name}' and the server cannot add one ({error})",
                hint="Qdrant 1.18 can; with an older one choose another collection",
            ) from error

    async def _call(self, method: str, *, seconds: float = SECONDS, **arguments: Any) -> Any:
        return await self._connection.call(method, seconds=seconds, **arguments)


def _mark(metadata: object) -> Mark | None:
    found = cast("Mapping[str, Any]", metadata).get(MARK) if isinstance(metadata, Mapping) else None
    if not isinstance(found, Mapping):
        return None
    known = {key: value for key, value in cast("Mapping[str, Any]", found).items() if key in Mark.__dataclass_fields__}
    return Mark(**known)


def refuse(name: str, endpoint: str, collection: str) -> NotAllowed:
    """Return the error of writing to a collection that qx did not make."""
    return NotAllowed(
        f"backend '{name}': the collection '{collection}' at {endpoint} was not made by qx; nothing was written"
        " (adopt it with --adopt, or choose another name)"
    )
