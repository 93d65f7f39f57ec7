"""The index that is searched is the one that was judged, or it is said."""

from __future__ import annotations

import logging
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from qx.engine import Engine
from qx.errors import DatasetError, Unavailable
from qx.eval.presence import check_presence
from qx.eval.values import Dataset
from qx.settings import Profile

from .conftest import PLUGINS, MakeProfile
from .counting import Counting


async def check(profile: Profile, dataset: Dataset) -> str:
    async with Engine.opened(profile, plugins=PLUGINS) as engine:
        return await check_presence(engine, dataset)


async def test_all_is_well(dataset: Dataset, local: MakeProfile) -> None:
    assert await check(local(), dataset) == ""
    assert await check(local(), replace(dataset, grades={})) == ""


async def test_there_is_no_index(dataset: Dataset, local: MakeProfile, tmp_path: Path) -> None:
    profile = local().model_copy(update={"folder": tmp_path})
    with pytest.raises(Unavailable, match=r"no engine can be searched: main: .*no index.*qx eval run FOLDER --index"):
        await check(profile, dataset)


async def test_an_empty_index(dataset: Dataset, local: MakeProfile, tmp_path: Path) -> None:
    profile = local().model_copy(update={"folder": tmp_path})
    async with Engine.opened(profile, plugins=PLUGINS) as engine:
        backend: Any = engine.backend()
        await backend.prepare(fingerprint=None, dimensions=0)
    with pytest.raises(DatasetError, match=r"the index of main is empty \(index them first"):
        await check(profile, dataset)


async def test_an_index_of_other_documents(dataset: Dataset, local: MakeProfile) -> None:
    other = replace(dataset, grades={"e1": {"d1": 1, "puncture-en": 0}, "e2": {"d2": 2}})
    said = r"none of the 2 documents that help judges relevant \(such as 'd1'\) is in the index of main"
    with pytest.raises(DatasetError, match=said):
        await check(local(), other)


async def test_half_of_an_index(dataset: Dataset, local: MakeProfile, caplog: pytest.LogCaptureFixture) -> None:
    other = replace(dataset, grades={"e1": {"puncture-en": 1, "a": 1, "b": 1}})
    with caplog.at_level(logging.WARNING, "qx"):
        said = await check(local(), other)
    assert said.startswith("only 33% of the 3 documents that help judges relevant are in the index of main")
    assert [record.message for record in caplog.records] == [said]
    assert await check(local(), replace(dataset, grades={"e1": {"puncture-en": 1, "a": 1}})) == ""


async def test_an_engine_that_cannot_list_its_documents_is_believed(
    dataset: Dataset, remote: MakeProfile, engine_that_counts: Counting
) -> None:
    engine_that_counts._default = ()
    assert await check(remote(), replace(dataset, grades={"e1": {"d1": 1}})) == ""
    assert engine_that_counts.requests == []
