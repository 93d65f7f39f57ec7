"""BM25F against its formula, worked out by hand and by itself."""

from __future__ import annotations

from collections import Counter
from math import log

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qx.backend import Document
from qx.in_memory import matching
from qx.in_memory.entry import Entry
from qx.in_memory.ranking import Ranker
from qx.in_memory.words import terms
from qx.syntax import Or, Terms
from qx.testing import FakeBackend
from qx.testing.conformance.backend import ask

PATHS = ("title", "text")


def entries(*texts: tuple[str, str]) -> list[Entry]:
    return [Entry(Document(id=str(n), title=a, text=b), PATHS) for n, (a, b) in enumerate(texts)]


def scores(words: tuple[str, ...], held: list[Entry], boosts: tuple[float, float] = (1.0, 1.0)) -> list[float]:
    ranker = Ranker(Terms(words=words), held, boosts)
    return [ranker.score(entry) for entry in held]


def test_the_formula_worked_out_by_hand() -> None:
    # titles of 1 and 3 tokens (2 on average), texts of 4 and 2 (3 on average); `tea` is in one of two documents
    held = entries(("tea", "tea tea cup pot"), ("red blue green", "pan fork"))
    idf = log(1 + (2 - 1 + 0.5) / (1 + 0.5))
    f = 3 * 1 / (1 - 0.75 + 0.75 * 1 / 2) + 1 * 2 / (1 - 0.75 + 0.75 * 4 / 3)
    assert scores(("tea",), held, (3.0, 1.0)) == pytest.approx([idf * f / (1.2 + f), 0.0])


def test_of_two_that_hold_a_word_once_the_shorter_is_better() -> None:
    short, long = scores(("tea",), entries(("", "tea cup"), ("", "tea cup pot pan fork spoon plate bowl")))
    assert short > long > 0
    zh_short, zh_long = scores(("红茶",), entries(("", "红茶 杯子"), ("", "红茶 杯子 茶壶 盘子 勺子 叉子 碗筷")))
    assert zh_short > zh_long > 0


WORDS = ("tea", "cup", "pot", "茶")
TEXT = st.lists(st.sampled_from(WORDS), max_size=6)


@settings(max_examples=50, deadline=None)
@given(
    st.lists(st.tuples(TEXT, TEXT), min_size=1, max_size=5),
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=3, unique=True),
    st.tuples(st.floats(0.1, 5), st.floats(0.1, 5)),
)
def test_the_formula(held: list[tuple[list[str], list[str]]], asked: list[str], boosts: tuple[float, float]) -> None:
    assert all(len(terms(word)) == 1 for word in WORDS)
    average = [sum(len(document[c]) for document in held) / len(held) for c in (0, 1)]
    wanted: list[float] = []
    for document in held:
        total = 0.0
        for word in asked:
            n = sum(word in title + text for title, text in held)
            f = sum(
                boosts[c] * document[c].count(word) / (0.25 + 0.75 * len(document[c]) / average[c])
                for c in (0, 1)
                if average[c]
            )
            total += log(1 + (len(held) - n + 0.5) / (n + 0.5)) * f / (1.2 + f)
        wanted.append(total)
    texts = [(" ".join(title), " ".join(text)) for title, text in held]
    assert scores(tuple(asked), entries(*texts), boosts) == pytest.approx(wanted)


async def test_ids_of_an_expression_are_read_once_a_leaf(monkeypatch: pytest.MonkeyPatch) -> None:
    """Thousands of leaves, each held against each document: reading the words of all of them each time takes seconds."""
    read: Counter[tuple[str, ...]] = Counter()
    real = matching.names
    monkeypatch.setattr(matching, "names", lambda words: (read.update([words]), real(words))[1])
    leaves = tuple(Terms(words=(f"v{number}",)) for number in range(400))
    backend = FakeBackend([Document(id=f"d{number}", title="v1 and v3") for number in range(5)])
    found = await backend.search(ask(Or(parts=(*leaves, Terms(words=("d2",))))))
    assert found.ids[0] == "d2"
    assert len(read) == 401
    assert set(read.values()) == {1}
