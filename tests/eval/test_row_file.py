"""Rows on disk: whole after a crash at any moment."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qx.errors import DatasetError
from qx.eval.index_state import IndexState
from qx.eval.row_file import Header, RowFile, line_of
from qx.eval.values import Listed, Row
from qx.types import SubQuery

HEADER = Header(condition="c", fingerprint="f", qx="1", indexes={"main": IndexState(state="s")})


def row(query: str, **more: object) -> Row:
    found = (Listed(id="d1", by=(0,)), Listed(id="文档", by=(0, 1)))
    return Row(query=query, condition="c", found=found, queries=(SubQuery(text="茶", strategy="original"),), **more)  # type: ignore[arg-type]


@pytest.fixture
def file(tmp_path: Path) -> RowFile:
    return RowFile(tmp_path / "c.jsonl")


def write(file: RowFile, *rows: Row) -> None:
    for one in rows:
        file.add(line_of(one))
    file.close()


def test_rows_come_back_as_they_were(file: RowFile) -> None:
    rows = [row("1", milliseconds=1.5, kept=2), row("2", abstained="an identifier")]
    write(file, *rows)
    assert list(file.rows()) == rows
    assert file.mend() == {"1", "2"}


def test_nothing_is_there(file: RowFile) -> None:
    assert (list(file.rows()), file.mend(), file.header(), file.is_begun) == ([], set(), None, False)
    file.clear()


def test_a_header_says_what_rows_are_of(file: RowFile) -> None:
    file.begin(HEADER)
    assert file.header() == HEADER
    file.path.with_suffix(".json").write_text("{", "utf-8")
    assert file.header() is None


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000))
def test_a_line_that_a_crash_cut_short_is_dropped_and_the_rest_stays(cut: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        file = RowFile(Path(name) / "c.jsonl")
        lines = [line_of(row(str(n))) for n in range(3)]
        data = b"".join(lines)
        file.path.write_bytes(data[: cut % (len(data) + 1)])
        whole = sum(file.path.stat().st_size >= len(b"".join(lines[: n + 1])) for n in range(3))
        assert len(list(file.rows())) == whole
        assert file.mend() == {str(n) for n in range(whole)}
        file.add(line_of(row("new")))
        file.close()
        assert [one.query for one in file.rows()] == [*map(str, range(whole)), "new"]


def test_a_torn_line_longer_than_a_block(file: RowFile) -> None:
    write(file, row("1"))
    with file.path.open("ab") as out:
        out.write(b'{"query": "' + b"x" * 200_000)
    assert file.mend() == {"1"}
    assert len(list(file.rows())) == 1
    file.path.write_bytes(b"x" * 200_000)
    assert file.mend() == set()


def test_rows_with_an_error_are_dropped_to_be_asked_again(file: RowFile) -> None:
    write(file, row("1"), row("2", error="the engine is down"), row("3"))
    assert file.mend() == {"1", "3"}
    assert [one.query for one in file.rows()] == ["1", "3"]


@pytest.mark.parametrize("line", [b"nonsense\n", b'{"no": "row"}\n', b"[]\n", b"\xff\n", b"\n"])
def test_a_line_that_is_no_row_is_said_with_its_place(file: RowFile, line: bytes) -> None:
    write(file, row("1"))
    with file.path.open("ab") as out:
        out.write(line + line_of(row("2")))
    with pytest.raises(DatasetError, match=r"c\.jsonl:2: not a row of a run \(remove the file, or run with --fresh\)"):
        file.mend()
    with pytest.raises(DatasetError, match=r"c\.jsonl:2"):
        list(file.rows())


def test_broken_text_costs_no_row(file: RowFile) -> None:
    write(file, row("1", notes=("half \ud800 pair",)))
    (found,) = file.rows()
    assert found.notes == ("half \ufffdd800 pair",)


def test_rows_and_what_they_are_of_are_for_their_owners_eyes_alone(file: RowFile) -> None:
    file.begin(HEADER)
    write(file, row("1"), row("2", error="down"))
    file.mend()
    assert {one.stat().st_mode & 0o077 for one in file.path.parent.iterdir()} == {0}


def test_ids_that_differ_in_broken_text_alone_stay_apart(file: RowFile) -> None:
    write(file, Row(query="1", condition="c", found=tuple(Listed(id=id) for id in ("s\ud800", "s\ud801", "s?"))))
    (found,) = file.rows()
    assert [listed.id for listed in found.found] == ["s\ufffdd800", "s\ufffdd801", "s?"]
    assert file.mend() == {"1"}


@pytest.mark.parametrize("deep", [b'{"query":' + b"[" * 100_000, b"[" * 100_000 + b"]" * 100_000])
def test_a_damaged_line_of_lists_in_lists_is_no_row(file: RowFile, deep: bytes) -> None:
    file.path.write_bytes(line_of(row("1")) + deep + b"\n")
    with pytest.raises(DatasetError, match=r"c\.jsonl:2: not a row of a run"):
        file.mend()
    with pytest.raises(DatasetError, match=r"c\.jsonl:2"):
        list(file.rows())
