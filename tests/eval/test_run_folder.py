"""The folder of a run: what is damaged in it is said, never replaced in silence."""

from __future__ import annotations

from pathlib import Path

import pytest

from qx.errors import DatasetError
from qx.eval.row_file import line_of
from qx.eval.run_folder import RunFolder
from qx.eval.values import Condition, Dataset, EvalQuery, Row
from qx.settings import Profile

from .conftest import PLUGINS

QUERIES = (EvalQuery(id="1", text="tea"), EvalQuery(id="2", text="茶"))


@pytest.fixture
def folder(tmp_path: Path) -> RunFolder:
    condition = Condition(name="c", profile=Profile.model_validate({"name": "p"}))
    dataset = Dataset(name="d", queries=QUERIES, fingerprint="f")
    made = RunFolder(tmp_path, dataset, [condition], depth=10, plugins=PLUGINS)
    made.path.mkdir(parents=True)
    return made


def begun(folder: RunFolder, *queries: str) -> None:
    folder.begin("c", {})
    for query in queries:
        folder.file("c").add(line_of(Row(query=query, condition="c")))
    folder.file("c").close()


@pytest.mark.parametrize("data", [b"", b"garbage", b"{}", b"[" * 100_000, b'{"now": "yesterday"}'])
def test_a_moment_that_cannot_be_read_is_not_replaced_in_silence(folder: RunFolder, data: bytes) -> None:
    first = folder.moment()
    (folder.path / "run.json").write_bytes(data)
    with pytest.raises(DatasetError, match=r"run\.json: does not say when .* \(run with --fresh\)"):
        folder.moment()
    assert (folder.path / "run.json").read_bytes() == data
    folder.clear()
    assert folder.moment().now >= first.now


@pytest.mark.parametrize("data", [b"", b"garbage", b"[" * 100_000])
def test_rows_whose_header_cannot_be_read_are_asked_anew_and_that_is_said(folder: RunFolder, data: bytes) -> None:
    begun(folder, "1")
    folder.file("c").path.with_suffix(".json").write_bytes(data)
    pending, note = folder.pending("c")
    assert [query.id for query in pending] == ["1", "2"]
    assert note == "c: all was asked anew, it is not known what the rows that were there are of"


def test_rows_that_are_known_are_not_asked_anew(folder: RunFolder) -> None:
    assert folder.pending("c") == (list(QUERIES), "")
    begun(folder, "1")
    assert folder.pending("c") == ([QUERIES[1]], "")


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (("1", "2", "1"), r"jsonl:3: the query '1' has a row already, in line 1"),
        (("1", "elsewhere"), r"jsonl:2: the dataset has no query 'elsewhere': the row is of another one"),
    ],
)
def test_a_row_that_is_double_or_of_another_dataset_is_said_with_its_place(
    folder: RunFolder, rows: tuple[str, ...], said: str
) -> None:
    begun(folder, *rows)
    with pytest.raises(DatasetError, match=said):
        list(folder.rows("c"))
