"""Conditions that a pack's patterns state: ``评分4.5以上`` is ``rating >= 4.5``, whatever its numbers mean elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from qx.domain import ConstraintField, PatternRule
from qx.errors import PackError
from qx.rules.patterns import Patterns
from qx.rules.phrases import aligned
from qx.rules.reading import Reading, covered
from qx.text.units import canonical
from qx.types import Constraint, Op, Scalar

_OTHER_WAY: Mapping[Op, Op] = {"eq": "ne", "ne": "eq", "le": "gt", "lt": "ge", "ge": "lt", "gt": "le"}
_NUMBERS = frozenset({"number", "money"})
_NUMBER = re.compile(r"\d{1,9}(?:\.\d{1,4})?")


class Stated:
    """Finds the conditions of ``rules``, the patterns that name a field.

    Raises:
        PackError: a pattern is not valid RE2, or names a field that no pack has.
    """

    def __init__(self, rules: Sequence[PatternRule], fields: Mapping[str, ConstraintField]) -> None:
        own = [rule for rule in rules if rule.field is not None]
        for rule in own:
            if rule.field not in fields:
                known = ", ".join(sorted(fields))
                raise PackError(f"pattern {rule.name!r}: no pack has a field {rule.field!r}", hint=f"known: {known}")
        self._fields = fields
        self._patterns: Patterns[PatternRule] = Patterns((rule.pattern, rule.name, rule) for rule in own)

    def find(self, reading: Reading) -> Iterator[tuple[Constraint, tuple[int, int]]]:
        """Yield each condition with the span that states it; where two overlap, that of the earlier pattern."""
        taken: list[tuple[int, int]] = []
        for pattern, rule in self._patterns.matching(reading.text):
            for match in pattern.finditer(reading.text):
                span: tuple[int, int] = match.span()
                said = None if covered(*span, taken) or span[0] == span[1] else self._value(rule, match)
                if said is None:
                    continue
                taken.append(span)
                yield self._condition(rule, said, reading, span), span

    def _condition(self, rule: PatternRule, said: Scalar, reading: Reading, span: tuple[int, int]) -> Constraint:
        field = self._fields[rule.field or ""]
        op: Op = "prefer" if rule.soft else rule.op
        if any(n.target_start <= span[0] < n.target_end for n in reading.negations):
            op = _OTHER_WAY.get(op, op)
        return Constraint(
            field=field.id,
            op=op,
            value=said,
            unit=canonical(rule.unit or field.unit)[0],
            text=reading.text[span[0] : span[1]].strip(),
            hard=not rule.soft,
        )

    def _value(self, rule: PatternRule, match: Any) -> Scalar | None:
        """What a match says; None where it says nothing that the field can hold."""
        field = self._fields[rule.field or ""]
        said: Scalar | None = match["value"] if "value" in match.re.groupindex else rule.value
        if isinstance(said, str) and field.type in _NUMBERS:
            try:
                number = float(said.replace(",", ""))
            except ValueError:
                return None
            return int(number) if number.is_integer() else number
        if isinstance(said, str):
            known = {aligned(word): value for word, value in field.values.items()}
            said = known.get(aligned(said), said) or None
        return _plain(said)


def _plain(said: Scalar | None) -> Scalar | None:
    """A number as one, whole where it is whole: a size 43 of a field of words is no text."""
    if isinstance(said, str) and _NUMBER.fullmatch(said):
        said = float(said)
    return int(said) if isinstance(said, float) and said.is_integer() else said
