"""``qx index`` as it is run: what is written, what is skipped and said, and with which exit code."""

import json
import sys
from pathlib import Path

import jsonschema
import pytest

from qx.cli import schemas

from .conftest import Run
from .shop import PRODUCTS, write_lines, write_shop

TWO = """\
understand: {mode: rules}
search:
  backends:
    a: {type: local, path: a}
    b: {type: local, path: b}
"""


@pytest.fixture
def products(own_folder: Path) -> Path:
    return write_shop(own_folder)


def found(run: Run, *options: str) -> list[str]:
    """The ids of all documents."""
    result = run("-q", "search", "-p", "shop", "", "--filter", "price > 0", "--limit", "1000", *options)
    assert result.code == 0, result.err
    return sorted(line.split("\t")[1] for line in result.out.splitlines())


def test_when_it_returns_everything_is_findable(run: Run, products: Path) -> None:
    result = run("index", "products.jsonl", "-p", "shop")
    assert (result.code, result.out, result.err) == (0, "5 documents indexed\n", "")
    assert found(run) == list("12345")
    assert run("index", "products.jsonl", "-p", "shop").out == "5 documents indexed\n"
    assert found(run) == list("12345")


def test_a_bad_line_is_named_and_skipped(run: Run, products: Path) -> None:
    with products.open("a", encoding="utf-8") as file:
        file.write('\nnot json\n{"title": "no id"}\n{"_id": "6", "title": "\x1b[31m", "metadata": {"price": 1}}\n')
    bad = products.read_bytes() + b'{"_id": "7", "text": "\xff"}\n{"_id": "8", "metadata": {"price": 2}}\n'
    products.write_bytes(bad)
    result = run("index", "products.jsonl", "-p", "shop")
    assert (result.code, result.out) == (0, "6 documents indexed, 4 skipped\n")
    assert result.err.splitlines() == [
        "products.jsonl:7: not JSON: Expecting value (column 1)",
        "products.jsonl:8: no `_id`",
        "products.jsonl:9: not JSON: Invalid control character at (column 24)",
        "products.jsonl:10: not UTF-8",
    ]
    assert found(run) == list("123458")


def test_strict_stops_at_the_first_bad_line(run: Run, products: Path) -> None:
    products.write_text('{"_id": "1"}\n{"_id":\n', encoding="utf-8")
    for more in ((), ("--dry-run",)):
        result = run("index", "products.jsonl", "-p", "shop", "--strict", *more)
        assert (result.code, result.out) == (2, "")
        assert result.err.startswith("error: products.jsonl:2: not JSON")


def test_as_json(run: Run, products: Path) -> None:
    with products.open("a", encoding="utf-8") as file:
        file.write("not json\n")
    printed = json.loads(run("index", "products.jsonl", "-p", "shop", "--json").out)
    jsonschema.Draft202012Validator(schemas.schema("index")).validate(printed)
    assert printed == {
        "backend": "products", "indexed": 5, "resumed": 0, "deleted": 0, "dry_run": False,
        "skipped": [{"place": "products.jsonl:6", "reason": "not JSON: Expecting value (column 1)"}], "warnings": [],
    }  # fmt: skip


def test_a_dry_run_writes_nothing(run: Run, own_folder: Path, products: Path) -> None:
    result = run("index", "products.jsonl", "-p", "shop", "--dry-run")
    assert (result.code, result.out) == (0, "5 documents would be indexed\n")
    assert not (own_folder / "profiles" / "index" / "words").exists()
    run("index", "products.jsonl", "-p", "shop")
    write_lines(products, *PRODUCTS[:2])
    result = run("index", "products.jsonl", "-p", "shop", "--dry-run", "--sync", "--json")
    assert json.loads(result.out)["deleted"] == 3
    assert json.loads(result.out)["dry_run"] is True
    (own_folder / "gone.txt").write_text("1\n2\n9\n", encoding="utf-8")
    result = run("index", "-p", "shop", "--dry-run", "--delete", "gone.txt")
    assert (result.code, result.out) == (0, "2 documents would be removed\n")
    assert found(run) == list("12345")


def test_removing(run: Run, own_folder: Path, products: Path) -> None:
    run("index", "products.jsonl", "-p", "shop")
    (own_folder / "gone.txt").write_bytes("\ufeff1\r\n\r\n2\n no such \n".encode())
    result = run("index", "-p", "shop", "--delete", "gone.txt")
    assert (result.code, result.out) == (0, "2 documents removed\n")
    write_lines(products, *PRODUCTS[3:])
    result = run("index", "products.jsonl", "-p", "shop", "--sync")
    assert (result.code, result.out) == (0, "2 documents indexed, 1 removed\n")
    assert found(run) == ["4", "5"]


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        ((), 2, "name at least one FILE"),
        (("products.jsonl", "--delete", "products.jsonl"), 2, "does not go with FILE"),
        (("--delete", "products.jsonl", "--sync"), 2, "does not go with --sync"),
        (("--delete", "gbk.txt"), 2, "not UTF-8"),
        (("no.jsonl",), 2, "no.jsonl is not there"),
        (("x.exe",), 2, "files of this kind are not read; known: .csv"),
        (("products.jsonl", "--backend", "other"), 2, "there is no backend 'other' (known: products)"),
    ],
)
def test_what_cannot_be_done(
    run: Run, own_folder: Path, products: Path, arguments: tuple[str, ...], code: int, said: str
) -> None:
    (own_folder / "x.exe").write_bytes(b"")
    (own_folder / "gbk.txt").write_bytes("编号".encode("gbk"))
    result = run("index", "-p", "shop", *arguments)
    assert (result.code, result.out) == (code, "")
    assert said in result.err


def test_with_several_backends_one_is_named(run: Run, own_folder: Path, products: Path) -> None:
    (own_folder / "two.yaml").write_text(TWO, encoding="utf-8")
    result = run("index", "products.jsonl", "-p", "two.yaml")
    assert (result.code, result.out) == (2, "")
    assert "(known: a, b)" in result.err
    assert run("index", "products.jsonl", "-p", "two.yaml", "--backend", "b").code == 0
    assert (own_folder / "b").exists()
    assert not (own_folder / "a" / "words").exists()


def test_an_index_that_qx_did_not_make_is_left_alone(run: Run, own_folder: Path, products: Path) -> None:
    folder = own_folder / "profiles" / "index"
    folder.mkdir()
    (folder / "precious.txt").write_text("mine", encoding="utf-8")
    result = run("index", "products.jsonl", "-p", "shop")
    assert (result.code, result.out) == (7, "")
    assert "holds something that qx did not make: name an empty folder, or adopt it with --adopt" in result.err
    assert [path.name for path in folder.iterdir()] == ["precious.txt"]
    assert run("index", "products.jsonl", "-p", "shop", "--adopt").code == 0
    assert (folder / "precious.txt").read_text("utf-8") == "mine"


def test_a_folder_of_pages(run: Run, own_folder: Path, products: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pages = own_folder / "pages"
    pages.mkdir()
    (pages / "电脑.md").write_text("# 修电脑\n\n先拔电源。", encoding="utf-8")
    (pages / "notes.txt").write_text("unplug it first", encoding="utf-8")
    (pages / "empty.md").write_text("", encoding="utf-8")
    result = run("index", "pages", "-p", "shop")
    assert (result.code, result.out) == (0, "2 documents indexed, 1 skipped\n")
    assert result.err.splitlines() == [
        "pages/empty.md: no text in it",
        "warning: brand: no document has a field metadata.brand",
        "warning: price: no document has a field metadata.price",
    ]
    assert run("-q", "search", "-p", "shop", "拔电源").out == "1\tpages/电脑.md\t修电脑\t\n"
    (pages / "a.pdf").write_bytes(b"")
    monkeypatch.setitem(sys.modules, "pypdf", None)
    result = run("index", "pages", "-p", "shop")
    assert (result.code, result.out) == (2, "")
    assert "pip install 'qx-query[pdf]'" in result.err


def test_an_interrupted_run_says_how_to_go_on(run: Run, products: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from qx.cli.progress import IndexProgress
    from qx.indexing.writing import Summary

    told = IndexProgress.__call__

    def interrupted(self: IndexProgress, summary: Summary, path: Path) -> None:
        told(self, summary, path)
        raise KeyboardInterrupt

    monkeypatch.setattr(IndexProgress, "__call__", interrupted)
    made = run("index", "products.jsonl", "-p", "shop")
    assert (made.code, made.out) == (130, "")
    assert "documents: the same command goes on from there" in made.err
