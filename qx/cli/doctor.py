"""What ``qx doctor`` finds out.  Values of keys never enter the report."""

from __future__ import annotations

import asyncio
import os
import platform
import re
import time
from collections.abc import Mapping
from dataclasses import field, replace
from importlib.metadata import PackageNotFoundError, requires, version
from typing import TYPE_CHECKING, cast

import click

from qx.backend import SearchBackend, SupportsCount, SupportsHealth, SupportsVectors
from qx.cli.session import load, open_engine
from qx.cli.state import State, state_of
from qx.errors import CassetteMiss, ProviderError, QxError
from qx.indexing.mismatches import mismatches
from qx.plugins import PluginInfo
from qx.serial import empty, value

if TYPE_CHECKING:
    from qx.cli.request import ProfileChoice
    from qx.engine import Engine
    from qx.settings import BackendBlock, Profile

HEALTH_SECONDS = 5.0
"""Seconds that a backend may take to say how it is."""
KEYS = ("OPENAI_API_KEY", "OPENAI_API_BASE")
_REFERENCE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
_API_KEY = re.compile(r"[A-Z0-9_]*_API_KEY")


@value
class KeyStatus:
    """Whether a variable is set; ``used`` if the profile names it."""

    name: str
    set: bool
    used: bool = False


@value
class ProfileStatus:
    """``problem`` is empty where the profile can be opened."""

    name: str
    source: str = ""
    problem: str = ""


@value
class ModelStatus:
    """``answers`` is None where it was not asked: no model, ``--no-call``, or a profile that is wrong."""

    provider: str = ""
    model: str = ""
    answers: bool | None = None
    seconds: float | None = None
    problem: str = ""


@value
class BackendStatus:
    """``ok`` is None where it was not asked; ``ours``: qx made the index; ``vectors``: the embedder that made them.

    ``warnings``: where the profile's fields and the index do not go together.
    """

    name: str
    type: str
    endpoint: str = ""
    ok: bool | None = None
    version: str = ""
    documents: int | None = None
    ours: bool | None = None
    vectors: str | None = None
    seconds: float | None = None
    detail: str = ""
    warnings: tuple[str, ...] = ()


@value
class DoctorReport:
    """``code`` is the exit code: 0 where nothing is wrong."""

    qx: str
    python: str
    platform: str
    home: str
    packages: Mapping[str, str] = field(default_factory=empty)
    plugins: tuple[PluginInfo, ...] = ()
    profile: ProfileStatus
    keys: tuple[KeyStatus, ...] = ()
    model: ModelStatus = field(default_factory=ModelStatus)
    backends: tuple[BackendStatus, ...] = ()
    code: int = 0


async def examine(choice: ProfileChoice, ctx: click.Context, *, call: bool) -> DoctorReport:
    """Look at everything; what is wrong with one thing does not keep from looking at the next.

    Args:
        choice: The profile to check.
        ctx: The command's context.
        call: Whether to ask the model and the backends.
    """
    from qx.paths import home

    state = state_of(ctx)
    profile: Profile | None = None
    model, backends = ModelStatus(), tuple[BackendStatus, ...]()
    try:
        profile = load(choice, ctx)
        status = ProfileStatus(name=profile.name, source=str(profile.source or "built in"))
        async with open_engine(profile, ctx) as engine:
            (model, code), backends = await asyncio.gather(
                _ask_model(engine, profile, state, call=call), ask_backends(engine, state, call=call)
            )
        code = code or (ProviderError.exit_code if any(backend.ok is False for backend in backends) else 0)
    except Exception as error:  # noqa: BLE001 a library that is missing or broken is what one calls the doctor for
        status = ProfileStatus(name=choice.profile or "default", problem=_said(error, state))
        code = getattr(error, "exit_code", QxError.exit_code)
    return DoctorReport(
        qx=version("qx-query"),
        python=platform.python_version(),
        platform=platform.platform(),
        home=str(home()),
        packages=packages(),
        plugins=state.plugins().report(),
        profile=status,
        keys=keys(profile),
        model=model,
        backends=backends,
        code=code,
    )


def _said(error: Exception, state: State) -> str:
    return state.redact(str(error) if isinstance(error, QxError) else f"{type(error).__name__}: {error}")


async def _ask_model(engine: Engine, profile: Profile, state: State, *, call: bool) -> tuple[ModelStatus, int]:
    """Ask the profile's model; ``answers`` stays None where it is not asked, and of a recording."""
    provider, model = (profile.llm.provider, profile.llm.model) if profile.llm else ("", "")
    if not call or profile.llm is None:
        return ModelStatus(provider=provider, model=model), 0
    began = time.monotonic()
    try:
        completion = await engine.ask_model()
    except CassetteMiss:  # it answers what was recorded, and nobody records the doctor's question
        return ModelStatus(provider=provider, model=model), 0
    except ProviderError as error:
        problem = _said(error, state)
        return ModelStatus(provider=provider, model=model, answers=False, problem=problem), error.exit_code
    seconds = round(time.monotonic() - began, 3)
    return ModelStatus(provider=provider, model=completion.model or model, answers=True, seconds=seconds), 0


async def ask_backends(engine: Engine, state: State, *, call: bool) -> tuple[BackendStatus, ...]:
    """Ask every backend of the profile how it is, all at once, each for ``HEALTH_SECONDS`` seconds at most."""
    blocks = engine.profile.search.backends
    return tuple(
        await asyncio.gather(*(_ask_backend(engine.backend(n), b, state, call=call) for n, b in blocks.items()))
    )


async def _ask_backend(backend: SearchBackend, block: BackendBlock, state: State, *, call: bool) -> BackendStatus:
    status = BackendStatus(name=backend.name, type=block.type, endpoint=state.redact(backend.endpoint))
    if not call:
        return status
    began = time.monotonic()
    try:
        async with asyncio.timeout(HEALTH_SECONDS):
            status = await _examined(backend, status)
            if status.ok and status.documents:
                status = replace(status, warnings=await mismatches(backend, declared_fields(block)))
    except TimeoutError:
        status = replace(status, ok=False, detail=f"no answer within {HEALTH_SECONDS:g} s")
    except Exception as error:  # noqa: BLE001 a backend is a plugin's: what is wrong with one is told, and the next asked
        status = replace(status, ok=False, detail=_said(error, state))
    return replace(status, seconds=round(time.monotonic() - began, 3), detail=state.redact(status.detail))


def declared_fields(block: BackendBlock) -> frozenset[str]:
    """Return the canonical fields that a profile's block names itself."""
    fields = (block.model_extra or {}).get("fields")
    return frozenset(cast("Mapping[str, object]", fields)) if isinstance(fields, Mapping) else frozenset()


async def _examined(backend: SearchBackend, status: BackendStatus) -> BackendStatus:
    """Ask for what the backend can tell; one that can tell nothing is not asked."""
    if isinstance(backend, SupportsHealth):
        health = await backend.health()
        status = replace(
            status,
            ok=health.ok,
            version=health.version,
            documents=health.documents,
            ours=health.ours,
            detail=health.detail,
        )
    if status.ok is False:
        return status
    if status.documents is None and isinstance(backend, SupportsCount):
        status = replace(status, ok=True, documents=await backend.count(None))
    if isinstance(backend, SupportsVectors):
        status = replace(status, ok=True, vectors=await backend.stored_fingerprint())
    return status


def packages() -> dict[str, str]:
    """Return the versions of what qx depends on, and of every ``qx-query-*``; "missing" where one is not there."""
    names = [
        re.split(r"[\s<>=!~;\[(]", line, maxsplit=1)[0] for line in requires("qx-query") or () if "extra ==" not in line
    ]
    found: dict[str, str] = {}
    for name in sorted(names):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "missing"
    return found


def keys(profile: Profile | None) -> tuple[KeyStatus, ...]:
    """Return which keys are set: the usual ones, those of the profile's file, and any other ``*_API_KEY``."""
    used: set[str] = set()
    if profile is not None and profile.source is not None and profile.source.is_file():
        used = set(_REFERENCE.findall(profile.source.read_text("utf-8", "replace")))
    others = sorted(name for name in os.environ if _API_KEY.fullmatch(name))
    names = dict.fromkeys((*KEYS, *sorted(used), *others))
    return tuple(KeyStatus(name=name, set=bool(os.environ.get(name)), used=name in used) for name in names)
