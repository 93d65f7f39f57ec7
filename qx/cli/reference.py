"""The page ``docs/cli.md``: every command's help, from the commands themselves."""

from __future__ import annotations

from collections.abc import Iterator

import click

from qx.cli.app import COMMANDS, cli
from qx.cli.state import State

_WIDTH = 100
_HELP = ["-h", "--help"]
_HEAD = """\
# The command line

<!-- generated from the commands' own help by qx.cli.reference: change it there -->

Results go to standard output, all else (logs, notes, errors) to standard error. A terminal gets trees, a pipe plain
text without colour; `--json` prints exactly one JSON document, whose schema is in [schemas](schemas) (`qx schema NAME`
prints it). `.env` in the working directory is read; what the environment already sets wins.
"""


def page() -> str:
    """Return the page as Markdown."""
    parts = [_HEAD]
    for path, command in commands():
        level = "##" if len(path) < 3 else "###"
        context = _context(path, command)
        parts.append(f"{level} `{' '.join(path)}`\n\n```text\n{command.get_help(context).rstrip()}\n```\n")
    return "\n".join(parts)


def commands() -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Yield every command of qx itself with its path; those of plugins are theirs to document."""
    yield ("qx",), cli
    context = _context(("qx",), cli)
    for name in COMMANDS:
        command = cli.get_command(context, name)
        if command is None:
            raise click.UsageError(f"the command {name} is missing")
        yield from _with_children(("qx", name), command)


def _with_children(path: tuple[str, ...], command: click.Command) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    yield path, command
    if isinstance(command, click.Group):
        context = _context(path, command)
        for name in command.list_commands(context):
            child = command.get_command(context, name)
            if child is None:
                raise click.UsageError(f"the command {' '.join(path)} {name} is missing")
            yield from _with_children((*path, name), child)


def _context(path: tuple[str, ...], command: click.Command) -> click.Context:
    """The context in which the program itself would print this command's help, at a width of its own."""
    context: click.Context | None = None
    for name in path[:-1]:
        parent = cli if context is None else _Named(name)
        context = click.Context(parent, parent=context, info_name=name, help_option_names=_HELP)
    return click.Context(
        command,
        parent=context,
        obj=_bare() if context is None else None,
        info_name=path[-1],
        max_content_width=_WIDTH,
        terminal_width=_WIDTH,
        help_option_names=_HELP,
    )


def _bare() -> State:
    """A run where no plugin is installed: what plugins add is theirs to document."""
    from qx.plugins import Plugins

    return State(_plugins=Plugins.load(allow=()))


class _Named(click.Command):
    """A parent that only lends its name to the usage line."""


if __name__ == "__main__":
    click.echo(page(), nl=False)
