import os
from pathlib import Path

import pytest

from qx.errors import ProfileError
from qx.profiles.environment import DEFAULT_MODEL, environment, model_settings


def test_dot_env_lies_under_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("QXT_A", "real")
    (tmp_path / ".env").write_text("\ufeffQXT_A=file\nQXT_B='b # c'\nexport QXT_C=${QXT_A}\nQXT_D\n", encoding="utf-8")
    found = environment(tmp_path)
    assert (found["QXT_A"], found["QXT_B"], found["QXT_C"]) == ("real", "b # c", "${QXT_A}")
    assert "QXT_D" not in found
    assert "QXT_B" not in os.environ
    assert environment(tmp_path / "none") == dict(os.environ)


def test_dot_env_cannot_say_what_only_the_operator_may(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    for name in ("QX_ALLOW_PATHS", "QX_HOME", "QX_PLUGINS"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / ".env").write_text("QX_ALLOW_PATHS=/\nQX_HOME=/tmp\nQX_PLUGINS=evil\nQX_KEY=1\n")
    assert not environment(tmp_path).keys() & {"QX_ALLOW_PATHS", "QX_HOME", "QX_PLUGINS"}
    assert environment(tmp_path)["QX_KEY"] == "1"


def test_a_dot_env_that_is_no_text(tmp_path: Path):
    (tmp_path / ".env").write_bytes(b"A=\xff\xfe\n")
    with pytest.raises(ProfileError, match="cannot be read"):
        environment(tmp_path)


def test_the_model_that_variables_describe():
    assert model_settings({}) == {}
    assert model_settings({"OPENAI_MODEL": "m", "OPENAI_API_KEY": "  "}) == {}
    assert model_settings({"OPENAI_API_KEY": "k"}) == {
        "provider": "openai",
        "model": DEFAULT_MODEL,
        "api_key": "${OPENAI_API_KEY}",
    }
    both = {"OPENAI_API_KEY": "k", "OPENAI_API_BASE": "http://h", "OPENAI_MODEL": "m"}
    assert model_settings(both)["api_base"] == "${OPENAI_API_BASE}"
    assert model_settings(both, allowed=["OPENAI_API_BASE"]) == {
        "provider": "openai",
        "model": DEFAULT_MODEL,
        "api_base": "${OPENAI_API_BASE}",
    }


def test_the_process_s_own_variables_do_not_leak_in(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("OPENAI_API_BASE", "http://of-the-process")
    monkeypatch.setenv("OPENAI_MODEL", "of-the-process")
    assert model_settings({"OPENAI_API_KEY": "k"})["model"] == DEFAULT_MODEL
    assert "api_base" not in model_settings({"OPENAI_API_KEY": "k"})
