"""One order over lists that several engines sorted by the caller's fields: by the values that their hits hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from qx.filters.fieldmap import FieldMap, StoredField
from qx.filters.matching import moment, values
from qx.ranking import Ranking
from qx.types import Hit, SortBy

_Key = tuple[int, object]
"""Numbers, then moments, then text: values of different kinds never meet in a comparison."""


def in_order(ranking: Ranking, sort: Sequence[SortBy], fields: Mapping[str, FieldMap]) -> Ranking:
    """Return ``ranking`` in the order of ``sort``; hits without a value come last, equal ones stay as they were.

    Args:
        ranking: The merged lists; all of its hits are made.
        sort: The most important field first.
        fields: Backend -> its field map, by which values of different engines have one scale.
    """
    hits = [ranking.hit(index) for index in range(len(ranking.keys))]
    order = list(range(len(hits)))
    for by in reversed(sort):
        keys = {i: _key(hits[i], by, fields.get(hits[i].backend, {})) for i in order}
        found = [i for i in order if keys[i] is not None]
        found.sort(key=lambda i: keys[i] or (0, 0), reverse=by.descending)
        order = found + [i for i in order if keys[i] is None]
    return ranking.pick(order)


def _key(hit: Hit, by: SortBy, fields: FieldMap) -> _Key | None:
    """The value that a hit is put in its place by: of several the least, or the greatest where those come first."""
    stored = fields.get(by.field, StoredField(name=by.field))
    record = {"id": hit.id, "url": hit.url, "title": hit.title, "text": hit.text, "metadata": hit.metadata}
    found = values(record, stored.name) or values(hit.metadata, stored.name)
    keys = [_comparable(value, stored.scale) for value in found]
    return (max if by.descending else min)(keys) if keys else None


def _comparable(value: object, scale: float) -> _Key:
    if isinstance(value, (bool, int, float)):
        return (0, value / scale)
    when = moment(value)
    return (1, when) if when is not None else (2, str(value))
