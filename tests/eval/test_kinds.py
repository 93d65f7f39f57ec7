"""Kinds of queries: what the file says stands, the rules read the others; languages are the file's alone."""

from __future__ import annotations

from dataclasses import replace

from engines import PLUGINS, profile
from qx.eval.judging.report import standing
from qx.eval.kinds import read, with_kinds
from qx.eval.sheets.items import Item
from qx.eval.values import Dataset, EvalQuery

ASKED = (
    EvalQuery(id="a", text="怎么补胎", kind="workshop"),
    EvalQuery(id="b", text="想买一台给爸妈用的手机屏幕大点字大声大预算2000左右"),
    EvalQuery(id="c", text="tea"),
)


async def test_the_rules_read_what_the_file_does_not_say():
    before = Dataset(name="log", queries=ASKED, fingerprint="f")
    told: list[tuple[int, int]] = []
    found = await with_kinds(before, profile(), PLUGINS, progress=lambda done, of: told.append((done, of)))
    assert told == [(1, 3), (2, 3), (3, 3)]
    kinds = [query.kind for query in found.queries]
    assert kinds[0] == "workshop"
    assert kinds[1] == "complex"
    assert kinds[2] in ("simple", "vague")
    assert found == replace(before, queries=found.queries)
    assert [query.language for query in found.queries] == [None, None, None]


async def test_a_profile_that_expands_by_a_model_is_read_by_rules_too():
    asking = profile(llm={"provider": "scripted", "model": "m"}, understand={"mode": "llm"}, expand={"mode": "llm"})
    assert all(query.kind for query in await read(ASKED, asking, PLUGINS))


async def test_items_too_and_their_languages_where_wanted():
    items = [Item(query="a", text="红茶怎么泡", condition="one"), Item(query="b", text="x", condition="one", kind="k")]
    found = await read(items, profile(), PLUGINS, languages=True)
    assert found[0].language == "zh"
    assert found[0].kind
    assert found[1].kind == "k"


async def test_nothing_is_opened_where_all_is_said(monkeypatch):
    monkeypatch.setattr("qx.eval.kinds.Engine", None)
    assert await read([ASKED[0]], profile()) == [ASKED[0]]


def test_a_judges_means_by_kind():
    found = standing("c", {"grade": {"a": 3.0, "b": 1.0, "c": 2.0}, "good": {"a": 1.0}}, {"a": "x", "b": "y", "c": "y"})
    assert found.kinds == {"x": {"queries": 1.0, "grade": 3.0, "good": 1.0}, "y": {"queries": 2.0, "grade": 1.5}}
    assert (found.queries, found.means) == (3, {"grade": 2.0, "good": 1.0})
