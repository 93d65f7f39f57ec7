"""What can be seen before the work begins: hours of searches that end in an error are the worst way to say it."""

from __future__ import annotations

import logging
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from qx.errors import DatasetError, ProfileError

if TYPE_CHECKING:
    from qx.eval.gate import Gate
    from qx.eval.values import Dataset

MEASURING = ("numpy", "scipy.stats", "ir_measures")
"""What scores and intervals are computed by."""
COMPARING = ("numpy", "scipy.stats")
"""What intervals alone are."""
CHARTS = ("matplotlib",)
SHEETS = ("openpyxl",)
log = logging.getLogger("qx")


def check_installed(*modules: str) -> None:
    """Import what the end of the work needs.

    Raises:
        UsageError: one of them is not installed; the text says what to install.
    """
    from qx.eval.extra import need

    for module in modules:
        need(module)


def check_writable(**files: Path | None) -> None:
    """See that files can be written, by the name of the option that names them; nothing is made.

    Raises:
        ProfileError: one is a folder, lies in none, or may not be written.
    """
    for name, path in files.items():
        if path is None:
            continue
        option, folder = f"--{name.replace('_', '-')}", path.absolute().parent
        if path.is_dir():
            raise ProfileError(f"{option}: is a folder", file=str(path), hint="name a file in it")
        if not folder.is_dir():
            raise ProfileError(f"{option}: there is no folder {folder}", file=str(path), hint="make it first")
        if not os.access(path if path.exists() else folder, os.W_OK):
            raise ProfileError(f"{option}: may not be written", file=str(path), hint="name another file")


def check_judged(
    dataset: Dataset, place: Path, form: str | None, measures: Sequence[str], gates: Sequence[Gate]
) -> None:
    """See that there are judgements where something rests on them, and say so where a classifier grades in their place.

    A dataset that has lost its judgements must not pass for a list of queries that never had any: what rules grade by
    words is no proof, and a gate on it would hold.

    Args:
        dataset: As it was loaded.
        place: Where it is.
        form: The form that the user says it has; None: it was found out.
        measures: What is measured besides what the gates name.

    Raises:
        DatasetError: a gate needs judgements and there are none, or the form that was named has them by its nature.
    """
    from qx.eval.datasets import format_of
    from qx.eval.gate import SPENT
    from qx.eval.names import parse_measure

    if dataset.grades:
        return
    found = form or format_of(place)
    judged = found in ("beir", "trec")
    lost = "; ".join(note for note in dataset.notes if "judgements" in note) or "there are no judgements"
    instead = _instead(found, place)
    if form in ("beir", "trec"):
        raise DatasetError(f"--format {form}: {lost}", file=str(place), hint=instead)
    for gate in gates:
        about = None if gate.measure in SPENT else parse_measure(gate.measure).about
        if about is not None and (about.trec or (judged and about.graded)):
            raise DatasetError(f"--fail-if {gate.text!r} needs judgements: {lost}", file=str(place), hint=instead)
    resting = [name for name in measures if parse_measure(name).about.trec]
    if judged or resting:
        which = (
            f": {', '.join(resting)} {'rests' if len(resting) == 1 else 'rest'} on no judgement of people"
            if resting
            else ""
        )
        log.warning("%s: %s, so that what is found is graded by a classifier%s", dataset.name, lost, which)


def _instead(form: str, place: Path) -> str:
    """What to do where there are no judgements."""
    if form == "beir":
        return f"bring back its qrels; what is found for a mere list of queries is graded by rules: name {place / 'queries.jsonl'}"
    if form == "trec":
        return "name TOPICS:QRELS"
    return "gate what a classifier can grade: good@10, mean-grade@10; or zero-results, or what is spent"
