"""What is written in a format is what is read from it."""

from __future__ import annotations

import contextlib
import json
import tempfile
from collections.abc import Mapping
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from qx.errors import DatasetError
from qx.eval.datasets import load_dataset
from qx.text.normalise import fold

IDS = st.text("abcXYZ0189-_.é茶", min_size=1, max_size=8)
TEXTS = st.text(st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp")), min_size=1, max_size=30).filter(
    lambda text: text.strip() == text and text.isprintable() and not text.startswith("<")
)
GRADES = st.dictionaries(IDS, st.dictionaries(IDS, st.integers(-2, 5), min_size=1, max_size=4), min_size=1, max_size=5)


@settings(max_examples=60, deadline=None)
@given(GRADES, st.data(), st.booleans())
def test_beir_and_trec(grades: Mapping[str, Mapping[str, int]], data: st.DataObject, header: bool) -> None:
    queries = {id: data.draw(TEXTS) for id in grades}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        lines = [json.dumps({"_id": id, "text": text}) for id, text in queries.items()]
        (folder / "queries.jsonl").write_text("\n".join(lines), "utf-8")
        rows = [f"{query}\t{doc}\t{grade}" for query, of in grades.items() for doc, grade in of.items()]
        (folder / "qrels.tsv").write_text("\n".join(["query-id\tcorpus-id\tscore"] * header + rows), "utf-8")
        found = load_dataset(folder)
        assert {q.id: q.text for q in found.queries} == queries
        assert found.grades == grades
        (folder / "t.tsv").write_text("".join(f"{id}\t{text}\n" for id, text in queries.items()), "utf-8")
        four = [f"{query} 0 {doc} {grade}\n" for query, of in grades.items() for doc, grade in of.items()]
        (folder / "q.txt").write_text("".join(four), "utf-8")
        other = load_dataset(Path(f"{folder / 't.tsv'}:{folder / 'q.txt'}"))
        assert other.grades == grades
        assert {q.id: q.text for q in other.queries} == {id: " ".join(text.split()) for id, text in queries.items()}


@settings(max_examples=60, deadline=None)
@given(st.lists(TEXTS, min_size=1, max_size=6, unique_by=fold))
def test_bare_lists(texts: list[str]) -> None:
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "q.jsonl"
        path.write_text("".join(json.dumps({"text": text}) + "\n" for text in texts), "utf-8")
        assert [q.text for q in load_dataset(path).queries] == texts
        plain = Path(name) / "q.txt"
        plain.write_text("".join(f"{text}\n" for text in texts), "utf-8")
        assert [q.text for q in load_dataset(plain).queries] == texts


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=200), st.sampled_from(["q.txt", "q.csv", "q.tsv", "q.jsonl", "queries.jsonl", "qrels.tsv"]))
def test_whatever_a_file_holds_it_is_read_or_refused(data: bytes, name: str) -> None:
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        (folder / "queries.jsonl").write_text('{"_id": "q", "text": "t"}\n', "utf-8")
        (folder / name).write_bytes(data)
        with contextlib.suppress(DatasetError):  # any other exception is a fault
            load_dataset(folder if name in ("queries.jsonl", "qrels.tsv") else folder / name)
