"""The pack as data: what it holds, what it is installed as, and what its README says that it scores."""

from __future__ import annotations

import re
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
    plugins = Plugins.load(allow=())
    for name, least in (("own", 30), ("blind", 30), ("blind-second", 20)):
        rows = read_set(evaluation_files(str(PACK), plugins, (name,)))
        chinese = sum((row.wanted.language or "").startswith("zh") for row in rows)
        assert len(rows) >= least
        assert abs(chinese - len(rows) / 2) <= 2


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
    assert made[0].must.share > made[1].must.share  # type: ignore[union-attr]


def test_it_is_found_by_its_entry_point():
    points = [point for point in metadata.entry_points(group="qx.packs") if point.name == "academic"]
    if not points:
        pytest.skip("the distribution qx-query-academic is not installed here")
    plugins = Plugins.load(allow=["qx-query-academic"])
    pack = plugins.registry("packs").get("academic")
    assert pack.name == "academic"
    files = evaluation_files("academic", plugins)
    assert {Path(file).stem for file in files} == {"own", "blind", "blind-second"}
