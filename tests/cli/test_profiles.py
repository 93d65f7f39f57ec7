"""``qx profile``: made, checked and shown; what is wrong comes with file, line and a suggestion."""

import json
import os
from pathlib import Path

import jsonschema
import pytest

from qx import yaml

from .conftest import Run


def test_a_new_profile_is_found_checked_and_shown(run: Run, own_folder: Path) -> None:
    made = run("profile", "new", "acme-shop")
    assert made.code == 0
    assert (own_folder / "profiles" / "acme-shop.yaml").is_file()
    assert "${ACME_SHOP_OPENAI_KEY}" in (own_folder / "profiles" / "acme-shop.yaml").read_text("utf-8")
    listed = [line.split("\t") for line in run("profile", "list").out.splitlines()]
    assert [line[:2] for line in listed] == [["acme-shop", "project"], ["default", "built in"]]
    assert [p["name"] for p in json.loads(run("profile", "list", "--json").out)] == ["acme-shop", "default"]
    checked = run("profile", "check", "acme-shop")
    assert (checked.code, checked.err) == (0, "")
    assert checked.out.endswith("acme-shop.yaml: ok\n")
    shown = run("profile", "show", "acme-shop")
    assert (shown.code, shown.err) == (0, "")
    assert "tenant: acme-shop  # profile acme-shop, line 5" in shown.out
    assert "reserve: 0.5  # default, line " in shown.out
    data = yaml.parse(shown.out, file="shown").data
    assert data["tenant"] == "acme-shop"
    assert data["cache"]["type"] == "memory"
    assert json.loads(run("profile", "show", "acme-shop", "--json").out)["expand"]["limit"] == 8


def test_everything_in_the_template_that_is_a_comment_is_right(run: Run, own_folder: Path) -> None:
    run("profile", "new", "full")
    path = own_folder / "profiles" / "full.yaml"
    kept = []
    for line in path.read_text("utf-8").splitlines():
        bare = line.replace("# ", "", 1) if line.lstrip().startswith("# ") else line
        kept.append(line if line.startswith(("# A ", "# Check", "# What")) else bare)
    text = "\n".join(kept).replace("type: memory", "type: sqlite")
    assert "domains: [./full]" in text
    (own_folder / "profiles" / "full").mkdir()
    pack = "schema_version: 1\nname: full\ntaxonomy: general\n"
    (own_folder / "profiles" / "full" / "pack.yaml").write_text(pack, "utf-8")
    path.write_text(text, "utf-8")
    os.environ["FULL_OPENAI_KEY"] = "canary-8d1f"
    result = run("profile", "check", "full")
    assert (result.code, result.err) == (0, ""), text
    shown = run("profile", "show", "full")
    assert shown.code == 0
    assert "canary" not in shown.out + shown.err + run("profile", "show", "full", "--json").out
    assert "max_pending" not in shown.err
    schema = json.loads(run("profile", "schema").out)
    jsonschema.validate(yaml.load(path).data, schema)


def test_a_profile_is_not_written_over(run: Run, own_folder: Path) -> None:
    run("profile", "new", "a")
    (own_folder / "profiles" / "a.yaml").write_text("extends: default\n", "utf-8")
    again = run("profile", "new", "a")
    assert again.code == 2
    assert "--force" in again.err
    assert (own_folder / "profiles" / "a.yaml").read_text("utf-8") == "extends: default\n"
    assert run("profile", "new", "a", "--force").code == 0


@pytest.mark.parametrize("name", ["../x", "a/b", "", "-a", "a" * 70])
def test_a_profiles_name_is_one_word(run: Run, name: str, own_folder: Path) -> None:
    result = run("profile", "new", "--", name)
    assert result.code == 2
    assert list(own_folder.rglob("*.yaml")) == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("expnd:\n  limit: 3\n", ("p.yaml:1", "did you mean 'expand'")),
        ("expand:\n  limit: many\n", ("p.yaml:2",)),
        ("cache: {type: redsi}\n", ("p.yaml:1", "redsi")),
        ("extends: p\n", ("circle",)),
        ("llm: {model: m, api_key: '${QX_NOT_SET}'}\n", ("p.yaml:1", "QX_NOT_SET")),
        ("cache: {type: sqlite, max_bites: 3}\n", ("max_bites",)),
        ("understand: {mode: llm}\n", ("names no model",)),
        ("a: [\n", ("p.yaml:",)),
    ],
)
def test_a_wrong_profile_is_exit_code_3_everywhere(
    run: Run, own_folder: Path, text: str, said: tuple[str, ...]
) -> None:
    (own_folder / "p.yaml").write_text(text, "utf-8")
    for arguments in (("profile", "check", "p.yaml"), ("expand", "x", "-p", "p.yaml", "--json")):
        result = run(*arguments)
        assert (result.code, result.out) == (3, ""), result.err
        assert result.err.startswith("error: ")
        assert "Traceback" not in result.err
        for words in said:
            assert words in result.err


def test_an_unknown_profile_is_told_with_the_nearest(run: Run) -> None:
    result = run("expand", "x", "--profile", "defualt")
    assert result.code == 3
    assert "did you mean 'default'" in result.err


def test_a_file_elsewhere_is_not_allowed(run: Run, own_folder: Path) -> None:
    (own_folder / "p.yaml").write_text("cache: {type: sqlite, path: /etc/cache.db}\n", "utf-8")
    result = run("profile", "check", "p.yaml")
    assert result.code == 7
    assert "p.yaml:1:" in result.err
    assert "QX_ALLOW_PATHS" in result.err


def test_a_pack_that_repeats_a_general_intent_is_warned_of(run: Run, own_folder: Path) -> None:
    (own_folder / "shop").mkdir()
    (own_folder / "shop" / "pack.yaml").write_text(
        "schema_version: 1\nname: shop\ntaxonomy:\n  name: shop\n  intents:\n"
        "  - {id: buy, definition: {en: what to get}, cues: [推荐, 电脑配置, 配置推荐]}\n",
        "utf-8",
    )
    (own_folder / "p.yaml").write_text("domains: [./shop]\n", "utf-8")
    result = run("profile", "check", "p.yaml")
    assert (result.code, result.out) == (0, "p.yaml: ok\n")
    file = own_folder / "shop" / "pack.yaml"
    assert result.err.startswith(
        f"warning: {file}:6:46: most cues of 'buy' are those of 'recommendation' (pack general) too"
    )


def test_no_backend_is_a_fault_of_the_profile(run: Run, own_folder: Path) -> None:
    (own_folder / "p.yaml").write_text("tenant: p\n", "utf-8")
    (own_folder / "a.jsonl").write_text('{"_id": "1", "text": "a"}\n', "utf-8")
    for arguments in (("search", "-p", "p.yaml", "x"), ("index", "-p", "p.yaml", "a.jsonl")):
        result = run(*arguments)
        assert (result.code, result.out) == (3, "")
        assert "p.yaml: the profile p names no search backend (add `search: {backends:" in result.err


def test_a_folder_of_profiles_is_checked_whole(run: Run, own_folder: Path) -> None:
    folder = own_folder / "tenants"
    folder.mkdir()
    for name, text in (("_base", "expand: {limit: 3}"), ("acme", "extends: _base"), ("notes", "{}")):
        (folder / f"{name}.yaml").write_text(text + "\n")
    good = run("profile", "check", "tenants")
    assert (good.code, good.err) == (0, "")
    assert [line.rpartition("/")[2] for line in good.out.splitlines()] == ["acme.yaml: ok", "notes.yaml: ok"]
    (folder / "acme.yaml").write_text("expnad: {}\nserch: {}\n")
    (folder / "globex.yaml").write_text("timezone: Beijing\n")
    wrong = run("profile", "check", "tenants")
    assert wrong.code == 3
    lines = [line.partition("tenants/")[2] for line in wrong.err.splitlines() if line.startswith("error: ")]
    assert [line for line in lines if line.startswith(("acme.yaml:1:1: expnad", "acme.yaml:2:1: serch"))] == lines[:2]
    assert "globex.yaml:1:" in wrong.err
    assert "notes.yaml: ok" in wrong.out
