"""What was answered is kept: by key, for whom it was asked, without secrets, never a failure."""

from __future__ import annotations

import sqlite3
import time
import zlib
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, ConfigDict, SecretStr

from qx.builtin.cassette_answers import Replied
from qx.errors import ProfileError, Unavailable
from qx.eval.asking import Asking, ask, opened
from qx.eval.kept import Answers, Keep, Kept, KeptTape
from qx.eval.own_digest import digest, salt
from qx.eval.values import Condition, EvalQuery, Row
from qx.settings import LLM, Profile
from qx.testing import ScriptedLLM

from .conftest import PLUGINS, MakeProfile, answer
from .counting import Counting

NOW = datetime(2026, 3, 1, tzinfo=UTC)


async def asked(
    path: Path, profile: Profile, text: str = "oil the chain", *, keep: Keep = "auto", fresh: bool = False, **more: Any
) -> Row:
    """Ask once, as a run of its own does."""
    kept = Kept(path, keep, began=time.time() + more.pop("later", 0.0), fresh=fresh)
    condition = Condition(name="c", profile=profile, **more)
    try:
        async with opened(condition, kept.over(PLUGINS)) as engine:
            return await ask(engine, condition, EvalQuery(id="1", text=text), Asking(now=NOW, depth=10))
    finally:
        kept.close()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "answers.db"


async def test_a_later_run_asks_neither_model_nor_engine(
    path: Path, remote: MakeProfile, engine_that_counts: Counting
) -> None:
    llm = ScriptedLLM(answer)
    profile = remote(llm=llm)
    first = await asked(path, profile)
    calls, searches = llm.calls, len(engine_that_counts.requests)
    assert (calls, first.kept, first.error) == (2, 0, "")
    assert searches >= 2
    again = await asked(path, profile)
    assert (llm.calls, len(engine_that_counts.requests)) == (calls, searches)
    assert again.kept == calls + searches
    assert (again.found, again.queries, again.usage.calls) == (first.found, first.queries, first.usage.calls)


async def test_within_one_run_searches_are_made_again_and_models_are_not(
    path: Path, remote: MakeProfile, engine_that_counts: Counting
) -> None:
    llm = ScriptedLLM(answer)
    profile = remote(llm=llm)
    await asked(path, profile)
    searches = len(engine_that_counts.requests)
    row = await asked(path, profile, later=-3600)  # its run began before those answers were kept
    assert (llm.calls, row.kept) == (2, 2)
    assert len(engine_that_counts.requests) == 2 * searches


async def test_another_weight_of_lists_asks_no_model_again(path: Path, remote: MakeProfile) -> None:
    llm = ScriptedLLM(answer)
    profile = remote(llm=llm)
    await asked(path, profile)
    lighter = profile.model_copy(update={"search": profile.search.model_copy(update={"share": 0.05})})
    await asked(path, lighter)
    assert llm.calls == 2


async def test_another_model_of_the_same_name_elsewhere_is_another(path: Path, remote: MakeProfile) -> None:
    one, other = ScriptedLLM(answer), ScriptedLLM(answer)
    await asked(path, remote(llm=one))
    await asked(path, remote(llm=other))
    assert (one.calls, other.calls) == (2, 2)


async def test_another_index_of_the_same_name_is_another(
    path: Path, remote: MakeProfile, engine_that_counts: Counting
) -> None:
    await asked(path, remote())
    searches = len(engine_that_counts.requests)
    engine_that_counts._default = ()  # it says that it holds no document now
    await asked(path, remote())
    assert len(engine_that_counts.requests) == 2 * searches


async def test_a_failure_is_no_answer(path: Path, remote: MakeProfile, engine_that_counts: Counting) -> None:
    script = engine_that_counts._script
    engine_that_counts._script = lambda request: Unavailable("down")
    assert "down" in (await asked(path, remote(), expand=False)).error
    engine_that_counts._script = script
    row = await asked(path, remote(), expand=False)
    assert (row.error, row.kept) == ("", 0)
    assert row.found


async def test_a_fresh_run_asks_anew(path: Path, remote: MakeProfile) -> None:
    llm = ScriptedLLM(answer)
    await asked(path, remote(llm=llm))
    row = await asked(path, remote(llm=llm), later=1.0, fresh=True)
    assert row.kept == 0


@pytest.mark.parametrize(
    ("keep", "models", "searches"), [("auto", 2, False), ("all", 2, False), ("models", 2, True), ("none", 4, True)]
)
async def test_what_is_kept_is_a_choice(
    path: Path, remote: MakeProfile, engine_that_counts: Counting, keep: Keep, models: int, searches: bool
) -> None:
    llm = ScriptedLLM(answer)
    profile = remote(llm=llm)
    await asked(path, profile, keep=keep)
    before = len(engine_that_counts.requests)
    await asked(path, profile, keep=keep, later=1.0)
    assert llm.calls == models
    assert (len(engine_that_counts.requests) > before) is searches
    assert path.exists() is (keep != "none")


@pytest.mark.parametrize(("keep", "kept"), [("auto", False), ("all", True)])
async def test_a_local_index_is_asked_rather_than_read_back(
    path: Path, local: MakeProfile, keep: Keep, kept: bool
) -> None:
    first = await asked(path, local(), keep=keep)
    again = await asked(path, local(), keep=keep, later=1.0)
    assert (again.kept > 0) is kept
    assert first.found == again.found


async def test_no_condition_has_a_memory_of_results(
    path: Path, remote: MakeProfile, engine_that_counts: Counting
) -> None:
    profile = remote(cache={"type": "memory"})
    kept = Kept(path, "none", began=time.time())
    condition = Condition(name="c", profile=profile)
    async with opened(condition, kept.over(PLUGINS)) as engine:
        for _ in range(2):
            await engine.expand("oil the chain")
        assert (await engine.cache.stats(None)).entries == 0
    kept.close()


async def test_secrets_are_not_written_down(path: Path, remote: MakeProfile) -> None:
    secret = "canary-key-77aa01bc"

    def told(request: Any) -> str:
        return answer(request).replace("bicycle repair guide", f"guide {secret}")

    spare = {"provider": "openai", "model": "m", "api_base": "http://localhost:9", "api_key": secret}
    profile = remote(llm=ScriptedLLM(told))
    assert profile.llm is not None
    llm = LLM.model_validate(profile.llm.model_dump(exclude_unset=True) | {"fallbacks": [spare]})
    await asked(path, profile.model_copy(update={"llm": llm}))
    with sqlite3.connect(path) as connection:
        texts = [zlib.decompress(data).decode() for (data,) in connection.execute("SELECT exchange FROM answers_1")]
    connection.close()
    assert any("guide " in text for text in texts)
    assert not any(secret in text for text in texts)


def test_two_processes_may_use_the_file(path: Path) -> None:
    one, other = Answers(path), Answers(path)
    one.put("s", "model", "k", b"1")
    assert other.get("s", "model", "k", since=0, before=None) == b"1"
    other.put("s", "model", "k", b"2")
    assert one.get("s", "model", "k", since=0, before=None) == b"2"
    assert one.get("other", "model", "k", since=0, before=None) is None
    one.close()
    other.close()


def test_an_answer_that_cannot_be_written_is_said_once_and_costs_nothing(
    path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("qx.eval.kept.WAIT", 0.01)
    answers = Answers(path)
    blocker = sqlite3.connect(path, isolation_level=None)
    blocker.execute("BEGIN EXCLUSIVE")
    answers.put("s", "model", "k", b"1")
    answers.put("s", "model", "l", b"1")
    blocker.execute("ROLLBACK")
    blocker.close()
    answers.close()
    assert [record.message for record in caplog.records if "could not be kept" in record.message]
    assert len(caplog.records) == 1


def test_a_file_that_is_no_database_is_said(path: Path) -> None:
    path.write_bytes(b"not a database, but long enough to look like something else" * 20)
    with pytest.raises(ProfileError, match=r"answers\.db: what was answered cannot be kept.*QX_HOME"):
        Answers(path)


async def test_an_answer_that_is_damaged_is_asked_for_again(
    path: Path, remote: MakeProfile, engine_that_counts: Counting
) -> None:
    llm = ScriptedLLM(answer)
    await asked(path, remote(llm=llm))
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE answers_1 SET exchange = x'00'")
    connection.close()
    row = await asked(path, remote(llm=llm), later=1.0)
    assert (llm.calls, row.kept, row.error) == (4, 0, "")


async def test_what_one_tenant_was_answered_is_not_another_ones(
    path: Path, remote: MakeProfile, engine_that_counts: Counting
) -> None:
    llm = ScriptedLLM(answer)
    profile = remote(llm=llm)
    await asked(path, profile)
    calls, searches = llm.calls, len(engine_that_counts.requests)
    row = await asked(path, profile.model_copy(update={"tenant": "other"}))
    assert (llm.calls, len(engine_that_counts.requests), row.kept) == (2 * calls, 2 * searches, 0)


async def test_what_the_profiles_of_one_folder_were_answered_is_not_that_of_another_ones(
    path: Path, remote: MakeProfile, engine_that_counts: Counting, tmp_path: Path
) -> None:
    llm = ScriptedLLM(answer)
    profile = remote(llm=llm)
    await asked(path, profile)
    calls, searches = llm.calls, len(engine_that_counts.requests)
    row = await asked(path, profile.model_copy(update={"folder": tmp_path}))
    assert (llm.calls, len(engine_that_counts.requests), row.kept) == (2 * calls, 2 * searches, 0)


class _Answering(BaseModel):
    model_config = ConfigDict(extra="allow")
    name: str = "main"
    api_key: SecretStr | None = None
    headers: Mapping[str, SecretStr | str] = {}
    timeout: float = 1.0
    users: frozenset[SecretStr] = frozenset()


class _For:
    tenant, folder = "t", Path()


@pytest.mark.parametrize("part", ["backend web", "embedder e", "processor rerank", "model m"])
@pytest.mark.parametrize(
    "settings",
    [
        {"api_key": "two"},
        {"headers": {"Authorization": SecretStr("two")}},
        {"headers": {"X-Tenant": "two"}},
        {"users": frozenset({SecretStr("two")})},
        {"password": SecretStr("two")},
    ],
)
async def test_what_was_answered_to_one_key_is_not_another_ones(
    path: Path, part: str, settings: dict[str, Any]
) -> None:
    answers = Answers(path)
    tape: Any = KeptTape(answers, since=0.0, began=time.time())
    one, same, other = [
        await tape.scoped(part, _Answering(**given), None, _For())
        for given in ({"api_key": "one"}, {"api_key": "one"}, {"api_key": "one"} | settings)
    ]
    await one.play("http", {"text": "tea"}, lambda: _answered("for one"))
    one._storage._before = same._storage._before = other._storage._before = None  # a later run
    assert await same.play("http", {"text": "tea"}, lambda: _answered("asked anew")) == _reply("for one")
    assert await other.play("http", {"text": "tea"}, lambda: _answered("for two")) == _reply("for two")
    answers.close()
    assert b"one" not in (path.parent / "salt").read_bytes()


async def _answered(body: str) -> Replied:
    return _reply(body)


def _reply(body: str) -> Replied:
    return Replied(status=200, headers={}, body=body)


@pytest.mark.parametrize("name", ["prices", "retries", "concurrency"])
async def test_a_setting_of_an_engine_that_is_called_like_a_models_tells_answers_apart(path: Path, name: str) -> None:
    answers = Answers(path)
    tape: Any = KeptTape(answers, since=0.0, began=time.time())
    scopes = [(await tape.scoped("backend web", _Answering(**{name: n}), None, _For()))._storage._scope for n in (1, 2)]
    assert scopes[0] != scopes[1]
    answers.close()


def test_without_its_salt_nothing_that_was_kept_counts_and_a_damaged_one_is_said(tmp_path: Path) -> None:
    first = digest(salt(tmp_path), {"key": SecretStr("k")})
    assert first == digest(salt(tmp_path), {"key": SecretStr("k")}) != digest(salt(tmp_path), {"key": SecretStr("l")})
    file = tmp_path / "salt"
    assert file.stat().st_mode & 0o777 == 0o600
    file.unlink()
    assert digest(salt(tmp_path), {"key": SecretStr("k")}) != first
    file.write_bytes(b"short")
    with pytest.raises(ProfileError, match=r"salt: is damaged"):
        salt(tmp_path)


def test_the_file_is_for_its_owners_eyes_alone_also_one_that_was_open_to_others(path: Path) -> None:
    Answers(path).close()
    assert path.stat().st_mode & 0o777 == 0o600
    path.chmod(0o644)
    answers = Answers(path)
    answers.put("s", "model", "k", b"1")
    assert {file.stat().st_mode & 0o077 for file in path.parent.iterdir()} == {0}
    answers.close()
