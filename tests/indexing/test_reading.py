import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qx.errors import UsageError
from qx.indexing.reading import Bad, Read, files_of, read


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
