"""``qx chat import``."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from qx.cli.public import (
    ProfileChoice,
    Progress,
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
    from qx.settings import Profile
    from qx_chatlog.importing.running import Report

_TOLD = 20
"""Refused records that are shown; the rest is counted."""


@click.command("import")
@click.argument("file", type=click.Path(path_type=Path))
@profile_options
@click.option("--format", "format", metavar="FORMAT", help="Of the file; left out, it is told from what is in it.")
@click.option("--user", metavar="USER", help="Whose log it is, where the rows do not say it.")
@click.option(
    "--session", metavar="SESSION", help="The conversation, where the rows do not say it: else the file's name."
)
@click.option("--zone", metavar="ZONE", help="The time zone of times without one: else the profile's.")
@click.option("--start", metavar="TIME", help="When it began, for messages without times: each a second later.")
@click.option("--dates", type=click.Choice(["day-first", "month-first"]), help="How 3/4/2026 is meant.")
@click.option("--dry-run", is_flag=True, help="Only say what would be stored, and what is refused.")
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
@click.pass_context
def import_(ctx: click.Context, choice: ProfileChoice, file: Path, as_json: bool, dry_run: bool, **given: Any) -> None:
    """Add the messages of FILE to the chat log.

    FILE is JSON lines of our own, a message list of OpenAI or Anthropic, an export of ChatGPT, Claude, Slack or WhatsApp,
    a sample of LoCoMo, or a group chat in JSON.  What is there already is passed over: an import that was interrupted
    goes on where it stopped when it is called again.
    """
    profile = load(choice, ctx)
    with Progress(quiet=state_of(ctx).quiet, logged=True) as progress:
        report = run(_imported(ctx, profile, file, dry_run, given, progress))
    if as_json:
        write_json(_plain(report, dry_run))
    else:
        write_lines([_said(report, dry_run)])
        for refused in report.reasons[:_TOLD]:
            note(str(refused))
        if report.refused > _TOLD:
            note(f"… and {report.refused - _TOLD:,} more refused; --json lists up to 1,000")
        if report.changed:
            note(f"kept as they were, though the file has other words: {', '.join(report.changed[:5])}")
        if report.replaced:
            shown = ", ".join(report.replaced[:_TOLD])
            note(f"zero bytes and halves of characters were replaced by U+FFFD in {len(report.replaced):,}: {shown}")
    if report.refused and not (report.added or report.known):
        ctx.exit(2)


async def _imported(
    ctx: click.Context, profile: Profile, file: Path, dry_run: bool, given: dict[str, Any], progress: Progress
) -> Report:
    from qx_chatlog.importing.formats import read
    from qx_chatlog.importing.running import run as run_import
    from qx_chatlog.redaction import importing

    defaults = _given(profile, given)

    def tell(report: Report) -> None:
        done = report.added + report.known
        progress.show(f"{file.name}: {done:,} messages ({done / max(progress.seconds, 0.01):,.0f} a second)")

    entries = read(file, defaults, given["format"])
    if dry_run:
        return await run_import(None, entries, defaults, file.stem, tell=tell)
    async with open_engine(profile, ctx) as engine:
        section = await engine.section("chat")
        change = importing(section.settings.redact)
        describe = await section.describing(file)
        try:
            return await run_import(
                section.store, entries, defaults, file.stem, tell=tell, change=change, describe=describe
            )
        finally:
            if describe is not None:
                await describe.aclose()
                note(f"{describe.done:,} pictures and recordings described, {len(describe.failed):,} not")
                for name, reason in describe.failed[:_TOLD]:
                    note(f"not described: {name}: {reason}")


def _given(profile: Profile, given: dict[str, Any]) -> Any:
    from zoneinfo import ZoneInfo

    from qx.errors import UsageError
    from qx.zones import is_zone, zone_hint
    from qx_chatlog.importing.entry import Given

    zone = given["zone"] or profile.timezone
    if not is_zone(zone):
        raise UsageError(f"no time zone is called {zone!r}: {zone_hint(zone)}")
    start: datetime | None = None
    if given["start"]:
        try:
            start = datetime.fromisoformat(given["start"])
        except ValueError:
            raise UsageError(f"--start {given['start']!r} is not a time such as 2026-11-29T12:00") from None
        start = start if start.tzinfo else start.replace(tzinfo=ZoneInfo(zone))
    return Given(
        tenant=profile.tenant,
        user=given["user"],
        session=given["session"],
        zone=zone,
        start=start,
        dates=given["dates"],
    )


def _said(report: Report, dry_run: bool) -> str:
    if dry_run:
        return f"{report.added:,} messages can be stored, {report.refused:,} refused (nothing was stored)"
    return f"{report.added:,} messages added, {report.known:,} were there already, {report.refused:,} refused"


def _plain(report: Report, dry_run: bool) -> dict[str, Any]:
    return {
        "added": report.added,
        "known": report.known,
        "refused": report.refused,
        "reasons": [{"place": one.place, "reason": one.reason} for one in report.reasons],
        "changed": report.changed,
        "replaced": report.replaced,
        "dry_run": dry_run,
    }
