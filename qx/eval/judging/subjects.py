"""What is put before a judge: documents that were found, sets of queries, answers, pairs of sets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from pathlib import Path

from qx.errors import DatasetError
from qx.eval.datasets import corpus
from qx.eval.judging.filling import Subject
from qx.eval.judging.rubrics import Tongue
from qx.eval.judging.steering import without_steering
from qx.eval.sheets.items import Item
from qx.eval.sheets.sampling import stratified
from qx.eval.values import Dataset, EvalQuery, Grades, Row
from qx.text.language import identify

Pair = tuple[str, str]
"""A query's id and a document's."""
CLIP = 1500
"""Characters of a document that a judge reads."""


def tongue_of(query: EvalQuery | Item) -> Tongue:
    """Return the language of the rubric for a query: Chinese for Chinese, else English."""
    return "zh" if (query.language or identify(query.text)).startswith("zh") else "en"


def pairs_found(rows: Iterable[Row], top: int) -> list[Pair]:
    """Return the pairs of the first ``top`` documents of each row."""
    return [(row.query, found.id) for row in rows for found in row.found[:top]]


def pairs_graded(grades: Grades, count: int, *, seed: int) -> list[Pair]:
    """Draw ``count`` of the pairs that people have graded, so that every grade has its share."""
    known = [(query, item, grade) for query, given in grades.items() for item, grade in given.items()]
    if not known or count < 1:
        return []
    return [(query, item) for query, item, _ in stratified(known, count, lambda pair: pair[2], seed=seed)]


def texts_of(rows: Iterable[Row]) -> dict[str, tuple[str, str]]:
    """Return title and text of the documents that rows keep them of."""
    return {one.id: (one.title, one.text) for row in rows for one in row.found if one.title or one.text}


def texts_in(path: Path, ids: set[str]) -> dict[str, tuple[str, str]]:
    """Return title and text of those documents of a corpus.

    Raises:
        DatasetError: there is no corpus, or a line is no document.
    """
    return {document.id: (document.title, document.text) for document in corpus(path) if document.id in ids}


def relevance_subjects(
    dataset: Dataset, pairs: Sequence[Pair], texts: Mapping[str, tuple[str, str]], *, clip: int = CLIP
) -> list[Subject]:
    """Return the question how well a document answers a query, for each pair once.

    Raises:
        DatasetError: a document's text is nowhere.
    """
    queries = {query.id: query for query in dataset.queries}
    missing = [item for _, item in pairs if item not in texts]
    if missing:
        raise DatasetError(
            f"{len(set(missing))} documents have no text to judge, such as {missing[0]!r}",
            hint="name the corpus: --corpus FOLDER|FILE",
        )
    return [
        relevance_subject(queries[id_], item, *texts[item], clip=clip)
        for id_, item in dict.fromkeys(pairs)
        if id_ in queries
    ]


def relevance_subject(query: EvalQuery, item: str, title: str, text: str, *, clip: int = CLIP) -> Subject:
    """Return the question how well one document answers a query: ``clip`` characters of it, none that speak to the judge."""
    document, steered = _document(title, text, clip)
    return Subject(
        query=query.id,
        item=item,
        task="relevance",
        tongue=tongue_of(query),
        shown={"query": query.text, "document": document},
        steered=steered,
    )


def _document(title: str, text: str, clip: int) -> tuple[Mapping[str, str], bool]:
    """A document as it is shown, and whether it spoke to the judge."""
    parts = {"title": title[:clip], "text": text[:clip]} if title else {"text": text[:clip]}
    read = {name: without_steering(part) for name, part in parts.items()}
    return {name: part for name, (part, _) in read.items()}, any(steered for _, steered in read.values())


def set_subjects(items: Sequence[Item]) -> list[Subject]:
    """Return the question how much a set of queries covers and whether it is useful, for each item."""
    return [
        Subject(
            query=item.query,
            item=item.condition,
            task="queries",
            tongue=tongue_of(item),
            shown={"original": item.text, "queries": list(item.queries)},
        )
        for item in items
    ]


def answer_subjects(items: Sequence[Item], *, clip: int = 4 * CLIP) -> list[Subject]:
    """Return the question how good an answer is, for each item."""
    return [
        Subject(
            query=item.query,
            item=item.condition,
            task="answers",
            tongue=tongue_of(item),
            shown={"question": item.text, "answer": answer},
            steered=steered,
        )
        for item in items
        for answer, steered in (without_steering(item.answer[:clip]),)
    ]


def preference_subjects(items: Sequence[Item]) -> list[Subject]:
    """Return the question which of two conditions' sets is better, for each original and pair of conditions.

    Sets that are the same are not compared.
    """
    sets: dict[str, dict[str, Item]] = {}
    for item in items:
        sets.setdefault(item.query, {})[item.condition] = item
    return [
        Subject(
            query=query,
            item=between(one, other),
            task="preference",
            tongue=tongue_of(own[one]),
            shown={"original": own[one].text, "A": list(own[one].queries), "B": list(own[other].queries)},
        )
        for query, own in sets.items()
        for one, other in combinations(own, 2)
        if own[one].queries != own[other].queries
    ]


def between(one: str, other: str) -> str:
    """Return the name of the comparison of two conditions."""
    return f"{one} | {other}"
