"""What ``qx doctor`` finds out.  Values of keys never enter the report."""

from __future__ import annotations

import os
import platform
import re
import time
from collections.abc import Mapping
from dataclasses import field
from importlib.metadata import PackageNotFoundError, requires, version
from typing import TYPE_CHECKING

import click

from qx.cli.session import load, open_engine
from qx.cli.state import State, state_of
from qx.errors import ProviderError, QxError
from qx.plugins import PluginInfo
from qx.serial import empty, value

if TYPE_CHECKING:
    from qx.cli.request import ProfileChoice
    from qx.settings import Profile

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
    code: int = 0


async def examine(choice: ProfileChoice, ctx: click.Context, *, call: bool) -> DoctorReport:
    """Look at everything; what is wrong with one thing does not keep from looking at the next.

    Args:
        choice: The profile to check.
        ctx: The command's context.
        call: Whether to ask the model.
    """
    from qx.paths import home

    state = state_of(ctx)
    profile: Profile | None = None
    try:
        profile = load(choice, ctx)
        status = ProfileStatus(name=profile.name, source=str(profile.source or "built in"))
        model, code = await _ask(profile, ctx, call=call)
    except Exception as error:  # noqa: BLE001 a library that is missing or broken is what one calls the doctor for
        status = ProfileStatus(name=choice.profile or "default", problem=_said(error, state))
        model, code = ModelStatus(), getattr(error, "exit_code", QxError.exit_code)
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
        code=code,
    )


def _said(error: Exception, state: State) -> str:
    return state.redact(str(error) if isinstance(error, QxError) else f"{type(error).__name__}: {error}")


async def _ask(profile: Profile, ctx: click.Context, *, call: bool) -> tuple[ModelStatus, int]:
    """Open the profile and ask its model; ``answers`` stays None where it is not asked.

    Raises:
        QxError: the profile cannot be opened.
    """
    provider, model = (profile.llm.provider, profile.llm.model) if profile.llm else ("", "")
    asked, began = False, time.monotonic()
    try:
        async with open_engine(profile, ctx) as engine:
            if not call or profile.llm is None:
                return ModelStatus(provider=provider, model=model), 0
            asked, began = True, time.monotonic()
            completion = await engine.ask_model()
    except ProviderError as error:
        if not asked:
            raise
        problem = _said(error, state_of(ctx))
        return ModelStatus(provider=provider, model=model, answers=False, problem=problem), error.exit_code
    seconds = round(time.monotonic() - began, 3)
    return ModelStatus(provider=provider, model=completion.model or model, answers=True, seconds=seconds), 0


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
