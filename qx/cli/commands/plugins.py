"""``qx plugins``."""

from __future__ import annotations

import click

from qx.cli.output import Node, is_terminal, write_json, write_rows, write_story
from qx.cli.state import common_options, state_of


@click.command()
@common_options
@click.option("--json", "as_json", is_flag=True, help="Print the list as one JSON document.")
@click.pass_context
def command(ctx: click.Context, as_json: bool) -> None:
    """List the plugins: what each brings, and the reason where one is out.

    QX_PLUGINS=a,b allows only those; QX_DISABLE=a blocks; QX_STRICT=1 makes any failure an error.
    """
    report = state_of(ctx).plugins().report()
    if as_json:
        write_json(report)
        return
    if not is_terminal():
        write_rows((p.name, p.version, p.origin, p.status, p.reason, " ".join(p.contributions)) for p in report)
        return
    root = Node("", "plugins", f"{len(report)}")
    for plugin in report:
        named = f"{plugin.name} {plugin.version}".strip()
        line = root.add("", named, plugin.origin if plugin.origin != plugin.name else "")
        if plugin.status != "ok" or plugin.reason:
            line.add(plugin.status, plugin.reason)
        kinds: dict[str, list[str]] = {}
        for contribution in plugin.contributions:
            kind, _, name = contribution.partition(":")
            kinds.setdefault(kind, []).append(name)
        for kind, names in kinds.items():
            line.add(kind.replace("_", " "), ", ".join(names))
    write_story(root)
