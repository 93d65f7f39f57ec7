"""Feedback: words of the first hits, in both languages; nothing where there are no hits."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from backends import TEXT, Knowing, ids, searching
from engines import engine
from qx.backend import Document
from qx.ranking import Ranking
from qx.steps.strategies.feedback import HITS, candidates, first_hits
from qx.testing.backend import ScriptedBackend
from qx.text.segment import stem
from qx.types import Hit, SearchResult

pytestmark = pytest.mark.virtual_time
ENGLISH = tuple(
    Document(id=str(n), title="Quiet stopping", text="Clean the rim with alcohol, sand the pads, toe the calipers.")
    for n in range(6)
)
CHINESE = tuple(
    Document(id=str(n), title="刹车异响", text="用酒精擦拭轮圈，打磨刹车片，调整卡钳角度。") for n in range(6)
)
OPTIONS = {"strategies": ["feedback"]}


def feedback(result: SearchResult) -> list[str]:
    assert result.expansion is not None
    return [q.text for q in result.expansion.queries if q.strategy == "feedback"]


@pytest.mark.parametrize(
    ("text", "found", "words"),
    [
        (TEXT, ENGLISH, {"rim", "pads", "calipers"}),
        ("自行车刹车有噪音怎么处理", CHINESE, {"轮圈", "酒精", "卡钳"}),
    ],
)
async def test_words_of_the_first_hits_are_added_to_the_query(text: str, found: tuple[Document, ...], words: set[str]):
    backend = ScriptedBackend(default=found)
    async with searching(backend, expand=OPTIONS) as opened:
        result = await opened.search(text)
    (made,) = feedback(result)
    assert made.startswith(text)
    assert words <= set(made.split())
    assert made in backend.queries
    assert result.expansion.queries[-1].target == "lexical"  # type: ignore[union-attr]


async def test_what_it_finds_stands_below_the_first_page():
    backend = ScriptedBackend(lambda r: ["new"] if "calipers" in r.text else [*ENGLISH, *map(str, range(6, 15))])
    async with searching(backend, expand=OPTIONS) as opened:
        result = await opened.search(TEXT, limit=20)
    assert 10 <= ids(result).index("new") < 16


async def test_words_that_every_document_holds_count_little_and_unknown_ones_nothing():
    held = {"clean": 5000, "rim": 12, "alcohol": 40, "pads": 30, "calipers": 8, "sand": 2000}
    backend = Knowing(default=ENGLISH, held=held)
    async with searching(backend, expand=OPTIONS) as opened:
        result = await opened.search(TEXT)
    added = feedback(result)[0].removeprefix(TEXT).split()
    assert added[:3] == ["calipers", "rim", "pads"]
    assert "toe" not in added  # no document holds it
    assert added.index("clean") > added.index("alcohol")


async def test_nothing_without_a_first_pass_or_hits():
    async with engine(expand=OPTIONS) as opened:
        assert [q.strategy for q in (await opened.expand(TEXT)).queries] == ["original"]
    async with searching(ScriptedBackend(), expand=OPTIONS) as opened:
        assert feedback(await opened.search(TEXT)) == []
    async with searching(ScriptedBackend(default=ENGLISH), expand=OPTIONS) as opened:
        assert feedback(await opened.search(TEXT, expand=False)) == []
        assert feedback(await opened.search('"squeaky brake"')) == []  # left alone
    async with searching(ScriptedBackend(default=ENGLISH), expand={"strategies": ["synonym"]}) as opened:
        assert feedback(await opened.search(TEXT)) == []


async def test_it_takes_its_place_within_the_limit_and_is_never_kept():
    backend = ScriptedBackend(default=ENGLISH)
    async with searching(backend, expand={"limit": 2}) as opened:
        first = await opened.search(TEXT)
        assert first.expansion is not None
        assert len(first.expansion.queries) == 3
        assert len(feedback(first)) == 1
        backend._default = ()
        await asyncio.sleep(1)
        again = await opened.search(TEXT)
    assert feedback(again) == []


def test_the_first_hits_come_from_all_lists_by_turns():
    def listed(*names: str) -> Ranking:
        return Ranking(
            query=None,
            backend="a",
            keys=names,
            scores=(1.0,) * len(names),
            hit=lambda i: Hit(id=names[i], backend="a"),
        )

    found = first_hits([listed("a", "b", "c", "d"), listed("b", "x", "y", "z"), listed()])
    assert [hit.id for hit in found] == ["a", "b", "x", "c", "y"]
    assert len(found) == HITS


def test_words_of_the_query_numbers_and_what_one_hit_alone_says_are_no_candidates():
    hits = [
        Hit(id="1", backend="a", text="brake pads 2024 squealing rim pads 酒精"),
        Hit(id="2", backend="a", text="Brakes, pads and a rim in X4000"),
        Hit(id="3", backend="a", text="unrelated"),
    ]
    found = candidates(hits, {stem("brake")}, chinese=False)
    assert found == {"pads": 2, "rim": 2}


@pytest.mark.parametrize(
    ("query", "unwanted", "wanted", "words"),
    [
        (
            "手机 不要苹果",
            Document(id="a", title="苹果 Apple 手机壳", text="硅胶 磨砂 边框"),
            Document(id="b", title="三星手机", text="指纹 屏幕 电池"),
            ("硅胶", "指纹"),
        ),
        (
            "phone without silicone",
            Document(id="a", title="Silicone phone case", text="matte frame edges"),
            Document(id="b", title="Galaxy phone", text="fingerprint reader battery"),
            ("matte", "fingerprint"),
        ),
    ],
)
async def test_what_the_query_rules_out_teaches_it_nothing(
    query: str, unwanted: Document, wanted: Document, words: tuple[str, str]
):
    first = [replace(unwanted, id=f"a{n}") for n in range(6)] + [replace(wanted, id=f"b{n}") for n in range(4)]
    async with searching(ScriptedBackend(default=first), expand={**OPTIONS, "abstain": "never"}) as opened:
        (made,) = feedback(await opened.search(query))
    assert words[0] not in made
    assert words[1] in made
    assert "apple" not in made
