"""``qx chat export``, ``delete``, ``stats`` and ``embed``."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from qx.cli.public import (
    ProfileChoice,
    Progress,
    live_stdout,
    load,
    note,
    open_engine,
    profile_options,
    run,
    state_of,
    write_json,
    write_lines,
)

if TYPE_CHECKING:
    from qx.engine import Engine
    from qx.operation import Principal
    from qx.settings import Profile

T = TypeVar("T")

_USER = click.option("--user", metavar="USER", help="Whose messages.")
_SESSIONS = click.option(
    "--session", "sessions", multiple=True, metavar="SESSION", help="Only of this one; may be repeated."
)


@click.command()
@profile_options
@_USER
@_SESSIONS
@click.option("--output", type=click.Path(path_type=Path), help="Write to this file.")
@click.option("--as-stored", is_flag=True, help="In the clear, where `chat.redact` hides personal data on reading.")
@click.pass_context
def export(
    ctx: click.Context,
    choice: ProfileChoice,
    user: str | None,
    sessions: tuple[str, ...],
    output: Path | None,
    as_stored: bool,
) -> None:
    """Print a user's messages as JSON lines, which `qx chat import` reads."""
    profile = load(choice, ctx)
    who = _principal(profile, user, sessions)

    async def work(engine: Engine, write: Callable[[str], Any]) -> int:
        from qx_chatlog.exporting import line
        from qx_chatlog.redaction import reading

        chat = await engine.section("chat")
        hide = None if as_stored else reading(chat.settings.redact)
        count = 0
        async for message in chat.store.export(who):
            write(line(message if hide is None else hide(message)) + "\n")
            count += 1
        return count

    if output is None:
        with live_stdout() as write:
            _on_engine(ctx, profile, lambda engine: work(engine, write))
        return
    from qx_chatlog.exporting import private_file

    with private_file(output) as stream:
        count = _on_engine(ctx, profile, lambda engine: work(engine, stream.write))
    note(f"{_many(count, 'message')} in {output}")


@click.command()
@profile_options
@_USER
@_SESSIONS
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--json", "as_json", is_flag=True, help="Print how many there were as JSON.")
@click.pass_context
def delete(
    ctx: click.Context, choice: ProfileChoice, user: str | None, sessions: tuple[str, ...], yes: bool, as_json: bool
) -> None:
    """Remove a user's messages, with their index, vectors, tags and facts."""
    profile = load(choice, ctx)
    who = _principal(profile, user, sessions)
    if not yes:
        what = (
            f"the sessions {', '.join(sessions)} of {user}" if sessions else f"all messages, tags and facts of {user}"
        )
        click.confirm(f"remove {what} (tenant {profile.tenant})?", abort=True, err=True)

    async def work(engine: Engine) -> int:
        return await (await engine.section("chat")).store.delete(who)

    gone = _on_engine(ctx, profile, work)
    if as_json:
        write_json({"deleted": gone})
    else:
        write_lines([f"{_many(gone, 'message')} removed"])


@click.command()
@profile_options
@_USER
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
@click.pass_context
def stats(ctx: click.Context, choice: ProfileChoice, user: str | None, as_json: bool) -> None:
    """Say how many messages, sessions, vectors and notes there are of a user."""
    from zoneinfo import ZoneInfo

    from qx.serial import to_plain

    profile = load(choice, ctx)
    who = _principal(profile, user, ())

    async def work(engine: Engine) -> tuple[Any, tuple[str, ...]]:
        store = (await engine.section("chat")).store
        counted = await store.stats(who)
        return counted, () if counted.messages else await store.tenants(user or "")

    found, others = _on_engine(ctx, profile, work)
    if others:
        note(_elsewhere(user or "", profile.tenant, others))
    if as_json:
        write_json(to_plain(found))
        return
    spoken = f"{_many(found.messages, 'message')} in {_many(found.sessions, 'session')}"
    if found.first is not None:
        zone = ZoneInfo(profile.timezone)
        spoken += f", {found.first.astimezone(zone):%Y-%m-%d} to {found.last.astimezone(zone):%Y-%m-%d}"
    write_lines([spoken, f"{found.embedded:,} with a vector, {found.notes:,} tags and facts beside them"])


@click.command()
@profile_options
@click.option("--anew", is_flag=True, help="Make all vectors again: for another embedder.")
@click.option("--limit", type=click.IntRange(min=1), help="Messages at most.")
@click.option("--json", "as_json", is_flag=True, help="Print how many were made as JSON.")
@click.pass_context
def embed(ctx: click.Context, choice: ProfileChoice, anew: bool, limit: int | None, as_json: bool) -> None:
    """Make the vectors of messages that have none, of all users."""
    profile = load(choice, ctx)
    with Progress(quiet=state_of(ctx).quiet, logged=True) as progress:

        async def work(engine: Engine) -> int:
            from qx.budget import Cost, RequestBudget
            from qx_chatlog.embedding import embed as embed_messages

            section = await engine.section("chat")
            if anew:
                await section.store.drop_vectors(profile.tenant)
            batch = section.settings.vectors.batch if section.settings.vectors else 100
            unlimited = RequestBudget(Cost(), engine.begin("embed", step="chat.embed").clock.monotonic)
            return await embed_messages(
                section.store,
                engine.begin("embed", step="chat.embed", budget=unlimited),
                tenant=profile.tenant,
                batch=batch,
                limit=limit,
                tell=lambda done: progress.show(f"{done:,} vectors"),
            )

        made = _on_engine(ctx, profile, work)
    if as_json:
        write_json({"embedded": made})
    else:
        write_lines([f"{_many(made, 'vector')} made"])


@click.command()
@profile_options
@_USER
@click.option("--all-users", is_flag=True, help="Of every user whose messages are not all there: the operator's.")
@click.option("--json", "as_json", is_flag=True, help="Print how many were sent as JSON.")
@click.pass_context
def synchronise(ctx: click.Context, choice: ProfileChoice, user: str | None, all_users: bool, as_json: bool) -> None:
    """Send all messages of a user to the engine of `chat.search`, as after it was down.

    With --all-users, those of every user of the tenant whose messages are not all there.
    """
    from qx.errors import UsageError

    profile = load(choice, ctx)
    if all_users and user:
        raise UsageError("--user names one, --all-users means all of them: give one of the two")
    who = None if all_users else _principal(profile, user, ())
    with Progress(quiet=state_of(ctx).quiet, logged=True) as progress:

        async def work(engine: Engine) -> tuple[int, dict[str, int]]:
            from qx_chatlog.engine.store import EngineStore

            store = (await engine.section("chat")).store
            if not isinstance(store, EngineStore):
                raise UsageError("this profile's chat log has no engine beside it (chat.search)")
            if who is not None:
                return await store.synchronise(who), {}
            done = await store.synchronise_all(profile.tenant, tell=lambda n: progress.show(f"{n:,} messages sent"))
            return done.sent, {"users": done.users, "whole": done.whole}

        sent, more = _on_engine(ctx, profile, work)
    if as_json:
        write_json({"sent": sent, **more})
        return
    of = ""
    if more:
        of = f" of {_many(more['users'], 'user')}; of {_many(more['whole'], 'user')} all were there already"
    write_lines([f"{_many(sent, 'message')} sent{of}"])


def _elsewhere(user: str, tenant: str, others: tuple[str, ...]) -> str:
    """Where a user's messages are who has none under this tenant: told to whoever has the store in hand, and no tool."""
    return (
        f"{user} has no messages under the tenant {tenant}, and has some under {', '.join(others)}: a profile is a tenant of "
        f"its own, also one that extends another, unless it says `tenant: {others[0]}`"
    )


def _many(count: int, what: str) -> str:
    return f"{count:,} {what}" if count == 1 else f"{count:,} {what}s"


def _principal(profile: Profile, user: str | None, sessions: tuple[str, ...]) -> Principal:
    from qx.operation import Principal
    from qx_chatlog.index.logstore import check

    who = Principal(tenant=profile.tenant, user=user, sessions=frozenset(sessions) or None)
    check(who)
    return who


def _on_engine(ctx: click.Context, profile: Profile, work: Callable[[Engine], Coroutine[Any, Any, T]]) -> T:
    async def opened() -> T:
        async with open_engine(profile, ctx) as engine:
            return await work(engine)

    return run(opened())
