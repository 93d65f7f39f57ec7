"""The pack as data: what it holds, what it is installed as, and what its README says that it scores."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from pack_readmes import SETS, check_entry_point, check_figures, check_halves, rows_of

from qx import Profile
from qx.domain import DomainPack, Knowledge, lint
from qx.packs import load_pack

PACK = Path(__file__).parents[1]
INTENTS = {"purchase", "compare-prices", "read-reviews", "find-coupons", "check-specifications", "gift", "after-sales"}


def test_intents_are_told_apart(pack: DomainPack):
    assert {intent.id for intent in pack.taxonomy.intents} >= INTENTS  # type: ignore[union-attr]
    assert lint(pack, beside=[load_pack("qx.builtin:general/pack.yaml")]) == ()


def test_everything_is_in_both_languages(knowledge: Knowledge, pack: DomainPack):
    for id in INTENTS:
        intent = knowledge.intent(id)
        assert intent is not None
        assert {*intent.labels} == {*intent.definition} == {"en", "zh"}
        assert any(cue.isascii() for cue in intent.cues)
        assert any(not cue.isascii() for cue in intent.cues)
        for tag in ("en", "zh"):
            assert any(need.language == tag for need in intent.needs), (id, tag)
            assert any(id in form.intents and form.language == tag for form in pack.templates), (id, tag)
    assert {example.language for example in pack.examples} == {"en", "zh"}
    assert len({intent for example in pack.examples for intent in example.understanding["intent"]}) >= 6
    assert all(example.queries for example in pack.examples)


def test_brands_have_names_in_both_scripts(knowledge: Knowledge, pack: DomainPack):
    [brands] = [kind for kind in pack.taxonomy.entity_types if kind.id == "brand"]  # type: ignore[union-attr]
    both = [
        canonical
        for canonical, others in brands.names.items()
        if any(name.isascii() for name in (canonical, *others))
        and any(not name.isascii() for name in (canonical, *others))
    ]
    assert len(brands.names) > 200
    assert len(both) > 170


def test_names_that_general_has_keep_their_other_names(knowledge: Knowledge):
    [categories] = [kind for kind in knowledge.taxonomy.entity_types if kind.id == "category"]
    assert "cellphone" in categories.names["手机"]
    [brands] = [kind for kind in knowledge.taxonomy.entity_types if kind.id == "brand"]
    assert {"HP", "hewlett packard"} <= {*brands.names["惠普"]}


def test_the_evaluation_sets_are_half_chinese():
    check_halves(PACK)
    assert all(row.wanted.intents for name in SETS for row in rows_of(PACK, name))


@pytest.mark.slow
@pytest.mark.parametrize("name", SETS)
async def test_the_readme_s_figures_are_those_of_today(name: str, packed: Callable[..., Profile]):
    with_it, plain = await check_figures(PACK, name, packed(), without="sentiment")
    assert with_it.intents.first > plain.intents.first  # type: ignore[operator]
    if name == "blind-second":
        section = (PACK / "README.md").read_text("utf-8").split("### Blind-second", 1)[1]
        assert "**Constraints lose here**" in section.split("###", 1)[0]
    else:
        assert with_it.constraints.exact.f1 > plain.constraints.exact.f1  # type: ignore[operator]


def test_it_is_found_by_its_entry_point():
    check_entry_point("ecommerce")
