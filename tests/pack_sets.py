"""What the packs' READMEs say of searching public sets, measured anew: rules with the pack beside rules without it."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

import pytest
from public_sets import DATA, benchmarks

from qx.eval.values import Condition, Report
from qx.plugins import Plugins
from qx.profiles import load_profile

NEAR = 0.5
"""Points by which a figure may differ: everything that reads or ranks moves them a little."""
FILE = """\
tenant: measured
deadline: 30s
domains: [{domain}]
cache: {{type: none}}
understand: {{mode: rules}}
search:
  backends:
    main: {{type: local, path: index, fields: {fields}}}
"""


async def with_and_without(pack: Path, name: str, work: Path) -> Report:
    """Search a set of ``QX_TEST_DATA`` by both, over one local index.

    Args:
        pack: The folder of the pack's distribution.
        name: The set: ``papers``, ``support``, ``shop`` or ``constrained``.
        work: A folder for the profiles, the index and what is found.
    """
    with benchmarks() as results, _home(work, pack.parent):
        from sets import collection, filled  # type: ignore[import-not-found]

        plugins = Plugins.load(allow=())
        of = collection(Path(str(DATA)), name)
        ways: list[Condition] = []
        for title, domain in (("without", ""), ("with", str(pack))):
            file = work / f"{title}.yaml"
            file.write_text(FILE.format(domain=domain, fields=json.dumps(of.fields)), encoding="utf-8")
            profile = load_profile(file, plugins=plugins)  # from a file: the pack's defaults lie under it
            ways.append(Condition(name=title, profile=profile, against="without" if domain else ""))
        await filled(of, ways[0].profile, plugins)
        return await results.measured(of, ways, plugins, True)


@contextmanager
def _home(work: Path, packs: Path) -> Iterator[None]:
    with patch.dict(os.environ, QX_HOME=str(work / "home"), QX_ALLOW_PATHS=str(packs)):
        yield


def check_told(found: Report, readme: Path, titles: Mapping[str, str]) -> None:
    """Check that what came out is near to what the README says.

    Args:
        titles: Measure -> by what its line of the README is known.
    """
    for measure, title in titles.items():
        assert came_out(found, measure) == pytest.approx(told(readme, title), abs=NEAR), measure


def told(readme: Path, title: str) -> tuple[float, float, float]:
    """Return what a README's table says of one measure, in points: without the pack, with it, the difference."""
    [found] = re.findall(
        rf"^\| {re.escape(title)} \| ([\d.]+) \| ([\d.]+) \| ([+-][\d.]+) \(", readme.read_text("utf-8"), re.M
    )
    without, packed, difference = map(float, found)
    return without, packed, difference


def came_out(found: Report, measure: str) -> tuple[float, float, float]:
    """Return the same of a report."""
    [made] = [one for one in found.comparisons if (one.a, one.b, one.measure) == ("without", "with", measure)]
    means = {one.name: 100 * one.measures[measure] for one in found.conditions}
    return means["without"], means["with"], 100 * made.difference
