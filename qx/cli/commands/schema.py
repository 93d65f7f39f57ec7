"""``qx schema``."""

from __future__ import annotations

import click

from qx.cli.state import common_options

NAMES = ("understanding", "expansion", "prompts", "plugins", "doctor", "cache", "query")


@click.command()
@common_options
@click.argument("name", type=click.Choice(NAMES))
def command(name: str) -> None:
    """Print the JSON Schema of an output (that of profiles: qx profile schema)."""
    from qx.cli.schemas import text

    click.echo(text(name), nl=False)
