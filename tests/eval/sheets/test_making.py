"""From a log to a blind sheet."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engines import PLUGINS, profile
from qx.errors import DatasetError, ProfileError, UsageError
from qx.eval.conditions import told_apart
from qx.eval.sheets import (
    blinded,
    items_of,
    key_place,
    read_answers,
    read_key,
    sample,
    sampled_answers,
    write_key,
)

LOG = [
    "tea",
    "Tea",
    "how to descale a kettle",
    "红茶",
    "泰山海拔多少米",
    "想买一台给爸妈用的手机屏幕大点字大声大预算2000左右",
]


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "log.txt"
    path.write_text("\n".join(LOG) + "\n", encoding="utf-8")
    return path


async def test_a_sample_of_different_queries_with_kinds_and_languages(log: Path):
    dataset, found = await sample(log, 10, seed=1, profile=profile(), plugins=PLUGINS)
    assert dataset.name == "log"
    assert [query.text for query in found] == [LOG[0], *LOG[2:]]
    assert {query.language for query in found} == {"en", "zh"}
    assert all(query.kind for query in found)
    _, few = await sample(log, 3, seed=1, profile=profile(), plugins=PLUGINS)
    _, again = await sample(log, 3, seed=1, profile=profile(), plugins=PLUGINS)
    assert few == again
    assert {query.language for query in few} == {"en", "zh"}


async def test_unclicked_queries_of_a_log_of_clicks_count_too(tmp_path: Path):
    path = tmp_path / "clicks.jsonl"
    rows = [{"query": text, "shown": ["a"], "clicked": ["a"] if text == "tea" else []} for text in ("tea", "红茶")]
    path.write_text("\n".join(json.dumps(row) for row in rows) + "\n", encoding="utf-8")
    _, found = await sample(path, 10, seed=1, profile=profile(), plugins=PLUGINS)
    assert [query.text for query in found] == ["tea", "红茶"]


async def test_a_row_for_each_condition_whose_set_begins_with_the_original(log: Path):
    _, queries = await sample(log, 3, seed=1, profile=profile(), plugins=PLUGINS)
    conditions = told_apart([profile(), profile(name="bare", expand={"limit": 0})])
    told: list[tuple[int, int]] = []
    found = await items_of(queries, conditions, plugins=PLUGINS, progress=lambda done, of: told.append((done, of)))
    assert len(found) == 6
    assert told[-1] == (6, 6)
    assert {item.condition for item in found} == {"test", "bare"}
    assert all(item.queries[0] == item.text for item in found)
    assert all(len(item.queries) == 1 for item in found if item.condition == "bare")


def test_profiles_of_one_name_are_told_apart():
    assert [name for name, _ in told_apart([profile(), profile(language="en")])] == ["test", "test (2)"]
    with pytest.raises(UsageError, match="at least one profile"):
        told_apart([])


async def test_nothing_in_the_sheet_tells_the_condition_and_one_seed_makes_one_sheet(log: Path):
    _, queries = await sample(log, 5, seed=1, profile=profile(), plugins=PLUGINS)
    items = await items_of(queries, told_apart([profile(name="secret"), profile(name="other")]), plugins=PLUGINS)
    made = blinded(items, name="log", asking="queries", tongue="en", seed=5)
    assert made == blinded(items, name="log", asking="queries", tongue="en", seed=5)
    assert made != blinded(items, name="log", asking="queries", tongue="en", seed=6)
    assert list(made.rows.values()) != list(items)
    from qx.eval.sheets.layout import body, header

    assert "secret" not in str([header(made), body(made)])
    order = [item.condition for item in made.rows.values()]
    assert order not in (sorted(order), sorted(order, reverse=True))


def test_the_key_is_for_its_owner(tmp_path: Path):
    made = blinded([], name="log", asking="queries", tongue="en", seed=1)
    place = write_key(made)
    assert place == key_place(made.sheet)
    assert place.stat().st_mode & 0o077 == 0
    assert read_key(place) == made
    with pytest.raises(DatasetError, match="--key FILE"):
        read_key(tmp_path / "none.json")


def test_answers(tmp_path: Path):
    path = tmp_path / "answers.jsonl"
    rows = [{"text": f"q{n}", "answer": f"a{n} {c}", "condition": c} for n in range(5) for c in ("one", "two")]
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    found = read_answers(path)
    assert len(found) == 10
    few = sampled_answers(found, 2, seed=1)
    assert len(few) == 4
    assert len({item.query for item in few}) == 2
    assert sampled_answers(found, None, seed=1) == found


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"text": "q"}', "no answer"),
        ('{"text": "q", "answer": "a"}\n{"text": "q", "answer": "b"}', "a second answer"),
        ("", "no answers"),
    ],
)
def test_wrong_answers(tmp_path: Path, line: str, reason: str):
    path = tmp_path / "answers.jsonl"
    path.write_text(line, encoding="utf-8")
    with pytest.raises(DatasetError, match=reason):
        read_answers(path)


async def test_an_engine_that_fails_is_its_own_error(log: Path):
    _, queries = await sample(log, 3, seed=1, profile=profile(), plugins=PLUGINS)
    conditions = told_apart([profile()])
    with pytest.raises(ProfileError, match="backend"):
        await items_of(queries, conditions, results=3, plugins=PLUGINS)


async def test_titles_of_what_is_found(log: Path):
    _, queries = await sample(log, 2, seed=1, profile=profile(), plugins=PLUGINS)
    search = {"backends": {"main": {"type": "scripted", "answers": {queries[0].text: ["d1", "d2"]}}}}
    found = await items_of(queries, told_apart([profile(search=search)]), results=1, plugins=PLUGINS)
    assert len(found[0].results) == 1
    assert all(item.queries[0] == item.text for item in found)
