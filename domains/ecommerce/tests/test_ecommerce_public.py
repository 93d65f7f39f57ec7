"""What the README says of searching goods with the pack and without it is what comes out."""

from __future__ import annotations

from pathlib import Path

import pytest
from pack_sets import check_told, with_and_without
from public_sets import needs_data

PACK = Path(__file__).parents[1]


@needs_data
@pytest.mark.slow
@pytest.mark.timeout(600)
async def test_goods_are_found_better_than_without_the_pack(tmp_path: Path):
    found = await with_and_without(PACK, "constrained", tmp_path)
    queries = "100 constrained ones (price, memory, brand, exclusions)"
    check_told(found, PACK / "README.md", {"ndcg@10": f"{queries} | nDCG@10"})
    [gain] = [one for one in found.comparisons if one.measure == "ndcg@10"]
    assert gain.low > 0
