"""From the command line's options to an open engine, and back out with a result."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from qx.cli.output import note, spinner
from qx.cli.state import state_of
from qx.cli.streams import printing_to_stderr
from qx.errors import ProfileError

if TYPE_CHECKING:
    from qx.cli.request import ProfileChoice, Request
    from qx.engine import Engine
    from qx.profiles import Loaded
    from qx.recording import Recording
    from qx.settings import Profile
    from qx.types import Query

T = TypeVar("T")

_MOST = 1_000_000
"""Bytes of a file of variables."""

NO_MODEL = "rules (no model configured): set OPENAI_API_KEY, or name a model under `llm:` in a profile"


def read_env(env_file: Path | None) -> None:
    """Add the variables of ``env_file`` and of ``./.env`` to the environment; what is set already wins.

    What only the operator may say is not read from ``./.env``, which comes with whatever folder one works in.

    Raises:
        ProfileError: a file cannot be read.
    """
    from qx.profiles.environment import OPERATOR_NAMES

    beside = Path(".env")
    for path, refused in ((env_file, frozenset[str]()), (beside if beside.is_file() else None, OPERATOR_NAMES)):
        if path is None:
            continue
        for name, item in _variables(path).items():
            if item is not None and name not in refused:
                os.environ.setdefault(name, item)


def _variables(path: Path) -> Mapping[str, str | None]:
    import io

    from dotenv import dotenv_values

    try:
        with path.open("rb") as stream:
            data = stream.read(_MOST + 1)
        text = data.decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ProfileError(
            f"cannot be read: {error}", file=str(path), hint="it must be UTF-8 text: NAME=value"
        ) from error
    if len(data) > _MOST:
        raise ProfileError(f"more than {_MOST:,} bytes", file=str(path), hint="it must be text: NAME=value lines")
    found = dotenv_values(stream=io.StringIO(text), interpolate=False)
    if bad := next((name for name, item in found.items() if "\0" in f"{name}{item}"), None):
        raise ProfileError(f"the variable {bad!r} holds a zero byte", file=str(path), hint="it must be text")
    return found


def load(choice: ProfileChoice, ctx: click.Context, *, lenient: bool = False) -> Profile:
    """Read the environment files and the chosen profile; its secrets are redacted from now on.

    Args:
        lenient: A variable that is not set is empty: for a replay.

    Raises:
        ProfileError, PluginError: the profile is wrong, or names what is not there.
    """
    return load_whole(choice, ctx, lenient=lenient).profile


def load_whole(choice: ProfileChoice, ctx: click.Context, *, lenient: bool = False) -> Loaded:
    """As ``load``; with what the profile was made of, and where that is written."""
    from qx.profiles import load as load_layers
    from qx.secrets import secrets_of

    read_env(choice.env_file)
    state = state_of(ctx)
    with printing_to_stderr():
        loaded = load_layers(choice.profile, plugins=state.plugins(), lenient=lenient)
    state.secrets |= secrets_of(loaded.profile)
    return loaded


@asynccontextmanager
async def open_engine(
    profile: Profile, ctx: click.Context, recording: Recording | None = None
) -> AsyncGenerator[Engine]:
    """Open an engine for ``profile`` and close it at the end; ``run`` keeps what its parts print off stdout."""
    from qx.engine import Engine

    plugins = state_of(ctx).plugins()
    if recording is not None:
        plugins = recording.over(plugins)
    async with Engine.opened(profile, plugins=plugins) as engine:
        yield engine


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run ``work`` in an event loop of its own, the program's every use of one.

    What plugins and libraries print meanwhile goes to stderr: ``work`` returns what is to be printed.  A task of a plugin
    that ends the program is that plugin's error, Ctrl-C is not.
    """
    from qx.containment import contained, watching_interrupts

    async def watched() -> T:  # from inside: asyncio's own way of ending the work at Ctrl-C comes first
        with watching_interrupts():
            return await work

    with printing_to_stderr(), contained("a task of a plugin"), asyncio.Runner() as runner:
        runner.get_loop().set_exception_handler(_unhandled)
        return runner.run(watched())


def _unhandled(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Log what a task raised that nobody waited for, but for what ended the loop: that is said as an error."""
    if not isinstance(context.get("exception"), (SystemExit, KeyboardInterrupt)):
        loop.default_exception_handler(context)


def ask(
    request: Request,
    ctx: click.Context,
    work: Callable[[Engine, Query], Awaitable[T]],
    *,
    prepare: Callable[[Profile], Profile] = lambda profile: profile,
) -> tuple[T, Profile]:
    """Run ``work`` on an engine for the request's profile, with a spinner while a model may be at work."""
    recording = request.recording()
    profile = load(request.choice, ctx, lenient=request.replay is not None)
    if recording is not None:
        profile = recording.profile(profile)
    profile = request.apply(prepare(profile))
    query = request.query(profile)

    async def answer() -> T:
        async with open_engine(profile, ctx, recording) as engine:
            with spinner(waiting_for(profile), state_of(ctx)):
                if recording is None:
                    return await work(engine, query)
                return await recording.run(query, profile, lambda asked: work(engine, asked))

    return run(answer()), profile


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
