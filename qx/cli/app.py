"""The program: its commands, its global options, and what becomes of errors."""

from __future__ import annotations

import importlib
import os
import sys
from typing import Any, cast

import click

from qx.cli.failures import guarded
from qx.cli.plugin_commands import plugin_command, plugin_commands
from qx.cli.state import State, common_options, state_of
from qx.cli.streams import flush_stderr

COMMANDS = {
    "understand": "Read a query: intent, entities, constraints, needs, mood.",
    "expand": "Turn a query into the queries to run.",
    "explain": "Tell how a query was read and expanded, step by step.",
    "index": "Bring documents into a search backend.",
    "search": "Search with a query and its expansions; one ranked list.",
    "eval": "Prove what expanding queries brings: on your own queries, with intervals.",
    "ab": "Test two ways of searching on your users: plan, assign, report.",
    "tune": "Search for the settings that prove better on your queries; write a new profile.",
    "doctor": "Check the installation: versions, keys, does the model answer.",
    "profile": "List, show, compare, check and make profiles.",
    "new": "Make a plugin: a whole package whose tests pass at once.",
    "plugins": "List the plugins, with the reason where one is out.",
    "cache": "Count or forget what is cached.",
    "usage": "Tell what tenants spent, and what is left of the day.",
    "cassette": "Record a model's answers anew, for tests without a network.",
    "schema": "Print the JSON Schema of an output.",
    "completion": "Print the completion script for a shell.",
}
"""Each is the module ``qx.cli.commands.NAME`` with a ``command``; what help shows is here, so that help imports none."""

EPILOG = """\b
Exit codes:
  0    done, also where a step fell back to a simpler way ("degraded" says so)
  2    the command line is wrong
  3    a profile, setting, plugin or file is wrong
  4    a model or backend failed and there is nothing to return, or the output cannot be written
  5    a fault inside qx
  6    a check failed: a gate, a judge's agreement, an A/B test's users, a plugin's suite
  7    not allowed: another tenant, a path or an address out of bounds
  130  stopped by Ctrl-C          141  the reader of the pipe went away

\b
A query is one argument or several; one that begins with "-" goes after "--".
Try:  qx expand 'cheap linen shirt for summer, not white'
"""


class LazyGroup(click.Group):
    """A group that knows its commands by name and imports one when it is called."""

    def main(self, *args: Any, standalone_mode: bool = True, **extra: Any) -> Any:
        """Run the program and end the process with its exit code; see ``qx.cli.failures`` for errors."""
        extra.setdefault("prog_name", "qx")
        if not standalone_mode:
            return super().main(*args, standalone_mode=False, **extra)
        state = extra.setdefault("obj", State())
        program = super().main
        code = guarded(lambda: program(*args, standalone_mode=False, **extra), state)
        closing = sys.modules.get("qx.closing")
        flush_stderr()
        if closing is not None and closing.left_behind():
            os._exit(code)  # Python's own end would wait for a thread that hangs; standard output is flushed by now
        sys.exit(code)

    def make_context(self, *args: Any, **extra: Any) -> click.Context:
        """Read the command line; a reader that goes away while help is printed ends it without a word."""
        try:
            return super().make_context(*args, **extra)
        except BrokenPipeError:
            raise click.exceptions.Exit(141) from None

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*COMMANDS, *(name for name in plugin_commands(ctx) if name not in COMMANDS)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in COMMANDS:
            return cast(click.Command, importlib.import_module(f"qx.cli.commands.{cmd_name}").command)
        return plugin_command(ctx, cmd_name)

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """Find the command, or say which one may be meant."""
        if self.get_command(ctx, args[0]) is None and not ctx.resilient_parsing:
            from qx.names import RESERVED_FOR
            from qx.registry import suggest

            comes_with = RESERVED_FOR.get(args[0])
            near = f"it comes with {comes_with}" if comes_with else suggest(args[0], self.list_commands(ctx))
            ctx.fail(f"No such command {args[0]!r}{': ' if near else ''}{near or ''}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))
        rows = [(name, why) for name, why in plugin_commands(ctx).items() if name not in COMMANDS]
        if rows:
            with formatter.section("Commands of plugins"):
                formatter.write_dl(rows)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[Any]:
        """Complete the commands' names from the table: a command's own module is not imported for it."""
        from click.shell_completion import CompletionItem

        names = {**COMMANDS, **{name: why for name, why in plugin_commands(ctx).items() if name not in COMMANDS}}
        found = [CompletionItem(name, help=text) for name, text in names.items() if name.startswith(incomplete)]
        return found + click.Command.shell_complete(self, ctx, incomplete)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; Ctrl-C and a reader that went away end it without a word."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            ctx.exit(130)
        except BrokenPipeError:
            ctx.exit(141)


def _version(ctx: click.Context, _parameter: click.Parameter, asked: bool) -> None:
    if asked and not ctx.resilient_parsing:
        from importlib.metadata import version

        click.echo(f"qx {version('qx-query')}")
        ctx.exit()


@click.group(
    cls=LazyGroup,
    epilog=EPILOG,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    no_args_is_help=True,
)
@click.option(
    "--version",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_version,
    help="Show the version and exit.",
)
@common_options
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Understand a search query, expand it into the queries that find the most, and run them.

    Without a profile and a key qx works by rules alone; set OPENAI_API_KEY (in the environment or a file .env), or
    name a model in a profile (qx profile new NAME), and a model helps.
    """
    state_of(ctx).start_logging()
