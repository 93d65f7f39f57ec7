"""Folders in the layout of BEIR."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from qx.errors import DatasetError
from qx.eval.datasets import corpus, load_dataset
from qx.eval.datasets.beir import check_corpus
from qx.eval.datasets.reading import lines
from qx.eval.values import Dataset


def write(folder: Path, *, queries: str = '{"_id": "q1", "text": "tea"}\n', **qrels: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "queries.jsonl").write_text(queries, "utf-8")
    for name, text in qrels.items():
        path = folder / "qrels.tsv" if name == "qrels" else folder / "qrels" / f"{name}.tsv"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    return folder


def test_the_collection(dataset: Dataset) -> None:
    assert (dataset.name, len(dataset.queries), dataset.notes) == ("help", 20, ())
    first = dataset.queries[0]
    assert (first.id, first.text, first.language, first.kind) == ("e1", "repair a puncture", "en", "how-to")
    assert dataset.grades["z1"] == {"puncture-zh": 2, "neitai": 1, "zhifu": 0}


def test_documents(filled: Path) -> None:
    found = list(corpus(filled / "help"))
    assert len(found) == 40
    assert (found[1].id, found[1].title) == ("puncture-zh", "怎么补胎")


@pytest.mark.parametrize(
    "qrels",
    [
        "query-id\tcorpus-id\tscore\nq1\td1\t2\n",
        "q1\td1\t2\n",
        "q1\t0\td1\t2.0\n",
        "q1 0 d1 2\n",
        "\ufeffq1\td1\t2\r\n",
    ],
)
def test_judgements_with_and_without_a_header(tmp_path: Path, qrels: str) -> None:
    assert load_dataset(write(tmp_path / "set", qrels=qrels)).grades == {"q1": {"d1": 2}}


def test_a_split_is_chosen_and_the_choice_is_told(tmp_path: Path) -> None:
    folder = write(tmp_path / "set", test="q1\td1\t1\n", dev="q1\td2\t1\n")
    found = load_dataset(folder)
    assert load_dataset(str(folder)) == found
    assert found.grades == {"q1": {"d1": 1}}
    assert found.notes == ("judgements of the split 'test'; there are also: dev",)
    assert load_dataset(folder, split="dev").grades == {"q1": {"d2": 1}}
    assert load_dataset(folder, split="dev").notes == ()
    with pytest.raises(DatasetError, match=r"no split 'train' \(it has: dev, test\)"):
        load_dataset(folder, split="train")


def test_what_is_judged_but_not_asked_and_what_is_asked_but_not_judged_is_told(tmp_path: Path) -> None:
    queries = '{"_id": "q1", "text": "tea"}\n{"_id": "q2", "text": "茶"}\n'
    found = load_dataset(write(tmp_path / "set", queries=queries, qrels="q1\td1\t1\nq9\td1\t1\nq9\td2\t0\n"))
    assert [query.id for query in found.queries] == ["q1"]
    assert found.grades == {"q1": {"d1": 1}}
    assert found.notes == (
        "2 judgements are of 1 query not in the dataset, such as 'q9'",
        "1 query without a judgement is left out",
    )


def test_a_folder_without_judgements_is_a_list_of_queries(tmp_path: Path) -> None:
    found = load_dataset(write(tmp_path / "set"))
    assert (len(found.queries), found.grades) == (1, {})
    assert "no judgements" in found.notes[0]


@pytest.mark.parametrize(
    ("queries", "said"),
    [
        ('{"_id": "q1", "text": "a"}\n\n{"_id": "q1", "text": "b"}\n', "3: the query id 'q1' is already in line 1"),
        ('{"_id": "q1"}\n', "1: the query 'q1' has no text"),
        ('{"_id": "q1", "text": "  "}\n', "1: the query 'q1' has no text"),
        ('{"_id": "q1", "text": NaN}\n', "1: the query 'q1' has no text"),
        ('{"text": "a"}\n', "1: no `_id`"),
        ("[1]\n", "1: not an object"),
        ('{"_id": "q1", "text": "a"\n', "1: not JSON"),
        ('{"_id": "q1", "text": "\\ud800"}\n', "1: half a surrogate pair"),
        ("[" * 100_000 + "\n", "1: not JSON"),
        ("", "there is no query"),
    ],
)
def test_wrong_queries_are_refused_with_their_line(tmp_path: Path, queries: str, said: str) -> None:
    folder = write(tmp_path / "set", queries=queries)
    with pytest.raises(DatasetError) as refused:
        load_dataset(folder)
    assert said in str(refused.value)
    assert "queries.jsonl" in str(refused.value)


@pytest.mark.parametrize(
    ("qrels", "said"),
    [
        (
            "q1\td1\t1\nq1\td1\t1\n",
            "qrels.tsv:2: the document 'd1' is judged twice for the query 'q1' (line 1) (remove one of the two)",
        ),
        (
            "query-id\tcorpus-id\tscore\nq1\td1\t2\nq1\td2\t1\nq1\td1\t0\n",
            "qrels.tsv:4: the document 'd1' is judged twice for the query 'q1' (2 in line 2, now 0) (keep the judgement that is right)",
        ),
        ("q1\td1\tgood\n", "qrels.tsv:1: the grade 'good' is no whole number"),
        ("q1\td1\t0.5\n", "the grade '0.5' is no whole number"),
        ("q1\td1\tnan\n", "the grade 'nan' is no whole number"),
        ("q1\td1\t1e999\n", "the grade '1e999' is no whole number"),
        ("q1\td1\n", "qrels.tsv:1: 2 columns"),
        ("q1\t\t1\n", "qrels.tsv:1: 3 columns"),
        ("", "there is no judgement"),
        ("query-id\tcorpus-id\tscore\n", "no judgement"),
        ("x1\td1\t1\n", "no judgement is of one of the 1 queries (judged: 'x1'; queries: 'q1')"),
    ],
)
def test_wrong_judgements_are_refused_with_their_line(tmp_path: Path, qrels: str, said: str) -> None:
    folder = write(tmp_path / "set", qrels=qrels)
    with pytest.raises(DatasetError) as refused:
        load_dataset(folder)
    assert said in str(refused.value)


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    folder = write(tmp_path / "set", qrels="q1\td1\t1\n")
    (folder / "queries.jsonl").write_bytes(b'{"_id": "q1", "text": "tea"}\n{"_id": "q2", "text": "\xff"}\n')
    with pytest.raises(DatasetError, match=r"queries\.jsonl:2: not UTF-8"):
        load_dataset(folder)


def test_a_document_that_is_none_ends_the_reading(tmp_path: Path) -> None:
    (tmp_path / "corpus.jsonl").write_text('{"_id": "a", "title": "x"}\n{"title": "no id"}\n', "utf-8")
    with pytest.raises(DatasetError, match=r"corpus\.jsonl:2: no `_id`"):
        list(corpus(tmp_path))
    with pytest.raises(DatasetError, match=r"no corpus\.jsonl"):
        list(corpus(tmp_path / "nothing"))


@pytest.mark.parametrize("header", ["query-id corpus-id score", "qid  0  docid  rel", "Query-ID\tCorpus-ID\tScore"])
def test_a_header_is_one_however_its_cells_are_apart(tmp_path: Path, header: str) -> None:
    row = "q1 d1 2" if " " in header else "q1\td1\t2"
    assert load_dataset(write(tmp_path / "set", qrels=f"{header}\n{row}\n")).grades == {"q1": {"d1": 2}}
    with pytest.raises(DatasetError, match=r"qrels\.tsv:1: there is a header, and no judgement"):
        load_dataset(write(tmp_path / "alone", qrels=f"{header}\n\n"))


@pytest.mark.parametrize(
    "grade", ["1_0", "１", "٣", "1e3", "0x1", "nan", "inf", "1.5", "1000000", "9" * 5000, "1 0", "--1"]
)
def test_a_grade_is_a_whole_number_in_plain_digits(tmp_path: Path, grade: str) -> None:
    with pytest.raises(DatasetError, match=r"qrels\.tsv:1: the grade .* is no whole number"):
        load_dataset(write(tmp_path / "set", qrels=f"q1\td1\t{grade}\n"))


@pytest.mark.parametrize(("grade", "number"), [("2.0", 2), ("+2", 2), ("-1", -1), ("-0", 0), ("007", 7), ("3.", 3)])
def test_a_grade_may_be_written_as_files_have_it(tmp_path: Path, grade: str, number: int) -> None:
    assert load_dataset(write(tmp_path / "set", qrels=f"q1\td1\t{grade}\n")).grades == {"q1": {"d1": number}}


def test_a_key_that_stands_twice_is_said(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match=r"queries\.jsonl:1: the key 'text' stands twice"):
        load_dataset(write(tmp_path / "set", queries='{"_id": "q1", "text": "a", "text": "b"}\n', qrels="q1\td1\t1\n"))


@pytest.mark.parametrize("kind", ["fifo", "folder", "device"])
@pytest.mark.parametrize("name", ["qrels.tsv", "qrels/test.tsv"])
def test_what_is_no_file_is_not_read(tmp_path: Path, kind: str, name: str) -> None:
    place = write(tmp_path / "set") / name
    place.parent.mkdir(exist_ok=True)
    if kind == "fifo":
        os.mkfifo(place)
    elif kind == "folder":
        place.mkdir()
    else:
        place.symlink_to("/dev/zero")
    with pytest.raises(DatasetError, match=r"\.tsv: is no file"):
        load_dataset(tmp_path / "set")
    with pytest.raises(DatasetError, match="is no file"):
        next(lines(place))


def test_a_document_whose_id_comes_twice_is_refused(tmp_path: Path) -> None:
    (tmp_path / "corpus.jsonl").write_text(
        '{"_id": "a", "title": "x"}\n{"_id": "b"}\n{"_id": "a", "title": "y"}\n', "utf-8"
    )
    with pytest.raises(DatasetError, match=r"corpus\.jsonl:3: the document id 'a' is already in line 1"):
        check_corpus(tmp_path)


def test_two_judged_queries_of_one_text_are_told(tmp_path: Path) -> None:
    (tmp_path / "queries.jsonl").write_text('{"_id": "a", "text": "tea"}\n{"_id": "b", "text": "Tea"}\n', "utf-8")
    (tmp_path / "qrels.tsv").write_text("a\td\t1\nb\td\t1\n", "utf-8")
    found = load_dataset(tmp_path)
    assert len(found.queries) == 2
    alike = "1 query has the text of another one: intervals take them for independent, and are too narrow"
    assert found.notes == (alike,)
    (tmp_path / "qrels.tsv").write_text("a\td\t1\na\te\t1\nb\te\t1\nb\td\t0\n", "utf-8")
    assert load_dataset(tmp_path).notes == (
        alike,
        "the queries 'a' and 'b' have one text, and the document 'd' is graded 1 for the one and 0 for the other: each counts "
        "as it is judged",
    )
