"""``qx schema``."""

from __future__ import annotations

from pathlib import Path

import click

from qx.cli.state import common_options

NAMES = (
    *("understanding", "expansion", "search", "index", "prompts", "plugins", "doctor", "cache", "profiles", "profile"),
    *("eval", "eval-understand", "eval-pack", "eval-judge", "eval-sheet"),
    *("ab", "ab-plan", "tune", "query", "pack", "usage", "profile-diff"),
)


@click.command()
@common_options
@click.argument("name", type=click.Choice(NAMES), required=False)
@click.option(
    "--write",
    metavar="FOLDER",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write all of them to a folder instead.",
)
def command(name: str | None, write: Path | None) -> None:
    """Print the JSON Schema of an output, of a query or of a pack (that of profiles' files: qx profile schema)."""
    from qx.cli import schemas

    if write is not None:
        for path in schemas.write(write):
            click.echo(str(path))
    elif name is None:
        raise click.UsageError(f"name one of {', '.join(NAMES)}")
    else:
        click.echo(schemas.text(name), nl=False)
