"""``qx eval pack``: a domain pack's own evaluation set, with the pack and without it."""

from __future__ import annotations

import click

from qx.cli.commands.evaluation.provenance import provenance
from qx.cli.commands.evaluation.understand import reading_options, run_rows, with_mode
from qx.cli.output import write_json, write_lines
from qx.cli.request import ProfileChoice
from qx.cli.session import load
from qx.cli.state import state_of
from qx.cli.streams import printing_to_stderr


@click.command()
@click.argument("name", metavar="NAME|FOLDER")
@reading_options
@click.option(
    "--set", "only", multiple=True, metavar="NAME", help="Only the rows of NAME.jsonl; may be given several times."
)
@click.option("--json", "as_json", is_flag=True, help="Print both reports as one JSON document.")
@click.pass_context
def command(
    ctx: click.Context,
    name: str,
    choice: ProfileChoice,
    mode: str | None,
    concurrency: int | None,
    fresh: bool,
    failed: int,
    only: tuple[str, ...],
    as_json: bool,
) -> None:
    """Run a domain pack's own evaluation set, with the pack and without it, side by side.

    NAME is an installed pack, FOLDER one with a pack.yaml; the set is what lies in eval/*.jsonl beside it. Without
    --mode it is read as the profile says: by rules where it names no model.
    """
    from qx.eval.packs import PackReport, evaluation_files, read_set, with_pack, without_pack
    from qx.eval.understanding import report, unscorable
    from qx.eval.understanding.table import pack_lines
    from qx.gathering import gather_knowledge

    with printing_to_stderr():  # to find a pack's files imports its package
        files = evaluation_files(name, state_of(ctx).plugins(), only)
    rows = read_set(files)
    profile = with_pack(with_mode(load(choice, ctx), mode), name, own=choice.profile is not None)
    read = run_rows(ctx, rows, profile, concurrency, fresh=fresh)
    having = report(f"with {name}", profile, read)
    lacking = without_pack(profile, name)
    notes = list(unscorable(rows, gather_knowledge(profile, state_of(ctx).plugins())))
    if lacking is None:
        notes.append(f"every profile has the pack {name!r}: there is no reading without it")
    bare = None
    if lacking is not None:
        others = run_rows(ctx, rows, lacking, concurrency, fresh=fresh)
        bare = report(f"without {name}", lacking, others, kinds=[row.kind for row in read])
    made = PackReport(
        pack=name,
        files=tuple(file.name for file in files),
        rows=len(rows),
        with_pack=having,
        without_pack=bare,
        notes=tuple(notes),
        provenance=provenance(ctx),
    )
    if as_json:
        write_json(made)
    else:
        write_lines(pack_lines(made, failed=failed))
