"""The collection itself: made, recognised by its mark, adopted, rebuilt behind an alias without a gap.

qx searches through an alias (``docs``) of a collection of its own (``docs__qx1``).  When the vectors change (another
embedder, another analysis) a second collection is filled from the first one's payloads and the alias switches in one
request, so that every document stays findable all the time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, cast

from pydantic import TypeAdapter, ValidationError
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
        worded: Paths of keyword fields whose words the vectors hold; None: nobody wrote that down.
        disposable: Whether it may be deleted where no alias points to it: not finished yet, or replaced by another.
    """

    analysis: int = VERSION
    fingerprint: str | None = None
    dimensions: int = 0
    average: float | None = None
    seen: int = 0
    words: float = 0.0
    worded: tuple[str, ...] | None = None
    disposable: bool = False


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

    def behind(self, worded: Iterable[str]) -> tuple[str, ...]:
        """Return those of ``worded`` whose words the vectors of a collection with points do not hold."""
        if self.mark is None or not self.points:
            return ()
        return tuple(name for name in worded if name not in (self.mark.worded or ()))

    @property
    def aliased(self) -> bool:
        """Whether it is one of the collections that qx makes behind an alias."""
        return re.search(r"__qx\d+$", self.physical) is not None


_NUMBERED = re.compile(r"__qx(\d+)")
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
        self._indexed: set[tuple[str, str]] = set()

    async def look(self, seconds: float) -> State | None:
        """Return what is there; None where nothing is."""
        names, aliases = await self._names(seconds)
        physical = aliases.get(self.name, self.name)
        return await self._state(physical, seconds) if physical in names else None

    async def orphans(self, seconds: float = SECONDS) -> list[State]:
        """Return the collections that qx made for this one and to which no alias points: a run was cut off."""
        names, aliases = await self._names(seconds)
        found = [
            await self._state(name, seconds) for name in names if self._number(name) and name not in aliases.values()
        ]
        return [state for state in found if state.mark is not None]

    async def _names(self, seconds: float) -> tuple[list[str], dict[str, str]]:
        names = [item.name for item in (await self._call("get_collections", seconds=seconds)).collections]
        aliases = (await self._call("get_aliases", seconds=seconds)).aliases
        return names, {alias.alias_name: alias.collection_name for alias in aliases}

    def _number(self, physical: str) -> int:
        """Return which one of the collections behind the alias it is, 0 for none."""
        match = _NUMBERED.fullmatch(physical.removeprefix(self.name)) if physical.startswith(self.name) else None
        return int(match[1]) if match else 0

    async def _state(self, physical: str, seconds: float) -> State:
        info = await self._call("get_collection", collection_name=physical, seconds=seconds)
        params, vectors = info.config.params, info.config.params.vectors
        dense = vectors.get(self._dense) if isinstance(vectors, Mapping) else None
        schema = cast("Mapping[str, Any]", info.payload_schema or {})
        self._indexed |= {(physical, key) for key in schema}
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

    async def begin(self, mark: Mark, fields: FieldMap) -> State:
        """Return an empty collection for the alias, which follows by ``switch``: a new one, or what a run that was cut off left."""
        mark = replace(mark, disposable=True)
        for orphan in await self.orphans():
            same = replace(orphan.mark, disposable=True) == mark if orphan.mark is not None else False
            if same and orphan.sparse and orphan.dense == mark.dimensions and await self._is_empty(orphan):
                state = replace(orphan, mark=mark)
                await self._index_all(state.physical, fields)
                return state
        return await self._create(mark, fields)

    async def _create(self, mark: Mark, fields: FieldMap) -> State:
        names, _ = await self._names(SECONDS)
        physical = f"{self.name}__qx{max(map(self._number, names), default=0) + 1}"
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
        state = State(physical=physical, mark=mark, dense=mark.dimensions, sparse=True, types={}, points=0)
        await self._index_all(physical, fields)
        return state

    async def switch(self, state: State, *, old: State | None = None) -> State:
        """Let the alias point to ``state``, in one request, and delete what it replaces.

        Whenever a run is cut off in between, the next one sees by the marks what is left over.
        """
        change: list[Any] = []
        if old is not None:
            if old.mark is not None:
                await self.remember(old.physical, replace(old.mark, disposable=True))
            change.append(models.DeleteAliasOperation(delete_alias=models.DeleteAlias(alias_name=self.name)))
        created = models.CreateAlias(collection_name=state.physical, alias_name=self.name)
        change.append(models.CreateAliasOperation(create_alias=created))
        await self._call("update_collection_aliases", change_aliases_operations=change)
        state = await self.keep(state)
        if old is not None:
            await self._delete(old.physical)
        for orphan in await self.orphans():
            if orphan.mark is not None and (orphan.mark.disposable or await self._is_empty(orphan)):
                await self._delete(orphan.physical)
        return state

    async def _delete(self, physical: str) -> None:
        await self._call("delete_collection", collection_name=physical)
        self._indexed = {item for item in self._indexed if item[0] != physical}

    async def keep(self, state: State) -> State:
        """Mark the collection that the alias points to as finished."""
        if state.mark is None or not state.mark.disposable:
            return state
        mark = replace(state.mark, disposable=False)
        await self.remember(state.physical, mark)
        return replace(state, mark=mark)

    async def _is_empty(self, state: State) -> bool:
        return not (await self._call("count", collection_name=state.physical, exact=True)).count

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
        await self._index_all(state.physical, fields)
        return replace(state, mark=mark, dense=mark.dimensions or state.dense, sparse=True)

    async def remember(self, physical: str, mark: Mark) -> None:
        """Write the mark."""
        await self._call("update_collection", collection_name=physical, metadata={MARK: asdict(mark)})

    async def _index_all(self, physical: str, fields: FieldMap) -> None:
        await self._index_own(physical)
        await self.index(physical, fields)

    async def _index_own(self, physical: str) -> None:
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
        if self._connection.embedded or (physical, key) in self._indexed:  # the embedded engine has no indexes
            return
        await self._call(
            "create_payload_index", collection_name=physical, field_name=key, field_schema=schema, wait=True
        )
        self._indexed.add((physical, key))

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
    try:
        return TypeAdapter(Mark).validate_python(known)
    except ValidationError:  # qx writes no such thing: whoever did, the collection is theirs
        return None


def refuse(name: str, endpoint: str, collection: str) -> NotAllowed:
    """Return the error of writing to a collection that qx did not make."""
    return NotAllowed(
        f"backend '{name}': the collection '{collection}' at {endpoint} was not made by qx; nothing was written"
        " (adopt it with --adopt, or choose another name)"
    )
