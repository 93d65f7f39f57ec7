"""The pack as data: what it holds, what it is installed as, and what its README says that it scores."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from pack_readmes import SETS, check_entry_point, check_figures, check_halves

from qx import Profile
from qx.domain import DomainPack, Knowledge, lint
from qx.packs import load_pack

PACK = Path(__file__).parents[1]
INTENTS = {"survey", "method", "dataset", "code", "author", "latest", "definition", "replication"}


def test_intents_are_told_apart(pack: DomainPack):
    assert {intent.id for intent in pack.taxonomy.intents} >= INTENTS  # type: ignore[union-attr]
    assert lint(pack, beside=[load_pack("qx.builtin:general/pack.yaml")]) == ()


def test_everything_is_in_both_languages(knowledge: Knowledge, pack: DomainPack):
    for id in INTENTS:
        intent = knowledge.intent(id)
        assert intent is not None
        assert {*intent.labels} >= {"en", "zh"}
        assert {*intent.definition} >= {"en", "zh"}
        assert any(cue.isascii() for cue in intent.cues)
        assert any(not cue.isascii() for cue in intent.cues)
        for tag in ("en", "zh"):
            assert any(need.language == tag for need in intent.needs), (id, tag)
    assert {example.language for example in pack.examples} == {"en", "zh"}
    assert all(example.queries for example in pack.examples)
    for index, one in enumerate(pack.synonyms):
        said = [re.sub(r"[-\s]", "", word.casefold()) for word in (*one.words, *([one.of] if one.of else []))]
        assert len({*said}) == len(said), f"{index}: {one.words} differ by a hyphen or a space alone"


def test_the_evaluation_sets_are_half_chinese():
    check_halves(PACK)


def test_terms_have_names_in_both_languages(knowledge: Knowledge):
    for kind in knowledge.taxonomy.entity_types:
        if kind.id not in {"term", "theory"}:
            continue
        both = [
            name
            for name, others in kind.names.items()
            if any(n.isascii() for n in (name, *others)) and any(not n.isascii() for n in (name, *others))
        ]
        assert len(both) >= 0.9 * len(kind.names)
        assert len(kind.names) >= 35


def test_an_acronym_that_means_several_things_stands_for_none(knowledge: Knowledge):
    for short in ("cv", "re", "ad", "pd", "did", "iv"):
        assert short not in knowledge.synonyms


@pytest.mark.slow
@pytest.mark.parametrize("name", SETS)
async def test_the_readme_s_figures_are_those_of_today(name: str, packed: Callable[..., Profile]):
    with_it, plain = await check_figures(PACK, name, packed(), without="sentiment")
    assert with_it.intents.first > plain.intents.first  # type: ignore[operator]
    assert with_it.must.share > plain.must.share  # type: ignore[operator]


def test_it_is_found_by_its_entry_point():
    check_entry_point("academic")
