"""``qx schema``."""

from __future__ import annotations

from pathlib import Path

import click

from qx.cli.options import is_given
from qx.cli.output import write_json
from qx.cli.state import common_options, state_of
from qx.cli.streams import printing_to_stderr

NAMES = (
    *("understanding", "expansion", "search", "index", "prompts", "plugins", "doctor", "cache", "profiles", "profile"),
    *("eval", "eval-understand", "eval-pack", "eval-judge", "eval-sheet"),
    *("ab", "ab-plan", "tune", "query", "pack", "usage", "profile-diff", "plugin", "plugin-check"),
)


PARTS = ("function", "request", "events", "result")


@click.command()
@common_options
@click.argument("name", type=click.Choice((*NAMES, "operation")), required=False)
@click.argument("operation", metavar="[OPERATION]", required=False)
@click.option(
    "--part",
    type=click.Choice(PARTS),
    default="function",
    show_default=True,
    help="Of an operation: the tool that a model may call, or one of its models.",
)
@click.option(
    "--write",
    metavar="FOLDER",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write all of them to a folder instead.",
)
@click.pass_context
def command(ctx: click.Context, name: str | None, operation: str | None, part: str, write: Path | None) -> None:
    """Print the JSON Schema of an output, of a query or of a pack (that of profiles' files: qx profile schema).

    With "operation NAME", print an operation of a plugin as a tool that a model may call.
    """
    from qx.cli import schemas

    if name == "operation":
        write_json(_of_operation(ctx, operation, part))
    elif operation is not None or is_given(ctx, "part"):
        raise click.UsageError(
            f"a second name and --part go with 'operation' alone: qx schema operation {operation or 'NAME'}"
        )
    elif write is not None:
        for path in schemas.write(write):
            click.echo(str(path))
    elif name is None:
        raise click.UsageError(f"name one of {', '.join(NAMES)}; or 'operation' and one of those")
    else:
        click.echo(schemas.text(name), nl=False)


def _of_operation(ctx: click.Context, name: str | None, part: str) -> object:
    """The tool of an operation in the form of function calling, or one of its models."""
    from qx.operations.declared import declared

    registry = state_of(ctx).plugins().registry("operations")
    if name is None:
        raise click.UsageError(f"name an operation: {', '.join(registry.names()) or 'no plugin here brings one'}")
    with printing_to_stderr():
        found = declared(name, registry.get(name))
    if part == "request":
        return found.request.model_json_schema()
    if part == "result":
        return found.result.model_json_schema(mode="serialization")
    if part == "events":
        return {event: model.model_json_schema(mode="serialization") for event, model in found.events.items()}
    tool = found.tool()
    function = {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
    return {"type": "function", "function": function}
