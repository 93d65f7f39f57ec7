import json
import sys
import tracemalloc
from datetime import datetime
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qx.errors import UsageError
from qx.indexing import record
from qx.indexing.reading import Bad, Read, files_of, read
from qx.indexing.record import document_of


def records(path: Path) -> tuple[list[Read], list[Bad]]:
    found = list(read(path))
    return [r for r in found if isinstance(r, Read)], [r for r in found if isinstance(r, Bad)]


def test_json_lines_are_read_and_bad_ones_named_by_their_place(tmp_path: Path):
    path = tmp_path / "docs.jsonl"
    lines = [
        '{"_id": "1", "title": "红鞋", "text": "a", "url": "http://e.org", "metadata": {"price": 5}}',
        "",
        '{"id": 2, "title": "b", "brand": "HP"}',
        "not json",
        '{"title": "no id"}',
        '{"_id": "4", "metadata": [1]}',
        '["_id"]',
        '{"_id": "5", "text": {"a": 1}}',
    ]
    path.write_bytes("\n".join(lines).encode() + b'\n{"_id": "\xff"}\n')
    good, bad = records(path)
    assert [(r.document.id, r.document.title, dict(r.document.metadata)) for r in good] == [
        ("1", "红鞋", {"price": 5}),
        ("2", "b", {"brand": "HP"}),
    ]
    assert good[0].document.url == "http://e.org"
    assert [b.place for b in bad] == [f"{path}:{n}" for n in (4, 5, 6, 7, 8, 9)]
    assert str(bad[0]).startswith(f"{path}:4: not JSON")
    assert [b.reason for b in bad[1:]] == [
        "no `_id`",
        "`metadata` is not an object",
        "not an object",
        "`text` is not text",
        "not UTF-8",
    ]


def test_csv_keeps_the_other_columns_as_metadata(tmp_path: Path):
    path = tmp_path / "docs.csv"
    path.write_text('_id,title,price\n1,"a, b",5\n2,"two\nlines",\n,none,1\n3,x,1,extra\n', encoding="utf-8-sig")
    good, bad = records(path)
    assert [(r.document.id, r.document.title, dict(r.document.metadata)) for r in good] == [
        ("1", "a, b", {"price": "5"}),
        ("2", "two\nlines", {}),
    ]
    assert [b.reason for b in bad] == ["no `_id`", "more cells than the header has"]


def test_a_folder_is_read_file_by_file(tmp_path: Path):
    (tmp_path / "a.md").write_text("# 标题\n\n正文", encoding="utf-8")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "b.txt").write_text("plain", encoding="utf-8")
    (tmp_path / "empty.txt").write_text(" ", encoding="utf-8")
    (tmp_path / "c.bin").write_bytes(b"\0")
    files = files_of((tmp_path,))
    assert [f.name for f in files] == ["a.md", "empty.txt", "b.txt"]
    found = [record for file in files for record in read(file)]
    assert [(r.document.title, r.document.text) for r in found if isinstance(r, Read)] == [
        ("标题", "# 标题\n\n正文"),
        ("b", "plain"),
    ]
    assert [b.reason for b in found if isinstance(b, Bad)] == ["no text in it"]


@pytest.mark.parametrize("name", ["missing.jsonl", "c.bin"])
def test_what_cannot_be_read_is_a_clear_error(name: str, tmp_path: Path):
    (tmp_path / "c.bin").write_bytes(b"\0")
    with pytest.raises(UsageError, match=name):
        files_of((tmp_path / name,))


@given(st.lists(st.dictionaries(st.text(max_size=5), st.integers() | st.text(max_size=5), max_size=4), max_size=5))
def test_any_object_is_a_document_or_a_reason(tmp_path_factory: pytest.TempPathFactory, rows: list[dict[str, object]]):
    path = tmp_path_factory.mktemp("any") / "docs.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    good, bad = records(path)
    assert len(good) + len(bad) == len(rows)
    assert all(b.reason for b in bad)


def test_hostile_lines_cost_themselves_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("qx.indexing.tables.MOST_BYTES", 1000)
    path = tmp_path / "docs.jsonl"
    lines = [
        b'{"_id": "1"}',
        b'{"_id": "2", "text": "' + b"x" * 5000 + b'"}',
        b'{"_id": "3", "text": "\x00"}',
        b'{"_id": "4", "text": "\\u0000 is fine"}',
        b'{"_id": "5", "text": "\xe6\x97"}',
        b'{"_id": "6", "text": "\\ud800"}',
        b"[" * 900,
        b'{"_id": "8", "metadata": {"a": ' + b"[" * 100 + b"]" * 100 + b"}}",
        b'{"_id": "9", "metadata": {"a": NaN}}',
        b'{"_id": "10", "metadata": {"a": 1e999}}',
        b'{"_id": "11", "metadata": {"a": {"\\ud800": ["\\ud800"]}}}',
        b'{"_id": true}',
        b'{"_id": "13"}',
    ]
    path.write_bytes(b"\n".join(lines))
    good, bad = records(path)
    assert [r.document.id for r in good] == ["1", "4", "13"]
    assert [int(b.place.rpartition(":")[2]) for b in bad] == [2, 3, 5, 6, 7, 8, 9, 10, 11, 12]
    assert all(b.reason for b in bad)


def test_a_huge_line_is_not_held_in_memory(tmp_path: Path):
    path = tmp_path / "docs.jsonl"
    with path.open("wb") as file:
        file.write(b'{"_id": "1", "text": "')
        for _ in range(60):
            file.write(b"x" * 1_000_000)
        file.write(b'"}\n{"_id": "2"}\n')
    tracemalloc.start()
    try:
        good, bad = records(path)
        assert tracemalloc.get_traced_memory()[1] < 4 * record.MOST_BYTES
    finally:
        tracemalloc.stop()
    assert ([r.document.id for r in good], [b.reason for b in bad]) == (["2"], ["longer than 10 MB"])
    assert bad[0].place == f"{path}:1"


def test_too_many_levels_are_a_reason(tmp_path: Path):
    path = tmp_path / "docs.jsonl"
    path.write_bytes(b'{"_id": ' + b"[" * 200_000 + b'}\n{"_id": "2"}\n')
    good, bad = records(path)
    assert ([r.document.id for r in good], len(bad)) == (["2"], 1)


def test_hostile_csv_costs_its_own_rows(tmp_path: Path):
    path = tmp_path / "docs.csv"
    path.write_bytes(b"_id,title\n1,a\x00b\n2,\xff\n3," + b"x" * 200_000 + b"\n4,d\n")
    good, bad = records(path)
    assert [r.document.id for r in good] == ["1", "3", "4"]
    assert [b.reason for b in bad] == ["not UTF-8"]
    (tmp_path / "long.csv").write_bytes(b"_id,title\n1," + b"x" * 10_000_001 + b"\n2,b\n")
    good, bad = records(tmp_path / "long.csv")
    assert bad[0].reason.startswith("not CSV: field larger")
    assert records(write_bytes(tmp_path / "empty.csv", b"")) == ([], [])


def write_bytes(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("name", ["a.txt", "a.md"])
def test_pages_that_are_not_utf8_are_named(name: str, tmp_path: Path):
    good, bad = records(write_bytes(tmp_path / name, "中文".encode("gbk")))
    assert (good, [b.reason for b in bad]) == ([], ["not UTF-8"])
    good, _ = records(write_bytes(tmp_path / name, "\ufeff中文".encode()))
    assert good[0].document.text == "中文"


def test_a_page_that_is_too_large_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("qx.indexing.pages.MOST_BYTES", 10)
    _, bad = records(write_bytes(tmp_path / "a.txt", b"x" * 11))
    assert bad[0].reason.startswith("larger than")


def test_a_file_that_goes_away_is_a_reason(tmp_path: Path):
    for name in ("gone.jsonl", "gone.csv", "gone.txt"):
        good, bad = records(tmp_path / name)
        assert (good, [b.reason for b in bad]) == ([], ["cannot be read: No such file or directory"])


def test_a_file_that_is_named_twice_is_read_once(tmp_path: Path):
    path = write_bytes(tmp_path / "a.txt", b"x")
    assert files_of((path, tmp_path, path)) == [path]


@pytest.mark.parametrize(
    ("name", "library", "extra"),
    [
        ("a.parquet", "pyarrow.parquet", "qx-query[parquet]"),
        ("a.html", "trafilatura", "qx-query[html]"),
        ("a.htm", "trafilatura", "qx-query[html]"),
        ("a.pdf", "pypdf", "qx-query[pdf]"),
    ],
)
def test_a_reader_that_is_missing_names_its_extra(
    name: str, library: str, extra: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setitem(sys.modules, library, None)
    path = write_bytes(tmp_path / name, b"x")
    with pytest.raises(UsageError) as told:
        list(read(path))
    assert str(path) in str(told.value)
    assert extra in str(told.value)


def test_parquet_keeps_its_types(tmp_path: Path):
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "docs.parquet"
    rows = {
        "_id": ["1", "2", None],
        "title": ["红鞋", None, "x"],
        "price": [Decimal("19.50"), None, None],
        "at": [datetime(2026, 3, 4, 5), None, None],
        "tags": [["a", "b"], [], None],
        "blob": [None, b"\x00", None],
    }
    parquet.write_table(pyarrow.table(rows), path)
    good, bad = records(path)
    assert [(r.document.id, r.document.title, r.document.metadata) for r in good] == [
        ("1", "红鞋", {"price": 19.5, "at": "2026-03-04T05:00:00", "tags": ["a", "b"]})
    ]
    assert [str(b) for b in bad] == [
        f"{path}:2: `blob` is of a type that JSON has not (bytes)",
        f"{path}:3: no `_id`",
    ]
    _, bad = records(write_bytes(tmp_path / "broken.parquet", b"PAR1 nothing PAR1"))
    assert [b.place for b in bad] == [str(tmp_path / "broken.parquet")]
    assert bad[0].reason.startswith("not Parquet that can be read: ")


def test_html_is_read_without_what_stands_around_it(tmp_path: Path):
    pytest.importorskip("trafilatura")
    page = "<html><head><title>红鞋</title></head><body><nav>menu</nav><article><h1>红鞋</h1><p>"
    page += "这双红鞋适合春天，穿着轻便，走路不累。" * 10 + "</p></article></body></html>"
    good, bad = records(write_bytes(tmp_path / "a.html", page.encode()))
    assert (good[0].document.title, bad) == ("红鞋", [])
    assert "走路不累" in good[0].document.text
    assert "menu" not in good[0].document.text
    for data in (b"", b"\x00\xff" * 100, b"<html><body><script>x</script></body></html>"):
        good, bad = records(write_bytes(tmp_path / "b.html", data))
        assert len(good) + len(bad) == 1


def test_a_pdf_that_is_broken_is_named(tmp_path: Path):
    pytest.importorskip("pypdf")
    for data in (b"", b"%PDF-1.7\n", b"\x00" * 1000):
        good, bad = records(write_bytes(tmp_path / "a.pdf", data))
        assert good == []
        assert bad[0].reason.startswith("not a PDF that can be read: ")


def test_a_pdf_is_read_page_by_page(tmp_path: Path):
    pypdf = pytest.importorskip("pypdf")
    made = pypdf.PdfWriter()
    made.add_blank_page(100, 100)
    made.add_metadata({"/Title": "a manual"})
    made.write(tmp_path / "a.pdf")
    _, bad = records(tmp_path / "a.pdf")
    assert [b.reason for b in bad] == ["no text in it"]


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(), lambda s: st.lists(s) | st.dictionaries(st.text(), s)
    )
)
def test_metadata_comes_out_as_json_has_it(item: object):
    try:
        found = document_of({"_id": "1", "metadata": {"a": item}}).metadata["a"]
    except ValueError:
        return
    assert json.loads(json.dumps(found, allow_nan=False)) == found == item


def test_a_number_that_nothing_can_compare_costs_its_record_alone(tmp_path: Path) -> None:
    path = tmp_path / "d.jsonl"
    huge = "9" * 400
    path.write_text(
        '{"_id": "a", "metadata": {"n": 1}}\n'
        f'{{"_id": "b", "metadata": {{"deep": [{{"er": {huge}}}]}}}}\n'
        f'{{"_id": "c", "metadata": {{"n": -{huge}}}}}\n'
        '{"_id": "d", "metadata": {"n": 1e23}}\n'
    )
    found = list(read(path))
    assert [type(one).__name__ for one in found] == ["Read", "Bad", "Bad", "Read"]
    assert str(found[1]).startswith(f"{path}:2: `deep` is greater than any number")
