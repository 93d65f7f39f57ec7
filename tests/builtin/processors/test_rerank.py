"""The processor rerank: how many it takes, what it says, and that the order stays when a method fails."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rankings import FakeContext, consistent, hit, keys, listed, made

from qx.builtin.processors.rerank import Rerank, Settings, reordered
from qx.builtin.rerank.method import asked
from qx.errors import Unavailable
from qx.testing import FakeEmbedder
from qx.types import Found

HITS = [hit(str(i), title=f"title {i}", text="text") for i in range(6)]


class Scripted:
    """A method that says what it is told."""

    pace = 0.1
    top = 50

    def __init__(self, answer: Sequence[float | None] | Exception | None = None, delay: float = 0.0) -> None:
        self.answer = answer
        self.delay = delay
        self.tasks: list[Any] = []

    async def scores(self, task: Any, context: Any, /) -> Sequence[float | None]:
        self.tasks.append(task)
        await asyncio.sleep(self.delay)
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer if self.answer is not None else [float(i) for i in range(len(task.hits))]


async def reranked(method: Scripted, context: FakeContext, **options: Any) -> Any:
    return await Rerank(Settings.model_validate(options), method).process_hits(listed(*HITS), context)


async def test_the_best_score_comes_first_and_the_note_counts():
    done = await reranked(Scripted(), FakeContext())
    assert keys(done) == "5 4 3 2 1 0"
    assert done.notes == ("rerank by lexical: took 6 of 6 hits",)
    assert consistent(done, HITS)


async def test_only_the_top_is_taken():
    done = await reranked(Scripted(), FakeContext(), top=3)
    assert keys(done) == "2 1 0 3 4 5"
    assert done.notes == ("rerank by lexical: took 3 of 6 hits",)
    assert consistent(done, HITS)


async def test_as_many_as_there_is_time_for():
    done = await reranked(Scripted(), FakeContext(seconds=0.5))  # 0.4 s at 0.1 s a hit
    assert keys(done) == "3 2 1 0 4 5"


async def test_the_pace_is_learnt():
    now = iter([0.0, 6.0, 6.0, 12.0])
    rerank = Rerank(Settings(), Scripted())
    first = await rerank.process_hits(listed(*HITS), FakeContext(seconds=1.0, monotonic=lambda: next(now)))
    assert "took 6" in first.notes[0]
    second = await rerank.process_hits(listed(*HITS), FakeContext(seconds=1.0, monotonic=lambda: next(now)))
    assert "took 2" in second.notes[0]  # 0.8 s at 0.37 s a hit


async def test_no_time_at_all():
    method, context = Scripted(), FakeContext(seconds=0.1)
    done = await reranked(method, context)
    assert (keys(done), method.tasks, done.notes) == ("0 1 2 3 4 5", [], ())
    assert "too few" in context.degraded[0][2]


@pytest.mark.parametrize(
    ("answer", "reason"),
    [(Unavailable("it is down"), "it is down"), ([1.0], "1 scores came for 6 hits"), ([float("nan")] * 6, "no number")],
)
async def test_the_order_stays_when_it_fails(answer: Any, reason: str):
    context = FakeContext()
    done = await reranked(Scripted(answer), context)
    assert keys(done) == "0 1 2 3 4 5"
    assert context.degraded[0][:2] == ("process", "without rerank by lexical: the order stays")
    assert reason in context.degraded[0][2]


@pytest.mark.virtual_time
async def test_too_late_is_a_failure_too():
    context = FakeContext(seconds=5)
    assert keys(await reranked(Scripted(delay=9), context)) == "0 1 2 3 4 5"
    assert "no answer within 4.00 s" in context.degraded[0][2]
    context = FakeContext(seconds=None)
    await reranked(Scripted(delay=9), context, timeout="2s")
    assert "no answer within 2.00 s" in context.degraded[0][2]


async def test_hits_without_a_score_follow_in_their_order():
    done = await reranked(Scripted([None, 1.0, None, 2.0, 1.0, None]), FakeContext())
    assert keys(done) == "3 1 4 0 2 5"
    assert done.notes == ("rerank by lexical: took 3 of 6 hits",)
    assert consistent(done, HITS)


async def test_nothing_to_do():
    method = Scripted()
    for given_, text in ((listed(HITS[0]), "x"), (listed(*HITS), "  ")):
        assert await Rerank(Settings(), method).process_hits(given_, FakeContext(text)) is given_
    assert method.tasks == []


@settings(max_examples=60, deadline=None)
@given(st.lists(st.one_of(st.none(), st.floats(-1e9, 1e9)), max_size=6))
def test_reordered_keeps_every_hit(scores: list[float | None]):
    done = reordered(listed(*HITS), scores)
    assert sorted(done.keys) == [h.id for h in HITS]
    assert consistent(done, HITS)
    given_ = [s for s in scores if s is not None]
    assert [scores[int(key)] for key in done.keys[: len(given_)]] == sorted(given_, reverse=True)


def contributed(*found: tuple[str, str, float]) -> Any:
    return hit("x", contributions=tuple(Found(query=q, backend=b, rank=1, weight=w) for q, b, w in found))


def test_what_was_asked():
    hits = [
        contributed(("tv", "a", 2.0), ("television", "a", 0.5)),
        contributed(("tv", "b", 1.0), ("screen", "b", 0.5)),
    ]
    assert asked("tv", hits) == ("tv", {"screen": 0.5, "television": 0.25})
    standalone = [contributed(("tesla model y", "a", 1.0), ("tesla suv", "a", 0.6))]
    assert asked("that car", standalone) == ("tesla model y", {"tesla suv": 0.6})
    assert asked("tv", [contributed(("x", "a", 1.0), ("y", "a", 1.0))]) == ("tv", {"x": 1.0, "y": 1.0})
    assert asked("tv", []) == ("tv", {})


async def test_embedding(services: Any):
    hits = [hit("a", text="garden hose"), hit("b", text="reset the router"), hit("c", title="router reset", text="how")]
    context = FakeContext("router reset")
    done = await (await made(Rerank, services, by="embedding", clip=32)).process_hits(listed(*hits), context)
    assert keys(done)[-1] == "a"
    assert [(r.kind, len(r.texts)) for r in context.embedded] == [("query", 1), ("document", 3)]
    failing = FakeContext(
        "router", embedder=FakeEmbedder(failures=[Unavailable("no embedder"), Unavailable("no embedder")])
    )
    assert keys(await (await made(Rerank, services, by="embedding")).process_hits(listed(*hits), failing)) == "a b c"
    assert failing.degraded[0][2] == "no embedder"


async def test_embedding_clips_and_embeds_equal_texts_once(services: Any):
    hits = [hit(str(i), text="long text " * 100) for i in range(3)]
    context = FakeContext("long")
    await (await made(Rerank, services, by="embedding", clip=40)).process_hits(listed(*hits), context)
    assert context.embedded[1].texts == (("\n" + "long text " * 100)[:40].strip(),)


async def test_vectors_that_do_not_fit(services: Any):
    class Short(FakeEmbedder):
        async def embed(self, request: Any, /) -> Any:
            found = await super().embed(request)
            return SimpleNamespace(vectors=found.vectors[1:], usage=found.usage)

    context = FakeContext(embedder=Short())
    done = await (await made(Rerank, services, by="embedding")).process_hits(listed(*HITS), context)
    assert keys(done) == "0 1 2 3 4 5"
    assert "vectors" in context.degraded[0][2]


async def test_the_model_grades(services: Any):
    grades = dict.fromkeys([f"r{i}" for i in range(1, 7)], "partly") | {
        "r3": "perfect",
        "r5": "good",
        "r1": "irrelevant",
    }
    context = FakeContext("q", answer="Here: " + json.dumps(grades))
    done = await (await made(Rerank, services, by="llm")).process_hits(listed(*HITS), context)
    assert keys(done) == "2 4 1 3 5 0"
    request = context.requests[0]
    assert request.schema is not None
    assert set(request.schema["properties"]) == set(grades)
    assert json.loads(request.messages[-1].content)["results"]["r1"] == "title 0\ntext"


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "no",
        "[]",
        "{}",
        '{"r1": "best"}',
        '{"r1": 3}',
        '{"r1": "good"}',
        json.dumps(dict.fromkeys(["x1", "x2", "x3"], "good")),
    ],
)
async def test_the_model_may_only_choose(services: Any, answer: str):
    context = FakeContext("q", answer=answer)
    assert keys(await (await made(Rerank, services, by="llm")).process_hits(listed(*HITS), context)) == "0 1 2 3 4 5"
    assert len(context.degraded) == 1


async def test_ids_that_were_not_offered_count_for_nothing(services: Any):
    answer = json.dumps({f"r{i}": "good" for i in (1, 2, 3)} | {"r99": "perfect", "sku": "perfect"})
    done = await (await made(Rerank, services, by="llm")).process_hits(listed(*HITS), FakeContext("q", answer=answer))
    assert keys(done) == "0 1 2 3 4 5"
    assert done.notes == ("rerank by llm: took 3 of 6 hits",)


async def test_without_a_model(services: Any):
    context = FakeContext("q", has_model=False)
    assert keys(await (await made(Rerank, services, by="llm")).process_hits(listed(*HITS), context)) == "0 1 2 3 4 5"
    assert "llm" in context.degraded[0][2]


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"by": "api"}, "needs `url`"),
        ({"by": "cross-encoder"}, "needs `path` or `model`"),
        ({"by": "lexical", "url": "https://e.org"}, "`url` is not for"),
        ({"by": "embedding", "title": 3}, "`title` is not for"),
        ({"by": "magic"}, "by"),
        ({"tops": 3}, "extra"),
        ({"top": 1}, "top"),
    ],
)
def test_settings_that_are_wrong(options: dict[str, Any], reason: str):
    with pytest.raises(ValueError, match=reason):
        Settings.model_validate(options)
