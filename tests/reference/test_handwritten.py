"""The way that no rules go: answers as an excellent model would write them, replayed from a cassette, come through whole.

What is tested is all that lies between a model's answer and the queries that run: reading it, holding the analysis
against the query, guard, fit and limit.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import yaml

from qx import Engine, Expansion, Query
from qx.builtin import cassette_file
from qx.domain import Knowledge
from qx.rules.terms import plain
from qx.settings import Expand, Profile
from qx.steps.guard import guard
from qx.text.language import same_language
from qx.types import SubQuery, Turn
from tests.engines import PLUGINS

FOLDER = Path(__file__).parent
ROWS: list[dict[str, Any]] = yaml.safe_load((FOLDER / "handwritten.yaml").read_text("utf-8"))
NOW = datetime(2026, 6, 15, 10, tzinfo=ZoneInfo("Asia/Shanghai"))
PROFILE = {
    "name": "handwritten",
    "tenant": "handwritten",
    "folder": FOLDER,
    "understand": {"mode": "llm-single"},
    "expand": {"limit": 16},
    "llm": {
        "provider": "cassette",
        "model": "handwritten",
        "options": {"path": "handwritten.jsonl", "mode": "replay"},
        "retries": 0,
    },
}


def _identity(row: Mapping[str, Any]) -> str:
    return row["text"] + (" with history" if "history" in row else "")


def _query(row: Mapping[str, Any]) -> Query:
    turns = [Turn(role=("user", "assistant")[n % 2], content=c) for n, c in enumerate(row.get("history", ()))]
    return Query(text=row["text"], history=tuple(turns), now=NOW)


@pytest.fixture(scope="module")
def made() -> tuple[dict[str, Expansion], Expand, Knowledge]:
    """Every row's expansion by one engine, and what it guarded them with."""

    async def make() -> tuple[dict[str, Expansion], Expand, Knowledge]:
        async with Engine.opened(Profile.model_validate(PROFILE), plugins=PLUGINS) as engine:
            found = {_identity(row): await engine.expand(_query(row)) for row in ROWS}
            return found, engine.profile.expand, engine.knowledge

    return asyncio.run(make())


@pytest.fixture
def expansion(row: Mapping[str, Any], made: tuple[dict[str, Expansion], Expand, Knowledge]) -> Expansion:
    return made[0][_identity(row)]


each = pytest.mark.parametrize("row", ROWS, ids=_identity)


def test_each_answer_is_marked_and_has_its_row():
    answers = cassette_file.read(FOLDER / "handwritten.jsonl")
    assert {answer.mark for answer in answers} == {"handwritten"}
    asked = [json.loads(answer.match[0].removeprefix('"query": ')) for answer in answers]
    assert sorted(asked) == sorted(row["text"] for row in ROWS)


@each
def test_the_analysis_is_what_the_table_says(row: Mapping[str, Any], expansion: Expansion):
    found = expansion.understanding
    assert expansion.degraded == ()
    assert found.source == "llm-single"
    wanted = row["intents"]
    assert set(wanted) <= set(found.intent)
    assert found.intent[0] in wanted
    for entity in row["entities"]:
        names = [(n.casefold(), e.type) for e in found.entities for n in (e.text, e.canonical)]
        assert any(n == entity["text"].casefold() and entity.get("type") in (None, t) for n, t in names), entity
    wanted = list(row.get("constraints", ()))
    met = [next((w for w in wanted if all(getattr(c, k) == v for k, v in w.items())), None) for c in found.constraints]
    assert [c for c, w in zip(found.constraints, met, strict=True) if w is None] == []
    assert [w for w in wanted if w not in met] == []
    for word in row.get("implicit_needs", ()):
        assert any(word in need for need in found.implicit_needs), word
    assert set(row.get("negations", ())) == set(found.negations)
    assert row.get("sentiment") in (None, found.sentiment.label)
    for key in ("stance", "kind", "language", "standalone"):
        assert row.get(key) in (None, getattr(found, key)), key


@each
def test_its_queries_come_through(row: Mapping[str, Any], expansion: Expansion):
    first, queries = expansion.queries[0], expansion.queries[1:]
    assert first.text == row.get("standalone", row["text"])
    proposed = {q.text for q in expansion.understanding.proposals}
    assert proposed <= set(queries_of(expansion))  # where there is room for all, none is displaced by what rules add
    assert len(queries) >= 5
    texts = [plain(text) for text in queries_of(expansion)]
    for words in row["must"]:
        assert any(all(word in text for word in plain(words).split()) for text in texts), words
    for word in row.get("every", ()):
        assert [text for text in queries_of(expansion) if word not in text] == []
    for word in row.get("must_not", ()):
        assert not any(word in text for text in queries_of(expansion))
    tag = expansion.understanding.language
    spoken = [re.sub(r"\S+:\S+", "", text) for text in queries_of(expansion)]  # `site:` is of no language
    assert [text for text in spoken if not same_language(text, tag)] == []


@pytest.mark.parametrize("row", [row for row in ROWS if "filtered" in row], ids=_identity)
def test_what_goes_as_a_filter_may_leave_the_words(
    row: Mapping[str, Any], expansion: Expansion, made: tuple[dict[str, Expansion], Expand, Knowledge]
):
    _, settings, knowledge = made
    unsaid = [SubQuery(text=_without(q.text, row["unsaid"]), strategy=q.strategy) for q in expansion.queries[1:]]
    assert all(u.text != q.text for u, q in zip(unsaid, expansion.queries[1:], strict=True))

    def kept(*filtered: str) -> int:
        understanding, fields = expansion.understanding, frozenset(filtered)
        passed, _ = guard(_query(row), understanding, unsaid, settings=settings, knowledge=knowledge, filtered=fields)
        return len(passed)

    assert kept(*row["filtered"]) == len(unsaid)
    assert kept() == 0


def queries_of(expansion: Expansion) -> list[str]:
    """The texts beside the original."""
    return [query.text for query in expansion.queries[1:]]


def _without(text: str, words: list[str]) -> str:
    for word in words:
        text = text.replace(word, "")
    return " ".join(text.split())
