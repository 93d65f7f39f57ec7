"""How messages are ordered: words of neighbours, named speakers, what kind of message answers, likely times."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qx import Principal
from qx.serial import replace
from qx_chatlog.evaluation.inmemory import log_of
from qx_chatlog.index import nearness, ranking, speakers
from qx_chatlog.index.analysis import query_terms, words
from qx_chatlog.index.answering import asks
from qx_chatlog.index.columns import ROW
from qx_chatlog.message import Message
from qx_chatlog.store import Controls, Search, SearchResult

BEGUN = datetime(2026, 3, 2, 9, tzinfo=UTC)
ANN = Principal(tenant="t", user="ann")
PLAIN = Controls(fusion=False, window=0, near=False, speakers=False)


def talk(*said: str, session: str = "s", begun: datetime = BEGUN) -> list[Message]:
    """Messages ``Name: text`` a minute apart; the name is the speaker."""
    made: list[Message] = []
    for n, line in enumerate(said):
        who, _, text = line.partition(": ")
        made.append(
            Message(
                id=f"{session}{n}",
                tenant="t",
                user="ann",
                session=session,
                role="user",
                time=begun + timedelta(minutes=n),
                content=text,
                speaker=who,
            )
        )
    return made


async def search(messages: list[Message], text: str, **more: object) -> SearchResult:
    return await log_of({"ann": messages}).search(ANN, Search(text=text, **more))  # type: ignore[arg-type]


def ids(result: SearchResult, *, hits: bool = False) -> list[str]:
    found = result.hits if hits else tuple(sorted(result.found, key=lambda one: -one.score))
    return [one.message.id for one in found]


DINNER = talk(
    "Ben: Where shall we eat on Friday?",
    "Ann: Somewhere near the station",
    "Ben: The place with the dumplings, it is called Lotus",
    "Ann: Fine with me",
    "Ben: And bring the tickets",
    "Ann: Sure, I have them",
    "Ben: The weather looks bad",
    "Ann: Then I take an umbrella",
    "Ben: See you",
    "Ann: Bye",
)


async def test_the_answer_beside_the_words_comes_before_what_is_far() -> None:
    result = await search(DINNER, "where shall we eat on Friday", controls=Controls(window=9))
    order = ids(result)
    assert order[0] == "s0"
    assert order.index("s1") < order.index("s2") < order.index("s6")


async def test_what_has_no_word_of_its_own_is_context_and_never_counted() -> None:
    result = await search(DINNER, "dumplings")
    assert ids(result, hits=True) == ["s2"]
    assert result.total == 1
    context = [one for one in result.found if one.context]
    assert {one.message.id for one in context} == {"s0", "s1", "s3", "s4"}
    assert all(0 < one.score < result.hits[0].score for one in context)


async def test_without_neighbours_words_context_has_no_score() -> None:
    result = await search(DINNER, "dumplings", controls=Controls(near=False))
    assert [one.score for one in result.found if one.context] == [0.0] * 4


async def test_words_do_not_reach_into_another_session() -> None:
    other = talk("Ann: Nothing of it here", session="z", begun=BEGUN + timedelta(minutes=3))
    result = await search([*DINNER[:3], *other], "dumplings", controls=Controls(window=9))
    assert "z0" not in ids(result)


async def test_two_words_said_in_turn_beat_one_word_said_twice() -> None:
    both = talk("Ann: the piano", "Ben: in the cellar", session="a")
    one = talk("Ann: a piano", "Ben: that piano", session="b", begun=BEGUN + timedelta(days=1))
    result = await search([*both, *one, *DINNER], "piano cellar", limit=4)
    assert {one.message.session for one in result.hits[:2]} == {"a"}


NAMES = [
    *talk("Ann: I painted a lake", "Ben: I painted a boat", "Ann: Nice", "Ben: Thanks", session="p"),
    *talk("小李: 我报名了马拉松", "老王: 我也报名了马拉松", session="m", begun=BEGUN + timedelta(days=1)),
]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("what did Ben paint", "p1"),
        ("What did Ann paint?", "p0"),
        ("老王报名了什么马拉松", "m1"),
        ("小李报名了什么马拉松", "m0"),
    ],
)
async def test_what_the_named_speaker_says_goes_first(text: str, first: str) -> None:
    assert ids(await search(NAMES, text), hits=True)[0] == first


async def test_who_is_named_with_everybody_else_is_not_preferred() -> None:
    said = talk("Ann: I painted a lake by the sea", "Ben: I painted it too, the lake by the sea")
    named = await search(said, "did Ann and Ben paint the lake by the sea", controls=Controls(fusion=False))
    scores = [one.score for one in named.hits]
    assert max(scores) < 1.5 * min(scores)


async def test_who_speaks_only_where_one_may_not_read_changes_nothing() -> None:
    open_ = talk("Ann: the lake is Carl's favourite", "Ben: a lake, and a boat, and Carl", "Ann: the boat of Carl")
    hidden = talk("Carl: my lake", "Ann: your boat", session="hidden", begun=BEGUN + timedelta(days=1))
    may = Principal(tenant="t", user="ann", sessions=frozenset({"s"}))
    unnamed = [replace(hidden[0], speaker="Dora"), *hidden[1:]]
    results = [
        await log_of({"ann": [*open_, *other]}).search(may, Search(text="Carl lake boat"))
        for other in (hidden, unnamed)
    ]
    first, second = ([(one.message.id, one.score) for one in result.found] for result in results)
    assert first == second


@pytest.mark.parametrize(
    ("text", "names", "found"),
    [
        ("what did Ann say", ["Ann", "Anna", "Ben"], ("Ann",)),
        ("anna's plan", ["Ann", "Anna", "Ben"], ("Anna",)),
        ("Caroline's race", ["Caroline Smith"], ("Caroline Smith",)),
        ("和老王争论预算", ["老王", "王"], ("老王",)),
        ("banner", ["Ann", ""], ()),
        ("ＡＮＮ", ["Ann"], ("Ann",)),
    ],
)
def test_named(text: str, names: list[str], found: tuple[str, ...]) -> None:
    assert speakers.named(text, names) == found


async def test_a_question_is_answered_by_a_statement_and_when_by_a_time() -> None:
    said = [
        *talk("Ben: Did you run the race?", session="a"),
        *talk("Ann: I like the race", session="b", begun=BEGUN + timedelta(days=1)),
        *talk("Ann: I run the race on 14 May", session="c", begun=BEGUN + timedelta(days=2)),
    ]
    controls = Controls(fusion=False)
    assert ids(await search(said, "did you run the race", controls=controls), hits=True)[0] == "a0"
    asked = await search(said, "when did you run the race", wants="date", controls=controls)
    assert ids(asked, hits=True)[0] == "c0"
    assert set(ids(asked, hits=True)) == {"a0", "b0", "c0"}  # nothing is left out


@pytest.mark.parametrize(
    ("text", "is_question"),
    [
        ("你去吗", True), ("你去吗？", True), ("Really? 😀", True), ("What now?\"", True), ("我去了。", False),
        ("I asked why? and left", False), ("", False), ("吗啡", False),
    ],
)  # fmt: skip
def test_asks(text: str, is_question: bool) -> None:
    assert asks(text) is is_question


async def test_a_likely_time_goes_first_with_the_week_after_and_leaves_nothing_out() -> None:
    said = [
        message
        for n in range(4)
        for message in talk("Ann: we met the neighbours", session=f"d{n}", begun=BEGUN + timedelta(days=10 * n))
    ]
    day = BEGUN + timedelta(days=14)
    result = await search(said, "met the neighbours", likely=((day, day + timedelta(days=1)),), controls=PLAIN)
    assert ids(result, hits=True)[0] == "d20"
    assert len(result.hits) == 4


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("I went there", "go"),
        ("we bought it", "buying"),
        ("the children", "child"),
        ("she taught", "teaches"),
        ("ran", "running"),
    ],
)
def test_irregular_forms_meet(said: str, asked: str) -> None:
    assert {term.text for term in query_terms(asked)} & set(words(said))


@pytest.mark.parametrize(
    "text", ["POL-358", "550e8400-e29b-41d4-a716-446655440000", "@nasa", "don't", "50%", "a:b", "会议", "考"]
)
async def test_an_exact_word_finds_the_message_that_holds_it_alone(text: str) -> None:
    said = talk("Ann: before", f"Ben: it is {text} here", "Ann: after", "Ben: and on")
    assert ids(await search(said, text), hits=True) == ["s1"]


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 20)), min_size=1, max_size=30),
    st.lists(st.lists(st.integers(0, 29), unique=True, max_size=8), max_size=3),
)
@settings(max_examples=50, deadline=None)
def test_spread_is_the_maximum_over_neighbours(turns: list[tuple[int, int]], held: list[list[int]]) -> None:
    rows = np.zeros(len(turns), dtype=ROW)
    for n, (session, time) in enumerate(turns):
        rows[n]["session"], rows[n]["time"] = session, time
    numbers = [np.array(sorted(n for n in word if n < len(turns)), dtype=np.intp) for word in held]
    given_ = [np.arange(1.0, len(word) + 1) for word in numbers]
    found = nearness.spread(nearness.talks(rows), zip(numbers, given_, strict=True))

    order = sorted(range(len(turns)), key=lambda n: (turns[n][0], turns[n][1], n))
    for at, n in enumerate(order):
        expected = 0.0
        for word, scores in zip(numbers, given_, strict=True):
            near = [
                score * nearness.FADE ** abs(order.index(int(m)) - at)
                for m, score in zip(word, scores, strict=True)
                if turns[int(m)][0] == turns[n][0] and abs(order.index(int(m)) - at) <= nearness.REACH
            ]
            expected += max(near, default=0.0)
        assert found[n] == pytest.approx(expected)


def test_of_very_many_the_best_are_in_the_same_order(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = np.random.default_rng(3)
    rows = np.zeros(4000, dtype=ROW)
    rows["time"] = np.arange(4000)
    rows["session"] = np.arange(4000) // 20
    scores = np.round(chance.random(4000) * 4, 1)
    keep = np.ones(4000, dtype=np.bool_)
    for fusion in (True, False):
        whole, _ = ranking.ranked(rows, scores, keep, fusion=fusion, k=60)
        monkeypatch.setattr(ranking, "MANY", 500)
        part, _ = ranking.ranked(rows, scores, keep, fusion=fusion, k=60)
        monkeypatch.undo()
        assert len(part) < len(whole)
        assert part[:50].tolist() == whole[:50].tolist()


def test_a_word_of_very_many_messages_counts_where_it_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nearness, "COMMON", 1)
    rows = np.zeros(4, dtype=ROW)
    rows["time"] = np.arange(4)
    at = nearness.talks(rows)
    assert nearness.spread(at, [(np.array([0, 1]), np.array([1.0, 2.0]))]).tolist() == [1.0, 2.0, 0.0, 0.0]
    assert nearness.spread(at, [(np.array([0]), np.array([1.0]))]).tolist()[1] == nearness.FADE
