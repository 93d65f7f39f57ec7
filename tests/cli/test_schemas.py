"""The published JSON Schemas are those of the code, and outputs validate against them."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import qx.builtin
from qx import yaml
from qx.cli import schemas
from qx.cli.commands.schema import NAMES
from qx.serial import to_plain
from qx.types import Expansion, SubQuery, Understanding

from .conftest import EXPANSION, UNDERSTANDING, Run, StubEngine

FOLDER = Path(__file__).parents[2] / "docs" / "schemas"


def check(name: str, item: Any) -> None:
    schema = schemas.schema(name)
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.Draft202012Validator(schema).validate(item)


@pytest.mark.parametrize("name", schemas.OUTPUTS)
def test_the_published_schema_is_up_to_date(name: str, run: Run) -> None:
    published = (FOLDER / f"{name}.json").read_text("utf-8")
    assert published == schemas.text(name), "run `qx schema --write docs/schemas`"
    assert run("schema", name).out == published


def test_every_schema_is_published_and_named() -> None:
    assert {path.stem for path in FOLDER.glob("*.json")} == set(schemas.OUTPUTS) == set(NAMES)


@pytest.mark.parametrize(
    ("name", "item"),
    [
        ("understanding", Understanding()),
        ("understanding", UNDERSTANDING),
        ("expansion", EXPANSION),
        ("expansion", Expansion(original="", queries=(SubQuery(text="", strategy="original"),), abstained="empty")),
    ],
)
def test_values_validate(name: str, item: object) -> None:
    check(name, to_plain(item))


def test_a_missing_key_and_a_wrong_type_do_not_validate() -> None:
    for change in ({"queries": None}, {"usage": {}}, {"abstained": 3}):
        with pytest.raises(jsonschema.ValidationError):
            check("expansion", {**to_plain(EXPANSION), **change})
    for key in to_plain(EXPANSION):
        with pytest.raises(jsonschema.ValidationError):
            check("expansion", {name: item for name, item in to_plain(EXPANSION).items() if name != key})


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("understanding", ("understand", "x", "--json")),
        ("expansion", ("expand", "x", "--json")),
        ("expansion", ("explain", "x", "--json")),
    ],
)
def test_what_is_printed_validates(run: Run, engine: StubEngine, name: str, arguments: tuple[str, ...]) -> None:
    check(name, json.loads(run(*arguments).out))


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("understanding", ("understand", "昨天的 iPhone 15 评测, not white", "--json")),
        ("expansion", ("expand", "5000元以下、轻薄、续航好的笔记本电脑", "--json")),
        ("expansion", ("expand", "", "--json")),
        ("prompts", ("explain", "x", "--prompt", "--json")),
        ("plugins", ("plugins", "--json")),
        ("plugin", ("plugins", "info", "qx", "--json")),
        ("doctor", ("doctor", "--json")),
        ("cache", ("cache", "stats", "--json")),
        ("profiles", ("profile", "list", "--json")),
        ("profile", ("profile", "show", "--json")),
    ],
)
def test_what_is_really_printed_validates(run: Run, name: str, arguments: tuple[str, ...]) -> None:
    result = run(*arguments)
    assert result.code == 0, result.err
    check(name, json.loads(result.out))


def test_schemas_are_written_to_a_folder(run: Run, own_folder: Path) -> None:
    result = run("schema", "--write", "out")
    assert result.code == 0
    assert {path.stem for path in (own_folder / "out").iterdir()} == set(schemas.OUTPUTS)
    assert run("schema").code == 2


def test_a_profile_with_everything_validates_as_it_is_shown(run: Run, own_folder: Path) -> None:
    (own_folder / "p.yaml").write_text(
        "llm: {model: m, api_key: canary-key, timeout: 2s, options: {headers: {X-Secret: canary}}}\n"
        "embedder: {model: e, api_key: canary-key}\ncache: {type: sqlite, path: a.db}\n"
        "observers: [{type: jsonl, path: e.jsonl}]\nsynonyms: [{words: [a, b]}]\nrewrite: [{match: a, pin: ['1']}]\n"
        "search: {backends: {a: {type: local, path: i}}, processors: [spam]}\n",
        "utf-8",
    )
    result = run("profile", "show", "p.yaml", "--json")
    assert result.code == 0, result.err
    check("profile", json.loads(result.out))


def test_the_schema_of_packs() -> None:
    general = Path(qx.builtin.__file__).parent / "general"
    whole = yaml.load(general / "pack.yaml").data
    check("pack", whole)
    for wrong in (
        {"synonims": []},
        {"templates": [{"text": "a"}]},
        {"sites": [{"site": "a.b"}]},
        {"schema_version": 2},
    ):
        with pytest.raises(jsonschema.ValidationError):
            check("pack", {**whole, **wrong})
