"""Words that no document holds, as the index spells them, over a real local index."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from backends import Knowing, ids, searching
from engines import engine
from qx import Engine
from qx.backend import Document, SupportsIndexing
from qx.errors import Unavailable
from qx.steps.grounding import misspelt
from qx.testing.backend import ScriptedBackend

DOCUMENTS = (
    Document(id="q1", title="Quoridexa board game", text="Quoridexa is played by two."),
    Document(id="q2", title="Wendelbikes foldable", text="Wendelbikes for the city, with lights."),
    Document(id="q3", title="Board games for two", text="Cards and dice."),
    Document(id="z1", title="蓝牙耳机 降噪", text="续航三十小时"),
    Document(id="z2", title="无线键盘", text="静音，适合办公。"),
)


@pytest.fixture(autouse=True)
def beside_the_profile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@asynccontextmanager
async def library(folder: Path, **settings: Any) -> AsyncGenerator[Engine]:
    block = {"type": "local", "path": str(folder / "index")}
    async with engine(None, search={"backends": {"games": block}, "rerank": "never"}, **settings) as opened:
        writable = opened.backend()
        assert isinstance(writable, SupportsIndexing)
        await writable.prepare(fingerprint=None, dimensions=0)
        await writable.upsert(DOCUMENTS)
        yield opened


@pytest.mark.parametrize(
    ("text", "respelt", "found"),
    [
        ("Quoridexxa", "Quoridexa", "q1"),
        ("quoridxea rules", "Quoridexa rules", "q1"),
        ("how to play Quoridexxa", "how to play Quoridexa", "q1"),
        ("Wendlebikes with lights", "Wendelbikes with lights", "q2"),
        ("篮牙耳机", "蓝牙耳机", "z1"),
        ("Quoridexxa 规则", "Quoridexa 规则", "q1"),
    ],
)
async def test_a_word_that_no_document_holds_is_offered_as_the_index_has_it(
    text: str, respelt: str, found: str, tmp_path: Path
):
    async with library(tmp_path) as opened:
        result = await opened.search(text)
    assert result.expansion is not None
    assert respelt in [q.text for q in result.expansion.queries if q.strategy == "spelling"], result.expansion.queries
    assert result.expansion.queries[0].text == text
    assert ids(result)[0] == found


@pytest.mark.parametrize(
    "text",
    [
        "Quoridexa",
        "quoridexa board",
        "wendelbike",
        "board game -Quoridexxa",
        '"Quoridexxa" game',
        "game site:quoridexxa.com",
        "QX-3070 game",
        "蓝牙耳机",
        "键盘 推荐",
        "zebra dishwasher",
        "dic",
    ],
)
async def test_what_is_held_quoted_or_like_nothing_stays(text: str, tmp_path: Path):
    async with library(tmp_path) as opened:
        result = await opened.search(text)
    assert result.expansion is not None
    assert not [q for q in result.expansion.queries if "index" in q.why or "索引" in q.why]


@pytest.mark.parametrize(
    "settings",
    [
        {"understand": {"spelling": False}},
        {"expand": {"strategies": ["synonym"]}},
        {"expand": {"without": ["spelling"]}},
        {"expand": {"limit": 0}},
    ],
    ids=str,
)
async def test_a_profile_may_do_without(settings: dict[str, Any], tmp_path: Path):
    async with library(tmp_path, **settings) as opened:
        result = await opened.search("Quoridexxa rules")
    assert result.expansion is not None
    assert "spelling" not in {q.strategy for q in result.expansion.queries}


async def test_it_takes_a_place_within_the_limit(tmp_path: Path):
    async with library(tmp_path, expand={"limit": 2}) as opened:
        result = await opened.search("how to play Quoridexxa")
    assert result.expansion is not None
    assert len(result.expansion.queries) == 3
    assert result.expansion.queries[-1].text == "how to play Quoridexa"


class Spelling(Knowing):
    """Knows one word; says near words, slowly or wrongly."""

    near: Any = ("quoridexa",)

    async def spellings(self, terms: Sequence[str], /, *, limit: int) -> Any:
        if isinstance(self.near, Exception):
            raise self.near
        return self.near if isinstance(self.near, str) else dict.fromkeys(terms, self.near)


@pytest.mark.virtual_time
@pytest.mark.parametrize("near", [Unavailable("down"), "abc", (1,), ("quoridexa",)])
async def test_an_engine_that_fails_to_tell_costs_nothing_else(near: Any):
    backend = Spelling(default=["1"], held={"quoridexa": 3, "rules": 1})
    backend.near = near
    async with searching(backend) as opened:
        result = await opened.search("quoridexxa rules")
    assert ids(result) == ["1"]
    assert ("quoridexa rules" in backend.queries) is (near == ("quoridexa",))
    assert bool(result.degraded) is (near != ("quoridexa",))


@pytest.mark.virtual_time
async def test_a_slow_engine_is_not_waited_for():
    backend = Spelling(default=["1"], slow=5.0)
    async with searching(backend, deadline=4.0) as opened:
        result = await opened.search("quoridexxa rules")
    assert ids(result) == ["1"]
    assert any("without asking what the index holds" in note for note in result.notes)


@pytest.mark.virtual_time
async def test_engines_that_cannot_say_are_not_asked():
    async with searching(ScriptedBackend(default=["1"]), Knowing(default=["2"], held={"rules": 1})) as opened:
        result = await opened.search("quoridexxa rules")
    assert sorted(ids(result)) == ["1", "2"]
    assert not result.degraded


def test_what_nobody_respells_is_left_out():
    made = misspelt._words('play "Quoridexxa" E11000 -Wendlebikes site:boardgmes.org rulez')  # pyright: ignore[reportPrivateUsage]
    assert made == ["play", "rulez"]
