"""What a mapping says: which index it is, which field a stored name means, and of what type it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any, Literal, cast

from qx.filters.fieldmap import FieldMap, FieldType, StoredField
from qx.filters.worded import worded
from qx.serial import empty, value
from qx_elasticsearch import schema

Kind = Literal["open", "number", "date", "bool", "keyword", "text"]

_NUMBERS = ["long", "integer", "short", "byte", "double", "float", "half_float", "scaled_float", "unsigned_long"]
_KINDS: Mapping[str, Kind] = {
    **dict.fromkeys(_NUMBERS, "number"),
    **dict.fromkeys(("date", "date_nanos"), "date"),
    **dict.fromkeys(("keyword", "constant_keyword", "wildcard", "flattened", "ip", "version"), "keyword"),
    **dict.fromkeys(("text", "match_only_text", "search_as_you_type", "annotated_text"), "text"),
    "boolean": "bool",
}
_TITLE_BOOST = 2.0


@value
class Column:
    """Where the values of a stored name are.

    Attributes:
        name: The field.
        kind: How its values are kept; ``open`` as ``qx_elasticsearch.values`` writes them.
        exact: The field that holds a text unanalysed, None where there is none.
        spare: The open field of values that a typed one cannot hold.
        nested: The path of the nested objects that it lies in.
    """

    name: str
    kind: Kind
    exact: str | None = None
    spare: str | None = None
    nested: str | None = None


@value
class Mapped:
    """One field of a mapping."""

    type: str
    nested: str | None = None
    keyword: str | None = None


@value
class Catalog:
    """What is known of the index that a backend reads and writes.

    Attributes:
        indices: The concrete indices behind the name.
        layout: ``own`` for one that qx made, else ``foreign``.
        marker: What qx wrote into the mapping; empty where it wrote nothing.
        mapped: Field -> what the mapping says of it.
        dimensions: Of the stored vectors; 0 where there are none.
        vector: The field that holds them.
        types: Types of open attributes, read from the data.
        shards: How many there are; term statistics are those of one.
    """

    indices: tuple[str, ...]
    layout: str
    marker: Mapping[str, Any] = field(default_factory=empty)
    mapped: Mapping[str, Mapped] = field(default_factory=empty)
    dimensions: int = 0
    vector: str = "vector"
    types: Mapping[str, FieldType] = field(default_factory=empty)
    shards: int = 1

    @property
    def ours(self) -> bool:
        """Whether qx made or adopted all of it."""
        return bool(self.marker)

    @property
    def own(self) -> bool:
        """Whether it has qx's own layout."""
        return self.layout == schema.OWN

    @property
    def fingerprint(self) -> str | None:
        """Of the embedder that made the stored vectors."""
        return self.marker.get("fingerprint")

    @property
    def words(self) -> str | None:
        """The analyzer of a query's words; None: the one that the mapping names."""
        return self.marker.get("words") if self.own else None

    def column(self, name: str) -> Column:
        """Return where the values of a stored name are."""
        if not self.own:
            return self._foreign(name)
        if name in ("id", "title", "text", "url"):
            kind: Kind = "text" if name in ("title", "text") else "keyword"
            return Column(name=name, kind=kind, exact="title.raw" if name == "title" else None)
        path = schema.stored_path(name) or name
        open_column, typed = f"open.{path}", schema.column(path)
        found = self.mapped.get(typed)
        if found is None:
            return Column(name=open_column, kind="open")
        return Column(name=typed, kind=_KINDS[found.type], exact=found.keyword, spare=open_column)

    def searched(self, fields: FieldMap) -> tuple[tuple[str, float], ...]:
        """Return the fields that a query's words are looked for in, with their weights."""
        if self.own:
            return self._own_searched(fields)
        names = [(n, fields[n].name, fields[n].boost) for n in ("title", "text") if n in fields]
        names += [(n, n, _TITLE_BOOST if n == "title" else 1.0) for n in ("title", "text") if n not in fields]
        named = {canonical for canonical, _, _ in names if canonical in fields}
        found = {name: boost for canonical, name, boost in names if canonical in named or self._text(name)}
        for canonical, stored in fields.items():
            if canonical not in ("title", "text") and (stored.type == "text" or stored.boost != 1.0):
                found[stored.name] = stored.boost
        found = found or {name: 1.0 for name in self.mapped if self._text(name) and self.mapped[name].nested is None}
        for stored, boost in worded(fields).items():
            if analysed := self._analysed(stored):
                found.setdefault(analysed, boost)
        return tuple(found.items()) or (("title", _TITLE_BOOST), ("text", 1.0))

    def behind(self, fields: FieldMap) -> tuple[str, ...]:
        """Return the paths of keyword fields whose words an index of qx's own does not hold: declared since it was made.

        Args:
            fields: As the profile declares them.
        """
        if not self.own:
            return ()
        paths = [path for name in worded(fields) if (path := schema.stored_path(name)) is not None]
        if schema.VALUES not in self.mapped:
            return tuple(paths)
        loose = schema.untyped(fields)
        known: Sequence[str] = self.marker.get("worded", ())
        return tuple(p for p in paths if (p not in known if p in loose else schema.column(p) not in self.mapped))

    def source_path(self, name: str) -> str:
        """Return where a stored name is in ``_source``."""
        return name if not self.own or schema.stored_path(name) is None else f"metadata.{schema.stored_path(name)}"

    def titled(self, fields: FieldMap) -> str:
        """Return the field of titles."""
        stored = fields.get("title")
        if stored is None:
            return "title"
        return self._own_text("title", stored) if self.own else stored.name

    def url_column(self, fields: FieldMap) -> Column | None:
        """Return the field that holds urls whole; None where there is none."""
        found = self._foreign(fields["url"].name if "url" in fields else "url")
        if found.kind == "text":
            return Column(name=found.exact, kind="keyword") if found.exact else None
        return found if found.name in self.mapped or "url" in fields else None

    def complete(self, fields: FieldMap) -> dict[str, StoredField]:
        """Return ``fields`` with the types that the profile leaves out."""
        return {
            name: stored.model_copy(update={"type": self._type(name, stored)}) if stored.type is None else stored
            for name, stored in fields.items()
        }

    def unknown(self, fields: FieldMap) -> tuple[str, ...]:
        """Return the paths of declared attributes whose type only the data can say."""
        if not self.own:
            return ()
        names = [stored.name for stored in fields.values() if stored.type is None]
        columns = {schema.stored_path(name): self.column(name) for name in names}
        return tuple(path for path, column in columns.items() if path and column.kind == "open")

    def _type(self, canonical: str, stored: StoredField) -> FieldType | None:
        if canonical in ("title", "text"):
            return "text"
        column = self.column(stored.name)
        if column.kind == "open":
            return self.types.get(schema.stored_path(stored.name) or "")
        known = self.own or stored.name in self.mapped or column.name in self.mapped
        return cast("FieldType", column.kind) if known else None

    def _own_searched(self, fields: FieldMap) -> tuple[tuple[str, float], ...]:
        found = {"title": _TITLE_BOOST, "text": 1.0}
        for canonical, stored in fields.items():
            column = self._own_text(canonical, stored)
            if (
                canonical in ("title", "text")
                or stored.name in ("title", "text")
                or self.column(stored.name).kind == "text"
            ):
                found[column] = stored.boost
        if schema.VALUES in self.mapped:
            found[schema.VALUES] = max(worded(fields).values(), default=1.0)
        if schema.SIMPLIFIED in self.mapped:
            found[schema.SIMPLIFIED] = found["text"]
        return tuple(found.items())

    def _own_text(self, canonical: str, stored: StoredField) -> str:
        """A profile may name another engine's field for title and text: here they are the document's own."""
        if canonical in ("title", "text") and not stored.name.startswith("metadata."):
            return canonical
        return self.column(stored.name).name

    def _analysed(self, name: str) -> str | None:
        """The text that a keyword of somebody else's mapping is also kept as: the field that it is of, or one of its own."""
        parent = name.rpartition(".")[0]
        names = (name, parent, *(other for other in self.mapped if other.rpartition(".")[0] == name))
        return next((one for one in names if self._text(one) and self.mapped[one].nested is None), None)

    def _text(self, name: str) -> bool:
        return name in self.mapped and _KINDS.get(self.mapped[name].type) == "text"

    def _foreign(self, name: str) -> Column:
        found = self.mapped.get(name)
        if found is not None:
            kind = _KINDS.get(found.type, "keyword")
            return Column(name=name, kind=kind, exact=found.keyword, nested=found.nested)
        return Column(name=name, kind="keyword")  # a path inside of a flattened field, or one that nobody wrote yet


def read(answer: Mapping[str, Any]) -> Catalog:
    """Return what the answer of ``GET INDEX/_mapping`` says."""
    mapped: dict[str, Mapped] = {}
    markers: list[Mapping[str, Any]] = []
    vectors: dict[str, int] = {}
    for found in answer.values():
        mapping: Mapping[str, Any] = found.get("mappings") or {}
        markers.append((mapping.get("_meta") or {}).get(schema.MARKER) or {})
        for name, entry, raw in _walk(mapping.get("properties") or {}):
            mapped.setdefault(name, entry)
            if entry.type == "dense_vector":
                vectors.setdefault(name, int(raw.get("dims") or 0))
    marker = markers[0] if markers and all(markers) else {}
    own = bool(markers) and all(m.get("layout") == schema.OWN for m in markers)
    vector = next((n for n in ("vector", "qx_vector") if n in vectors), next(iter(vectors), "vector"))
    return Catalog(
        indices=tuple(answer),
        layout=schema.OWN if own else schema.FOREIGN,
        marker=marker,
        mapped=mapped,
        dimensions=vectors.get(vector, 0),
        vector=vector,
    )


def _walk(
    properties: Mapping[str, Any], prefix: str = "", nested: str | None = None
) -> Iterator[tuple[str, Mapped, Mapping[str, Any]]]:
    for name, raw in properties.items():
        full = f"{prefix}{name}"
        type = str(raw.get("type") or "object")
        inner = full if type == "nested" else nested
        if raw.get("properties"):
            yield from _walk(raw["properties"], f"{full}.", inner)
        if type in ("object", "nested", "alias"):
            continue
        multi: Mapping[str, Any] = raw.get("fields") or {}
        keyword = next((f"{full}.{sub}" for sub, m in multi.items() if _KINDS.get(m.get("type")) == "keyword"), None)
        yield full, Mapped(type=type, nested=inner, keyword=keyword), raw
        for sub, inside in multi.items():
            yield f"{full}.{sub}", Mapped(type=str(inside.get("type")), nested=inner), inside
