"""``qx new``: whole packages that are sound as they are; ``tests/environments.py`` installs each and runs its tests."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

from qx.cli import main
from qx.errors import UsageError
from qx.packs import load_pack
from qx.plugins import KINDS as HOOKS
from qx.scaffold import KINDS, project, write

ALL = [("backend", "http"), ("backend", "file"), *((kind, None) for kind in KINDS if kind != "backend")]


@pytest.mark.parametrize(("kind", "over"), ALL)
def test_a_package_is_whole(kind: str, over: str | None, tmp_path: Path) -> None:
    made = project(kind, "my-thing", over)
    told = tomllib.loads(made.files["pyproject.toml"])
    assert told["project"]["name"] == made.distribution == "qx-query-my-thing"
    assert any(
        requirement.startswith("qx-query>=") and ",<" in requirement for requirement in told["project"]["dependencies"]
    )
    [(group, points)] = told["project"]["entry-points"].items()
    assert group == ("qx.packs" if kind == "domain" else "qx")
    module, _, file = points["my-thing"].partition(":")
    assert f"{module}/{file or '__init__.py'}" in made.files
    for path, text in made.files.items():
        assert "{{" not in text, path
        assert text.endswith("\n"), path
        assert not text.endswith("\n\n"), path
        if path.endswith(".py"):
            ast.parse(text)
    assert any(path.startswith("tests/test_") for path in made.files)
    assert KINDS[kind] in HOOKS.values()
    folder = write(made, tmp_path)
    assert sorted(str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file()) == sorted(made.files)


def test_python_of_templates_is_in_the_house_style(tmp_path: Path) -> None:
    for kind, over in ALL:
        write(project(kind, "thing", over), tmp_path / f"{kind}-{over}")
    config = tmp_path / "ruff.toml"
    config.write_text(
        'line-length = 120\ntarget-version = "py311"\n[lint]\n'
        'select = ["E", "F", "W", "I", "B", "UP", "C4", "SIM", "RUF", "PT", "RET", "BLE"]\nignore = ["RUF001"]\n'
        '[lint.isort]\nknown-first-party = ["qx"]\n[lint.per-file-ignores]\n"**/tests/*" = ["PT006"]\n'
    )
    for command in (["check"], ["format", "--check"]):
        done = subprocess.run(
            [sys.executable, "-m", "ruff", *command, "--config", str(config), "--no-cache", str(tmp_path)],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout


def test_a_domain_is_data_alone(tmp_path: Path) -> None:
    made = project("domain", "medical")
    assert [path for path in made.files if path.startswith("qx_medical/")] == [
        "qx_medical/eval/medical.jsonl",
        "qx_medical/pack.yaml",
    ]
    folder = write(made, tmp_path)
    assert load_pack(folder / "qx_medical").name == "medical"
    rows = [json.loads(line) for line in made.files["qx_medical/eval/medical.jsonl"].splitlines()]
    assert sorted(row["language"] for row in rows) == ["en", "en", "zh", "zh"]


@pytest.mark.parametrize(
    "name", ["", "My-Thing", "a_b", "-a", "a-", "a--b", "9a", "a b", "../x", "a/b", "类", "class", "é"]
)
def test_a_name_is_small_letters_digits_and_hyphens(name: str) -> None:
    with pytest.raises(UsageError, match="no name"):
        project("backend", name)


def test_a_name_that_is_none_comes_with_one_that_is() -> None:
    with pytest.raises(UsageError, match=r"for example my-thing"):
        project("backend", "My Thing")


def test_unknown_kinds_and_needless_options_are_errors() -> None:
    with pytest.raises(UsageError, match="there is one for: backend, "):
        project("fusion", "x")
    with pytest.raises(UsageError, match="--over is for backends"):
        project("strategy", "x", "http")
    with pytest.raises(UsageError, match="one of http, file"):
        project("backend", "x", "carrier-pigeon")


def test_nothing_is_written_over(tmp_path: Path) -> None:
    folder = tmp_path / "qx-query-x"
    folder.mkdir()
    assert write(project("strategy", "x"), tmp_path) == folder  # an empty folder is none
    (folder / "README.md").write_text("mine")
    with pytest.raises(UsageError, match="is there already"):
        write(project("strategy", "x"), tmp_path)
    assert (folder / "README.md").read_text() == "mine"
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="cannot be written"):
        write(project("strategy", "x"), tmp_path / "file")


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(main, ["new", "backend", "shelf", "--over", "file"])
    assert done.exit_code == 0, done.output
    assert done.output.splitlines()[0] == "qx-query-shelf"
    assert "  pip install -e '.[test]'" in done.output.splitlines()
    assert (tmp_path / "qx-query-shelf" / "qx_shelf" / "backend.py").is_file()
    for words, said in (
        (["new", "backend", "local"], "its name reserved"),
        (["new", "backend", "shelf"], "is there already"),
        (["new", "backend", "A B"], "is no name"),
        (["new", "backend", "import"], "'import' is no name: it is a word of Python's own (for example my-import)"),
        (["new", "domain", "true"], "YAML reads it as another value"),
        (["new", "processor", "null"], "YAML reads it as another value"),
        (["new", "backend", "on"], "YAML reads it as another value"),
        (["new", "fusion", "x"], "is not one of"),
    ):
        done = CliRunner().invoke(main, words)
        assert done.exit_code == 2, words
        assert said in done.output


def test_kinds_of_the_command_are_those_of_the_templates() -> None:
    from qx.cli.commands import new

    assert tuple(KINDS) == new.KINDS


def test_the_readme_of_a_pack_asks_for_no_settings() -> None:
    assert "settings" not in project("domain", "thing", None).files["README.md"].partition("Before publishing")[2]
    assert "which settings" in project("processor", "thing", None).files["README.md"]
