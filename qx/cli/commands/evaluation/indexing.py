"""``qx eval run --index``: the corpus of a BEIR folder into an index, before anything is searched."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from qx.cli.output import note
from qx.cli.progress import IndexProgress
from qx.cli.session import run
from qx.cli.state import state_of
from qx.cli.stopping import saying_how_far

if TYPE_CHECKING:
    from qx.settings import Profile


def index(ctx: click.Context, folder: Path, profile: Profile) -> None:
    """Index the corpus of a BEIR folder into the profile's backends that can be written to.

    Raises:
        click.UsageError: the folder has no corpus, or no backend can be written to.
        DatasetError: a line of the corpus is wrong.
    """
    from qx.cli.index_report import index_line, index_summary
    from qx.cli.session import open_engine
    from qx.eval.datasets.beir import CORPUS, check_corpus

    corpus = folder / CORPUS
    if not corpus.is_file():
        raise click.UsageError(f"--index: {folder} has no {CORPUS}: it is not a BEIR folder")
    check_corpus(folder)
    progress = IndexProgress(quiet=state_of(ctx).quiet)

    async def work() -> list[str]:
        from qx.backend import SupportsIndexing

        lines: list[str] = []
        async with open_engine(profile, ctx) as engine:
            names = [n for n in profile.search.backends if isinstance(engine.backend(n), SupportsIndexing)]
            if not names:
                raise click.UsageError(f"--index: no backend of the profile {profile.name} can be written to")
            for name in names:
                done = await engine.indexer(name).run(
                    (corpus,), adopt=False, sync=False, strict=True, progress=progress
                )
                lines.append(index_line(index_summary(done, name, dry=False), deleting=False))
        return lines

    try:
        with saying_how_far(lambda: progress.far):
            lines = run(work())
    finally:
        progress.end()
    for line in lines:
        note(line)
