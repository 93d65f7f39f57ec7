"""``qx index``."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

import click

from qx.cli.index_report import IndexSummary, index_line, index_summary
from qx.cli.output import printable, write_json
from qx.cli.progress import IndexProgress
from qx.cli.request import ProfileChoice, profile_options
from qx.cli.session import load, open_engine, run
from qx.cli.state import state_of
from qx.cli.stopping import ANEW, GOES_ON, saying_how_far

if TYPE_CHECKING:
    from qx.engine import Engine


@click.command()
@profile_options
@click.argument("files", nargs=-1, type=click.Path(path_type=Path), metavar="FILE…")
@click.option("--backend", metavar="NAME", help="Which of the profile's backends; needed where it has several.")
@click.option("--adopt", is_flag=True, help="Write also to an index that qx did not make.")
@click.option(
    "--dry-run", is_flag=True, help="Read everything, ask what is there, and say what would happen; write nothing."
)
@click.option("--sync", is_flag=True, help="Remove what is indexed but not in FILE….")
@click.option(
    "--delete",
    "deleting",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Remove the ids that this file names, one a line; nothing is added.",
)
@click.option("--strict", is_flag=True, help="Stop at the first record that cannot be read (exit 2).")
@click.option("--json", "as_json", is_flag=True, help="Print what was done as one JSON document.")
@click.pass_context
def command(
    ctx: click.Context,
    choice: ProfileChoice,
    files: tuple[Path, ...],
    backend: str | None,
    adopt: bool,
    dry_run: bool,
    sync: bool,
    deleting: Path | None,
    strict: bool,
    as_json: bool,
) -> None:
    """Bring documents into a search backend; when it returns, all of them can be found.

    FILE is JSON lines (_id, title, text, url, metadata), CSV, Parquet, or a folder of text, Markdown, HTML and PDF. A
    record that cannot be read is reported on standard error and skipped. A run that was cut off goes on where it was.
    """
    _check(files, deleting, sync=sync, adopt=adopt)
    profile = load(choice, ctx)
    progress = IndexProgress(quiet=state_of(ctx).quiet)

    async def work() -> IndexSummary:
        async with open_engine(profile, ctx) as engine:
            indexer = engine.indexer(backend)
            name = engine.backend(backend).name
            if deleting is not None:
                ids = await asyncio.to_thread(read_ids, deleting)
                removed = await (indexer.plan_delete(ids) if dry_run else indexer.delete(ids))
                return index_summary(Summary(deleted=removed), name, dry=dry_run)
            if dry_run:
                return index_summary(await indexer.plan(files, sync=sync, strict=strict), name, dry=True)
            done = await indexer.run(files, adopt=adopt, sync=sync, strict=strict, progress=progress)
            return index_summary(done, name, dry=False, warnings=await _mismatches(engine, name))

    from qx.indexing.writing import Summary

    try:
        with saying_how_far(lambda: progress.far, ANEW if dry_run else GOES_ON):
            made = run(work())
    finally:
        progress.end()
    for bad in made.skipped[progress.told :]:
        click.echo(printable(str(bad)), err=True)
    for said in made.warnings:
        click.echo(f"warning: {printable(said)}", err=True)
    if as_json:
        write_json(made)
    else:
        click.echo(index_line(made, deleting=deleting is not None))


async def _mismatches(engine: Engine, name: str) -> tuple[str, ...]:
    """Where the profile's fields and what is indexed do not go together; an engine that cannot say has its documents."""
    from qx.cli.doctor import declared_fields
    from qx.errors import QxError
    from qx.indexing.mismatches import mismatches

    try:
        return await mismatches(engine.backend(name), declared_fields(engine.profile.search.backends[name]))
    except QxError:
        return ()


def _check(files: tuple[Path, ...], deleting: Path | None, *, sync: bool, adopt: bool) -> None:
    """Refuse options that contradict one another, rather than leave one of them out."""
    if not files and deleting is None:
        raise click.UsageError("name at least one FILE, or --delete FILE")
    if deleting is not None and (files or sync or adopt):
        others = "FILE…" if files else "--sync" if sync else "--adopt"
        raise click.UsageError(f"--delete removes ids and adds nothing: it does not go with {others}")


MAX_IDS = 200_000_000
"""Bytes of a file of ids."""


def read_ids(path: Path) -> list[str]:
    """Return the ids of a file, one a line; empty lines do not count.

    Raises:
        click.UsageError: it is not UTF-8.
    """
    with path.open("rb") as stream:
        data = stream.read(MAX_IDS + 1)
    if len(data) > MAX_IDS:
        raise click.UsageError(f"--delete {path}: more than {MAX_IDS // 1_000_000} MB of ids: split the file")
    try:
        lines = data.decode("utf-8-sig").split("\n")  # an id may hold what else ends a line
    except UnicodeDecodeError as error:
        raise click.UsageError(f"--delete {path}: not UTF-8") from error
    return [id for id in (line.rstrip("\r") for line in lines) if id.strip()]
