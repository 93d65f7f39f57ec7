"""Bare lists: snippets are pooled and graded once each, and the ordinary report does the rest."""

from __future__ import annotations

import json

import pytest

from qx.errors import BadResponse, Unavailable
from qx.eval.graded import BATCH, GOOD, ByModel, Snippet, with_grades
from qx.eval.names import BARE
from qx.eval.reporting import report
from qx.eval.values import Dataset, EvalQuery, Listed, Row
from qx.eval.wording import ByWording
from qx.llm import Completion
from qx.types import Usage

from .planted import RAW, conditions, of

QUERIES = (EvalQuery(id="q1", text="轻薄笔记本电脑 5000元以下"), EvalQuery(id="q2", text="wireless mouse"))
BARE_LIST = Dataset(name="log", queries=QUERIES)
TEXTS = {
    "thin": ("轻薄笔记本电脑", "4599元"),
    "dear": ("轻薄笔记本电脑", "7999元"),
    "pad": ("游戏手柄", "蓝牙"),
    "mouse": ("Wireless mouse", "silent"),
    "cable": ("USB cable", ""),
}


def found(query, ids, condition):
    listed = tuple(Listed(id=id_, by=(0,), title=TEXTS[id_][0], text=TEXTS[id_][1]) for id_ in ids)
    return Row(query=query, condition=condition, found=listed)


ROWS = {
    RAW: [found("q1", ["pad", "dear"], RAW), found("q2", ["mouse"], RAW)],
    "shop": [found("q1", ["thin", "dear"], "shop"), found("q2", ["mouse", "cable"], "shop")],
}


class Scripted:
    """A model that answers by a function of the results that it is shown, and remembers what it saw."""

    def __init__(self, answer) -> None:
        self.answer = answer
        self.seen: list[dict] = []

    async def __call__(self, request):
        payload = json.loads(request.messages[-1].content)
        self.seen.append(payload)
        answer = self.answer(payload["results"])
        return Completion(
            text=answer if isinstance(answer, str) else json.dumps(answer), usage=Usage(), model="scripted"
        )


async def test_rules_give_grades_and_the_report_has_the_measures_of_bare_lists():
    data = await with_grades(BARE_LIST, conditions("shop"), of(ROWS), ByWording())
    assert data.grades == {"q1": {"thin": 3, "dear": 1, "pad": 0}, "q2": {"mouse": 3, "cable": 0}}
    made = report(data, conditions("shop"), of(ROWS), BARE, good=GOOD)
    raw, shop = made.conditions
    assert raw.measures["mean-grade@10"] == pytest.approx((0.5 + 3) / 2)
    assert shop.measures["mean-grade@10"] == pytest.approx((2 + 1.5) / 2)
    assert (raw.measures["good@10"], shop.measures["good@10"]) == (0.5, 1)
    assert shop.measures["unique-useful"] == 0.5  # thin, for one of two queries
    assert shop.measures["good-added@10"] == 0.5
    assert shop.measures["good-kept@10"] == 1  # mouse; q1 had nothing good to keep
    assert shop.measures["overlap@10"] == pytest.approx((1 / 2 + 1 / 2) / 2)
    assert shop.measures["zero-results"] == 0
    assert made.notes[0].startswith("grades: graded by rules")
    assert "expansion looks worse than it is" in made.notes[0]


async def test_a_model_grades_each_document_once_without_knowing_who_found_it():
    model = Scripted(lambda results: dict.fromkeys(results, "helps"))
    data = await with_grades(BARE_LIST, conditions("shop"), of(ROWS), ByModel(model))
    assert data.grades["q1"] == {"thin": 2, "dear": 2, "pad": 2}
    assert len(model.seen) == 2
    seen = next(payload for payload in model.seen if payload["query"] == QUERIES[0].text)
    assert sorted(seen["results"].values()) == sorted(f"{title}\n{text}" for title, text in list(TEXTS.values())[:3])
    assert "shop" not in json.dumps(model.seen)
    assert "graded by a model" in data.notes[-1]


async def test_every_label_has_its_grade():
    labels = {"answers": 3, "helps": 2, "touches": 1, "unrelated": 0}
    snippets = [Snippet(id=name, title=name) for name in labels]
    model = Scripted(lambda results: dict(results))
    assert await ByModel(model).grades(QUERIES[0], snippets) == labels


async def test_many_documents_go_in_several_calls():
    snippets = [Snippet(id=f"d{n}", title=f"t{n}") for n in range(2 * BATCH + 1)]
    model = Scripted(lambda results: dict.fromkeys(results, "touches"))
    grades = await ByModel(model).grades(QUERIES[0], snippets)
    assert grades == {f"d{n}": 1 for n in range(2 * BATCH + 1)}
    assert [len(payload["results"]) for payload in model.seen] == [BATCH, BATCH, 1]


@pytest.mark.parametrize("answer", ["I think the first one is good.", '{"r1": "perfect"}', "{}"])
async def test_an_answer_that_cannot_be_read_leaves_documents_without_a_grade_and_says_so(answer):
    data = await with_grades(BARE_LIST, conditions("shop"), of(ROWS), ByModel(Scripted(lambda results: answer)))
    assert data.grades == {"q1": {}, "q2": {}}
    assert "5 of 5 documents could not be graded" in data.notes[-1]


async def test_a_model_that_leaves_one_out():
    model = Scripted(lambda results: {"r1": "answers"})
    data = await with_grades(BARE_LIST, conditions("shop"), of(ROWS), ByModel(model))
    assert sum(map(len, data.grades.values())) == 2
    assert "3 of 5 documents could not be graded" in data.notes[-1]


async def test_a_model_that_cannot_be_reached_ends_it():
    async def down(request):
        raise Unavailable("connection refused")

    with pytest.raises(Unavailable, match="refused"):
        await with_grades(BARE_LIST, conditions("shop"), of(ROWS), ByModel(down))


async def test_a_profile_without_a_model_is_told():
    async def none(request):
        raise Unavailable("no model")

    with pytest.raises(Unavailable):
        await ByModel(none).grades(QUERIES[0], [Snippet(id="a")])
    assert await ByModel(none).grades(QUERIES[0], []) == {}


async def test_only_first_pages_are_graded():
    rows = {RAW: [found("q1", ["pad", "dear", "thin"], RAW)]}
    data = await with_grades(BARE_LIST, conditions(), of(rows), ByWording(), depth=2)
    assert set(data.grades["q1"]) == {"pad", "dear"}


async def test_many_queries_are_held_in_parts(monkeypatch):
    monkeypatch.setattr("qx.eval.graded._AT_ONCE", 1)
    data = await with_grades(BARE_LIST, conditions("shop"), of(ROWS), ByWording())
    assert {id_: len(grades) for id_, grades in data.grades.items()} == {"q1": 3, "q2": 2}


async def test_a_snippet_that_one_condition_lacks_is_taken_from_another():
    rows = {RAW: [Row(query="q2", condition=RAW, found=(Listed(id="mouse"),))], "shop": ROWS["shop"][1:]}
    data = await with_grades(BARE_LIST, conditions("shop"), of(rows), ByWording())
    assert data.grades["q2"]["mouse"] == 3


def test_bad_response_is_a_provider_error():
    """What ``ByModel`` passes over is only what was answered, never that nobody answered."""
    assert not issubclass(Unavailable, BadResponse)
