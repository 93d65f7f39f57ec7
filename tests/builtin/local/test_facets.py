"""Counts of values are the same whether the index says them or the stored documents are read."""

import pytest

from qx.backend import Document
from qx.builtin.local.backend import LocalBackend
from qx.filters import Compare
from qx.testing import TestServices
from qx.testing.conformance.backend import ask


@pytest.mark.parametrize("big", [0, 2**60], ids=["by the index", "by reading"])
async def test_equal_numbers_are_one_value(services: TestServices, big: int) -> None:
    backend = await LocalBackend.create(LocalBackend.Settings(name="mine"), services)
    values: tuple[object, ...] = (8, 8.0, [8, 8.0], 8.5, True, {"name": "HP"})
    await backend.prepare(fingerprint=None, dimensions=0)
    await backend.upsert([Document(id=str(i), metadata={"x": x, "big": big + 1}) for i, x in enumerate(values)])
    passing = Compare(field="metadata.big", op="ge", value=big + 1)
    found = await backend.search(ask("", filter=passing, facets=("metadata.x",)))
    assert len(found.ids) == len(values)
    assert dict(found.facets["metadata.x"]) == {"8": 3, "8.5": 1, "true": 1}
    await backend.aclose()
