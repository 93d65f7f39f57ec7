"""``qx new``."""

from __future__ import annotations

from pathlib import Path

import click

from qx.cli.output import note, write_lines
from qx.cli.state import common_options, state_of

KINDS = ("backend", "provider", "embedder", "processor", "strategy", "domain")


@click.command()
@common_options
@click.argument("kind", type=click.Choice(KINDS))
@click.argument("name")
@click.option("--over", type=click.Choice(["http", "file"]), help="What a backend stands on; http if not given.")
@click.option(
    "--into",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path(),
    help="The folder in which the package's own is made; the current one if not given.",
)
@click.pass_context
def command(ctx: click.Context, kind: str, name: str, over: str | None, into: Path) -> None:
    """Make a plugin: a whole package, qx-query-NAME, whose tests pass at once.

    Then replace what it does by what yours does; the tests are those that every plugin of its kind passes. A domain pack
    is YAML alone. Tests need pytest: pip install 'qx-query[testing]'.
    """
    from qx.scaffold import KINDS as REGISTRIES
    from qx.scaffold import project, write

    made = project(kind, name, over)
    registry = state_of(ctx).plugins().registry(REGISTRIES[kind])
    if name in registry:
        from qx.errors import UsageError
        from qx.plugins import BUILT_IN

        if registry.origin(name) == BUILT_IN:
            raise UsageError(f"the {registry.noun} {name!r} is qx's own, and its name reserved: choose another")
        note(f"there is a {registry.noun} {name!r} already, of {registry.origin(name)}: only one can be installed")
    folder = write(made, into)
    write_lines([f"{folder}", *(f"  {path}" for path in made.files), "next:", f"  cd {folder}"])
    write_lines(["  pip install -e '.[test]'", "  pytest", f"  qx plugins info {name}"])
