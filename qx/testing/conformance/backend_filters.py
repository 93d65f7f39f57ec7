# ruff: noqa: S101 - tests, though they lie in the package
"""Filters: every engine's compilation agrees with ``qx.filters.matching``."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from qx.backend import Document, SearchBackend, Sort, SupportsFilter, SupportsIndexing
from qx.filters import NOTHING, And, Compare, Exists, Filter, FilterOp, Not, Or
from qx.filters.fieldmap import lower
from qx.filters.matching import evaluate
from qx.syntax import And as And_
from qx.syntax import Not as Exclusion
from qx.syntax import Terms
from qx.testing.conformance.backend_case import CORPUS, FIELDS, BackendCase, ask, ids, record

_VALUES: dict[str, tuple[str | int | float | bool, ...]] = {
    "brand": ("HP", "hp", "Asics", "asics", "小米", 'a"b\\c', "AND", "Ｇucci", "", "none", "a' OR 'x"),
    "tags": ("running", "laptop", "会议", "x y", "OR", "printer", "Running", "bag"),
    "price": (129, 129.5, 129.0, 0, -5, 499, 990.0, 1499.99, 10**9, 0.1),
    "rating": (3, 4, 4.4, 5, 2.5),
    "released": (
        "2023",
        "2023-05",
        "2023-05-31",
        "2022-01-15T08:30:00+00:00",
        "2024-02-29",
        "2020-12-31",
        "9999",
        "9999-12-31",
    ),
    "used": (True, False),
}
_DATES = tuple(
    Document(id=f"date-{at}", title="dated", metadata={"released": released})
    for at, released in enumerate(
        ("2021", "2021-05", "2023-05", "2024-02-29", "2024-05", "2022-01-15T08:30:00+00:00", "not a date", "2021-13",
         "9999-12-31", "", ["2020-12-31", "soon"], ["2021", "2024"], 2021)
    )
)  # fmt: skip
_EDGES = (-0.0, 0, 0.1, 5e-324, -5e-324, 2**53, 1e23, 1e300, -1e300, 9e307)
_ORDERED = ("price", "rating", "released")


def generated(seed: int, depth: int = 2) -> Filter:
    """Return a filter in canonical names, the same for the same seed."""
    return _tree(random.Random(seed), depth)


def _tree(dice: random.Random, depth: int) -> Filter:
    kind = dice.choice(("leaf", "leaf", "and", "or", "not")) if depth else "leaf"
    if kind == "not":
        return Not(filter=_tree(dice, depth - 1))
    if kind in ("and", "or"):
        parts = tuple(_tree(dice, depth - 1) for _ in range(dice.randint(1, 3)))
        return And(filters=parts) if kind == "and" else Or(filters=parts)
    field = dice.choice(tuple(_VALUES))
    if dice.random() < 0.15:
        return Exists(field=field)
    ops: Sequence[FilterOp] = (
        ("eq", "ne", "in") if field not in _ORDERED else ("eq", "ne", "lt", "le", "gt", "ge", "in")
    )
    op = dice.choice(ops)
    if op == "in" and field == "released":
        op = "ge"
    if op == "in":
        return Compare(field=field, op=op, value=tuple(dice.sample(_VALUES[field], k=dice.randint(0, 2))))
    return Compare(field=field, op=op, value=dice.choice(_VALUES[field]))


class FilterConformance(BackendCase):
    """Filters mean what ``qx.filters.matching`` says.  ``filters`` is how many generated ones are tried."""

    filters = 150

    def expected(self, tree: Filter, documents: Sequence[Document] = CORPUS) -> set[str]:
        """Return the ids of the documents that ``tree`` lets pass."""
        reference = lower(tree, FIELDS).filter
        return {document.id for document in documents if evaluate(reference, record(document))}

    async def _compare(self, backend: SearchBackend, tree: Filter) -> None:
        assert isinstance(backend, SupportsFilter)
        lowered = self.lowered(backend, tree)
        if lowered is not None and backend.inexpressible(lowered):
            return
        found = await backend.search(ask("", filter=lowered, limit=1000))
        # a filter that asks for nothing is no filter: without words it finds nothing
        wanted = self.expected(tree) if lowered is not None else set[str]()
        assert set(found.ids) == wanted, tree
        assert found.total in (None, len(wanted)), tree

    async def test_generated_filters_agree_with_the_reference(self, filled: SearchBackend) -> None:
        for seed in range(self.filters):
            await self._compare(filled, generated(seed))

    @pytest.mark.parametrize("field", sorted(_VALUES))
    async def test_every_comparison_of_a_field_agrees_with_the_reference(
        self, filled: SearchBackend, field: str
    ) -> None:
        for item in _VALUES[field]:
            for op in ("eq", "ne") if field not in _ORDERED else ("eq", "ne", "lt", "le", "gt", "ge"):
                leaf = Compare(field=field, op=op, value=item)
                await self._compare(filled, leaf)
                await self._compare(filled, Not(filter=leaf))
        await self._compare(filled, Exists(field=field))
        await self._compare(filled, Not(filter=Exists(field=field)))

    async def test_a_stored_part_of_a_date_is_its_beginning_and_other_text_is_no_date(
        self, backend: SearchBackend
    ) -> None:
        assert isinstance(backend, SupportsFilter)
        if not self.partial_dates:
            pytest.skip("the engine reads whole dates only")
        await self.fill(backend, _DATES)
        if backend.fields["released"].type != "date":
            pytest.skip("what is no date in every document is none to an engine that is not told so")
        for item in _VALUES["released"]:
            for op in ("eq", "ne", "lt", "le", "gt", "ge"):
                tree = Compare(field="released", op=op, value=item)
                lowered = self.lowered(backend, tree)
                if lowered is None or backend.inexpressible(lowered):
                    continue
                found = await backend.search(ask("", filter=lowered, limit=1000))
                assert set(found.ids) == self.expected(tree, _DATES), tree

    async def test_numbers_at_the_edges_are_equal_to_themselves(self, backend: SearchBackend) -> None:
        assert isinstance(backend, SupportsFilter)
        documents = [Document(id=f"n{at}", metadata={"rating": number}) for at, number in enumerate(_EDGES)]
        await self.fill(backend, documents)
        for number in _EDGES:
            for op in ("eq", "ne", "lt", "le", "gt", "ge"):
                for tree in (leaf := Compare(field="rating", op=op, value=number), Not(filter=leaf)):
                    lowered = self.lowered(backend, tree)
                    if lowered is None or backend.inexpressible(lowered):
                        continue
                    found = await backend.search(ask("", filter=lowered, limit=1000))
                    assert set(found.ids) == self.expected(tree, documents), tree

    async def test_a_number_beyond_all_that_compare_is_refused_with_its_document(self, backend: SearchBackend) -> None:
        if not isinstance(backend, SupportsIndexing):
            pytest.skip("it cannot be written")
        huge = Document(id="huge", title="same words", metadata={"rating": 10**400, "deep": [{"er": -(10**5000)}]})
        report = await backend.upsert(
            [Document(id="a", title="same words"), huge, Document(id="b", title="same words")]
        )
        assert [id for id, reason in report.failed if reason] == ["huge"]
        assert sorted((await backend.search(ask("same words"))).ids) == ["a", "b"]

    async def test_no_value_of_a_long_list_is_left_out(self, filled: SearchBackend) -> None:
        """A list that is cut short lets pass what its caller excluded: one that is too long is inexpressible."""
        many = tuple(f"brand-{i}" for i in range(10_001))
        leaf = Compare(field="brand", op="in", value=(*many, "HP"))
        await self._compare(filled, leaf)
        await self._compare(filled, Not(filter=leaf))

    async def test_nothing_passes_the_filter_of_nothing(self, filled: SearchBackend) -> None:
        assert await ids(filled, "", filter=NOTHING) == []
        assert await ids(filled, "red", filter=NOTHING) == []

    async def test_a_word_that_nothing_holds_is_not_everything_that_passes(self, filled: SearchBackend) -> None:
        """An engine whose analysis knows no emoji must not take a query of one for a query without words."""
        assert await ids(filled, "🦆", filter=self.lowered(filled, Exists(field="brand"))) == []

    async def test_an_unknown_field_has_no_value(self, filled: SearchBackend) -> None:
        assert isinstance(filled, SupportsFilter)
        unknown = Compare(field="metadata.unheard_of", op="eq", value="x")
        if filled.inexpressible(unknown):
            pytest.skip("the engine filters by declared fields only")
        assert await ids(filled, "", filter=unknown) == []

    async def test_words_and_filter_must_both_hold(self, filled: SearchBackend) -> None:
        cheap = self.lowered(filled, Compare(field="price", op="lt", value=200))
        assert set(await ids(filled, "red running", filter=cheap)) == {"red-1", "blue-1"}

    async def test_exclusions_alone_leave_all_else_that_passes(self, filled: SearchBackend) -> None:
        tree = self.lowered(filled, Compare(field="price", op="lt", value=200))
        passing = set(await ids(filled, "", filter=tree))
        without = And_(
            parts=(Exclusion(expression=Terms(words=("red",))), Exclusion(expression=Terms(words=("nowhere",))))
        )
        assert "red-1" in passing
        assert set(await ids(filled, without, filter=tree)) == passing - {"red-1", "red-2"}

    async def test_browsing_has_pages_and_a_count(self, filled: SearchBackend) -> None:
        tree = self.lowered(filled, Not(filter=Compare(field="brand", op="eq", value="HP")))
        whole = await ids(filled, "", filter=tree)
        pages = [await ids(filled, "", filter=tree, limit=3, offset=at) for at in range(0, len(whole), 3)]
        assert [id for page in pages for id in page] == whole
        assert len(whole) == len(set(whole)) == len(CORPUS) - 2

    async def test_sorting_replaces_the_order_and_puts_absent_values_last(self, filled: SearchBackend) -> None:
        price = filled.fields["price"].name
        tree = self.lowered(filled, Not(filter=Compare(field="brand", op="eq", value="nobody")))
        prices = {d.id: d.metadata.get("price") for d in CORPUS}
        for descending in (False, True):
            response = await filled.search(ask("", filter=tree, sort=(Sort(field=price, descending=descending),)))
            found = [prices[id] for id in response.ids]
            known = [p for p in found if isinstance(p, (int, float))]
            assert len(found) == len(CORPUS)
            assert known == sorted(known, reverse=descending)
            assert found[len(known) :] == [None] * (len(found) - len(known))

    async def test_facets_count_what_passes(self, filled: SearchBackend) -> None:
        brand = filled.fields["brand"].name
        tree = self.lowered(filled, Compare(field="price", op="ge", value=100))
        response = await filled.search(ask("", filter=tree, facets=(brand,), limit=1))
        if not response.facets:
            pytest.skip("the engine does not count values")
        assert dict(response.facets[brand]) == {"Asics": 1, "Ｇucci": 1, "HP": 2, "Lenovo": 1, "小米": 1, "AND": 1}
        counts = [count for _, count in response.facets[brand]]
        assert counts == sorted(counts, reverse=True)
