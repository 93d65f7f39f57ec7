"""Tenants never share a cache entry, and a cache file that two processes write stays whole."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from engines import PLUGINS, analysis, profile, queries
from qx import Engine, Profile
from qx.testing import ScriptedLLM

TEXT = "how to fix a squeaky bicycle brake"


def llm(word: str) -> ScriptedLLM:
    """A model whose queries tell who asked."""
    return ScriptedLLM(
        lambda r: queries(f"squeaky bicycle brake {word}") if "analysis" in r.messages[-1].content else analysis()
    )


async def texts(model: ScriptedLLM, folder: Path, **settings: Any) -> list[str]:
    made = profile(model, cache={"type": "sqlite", "path": "shared.db"}, **settings)
    async with Engine.opened(made.model_copy(update={"folder": folder}), plugins=PLUGINS) as engine:
        return [query.text for query in (await engine.expand(TEXT)).queries]


async def test_two_tenants_with_one_query_share_no_entry(tmp_path: Path):
    one, two, again = llm("repair"), llm("noise"), llm("never asked")
    # instances differ by name, which is part of the fingerprint; the tenant alone must keep them apart
    options = {"options": {"instance": "shared"}}
    one.named("shared")
    first = await texts(one, tmp_path, tenant="acme", llm=options)
    two.named("shared")
    second = await texts(two, tmp_path, tenant="globex", llm=options)
    again.named("shared")
    third = await texts(again, tmp_path, tenant="acme", llm=options)
    assert "squeaky bicycle brake repair" in first
    assert "squeaky bicycle brake noise" in second
    assert "squeaky bicycle brake repair" not in second
    assert third == first
    assert (one.calls, two.calls, again.calls) == (2, 2, 0)
    with sqlite3.connect(tmp_path / "shared.db") as file:
        tenants = {row[0] for row in file.execute("select distinct tenant from entries_1")}
    file.close()
    assert tenants == {"acme", "globex"}


@pytest.mark.parametrize(
    "change",
    [
        {"llm": {"model": "another"}},
        {"llm": {"temperature": {"expand": 0.9}}},
        {"prompts": {"extra_rules": "Prefer British spelling."}},
        {"prompts": {"variant": "lean"}},
        {"expand": {"limit": 3}},
        {"synonyms": [{"words": ["squeaky", "noisy"]}]},
        {"lexicon": ["bicycle brake"]},
    ],
    ids=lambda change: str(change),
)
async def test_model_prompt_and_parameters_are_in_the_key(change: dict[str, Any], tmp_path: Path):
    before, after = llm("one"), llm("two")
    shared = {"options": {"instance": "shared"}}
    before.named("shared")
    await texts(before, tmp_path, llm=shared)
    after.named("shared")
    await texts(after, tmp_path, **(change | {"llm": shared | change.get("llm", {})}))
    assert after.calls == 2


async def test_tenants_whose_names_look_alike_have_folders_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("QX_HOME", str(tmp_path / "home"))
    names = ("a b", "a_b", "ALPHA", "alpha")
    for tenant in names:
        profile = Profile.model_validate({"tenant": tenant, "search": {"backends": {"main": {"type": "local"}}}})
        async with Engine.opened(profile) as engine:
            await engine.backend("main").prepare(fingerprint=None, dimensions=0)
            engine.indexer("main")
            assert "qx.json" in {file.name for file in Path(engine.backend("main").endpoint).iterdir()}
    made = {folder.name.casefold() for folder in (tmp_path / "home" / "data").iterdir()}
    assert len(made) == len(names)
    assert {"a_b", "alpha"} <= made
