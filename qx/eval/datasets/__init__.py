"""Datasets: queries, and grades where there are any, from files of four forms; one file a form.

========== ======================= ==========================================================================
``beir``   ``beir.py``             a folder: ``corpus.jsonl``, ``queries.jsonl``, ``qrels.tsv`` or ``qrels/*.tsv``
``trec``   ``trec.py``             topics and judgements: ``TOPICS:QRELS``, or a folder with one of each
``clicks`` ``clicks.py``           a log: ``query``, ``shown``, ``clicked``; grades are made of clicks
``bare``   ``bare.py``             queries alone: one a line, or a column ``text``
========== ======================= ==========================================================================
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from qx.errors import DatasetError, UsageError
from qx.eval.datasets import bare, beir, clicks, trec
from qx.eval.datasets.beir import corpus
from qx.eval.datasets.clicks import IMPRESSIONS
from qx.eval.datasets.judged import judged
from qx.eval.datasets.reading import lines, objects, table
from qx.eval.values import Dataset

Format = Literal["beir", "trec", "clicks", "bare"]
FORMATS: tuple[Format, ...] = ("beir", "trec", "clicks", "bare")

__all__ = ["FORMATS", "Format", "corpus", "format_of", "load_dataset"]


def load_dataset(
    path: str | Path,
    *,
    name: str | None = None,
    split: str | None = None,
    limit: int | None = None,
    seed: int = 0,
    format: Format | None = None,
    impressions: int = IMPRESSIONS,
) -> Dataset:
    """Read a dataset.

    Args:
        path: A folder or file; of TREC also ``TOPICS:QRELS``.
        name: As it stands in reports; None: the name of the folder or file.
        split: Of a BEIR folder with several files of judgements.
        limit: Queries at most: a sample, drawn by ``seed``, in the order of the file.
        format: None: found out.
        impressions: Of a log of clicks: how often a document must have been seen for a query to be judged.

    Raises:
        DatasetError: it is nothing that can be read, or something in it is wrong; names file and line.
        UsageError: ``limit`` or ``impressions`` is below 1.
    """
    if limit is not None and limit < 1:
        raise UsageError(f"limit={limit}: give at least 1, or None for all queries")
    if impressions < 1:
        raise UsageError(f"impressions={impressions}: give at least 1")
    path = Path(path)
    form = format or format_of(path)
    called = name or _name(path)
    if form == "clicks":
        return clicks.load(_file(path), name=called, split=split, limit=limit, seed=seed, impressions=impressions)
    if form == "bare":
        return bare.load(_file(path), name=called, split=split, limit=limit, seed=seed)
    reader = beir.load if form == "beir" else trec.load
    return reader(path, name=called, split=split, limit=limit, seed=seed)


def format_of(path: Path) -> Format:
    """Find out the form of a dataset by what is there.

    Raises:
        DatasetError: it is none of the four; says what was looked for.
    """
    if beir.is_beir(path):
        return "beir"
    if trec.pair(path) is not None:
        return "trec"
    if path.is_file():
        return _format_of_file(path)
    if absent := trec.missing(path):
        raise DatasetError("there is no such file", file=str(absent), hint=f"{path} names two files, TOPICS:QRELS")
    looked = (
        f"looked for {beir.QUERIES} (BEIR) and for files named topics and qrels (TREC)"
        if path.is_dir()
        else "looked for a folder, a file, and two files TOPICS:QRELS"
    )
    raise DatasetError(
        f"no dataset: {looked}", file=str(path), hint=f"name one, and its format if need be: {', '.join(FORMATS)}"
    )


def _format_of_file(path: Path) -> Format:
    suffix = path.suffix.lower()
    if suffix not in bare.OBJECTS and (what := judged(path)):
        raise DatasetError(
            f"these look like {what}, not queries",
            file=str(path),
            hint="name the folder with the queries, or both files: TOPICS:QRELS; if they are queries after all: --format bare",
        )
    if suffix in bare.OBJECTS:
        first = next(objects(path), None)
        if first is not None and clicks.is_log(first[1]):
            return "clicks"
        _refuse_documents(path, first[1] if first is not None else {})
        return "bare"
    if suffix in bare.TABLES:
        header = next(table(path), (0, ()))[1]
        names = dict.fromkeys(cell.strip() for cell in header)
        if clicks.is_log(names):
            return "clicks"
        return "trec" if suffix == ".tsv" and not any(one in names for one in bare.TEXT) else "bare"
    first = next(lines(path), None)
    return "trec" if first is not None and first[1].lstrip().startswith("<top") else "bare"


def _refuse_documents(path: Path, first: Mapping[str, Any]) -> None:
    """Refuse documents that would be read as queries: searching for their texts measures nothing."""
    if path.name == beir.CORPUS or ("title" in first and "text" in first and "query" not in first):
        raise DatasetError(
            "these look like documents, not queries",
            file=str(path),
            hint=f"name the folder with {beir.QUERIES}; if they are queries after all: --format bare",
        )


def _file(path: Path) -> Path:
    if not path.is_file():
        raise DatasetError("there is no such file", file=str(path))
    return path


def _name(path: Path) -> str:
    files = trec.pair(path) if not path.exists() else None
    named = files[0] if files else path.resolve()
    return named.stem if named.is_file() else named.name
