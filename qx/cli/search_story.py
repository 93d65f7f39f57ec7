"""A search from its query to its hits, as a story: every list, every filter, every drop, every millisecond."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qx.cli.output import Node
from qx.cli.story import add_costs, add_expansion, degradations
from qx.filters.text import filter_text

if TYPE_CHECKING:
    from qx.settings import Profile
    from qx.types import Found, Hit, ListReport, SearchResult, SubQuery

HITS = 20
"""Hits whose places are told."""


def search_explanation(text: str, result: SearchResult, profile: Profile) -> Node:
    """Return the whole trace of a search."""
    root = Node("", text or "(everything that passes the filter)")
    if result.expansion is not None:
        add_expansion(root, result.expansion, profile, result.trace)
    common = common_filter(result)
    lists = root.add("lists", f"{len(result.rankings)}", f"each with {common}" if common else "")
    for report in result.rankings:
        _add_list(lists, report, common)
    root.add_each(
        "not run", [(query.text, f"no backend takes queries for {query.target}") for query in unasked(result)]
    )
    merged = root.add("merged", merging(result, profile))
    for hit in result.hits[:HITS]:
        merged.add(f"{hit.rank}", hit.title or hit.id, f"{hit.id}, score {hit.score:g}").children.extend(
            Node("", contribution(found)) for found in by_place(hit)
        )
    root.add_each(
        "facets", [(name, ", ".join(f"{v} {n}" for v, n in counts)) for name, counts in result.facets.items()]
    )
    root.add_each("dropped after merging", [(item.text, item.reason) for item in result.dropped])
    root.add_each("notes", [(line, "") for line in result.notes])
    root.add_each("degraded", list(degradations(result.degraded)))
    root.add("outcome", result.outcome, f"partial: {result.partial}" if result.partial else "")
    add_costs(root, result.trace, result.usage)
    return root


def common_filter(result: SearchResult) -> str:
    """Return the filter that every list was asked with; empty where there is none, or they differ."""
    asked = [report for report in result.rankings if report.status != "skipped"]
    told = {filter_text(report.filter) if report.filter is not None else "" for report in asked}
    return told.pop() if len(told) == 1 else ""


def unasked(result: SearchResult) -> list[SubQuery]:
    """Return the sub-queries that went to no backend, since none takes their kind."""
    asked = {report.query.text for report in result.rankings}
    return [q for q in (result.expansion.queries if result.expansion else ()) if q.text not in asked]


def merging(result: SearchResult, profile: Profile) -> str:
    """Return how the lists became one: ``9 lists by rrf into 12 hits``."""
    with_hits = len([report for report in result.rankings if report.hits])
    how = f" by {profile.search.fusion.type}" if with_hits > 1 else ""
    through = [named.type for named in profile.search.processors]
    then = f", then {', '.join(through)}" if through else ""
    return f"{with_hits} list{'' if with_hits == 1 else 's'} with hits{how}{then}"


def by_place(hit: Hit) -> list[Found]:
    """Return a hit's contributions, the heaviest first."""
    return sorted(hit.contributions, key=lambda found: (-found.weight, found.rank))


def contribution(found: Found) -> str:
    """Return such as ``#2 of “light laptop” in products, weight 0.05``."""
    of = f"“{found.query}”" if found.query else "the conditions"
    return f"#{found.rank} of {of} in {found.backend}, weight {found.weight:.3g}"


def list_facts(report: ListReport, common: str = "") -> list[tuple[str, str]]:
    """Return what is worth knowing of one list, without the ``common`` filter: (what, text)."""
    facts = [("side", report.target)] if report.target != "any" else []
    if report.filter is not None and (told := filter_text(report.filter)) != common:
        facts.append(("filter", told))
    facts += [("asked without", reason) for reason in report.unlowered]
    facts += [("not expressed", part) for part in report.unexpressed]
    return facts


def list_outcome(report: ListReport) -> str:
    """Return such as ``12 hits of 340 in 4.2 ms``, or what went wrong."""
    if report.status != "ok":
        return f"{report.status}: {report.reason}"
    total = "" if report.total is None else f" of {report.total}"
    return f"{report.hits} hit{'' if report.hits == 1 else 's'}{total} in {report.took:.1f} ms"


def _add_list(lists: Node, report: ListReport, common: str) -> None:
    what = report.query.text or "(no words)"
    node = lists.add("", f"{what}  →  {report.backend}: {list_outcome(report)}", report.query.strategy)
    for label, text in list_facts(report, common):
        node.add(label, text)
