"""What the README says of searching a knowledge base with the pack and without it is what comes out."""

from __future__ import annotations

from pathlib import Path

import pytest
from pack_sets import came_out, told, with_and_without
from public_sets import needs_data

PACK = Path(__file__).parents[1]
NEAR = 0.5
"""Points by which a figure may differ: everything that reads or ranks moves them a little."""


@needs_data
@pytest.mark.slow
@pytest.mark.timeout(600)
async def test_articles_are_found_better_than_without_the_pack(tmp_path: Path):
    found = await with_and_without(PACK, "support", tmp_path)
    for measure, title in (("ndcg@10", "all 514 | nDCG@10"), ("recall@100", "| recall@100")):
        assert came_out(found, measure) == pytest.approx(told(PACK / "README.md", title), abs=NEAR), measure
    [gain] = [one for one in found.comparisons if one.measure == "ndcg@10"]
    assert gain.difference > 0.018, "two points, or a reason"
    assert gain.low > 0
