"""From queries and grades as they stand in files to a ``Dataset``: what is double or unknown is found here."""

from __future__ import annotations

import hashlib
import heapq
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from qx.errors import DatasetError
from qx.eval.datasets.reading import wrong
from qx.eval.values import Dataset, EvalQuery, Grades
from qx.text.normalise import fold

Placed = tuple[int, EvalQuery]
"""The line that a query stands in, and the query."""
Judgement = tuple[int, str, str, int]
"""The line, the query's id, the document's id, the grade."""


def unique(queries: Iterable[Placed], path: Path) -> Iterator[EvalQuery]:
    """Yield queries, each id once.

    Raises:
        DatasetError: an id comes twice.
    """
    seen: dict[str, int] = {}
    for number, query in queries:
        if (first := seen.setdefault(query.id, number)) != number:
            wrong(path, number, f"the query id {query.id!r} is already in line {first}", "ids must differ: remove one")
        yield query


def graded(judgements: Callable[[Path], Iterable[Judgement]], path: Path) -> Grades:
    """Gather the judgements of a file into grades.

    Args:
        judgements: Yields them as they stand in ``path``; called once more to say where the first of two stands.

    Raises:
        DatasetError: a document is judged twice for one query, also where both say the same; names both lines.
    """
    found: dict[str, dict[str, int]] = {}
    for number, query, document, grade in judgements(path):
        grades = found.setdefault(query, {})
        if document in grades:
            first = next(line for line, *pair, _ in judgements(path) if pair == [query, document])
            before = (
                f"{grades[document]} in line {first}, now {grade}" if grades[document] != grade else f"line {first}"
            )
            wrong(
                path,
                number,
                f"the document {document!r} is judged twice for the query {query!r} ({before})",
                "keep the judgement that is right" if grades[document] != grade else "remove one of the two",
            )
        grades[document] = grade
    return found


def sampled(queries: Iterable[EvalQuery], limit: int | None, seed: int) -> tuple[EvalQuery, ...]:
    """Return ``limit`` queries (None: all) in the order of the file, never holding more than that.

    Which ones depends on ``seed`` and their ids alone: a smaller sample is a part of a greater one.
    """
    if limit is None:
        return tuple(queries)
    placed = ((_chance(query.id, seed), -place, query) for place, query in enumerate(queries))
    chosen = heapq.nsmallest(limit, placed, key=lambda one: one[:2])
    return tuple(query for _, _, query in sorted(chosen, key=lambda one: -one[1]))


def _chance(id: str, seed: int) -> bytes:
    return hashlib.sha256(f"{seed}:{id}".encode("utf-8", "surrogatepass")).digest()


def gathered(
    name: str,
    queries: Callable[[], Iterator[EvalQuery]],
    grades: Grades | None,
    *,
    place: Path,
    limit: int | None,
    seed: int,
    notes: tuple[str, ...] = (),
) -> Dataset:
    """Make the dataset: of judged queries alone where there are grades.

    Args:
        queries: Yields all queries of the files; called once.
        grades: None where nothing is graded at all.
        place: For messages.

    Raises:
        DatasetError: there is no query, or no judgement is of one.
    """
    known: set[str] = set()
    left_out = 0

    def wanted() -> Iterator[EvalQuery]:
        nonlocal left_out
        for query in queries():
            known.add(query.id)
            if grades is None or query.id in grades:
                yield query
            else:
                left_out += 1

    chosen = sampled(wanted(), limit, seed)
    if not known:
        raise DatasetError("there is no query", file=str(place), hint="a dataset needs at least one")
    told = [*notes]
    if grades is not None:
        told += _unmatched(grades, known, left_out, place)
        grades = {query.id: grades[query.id] for query in chosen}
        told += _alike(chosen, grades)
    if limit is not None and limit < len(known) - left_out:
        told.append(f"a sample of {len(chosen)} of {len(known) - left_out} queries, seed {seed}")
    kept: Grades = grades or {}
    return Dataset(
        name=name, queries=chosen, grades=kept, fingerprint=fingerprint(name, chosen, kept), notes=tuple(told)
    )


def _alike(chosen: Iterable[EvalQuery], grades: Grades) -> Iterator[str]:
    """What is to be known of queries that have the text of another one."""
    by_text: dict[str, list[str]] = {}
    for query in chosen:
        by_text.setdefault(fold(query.text), []).append(query.id)
    several = [ids for ids in by_text.values() if len(ids) > 1]
    if again := sum(len(ids) - 1 for ids in several):
        said = "query has" if again == 1 else "queries have"
        yield f"{again} {said} the text of another one: intervals take them for independent, and are too narrow"
    apart = [found for ids in several if (found := _apart(ids, grades))]
    if apart:
        one, two, document = apart[0]
        more = f"; {len(apart) - 1} texts more are judged in two ways" if len(apart) > 1 else ""
        yield (
            f"the queries {one!r} and {two!r} have one text, and the document {document!r} is graded {grades[one][document]} "
            f"for the one and {grades[two][document]} for the other: each counts as it is judged{more}"
        )


def _apart(ids: Sequence[str], grades: Grades) -> tuple[str, str, str] | None:
    """Two of these queries, and a document that is graded in two ways for them."""
    first: dict[str, str] = {}
    for id in ids:
        for document, grade in grades[id].items():
            if grades[before := first.setdefault(document, id)][document] != grade:
                return before, id, document
    return None


def _unmatched(grades: Grades, known: set[str], left_out: int, place: Path) -> Iterator[str]:
    unknown = [id for id in grades if id not in known]
    if len(unknown) == len(grades):
        raise DatasetError(
            f"no judgement is of one of the {len(known)} queries (judged: {_some(unknown)}; queries: {_some(sorted(known))})",
            file=str(place),
            hint="the ids of queries and judgements must be written alike",
        )
    if unknown:
        count = sum(len(grades[id]) for id in unknown)
        many, of = "judgement is" if count == 1 else "judgements are", "query" if len(unknown) == 1 else "queries"
        yield f"{count} {many} of {len(unknown)} {of} not in the dataset, such as {_some(unknown)}"
    if left_out:
        said = "query without a judgement is" if left_out == 1 else "queries without a judgement are"
        yield f"{left_out} {said} left out"


def _some(ids: list[str]) -> str:
    return ", ".join(repr(id[:40]) for id in ids[:3]) + (", …" if len(ids) > 3 else "")


def fingerprint(name: str, queries: Iterable[EvalQuery], grades: Mapping[str, Mapping[str, int]]) -> str:
    """Return a digest of a dataset: other queries, other grades or another name make another."""
    made = hashlib.sha256(name.encode("utf-8", "surrogatepass"))
    for query in queries:
        of = sorted(grades.get(query.id, {}).items())
        parts = (query.id, query.text, query.language, query.kind, of)
        made.update(json.dumps(parts, ensure_ascii=True).encode())
    return made.hexdigest()[:32]
