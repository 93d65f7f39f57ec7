"""What is looked at before a run's first search, and what is told of it in every later run."""

from __future__ import annotations

import logging
from dataclasses import replace
from pathlib import Path

import pytest

from qx.errors import ProfileError, Unavailable
from qx.eval.values import Dataset
from qx.settings import Profile

from .conftest import MakeProfile
from .test_running import running


async def test_what_is_wrong_with_an_index_is_told_with_its_rows_in_every_run(
    dataset: Dataset, local: MakeProfile, caplog: pytest.LogCaptureFixture
) -> None:
    other = replace(dataset, queries=dataset.queries[:2], grades={"e1": {"puncture-en": 1, "a": 1, "b": 1}})
    other = replace(other, fingerprint="most of it is not there")
    told: list[tuple[str, ...]] = []
    for _ in range(2):
        caplog.clear()
        with caplog.at_level(logging.WARNING, "qx"):
            told.append((await running(other, local()).run()).notes)
        assert [record.message for record in caplog.records] == list(told[-1])
    assert told[0] == told[1]
    assert told[0][0].startswith("only 33% of the 3 documents that help judges relevant are in the index of main")
    assert len(told[0]) == 1


async def test_every_engine_is_looked_at_before_the_first_search(
    dataset: Dataset, local: MakeProfile, tmp_path: Path
) -> None:
    elsewhere = Profile.model_validate(
        {"name": "gone", "tenant": "eval", "search": {"backends": {"main": {"type": "local", "path": "not-there"}}}}
    ).model_copy(update={"folder": tmp_path})
    run = running(dataset, local(), elsewhere)
    with pytest.raises(Unavailable, match="no engine can be searched: main"):
        await run.run()
    assert not [*run.rows("no-expansion"), *run.rows("help")]
    namesake = local("namesake").model_copy(update={"folder": tmp_path})  # the same settings over another index
    run = running(dataset, local(), namesake)
    with pytest.raises(Unavailable, match="no engine can be searched: main"):
        await run.run()
    assert not [*run.rows("no-expansion"), *run.rows("help")]
    asking = local("asking", understand={"mode": "llm"})
    run = running(dataset, local(), asking)
    with pytest.raises(ProfileError, match=r"understand\.mode is llm, but the profile names no model"):
        await run.run()
    assert not [*run.rows("no-expansion")]
