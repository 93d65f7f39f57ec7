# ruff: noqa: S101 - tests, though they lie in the package
"""The caller's order: dates by their moment, lists by the value that the direction asks for."""

from __future__ import annotations

from collections.abc import Mapping

from qx.backend import Document, SearchBackend, Sort
from qx.testing.conformance.backend_case import BackendCase, ask

_RELEASED: Mapping[str, object] = {
    "may": "2024-05-01",
    "west": "2024-04-30T23:00:00-02:00",  # an hour into May
    "utc": "2024-04-30T23:30:00Z",
    "east": "2024-05-01T06:00:00+08:00",  # before it
    "year": "2023-12-31",
    "none": None,
}
_PRICES: Mapping[str, object] = {
    "wide": [5, 50],
    "ten": [10],
    "low": [20, 1],
    "half": 30.5,
    "minus": [-3, -1],
    "none": None,
    "empty": [],
}


class SortingConformance(BackendCase):
    """What every backend must do that puts its hits in an order by fields."""

    async def _sorted(self, backend: SearchBackend, field: str, values: Mapping[str, object]) -> tuple[list[str], ...]:
        documents = [Document(id=id, title="same", metadata={field: value}) for id, value in values.items()]
        await self.fill(backend, documents)
        stored = backend.fields[field].name
        found: list[list[str]] = []
        for descending in (False, True):
            response = await backend.search(ask("same", sort=(Sort(field=stored, descending=descending),), limit=20))
            assert len(response.ids) == len(values)
            found.append([id for id in response.ids if values[id] not in (None, [])])
            assert response.ids[len(found[-1]) :] == tuple(id for id in response.ids if values[id] in (None, []))
        return tuple(found)

    async def test_dates_are_sorted_by_their_moment(self, backend: SearchBackend) -> None:
        order = ["year", "east", "utc", "may", "west"]
        assert await self._sorted(backend, "released", _RELEASED) == (order, order[::-1])

    async def test_the_order_does_not_depend_on_how_well_words_match(self, backend: SearchBackend) -> None:
        filler = "and much else that has nothing to do with it "
        documents = [
            Document(id="text", title="Other", text=f"{filler * 5} lamp", metadata={"price": 1}),
            Document(id="title", title="Lamp", text="lamp lamp", metadata={"price": 2}),
            Document(id="both", title="Green lamp", text="green lamp", metadata={"price": 3}),
            Document(id="lamp", title="A lamp that is called so", metadata={"price": 4}),
        ]
        await self.fill(backend, documents)
        price = backend.fields["price"].name
        for query in ("lamp", "green lamp", '"lamp"'):
            rising = await backend.search(ask(query, sort=(Sort(field=price),), limit=20))
            assert list(rising.ids) == ["text", "title", "both", "lamp"], query
            falling = await backend.search(ask(query, sort=(Sort(field=price, descending=True),), limit=2))
            assert list(falling.ids) == ["lamp", "both"], query
            rest = await backend.search(ask(query, sort=(Sort(field=price, descending=True),), limit=2, offset=2))
            assert list(rest.ids) == ["title", "text"], query

    async def test_a_list_is_sorted_by_its_least_value_and_downwards_by_its_greatest(
        self, backend: SearchBackend
    ) -> None:
        rising, falling = await self._sorted(backend, "price", _PRICES)
        assert rising == ["minus", "low", "wide", "ten", "half"]
        assert falling == ["wide", "half", "low", "ten", "minus"]
