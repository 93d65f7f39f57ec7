# ruff: noqa: S101 - tests, though they lie in the package
"""What a domain pack must hold, as tests; its own evaluation set among them."""

from __future__ import annotations

import time
from collections.abc import Sequence

import pytest

from qx.domain import DomainPack, Taxonomy, lint
from qx.engine import Engine
from qx.eval.packs import evaluation_files, read_set
from qx.eval.understanding import Row
from qx.eval.understanding.keeping import lost
from qx.eval.understanding.matching import same_constraint, same_entity
from qx.packs import load_domain, load_pack
from qx.plugins import Plugins
from qx.settings import Profile
from qx.testing.conformance.texts import ODD, QUERIES


class TaxonomyConformance:
    """Subclass it, and override the fixture ``taxonomy``.

    Attributes:
        languages: Those in which intents, types of entities and fields have a label and intents a definition.
    """

    languages: Sequence[str] = ("en", "zh")

    @pytest.fixture
    def taxonomy(self) -> Taxonomy:
        raise NotImplementedError("override the fixture `taxonomy`")

    def test_it_has_intents(self, taxonomy: Taxonomy) -> None:
        assert isinstance(taxonomy, Taxonomy)
        assert taxonomy.name
        assert taxonomy.intents

    def test_its_words_are_there_in_every_language(self, taxonomy: Taxonomy) -> None:
        for intent in taxonomy.intents:
            if intent.definition or intent.labels:
                assert set(self.languages) <= set(intent.labels), f"labels of the intent {intent.id}"
                assert set(self.languages) <= set(intent.definition), f"definitions of the intent {intent.id}"
        for item in (*taxonomy.entity_types, *taxonomy.fields):
            assert not item.labels or set(self.languages) <= set(item.labels), f"labels of {item.id}"

    @pytest.fixture
    def apart(self, taxonomy: Taxonomy) -> Sequence[str]:
        """What does not tell its intents apart."""
        return lint(DomainPack(schema_version=1, name=taxonomy.name, taxonomy=taxonomy))  # intents of one id are one

    def test_its_intents_can_be_told_apart(self, apart: Sequence[str]) -> None:
        assert list(apart) == []


class PackConformance(TaxonomyConformance):
    """Subclass it, and say which ``pack``: an installed one's name, or a folder (``./bikes``).

    Attributes:
        languages: Those in which intents, types of entities and fields have a label and intents a definition.
        least: The share of the rows in ``eval/*.jsonl`` that rules must read right: intent, entities,
            constraints, ``must``.
    """

    pack = ""
    languages: Sequence[str] = ("en", "zh")
    least = 0.6

    def profile(self) -> Profile:
        """Return a profile that names the pack, and no model."""
        return Profile.model_validate({"understand": {"mode": "rules"}, "domains": [self.pack]})

    @pytest.fixture
    def loaded(self) -> DomainPack:
        """The pack."""
        return load_domain(self.pack, self.profile().folder, Plugins.load())

    def test_it_has_the_name_that_it_is_chosen_by(self, loaded: DomainPack) -> None:
        assert loaded.name == self.pack.rstrip("/").rpartition("/")[2]

    @pytest.fixture
    def taxonomy(self, loaded: DomainPack) -> Taxonomy:
        """The pack's own."""
        assert isinstance(loaded.taxonomy, Taxonomy)
        return loaded.taxonomy

    @pytest.fixture
    def apart(self, loaded: DomainPack) -> Sequence[str]:
        """What does not tell its intents apart, among themselves and beside the general ones, which it may extend."""
        return lint(loaded, beside=[load_pack("qx.builtin:general/pack.yaml")])

    async def test_no_text_takes_long(self) -> None:
        async with Engine.opened(self.profile()) as engine:
            for text in (*QUERIES, *ODD):
                began = time.perf_counter()
                await engine.expand(text)
                assert time.perf_counter() - began < 5.0, text

    def test_it_has_rows_in_every_language(self) -> None:
        written = {(row.wanted.language or "").partition("-")[0] for row in self.rows()}
        assert set(self.languages) <= written

    async def test_rules_read_its_own_rows(self) -> None:
        rows, wrong = self.rows(), list[str]()
        async with Engine.opened(self.profile()) as engine:
            for row in rows:
                expansion = await engine.expand(row.wanted.query())
                read = expansion.understanding
                missed = [intent for intent in (row.wanted.intents or ())[:1] if intent not in read.intent]
                missed += [
                    e.text for e in row.wanted.entities or () if not any(same_entity(e, r) for r in read.entities)
                ]
                missed += [
                    f"{c.field} {c.op} {c.value}"
                    for c in row.wanted.constraints or ()
                    if not any(same_constraint(c, r) for r in read.constraints)
                ]
                missed += lost(expansion.queries, row.wanted.must or ())
                if missed:
                    wrong.append(f"{row.file}:{row.line}: {row.wanted.text}: {', '.join(missed)}")
        assert len(rows) - len(wrong) >= self.least * len(rows), "\n".join(wrong)

    def rows(self) -> tuple[Row, ...]:
        """Return the pack's own evaluation set."""
        return read_set(evaluation_files(self.pack, Plugins.load()))
