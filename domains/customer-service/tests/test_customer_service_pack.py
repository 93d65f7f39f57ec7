"""The pack as data: what it holds, what it is installed as, and what its README says that it scores."""

from __future__ import annotations

import json
import runpy
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from pack_readmes import SETS, check_entry_point, check_figures, check_halves

from qx import Profile
from qx.domain import DomainPack, Knowledge, lint
from qx.packs import load_pack

PACK = Path(__file__).parents[1]
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
    check_halves(PACK)


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
@pytest.mark.parametrize("name", SETS)
async def test_the_readme_s_figures_are_those_of_today(name: str, packed: Callable[..., Profile]):
    with_it, plain = await check_figures(PACK, name, packed(), without="constraints, exact F1")
    assert with_it.intents.first > plain.intents.first  # type: ignore[operator]
    assert with_it.must.share > plain.must.share  # type: ignore[operator]


def test_it_is_found_by_its_entry_point():
    check_entry_point("customer-service")
