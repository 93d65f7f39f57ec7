"""The page of ``results.py``: tables in Markdown, points (a hundredth) with 95 % intervals."""

from __future__ import annotations

import os
import platform
import re
import subprocess
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from qx.eval.conditions import qx_version
from qx.eval.deciding import p_text
from qx.eval.tuning.values import Side
from qx.eval.values import Comparison, ConditionReport, Report, WorstQuery

if TYPE_CHECKING:
    from results import Results

HEAD = ("condition", "nDCG@10", "difference", "recall@100", "difference", "wins, ties, losses", "ms (p95)", "tokens")
CHOSEN = {"tuned": "tuned settings", "before": "as it was", "off": "no expansion"}
LOSSES = 3
LONGEST = 400
"""Characters of a reason."""
_QUOTED = re.compile(r" “[^”]*”?")
"""Texts of the sets, which are their authors': the page names queries by their ids."""


def page(results: Results) -> str:
    """Return the page."""
    return "\n".join(_lines(results)).rstrip() + "\n"


def _lines(results: Results) -> Iterator[str]:
    yield "# Results"
    yield ""
    yield "Written by `python benchmarks/results.py`; whatever the numbers say."
    yield (
        f"{datetime.now(UTC).date().isoformat()}, {_tree()}, {os.cpu_count()} processors ({platform.machine()}), "
        f"Python {platform.python_version()}; times are those of a machine with other work. What came after that version "
        "is not in the figures."
    )
    yield ""
    yield (
        "Points (0 to 100). A difference is against no expansion over the same engine, paired by query, with a bootstrap "
        "interval of 95 %; **bold** where it holds once corrected (Holm) for all comparisons of its table in which two queries "
        "or more differ. Wins, ties and losses are of nDCG@10; tokens are those of one query, in and out together. `words alone` is the raw query without a "
        "field map, whose conditions stay words."
    )
    yield ""
    yield (
        "Over an engine that takes longer than reading the query by rules, the default does not wait for the first hits: its "
        "strategy `feedback`, which brings most of the recall over the local backend, then runs only where a profile names it."
    )
    for note in results.notes:
        yield f"\n{note}."
    yield ""
    yield "## Without a model"
    for (name, engine), report in results.reports.items():
        yield ""
        yield f"### {name}, {engine}: {report.queries} queries"
        yield from _table(report)
        yield from _losses(report)
    if results.tunings:
        yield from _tunings(results)
    if results.model is not None:
        yield ""
        yield f"## With a small local model: {results.model_name}"
        yield ""
        yield f"{results.model.queries} queries of {results.model.dataset}, local backend; times include the model."
        yield from _table(results.model)
        yield from _losses(results.model)


def _tree() -> str:
    """The version that was measured, and its commit where the tree is a checkout."""
    return " ".join([f"qx {qx_version()}", *_commit()])


def _commit() -> list[str]:
    git = ("git", "-C", str(Path(__file__).parent))
    try:
        commit = subprocess.run([*git, "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=True)
        changed = subprocess.run(
            [*git, "status", "--porcelain", "-uno", "--", "../qx"], capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):  # no git, or no checkout: the version alone
        return []
    return [f"(commit {commit.stdout.strip()}{' and changes' if changed.stdout.strip() else ''})"]


def _table(report: Report) -> Iterator[str]:
    yield ""
    yield from _markdown([HEAD, *(_row(report, one) for one in report.conditions)])


def _row(report: Report, one: ConditionReport) -> tuple[str, ...]:
    compared = {c.measure: c for c in report.comparisons if c.b == one.name and c.a == one.against}
    first = compared.get("ndcg@10")
    latency = "-" if one.latency.median is None else f"{one.latency.median:.0f} ({one.latency.p95:.0f})"
    tokens = (one.usage.input_tokens + one.usage.output_tokens) / max(1, one.queries)
    return (
        one.name,
        _points(one.measures.get("ndcg@10")),
        _difference(first),
        _points(one.measures.get("recall@100")),
        _difference(compared.get("recall@100")),
        "" if first is None else f"{first.wins}, {first.ties}, {first.losses}",
        latency,
        f"{tokens:.0f}",
    )


def _losses(report: Report) -> Iterator[str]:
    """The queries that lost most, with the reason from the trace."""
    for one in report.conditions:
        lost = [w for w in report.worst if w.condition == one.name and w.after < w.before][:LOSSES]
        if lost:
            yield ""
            yield f"Lost by {one.name}:"
            yield ""
            yield from (_loss(w) for w in lost)


def _loss(one: WorstQuery) -> str:
    told = _QUOTED.sub("", one.reason)
    cut = told if len(told) <= LONGEST else told[:LONGEST] + "…"
    return f"- {100 * one.before:.1f} → {100 * one.after:.1f} query {_cell(one.query)}: {_cell(cut)}"


def _tunings(results: Results) -> Iterator[str]:
    yield ""
    yield "## The default, tuned"
    yield ""
    yield (
        "`qx tune` searches each set's default on one half of the queries; the figures are those of the other half, against "
        "no expansion. A setting is taken only where it is proven there; where nothing is, expansion is switched off."
    )
    yield ""
    head = ("set", "engine", "queries", "before: nDCG@10", "recall@100", "tuned: nDCG@10", "recall@100", "taken")
    rows = [head]
    for (name, engine), made in results.tunings.items():
        sides = {(one.name, one.measure): one for one in made.held_out}
        cells = [_side(sides.get((side, m))) for side in ("before", "tuned") for m in ("ndcg@10", "recall@100")]
        rows.append((name, engine, f"{made.train} + {made.held}", *cells, CHOSEN[made.choice]))
    yield from _markdown(rows)
    for (name, engine), made in results.tunings.items():
        yield ""
        changes = ", ".join(f"`{key}: {item}`" for key, item in sorted(made.changes.items()))
        best = f" Best on the training half: {changes}." if changes else " Nothing was better on the training half."
        yield f"- {name}, {engine}: {made.reason}.{best}"


def _side(one: Side | None) -> str:
    return "-" if one is None else f"{_signed(one.difference)} ({_signed(one.low)} to {_signed(one.high)})"


def _difference(c: Comparison | None) -> str:
    if c is None:
        return ""
    said = f"{_signed(c.difference)} ({_signed(c.low)} to {_signed(c.high)})"
    proven = (c.low > 0 or c.high < 0) and c.p < 0.05
    return f"**{said}**, p {p_text(c.p)}" if proven else said


def _signed(number: float) -> str:
    return f"{100 * number:+.1f}"


def _points(number: float | None) -> str:
    return "-" if number is None else f"{100 * number:.1f}"


def _markdown(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    for place, row in enumerate(rows):
        yield "| " + " | ".join(map(_cell, row)) + " |"
        if place == 0:
            yield "|" + "---|" * len(row)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


__all__ = ["page"]
