"""Each row of the reference table: what rules must find."""

from pathlib import Path

import pytest
import yaml

from qx.types import Constraint

ROWS = yaml.safe_load((Path(__file__).parent.parent / "reference" / "queries.yaml").read_text(encoding="utf-8"))
KEYS = {"text", "intents", "entities", "constraints", "negations", "implicit_needs", "sentiment", "stance", "kind",
        "language", "senses"}  # fmt: skip


def test_the_table_has_only_known_keys_and_each_query_once():
    assert {key for row in ROWS for key in row} <= KEYS
    assert len({row["text"] for row in ROWS}) == len(ROWS)
    own = ROWS[-50:]
    assert sum(row["language"] == "en" for row in own) == 25


def unmatched(found, wanted):
    """What is found and not wanted, and what is wanted and not found; each wanted one is met by one found one."""
    left = list(wanted)
    invented = []
    for constraint in found:
        met = next((w for w in left if all(getattr(constraint, k) == v for k, v in w.items())), None)
        invented += [constraint] if met is None else []
        left = [w for w in left if w is not met]
    return invented, left


def test_a_constraint_that_nobody_listed_is_told():
    one, other = Constraint(field="colour", op="ne", value="white"), Constraint(field="colour", op="eq", value="white")
    assert unmatched([one, other], [{"field": "colour", "op": "ne"}]) == ([other], [])
    assert unmatched([one], [{"field": "colour", "op": "ne"}, {"field": "price"}]) == ([], [{"field": "price"}])
    assert unmatched([one, one], [{"field": "colour"}]) == ([one], [])


@pytest.mark.parametrize("row", ROWS, ids=[row["text"] for row in ROWS])
def test_rules_find_what_the_table_names(row, understand):
    found = understand(row["text"])
    wanted = row.get("intents", [])
    assert set(wanted) <= set(found.intent)
    assert not wanted or found.intent[0] in wanted
    for entity in row.get("entities", []):
        names = [(n.casefold(), e.type) for e in found.entities for n in (e.text, e.canonical)]
        assert any(n == entity["text"].casefold() and entity.get("type") in (None, t) for n, t in names), entity
    assert unmatched(found.constraints, row.get("constraints", [])) == ([], [])
    assert sorted(found.negations) == sorted(row.get("negations", []))
    for word in row.get("implicit_needs", []):
        assert any(word in need for need in found.implicit_needs), word
    for key in ("stance", "kind", "language"):
        assert row.get(key) in (None, getattr(found, key)), key
    assert row.get("sentiment") in (None, found.sentiment.label)
    assert set(row.get("senses", [])) <= {s.label for s in found.senses}


@pytest.mark.parametrize("row", ROWS, ids=[row["text"] for row in ROWS])
def test_places_of_entities_are_those_of_the_exact_text(row, understand):
    text = f"  <b>{row['text']}</b>\u200b"
    for entity in understand(text).entities:
        assert entity.start == -1 or text[entity.start : entity.end] == entity.text
