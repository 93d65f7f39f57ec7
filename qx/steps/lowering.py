"""What one backend is asked: a sub-query and the filters, in its own names, as far as it has words for them.

A condition that it cannot carry is told, never dropped in silence: of the caller's it is not asked at all, ranges that
were typed go into the expression instead, inferred ones are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from qx import filters
from qx.backend import Boost, SearchBackend, SearchRequest, Sort, SupportsFilter
from qx.containment import contained, described
from qx.errors import BadResponse
from qx.filters import Filter, Leaf, combine, leaves, without
from qx.filters.fieldmap import lower
from qx.serial import value
from qx.steps.requests import Asked, Part
from qx.syntax.tree import NOTHING, conjunction, is_wordless
from qx.types import Constraint, SearchOptions, Target

WISHED = 1.2
"""How many times a document counts that has what was wished for: it goes before its equals, not before better ones."""


@value
class Prepared:
    """A request, and the conditions that are not in it (``price: stored in EUR, not in CNY``)."""

    request: SearchRequest
    unlowered: tuple[str, ...] = ()


@value
class _Carried:
    """A filter as far as a backend can carry it; ``missing`` are canonical or stored leaves with the reason."""

    filter: Filter | None
    missing: tuple[tuple[Leaf, str], ...] = ()


def prepare(
    asked: Asked,
    backend: SearchBackend,
    part: Part,
    options: SearchOptions,
    *,
    depth: int,
    target: Target,
    identity: str | None = "url",
    vector: bytes | None = None,
) -> Prepared | str:
    """Return the request for one backend, or the reason why it is not asked.

    Args:
        part: What goes with it: the filters of the search, in canonical fields.
        depth: Hits that are asked for at least.
        identity: The stored field that tells when two documents are one thing.
        vector: The sub-query's, where it is asked by meaning.
    """
    try:
        return _prepared(asked, backend, part, options, depth=depth, target=target, identity=identity, vector=vector)
    except BadResponse as error:
        return str(error)


def _prepared(
    asked: Asked,
    backend: SearchBackend,
    part: Part,
    options: SearchOptions,
    *,
    depth: int,
    target: Target,
    identity: str | None,
    vector: bytes | None,
) -> Prepared | str:
    wanted = part.filters.all
    carried = _carried(combine(wanted, asked.typed) if asked.typed is not None else wanted, backend)
    expression = asked.expression
    if target == "web":
        expression = conjunction((expression, *asked.excluded))
    elif is_wordless(expression):
        expression = NOTHING  # engines differ in what they make of marks alone
    own = {repr(leaf) for leaf in leaves(asked.typed)}
    if any(leaf.origin == "typed" or repr(leaf) in own for leaf, _ in carried.missing):
        expression = conjunction((expression, *asked.ranges))  # it may have words for a range: before:, price:
        carried = _carried(without(wanted, lambda leaf: leaf.origin == "typed"), backend)
    refused = [f"{leaf.field}: {reason}" for leaf, reason in carried.missing if leaf.origin == "caller"]
    if refused:
        return f"it cannot apply the caller's filter ({', '.join(dict.fromkeys(refused))})"
    original = asked.query.strategy == "original"
    request = SearchRequest(
        text=asked.text,
        expression=expression,
        target=target,
        filter=carried.filter,
        boosts=_boosts(part.wishes, backend) if target != "vector" and not options.sort else (),
        sort=tuple(Sort(field=_stored(s.field, backend), descending=s.descending) for s in options.sort),
        facets=tuple(_stored(f, backend) for f in options.facets) if original and target != "vector" else (),
        highlights=original and options.highlights,
        identity=identity,
        vector=vector,
        limit=_length(options, depth) if original else depth,
    )
    told = dict.fromkeys((*part.unlowered, *(f"{leaf.field}: {reason}" for leaf, reason in carried.missing)))
    return Prepared(request=request, unlowered=tuple(told))


def _length(options: SearchOptions, depth: int) -> int:
    """Hits to ask of the original's list: whole multiples of ``depth``, since an engine may order ties by the length.

    A quarter more than is wanted, for what processors leave out.
    """
    end = options.offset + options.limit
    if options.sort:
        return max(depth, end)
    return depth * max(1, -(-(end + (depth // 4 if end > depth // 2 else 0)) // depth))


def _boosts(wishes: Sequence[Constraint], backend: SearchBackend) -> tuple[Boost, ...]:
    """Wishes for one value of a field that holds such values; of a number or date nobody says how near is near."""
    found: list[Boost] = []
    for wish in wishes:
        stored = backend.fields.get(wish.field)
        if stored is None or stored.type not in (None, "keyword") or not isinstance(wish.value, str):
            continue
        known = {spelling.casefold(): to for spelling, to in stored.values.items()}
        wanted = known.get(wish.value.casefold(), wish.value)
        found.append(Boost(field=stored.name, value=wanted, weight=WISHED))
    return tuple(found)


def _carried(tree: Filter | None, backend: SearchBackend) -> _Carried:
    if tree is None:
        return _Carried(filter=None)
    if not isinstance(backend, SupportsFilter):
        return _Carried(filter=None, missing=tuple((leaf, "it cannot filter") for leaf in leaves(tree)))
    lowered = lower(tree, backend.fields)
    missing: list[tuple[Leaf, str]] = [(u.leaf, u.reason) for u in lowered.unlowered]
    if lowered.filter is None:
        return _Carried(filter=None, missing=tuple(missing))
    wordless = {repr(part) for part in unsayable(lowered.filter, backend)}
    kept: list[Filter] = []
    for part in _conjuncts(lowered.filter):
        if wordless and any(repr(inner) in wordless for inner in _within(part)):
            # without one of its parts the rest of it would say something else: all of it goes
            missing += [(leaf, "it has no words for it") for leaf in leaves(part)]
        else:
            kept.append(part)
    return _Carried(filter=combine(*kept), missing=tuple(missing))


def unsayable(tree: Filter, backend: SupportsFilter) -> tuple[Filter, ...]:
    """Return the parts of a lowered filter that ``backend`` has no words for.

    Raises:
        BadResponse: the backend fails to say.
    """
    try:
        with contained("a backend"):
            return tuple(backend.inexpressible(tree))
    except Exception as error:  # noqa: BLE001 somebody else's code
        failure = BadResponse(f"it failed to say which conditions it can express: {described(error)}")
    raise failure


def _conjuncts(tree: Filter) -> Sequence[Filter]:
    return tree.filters if isinstance(tree, filters.And) else (tree,)


def _within(tree: Filter) -> Iterator[Filter]:
    yield tree
    if isinstance(tree, (filters.And, filters.Or)):
        for part in tree.filters:
            yield from _within(part)
    elif isinstance(tree, filters.Not):
        yield from _within(tree.filter)


def identity_field(name: str, backend: SearchBackend) -> str | None:
    """Return the stored field that ``search.identity`` names; None where documents are one thing by their ids."""
    return None if name == "id" else _stored(name, backend)


def _stored(field: str, backend: SearchBackend) -> str:
    return backend.fields[field].name if field in backend.fields else field


def canonical_facets(
    facets: Mapping[str, Sequence[tuple[str, int]]], backend: SearchBackend
) -> dict[str, tuple[tuple[str, int], ...]]:
    """Return facets under their canonical names."""
    names = {stored.name: name for name, stored in backend.fields.items()}
    return {names.get(field, field): tuple(counts) for field, counts in facets.items()}
