"""Several tenants in one process: opened on demand, reloaded on change, kept when an edit is wrong, closed when idle."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
import pytest_asyncio

from engines import PLUGINS, analysis, queries, stage
from qx import Query
from qx.engine import Steps
from qx.engines import RETRY, Change, Engines
from qx.errors import Closed, NotAllowed, ProfileError, Unavailable, UsageError
from qx.llm import CompletionRequest
from qx.plugins import Plugins
from qx.profiles import Loaded
from qx.testing import Answer, ScriptedLLM

RULES = "understand: {mode: rules}\n"
TEXT = "how to fix a squeaky bicycle brake"


class Folder:
    """A folder of profiles, whose files get a time of their own whenever they are written."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.mkdir()
        self._time = 1_700_000_000

    def write(self, name: str, text: str) -> Path:
        path = self.path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        self._time += 10
        os.utime(path, (self._time, self._time))
        return path

    def remove(self, name: str) -> None:
        (self.path / name).unlink()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Folder:
    monkeypatch.setenv("QX_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    return Folder(tmp_path / "profiles")


@pytest_asyncio.fixture
async def engines(folder: Folder) -> AsyncIterator[Engines]:
    async with Engines(folder.path, plugins=PLUGINS, every=None, linger=0) as made:
        yield made


def slow(name: str) -> tuple[str, ScriptedLLM]:
    """A profile whose model takes five seconds, and the model."""

    def answer(request: CompletionRequest) -> Answer:
        return Answer(text=analysis() if stage(request) == "understand" else queries("squeaky brake repair"), delay=5)

    model = ScriptedLLM(answer).named(name)
    block = f"llm: {{provider: scripted, model: m, timeout: 60s, options: {{instance: {name}}}}}\n"
    return f"deadline: 60s\nunderstand: {{mode: llm-single}}\nexpand: {{mode: llm}}\n{block}", model


async def test_a_tenants_engine_is_opened_once_and_kept(engines: Engines, folder: Folder) -> None:
    folder.write("acme.yaml", RULES)
    folder.write("globex.yaml", RULES)
    one, two, other = await asyncio.gather(*(engines.get(name) for name in ("acme", "acme", "globex")))
    assert one is two
    assert one is not other
    assert (one.profile.tenant, other.profile.tenant) == ("acme", "globex")
    assert engines.tenants == ("acme", "globex")
    assert engines.open == ("acme", "globex")
    with pytest.raises(NotAllowed):
        await one.expand(Query(text=TEXT, tenant="globex"))


async def test_a_tenant_is_found_by_its_key_before_the_name_of_a_file(engines: Engines, folder: Folder) -> None:
    folder.write("a.yaml", RULES + "tenant: b\n")
    folder.write("b.yaml", RULES + "tenant: a\n")
    folder.write("acme.yaml", RULES)
    folder.write("acme-support.yaml", RULES + "tenant: acme\n")
    folder.write("x-1.yaml", RULES + "tenant: x\n")
    folder.write("x-2.yaml", RULES + "tenant: x\n")
    folder.write("_base.yaml", RULES)
    folder.write("notes.txt", "no profile")
    found = {name: (await engines.get(name)).profile for name in ("a", "b", "acme", "acme-support", "x-2")}
    assert {name: profile.tenant for name, profile in found.items()} == {
        "a": "a",
        "b": "b",
        "acme": "acme",
        "acme-support": "acme",
        "x-2": "x",
    }
    assert found["a"].name == "b"
    assert found["acme-support"].name == "acme-support"
    with pytest.raises(UsageError, match=r"several profiles.*x-1, x-2"):
        await engines.get("x")
    with pytest.raises(ProfileError, match=r"no tenant 'acne'.*did you mean 'acme'"):
        await engines.get("acne")
    with pytest.raises(ProfileError, match="no tenant '_base'"):
        await engines.get("_base")


async def test_a_tenant_that_comes_later_is_found(engines: Engines, folder: Folder) -> None:
    with pytest.raises(ProfileError, match="it is empty"):
        await engines.get("acme")
    folder.write("acme.yaml", RULES)
    assert (await engines.get("acme")).profile.tenant == "acme"


async def test_a_change_swaps_the_engines(engines: Engines, folder: Folder) -> None:
    folder.write("acme.yaml", RULES)
    folder.write("globex.yaml", RULES)
    old, other = await engines.get("acme"), await engines.get("globex")
    assert await engines.reload() == ()
    folder.write("acme.yaml", RULES + "expand: {limit: 2}\n")
    assert await engines.reload() == (Change(tenant="acme", what="reloaded"),)
    new = await engines.get("acme")
    assert new.profile.expand.limit == 2
    assert await engines.get("globex") is other
    await asyncio.sleep(0.01)
    with pytest.raises(Closed):
        await old.expand(TEXT)


@pytest.mark.parametrize("source", ["base", "pack", "synonyms", "env"])
async def test_whatever_a_profile_is_made_of_counts(
    source: str, engines: Engines, folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    pack = "schema_version: 1\nname: bikes\ntaxonomy: general\nlexicon: [{}]\n"
    folder.write("_base.yaml", RULES + "expand: {limit: 3}\n")
    folder.write("bikes/pack.yaml", pack.format("derailleur"))
    folder.write("words.txt", "brake, stopper\n")
    text = "extends: _base\ndomains: [./bikes]\nsynonyms: [{file: words.txt}]\nllm: {model: m, api_key: '${KEY}'}\n"
    folder.write("acme.yaml", text)
    env = Path(".env")
    env.write_text("KEY=sk-one-of-many\n")
    before = await engines.get("acme")
    if source == "base":
        folder.write("_base.yaml", RULES + "expand: {limit: 4}\n")
    elif source == "pack":
        folder.write("bikes/pack.yaml", pack.format("crankset"))
    elif source == "synonyms":
        folder.write("words.txt", "brake, retarder\n")
    else:
        env.write_text("KEY=sk-quite-another\n")
    assert [change.what for change in await engines.reload()] == ["reloaded"]
    after = await engines.get("acme")
    told = {
        "base": lambda e: e.profile.expand.limit,
        "pack": lambda e: "crankset" in e.knowledge.lexicon,
        "synonyms": lambda e: e.knowledge.synonyms["brake"],
        "env": lambda e: e.profile.llm.api_key.get_secret_value(),
    }[source]
    assert told(before) != told(after)


async def test_a_wrong_edit_keeps_the_last_good_one_and_says_so(
    engines: Engines, folder: Folder, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.ERROR, "qx")
    events = folder.path / "events.jsonl"
    good = RULES + "tenant: acme\nobservers: [{type: jsonl, path: events.jsonl}]\n"
    folder.write("acme-shop.yaml", good)
    engine = await engines.get("acme")
    folder.write("acme-shop.yaml", good + "expnad: {limit: 3}\n")
    (change,) = await engines.reload()
    assert (change.tenant, change.what) == ("acme", "refused")
    assert "acme-shop.yaml:4:1: expnad: unknown key (did you mean 'expand'?)" in change.reason
    assert "tenant acme goes on with its profile as it was" in caplog.text
    assert str(engines.problems["acme"]) == change.reason
    assert await engines.get("acme") is engine
    assert (await engine.expand(TEXT)).queries
    caplog.clear()
    assert await engines.reload() == (), "it is not tried again until something changes"
    assert not caplog.text
    folder.write("acme-shop.yaml", "tenant: [: not YAML\n")
    assert [change.what for change in await engines.reload()] == ["refused"]
    assert await engines.get("acme") is engine, "nobody can read whose it is: it stays whose it was"
    folder.write("acme-shop.yaml", good + "expand: {limit: 3}\n")
    assert [change.what for change in await engines.reload()] == ["reloaded"]
    assert not engines.problems
    assert (await engines.get("acme")).profile.expand.limit == 3
    await engines.aclose()
    lines = [line for line in events.read_text().splitlines() if '"profile.' in line]
    assert [("refused" in line, "reloaded" in line) for line in lines] == [(True, False), (True, False), (False, True)]
    assert '"error": "ProfileError"' in lines[0]
    assert '"line": 4' in lines[0]


async def test_an_edit_that_is_taken_back_is_no_problem_any_more(engines: Engines, folder: Folder) -> None:
    path = folder.write("acme.yaml", RULES)
    engine, state = await engines.get("acme"), path.stat()
    folder.write("acme.yaml", RULES + "nonsense: 1\n")
    await engines.reload()
    path.write_text(RULES)
    os.utime(path, ns=(state.st_mtime_ns, state.st_mtime_ns))
    await engines.reload()
    assert not engines.problems
    assert (await engines.get("acme")).profile == engine.profile


async def test_what_was_missing_may_come_without_a_touch_on_the_profile(engines: Engines, folder: Folder) -> None:
    folder.write("acme.yaml", RULES)
    await engines.get("acme")
    folder.write("acme.yaml", RULES + "extends: _common\n")
    assert [change.what for change in await engines.reload()] == ["refused"]
    folder.write("_common.yaml", "expand: {limit: 1}\n")
    assert [change.what for change in await engines.reload()] == ["reloaded"]


class Deployed(Engines):
    """What is in ``after`` happens right after a file was read, one at each reading."""

    after: list[Callable[[], object]]

    def _load(self, path: Path, plugins: Plugins) -> Loaded:
        try:
            return super()._load(path, plugins)
        finally:
            if self.after:
                self.after.pop(0)()


def aside(folder: Folder, name: str, text: str) -> Callable[[], object]:
    """A file that was written long ago, and what puts it in the place of ``name``: how releases are deployed."""
    fresh = folder.write("." + name, text)
    return lambda: os.replace(fresh, folder.path / name)


async def test_a_file_that_is_put_there_while_another_is_read_is_not_missed(folder: Folder) -> None:
    folder.write("acme.yaml", RULES + "expand: {limit: 3}\n")
    deploy = aside(folder, "acme.yaml", RULES + "expand: {limit: 7}\n")
    async with Deployed(folder.path, plugins=PLUGINS, every=None, linger=0) as engines:
        engines.after = [deploy]
        await engines.get("acme")
        await engines.reload()
        assert (await engines.get("acme")).profile.expand.limit == 7
        assert await engines.reload() == (), "it is read as it is now, once"


async def test_what_goes_while_it_is_read_is_not_missed(folder: Folder) -> None:
    folder.write("acme.yaml", "llm: {model: m, api_key: '${KEY}'}\n")
    env = Path(".env")
    env.write_text("KEY=sk-one-of-many\n")
    async with Deployed(folder.path, plugins=PLUGINS, every=None, linger=0) as engines:
        engines.after = [env.unlink]
        with pytest.raises(ProfileError, match="KEY"):
            await engines.get("acme")


async def test_a_repair_that_comes_while_a_wrong_edit_is_read_is_not_missed(folder: Folder) -> None:
    folder.write("acme.yaml", RULES)
    repair = aside(folder, "acme.yaml", RULES + "expand: {limit: 7}\n")
    async with Deployed(folder.path, plugins=PLUGINS, every=None, linger=0) as engines:
        engines.after = []
        await engines.get("acme")
        folder.write("acme.yaml", "expnad: {}\n")
        engines.after = [repair]
        assert [change.what for change in await engines.reload()] == ["refused"]
        assert [change.what for change in await engines.reload()] == ["reloaded"]
        assert (await engines.get("acme")).profile.expand.limit == 7
        assert not engines.problems


async def test_a_file_from_the_future_is_not_reloaded_for_ever(engines: Engines, folder: Folder) -> None:
    path = folder.write("acme.yaml", RULES)
    os.utime(path, (4_000_000_000, 4_000_000_000))
    await engines.get("acme")
    assert await engines.reload() == ()


@pytest.mark.virtual_time
async def test_what_could_not_be_opened_is_tried_again_in_time(folder: Folder) -> None:
    down, tries = False, 0

    def steps(given: Steps) -> Steps:
        nonlocal tries
        tries += 1
        if down:
            raise Unavailable("the model's server is down")
        return given

    folder.write("acme.yaml", RULES)
    async with Engines(folder.path, plugins=PLUGINS, steps=steps, every=None, linger=0) as engines:
        old = await engines.get("acme")
        folder.write("acme.yaml", RULES + "expand: {limit: 7}\n")
        down = True
        assert [change.what for change in await engines.reload()] == ["refused"]
        await asyncio.sleep(RETRY - 1)
        assert await engines.reload() == (), "the files are the same, and it is too soon"
        assert tries == 2
        await asyncio.sleep(2)
        assert [change.what for change in await engines.reload()] == ["refused"]
        down = False
        await asyncio.sleep(RETRY + 1)
        assert [change.what for change in await engines.reload()] == ["reloaded"]
        assert await engines.get("acme") is not old
        assert not engines.problems


@pytest.mark.virtual_time
async def test_requests_under_way_are_answered_by_the_engine_that_has_them(folder: Folder) -> None:
    text, model = slow("draining")
    folder.write("acme.yaml", text)
    async with Engines(folder.path, plugins=PLUGINS, every=None, linger=0) as engines:
        old = await engines.get("acme")
        asked = asyncio.ensure_future(old.expand(TEXT))
        await asyncio.sleep(1)
        folder.write("acme.yaml", text + "reserve: 1s\n")
        assert [change.what for change in await engines.reload()] == ["reloaded"]
        folder.remove("acme.yaml")
        assert [change.what for change in await engines.reload()] == ["removed"]
        with pytest.raises(ProfileError, match="no tenant 'acme'"):
            await engines.get("acme")
        assert not (await asked).degraded
        assert model.cancelled == 0
        await asyncio.sleep(1)
        with pytest.raises(Closed):
            await old.expand(TEXT)


@pytest.mark.virtual_time
async def test_who_uses_an_engine_keeps_it(folder: Folder) -> None:
    folder.write("acme.yaml", RULES)
    async with Engines(folder.path, plugins=PLUGINS, every=None, linger=1) as engines:
        async with engines.use("acme") as engine:
            folder.remove("acme.yaml")
            await engines.reload()
            await asyncio.sleep(3600)
            assert (await engine.expand(TEXT)).queries
        await asyncio.sleep(2)
        with pytest.raises(Closed):
            await engine.expand(TEXT)


@pytest.mark.virtual_time
async def test_the_watch_sees_an_edit_and_bears_with_a_file_that_is_being_written(folder: Folder) -> None:
    folder.write("acme.yaml", RULES)
    async with Engines(folder.path, plugins=PLUGINS, every=2, linger=0) as engines:
        engine = await engines.get("acme")
        folder.remove("acme.yaml")
        await asyncio.sleep(3)
        assert engines.open == ("acme",), "missing once is not gone: editors write anew"
        folder.write("acme.yaml", RULES + "expand: {limit: 5}\n")
        await asyncio.sleep(3)
        assert (await engines.get("acme")).profile.expand.limit == 5
        assert engine is not await engines.get("acme")
        folder.remove("acme.yaml")
        await asyncio.sleep(5)
        assert engines.open == ()


@pytest.mark.virtual_time
async def test_the_watch_outlives_a_folder_that_is_away(folder: Folder, caplog: pytest.LogCaptureFixture) -> None:
    folder.write("acme.yaml", RULES)
    async with Engines(folder.path, plugins=PLUGINS, every=2) as engines:
        engine = await engines.get("acme")
        folder.path.rename(folder.path.with_name("away"))
        await asyncio.sleep(10)
        assert await engines.get("acme") is engine
        assert "cannot be read" in caplog.text
        folder.path.with_name("away").rename(folder.path)
        folder.write("acme.yaml", RULES + "expand: {limit: 5}\n")
        await asyncio.sleep(3)
        assert (await engines.get("acme")).profile.expand.limit == 5


@pytest.mark.virtual_time
async def test_beyond_the_bound_the_one_that_was_asked_the_longest_ago_is_closed(folder: Folder) -> None:
    for name in "abc":
        folder.write(f"{name}.yaml", RULES)
    async with Engines(folder.path, plugins=PLUGINS, every=None, most=2, linger=0) as engines:
        first = await engines.get("a")
        await engines.get("b")
        await engines.get("a")
        await engines.get("c")
        assert engines.open == ("a", "c")
        assert await engines.get("a") is first
        assert (await engines.get("b")).profile.tenant == "b"


@pytest.mark.virtual_time
async def test_the_last_good_engine_of_a_wrong_profile_is_not_the_one_that_is_closed(folder: Folder) -> None:
    for name in "abc":
        folder.write(f"{name}.yaml", RULES)
    async with Engines(folder.path, plugins=PLUGINS, every=None, most=2, linger=0) as engines:
        first = await engines.get("a")
        folder.write("a.yaml", "expnad: {}\n")
        await engines.reload()
        await engines.get("b")
        await engines.get("c")
        assert engines.open == ("a", "c")
        assert await engines.get("a") is first


async def test_a_profile_that_never_was_right_is_refused_to_its_tenant_alone(engines: Engines, folder: Folder) -> None:
    folder.write("acme.yaml", "expnad: {}\n")
    folder.write("globex.yaml", RULES)
    found = await asyncio.gather(
        engines.get("acme"), engines.get("acme"), engines.get("globex"), return_exceptions=True
    )
    assert [type(one).__name__ for one in found] == ["ProfileError", "ProfileError", "Engine"]
    folder.write("acme.yaml", RULES)
    assert (await engines.get("acme")).profile.tenant == "acme"


async def test_a_profile_names_no_variables_of_another_tenant(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACME_KEY", "sk-acme-1234567")
    text = "llm: {model: m, api_key: '${ACME_KEY}'}\n"
    folder.write("acme.yaml", text)
    folder.write("globex.yaml", text)
    async with Engines(folder.path, plugins=PLUGINS, every=None, variables={"acme": ["ACME_KEY"]}) as engines:
        assert (await engines.get("acme")).profile.llm is not None
        with pytest.raises(ProfileError, match=r"ACME_KEY.*is not allowed for this tenant"):
            await engines.get("globex")


async def test_a_file_that_becomes_another_tenants_is_not_opened_with_the_first_ones_variables(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ACME_KEY", "sk-acme-1234567")
    folder.write("acme.yaml", RULES)
    async with Engines(folder.path, plugins=PLUGINS, every=None, variables={"acme": ["ACME_KEY"]}) as engines:
        await engines.reload()
        folder.write("acme.yaml", "tenant: globex\nllm: {model: m, api_key: '${ACME_KEY}'}\n")
        with pytest.raises(ProfileError, match="became another tenant's"):
            await engines.get("acme")
        assert engines.open == ()
        await engines.reload()
        with pytest.raises(ProfileError, match=r"ACME_KEY.*is not allowed for this tenant"):
            await engines.get("globex")


async def test_closing_ends_all_of_it(folder: Folder) -> None:
    folder.write("acme.yaml", RULES)
    folder.write("globex.yaml", RULES)
    engines = Engines(folder.path, plugins=PLUGINS, every=1, linger=100)
    acme = await engines.get("acme")
    folder.write("acme.yaml", RULES + "deadline: 5s\n")
    await engines.reload()
    opening = asyncio.ensure_future(engines.get("globex"))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    await engines.aclose()
    with pytest.raises(Closed):
        await acme.expand(TEXT)
    with pytest.raises(Closed):
        await opening
    for ask in (engines.get("acme"), engines.reload()):
        with pytest.raises(Closed):
            await ask
    await engines.aclose()


async def test_without_a_folder_it_says_so(tmp_path: Path) -> None:
    async with Engines(tmp_path / "nowhere", plugins=PLUGINS) as engines:
        with pytest.raises(ProfileError, match="nowhere: the folder of profiles cannot be read"):
            await engines.get("acme")
