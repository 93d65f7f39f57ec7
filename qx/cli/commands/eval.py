"""``qx eval``: its sub-commands are the modules of ``qx.cli.commands.evaluation``, imported when they are called."""

from __future__ import annotations

import importlib
from typing import Any, cast

import click

COMMANDS = {
    "run": "Run profiles over a dataset and compare what they find.",
    "understand": "Score how queries are read.",
    "pack": "Run a domain pack's own evaluation set.",
    "judge": "Let a model judge what was found.",
    "sheet": "Let people judge, on blind rating sheets.",
}
"""Each is a module with a ``command``; what help shows is here, so that help imports none."""


class EvalGroup(click.Group):
    """A group that imports a sub-command when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        return cast(click.Command, importlib.import_module(f"qx.cli.commands.evaluation.{cmd_name}").command)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """Find the command, or say which one may be meant."""
        if args[0] not in COMMANDS and not ctx.resilient_parsing:
            from qx.registry import suggest

            near = suggest(args[0], COMMANDS)
            ctx.fail(f"No such command {args[0]!r}{': ' if near else ''}{near or ''}")
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[Any]:
        """Complete the commands' names from the table."""
        from click.shell_completion import CompletionItem

        found = [CompletionItem(name, help=text) for name, text in COMMANDS.items() if name.startswith(incomplete)]
        return found + click.Command.shell_complete(self, ctx, incomplete)


@click.group(cls=EvalGroup)
def command() -> None:
    """Prove what expanding queries brings, or costs, on queries of your own.

    What was asked is kept under $QX_HOME/eval: the same run again asks nobody. Needs pip install 'qx-query[eval]'.
    """
