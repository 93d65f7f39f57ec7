"""``qx usage`` and ``qx profile diff``: what was spent, and where two profiles differ."""

from __future__ import annotations

import json
import os
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import jsonschema
import pytest

from qx.cache import Key
from qx.cli import schemas
from qx.cli.usage_report import since_day
from qx.paths import file_name
from qx.spending.ledger_file import LedgerFile, units
from qx.types import Usage

from .conftest import Run

TODAY = datetime.now(UTC).date()


def spend(folder: Path, tenant: str, days: int, model: str, usage: Usage, *, spent: float = 0) -> None:
    """Write into a tenant's ledger as an engine would."""
    place = folder / "home" / "data" / file_name(tenant)
    place.mkdir(parents=True, exist_ok=True)
    file = LedgerFile(place / "ledger.db")
    day = TODAY - timedelta(days=days)
    file.record(tenant, day, model, usage)
    if spent:
        key = Key(tenant=tenant, kind="budget", digest=f"{day.isoformat()} cost CNY")
        file.add(key, units(spent), now=0, ttl=1e12, ceiling=units(5))
    file.close()


@pytest.fixture
def spent(own_folder: Path) -> Path:
    used = Usage(calls=3, input_tokens=1200, output_tokens=300, cost=0.25, currency="CNY")
    spend(own_folder, "acme", 0, "large", used, spent=4.2)
    spend(own_folder, "acme", 6, "large", used)
    spend(own_folder, "acme", 7, "large", used)
    spend(own_folder, "acme", 0, "local", Usage(calls=2, input_tokens=10, output_tokens=5))
    spend(own_folder, "客户 1", 0, "gpt", Usage(calls=1, cost=0.5, currency="USD"))
    return own_folder


def test_usage_of_a_tenant(run: Run, spent: Path) -> None:
    result = run("usage", "--tenant", "acme", "--since", "7d")
    assert (result.code, result.err) == (0, "")
    old, today = (TODAY - timedelta(days=6)).isoformat(), TODAY.isoformat()
    assert [line.split("\t") for line in result.out.splitlines()] == [
        [old, "acme", "large", "3", "1200", "300", "0.25 CNY", "0"],
        [today, "acme", "large", "3", "1200", "300", "0.25 CNY", "0"],
        [today, "acme", "local", "2", "10", "5", "", "2"],
        [today, "acme", "budget cost", "4.2", "5", "CNY", "84%"],
    ]


def test_usage_of_all_is_one_document_whose_money_is_not_mixed(run: Run, spent: Path) -> None:
    found = json.loads(run("usage", "--since", "1d", "--json").out)
    jsonschema.validate(found, schemas.schema("usage"))
    assert [(row["tenant"], row["model"]) for row in found["rows"]] == [
        ("acme", "large"),
        ("acme", "local"),
        ("客户 1", "gpt"),
    ]
    assert (found["total"]["cost"], found["total"]["currency"], found["total"]["other_costs"]) == (
        0.25,
        "CNY",
        {"USD": 0.5},
    )
    assert found["unpriced"] == 2
    assert found["budgets"][0] | {"day": ""} == {
        "tenant": "acme",
        "day": "",
        "of": "cost",
        "spent": 4.2,
        "limit": 5.0,
        "currency": "CNY",
        "exhausted": False,
    }


def test_usage_is_told_to_a_person(run: Run, spent: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qx.cli.commands.usage.is_terminal", lambda: True)
    out = run("usage", "--tenant", "acme", "--since", "1d").out
    assert "usage of tenant acme" in out
    assert "large: 3 calls, 1,200 tokens in, 300 out, 0.25 CNY" in out
    assert "local: 2 calls, 10 tokens in, 5 out (2 calls at no known price)" in out
    assert "total: 5 calls" in out
    assert f"budget of {TODAY}: cost: 4.2 of 5 CNY (84%)" in out


def test_a_tenants_name_may_have_any_letters(run: Run, spent: Path) -> None:
    assert run("usage", "--tenant", "客户 1").out.split("\t")[6] == "0.5 USD"


def test_the_tenant_of_a_profile(run: Run, spent: Path) -> None:
    (spent / "shop.yaml").write_text("tenant: acme\ntimezone: Asia/Shanghai\n")
    assert len(run("usage", "-p", "shop.yaml", "--since", "30d").out.splitlines()) == 5
    wrong = run("usage", "-p", "shop.yaml", "--tenant", "globex")
    assert wrong.code == 2
    assert "for acme" in wrong.err


def test_the_limit_of_now_counts_and_a_spent_one_is_exhausted(run: Run, spent: Path) -> None:
    profile = "tenant: acme\nllm: {model: m, api_key: sk-none, prices: {input: 1, output: 1, currency: CNY}}\n"
    for limit, said in (("4 CNY", ["4.2", "4", "CNY", "exhausted"]), ("8 CNY", ["4.2", "8", "CNY", "52%"])):
        (spent / "shop.yaml").write_text(f"{profile}budget: {{cost_per_day: {limit}}}\n")
        assert run("usage", "-p", "shop.yaml").out.splitlines()[-1].split("\t")[3:] == said


def test_small_amounts_are_written_out(run: Run, own_folder: Path) -> None:
    spend(own_folder, "acme", 0, "m", Usage(calls=1, input_tokens=18, cost=0.000018, currency="USD"))
    assert "\t0.000018 USD\t" in run("usage").out


def test_what_is_asked_wrongly_is_told(run: Run, spent: Path) -> None:
    unknown = run("usage", "--tenant", "acne")
    assert unknown.code == 2
    assert "did you mean 'acme'" in unknown.err
    for said in ("soon", "-3d", "7", "0d"):
        assert run("usage", "--since", said).code == 2, said
    (spent / "home" / "data" / "acme" / "ledger.db").write_bytes(b"no database at all, but some text " * 100)
    broken = run("usage")
    assert broken.code == 3
    assert "ledger.db" in broken.err


def test_before_anything_is_spent(run: Run, own_folder: Path) -> None:
    result = run("usage")
    assert (result.code, result.out) == (0, "")
    assert "usage is kept for profiles that are files" in result.err
    assert run("-q", "usage").err == ""
    assert not (own_folder / "home").exists()


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("7d", "2026-11-24"),
        ("1d", "2026-11-30"),
        ("2w", "2026-11-17"),
        ("12h", "2026-11-29"),
        ("2026-01-05", "2026-01-05"),
    ],
)
def test_since(said: str, day: str) -> None:
    assert since_day(said, datetime(2026, 11, 30, 9, tzinfo=UTC)) == date.fromisoformat(day)


A = "deadline: 2s\nexpand: {limit: 3}\nsynonyms: [{words: [a, b]}]\nllm: {model: m, api_key: '${KEY_A}'}\n"
B = "deadline: 2s\nexpand: {limit: 4}\nsynonyms: [{words: [a, c]}]\nllm: {model: m, api_key: '${KEY_B}'}\nlexicon: [x]\n"


def test_profiles_are_compared_as_they_work(run: Run, own_folder: Path) -> None:
    os.environ |= {"KEY_A": "canary-aaaaaaaa", "KEY_B": "canary-bbbbbbbb"}
    (own_folder / "profiles").mkdir()
    for name, text in (("a", A), ("b", B), ("base", "expand: {limit: 3}\n")):
        (own_folder / "profiles" / f"{name}.yaml").write_text(text)
    result = run("profile", "diff", "a", "b")
    assert (result.code, result.err) == (0, "")
    rows = {line.split("\t")[0]: line.split("\t")[1:] for line in result.out.splitlines()}
    assert set(rows) == {"tenant", "expand.limit", "synonyms", "lexicon", "llm.api_key"}
    assert rows["expand.limit"][:2] == ["3", "4"]
    assert rows["expand.limit"][2].endswith("a.yaml:2:10")
    assert rows["lexicon"] == ["[]", '["x"]', "default", rows["lexicon"][3]]
    assert rows["llm.api_key"][:2] == ['"${KEY_A}"', '"${KEY_B}"']
    assert "canary" not in result.out
    found = json.loads(run("profile", "diff", "a", "b", "--json").out)
    jsonschema.validate(found, schemas.schema("profile-diff"))
    assert {one["path"] for one in found} == set(rows)
    (own_folder / "profiles" / "a2.yaml").write_text("extends: a\ntenant: a\n")
    assert run("profile", "diff", "a", "a2").out == "", "what is inherited is the same"


def test_two_written_secrets_differ_without_being_shown(run: Run, own_folder: Path) -> None:
    for name in ("a", "b"):
        (own_folder / f"{name}.yaml").write_text(f"tenant: t\nllm: {{model: m, api_key: canary-{name * 8}}}\n")
    result = run("-q", "profile", "diff", "a.yaml", "b.yaml")
    assert result.out.startswith("llm.api_key\t")
    assert "canary" not in result.out + result.err
    assert run("profile", "diff", "a.yaml", "nowhere.yaml").code == 3


@pytest.mark.parametrize("damage", [b"no database at all, whatever it is called" * 100, b""], ids=["damaged", "empty"])
@pytest.mark.parametrize("how", [(), ("--json",)], ids=str)
def test_one_ledger_that_cannot_be_read_hides_no_others(
    damage: bytes, how: tuple[str, ...], run: Run, spent: Path
) -> None:
    place = spent / "home" / "data" / "broken"
    place.mkdir()
    (place / "ledger.db").write_bytes(damage)
    result = run("usage", *how)
    assert result.code == 3
    assert "large" in result.out
    assert "gpt" in result.out
    assert str(place / "ledger.db") in result.err
    assert (place / "ledger.db").read_bytes() == damage, "looking makes no ledger of it"
    alone = run("usage", "--tenant", "broken", *how)
    assert alone.code == 3
    assert str(place / "ledger.db") in alone.err


def test_what_only_one_has_is_told_once_and_with_the_place_that_says_it(run: Run, own_folder: Path) -> None:
    (own_folder / "store.yaml").write_text("budget: {cost_per_day: 2 CNY}\n")
    (own_folder / "both.yaml").write_text("search: {backends: {main: {type: local, path: index}}}\n")
    result = run("profile", "diff", "store.yaml", "both.yaml", "--json")
    found = {one["path"]: one for one in json.loads(result.out)}
    assert "search.backends" not in found
    assert found["search.backends.main.type"]["a"] is None
    assert found["budget.cost_per_day.amount"]["a_source"].endswith("store.yaml:1:10")
