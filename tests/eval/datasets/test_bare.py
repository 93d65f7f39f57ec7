"""Bare lists of queries, and finding out what a path is."""

from __future__ import annotations

from pathlib import Path

import pytest

from qx.errors import DatasetError, UsageError
from qx.eval.datasets import Format, format_of, load_dataset


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("q.txt", "tea\n\n 茶叶 \r\n"),
        ("q.csv", 'text,kind\ntea,buy\n"茶叶",\n'),
        ("q.tsv", "query\tkind\ntea\tbuy\n茶叶\t\n"),
        ("q.jsonl", '{"text": "tea", "kind": "buy"}\n{"query": "茶叶"}\n'),
    ],
)
def test_lists(tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / name
    path.write_text(text, "utf-8")
    found = load_dataset(path)
    assert [(q.id, q.text) for q in found.queries] == [("q1", "tea"), ("q2", "茶叶")]
    assert found.grades == {}
    assert (found.name, found.queries[0].kind) == ("q", "" if name == "q.txt" else "buy")


def test_own_ids_and_languages_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "q.csv"
    path.write_text("id,text,language\na7,tea,en\n,茶,zh\n", "utf-8")
    found = load_dataset(path)
    assert [(q.id, q.language) for q in found.queries] == [("a7", "en"), ("q2", "zh")]


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("q.csv", "id,text\nx,\n", "2: a query without text (it has: id)"),
        ("q.csv", "text\ntea,green\n", "2: 2 cells, the first row has 1"),
        ("q.csv", 'text\n"tea\n', "not CSV"),
        ("q.jsonl", '{"title": "x"}\n', "1: a query without text (it has: title)"),
        ("q.csv", "id,text\nx,a\nx,b\n", "3: the query id 'x' is already in line 2"),
        ("q.txt", "\n", "there is no query"),
    ],
)
def test_what_is_wrong_is_refused_with_its_line(tmp_path: Path, name: str, text: str, said: str) -> None:
    path = tmp_path / name
    path.write_text(text, "utf-8")
    with pytest.raises(DatasetError) as refused:
        load_dataset(path)
    assert said in str(refused.value)


def test_a_sample_is_a_part_of_a_greater_one_in_the_order_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "q.txt"
    path.write_text("".join(f"query {n}\n" for n in range(500)), "utf-8")
    small, large = (load_dataset(path, limit=n, seed=3) for n in (20, 100))
    assert set(small.queries) < set(large.queries)
    places = [int(q.id[1:]) for q in large.queries]
    assert places == sorted(places)
    assert small.notes == ("a sample of 20 of 500 queries, seed 3",)
    assert load_dataset(path, limit=20, seed=4).queries != small.queries
    assert load_dataset(path, limit=500).notes == ()
    assert load_dataset(path, limit=20, seed=3).fingerprint == small.fingerprint != large.fingerprint
    with pytest.raises(UsageError, match="limit=0"):
        load_dataset(path, limit=0)


@pytest.mark.parametrize(
    ("name", "text", "form"),
    [
        ("a.txt", "<top>\n<num> 1\n<title> x\n</top>\n", "trec"),
        ("a.tsv", "1\ttea\n", "trec"),
        ("a.tsv", "text\ntea\n", "bare"),
        ("a.tsv", "query\tshown\tclicked\n", "clicks"),
        ("a.jsonl", '{"query": "x", "clicked": []}\n', "clicks"),
        ("a.jsonl", '{"text": "x"}\n', "bare"),
        ("a.csv", "query,shown,clicked\nx,a,\n", "clicks"),
        ("a.queries", "tea\n", "bare"),
        ("a.txt", "", "bare"),
    ],
)
def test_what_a_file_is(tmp_path: Path, name: str, text: str, form: Format) -> None:
    path = tmp_path / name
    path.write_text(text, "utf-8")
    assert format_of(path) == form


def test_the_format_can_be_said(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text("1\ttea\n2\t茶\n", "utf-8")
    with pytest.raises(DatasetError, match="without text"):
        load_dataset(path, format="bare")
    assert len(load_dataset(path).queries) == 2


def test_what_was_looked_for_is_said(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match=r"looked for queries\.jsonl \(BEIR\) and for files named topics and qrels"):
        load_dataset(tmp_path)
    with pytest.raises(DatasetError, match="looked for a folder, a file, and two files TOPICS:QRELS"):
        load_dataset(tmp_path / "nothing")
    with pytest.raises(DatasetError, match="no such file"):
        load_dataset(tmp_path / "nothing", format="clicks")


def test_two_columns_of_one_name_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "q.csv"
    path.write_text("text,text\na,b\n", "utf-8")
    with pytest.raises(DatasetError, match=r"q\.csv:1: two columns are called 'text'"):
        load_dataset(path)
    path.write_text("text,,\na,,\n", "utf-8")
    assert [query.text for query in load_dataset(path).queries] == ["a"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("q.txt", "tea\n茶叶\nTea\nｔｅａ\n茶叶\n"),
        ("q.csv", "id,text\na,tea\nb,茶叶\nc,Tea\nd,ｔｅａ\ne,茶叶\n"),
        ("q.jsonl", "".join(f'{{"text": "{t}"}}\n' for t in ("tea", "茶叶", "Tea", "ｔｅａ", "茶叶"))),
    ],
)
def test_a_query_that_comes_again_is_one(tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / name
    path.write_text(text, "utf-8")
    found = load_dataset(path)
    assert [q.text for q in found.queries] == ["tea", "茶叶"]
    assert found.notes == ("3 of 5 queries say the same as another one and are left out",)
    sample = load_dataset(path, limit=1)
    assert len(sample.queries) == 1
    assert "a sample of 1 of 2 queries, seed 0" in sample.notes


@pytest.mark.parametrize(
    ("name", "row"),
    [("corpus.jsonl", '{"_id": "d1", "text": "x"}'), ("d.jsonl", '{"_id": "d", "title": "x", "text": "y"}')],
)
def test_documents_are_no_queries(tmp_path: Path, name: str, row: str) -> None:
    path = tmp_path / name
    path.write_text(row + "\n", "utf-8")
    with pytest.raises(DatasetError, match=r"these look like documents, not queries .*--format bare"):
        load_dataset(path)
    assert len(load_dataset(path, format="bare").queries) == 1


JUDGED = [("judge.tsv", "query-id\tcorpus-id\tscore\nq1\td1\t2\n"), ("test.tsv", "q1\td1\t2\nq1\td2\t0\n")]
JUDGED += [
    ("qrels.txt", "q1 0 d1 2\nq1 0 d2 0\n"),
    ("decimal.txt", "q1 0 d1 1.0\nq1 0 d2 0.5\n"),
    ("my.run", "q1 Q0 d1 1 0.5 tag\nq1 Q0 d2 2 0.4 tag\n"),
]


@pytest.mark.parametrize(("name", "text"), JUDGED)
def test_judgements_and_runs_are_no_queries(tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / name
    path.write_text(text, "utf-8")
    what = "a run" if name.endswith(".run") else "judgements"
    with pytest.raises(DatasetError, match=rf"looks? like {what}, not queries"):
        load_dataset(path)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("log.txt", "iphone 15 pro 256\npixel 9 pro 128\n"),
        ("log.txt", "win 0 errors 1\nhow to win\n"),
        ("one.txt", "win 0 errors 1\n"),
        ("topics.tsv", "q1\tflat tyre\nq2\t轮子晃\n"),
    ],
)
def test_queries_that_hold_numbers_are_queries(tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / name
    path.write_text(text, "utf-8")
    assert len(load_dataset(path).queries) == len(text.splitlines())
