"""Judges over the small collection: what is new is judged, and who does not agree with people ranks nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from qx import Engine, Profile
from qx.errors import AuthError, BadResponse, DatasetError, ProfileError, Unavailable, UsageError
from qx.eval.datasets import load_dataset
from qx.eval.judging.filling import Filling, Subject
from qx.eval.judging.judge import Judge
from qx.eval.judging.opening import judging_profile, model_of
from qx.eval.judging.pool import Judged, Pool
from qx.eval.judging.report import grades_by_query
from qx.eval.judging.table import lines
from qx.eval.judging.working import Options, judge_items, judge_relevance
from qx.eval.sheets.items import Item
from qx.eval.sheets.people import RatedItem
from qx.eval.values import Dataset, Listed, Row
from qx.llm import CompletionRequest
from qx.testing import ScriptedLLM

from .collection import QUERIES, documents
from .conftest import PLUGINS, MakeProfile

TITLES = {document["title"]: document["_id"] for document in documents()}
GRADES = {(text, id_): grade for _, text, _, _, grades in QUERIES for id_, grade in grades.items()}


def data(request: CompletionRequest) -> dict[str, Any]:
    asked = [m for m in request.messages if m.role == "user" and m.content.startswith("{")]
    return json.loads(asked[-1].content)


def like_people(request: CompletionRequest) -> str:
    """A judge that grades as people did, and 0 what they have not seen."""
    shown = data(request)

    def grade(document: dict[str, str]) -> int:
        return GRADES.get((shown["query"], TITLES[document["title"]]), 0)

    if "document" in shown:
        return json.dumps({"grade": grade(shown["document"])})
    return json.dumps({id_: grade(document) for id_, document in shown["documents"].items()})


@pytest.fixture
def judge() -> Callable[[ScriptedLLM], Profile]:
    def make(llm: ScriptedLLM) -> Profile:
        llm.named(f"judge-{id(llm)}")
        block = {"provider": "scripted", "model": "j", "options": {"instance": f"judge-{id(llm)}"}, "retries": 0}
        return Profile.model_validate({"name": "judge", "tenant": "eval", "llm": block})

    return make


async def test_a_judge_that_agrees_ranks_and_writes_grades(
    dataset: Dataset, filled: Path, local: MakeProfile, judge: Any, tmp_path: Path
):
    llm = ScriptedLLM(like_people)
    out = tmp_path / "qrels" / "judge.tsv"
    told: list[tuple[int, int]] = []
    options = Options(progress=lambda done, of: told.append((done, of)))
    made = await judge_relevance(
        dataset, judge(llm), [local()], top=3, corpus=filled / "help", out=out, options=options, plugins=PLUGINS
    )
    assert made.ranked
    assert not made.unchecked
    assert made.trust[0].kappa == 1.0
    assert made.asked == llm.calls == made.subjects == told[-1][1]
    assert [one.name for one in made.conditions] == ["no-expansion", "help"]
    assert all(0 < one.means["good"] < one.means["grade"] <= 3 for one in made.conditions)
    assert made.comparisons[0].measure == "grade"
    assert set(made.rubrics) == {"en", "zh"}
    assert {kind: means["queries"] for kind, means in made.conditions[0].kinds.items()} == {
        "buy": 4, "how-to": 8, "service": 4, "trouble": 4,
    }  # fmt: skip
    assert "by kind" in "\n".join(lines(made))
    assert "kappa 1.00" in "\n".join(lines(made))

    for name in ("queries.jsonl", "corpus.jsonl"):
        (tmp_path / name).write_bytes((filled / "help" / name).read_bytes())
    again = load_dataset(tmp_path, split="judge")
    assert again.grades["e1"]["puncture-en"] == 2
    assert len(again.queries) == 20

    second = await judge_relevance(
        dataset, judge(llm), [local()], top=3, corpus=filled / "help", options=Options(), plugins=PLUGINS
    )
    assert (second.asked, second.kept) == (0, made.subjects)
    assert second.conditions == made.conditions


async def test_searches_that_failed_are_told(
    dataset: Dataset, filled: Path, local: MakeProfile, judge: Any, monkeypatch: pytest.MonkeyPatch
):
    search = Engine.search
    broken = {query.text for query in dataset.queries[::2]}

    async def sometimes(self: Engine, query: Any, /, **options: Any) -> Any:
        if options["expand"] and query.text in broken:
            raise Unavailable("the shard is gone")
        return await search(self, query, **options)

    monkeypatch.setattr(Engine, "search", sometimes)
    made = await judge_relevance(
        dataset, judge(ScriptedLLM(like_people)), [local()], top=3, corpus=filled / "help", plugins=PLUGINS
    )
    assert made.failed_searches == {"help": 10}
    assert any("help: 10 of 20 searches failed" in note and "the shard is gone" in note for note in made.notes)
    assert "10 of 20 searches failed" in "\n".join(lines(made))


async def test_the_notes_of_the_run_are_kept(filled: Path, dataset: Dataset, local: MakeProfile, judge: Any):
    gone = {"e1": {f"x{n}": 1 for n in range(9)}}
    odd = replace(dataset, grades={**dataset.grades, **gone}, notes=("2 lines were left out",), fingerprint="odd")
    made = await judge_relevance(
        replace(odd, grades={"e1": {**gone["e1"], "puncture-en": 2}}), judge(ScriptedLLM(like_people)), [local()],
        top=1, agree=0, corpus=filled / "help", plugins=PLUGINS,
    )  # fmt: skip
    assert "2 lines were left out" in made.notes
    assert any("only 10% of the 10 documents" in note for note in made.notes)


async def test_what_the_judge_failed_on_is_no_grade(dataset: Dataset, filled: Path, local: MakeProfile, judge: Any):
    def sometimes(request: CompletionRequest) -> Any:
        shown = data(request)
        return Unavailable("down") if shown["query"] == "怎么补胎" else '{"grade": 3}'

    options = Options(threshold=-1.0)
    one = replace(dataset, grades={})
    made = await judge_relevance(
        one, judge(ScriptedLLM(sometimes)), [local()], top=1, corpus=filled / "help", options=options, plugins=PLUGINS
    )
    assert made.failed > 0
    assert [(standing.queries, standing.means["grade"]) for standing in made.conditions] == [(19, 3.0), (19, 3.0)]
    assert [standing.unjudged for standing in made.conditions] == [1, 1]
    assert "1 could not be judged" in "\n".join(lines(made))


def test_a_list_is_the_mean_of_what_was_judged_of_it():
    rows = [Row(query="q", condition="c", found=tuple(Listed(id=f"d{n}") for n in range(3)))]
    judged = {("q", "d0"): Judged(values={"grade": 3}), ("q", "d1"): Judged(values={"grade": 1})}
    found, unjudged = grades_by_query(rows, judged, 4)
    assert found == {"grade": {"q": pytest.approx(4 / 3)}, "good": {"q": pytest.approx(1 / 3)}}  # one place is empty
    assert unjudged == 1


async def test_only_new_pairs_are_judged(dataset: Dataset, filled: Path, local: MakeProfile, judge: Any):
    llm = ScriptedLLM(like_people)
    own = judge(llm)
    first = await judge_relevance(dataset, own, [local()], top=1, agree=0, corpus=filled / "help", plugins=PLUGINS)
    more = await judge_relevance(dataset, own, [local()], top=2, agree=0, corpus=filled / "help", plugins=PLUGINS)
    assert more.kept == first.subjects
    assert more.asked == more.subjects - first.subjects > 0
    assert llm.calls == more.subjects


async def test_a_judge_that_does_not_agree_ranks_nothing_and_writes_nothing(
    dataset: Dataset, filled: Path, local: MakeProfile, judge: Any, tmp_path: Path
):
    llm = ScriptedLLM(lambda request: json.dumps({"grade": len(data(request)["document"]["text"]) % 4}))
    out = tmp_path / "judge.tsv"
    made = await judge_relevance(
        dataset, judge(llm), [local()], top=3, corpus=filled / "help", out=out, plugins=PLUGINS
    )
    assert made.trust[0].kappa is not None
    assert made.trust[0].kappa < 0.4
    assert not made.ranked
    assert made.conditions == ()
    assert made.comparisons == ()
    assert made.qrels == ""
    assert not out.exists()
    assert "NO RANKING" in "\n".join(lines(made))


async def test_a_lower_threshold_lets_it_rank(dataset: Dataset, filled: Path, judge: Any):
    llm = ScriptedLLM(lambda request: json.dumps({"grade": len(data(request)["document"]["text"]) % 4}))
    options = Options(threshold=-1.0)
    made = await judge_relevance(dataset, judge(llm), [], corpus=filled / "help", options=options, plugins=PLUGINS)
    assert made.ranked
    assert made.trust[0].threshold == -1.0


async def test_lists_are_judged_in_both_orders(dataset: Dataset, filled: Path, judge: Any):
    llm = ScriptedLLM(like_people)
    options = Options(batch=3)
    made = await judge_relevance(dataset, judge(llm), [], corpus=filled / "help", options=options, plugins=PLUGINS)
    assert made.trust[0].kappa == 1.0
    assert made.flagged == 0
    several = [request for request in llm.requests if "documents" in data(request)]
    assert len(several) % 2 == 0
    assert len(several) > 0


async def test_without_grades_nobody_knows(filled: Path, judge: Any, local: MakeProfile, tmp_path: Path):
    path = tmp_path / "bare.txt"
    path.write_text("repair a puncture\n怎么补胎\n", encoding="utf-8")
    made = await judge_relevance(load_dataset(path), judge(ScriptedLLM(like_people)), [local()], plugins=PLUGINS)
    assert made.unchecked
    assert made.ranked
    assert made.trust[0].trusted is None
    assert "was not checked" in "\n".join(lines(made))


async def test_nothing_to_judge(filled: Path, judge: Any, tmp_path: Path):
    path = tmp_path / "bare.txt"
    path.write_text("tea\n")
    with pytest.raises(UsageError, match="nothing to judge"):
        await judge_relevance(load_dataset(path), judge(ScriptedLLM()), [], plugins=PLUGINS)


async def test_documents_without_text(dataset: Dataset, judge: Any):
    with pytest.raises(DatasetError, match="--corpus"):
        await judge_relevance(dataset, judge(ScriptedLLM(like_people)), [], plugins=PLUGINS)


def subjects(count: int) -> list[Subject]:
    return [
        Subject(
            query="q", item=f"d{n}", task="relevance", tongue="en", shown={"query": "q", "document": {"text": f"{n}"}}
        )
        for n in range(count)
    ]


@pytest.fixture
def pool(tmp_path: Path) -> Any:
    opened = Pool(tmp_path / "pool.sqlite")
    yield opened
    opened.close()


async def test_what_cannot_be_judged_is_told_and_the_rest_goes_on(pool: Pool):
    def some(request: CompletionRequest) -> Any:
        text = data(request)["document"]["text"]
        return Unavailable("down") if text == "1" else "no idea" if text == "2" else '{"grade": 1}'

    filled = await Filling(Judge(ScriptedLLM(some).complete), pool, model="m").fill(subjects(4))
    assert filled.asked == 2
    assert {(item, reason.split(":")[0]) for _, item, reason in filled.failed} == {
        ("d1", "down"), ("d2", "the judge gave no judgement, asked twice"),
    }  # fmt: skip
    again = await Filling(Judge(ScriptedLLM(default='{"grade": 0}').complete), pool, model="m").fill(subjects(4))
    assert (again.asked, again.kept) == (2, 2)


async def test_a_judge_that_cannot_be_asked_at_all_is_an_error_at_once(pool: Pool):
    llm = ScriptedLLM(default=AuthError("wrong key"))
    with pytest.raises(AuthError, match="wrong key"):
        await Filling(Judge(llm.complete), pool, model="m", concurrency=1).fill(subjects(5))
    assert llm.calls < 5


async def test_a_judge_that_judges_nothing_is_an_error(pool: Pool):
    with pytest.raises(BadResponse, match="none of 3"):
        await Filling(Judge(ScriptedLLM(default="hm").complete), pool, model="m").fill(subjects(3))


async def test_a_run_that_was_cut_off_goes_on(pool: Pool):
    first = ScriptedLLM(['{"grade": 1}'] * 3, default=AuthError("gone"))
    with pytest.raises(AuthError):
        await Filling(Judge(first.complete), pool, model="m", concurrency=1).fill(subjects(6))
    second = ScriptedLLM(default='{"grade": 2}')
    filled = await Filling(Judge(second.complete), pool, model="m").fill(subjects(6))
    assert (filled.kept, filled.asked, second.calls) == (3, 3, 3)


async def test_the_same_subject_twice_is_judged_once(pool: Pool):
    llm = ScriptedLLM(default='{"grade": 2}')
    filled = await Filling(Judge(llm.complete), pool, model="m").fill([*subjects(2), *subjects(2)])
    assert llm.calls == 2
    assert len(filled.judged) == 2


async def test_what_shows_the_same_as_another_is_judged_once_and_counted(judge: Any):
    items = [Item(query=f"q{n}", text="tea", condition="one", language="en", queries=("tea",)) for n in range(3)]
    made = await judge_items("queries", items, judge(ScriptedLLM(of_sets)), name="log", plugins=PLUGINS)
    assert (made.subjects, made.asked, made.conditions[0].queries) == (3, 1, 3)
    assert "3 to judge: 1 asked now, 0 judged before, 0 failed, 2 the same as another one; " in "\n".join(lines(made))


async def test_another_model_judges_for_itself(pool: Pool):
    for name in ("one", "two"):
        filled = await Filling(Judge(ScriptedLLM(default='{"grade": 2}').complete), pool, model=name).fill(subjects(2))
        assert filled.asked == 2


def sets() -> list[Item]:
    return [
        Item(query=f"q{n}", text=f"tea {n}", condition=name, language="en", queries=(f"tea {n}", *more))
        for n in range(3)
        for name, more in (("poor", ()), ("rich", ("green tea", "black tea")))
    ]


def of_sets(request: CompletionRequest) -> str:
    shown = data(request)
    if "A" in shown:
        longer = len(shown["A"]) - len(shown["B"])
        return json.dumps({"better": "A" if longer > 0 else "B" if longer < 0 else "same"})
    rich = len(shown["queries"]) > 1
    return json.dumps({"coverage": 4 if rich else 2, "useful": "yes" if rich else "no"})


async def test_sets_of_queries_are_judged_and_compared(judge: Any):
    own = judge(ScriptedLLM(of_sets))
    made = await judge_items("queries", sets(), own, name="log", pairwise=True, plugins=PLUGINS)
    assert made.unchecked
    assert {one.name: dict(one.means) for one in made.conditions} == {
        "poor": {"coverage": 2.0, "useful": 0.0}, "rich": {"coverage": 4.0, "useful": 1.0},
    }  # fmt: skip
    (found,) = made.preferences
    assert (found.a, found.b, found.for_a, found.for_b, found.ties, found.flagged) == ("poor", "rich", 0, 3, 0, 0)
    assert "poor against rich: 0 to 3" in "\n".join(lines(made))


async def test_a_judge_that_likes_the_first_prefers_neither(judge: Any):
    def first(request: CompletionRequest) -> str:
        return '{"better": "A"}' if "A" in data(request) else of_sets(request)

    made = await judge_items("queries", sets(), judge(ScriptedLLM(first)), name="log", pairwise=True, plugins=PLUGINS)
    (found,) = made.preferences
    assert (found.for_a, found.for_b, found.ties, found.flagged) == (0, 0, 3, 3)
    assert made.flagged == 3


async def test_sets_are_held_against_what_people_said_of_the_very_same_sets(judge: Any):
    rated = [replace(item, query=f"{item.query}-{n}") for n in range(4) for item in sets()]
    people = [RatedItem(item=item, values={"coverage": 4 if item.condition == "rich" else 2}) for item in rated]
    today = [item for item in sets() if item.condition == "rich"]
    made = await judge_items("queries", today, judge(ScriptedLLM(of_sets)), name="log", people=people, plugins=PLUGINS)
    coverage, useful = made.trust
    assert (coverage.kappa, coverage.pairs, coverage.trusted) == (1.0, 24, True)
    assert useful.trusted is None
    assert [one.name for one in made.conditions] == ["rich"]

    against = [RatedItem(item=one.item, values={"coverage": 6 - one.values["coverage"]}) for one in people]
    other = await judge_items(
        "queries", today, judge(ScriptedLLM(of_sets)), name="log", people=against, plugins=PLUGINS
    )
    assert not other.ranked
    assert other.conditions == ()


async def test_answers(judge: Any):
    llm = ScriptedLLM(default='{"accuracy": 5, "completeness": 3, "fluency": 4}')
    items = [Item(query="q", text="什么是红茶", condition="one", answer="一种全发酵茶")]
    made = await judge_items("answers", items, judge(llm), name="a", plugins=PLUGINS)
    assert dict(made.conditions[0].means) == {"accuracy": 5.0, "completeness": 3.0, "fluency": 4.0}
    assert data(llm.requests[0])["answer"] == "一种全发酵茶"
    assert "你负责评判" in llm.requests[0].messages[0].content


def test_a_judge_is_one_model():
    block = {"provider": "openai", "model": "m", "api_base": "http://localhost:9/v1", "fallbacks": [{"model": "other"}]}
    own = judging_profile(Profile.model_validate({"llm": block}))
    assert own.llm is not None
    assert own.llm.fallbacks == ()
    assert model_of(own) == "openai/m at http://localhost:9/v1"
    with pytest.raises(ProfileError, match="names no model"):
        judging_profile(Profile())
