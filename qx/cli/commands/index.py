"""``qx index``."""

from __future__ import annotations

import asyncio
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from qx.cli.output import note, write_json
from qx.cli.request import ProfileChoice, profile_options
from qx.cli.session import load, open_engine
from qx.cli.state import state_of

if TYPE_CHECKING:
    from qx.engine import Engine
    from qx.indexing.writing import Summary


@click.command()
@profile_options
@click.argument("files", nargs=-1, type=click.Path(path_type=Path), metavar="FILE…")
@click.option("--backend", metavar="NAME", help="Which of the profile's backends; needed where it has several.")
@click.option("--adopt", is_flag=True, help="Write also to an index that qx did not make.")
@click.option("--dry-run", is_flag=True, help="Read everything and say what would happen; write nothing.")
@click.option("--sync", is_flag=True, help="Remove what is indexed but not in FILE….")
@click.option(
    "--delete",
    "deleting",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Remove the ids of this file, one a line, instead of adding.",
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
    if not files and deleting is None:
        raise click.UsageError("name at least one FILE, or --delete FILE")
    if dry_run:
        _dry(files, strict=strict, as_json=as_json)
        return
    profile = load(choice, ctx)
    quiet = state_of(ctx).quiet

    async def run() -> Summary:
        async with open_engine(profile, ctx) as engine:
            if deleting is not None:
                return await _delete(engine, backend, deleting)
            return await engine.indexer(backend).run(
                files, adopt=adopt, sync=sync, strict=strict, progress=_Progress(quiet=quiet)
            )

    _report(asyncio.run(run()), as_json=as_json)


async def _delete(engine: Engine, backend: str | None, path: Path) -> Summary:
    from qx.indexing.writing import Summary

    listed = await asyncio.to_thread(path.read_text, encoding="utf-8-sig")
    ids = [line.rstrip("\r\n") for line in listed.splitlines() if line.strip()]
    return Summary(deleted=await engine.indexer(backend).delete(ids))


def _dry(files: tuple[Path, ...], *, strict: bool, as_json: bool) -> None:
    from qx.indexing.reading import Bad, files_of, read
    from qx.indexing.writing import Summary

    summary = Summary()
    for path in files_of(files):
        for record in read(path):
            if not isinstance(record, Bad):
                summary.indexed += 1
            elif strict:
                raise click.UsageError(str(record))
            else:
                summary.skipped.append(record)
    _report(summary, as_json=as_json, dry=True)


def _report(summary: Summary, *, as_json: bool, dry: bool = False) -> None:
    for bad in summary.skipped:
        click.echo(str(bad), err=True)
    if as_json:
        skipped = [{"place": bad.place, "reason": bad.reason} for bad in summary.skipped]
        write_json(
            {
                "indexed": summary.indexed,
                "resumed": summary.resumed,
                "deleted": summary.deleted,
                "skipped": skipped,
                "dry_run": dry,
            }
        )
        return
    parts = [f"{summary.indexed} documents {'would be ' if dry else ''}indexed"]
    parts += [f"{summary.resumed} were there from a run that was cut off"] if summary.resumed else []
    parts += [f"{summary.deleted} removed"] if summary.deleted else []
    parts += [f"{len(summary.skipped)} skipped"] if summary.skipped else []
    click.echo(", ".join(parts))


class _Progress:
    """A line on standard error that a person can watch; nothing for a pipe."""

    def __init__(self, *, quiet: bool) -> None:
        self._shown = sys.stderr.isatty() and not quiet
        self._began = time.monotonic()

    def __call__(self, summary: Any, path: Path) -> None:
        if self._shown:
            rate = summary.indexed / max(0.001, time.monotonic() - self._began)
            note(f"{path.name}: {summary.indexed + summary.resumed} documents ({rate:.0f} a second)")
