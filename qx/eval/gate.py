"""Conditions under which a run fails: ``--fail-if 'ndcg@10 lower bound < -0.5'``."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from operator import ge, gt, le, lt
from typing import Literal, Protocol

from qx.errors import UsageError
from qx.eval.deciding import FEW, too_many
from qx.eval.names import FAMILIES, parse_measure
from qx.eval.values import Comparison, ConditionReport, GateResult, Report
from qx.registry import suggest
from qx.serial import value

Bound = Literal["lower bound", "upper bound", "difference", "value"]

GRAMMAR = "MEASURE [lower bound|upper bound|difference|value] (<|<=|>|>=) NUMBER [of CONDITION]"
"""In one line.  MEASURE is one that a report can name, or one of ``SPENT``."""
FEWEST = 5
"""Queries that an interval needs: of one it has no width, of a few next to none (docs/measures.md)."""
SPENT = ("latency median", "latency p95", "cost", "calls", "tokens", "errors", "degraded")
"""What is no measure of a list: milliseconds, and what one query costs on average (errors, degraded: % of queries)."""

_LONGEST = 300
"""Characters of a gate."""
_OP = re.compile(r"[<>]=?")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)")
_BOUNDS: dict[str, Bound] = {
    "lower bound": "lower bound",
    "upper bound": "upper bound",
    "difference": "difference",
    "value": "value",
}
_OPS = {"<": lt, "<=": le, ">": gt, ">=": ge}


class Named(Protocol):
    """A condition, before or after it was measured."""

    @property
    def name(self) -> str: ...
    @property
    def against(self) -> str: ...


@value
class Failure:
    """A gate that a report did not pass, for one condition; ``figure`` is None where there is nothing to hold it to."""

    gate: str
    condition: str
    figure: float | None
    text: str


@value
class Gate:
    """One condition of failing.

    Attributes:
        text: As it was given.
        measure: The canonical name of a measure, or one of ``SPENT``.
        bound: Which of its figures.
        number: Points for fractions, else the figure's own unit.
        condition: None: every one but the raw queries'.
    """

    text: str
    measure: str
    bound: Bound
    op: str
    number: float
    condition: str | None = None

    def failures(self, report: Report) -> tuple[Failure, ...]:
        """Return what does not pass, with the figure; empty: the report passes.

        A condition without the figure does not pass: what could not be measured is not proven.

        Raises:
            UsageError: the report has no such condition or measure.
        """
        targets = self._targets(report.conditions, report.measures)
        judged = (self._failure(c, report) for c in report.conditions if c.name in targets)
        return tuple(failure for failure in judged if failure is not None)

    def holds(self, report: Report) -> bool:
        """Whether the report passes."""
        return not self.failures(report)

    def result(self, report: Report) -> GateResult:
        """Return what came of it, as a report has it.

        Raises:
            UsageError: as ``failures``.
        """
        failures = tuple(failure.text for failure in self.failures(report))
        return GateResult(gate=self.text, passed=not failures, failures=failures)

    def check(self, conditions: Sequence[Named], measures: Collection[str]) -> None:
        """See, before anything is searched, that the gate can be held against a report of these.

        Raises:
            UsageError: there is no such condition or measure.
        """
        self._targets(conditions, measures)

    def _targets(self, conditions: Sequence[Named], measures: Collection[str]) -> frozenset[str]:
        """The names of the conditions that have to pass."""
        if self.measure not in SPENT and self.measure not in measures:
            raise UsageError(f"--fail-if {self.text!r}: {self.measure} was not measured: add it to the measures")
        if self.condition is None:
            found = frozenset(c.name for c in conditions if c.against)
            if not found:
                raise UsageError(f"--fail-if {self.text!r}: no condition stands beside no expansion: name a profile")
            return found
        named = next((c for c in conditions if c.name == self.condition), None)
        if named is None:
            names = [c.name for c in conditions]
            hint = suggest(self.condition, names) or f"there are {', '.join(names)}"
            raise UsageError(f"--fail-if {self.text!r}: the report has no condition {self.condition!r}: {hint}")
        if self.bound != "value" and not named.against:
            raise UsageError(f"--fail-if {self.text!r}: {named.name} is what others are compared with: gate its value")
        return frozenset((named.name,))

    def _failure(self, condition: ConditionReport, report: Report) -> Failure | None:
        figure, missing = _figure(self, condition, report), condition.unanswered
        if self.measure != "errors" and too_many(missing, report.queries):
            where = f" there or in {condition.against}" if condition.against else ""
            text = (
                f"{condition.name}: {self.measure} {self.bound} is not to be decided: "
                f"{missing} of {report.queries} queries have no answer{where}"
            )
            figure = None
        elif figure is None:
            text = f"{condition.name}: {self.measure} {self.bound} {_missing(self, condition, report)} ({self.text})"
        elif _OPS[self.op](figure, self.number):
            text = f"{condition.name}: {self.measure} {self.bound} is {_shown(figure)}, {self.op} {_shown(self.number)}"
        else:
            return None
        return Failure(gate=self.text, condition=condition.name, figure=figure, text=text)


def parse_gate(text: str) -> Gate:
    """Read one gate: ``ndcg@10 lower bound < -0.5``, ``latency p95 > 800``, ``zero-results value > 5 of shop``.

    Without a word, a measure means its difference to no expansion, and what is spent its value.

    Raises:
        UsageError: it cannot be read; the text has the grammar.
    """
    given, bound, op, number, condition = _read(text)
    name, compared = _measure(given, text)
    if bound in ("lower bound", "upper bound", "difference") and not compared:
        raise UsageError(
            f"--fail-if {text!r}: {name} is not compared with no expansion, it only has a value: {GRAMMAR}"
        )
    if compared and bound != "value":
        _check_way(text, name, op, number)
    kind: Bound = _BOUNDS[bound] if bound else ("difference" if compared else "value")
    return Gate(
        text=text.strip(),
        measure=name,
        bound=kind,
        op=op,
        number=number,
        condition=condition,
    )


def _check_way(text: str, name: str, op: str, number: float) -> None:
    """Refuse a gate on a difference that fails where the measure gains."""
    lower = parse_measure(name).about.lower
    if lower == (op in ("<", "<=")):
        better, gains, loss = ("less", "falls", "rise") if lower else ("more", "rises", "loss")
        write = f"upper bound > {_shown(abs(number))}" if lower else f"lower bound < {_shown(-abs(number))}"
        raise UsageError(
            f"--fail-if {text!r}: {better} is better of {name}, and this fails where it {gains}: "
            f"for a {loss} write '{name} {write}'"
        )


def _read(text: str) -> tuple[str, str | None, str, float, str | None]:
    """The parts of a gate: measure, bound, operator, number, condition."""
    op = _OP.search(text) if len(text) <= _LONGEST else None
    words = text[: op.start()].lower().split() if op else []
    right = text[op.end() :].split(maxsplit=2) if op else []
    wanted = (" ".join(words[-count:]) for count in (2, 1))
    bound = next((one for one in wanted if one in _BOUNDS and one != " ".join(words)), None)
    given = " ".join(words[: len(words) - len(bound.split())] if bound else words)
    is_whole = len(right) == 1 or (len(right) == 3 and right[1].lower() == "of")
    if op is None or not given or not is_whole or _NUMBER.fullmatch(right[0]) is None:
        shown = text if len(text) <= _LONGEST else f"{text[:60]}…"
        raise UsageError(f"--fail-if {shown!r} cannot be read: write {GRAMMAR}, such as 'ndcg@10 lower bound < -0.5'")
    return given, bound, op[0], float(right[0]), right[2].strip() if len(right) == 3 else None


def measured(gates: Iterable[Gate], names: Iterable[str]) -> tuple[str, ...]:
    """Return the names of measures with those that gates need behind them, each once."""
    known = [parse_measure(name).name for name in names]
    return tuple(dict.fromkeys((*known, *(gate.measure for gate in gates if gate.measure not in SPENT))))


def _measure(given: str, text: str) -> tuple[str, bool]:
    """The canonical name, and whether conditions are compared on it."""
    if given in SPENT:
        return given, False
    if given in ("latency", "latency median"):
        raise UsageError(f"--fail-if {text!r}: say which latency: latency median or latency p95")
    try:
        made = parse_measure(given)
    except UsageError as error:
        *first, last = given.split()
        if first and last in ("lower", "upper", "bound"):
            which = "upper" if last == "upper" else "lower"
            raise UsageError(f"--fail-if {text!r}: write '{' '.join(first)} {which} bound' ({GRAMMAR})") from error
        known = given.partition("@")[0] in FAMILIES  # then what is wrong with it is said
        meant = None if known else suggest(given, SPENT)
        hint = f" ({meant})" if meant and meant not in str(error) else ""
        raise UsageError(f"--fail-if {text!r}: {error}{hint}; write {GRAMMAR}") from error
    return made.name, not made.about.relative


def _figure(gate: Gate, condition: ConditionReport, report: Report) -> float | None:
    if gate.measure == "errors":  # a raw search that failed makes expansion look good: it counts here too
        raw = next((c for c in report.conditions if c.name == condition.against), condition)
        shares = [spent("errors", c) for c in (condition, raw)]
        return None if None in shares else max(share for share in shares if share is not None)
    if gate.measure in SPENT:
        known = gate.measure != "cost" or not condition.unpriced  # a sum with gaps is lower than what was paid
        return spent(gate.measure, condition) if known else None
    scale = 100.0 if parse_measure(gate.measure).about.unit == "points" else 1.0
    if gate.bound == "value":
        mean = condition.measures.get(gate.measure)
        return None if mean is None else scale * mean
    compared = _comparison(gate.measure, condition, report)
    if compared is None or (gate.bound != "difference" and (compared.queries < FEWEST or _has_no_width(compared))):
        return None
    return (
        scale
        * {
            "lower bound": compared.low,
            "upper bound": compared.high,
            "difference": compared.difference,
        }[gate.bound]
    )


def _missing(gate: Gate, condition: ConditionReport, report: Report) -> str:
    """Why there is no figure."""
    if gate.measure == "cost" and condition.unpriced:
        return f"is not known: {condition.unpriced} searches have no price"
    compared = None if gate.measure in SPENT else _comparison(gate.measure, condition, report)
    if compared is not None and gate.bound != "value":
        if compared.queries < FEWEST:
            return f"is of {compared.queries} queries, and an interval needs {FEWEST}"
        return (
            f"proves nothing: all of {compared.queries} queries differ alike, so that the interval has no width, "
            f"and fewer than {FEW} may well miss a rare loss"
        )
    return "could not be measured"


def _has_no_width(compared: Comparison) -> bool:
    """Whether an interval of few queries is a point, which looks like certainty and is none."""
    return compared.low == compared.high and compared.queries < FEW


def _comparison(measure: str, condition: ConditionReport, report: Report) -> Comparison | None:
    pair = (condition.against, condition.name, measure)
    found = next((c for c in report.comparisons if (c.a, c.b, c.measure) == pair), None)
    return found if found is not None and found.queries else None


def spent(name: str, condition: ConditionReport) -> float | None:
    """Return one of ``SPENT`` for a condition; None where it is not known."""
    if name == "latency median":
        return condition.latency.median
    if name == "latency p95":
        return condition.latency.p95
    if condition.queries == 0:
        return None
    usage = condition.usage
    totals: dict[str, float | None] = {
        "cost": usage.cost if usage.calls else 0.0,
        "calls": float(usage.calls),
        "tokens": float(usage.input_tokens + usage.output_tokens),
        "errors": 100.0 * condition.errors,
        "degraded": 100.0 * condition.degraded,
    }
    total = totals[name]
    return None if total is None else total / condition.queries


def _shown(number: float) -> str:
    return f"{number:.4g}"
