"""What the three packs' tests ask alike: their sets of rows, the figures of their READMEs, their entry points."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from qx import Profile
from qx.eval.aligned import points
from qx.eval.packs import evaluation_files, read_set
from qx.eval.understanding import Row, read_all, report
from qx.eval.understanding.values import Scores
from qx.plugins import Plugins

SETS = {"own": 30, "blind": 30, "blind-second": 20}
"""The packs' sets, and how many rows each has at least."""
PLAIN = {"name": "plain", "tenant": "plain", "understand": {"mode": "rules"}}
FIGURES: Mapping[str, Callable[[Any], float | None]] = {
    "intents, macro F1": lambda s: s.intents.macro_f1,
    "first intent is right": lambda s: s.intents.first,
    "entities, exact F1": lambda s: s.entities.exact.f1,
    "constraints, exact F1": lambda s: s.constraints.exact.f1,
    "sentiment": lambda s: s.sentiment.share,
    "key terms kept": lambda s: s.must.share,
}
"""The rows of the tables, as a README calls them."""


def rows_of(folder: Path, name: str) -> Sequence[Row]:
    """Return one of a pack's sets."""
    return read_set(evaluation_files(str(folder), Plugins.load(allow=()), (name,)))


def check_halves(folder: Path) -> None:
    """Each set is as large as it should be, and half of it Chinese."""
    for name, least in SETS.items():
        rows = rows_of(folder, name)
        chinese = sum((row.wanted.language or "").startswith("zh") for row in rows)
        assert len(rows) >= least, name
        assert abs(chinese - len(rows) / 2) <= 2, name


async def check_figures(folder: Path, name: str, packed: Profile, *, without: str) -> tuple[Scores, Scores]:
    """The README's table of one set has today's figures; returns the scores with the pack and without it.

    Args:
        folder: The pack's distribution.
        name: The set.
        packed: A profile on rules with the pack.
        without: The figure that this README does not have.
    """
    rows = rows_of(folder, name)
    made = [
        report(name, profile, await read_all(rows, profile, plugins=Plugins.load(allow=()))).scores
        for profile in (packed, Profile.model_validate(PLAIN))
    ]
    section = (folder / "README.md").read_text("utf-8").split(f"### {name.capitalize()}", 1)[1].split("###", 1)[0]
    assert f"{len(rows)} rows" in section
    for figure, of in FIGURES.items():
        if figure != without:
            assert f"| {figure} | {' | '.join(points(of(scores)) for scores in made)} |" in section, figure
    return made[0], made[1]


def check_entry_point(name: str) -> None:
    """Where the distribution is installed, its entry point brings the pack and its sets."""
    if not any(point.name == name for point in metadata.entry_points(group="qx.packs")):
        pytest.skip(f"the distribution qx-query-{name} is not installed here")
    plugins = Plugins.load(allow=[f"qx-query-{name}"])
    assert plugins.registry("packs").get(name).name == name
    assert {Path(file).stem for file in evaluation_files(name, plugins)} == {*SETS}
