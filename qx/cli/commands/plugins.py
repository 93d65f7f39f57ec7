"""``qx plugins``: what is installed, what one brings, and whether it keeps its contracts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from qx.cli.output import Node, is_terminal, write_json, write_rows, write_story
from qx.cli.state import common_options, state_of
from qx.cli.streams import printing_to_stderr
from qx.errors import QxError

if TYPE_CHECKING:
    from qx.cli.plugin_check import CheckReport
    from qx.plugin_details import ContributionDetails, PluginDetails
    from qx.plugins import PluginInfo, Plugins


@click.group(invoke_without_command=True)
@common_options
@click.option("--json", "as_json", is_flag=True, help="Print the list as one JSON document.")
@click.pass_context
def command(ctx: click.Context, as_json: bool) -> None:
    """List the plugins: what each brings, and the reason where one is out.

    QX_PLUGINS=a,b allows only those; QX_DISABLE=a blocks; QX_STRICT=1 makes any failure an error.
    """
    if ctx.invoked_subcommand is not None:
        if as_json:
            raise click.UsageError(f"--json goes after the command: qx plugins {ctx.invoked_subcommand} --json ...")
        return
    report = _with_packs(state_of(ctx).plugins())
    if as_json:
        write_json(report)
    elif is_terminal():
        root = Node("", "plugins", f"{len(report)}")
        for plugin in report:
            kinds: dict[str, list[str]] = {}
            for contribution in plugin.contributions:
                kind, _, name = contribution.partition(":")
                kinds.setdefault(kind, []).append(name)
            line = _titled(root, plugin)
            for kind, names in kinds.items():
                line.add(kind.replace("_", " "), ", ".join(names))
        write_story(root)
    else:
        write_rows((p.name, p.version, p.origin, p.status, p.reason, " ".join(p.contributions)) for p in report)


def _with_packs(plugins: Plugins) -> list[PluginInfo]:
    """The report of all plugins; a pack's files are read for it: they say no less whether it works than code does."""
    return [_read(plugins, one) if one.status == "ok" else one for one in plugins.report()]


def _read(plugins: Plugins, one: PluginInfo) -> PluginInfo:
    from dataclasses import replace

    for kind, _, name in (contribution.partition(":") for contribution in one.contributions):
        if kind in ("packs", "taxonomies"):
            try:
                plugins.registry(kind).get(name)
            except QxError as error:
                return replace(one, status="failed", reason=" ".join(str(error).split()))
    return one


@command.command(short_help="Tell what one plugin brings, with its settings.")
@common_options
@click.argument("name", metavar="NAME")
@click.option("--json", "as_json", is_flag=True, help="Print it as one JSON document.")
@click.pass_context
def info(ctx: click.Context, name: str, as_json: bool) -> None:
    """Tell what one plugin brings: each name with what it is, and its settings with types and defaults.

    NAME is a plugin's, or its distribution's; qx's own are of the plugin qx.
    """
    from qx.plugin_details import details

    with printing_to_stderr():  # to tell settings imports them
        found = details(state_of(ctx).plugins(), name)
    if as_json:
        write_json(found)
        return
    root = Node("", name)
    for plugin in found:
        _tell(root, plugin)
    write_story(root if len(root.children) > 1 else root.children[0])


@command.command(short_help="Run the conformance suites over a plugin that is installed.")
@common_options
@click.argument("name", metavar="DIST")
@click.option("-p", "--profile", help="A profile that has settings for it: without one, its defaults are used.")
@click.option("--json", "as_json", is_flag=True, help="Print the outcome as one JSON document.")
@click.pass_context
def check(ctx: click.Context, name: str, profile: str | None, as_json: bool) -> None:
    """Run the conformance suites over a plugin that is installed: does it keep the contracts of qx?

    A backend is written to: the index that the profile names (a path starts at the profile's folder) must be empty or not
    there yet, and is emptied again; one that holds documents is left alone, and nothing is tried. What cannot be run
    (an engine that does not answer, settings that are missing) is told. Exit code 6 where a test fails, or where none of a
    contribution's could be run. Needs pytest: pip install 'qx-query[testing]'.
    """
    from qx.cli.plugin_check import check as run
    from qx.plugin_details import find

    contributions = tuple(c for plugin in find(state_of(ctx).plugins(), name) for c in plugin.contributions)
    report = run(name, contributions, profile)
    if as_json:
        write_json(report)
    else:
        write_story(_outcome(report))
    if not report.is_sound:
        ctx.exit(6)


def _titled(root: Node, plugin: PluginInfo) -> Node:
    line = root.add(
        "", f"{plugin.name} {plugin.version}".strip(), plugin.origin if plugin.origin != plugin.name else ""
    )
    if plugin.status != "ok" or plugin.reason:
        line.add(plugin.status, plugin.reason)
    return line


def _tell(root: Node, found: PluginDetails) -> None:
    line = _titled(root, found.plugin)
    for one in found.contributions:
        _tell_contribution(line, one)


def _tell_contribution(line: Node, one: ContributionDetails) -> None:
    from qx.registry import NOUNS

    item = line.add(NOUNS.get(one.kind, one.kind), one.name, one.target)
    if one.problem:
        item.add("problem", one.problem)
    if one.summary:
        item.add("", one.summary)
    for option in one.options:
        default = option.default if option.default == "must be given" else f"default {option.default}"
        item.add(option.key, f"{option.type}, {default}", option.meaning)


def _outcome(report: CheckReport) -> Node:
    root = Node("", report.plugin, report.outcome)
    for one in report.contributions:
        counts = [f"{one.passed} passed", *([f"{len(one.failed)} failed"] if one.failed else [])]
        item = root.add(one.kind, one.name, ", ".join(counts))
        for failed in one.failed:
            item.add("failed", failed.test, failed.reason)
        for reason in one.skipped:
            item.add("not run", reason)
    return root
