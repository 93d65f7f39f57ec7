"""What a search has found so far, and how it becomes the result: hits, counts, and all that is worth knowing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from qx.ranking import Ranking, Unreadable
from qx.request import RequestContext
from qx.searching.highlighting import Marks
from qx.searching.rewriting import Rewritten, arrange
from qx.serial import replace, value
from qx.types import Dropped, Expansion, Found, Hit, ListReport, SearchOptions, SearchResult, Trace, Understanding


@value
class Standing:
    """The lists of one round, merged (``fused``) and processed (``ranked``), before the profile's rules pin and block."""

    found: tuple[Ranking, ...]
    fused: Ranking
    ranked: Ranking

    def then(self, fused: Ranking, ranked: Ranking) -> Standing:
        """Return it with a further part of the same lists below."""
        return replace(self, fused=joined(self.fused, fused), ranked=joined(self.ranked, ranked))


def joined(first: Ranking, second: Ranking) -> Ranking:
    """Return the hits of ``first``, then those of ``second`` that are not among them; scores go on falling."""
    known = set(first.keys)
    places = [i for i, key in enumerate(second.keys) if key not in known]
    if not places:
        return first
    floor = first.scores[-1] if first.scores else second.scores[places[0]]
    head, tail, border = first.hit, second.hit, len(first.keys)

    def hit(index: int) -> Hit:
        return head(index) if index < border else tail(places[index - border])

    return replace(
        first,
        keys=(*first.keys, *(second.keys[i] for i in places)),
        scores=(*first.scores, *(min(second.scores[i], floor) for i in places)),
        hit=hit,
        dropped=tuple(dict.fromkeys((*first.dropped, *second.dropped))),
        notes=tuple(dict.fromkeys((*first.notes, *second.notes))),
    )


def result(
    standing: Standing, expansion: Expansion | None, rewritten: Rewritten, context: RequestContext
) -> SearchResult:
    """Return the part of the list that the caller wants, with what the request has to report."""
    ranked = arrange(standing.ranked, rewritten)
    options, report = context.options, context.report
    marked = (expansion.queries[0].text if expansion else context.query.text,) if options.highlights else ()
    marks = Marks(marked)
    page, unreadable = _page(ranked, options, marks)
    reports = tuple(r.report for r in standing.found if r.report is not None)
    notes = (*report.notes, *ranked.notes)
    if not page and 0 < len(ranked.keys) <= options.offset:
        notes = (f"the list ends before hit {options.offset + 1}: it has {len(ranked.keys)}", *notes)
    return SearchResult(
        hits=tuple(page),
        rankings=reports,
        understanding=expansion.understanding if expansion else Understanding(),
        expansion=expansion,
        degraded=tuple(dict.fromkeys((*report.degraded, *(expansion.degraded if expansion else ())))),
        partial=shortfalls(reports, unreadable),
        outcome="empty" if not ranked.keys and ranked.outcome == "ok" else ranked.outcome,
        total=total(standing.found),
        more=_follow(ranked, standing, options),
        facets=facets(standing.found),
        notes=tuple(dict.fromkeys(notes)),
        dropped=tuple(Dropped(text=key, reason=reason) for key, reason in ranked.dropped),
        usage=report.usage,
        trace=Trace(id=context.trace, spans=tuple(report.spans)),
    )


def _follow(ranked: Ranking, standing: Standing, options: SearchOptions) -> bool:
    """Whether there are hits behind the page; where the list just reaches it, whether there is more to make a list of."""
    end = options.offset + options.limit
    if len(ranked.keys) != end:
        return len(ranked.keys) > end
    listed = {key for ranking in standing.found for key in ranking.keys}
    deeper = any(r.total is not None and r.total > len(r.keys) for r in standing.found)
    return deeper or len(listed) > len(ranked.keys) + len(ranked.dropped)


def total(found: Sequence[Ranking]) -> int | None:
    """Return how many documents match the original, as its engine says.

    Of several engines it is a number that there are at least, since one document may be in two of them: the greatest of
    theirs, or that of the different documents in their lists.  None where one of them does not know.
    """
    counting = _counting(found)
    known = [ranking.total for ranking in counting if ranking.total is not None]
    if not known or len(known) < len(counting):
        return None
    return known[0] if len(known) == 1 else max(*known, len({key for ranking in counting for key in ranking.keys}))


def facets(found: Sequence[Ranking]) -> dict[str, tuple[tuple[str, int], ...]]:
    """Return how many documents that match the original have each value, added up over the engines.

    A document that is in two engines counts in both.
    """
    counts: dict[str, dict[str, int]] = {}
    for ranking in _counting(found):
        for field, listed in ranking.facets.items():
            known = counts.setdefault(field, {})
            for item, count in listed:
                known[item] = known.get(item, 0) + count
    return {
        field: tuple(sorted(known.items(), key=lambda pair: (-pair[1], pair[0]))) for field, known in counts.items()
    }


def _counting(found: Sequence[Ranking]) -> list[Ranking]:
    """One list of the original's words from each engine that answered: nearness has no count."""
    chosen: dict[str | None, Ranking] = {}
    for ranking in found:
        report = ranking.report
        if ranking.is_original and report is not None and report.status == "ok" and report.target != "vector":
            chosen.setdefault(ranking.backend, ranking)
    return list(chosen.values())


def _page(ranking: Ranking, options: SearchOptions, marks: Marks) -> tuple[list[Hit], list[Unreadable]]:
    """The part of the list that is wanted, and the hits above its end that no engine could make."""
    page: list[Hit] = []
    lost: list[Unreadable] = []
    passed = 0
    for index in range(len(ranking.keys)):  # from the top, so that pages never overlap
        if len(page) == options.limit:
            break
        hit = ranking.hit(index)
        if isinstance(hit, Unreadable):
            lost.append(hit)
        elif passed < options.offset:
            passed += 1
        else:
            page.append(_placed(ranking, hit, index, marks))
    return page, lost


def _placed(ranking: Ranking, hit: Hit, index: int, marks: Marks) -> Hit:
    found = hit.contributions
    if not found and ranking.query is not None:
        found = (Found(query=ranking.query.text, backend=ranking.backend or "", rank=index + 1, weight=1.0),)
    return replace(
        hit, score=round(ranking.scores[index], 6), rank=index + 1, contributions=found, highlights=marks.of(hit)
    )


def shortfalls(reports: Sequence[ListReport], unreadable: Sequence[Unreadable] = ()) -> str | Literal[False]:
    """False, or which backends failed or were late, or could not make a hit, and why."""
    failed = [r for r in reports if r.status in ("failed", "timeout")]
    late: dict[str, ListReport] = {}
    for report in failed:  # each list was late by a time of its own: once will do
        if report.status == "timeout":
            late.setdefault(report.backend, report)
    told = [r for r in failed if r.status == "failed" or late[r.backend] is r]
    bad = dict.fromkeys(f"{r.backend}: {r.reason}" for r in told)
    bad |= dict.fromkeys(f"{hit.backend}: the hit {hit.id!r} cannot be read: {hit.reason}" for hit in unreadable)
    return "; ".join(bad) or False
