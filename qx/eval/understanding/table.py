"""The report of ``qx eval understand`` as lines for a terminal; fractions are in points of 100."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from qx.eval.aligned import aligned, number, points
from qx.eval.understanding.values import Calibration, FailedRow, Matched, Scores, Share, UnderstandingReport

if TYPE_CHECKING:
    from qx.eval.packs import PackReport

FAILED = 20
"""Failed rows that are shown; ``--json`` has all."""
_NAMES = 12
"""Intents beside one another in the confusion."""


def lines(report: UnderstandingReport, *, failed: int = FAILED) -> list[str]:
    """Return the whole report as lines."""
    out = [f"{report.name}: {report.rows} rows, profile {report.profile}, mode {report.mode}", ""]
    return [
        *out,
        *scores_table([("all", report.scores), *report.kinds.items(), *report.languages.items()]),
        *_rest(report, failed),
    ]


def pack_lines(report: PackReport, *, failed: int = FAILED) -> list[str]:
    """Return the report of a pack's set as lines: with the pack and without it, then the rest of that with it."""
    having, bare = report.with_pack, report.without_pack
    out = [
        f"pack {report.pack}: {report.rows} rows of {', '.join(report.files)}, profile {having.profile}, mode {having.mode}",
        "",
    ]
    columns = [("with", having.scores)] + ([("without", bare.scores)] if bare else [])
    for groups, others in ((having.kinds, bare and bare.kinds), (having.languages, bare and bare.languages)):
        for name, scores in groups.items():
            columns.append((name, scores))
            if others and name in others:
                columns.append((f"{name}, without", others[name]))
    return [*out, *scores_table(columns), *_rest(having, failed), *(f"note: {note}" for note in report.notes)]


def _rest(report: UnderstandingReport, failed: int) -> list[str]:
    out = ["", *_LEGEND]
    out += _section("confusion (rows: wanted first, columns: read first)", _confusion(report.confusion))
    out += _section("calibration of confidence (right: the first intent is wanted)", _calibration(report.calibration))
    out += ["", *_effort(report)]
    out += [f"note: {note}" for note in report.notes]
    out += _failed(report.failed, failed)
    return out


_LEGEND = (
    "points of 100. exact: text and type, or field, op, value and unit, are the same; partial: overlapping texts of one",
    "type, or one field and op with a close value (within 10 %, or one text in the other). '-': no row says what is wanted",
)


def scores_table(columns: Sequence[tuple[str, Scores]]) -> list[str]:
    """Return one line a measure, one column a table; measures that no table has are left out."""
    rows = [["", *(name for name, _ in columns)]]
    for name, pick in _MEASURES:
        cells = [pick(scores) for _, scores in columns]
        if any(cell not in ("-", "") for cell in cells):
            rows.append([name, *cells])
    return aligned(rows, widest=44)


def _share(share: Share | None) -> str:
    return points(share.share) if share else "-"


def _exact(matched: Matched | None) -> str:
    return points(matched.exact.f1) if matched else "-"


def _partial(matched: Matched | None) -> str:
    return points(matched.partial.f1) if matched else "-"


def _recall(matched: Matched | None) -> str:
    return points(matched.partial.recall) if matched else "-"


_MEASURES: tuple[tuple[str, Callable[[Scores], str]], ...] = (
    ("rows", lambda s: str(s.rows)),
    ("intents: macro F1", lambda s: points(s.intents.macro_f1) if s.intents else "-"),
    ("intents: first is right", lambda s: points(s.intents.first) if s.intents else "-"),
    ("intents: first is wanted", lambda s: points(s.intents.among) if s.intents else "-"),
    ("entities: F1, exact", lambda s: _exact(s.entities)),
    ("entities: F1, partial", lambda s: _partial(s.entities)),
    ("constraints: F1, exact", lambda s: _exact(s.constraints)),
    ("constraints: F1, partial", lambda s: _partial(s.constraints)),
    ("implicit needs: F1, exact", lambda s: _exact(s.implicit_needs)),
    ("implicit needs: F1, partial", lambda s: _partial(s.implicit_needs)),
    ("implicit needs: recall, partial", lambda s: _recall(s.implicit_needs)),
    ("sentiment", lambda s: _share(s.sentiment)),
    ("stance", lambda s: _share(s.stance)),
    ("kind", lambda s: _share(s.kind)),
    ("language found out", lambda s: _share(s.language_read)),
    ("queries in its language", lambda s: _share(s.language_kept)),
    ("key terms kept (must)", lambda s: _share(s.must)),
    ("must_not respected", lambda s: _share(s.must_not)),
)


def _section(title: str, body: Sequence[str]) -> list[str]:
    return ["", title, *(f"  {line}" for line in body)] if body else []


def _confusion(found: Mapping[str, Mapping[str, int]]) -> list[str]:
    if not found:
        return []
    read = list(dict.fromkeys([*found, *(label for row in found.values() for label in row)]))[:_NAMES]
    rows = [["", *read]]
    for label, counts in found.items():
        rows.append([label, *(str(counts.get(other, 0) or ".") for other in read)])
    return aligned(rows, widest=24)


def _calibration(found: Calibration | None) -> list[str]:
    if found is None:
        return []
    head = (
        f"ECE {number(found.ece, 3)}, Brier {number(found.brier, 3)}; mean confidence {number(found.confidence)}, "
        f"right {number(found.accuracy)} of {found.rows} rows"
    )
    rows = [["confidence", "rows", "mean", "right"]]
    for place in found.bins:
        where = f"{place.low:.1f} to {place.high:.1f}"
        rows.append([where, str(place.rows), number(place.confidence), number(place.accuracy)])
    return [head, *aligned(rows)]


def _effort(report: UnderstandingReport) -> list[str]:
    usage, latency = report.usage, report.latency
    rungs = ", ".join(f"{rung} {rows}" for rung, rows in report.rungs.items())
    took = "all from earlier runs" if not latency.rows else f"median {latency.median:.0f} ms, p95 {latency.p95:.0f} ms"
    kept = f" ({usage.cached} from earlier runs)" if usage.cached else ""
    cost = "" if usage.cost is None else f", {usage.cost:.4f} {usage.currency}"
    out = [f"read by: {rungs}; a step fell a rung: {report.degraded} rows; without a result: {report.errors}"]
    out.append(f"time: {took} over {latency.rows} rows" if latency.rows else f"time: {took}")
    out.append(f"calls: {usage.calls}{kept}, tokens {usage.input_tokens} in, {usage.output_tokens} out{cost}")
    return out


def _failed(rows: Sequence[FailedRow], most: int) -> list[str]:
    if not rows:
        return ["", "every row was read as wanted"]
    out = ["", f"{len(rows)} rows were read otherwise" + (f"; the first {most}:" if len(rows) > most else ":")]
    for row in rows[:most]:
        out.append(f"  {row.file}:{row.line}: {row.text}  ({row.source} {row.confidence:.2f})")
        out += [f"    {f.field}: wanted {f.expected}; read {f.read}" for f in row.failures]
    return out
