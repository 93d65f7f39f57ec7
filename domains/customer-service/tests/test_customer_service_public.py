"""What the README says of searching a knowledge base with the pack and without it is what comes out."""

from __future__ import annotations

from pathlib import Path

import pytest
from pack_sets import check_told, with_and_without
from public_sets import needs_data

PACK = Path(__file__).parents[1]


@needs_data
@pytest.mark.slow
@pytest.mark.timeout(600)
async def test_articles_are_found_better_than_without_the_pack(tmp_path: Path):
    found = await with_and_without(PACK, "support", tmp_path)
    check_told(found, PACK / "README.md", {"ndcg@10": "all 514 | nDCG@10", "recall@100": "| recall@100"})
    [gain] = [one for one in found.comparisons if one.measure == "ndcg@10"]
    assert gain.difference > 0.018, "two points, or a reason"
    assert gain.low > 0
