"""The words that expansion added: a sub-query whose added words no document holds finds what the original finds, worse."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from qx.ranking import Ranking
from qx.serial import replace
from qx.steps.requests import Asked
from qx.syntax import Expression, words
from qx.text.segment import comparable, keywords
from qx.types import SubQuery

UNHELD = "no document holds"
"""How the reason of a list begins that was left out for its added words."""
LEADS = 1.0
"""The weight of a corrected query that says what the one as typed cannot find: ``qx.steps.fuse`` puts it first."""


def added(asked: Asked, original: Expression) -> tuple[str, ...]:
    """Return the content words of a sub-query that the original does not have, in order."""
    own = {comparable(word) for word in _content(original)}
    return tuple(dict.fromkeys(word for word in _content(asked.expression) if comparable(word) not in own))


def corrected(asked: Asked, original: Asked) -> tuple[str, ...]:
    """Return the content words of the original that a corrected query writes otherwise; none for any other query."""
    return added(original, asked.expression) if asked.query.strategy == "spelling" else ()


def weighed(
    found: Sequence[Ranking],
    additions: Mapping[SubQuery, Sequence[str]],
    counts: Mapping[str, Mapping[str, int]],
    slips: Mapping[SubQuery, Sequence[str]] | None = None,
) -> tuple[Ranking, ...]:
    """Return the lists, without those of sub-queries whose added words no document of their backend holds.

    Where only some are held, the list counts less, and its sub-query's ``why`` names the others.  A corrected query leads
    where documents hold what it says, and none what was typed.

    Args:
        found: What came of the calls.
        additions: Sub-query -> the words that it added.
        counts: Backend -> word -> number of documents; a backend that is not there knows nothing.
        slips: Corrected query -> the words that it says otherwise.
    """
    return tuple(_led(_weighed(ranking, additions, counts), additions, counts, slips or {}) for ranking in found)


def _led(
    ranking: Ranking,
    additions: Mapping[SubQuery, Sequence[str]],
    counts: Mapping[str, Mapping[str, int]],
    slips: Mapping[SubQuery, Sequence[str]],
) -> Ranking:
    query, known = ranking.query, counts.get(ranking.backend or "", {})
    if query is None or query not in slips or ranking.report is None or ranking.report.status != "ok":
        return ranking
    typed, meant = slips[query], additions.get(query, ())
    held = meant and all(known.get(word) for word in meant)
    if not held or not typed or any(known.get(word, 1) for word in typed):
        return ranking
    first = replace(
        query, weight=LEADS, why="; ".join(part for part in (query.why, f"{UNHELD} {', '.join(typed)}") if part)
    )
    return replace(ranking, query=first, report=replace(ranking.report, query=first))


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
