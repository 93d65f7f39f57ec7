"""``qx verify ANSWER.json SOURCES.jsonl``."""

from __future__ import annotations

from pathlib import Path

import click

from qx.cli.public import Call, ProfileChoice, profile_options, state_of, write_json, write_lines


@click.command()
@profile_options
@click.argument("answer", type=click.Path(path_type=Path, allow_dash=True), metavar="ANSWER.json")
@click.argument("sources", type=click.Path(path_type=Path), metavar="SOURCES")
@click.option("--no-judge", is_flag=True, help="Check quotes, numbers and negations alone; ask no judge.")
@click.option("--json", "as_json", is_flag=True, help="Print the verdicts as one JSON document.")
@click.pass_context
def command(
    ctx: click.Context, choice: ProfileChoice, answer: Path, sources: Path, no_judge: bool, as_json: bool
) -> None:
    """Check claims against their sources; the exit code is 0 whatever the verdicts.

    ANSWER.json is what `qx answer --json` prints, {"claims": […]}, or a list of claims, each with statement, source_id
    and quote; `-` reads it from standard input. SOURCES are read as by `qx index`: JSON lines with _id, title, text, url,
    or a folder, named as it was for `qx index`.
    """
    from qx_answer.claim_files import read_claims, read_sources
    from qx_answer.verify_operation import Verified, told

    claims = read_claims(_read(answer), "standard input" if str(answer) == "-" else str(answer))
    request = {
        "claims": [{"statement": c.statement, "source_id": c.source_id, "quote": c.quote} for c in claims],
        "sources": [{"id": s.id, "text": s.text, "title": s.title, "url": s.url} for s in read_sources(sources)],
        "judge": not no_judge,
    }
    result = Call("verify", request, choice).run(ctx)
    if as_json:
        write_json(state_of(ctx).redactor().value(result.model_dump(mode="json")))
    elif isinstance(result, Verified):
        write_lines(state_of(ctx).redact(told(result)).splitlines())


def _read(path: Path) -> bytes:
    """The bytes of a file, up to more than may be.

    Raises:
        UsageError: it is not there, or cannot be read.
    """
    from qx.errors import UsageError
    from qx_answer.claim_files import MOST_BYTES

    try:
        with click.open_file(str(path), "rb") as stream:
            return stream.read(MOST_BYTES + 1)
    except OSError as error:
        reason = (
            "is not there" if isinstance(error, FileNotFoundError) else f"cannot be read: {error.strerror or error}"
        )
        raise UsageError(f"{path} {reason}") from error
