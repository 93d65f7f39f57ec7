"""``qx cassette``: recorded exchanges with a model."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import click

from qx.cli.output import spinner
from qx.cli.request import ProfileChoice, profile_options
from qx.cli.session import load, run
from qx.cli.state import State, state_of
from qx.cli.streams import printing_to_stderr
from qx.errors import ProfileError, ProviderError

if TYPE_CHECKING:
    from qx.builtin.cassette import Rerecorded
    from qx.settings import Endpoint, Profile


@click.group()
def command() -> None:
    """Record a model's answers anew, for tests without a network."""


@command.command(short_help="Ask every question of a cassette anew.")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@profile_options
@click.option("--model", default="", help="Ask this model instead of the recorded one.")
@click.option("--timeout", type=click.FloatRange(min=0.1), default=60.0, show_default=True, help="Seconds for a call.")
@click.pass_context
def record(ctx: click.Context, file: Path, choice: ProfileChoice, model: str, timeout: float) -> None:
    """Ask every question of FILE anew and keep the new answers.

    The model is the profile's; where the profile replays a cassette, the one named under `inner`. Answers written by
    hand stay, and so does an old answer where the model fails now: then the exit code is 4.
    """
    profile = load(choice, ctx)
    done = run(_record(profile, state_of(ctx), file, model, timeout))
    click.echo(f"{file}: {done.asked} asked anew, {done.changed} changed, {done.handwritten} written by hand and kept")
    if done.failed:
        listed = "; ".join(f"{key[:12]}: {reason}" for key, reason in done.failed)
        raise ProviderError(f"{len(done.failed)} of {done.asked} kept their old answer: {listed}")


async def _record(profile: Profile, state: State, file: Path, model: str, seconds: float) -> Rerecorded:
    from qx.builtin.cassette import rerecord
    from qx.clock import SystemClock
    from qx.http import Http
    from qx.services import EngineServices

    endpoint = _endpoint(profile)
    http = Http(redact=state.redact)
    with printing_to_stderr(), ThreadPoolExecutor(max_workers=1) as executor:
        await http.open()
        try:
            services = EngineServices(
                profile,
                clock=SystemClock(),
                http=http,
                executor=executor,
                provider_class=state.plugins().registry("llm_providers").get,
            )
            provider = await services.llm_provider(endpoint)
            try:
                with spinner(f"asking {endpoint.model or endpoint.provider}", state):
                    return await rerecord(file, provider, model=model or endpoint.model, timeout=seconds)
            finally:
                await provider.aclose()
        finally:
            await http.aclose()


def _endpoint(profile: Profile) -> Endpoint:
    """The endpoint that is really asked: behind a cassette, its ``inner``.

    Raises:
        ProfileError: the profile names no such model.
    """
    from qx.builtin.cassette import Settings
    from qx.secrets import reveal

    endpoint: Endpoint | None = profile.llm
    if endpoint is not None and endpoint.provider == "cassette":
        endpoint = Settings.model_validate({**reveal(endpoint.options), "mode": "replay"}).inner
    if endpoint is None:
        raise ProfileError(
            "the profile names no model to record",
            file=str(profile.source) if profile.source else None,
            hint="set OPENAI_API_KEY, add an `llm:` block, or `inner` to its cassette",
        )
    return endpoint
