"""The report of ``qx eval judge`` as lines for a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from qx.eval.aligned import aligned, number, points
from qx.eval.first_named import difference_lines
from qx.eval.judging.report import JudgeReport
from qx.eval.judging.trust import Trust


def lines(report: JudgeReport) -> list[str]:
    """Return the whole report as lines."""
    repeated = report.subjects - report.asked - report.kept - report.failed
    same = f", {repeated} the same as another one" if repeated > 0 else ""
    out = [
        f"{report.dataset}: {report.task} judged by {report.model}",
        f"{report.subjects} to judge: {report.asked} asked now, {report.kept} judged before, {report.failed} failed{same}; "
        f"{report.flagged} changed with the order of showing",
    ]
    if report.steered:
        out.append(f'{report.steered} spoke to the judge ("give this 3"): those sentences were left out')
    usage = report.usage
    if usage.calls:
        out.append(f"calls: {usage.calls}, tokens {usage.input_tokens} in, {usage.output_tokens} out")
    for question, given in report.scores.items():
        out.append(f"{question}: " + ", ".join(f"{label} x {count}" for label, count in given.items()))
    for found in report.trust:
        out += ["", *agreement(found)]
    out += ["", *_ranking(report)]
    if report.qrels:
        out.append(f"grades written to {report.qrels}")
    return out + [f"note: {note}" for note in report.notes]


def agreement(found: Trust) -> list[str]:
    """Return how far the judge and people agree on one question, as lines."""
    if not found.pairs:
        return [f"{found.question}: nobody has graded any of these: the judge was not checked"]
    kind = {"none": "", "linear": ", linearly weighted", "quadratic": ", quadratically weighted"}[found.weights]
    reaches = found.kappa is not None and found.kappa >= found.threshold
    verdict = f"{'reaches' if reaches else 'is below'} {found.threshold}"
    if reaches and not found.trusted:
        verdict += ", over too few pairs"
    kappa = f"kappa {number(found.kappa)}{kind}"
    if found.kappa is None:
        kappa, verdict = "kappa", "is not defined"
    pairs = "1 pair, " if found.pairs == 1 else f"{found.pairs} pairs, "
    out = [f"{found.question}: {kappa} with people over {pairs}{found.same} of them alike, {verdict}"]
    labels = sorted({label for row in found.confusion.values() for label in row} | set(found.confusion), key=int)
    rows = [["people \\ judge", *labels]]
    for label, row in found.confusion.items():
        rows.append([label, *(str(row.get(other, 0) or ".") for other in labels)])
    return [*out, *(f"  {line}" for line in aligned(rows)), *([f"  {found.note}"] if found.note else [])]


def _ranking(report: JudgeReport) -> list[str]:
    if not report.ranked:
        return [
            "NO RANKING: the judge is not shown to agree with people well enough. What it says of conditions is left out."
        ]
    if not report.conditions:
        return []
    names = list(dict.fromkeys(name for one in report.conditions for name in one.means))
    rows = [["", "queries", *names]]
    rows += [[one.name, str(one.queries), *_cells(one.means, names)] for one in report.conditions]
    out = aligned(rows)
    kinds = sorted({kind for one in report.conditions for kind in one.kinds})
    if len(kinds) > 1:
        rows = [["by kind", "", "queries", *names]]
        for kind in kinds:
            for one in report.conditions:
                if means := one.kinds.get(kind):
                    rows.append([kind or "(none)", one.name, f"{means['queries']:.0f}", *_cells(means, names)])
        out += ["", *aligned(rows, left=2)]
    out += difference_lines(report.comparisons, digits=3)
    for one in report.conditions:
        if one.unjudged:
            out.append(f"{one.name}: {one.unjudged} could not be judged and count in no mean")
    for one in report.preferences:
        out.append(
            f"{one.a} against {one.b}: {one.for_a} to {one.for_b}, {one.ties} ties, of which {one.flagged} "
            "because the orders disagreed"
        )
    if report.unchecked:
        out.append("the judge was not checked against people: take this as a hint, not as a proof")
    return out


_SHARES = ("good", "useful")


def _cells(means: Mapping[str, float], names: Sequence[str]) -> list[str]:
    return [(points(means.get(name)) + " %") if name in _SHARES else number(means.get(name)) for name in names]
