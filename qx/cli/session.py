"""From the command line's options to an open engine, and back out with a result."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from qx.cli.output import note, spinner
from qx.cli.state import state_of
from qx.errors import ProfileError

if TYPE_CHECKING:
    from qx.cli.request import ProfileChoice, Request
    from qx.engine import Engine
    from qx.settings import Profile
    from qx.types import Query

T = TypeVar("T")

NO_MODEL = "rules (no model configured): set OPENAI_API_KEY, or name a model under `llm:` in a profile"


def read_env(env_file: Path | None) -> None:
    """Add the variables of ``env_file`` and of ``./.env`` to the environment; what is set already wins.

    Raises:
        ProfileError: a file cannot be read.
    """
    for path in (env_file, Path(".env")):
        if path is None or not path.is_file():
            continue
        for name, item in _variables(path).items():
            if item is not None:
                os.environ.setdefault(name, item)


def _variables(path: Path) -> Mapping[str, str | None]:
    from dotenv import dotenv_values

    try:
        return dotenv_values(path, interpolate=False, encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ProfileError(
            f"cannot be read: {error}", file=str(path), hint="it must be UTF-8 text: NAME=value"
        ) from error


def load(choice: ProfileChoice, ctx: click.Context) -> Profile:
    """Read the environment files and the chosen profile; its secrets are redacted from now on.

    Raises:
        ProfileError, PluginError: the profile is wrong, or names what is not there.
    """
    from qx.profiles import load_profile
    from qx.secrets import secrets_of

    read_env(choice.env_file)
    state = state_of(ctx)
    profile = load_profile(choice.profile, plugins=state.plugins())
    state.secrets |= secrets_of(profile)
    return profile


@asynccontextmanager
async def open_engine(profile: Profile, ctx: click.Context) -> AsyncGenerator[Engine]:
    """Open an engine for ``profile`` and close it at the end."""
    from qx.engine import Engine

    async with Engine.opened(profile, plugins=state_of(ctx).plugins()) as engine:
        yield engine


def ask(
    request: Request,
    ctx: click.Context,
    work: Callable[[Engine, Query], Awaitable[T]],
    *,
    prepare: Callable[[Profile], Profile] = lambda profile: profile,
) -> tuple[T, Profile]:
    """Run ``work`` on an engine for the request's profile, with a spinner while a model may be at work."""
    profile = request.apply(prepare(load(request.choice, ctx)))
    query = request.query(profile)

    async def run() -> T:
        async with open_engine(profile, ctx) as engine:
            with spinner(waiting_for(profile), state_of(ctx)):
                return await work(engine, query)

    return asyncio.run(run()), profile


def waiting_for(profile: Profile) -> str | None:
    """Return what the spinner says, or None where no model is asked."""
    modes = {profile.understand.mode, profile.expand.mode or profile.understand.mode}
    if profile.llm is None or modes == {"rules"}:
        return None
    return f"asking {profile.llm.model or profile.llm.provider}"


def say_rules(request: Request, profile: Profile, ctx: click.Context) -> None:
    """Tell on stderr that rules alone did it because there is no model, unless that was asked for."""
    asked = request.mode == "rules" or profile.understand.mode == "rules"
    if profile.llm is None and not asked and not state_of(ctx).quiet:
        note(NO_MODEL)


def with_placeholder(profile: Profile) -> Profile:
    """Return ``profile`` with a model that is never called, where it names none: for showing prompts."""
    from qx.settings import LLM

    if profile.llm is not None:
        return profile
    return profile.model_copy(update={"llm": LLM(provider="openai", api_base="http://localhost:9")})
