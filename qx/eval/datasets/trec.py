"""TREC's files: topics (``id<TAB>text``, or ``<top>`` blocks) and relevance judgements of four columns."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from qx.errors import DatasetError
from qx.eval.datasets.gathering import Judgement, Placed, gathered, graded, unique
from qx.eval.datasets.reading import Line, lines, whole, wrong
from qx.eval.values import Dataset, EvalQuery, Grades

_TAG = re.compile(r"<(/?)(\w+)>\s*", re.ASCII)
_LABEL = re.compile(r"(?:Number|Topic|Title|Query)\s*:\s*", re.IGNORECASE)
SEPARATOR = ":"
"""Between the two files of a pair."""


def pair(path: Path) -> tuple[Path, Path] | None:
    """Return the files of ``topics:qrels``, or of a folder that holds one of each; None where it is neither."""
    if path.is_dir():
        topics, qrels = _only(path, "topics"), _only(path, "qrels")
        return (topics, qrels) if topics and qrels else None
    text = os.fspath(path)
    if path.exists():
        return None
    places = [place for place, letter in enumerate(text) if letter == SEPARATOR]
    for place in places:  # a path may hold a colon itself
        topics, qrels = Path(text[:place]), Path(text[place + 1 :])
        if topics.is_file() and qrels.is_file():
            return topics, qrels
    return None


def missing(path: Path) -> Path | None:
    """Return the file that is not there of ``topics:qrels`` whose other one is; None where it is no such pair."""
    text = os.fspath(path)
    for place, letter in enumerate(text):
        if letter == SEPARATOR and place + 1 < len(text):
            topics, qrels = Path(text[:place]), Path(text[place + 1 :])
            if topics.is_file() != qrels.is_file():
                return qrels if topics.is_file() else topics
    return None


def _only(folder: Path, word: str) -> Path | None:
    found = [file for file in sorted(folder.iterdir()) if file.is_file() and word in file.name.casefold()]
    if len(found) > 1:
        names = ", ".join(file.name for file in found)
        raise DatasetError(f"several files of {word}: {names}", file=str(folder), hint="name the pair: TOPICS:QRELS")
    return found[0] if found else None


def load(path: Path, *, name: str, split: str | None, limit: int | None, seed: int) -> Dataset:
    """Read a pair of files, or topics alone.

    Raises:
        DatasetError: a file is wrong or missing; or a split is named, of which TREC has none.
    """
    if split is not None:
        raise DatasetError(f"there is no split {split!r}", file=str(path), hint="TREC has none: name the file of qrels")
    files = pair(path)
    if files is None and (absent := missing(path)):
        raise DatasetError("there is no such file", file=str(absent), hint=f"{path} names two files, TOPICS:QRELS")
    if files is None and not path.is_file():
        raise DatasetError(
            "no TREC files", file=str(path), hint="name TOPICS:QRELS, or a folder with one file of each name"
        )
    topics, qrels = files or (path, None)
    grades: Grades | None = None
    notes: tuple[str, ...] = ("there are no judgements: name TOPICS:QRELS",)
    if qrels is not None:
        grades, notes = graded(judgements, qrels), ()
    read = partial(queries, topics)
    return gathered(name, lambda: unique(read(), topics), grades, place=topics, limit=limit, seed=seed, notes=notes)


def queries(path: Path) -> Iterator[Placed]:
    """Yield the topics of a file of either form.

    Raises:
        DatasetError: a line or block has no id or no text.
    """
    return _blocks(path) if is_tagged(path) else _tabbed(path)


def is_tagged(path: Path) -> bool:
    """Whether a file begins with a tag."""
    first = next(lines(path), None)
    return first is not None and first[1].lstrip().startswith("<")


def _tabbed(path: Path) -> Iterator[Placed]:
    for number, text in lines(path):
        id, tab, query = text.partition("\t")
        if not tab or not id.strip():
            wrong(path, number, "no tab", "a topic is one line: id, tab, text")
        if not query.strip():
            wrong(path, number, f"the topic {id.strip()!r} has no text")
        yield number, EvalQuery(id=id.strip(), text=" ".join(query.split()))


def _blocks(path: Path) -> Iterator[Placed]:
    """``<top> <num> Number: 301 <title> … <desc> … </top>``; only number and title are read, of any line breaks."""
    block: list[Line] = []
    for number, text in lines(path):
        block.append((number, text))
        if "</top>" in text.casefold():
            yield _topic(block, path)
            block = []
    if block:
        wrong(path, block[0][0], "a topic without </top>", "close it")


def _topic(block: list[Line], path: Path) -> Placed:
    text = "\n".join(line for _, line in block)
    parts: dict[str, str] = {}
    tag, end = "", 0
    for found in _TAG.finditer(text):
        if tag:
            parts.setdefault(tag, text[end : found.start()])
        tag, end = "" if found[1] else found[2].casefold(), found.end()
    id, query = (" ".join(_LABEL.sub("", parts.get(name, ""), count=1).split()) for name in ("num", "title"))
    number = block[0][0]
    if not id:
        wrong(path, number, "a topic without a number", "a topic has <num> and <title>")
    if not query:
        wrong(path, number, f"the topic {id!r} has no title")
    return number, EvalQuery(id=id, text=query)


def judgements(path: Path) -> Iterator[Judgement]:
    """Yield judgements: query, iteration (not read), document, grade, apart by white space.

    Raises:
        DatasetError: a line has not four columns, or its grade is no number.
    """
    empty = True
    for number, text in lines(path):
        cells = text.split()
        if len(cells) != 4:
            wrong(path, number, f"{len(cells)} columns", "a line of TREC is: query, 0, document, grade")
        empty = False
        yield number, cells[0], cells[2], whole(cells[3], path, number)
    if empty:
        raise DatasetError("there is no judgement", file=str(path), hint="a line is: query, 0, document, grade")
