"""The pack as data: what it holds, what it is installed as, and what its README says that it scores."""

from __future__ import annotations

from collections.abc import Callable
from importlib import metadata
from pathlib import Path

import pytest

from qx import Profile
from qx.domain import DomainPack, Knowledge, lint
from qx.eval.aligned import points
from qx.eval.packs import evaluation_files, read_set
from qx.eval.understanding import read_all, report
from qx.packs import load_pack
from qx.plugins import Plugins

PACK = Path(__file__).parents[1]
README = (PACK / "README.md").read_text("utf-8")
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
    plugins = Plugins.load(allow=())
    for name, least in (("own", 30), ("blind", 30), ("blind-second", 20)):
        rows = read_set(evaluation_files(str(PACK), plugins, (name,)))
        chinese = sum((row.wanted.language or "").startswith("zh") for row in rows)
        assert len(rows) >= least
        assert abs(chinese - len(rows) / 2) <= 1
        assert all(row.wanted.intents for row in rows)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["own", "blind", "blind-second"])
async def test_the_readme_s_figures_are_those_of_today(name: str, packed: Callable[..., Profile]):
    plugins = Plugins.load(allow=())
    rows = read_set(evaluation_files(str(PACK), plugins, (name,)))
    plain = Profile.model_validate({"name": "plain", "tenant": "plain", "understand": {"mode": "rules"}})
    made = [
        report(name, profile, await read_all(rows, profile, plugins=plugins)).scores for profile in (packed(), plain)
    ]
    figures = {
        "intents, macro F1": lambda s: s.intents.macro_f1,
        "first intent is right": lambda s: s.intents.first,
        "entities, exact F1": lambda s: s.entities.exact.f1,
        "constraints, exact F1": lambda s: s.constraints.exact.f1,
        "key terms kept": lambda s: s.must.share,
    }
    section = README.split(f"### {name.capitalize()}", 1)[1].split("###", 1)[0]
    assert f"{len(rows)} rows" in section
    for figure, of in figures.items():
        assert f"| {figure} | {' | '.join(points(of(scores)) for scores in made)} |" in section, figure
    assert made[0].intents.first > made[1].intents.first  # type: ignore[union-attr]
    if name == "blind-second":
        assert "**Constraints lose here**" in section
    else:
        assert made[0].constraints.exact.f1 > made[1].constraints.exact.f1  # type: ignore[union-attr]


def test_it_is_found_by_its_entry_point():
    points = [point for point in metadata.entry_points(group="qx.packs") if point.name == "ecommerce"]
    if not points:
        pytest.skip("the distribution qx-query-ecommerce is not installed here")
    plugins = Plugins.load(allow=["qx-query-ecommerce"])
    pack = plugins.registry("packs").get("ecommerce")
    assert pack.name == "ecommerce"
    files = evaluation_files("ecommerce", plugins)
    assert {Path(file).stem for file in files} == {"own", "blind", "blind-second"}
