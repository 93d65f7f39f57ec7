"""``qx profile``: the YAML files that say how qx works for one tenant."""

from __future__ import annotations

import json
import re
from pathlib import Path

import click

from qx.cli.failures import tell
from qx.cli.local_indexes import local_mismatches, misnamed_fields
from qx.cli.output import Node, is_terminal, printable, write_json, write_lines, write_rows, write_story
from qx.cli.request import ProfileChoice, complete_profile, env_file_option
from qx.cli.session import load_whole, read_env
from qx.cli.state import common_options, state_of
from qx.cli.streams import printing_to_stderr


@click.group()
def command() -> None:
    """List, show, compare, check and make profiles.

    A profile is found as a file, in ./profiles, in $QX_HOME/profiles or among the built-in ones, in this order.
    """


@command.command("list", short_help="List the profiles that can be named.")
@common_options
@click.option("--json", "as_json", is_flag=True, help="Print the list as one JSON document.")
def list_(as_json: bool) -> None:
    """List the profiles that can be named, in the order in which they are looked for."""
    from qx.profiles import list_profiles

    read_env(None)
    found = list_profiles()
    if as_json:
        write_json(found)
    elif is_terminal():
        root = Node("", "profiles", f"{len(found)}")
        for profile in found:
            hidden = ", hidden by the one of the same name above" if profile.shadowed else ""
            root.add("", profile.name, f"{profile.origin}{hidden}: {profile.path}")
        write_story(root)
    else:
        write_rows((p.name, p.origin, str(p.path), "shadowed" if p.shadowed else "") for p in found)


_name = click.argument("name", metavar="[NAME|FILE]", required=False, shell_complete=complete_profile)


@command.command(short_help="Print a profile as it works, and where each value is from.")
@_name
@env_file_option
@common_options
@click.option("--json", "as_json", is_flag=True, help="Print the profile as one JSON document.")
@click.pass_context
def show(ctx: click.Context, name: str | None, env_file: Path | None, as_json: bool) -> None:
    """Print a profile as it works, every value with where it comes from, secrets masked.

    Where two packs claim the same, the first one wins; the last lines say so.
    """
    from qx.cli.profile_text import profile_lines
    from qx.gathering import gather_knowledge
    from qx.profiles import shown

    state = state_of(ctx)
    loaded = load_whole(ProfileChoice(name, env_file), ctx)
    if as_json:
        write_json(shown(loaded.profile))
        return
    knowledge = gather_knowledge(loaded.profile, state.plugins().only(loaded.profile.plugins), loaded.packs)
    write_lines(map(state.redact, profile_lines(loaded, knowledge.conflicts)))


@command.command(short_help="Check a profile and say what is wrong: file, line, what to do.")
@click.argument("name", metavar="[NAME|FILE|FOLDER]", required=False, shell_complete=complete_profile)
@env_file_option
@common_options
@click.pass_context
def check(ctx: click.Context, name: str | None, env_file: Path | None) -> None:
    """Check a profile with its packs and what its plugins accept, and say what is wrong: file, line, what to do.

    Of a folder, each tenant's profile is checked, and what is wrong with any of them is said.  Of an index in a folder that is there it also says where its documents and the fields do not go together.  Nothing
    else is opened: no file is made, no model and no server is asked (that is for qx doctor).
    """
    if name is None or not Path(name).is_dir():
        _check(name, env_file, ctx)
        return
    from qx.errors import QxError
    from qx.tenants import TenantFolder

    codes = set[int]()
    folder = TenantFolder(Path(name))
    folder.look()
    for path in folder.profiles:
        try:
            _check(str(path), env_file, ctx)
        except QxError as error:
            tell(str(error), state_of(ctx))
            codes.add(error.exit_code)
    if codes:
        ctx.exit(max(codes))


def _check(name: str | None, env_file: Path | None, ctx: click.Context) -> None:
    from qx.gathering import check as check_further
    from qx.packs import lint_domains, read_domains

    loaded = load_whole(ProfileChoice(name, env_file), ctx)
    profile = loaded.profile
    with printing_to_stderr():
        plugins = state_of(ctx).plugins()
        visible = plugins.only(profile.plugins)
        read = read_domains(profile, visible, loaded.packs)
        check_further(profile, plugins, read)
        for said in lint_domains(profile, visible, read, locate=loaded.layers.place):
            click.echo(f"warning: {printable(state_of(ctx).redact(said))}", err=True)
    for said in (*misnamed_fields(profile, plugins), *local_mismatches(profile, ctx)):
        click.echo(f"warning: {printable(state_of(ctx).redact(said))}", err=True)
    click.echo(f"{profile.source or profile.name}: ok")


@command.command(short_help="Tell where two profiles differ, and why.")
@click.argument("a", metavar="A", shell_complete=complete_profile)
@click.argument("b", metavar="B", shell_complete=complete_profile)
@env_file_option
@common_options
@click.option("--json", "as_json", is_flag=True, help="Print the differences as one JSON document.")
@click.pass_context
def diff(ctx: click.Context, a: str, b: str, env_file: Path | None, as_json: bool) -> None:
    """Tell where two profiles differ as they work: each key with both values, and where each value comes from.

    What they inherit counts, how it is written does not.  Two secrets may differ; neither is shown.
    """
    from qx.profiles import differences

    state = state_of(ctx)
    one, two = (load_whole(ProfileChoice(name, env_file), ctx) for name in (a, b))
    differing = differences((one.profile, one.layers), (two.profile, two.layers))
    if as_json:
        write_json(differing)
    elif is_terminal():
        root = Node("", f"{a} and {b}", f"{len(differing)} of their keys differ")
        for each in differing:
            node = root.add("", each.path)
            node.add(a, state.redact(_inline(each.a)), each.a_source)
            node.add(b, state.redact(_inline(each.b)), each.b_source)
        write_story(root)
    else:
        write_rows(
            (each.path, state.redact(_inline(each.a)), state.redact(_inline(each.b)), each.a_source, each.b_source)
            for each in differing
        )


def _inline(item: object) -> str:
    return json.dumps(item, ensure_ascii=False)


@command.command(short_help="Print the JSON Schema of profiles, for editors.")
@common_options
@click.pass_context
def schema(ctx: click.Context) -> None:
    """Print the JSON Schema of profiles, for editors: with the names and settings of what is installed."""
    from qx.profiles import profile_schema

    with printing_to_stderr():
        made = profile_schema(state_of(ctx).plugins())
    write_json(made)


@command.command(short_help="Write a new profile, with what there is to set.")
@click.argument("name")
@click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("profiles"),
    show_default=True,
    help="Where to write it.",
)
@click.option("--extends", default="default", show_default=True, help="The profile that it builds on.")
@click.option("--force", is_flag=True, help="Write over a file that is there.")
@click.option(
    "--from-index",
    metavar="BLOCK|PROFILE",
    help="Look into an index and propose its fields: '{type: local, path: index}', or a profile that names a backend.",
)
@click.option("--backend", metavar="NAME", help="With --from-index: which backend of a profile that has several.")
@env_file_option
@common_options
@click.pass_context
def new(
    ctx: click.Context,
    name: str,
    folder: Path,
    extends: str,
    force: bool,
    from_index: str | None,
    backend: str | None,
    env_file: Path | None,
) -> None:
    """Write profiles/NAME.yaml, with what there is to set as comments.

    With --from-index it has the fields of an index that is there, their types, scales and units, as far as names and
    values tell; relative paths of a BLOCK start at the new profile's folder.
    """
    from qx.cli.profile_text import TEMPLATE

    if not re.fullmatch(r"\w[\w.-]{0,63}", name):
        raise click.UsageError(f"{name!r} cannot be a profile's name: letters, digits, '-', '_' and '.'")
    path = folder / f"{name}.yaml"
    if path.exists() and not force:
        raise click.UsageError(f"{path} is there already; --force writes over it")
    if from_index is not None:
        from qx.cli.from_index import new_from_index

        new_from_index(ctx, name, path, from_index, extends=extends, backend=backend, env_file=env_file)
        click.echo(f"{path}: written; `qx profile check {name}` checks it, `qx search -p {name} TEXT` uses it")
        return
    variable = re.sub(r"\W", "_", name).upper()
    text = TEMPLATE.format(name=name, extends=json.dumps(extends, ensure_ascii=False), variable=variable)
    folder.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    click.echo(f"{path}: written; `qx profile check {name}` checks it, `qx expand -p {name} TEXT` uses it")
