"""The words that expansion added: a sub-query whose added words no document holds finds what the original finds, worse."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from qx.ranking import Ranking
from qx.steps.requests import Asked
from qx.syntax import Expression, words
from qx.text.segment import comparable, keywords
from qx.types import SubQuery

UNHELD = "no document holds"
"""How the reason of a list begins that was left out for its added words."""


def added(asked: Asked, original: Expression) -> tuple[str, ...]:
    """Return the content words of a sub-query that the original does not have, in order."""
    own = {comparable(word) for word in _content(original)}
    return tuple(dict.fromkeys(word for word in _content(asked.expression) if comparable(word) not in own))


def weighed(
    found: Sequence[Ranking], additions: Mapping[SubQuery, Sequence[str]], counts: Mapping[str, Mapping[str, int]]
) -> tuple[Ranking, ...]:
    """Return the lists, without those of sub-queries whose added words no document of their backend holds.

    Where only some are held, the list counts less, and its sub-query's ``why`` names the others.

    Args:
        found: What came of the calls.
        additions: Sub-query -> the words that it added.
        counts: Backend -> word -> number of documents; a backend that is not there knows nothing.
    """
    return tuple(_weighed(ranking, additions, counts) for ranking in found)


def _weighed(
    ranking: Ranking, additions: Mapping[SubQuery, Sequence[str]], counts: Mapping[str, Mapping[str, int]]
) -> Ranking:
    report, known = ranking.report, counts.get(ranking.backend or "", {})
    if report is None or report.status != "ok" or report.target == "vector" or ranking.query is None:
        return ranking
    words = [word for word in additions.get(ranking.query, ()) if word in known]
    missing = [word for word in words if not known[word]]
    if not missing:
        return ranking
    reason = f"{UNHELD} {', '.join(missing)}"
    if len(missing) == len(words):
        return Ranking.none(replace(report, status="skipped", reason=reason, hits=0), total=ranking.total)
    query = ranking.query
    lighter = replace(
        query,
        weight=query.weight * (len(words) - len(missing)) / len(words),
        why="; ".join(part for part in (query.why, reason) if part),
    )
    return replace(ranking, query=lighter, report=replace(report, query=lighter))


def _content(expression: Expression) -> list[str]:
    return [word for part in words(expression) for word in keywords(part)]
