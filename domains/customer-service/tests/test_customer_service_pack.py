"""The pack as data: what it holds, what it is installed as, and what its README says that it scores."""

from __future__ import annotations

import json
import runpy
from collections.abc import Callable
from importlib import metadata
from pathlib import Path

import pytest
import yaml

from qx import Profile
from qx.domain import DomainPack, Knowledge, lint
from qx.eval.aligned import points
from qx.eval.packs import evaluation_files, read_set
from qx.eval.understanding import read_all, report
from qx.packs import load_pack
from qx.plugins import Plugins

PACK = Path(__file__).parents[1]
README = (PACK / "README.md").read_text("utf-8")
INTENTS = {"fault", "billing", "refund", "delivery", "account", "complaint", "cancel", "how-to", "human-agent"}


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
        assert len({*one.words}) == len(one.words), index


def test_the_evaluation_sets_are_half_chinese():
    plugins = Plugins.load(allow=())
    for name, least in (("own", 30), ("blind", 30), ("blind-second", 20)):
        rows = read_set(evaluation_files(str(PACK), plugins, (name,)))
        chinese = sum((row.wanted.language or "").startswith("zh") for row in rows)
        assert len(rows) >= least
        assert abs(chinese - len(rows) / 2) <= 2


def test_the_mapping_of_the_public_set_names_intents_that_there_are(knowledge: Knowledge):
    mapping = yaml.safe_load((PACK / "benchmarks" / "intents.yaml").read_text("utf-8"))
    assert {own for own, _ in mapping.values()} <= INTENTS
    assert all(knowledge.intent(general) for _, general in mapping.values())


def test_rows_of_the_public_set_are_made_by_the_mapping(tmp_path: Path):
    labels = ["bill_due", "weather", "sync_device"]
    rows = "".join(json.dumps({"text": f"text {n}", "intent": label}) + "\n" for n, label in enumerate(labels))
    (tmp_path / "set.jsonl").write_text(rows)
    script = runpy.run_path(str(PACK / "benchmarks" / "public_rows.py"))
    made = [list(script["rows"](tmp_path / "set.jsonl", general=general)) for general in (False, True)]
    assert [[row["intents"] for row in rows] for rows in made] == [[["billing"], ["how-to"]], [["factual"], ["how-to"]]]
    assert [row["text"] for row in made[0]] == ["text 0", "text 2"]


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
        "sentiment": lambda s: s.sentiment.share,
        "key terms kept": lambda s: s.must.share,
    }
    section = README.split(f"### {name.capitalize()}", 1)[1].split("###", 1)[0]
    assert f"{len(rows)} rows" in section
    for figure, of in figures.items():
        assert f"| {figure} | {' | '.join(points(of(scores)) for scores in made)} |" in section, figure
    assert made[0].intents.first > made[1].intents.first  # type: ignore[union-attr]
    assert made[0].must.share > made[1].must.share  # type: ignore[union-attr]


def test_it_is_found_by_its_entry_point():
    points = [point for point in metadata.entry_points(group="qx.packs") if point.name == "customer-service"]
    if not points:
        pytest.skip("the distribution qx-query-customer-service is not installed here")
    plugins = Plugins.load(allow=["qx-query-customer-service"])
    pack = plugins.registry("packs").get("customer-service")
    assert pack.name == "customer-service"
    files = evaluation_files("customer-service", plugins)
    assert {Path(file).stem for file in files} == {"own", "blind", "blind-second"}
