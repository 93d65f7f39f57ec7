"""TREC's topics and judgements."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from qx.errors import DatasetError
from qx.eval.datasets import load_dataset

CLASSIC = """<top>

<num> Number: 301
<title> International Organized Crime

<desc> Description:
Identify organizations.

</top>
<top>
<num>302</num>
<title>
小儿麻痹症
治疗
</title>
</top>
"""
QRELS = "301 0 FBIS3-10082 1\n301 0 FBIS3-10169 0\n302 Q0 LA-1 2\n"


def write(folder: Path, topics: str, qrels: str | None = QRELS, name: str = "topics.txt") -> Path:
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(topics, "utf-8")
    if qrels is not None:
        (folder / "qrels.txt").write_text(qrels, "utf-8")
    return folder


def test_classic_topics_in_a_folder(tmp_path: Path) -> None:
    found = load_dataset(write(tmp_path / "robust", CLASSIC))
    assert [(q.id, q.text) for q in found.queries] == [
        ("301", "International Organized Crime"),
        ("302", "小儿麻痹症 治疗"),
    ]
    assert found.grades == {"301": {"FBIS3-10082": 1, "FBIS3-10169": 0}, "302": {"LA-1": 2}}
    assert found.name == "robust"


def test_a_pair_of_files(tmp_path: Path) -> None:
    folder = write(tmp_path / "a:b", "301\tcrime\n302\t麻痹症\n", name="t.tsv")
    found = load_dataset(Path(f"{folder / 't.tsv'}:{folder / 'qrels.txt'}"))
    assert ([q.text for q in found.queries], found.name) == (["crime", "麻痹症"], "t")
    assert found.grades["302"] == {"LA-1": 2}


def test_topics_alone(tmp_path: Path) -> None:
    found = load_dataset(write(tmp_path / "x", CLASSIC, None) / "topics.txt")
    assert (len(found.queries), found.grades) == (2, {})
    assert "no judgements" in found.notes[0]


@pytest.mark.parametrize(
    ("topics", "qrels", "said"),
    [
        ("<top>\n<num> 1\n</top>\n", QRELS, "topics.txt:1: the topic '1' has no title"),
        ("<top>\n<title> x\n</top>\n", QRELS, "topics.txt:1: a topic without a number"),
        ("<top>\n<num> 1\n<title> x\n", QRELS, "topics.txt:1: a topic without </top>"),
        (CLASSIC + CLASSIC, QRELS, "topics.txt:17: the query id '301' is already in line 1"),
        ("301 crime\n", QRELS, "topics.txt:1: no tab"),
        ("301\t \n", QRELS, "topics.txt:1: the topic '301' has no text"),
        (CLASSIC, "301 0 d1\n", "qrels.txt:1: 3 columns"),
        (CLASSIC, "301 0 d1 1\n301 0 d1 0\n", "qrels.txt:2: the document 'd1' is judged twice"),
        (CLASSIC, "", "there is no judgement"),
    ],
)
def test_what_is_wrong_is_refused_with_its_line(tmp_path: Path, topics: str, qrels: str, said: str) -> None:
    folder = write(tmp_path / "x", topics, qrels)
    with pytest.raises(DatasetError) as refused:
        load_dataset(folder)
    assert said in str(refused.value)


def test_several_files_of_topics(tmp_path: Path) -> None:
    folder = write(tmp_path / "x", CLASSIC)
    (folder / "topics.2.txt").write_text(CLASSIC, "utf-8")
    with pytest.raises(DatasetError, match=r"several files of topics: topics\.2\.txt, topics\.txt"):
        load_dataset(folder)


def test_there_are_no_splits(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="no split 'dev'"):
        load_dataset(write(tmp_path / "x", CLASSIC), split="dev")


@pytest.mark.parametrize("form", [None, "trec"])
def test_the_file_of_a_pair_that_is_not_there_is_named(tmp_path: Path, form: Any) -> None:
    topics, qrels = tmp_path / "topics.tsv", tmp_path / "grades.txt"
    topics.write_text("301\tx\n", "utf-8")
    with pytest.raises(DatasetError, match=r"grades\.txt: there is no such file .*TOPICS:QRELS"):
        load_dataset(Path(f"{topics}:{qrels}"), format=form)
    topics.rename(qrels)
    with pytest.raises(DatasetError, match=r"topics\.tsv: there is no such file .*TOPICS:QRELS"):
        load_dataset(Path(f"{topics}:{qrels}"), format=form)
