"""Which conditions stand beside one another, and what tells them apart."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from qx.errors import UsageError
from qx.eval.conditions import conditions, fingerprint
from qx.eval.values import Condition
from qx.settings import Profile

from .conftest import PLUGINS

LLM = {"provider": "openai", "model": "m", "api_key": "k"}


def profile(name: str = "shop", **settings: Any) -> Profile:
    blocks = {"search": {"backends": {"main": {"type": "local", "path": "index"}}}} | settings
    return Profile.model_validate({"name": name, "tenant": "t", **blocks})


def names(found: Sequence[Condition]) -> list[str]:
    return [one.name for one in found]


def made(*profiles: Profile, **options: Any) -> tuple[Condition, ...]:
    return conditions(profiles, plugins=PLUGINS, **options)


def test_no_expansion_stands_beside_each_profile_once_where_the_engines_are_the_same() -> None:
    found = made(profile(), profile("other", expand={"limit": 2}))
    assert names(found) == ["no-expansion", "shop", "other"]
    assert [(one.expand, one.against) for one in found] == [(False, ""), (True, "no-expansion"), (True, "no-expansion")]


@pytest.mark.parametrize(
    "settings",
    [
        {"search": {"backends": {"main": {"type": "local", "path": "elsewhere"}}}},
        {"search": {"backends": {"main": {"type": "local", "path": "index"}}, "processors": ["mmr"]}},
        {"rewrite": [{"match": "tv", "replace": "television"}]},
        {"domains": ["general"]},
    ],
)
def test_another_way_of_searching_has_its_own(settings: dict[str, Any]) -> None:
    found = made(profile(), profile("other", **settings))
    assert names(found) == ["no-expansion", "no-expansion (other)", "shop", "other"]
    assert found[3].against == "no-expansion (other)"


@pytest.mark.parametrize(
    ("settings", "more", "own"),
    [
        ({"type": "local"}, {"tenant": "other"}, True),  # it lies in the tenant's folder
        ({"type": "local", "path": "index"}, {"tenant": "other"}, False),
        ({"type": "local", "path": "index"}, {"folder": Path("/elsewhere")}, True),
        ({"type": "local", "path": "/index"}, {"folder": Path("/elsewhere")}, False),
        ({"type": "local"}, {"folder": Path("/elsewhere")}, False),
        ({"type": "web", "url": "https://search.example"}, {"tenant": "other", "folder": Path("/elsewhere")}, False),
    ],
)
def test_another_index_of_the_same_settings_has_its_own(
    settings: dict[str, Any], more: dict[str, Any], own: bool
) -> None:
    """What the second index lacks is no loss by expansion."""
    one = profile(search={"backends": {"main": settings}})
    other = one.model_copy(update={"name": "other", **more})
    found = made(one, other)
    assert ("no-expansion (other)" in names(found)) == own
    assert found[-1].against == ("no-expansion (other)" if own else "no-expansion")


def test_packs_beside_the_profile_are_those_of_its_folder() -> None:
    one = profile(domains=["./bikes"], search={"backends": {"main": {"type": "local", "path": "/index"}}})
    assert len(made(one, one.model_copy(update={"name": "other", "folder": Path("/elsewhere")}))) == 4


def test_names_that_are_the_same_are_told_apart() -> None:
    found = made(profile(), profile(expand={"limit": 1}), profile("no-expansion"))
    assert names(found) == ["no-expansion", "shop", "shop (2)", "no-expansion (2)"]


def test_a_profile_that_is_named_twice_is_refused() -> None:
    with pytest.raises(UsageError, match="the profile shop is named twice: name it once"):
        made(profile(), profile("other"), profile())


def test_each_strategy_alone_and_all_but_one() -> None:
    three = ["synonym", "refine", "keywords"]
    found = made(profile(expand={"strategies": three}), ablate=True)
    assert names(found) == [
        "no-expansion", "shop", *(f"shop only {one}" for one in three), *(f"shop -{one}" for one in three),
    ]  # fmt: skip
    by_name = {one.name: one.profile.expand for one in found}
    assert by_name["shop only refine"].strategies == ("refine",)
    assert {c.name for c in found if c.profile.search.min_results == 0} == {f"shop only {one}" for one in three}
    assert (by_name["shop -refine"].strategies, by_name["shop -refine"].without) == (tuple(three), ("refine",))


def test_of_two_strategies_each_pair_of_settings_is_measured_once() -> None:
    """One alone is all but the other: twice the searches, and more comparisons to correct for."""
    two = made(profile(expand={"strategies": ["synonym", "refine"]}), ablate=True)
    assert names(two) == ["no-expansion", "shop", "shop -synonym", "shop -refine"]
    left = made(profile(expand={"strategies": ["synonym", "refine", "keywords"], "without": ["keywords"]}), ablate=True)
    assert names(left) == names(two)
    by_model = names(made(profile(llm=LLM, expand={"strategies": ["synonym", "keywords"]}), ablate=True))
    assert [name for name in by_model if "only" in name] == ["shop only keywords"]  # alone it is the rules'


def test_where_strategies_are_chosen_for_each_query_they_still_are_without_one() -> None:
    found = {one.name: one.profile.expand for one in made(profile(), ablate=True)}
    assert found["shop -synonym"].strategies is None
    assert {name.removeprefix("shop only ") for name in found if " only " in name} == {
        "boolean", "decompose", "feedback", "generalize", "keywords", "refine", "senses", "site", "spelling", "synonym",
    }  # fmt: skip


def test_one_strategy_is_no_ablation() -> None:
    assert names(made(profile(expand={"strategies": ["synonym"]}), ablate=True)) == ["no-expansion", "shop"]


def test_prompts_vary_only_where_a_model_is_asked() -> None:
    found = {one.name: one.profile for one in made(profile(llm=LLM, prompts={"variant": "lean"}), ablate=True)}
    assert {name for name in found if "prompt" in name} == {"shop prompt=full", "shop prompt=reasoning"}
    assert found["shop prompt=full"].prompts.variant == "full"
    assert found["shop only spelling"].expand.mode == "rules"  # no model has such a label
    assert found["shop only synonym"].expand.mode is None
    by_rules = made(profile(llm=LLM, understand={"mode": "rules"}), ablate=True)
    assert not any("prompt" in name for name in names(by_rules))


def test_no_expansion_asks_no_model() -> None:
    raw = made(profile(llm=LLM))[0]
    assert (raw.profile.understand.mode, raw.profile.expand.mode) == ("rules", None)


def test_baselines() -> None:
    found = made(profile(), baselines=["rm3", "rm3"])
    assert names(found) == ["no-expansion", "shop", "rm3"]
    assert (found[2].baseline, found[2].against) == ("rm3", "no-expansion")
    with pytest.raises(UsageError, match="no-such"):
        made(profile(), baselines=["no-such"])


def test_nothing_to_run() -> None:
    with pytest.raises(UsageError, match="at least one profile"):
        made()


def printed(one: Condition, depth: int = 100) -> str:
    return fingerprint(one, depth=depth, plugins=PLUGINS, salt=b"salt")


@pytest.mark.parametrize(
    "settings",
    [
        {"search": {"backends": {"main": {"type": "local", "path": "x"}}}},
        {"search": {"backends": {"main": {"type": "local", "path": "index"}}, "fusion": {"type": "dbsf"}}},
        {"expand": {"limit": 3}},
        {"expand": {"without": ["synonym"]}},
        {"deadline": "1s"},
        {"budget": {"calls": 1}},
        {"synonyms": [{"words": ["tv", "television"]}]},
        {"tenant": "other"},
        {"folder": Path("/elsewhere")},
    ],
)
def test_whatever_may_change_a_result_makes_another_fingerprint(settings: dict[str, Any]) -> None:
    folder = settings.pop("folder", None)
    one, other = made(profile())[1], made(Profile.model_validate(profile().model_dump() | settings))[1]
    if folder is not None:
        moved = other.profile.model_copy(update={"folder": folder})
        other = Condition(name=other.name, profile=moved)
    assert printed(one) == printed(made(profile())[1])
    assert printed(one) != printed(other)


def test_what_changes_no_result_makes_none() -> None:
    plain, keyed = profile(), profile("renamed", cache={"type": "none"}, observers=["log"])
    assert printed(made(plain)[1]) == printed(made(keyed)[1])


def test_a_renamed_profile_finds_its_raw_rows_again() -> None:
    """A profile that does not say its tenant is one by its name; where an index lies says whose documents they are."""
    one = profile()
    renamed = one.model_copy(update={"name": "renamed", "tenant": "renamed"})
    assert printed(made(one)[0]) == printed(made(renamed)[0])
    assert printed(made(one)[1]) != printed(made(renamed)[1])


@pytest.mark.parametrize(
    ("settings", "more"),
    [
        ({"search": {"backends": {"main": {"type": "local"}}}}, {"tenant": "other"}),
        ({}, {"folder": Path("/elsewhere")}),
        ({"search": {"backends": {"main": {"type": "web"}}}}, {"tenant": "other"}),
        (
            {"search": {"backends": {"main": {"type": "local", "path": "i"}}, "processors": ["mmr"]}},
            {"tenant": "other"},
        ),
    ],
)
def test_raw_rows_of_somebody_else_do_not_count(settings: dict[str, Any], more: dict[str, Any]) -> None:
    one = profile(**settings)
    assert printed(made(one)[0]) != printed(made(one.model_copy(update=more))[0])


def test_depth_baseline_and_expansion_are_in_it() -> None:
    raw, shop, rm3 = made(profile(), baselines=["rm3"])
    assert len({printed(raw), printed(shop), printed(rm3), printed(shop, 10)}) == 4


def test_no_expansion_is_the_same_whatever_expands() -> None:
    assert printed(made(profile())[0]) == printed(made(profile("b", expand={"limit": 1}, prompts={"role": "x"}))[0])


@pytest.mark.parametrize(
    "blocks",
    [
        {"llm": {"model": "m", "api_key": "key-{}"}},
        {"llm": {"model": "m", "options": {"headers": {"X-Team": "team-{}"}}}},
        {"llm": {"model": "m", "fallbacks": [{"model": "n", "api_key": "key-{}"}]}},
        {"embedder": {"provider": "openai", "model": "m", "api_key": "key-{}"}},
        {"search": {"backends": {"main": {"type": "local", "api_key": "key-{}"}}}},
        {"search": {"backends": {"main": {"type": "local", "headers": {"Authorization": "Bearer {}"}}}}},
        {"search": {"processors": [{"type": "rerank", "headers": {"X-Api-Key": "{}"}}]}},
    ],
)
def test_rows_of_another_key_or_other_headers_do_not_count(blocks: dict[str, Any]) -> None:
    def of(word: str) -> str:
        return printed(Condition(name="c", profile=Profile.model_validate(_filled({"name": "p", **blocks}, word))))

    assert of("one") == of("one") != of("two")


def _filled(item: Any, word: str) -> Any:
    if isinstance(item, dict):
        return {
            name: SecretStr(_filled(one, word)) if name == "api_key" else _filled(one, word)
            for name, one in item.items()
        }
    if isinstance(item, list):
        return [_filled(one, word) for one in item]
    return item.format(word) if isinstance(item, str) else item
