"""Each row of the reference table: what rules must find."""

from pathlib import Path

import pytest
import yaml

ROWS = yaml.safe_load((Path(__file__).parent.parent / "reference" / "queries.yaml").read_text(encoding="utf-8"))
KEYS = {"text", "intents", "entities", "constraints", "negations", "implicit_needs", "sentiment", "stance", "kind",
        "language", "senses"}  # fmt: skip


def test_the_table_has_only_known_keys_and_each_query_once():
    assert {key for row in ROWS for key in row} <= KEYS
    assert len({row["text"] for row in ROWS}) == len(ROWS)
    own = ROWS[-50:]
    assert sum(row["language"] == "en" for row in own) == 25


@pytest.mark.parametrize("row", ROWS, ids=[row["text"] for row in ROWS])
def test_rules_find_what_the_table_names(row, understand):
    found = understand(row["text"])
    wanted = row.get("intents", [])
    assert set(wanted) <= set(found.intent)
    assert not wanted or found.intent[0] in wanted
    for entity in row.get("entities", []):
        names = [(n.casefold(), e.type) for e in found.entities for n in (e.text, e.canonical)]
        assert any(n == entity["text"].casefold() and entity.get("type") in (None, t) for n, t in names), entity
    for constraint in row.get("constraints", []):
        assert any(all(getattr(c, k) == v for k, v in constraint.items()) for c in found.constraints), constraint
    assert set(row.get("negations", [])) <= set(found.negations)
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
