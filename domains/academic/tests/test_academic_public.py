"""What the README says of searching abstracts with the pack and without it is what comes out."""

from __future__ import annotations

from pathlib import Path

import pytest
from pack_sets import came_out, check_told, with_and_without
from public_sets import needs_data

PACK = Path(__file__).parents[1]


@needs_data
@pytest.mark.slow
@pytest.mark.timeout(600)
async def test_papers_are_found_no_worse_than_without_the_pack(tmp_path: Path):
    found = await with_and_without(PACK, "papers", tmp_path)
    check_told(found, PACK / "README.md", {"ndcg@10": "nDCG@10", "recall@100": "recall@100"})
    assert came_out(found, "ndcg@10")[2] > -0.2
