"""``qx eval run`` over queries that nobody has graded: rules or a model grade what was found."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from qx.cli.progress import Counting
from qx.cli.session import run
from qx.cli.state import state_of
from qx.cli.stopping import saying_how_far

if TYPE_CHECKING:
    from qx.eval.running import Run
    from qx.eval.values import Condition, Dataset


def graded(
    ctx: click.Context, run_: Run, dataset: Dataset, measures: Sequence[str], *, grader: str, keep: str
) -> Dataset:
    """Return the dataset with grades of what was found.

    Args:
        run_: Whose rows are graded.
        dataset: Of queries alone.
        measures: How deep they look is how deep is graded.
        grader: ``rules``, or ``model``: that of the first condition that expands.
        keep: Whether a model's answers are kept (``none``: no).
    """
    from qx.eval.graded import DEPTH, with_grades
    from qx.eval.graded_by_judge import opened_grader
    from qx.eval.graded_by_wording import ByWording
    from qx.eval.names import parse_measure

    depth = max(DEPTH, *(parse_measure(name).depth or 0 for name in measures))
    if grader == "rules":
        return run(with_grades(dataset, run_.conditions, run_.rows, ByWording(), depth=depth))
    asker: Condition = next(one for one in run_.conditions if one.expand)
    plugins, kept = state_of(ctx).plugins(), keep != "none"
    counting = Counting("judgements", quiet=state_of(ctx).quiet)

    async def work() -> Dataset:
        async with opened_grader(asker.profile, plugins, keep=kept, progress=counting) as judge:
            return await with_grades(dataset, run_.conditions, run_.rows, judge, depth=depth)

    try:
        with saying_how_far(lambda: counting.far):
            return run(work())
    finally:
        counting.end()
