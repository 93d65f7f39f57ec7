"""What a shell offers after Tab."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

BASH = shutil.which("bash")


@pytest.fixture
def profiles(own_folder: Path) -> Path:
    (own_folder / "profiles").mkdir()
    for name in ("acme", "acre"):
        (own_folder / "profiles" / f"{name}.yaml").write_text("extends: default\n", "utf-8")
    (own_folder / "asis.yaml").write_text("extends: default\n", "utf-8")
    return own_folder


def _offered(words: list[str], folder: Path) -> list[str]:
    """What bash would offer for the last of ``words``, by the script that qx prints."""
    program = folder / "qx"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m qx "$@"\n', "utf-8")
    program.chmod(0o755)
    script = subprocess.run(
        [sys.executable, "-m", "qx", "completion", "bash"], capture_output=True, text=True, check=True, timeout=60
    ).stdout
    typed = " ".join(f"'{word}'" for word in words)
    body = (
        f"compopt() {{ echo files >&2; }}\n{script}\nCOMP_WORDS=({typed}); COMP_CWORD={len(words) - 1}\n"
        '_qx_completion qx; printf "%s\\n" "${COMPREPLY[@]}"\n'
    )
    environment = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"}
    assert BASH
    done = subprocess.run(
        [BASH, "-c", body], capture_output=True, text=True, check=True, timeout=60, cwd=folder, env=environment
    )
    return ["(files)"] if "files" in done.stderr else done.stdout.split()


@pytest.mark.skipif(BASH is None, reason="there is no bash")
@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["qx", "expand", "-p", "ac"], ["acme", "acre"]),
        (["qx", "search", "--profile", "a"], ["acme", "acre", "asis.yaml"]),
        (["qx", "profile", "check", ""], ["acme", "acre", "default", "asis.yaml"]),
        (["qx", "profile", "show", "./as"], ["(files)"]),
        (["qx", "comp"], ["completion"]),
    ],
)
def test_bash_offers(profiles: Path, words: list[str], offered: list[str]):
    assert _offered(words, profiles) == offered


def test_every_item_is_a_name_where_there_are_some(profiles: Path):
    from qx.cli.request import complete_profile

    for begun in ("", "a", "ac"):
        assert {item.type for item in complete_profile(None, None, begun)} == {"plain"}  # type: ignore[arg-type]
