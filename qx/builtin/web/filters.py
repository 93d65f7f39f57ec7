"""What of a lowered filter an API can say: values for its templates, and parts of the query line."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import field
from datetime import UTC, datetime, timedelta

from qx.builtin.web.settings import FilterRule, Period
from qx.filters import And, Compare, Filter
from qx.filters.fieldmap import FieldMap, StoredField
from qx.serial import value
from qx.syntax import DIALECTS, Expression, FileType, Range, Site

LENGTHS: Mapping[Period, timedelta] = {
    "day": timedelta(days=1),
    "week": timedelta(days=7),
    "month": timedelta(days=31),
    "half-year": timedelta(days=183),
    "year": timedelta(days=366),
}
_SLACK = timedelta(hours=1)
"""A week that was computed a moment ago is still "the past week"."""

_SAYABLE = {"site": re.compile(r"[^\W_][\w-]*(\.[\w-]+)*(/[\w\-./~%+]*)?"), "filetype": re.compile(r"[A-Za-z0-9]{1,8}")}
"""What may follow ``site:`` and ``filetype:``: anything else could be read as more of the query."""


@value
class Said:
    """What became of a filter.

    Attributes:
        values: Filter's name -> its value in the templates.
        expressions: What goes into the query line.
        start, end: The range that a dated hit must lie in, where the API's words are wider than what was asked.
    """

    values: Mapping[str, str] = field(default_factory=dict[str, str])
    expressions: tuple[Expression, ...] = ()
    start: datetime | None = None
    end: datetime | None = None


class Filters:
    """The filters of one API.

    Args:
        rules: By canonical field.
        fields: Canonical -> stored name, from the profile.
        dialect: Name of the query line's dialect.
    """

    def __init__(self, rules: Mapping[str, FilterRule], fields: FieldMap, dialect: str) -> None:
        forms = DIALECTS[dialect]
        own = {"site": forms.site, "filetype": forms.filetype, "published": forms.after and forms.before}
        known = {name: FilterRule(query=True) for name, form in own.items() if form}
        self._rules = {
            name: rule for name, rule in {**known, **rules}.items() if not rule.query or own.get(name) is not None
        }
        self.fields: FieldMap = {
            name: fields.get(name) or StoredField(name=name, type="date" if _dated(name, rule) else "keyword")
            for name, rule in self._rules.items()
        }
        self._by_stored = {stored.name: name for name, stored in self.fields.items()}

    def inexpressible(self, tree: Filter, now: datetime) -> tuple[Filter, ...]:
        """Return the parts of ``tree`` that have no form here, as they stand in it."""
        taken: set[str] = set()
        missing: list[Filter] = []
        for part in _parts(tree):
            name = self._name(part, now)
            if name is None or (name in taken and not _dated(name, self._rules[name])):
                missing.append(part)
            else:
                taken.add(name)
        return tuple(missing)

    def say(self, tree: Filter | None, now: datetime) -> Said:
        """Return what ``tree`` becomes; every part of it must be expressible."""
        values: dict[str, str] = {}
        expressions: list[Expression] = []
        start: datetime | None = None
        end: datetime | None = None
        dated: str | None = None
        for part in _parts(tree) if tree is not None else ():
            name = self._name(part, now)
            if name is None or not isinstance(part, Compare):
                continue
            rule = self._rules[name]
            if _dated(name, rule):
                dated = name
                moment = _moment(str(part.value))
                if part.op in ("ge", "gt"):
                    start = max(start, moment) if start else moment
                else:
                    end = min(end, moment) if end else moment
            elif rule.query:
                expressions.append(_expression(name, str(part.value)))
            else:
                values[name] = _listed(rule, part)
        if dated is None:
            return Said(values=values, expressions=tuple(expressions))
        rule = self._rules[dated]
        if rule.query:
            expressions.append(_days(start, end))
        elif (said := _time(rule, start, end, now)) is not None:
            values[dated] = said
        return Said(values=values, expressions=tuple(expressions), start=start, end=end)

    def _name(self, part: Filter, now: datetime) -> str | None:
        """The rule that can say ``part``; None where there is none."""
        if not isinstance(part, Compare) or (name := self._by_stored.get(part.field)) is None:
            return None
        rule = self._rules[name]
        if _dated(name, rule):
            return name if _sayable(part, rule, now) else None
        values = part.value if isinstance(part.value, tuple) else (part.value,)
        if part.op not in ("eq", "in") or (len(values) != 1 and (rule.join is None or rule.query)):
            return None
        if rule.values and not all(str(item) in rule.values for item in values):
            return None
        if rule.query and not _SAYABLE[name].fullmatch(str(values[0])):
            return None
        joined = rule.join is not None and any(rule.join in str(item) for item in values)
        return None if joined or not all(str(item).strip() for item in values) else name


def _dated(name: str, rule: FilterRule) -> bool:
    return rule.dated or (rule.query and name == "published")


def _sayable(part: Compare, rule: FilterRule, now: datetime) -> bool:
    """Whether a bound of time has a form; the API's words for periods reach only so far back."""
    if rule.range is not None or rule.query:
        return part.op in ("ge", "gt", "lt", "le")
    longest = max(LENGTHS[period] for period in rule.periods)
    return part.op in ("ge", "gt") and now - _moment(str(part.value)) <= longest + _SLACK


def _parts(tree: Filter) -> Sequence[Filter]:
    return tree.filters if isinstance(tree, And) else (tree,)


def _listed(rule: FilterRule, part: Compare) -> str:
    items = part.value if isinstance(part.value, tuple) else (part.value,)
    plain = ["true" if item is True else "false" if item is False else str(item) for item in items]
    return (rule.join or "").join(rule.values.get(item, item) for item in plain)


def _expression(name: str, text: str) -> Expression:
    return Site(host=text) if name == "site" else FileType(extension=text)


def _days(start: datetime | None, end: datetime | None) -> Expression:
    low = start.date().isoformat() if start else None
    return Range(field="published", low=low, high=_last(end) if end else None, exclusive=True)


def _last(end: datetime) -> str:
    """The day before which everything lies that is before ``end``."""
    midnight = end.replace(hour=0, minute=0, second=0, microsecond=0)
    return (midnight if midnight == end else midnight + timedelta(days=1)).date().isoformat()


def _time(rule: FilterRule, start: datetime | None, end: datetime | None, now: datetime) -> str | None:
    if rule.range is not None:
        first, last = rule.open or (datetime(1970, 1, 1).strftime(rule.day), now.strftime(rule.day))
        low = start.strftime(rule.day) if start else first
        high = (end - timedelta(microseconds=1)).strftime(rule.day) if end else last
        return rule.range.replace("{start}", low).replace("{end}", high)
    age = now - start if start else None
    fitting = [word for period, word in sorted(rule.periods.items(), key=lambda item: LENGTHS[item[0]])
               if age is not None and age <= LENGTHS[period] + _SLACK]  # fmt: skip
    return fitting[0] if fitting else None


def _moment(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
