"""What ``qx doctor`` says of a profile's backends: all of them, whatever is wrong with one, and never a secret."""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path

import jsonschema
import pytest

from engines import PLUGINS
from qx.backend import Health
from qx.cli import doctor, schemas
from qx.errors import Unavailable
from qx.testing import ScriptedBackend

from .conftest import Run
from .shop import write_shop

SECRET = "s3cret-of-the-shop"


class Patient(ScriptedBackend):
    """A backend that says ``health`` when it is asked, or raises it, or (None) says nothing."""

    def __init__(self, health: Health | Exception | None) -> None:
        super().__init__()
        self._health = health

    async def health(self) -> Health:
        if self._health is None:
            await asyncio.Event().wait()
        if isinstance(self._health, Exception):
            raise self._health
        assert isinstance(self._health, Health)
        return self._health

    async def stored_fingerprint(self) -> str | None:
        return "e5-small"


@pytest.fixture
def examined(run: Run, own_folder: Path, monkeypatch: pytest.MonkeyPatch):
    """Run the doctor over backends ``a``, ``b`` …, with a model's key in the profile."""
    monkeypatch.setattr("qx.plugins.Plugins.load", lambda *_, **__: PLUGINS)
    monkeypatch.setattr(doctor, "HEALTH_SECONDS", 0.2)
    monkeypatch.setenv("SHOP_KEY", SECRET)

    def over(backends: Sequence[ScriptedBackend], *options: str):
        blocks = {}
        for name, backend in zip("abcd", backends, strict=False):
            backend.named(f"doctor-{name}")
            blocks[name] = {"type": "scripted", "instance": f"doctor-{name}"}
        llm = {"provider": "openai", "model": "m", "api_key": "${SHOP_KEY}", "api_base": "http://127.0.0.1:9/v1"}
        profile = {"understand": {"mode": "rules"}, "llm": llm | {"retries": 0}, "search": {"backends": blocks}}
        (own_folder / "p.yaml").write_text(json.dumps(profile), encoding="utf-8")
        return run("doctor", "-p", "p.yaml", *options)

    return over


def test_every_backend_is_told_whatever_is_wrong_with_one(examined) -> None:
    fine = Health(ok=True, detail=f"asked with {SECRET}", version="9.0.0", documents=7, ours=False)
    backends = [Patient(fine), Patient(Unavailable(f"down, key {SECRET}")), Patient(None), Patient(RuntimeError("bug"))]
    result = examined(backends)
    assert result.code == 4
    lines = [line.strip() for line in result.out.splitlines()]
    assert lines[lines.index("backends: 4") + 1].startswith("a (scripted) is fine (0.")
    for said in (
        "version: 9.0.0",
        "documents: 7",
        "index: not made by qx: written to only with `qx index --adopt`",
        "vectors: e5-small",
        "problem: no answer within 0.2 s",
        "problem: RuntimeError: bug",
    ):
        assert said in lines, said
    assert any(line.startswith("problem: down, key") for line in lines)
    assert SECRET not in result.out + result.err


def test_as_json(examined) -> None:
    printed = json.loads(examined([Patient(Health(ok=True)), ScriptedBackend()], "--json").out)
    jsonschema.Draft202012Validator(schemas.schema("doctor")).validate(printed)
    assert [(b["name"], b["ok"], b["documents"], b["ours"]) for b in printed["backends"]] == [
        ("a", True, 0, None), ("b", True, 0, None),
    ]  # fmt: skip
    assert printed["model"]["answers"] is False


def test_nobody_is_asked_without_a_call(examined) -> None:
    result = examined([Patient(RuntimeError("asked"))], "--no-call")
    assert result.code == 0
    assert "a (scripted) not asked" in result.out


def test_a_local_index(run: Run, own_folder: Path) -> None:
    write_shop(own_folder)
    missing = run("doctor", "-p", "shop")
    assert missing.code == 4
    assert "make it with `qx index`" in missing.out
    run("index", "products.jsonl", "-p", "shop")
    result = run("doctor", "-p", "shop")
    assert result.code == 0
    assert "documents: 5" in result.out
    assert "index: made by qx" in result.out
