"""The commands that plugins bring, their own and those of their operations; found without importing any of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from qx.cli.state import state_of
from qx.cli.streams import printing_to_stderr

if TYPE_CHECKING:
    from qx.registry import Registry

_KINDS = ("operations", "commands")


def plugin_commands(ctx: click.Context) -> dict[str, str]:
    """Return the commands that plugins add, and what help says of each.  Whatever is wrong with one stays with it."""
    try:
        return dict(sorted(_lines(ctx, "")))
    except Exception as error:  # noqa: BLE001 help must work whatever is installed; `qx plugins` has the reason
        click.echo(f"warning: plugins cannot be listed: {error}", err=True)
        return {}


def plugin_command(ctx: click.Context, name: str) -> click.Command | None:
    """Return the command ``name`` or ``GROUP.NAME`` of a plugin, imported now; a group's commands are not.

    Raises:
        PluginError: its plugin is broken, blocked, or not the only one that claims it.
    """
    operations, commands = _registry(ctx, "operations"), _registry(ctx, "commands")
    for registry in (commands, operations):
        if registry.is_refused(name) and name not in operations and name not in commands:
            registry.check(name)
    if name in commands:
        return _own(commands, name)
    if name in operations:
        return _of_operation(operations, name)
    below = dict(sorted(_lines(ctx, f"{name}.")))
    return _Group(name, below) if below and "." not in name else None


def _lines(ctx: click.Context, prefix: str) -> Iterator[tuple[str, str]]:
    """Names below ``prefix``, each with the line that help shows of it."""
    groups: dict[str, dict[str, str]] = {}
    for registry in [_registry(ctx, kind) for kind in _KINDS]:
        for full in registry.names():
            if not full.startswith(prefix):
                continue
            name, dot, rest = full.removeprefix(prefix).partition(".")
            if dot:
                groups.setdefault(name, {})[rest] = registry.origin(full)
            else:
                groups.pop(name, None)
                yield name, registry.help(full) or f"of the plugin {registry.origin(full)}"
    for name, below in groups.items():
        origins = ", ".join(dict.fromkeys(below.values()))
        yield name, f"{', '.join(sorted(below))}: of the plugin {origins}"


def _registry(ctx: click.Context, kind: str) -> Registry:
    return state_of(ctx).plugins().registry(kind)


def _own(registry: Registry, name: str) -> click.Command:
    from qx.errors import PluginError

    with printing_to_stderr():
        found = registry.get(name)
    if not isinstance(found, click.Command):
        raise PluginError(f"the command {name!r} is a {type(found).__name__}, not a click.Command", plugin=name)
    return found


def _of_operation(registry: Registry, name: str) -> click.Command:
    from qx.cli.operation_command import operation_command
    from qx.operations.declared import declared

    with printing_to_stderr():
        return operation_command(declared(name, registry.get(name)))


class _Group(click.Group):
    """Commands ``GROUP.NAME`` of plugins, as ``qx GROUP NAME``."""

    def __init__(self, name: str, lines: dict[str, str]) -> None:
        super().__init__(name, help=f"Commands of plugins: {', '.join(lines)}.")
        self._lines = lines

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self._lines)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return plugin_command(ctx, f"{self.name}.{cmd_name}") if cmd_name in self._lines else None

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """Find the command, or say which one may be meant."""
        if args[0] not in self._lines and not ctx.resilient_parsing:
            from qx.registry import suggest

            near = suggest(args[0], self._lines)
            ctx.fail(f"No such command {args[0]!r}{': ' if near else ''}{near or ''}")
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[Any]:
        """Complete the names without importing what they stand for."""
        from click.shell_completion import CompletionItem

        found = [CompletionItem(name, help=said) for name, said in self._lines.items() if name.startswith(incomplete)]
        return found + click.Command.shell_complete(self, ctx, incomplete)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(self._lines.items()))
