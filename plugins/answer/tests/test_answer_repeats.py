"""Whether a query only repeats: by meaning, entities, numbers, negation, and what the last such search brought."""

from __future__ import annotations

from array import array

import pytest

from qx.embedder import Embeddings, EmbedRequest
from qx.testing import FakeEmbedder, TestContext
from qx.types import Usage
from qx_answer.history import History
from qx_answer.vectors import calibrate, cosine


def decided(
    *queries: str, new: tuple[int, ...] = (), vectors: tuple[bytes, ...] = (), threshold: float = 1.0
) -> list[str]:
    """What becomes of each query, where each brings so many new hits (0 where it is not said)."""
    history = History(threshold=threshold)
    found: list[str] = []
    for n, query in enumerate(queries):
        entry = history.entry(query, vectors[n] if vectors else None)
        found.append(history.decide(entry))
        entry.results = entry.new = new[n] if n < len(new) else 0
    return found


@pytest.mark.parametrize(
    "queries",
    [
        ("Python tutorial", "Python guide", "Python 教程"),
        ("Python tutorial", "Python 教程", "Python guide"),
        ("router restart", "router reboot", "重启路由器"),
        ("重置路由器", "复位路由器", "router reset"),
        ("laptop price", "notebook computer cost", "笔记本电脑 价格"),
        ("refund deadline", "refund due date", "退款 截止日期"),
    ],
)
def test_a_synonym_and_the_other_language_stop_at_the_third(queries):
    assert decided(*queries)[0] == "run"
    assert decided(*queries)[2] == "stop"
    assert decided(*queries, new=(5, 0))[2] == "stop"


def test_the_first_repeat_that_found_nothing_is_refined():
    assert decided("Python tutorial", "Python guide") == ["run", "refine"]


def test_one_that_differs_in_its_language_alone_is_run_once_and_counts():
    assert decided("Python tutorial", "Python 教程", "Python guide") == ["run", "run", "stop"]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("staging port 8080", "staging port 8081"),
        ("always rebase", "never rebase"),
        ("salary of Tom Falk", "salary of Ann Falk"),
        ("laptop with 16 GB", "laptop with 32 GB"),
        ("鞋 白色", "鞋 不要白色"),
        ("小米14 价格", "小米15 价格"),
        ("can I return a jacket", "can I not return a jacket"),
        ("林若溪的母校", "何晓岚的母校"),
        ("refund deadline", "refund form"),
    ],
)
def test_what_differs_in_an_entity_a_number_or_a_negation_is_no_repeat(first, second):
    assert decided(first, second) == ["run", "run"]
    same = array("f", (1.0, 0.0)).tobytes()
    # with equal vectors a name, a number or a negation tells them apart; that these two are two, only their words say
    near = "refine" if first == "refund deadline" else "run"
    assert decided(first, second, vectors=(same, same), threshold=0.9)[1] == near


def test_all_of_the_history_is_compared():
    queries = ("refund deadline", "invoice form") * 3
    assert decided(*queries, new=(3, 3)) == ["run", "run", "refine", "refine", "stop", "stop"]


def test_a_search_that_brought_something_new_may_be_gone_on_with():
    assert decided("Python tutorial", "Python guide", new=(5,)) == ["run", "run"]


def test_nearness_is_by_the_embedder_where_there_is_one():
    near, far = array("f", (1.0, 0.1)).tobytes(), array("f", (0.1, 1.0)).tobytes()
    words = ("how long may I keep it", "until when can it be kept")
    assert decided(*words, vectors=(near, near), threshold=0.9) == ["run", "refine"]
    assert decided(*words, vectors=(near, far), threshold=0.9) == ["run", "run"]


async def test_the_threshold_is_calibrated_for_each_embedder():
    class Crowded(FakeEmbedder):
        """Scores that crowd above 0.9, as those of some models do."""

        async def embed(self, request: EmbedRequest, /) -> Embeddings:
            made = await super().embed(request)
            lifted = [array("f", (3.0, *array("f", vector))).tobytes() for vector in made.vectors]
            return Embeddings(vectors=tuple(lifted), usage=Usage(calls=1))

    plain = await calibrate(TestContext(embedder=FakeEmbedder()))
    crowded = await calibrate(TestContext(embedder=Crowded()))
    assert 0 < plain < 1
    assert crowded > 0.85
    assert crowded > plain


def test_vectors_of_two_lengths_have_nothing_in_common():
    assert cosine(array("f", (1.0,)).tobytes(), array("f", (1.0, 0.0)).tobytes()) == 0
    assert cosine(array("f", (0.0,)).tobytes(), array("f", (1.0,)).tobytes()) == 0
