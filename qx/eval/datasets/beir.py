"""Folders in the layout of BEIR: ``corpus.jsonl``, ``queries.jsonl``, and ``qrels.tsv`` or ``qrels/SPLIT.tsv``.

Thakur et al., "BEIR: A Heterogeneous Benchmark for Zero-shot Evaluation of Information Retrieval Models" (2021).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any, cast

from qx.backend import Document
from qx.errors import DatasetError
from qx.eval.datasets.gathering import Judgement, Placed, gathered, graded, unique
from qx.eval.datasets.reading import lines, objects, text_of, whole, wrong
from qx.eval.values import Dataset, EvalQuery, Grades
from qx.indexing.record import Bad
from qx.indexing.tables import json_lines

QUERIES = "queries.jsonl"
CORPUS = "corpus.jsonl"
PREFERRED = ("test", "dev", "train")
"""The split that is taken where none is named and there are several."""


def is_beir(path: Path) -> bool:
    """Whether a path is a folder with queries in this layout."""
    return path.is_dir() and (path / QUERIES).is_file()


def load(path: Path, *, name: str, split: str | None, limit: int | None, seed: int) -> Dataset:
    """Read a folder.

    Args:
        split: A file of ``qrels/`` without its ending; None: the only one, else ``test``.

    Raises:
        DatasetError: a file is wrong or missing; names file and line.
    """
    notes: tuple[str, ...] = ()
    file = path / QUERIES
    if not file.is_file():
        raise DatasetError(f"there is no {QUERIES}", file=str(path), hint="a BEIR folder has one")
    grades, told = _grades(path, split)
    if told:
        notes = (told,)
    return gathered(name, lambda: unique(queries(file), file), grades, place=file, limit=limit, seed=seed, notes=notes)


def queries(path: Path) -> Iterator[Placed]:
    """Yield the queries of ``queries.jsonl``; ``kind`` and ``language`` stand in the row or in its ``metadata``.

    Raises:
        DatasetError: a row has no ``_id`` or no text.
    """
    for number, fields in objects(path):
        own = fields.get("metadata")
        more = cast("Mapping[str, Any]", own if isinstance(own, dict) else {})
        id, text = text_of(fields, ("_id", "id")), text_of(fields, ("text", "query"))
        if id is None:
            wrong(path, number, "no `_id`", 'a row is {"_id": "q1", "text": "..."}')
        if text is None:
            wrong(path, number, f"the query {id!r} has no text")
        language, kind = (text_of(fields, (key,)) or text_of(more, (key,)) for key in ("language", "kind"))
        yield number, EvalQuery(id=id, text=text, language=language, kind=kind or "")


def corpus(path: str | Path) -> Iterator[Document]:
    """Yield the documents of a folder's ``corpus.jsonl``.

    Raises:
        DatasetError: there is none, a line is no document, or an id comes twice.
    """
    path = Path(path)
    file = path / CORPUS if path.is_dir() else path
    if not file.is_file():
        raise DatasetError(f"there is no {CORPUS}", file=str(path), hint="only a BEIR folder holds its documents")
    lines: dict[str, int] = {}
    for record in json_lines(file):
        if isinstance(record, Bad):
            raise DatasetError(str(record), hint="repair or remove the line")
        if (first := lines.setdefault(record.document.id, record.number)) != record.number:
            said = f"the document id {record.document.id!r} is already in line {first}"
            wrong(file, record.number, said, "ids must differ: an engine would keep one of the two; remove one")
        yield record.document


def check_corpus(path: Path) -> None:
    """Read a folder's ``corpus.jsonl`` to its end, so that what is wrong with it is said before anything is indexed.

    Raises:
        DatasetError: as ``corpus``.
    """
    for _ in corpus(path):
        pass


def splits(path: Path) -> list[str]:
    """Return the splits that a folder has files for; the one of ``qrels.tsv`` is called ``qrels``."""
    found = sorted(file.stem for file in (path / "qrels").glob("*.tsv")) if (path / "qrels").is_dir() else []
    return [*(["qrels"] if (path / "qrels.tsv").exists() else []), *found]


def _grades(path: Path, split: str | None) -> tuple[Grades | None, str]:
    """The grades of a split, and what is worth knowing of the choice."""
    there = splits(path)
    if not there and split is None:
        return None, "there are no judgements (no qrels.tsv, no qrels/*.tsv)"
    if split is not None and split not in there:
        raise DatasetError(
            f"there is no split {split!r}", file=str(path), hint=f"it has: {', '.join(there) or 'no qrels at all'}"
        )
    chosen = split or next((one for one in ("qrels", *PREFERRED) if one in there), there[0])
    file = (
        path / "qrels.tsv" if chosen == "qrels" and (path / "qrels.tsv").exists() else path / "qrels" / f"{chosen}.tsv"
    )
    told = f"judgements of the split {chosen!r}; there are also: {', '.join(s for s in there if s != chosen)}"
    return graded(judgements, file), told if split is None and len(there) > 1 else ""


def judgements(path: Path) -> Iterator[Judgement]:
    """Yield the judgements of a file: query, document and grade, apart by tabs, with or without a header.

    The four columns of TREC (query, iteration, document, grade) are read as well.

    Raises:
        DatasetError: a line is of another form, or its grade is no number.
    """
    numbered = lines(path)
    first = next(numbered, None)
    if first is None:
        raise DatasetError("there is no judgement", file=str(path), hint="a line is: query, document, grade")
    if _is_header(first[1]):
        first = next(numbered, None)
        if first is None:
            wrong(path, 1, "there is a header, and no judgement", "a line is: query, document, grade")
    for number, text in chain((first,), numbered):
        cells = _cells(text)
        if len(cells) == 4:
            cells = [cells[0], *cells[2:]]
        if len(cells) != 3 or not all(cells):
            wrong(path, number, f"{len(cells)} columns", "a line is: query, document, grade, apart by tabs")
        yield number, cells[0], cells[1], whole(cells[2], path, number)


def _cells(text: str) -> list[str]:
    """The cells of a line: apart by tabs, else by white space."""
    cells = [cell.strip() for cell in text.split("\t")]
    return cells if len(cells) > 1 else text.split()


def _is_header(text: str) -> bool:
    """Whether the first line names columns: its last cell is no number, and the first two sound like names."""
    cells = _cells(text.casefold())
    return len(cells) in (3, 4) and cells[-1] in ("score", "grade", "relevance", "rel", "label")
