"""Find atoms, join neighbours (上个月 + 3号 + 下午), and read what stands around them: since, before, between, 以来, 底."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

from qx.text import times_en, times_en_dates, times_zh, times_zh_dates
from qx.text.holidays import HOLIDAY, dates
from qx.text.periods import Moment, TimeRange
from qx.text.remembered import remembered
from qx.text.time_atoms import Atom, Level, atom
from qx.text.time_bounds import AFTER, BEFORE, BEFORE_WINDOW, EDGE_AFTER, EDGE_BEFORE, Phrase, cut, opened

_TRIGGER = re.compile(
    r"[0-9年月日号號天周週星期礼拜点點时時秒今昨前后後去明最近新晚早]|[节節庆慶夜]|黑五|中秋|端午|双|除夕|五一|六一|元旦|圣诞|清明|过年|季度|半年|过去|未来|当|刚"
    r"|\b(?:yester|today|tonight|tomorrow|last|past|previous|recent|latest|newest|lately|nowadays|these|this|next|coming|current|ago|since|"
    r"before|after|until|till|mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|early|late|mid|week|month|"
    r"year|day|night|noon|midnight|q[1-4]|up.to|most|newly|christmas|xmas|halloween|easter|thanksgiving|new.year|spring|summer|autumn|"
    r"fall|winter|valentine|mother|father|black|cyber|independence|fourth|labou?r|memorial|chinese|lunar|lantern|dragon|women|children|"
    r"half|quarter|first|second|third|in)",
    re.IGNORECASE,
)
_GLUE = re.compile(r"(?:的|\s|,|，|、(?=周)|那天|\(|（|\b(?:on|at|in|of|the|around|about)\b){0,6}", re.IGNORECASE)
_CONNECT = re.compile(r"\s?(?P<word>到|至|~|-{1,2}|to|until|till|through|and|与|和)\s?(?:the\s)?", re.IGNORECASE)
_BETWEEN_END = re.compile(r"\s?(?:之间|期间|间)")
_RECURRING = re.compile(r"(?:每|\b(?:every|each)\s)$", re.IGNORECASE)
_RULES = (*times_zh.RULES, *times_zh_dates.RULES, *times_en.RULES, *times_en_dates.RULES)
_LONGEST_TEXT = 20_000
"""Beyond so many characters of one text no times are looked for."""


def phrases(text: str, moment: Moment, *, alone: bool = False, resolve: bool = True) -> tuple[Phrase, ...]:
    """Return the time expressions of folded ``text``.

    Args:
        text: Folded by ``numerals.fold_width``.
        moment: Now, in a zone.
        alone: The text is one expression: words that need company elsewhere ("May", "3号") are taken too.
        resolve: Without it expressions are found, not read (a date such as 2月31日 is then one too).
    """
    text = text[:_LONGEST_TEXT]
    if _TRIGGER.search(text) is None:
        return ()
    groups = _groups(text, _scan(text, moment))
    found: list[Phrase] = []
    i = 0
    while i < len(groups):
        phrase, used = _read(
            text, groups[i : i + 2], moment, found[-1].end if found else 0, alone=alone, resolve=resolve
        )
        if phrase is not None:
            found.append(phrase)
        i += used
    return tuple(found)


def _scan(text: str, moment: Moment) -> list[Atom]:
    """Find the atoms; where they overlap, the earlier and then the longer one stays."""
    found = [a for read, match in _matches(text) if (a := _safely(read, match, moment)) is not None]
    found += [_holiday(m, moment) for m in HOLIDAY.finditer(text)]
    found.sort(key=lambda a: (a.start, -a.end))
    kept: list[Atom] = []
    for item in found:
        if not kept or item.start >= kept[-1].end:
            kept.append(item)
    return kept


@remembered
def _matches(text: str) -> tuple[tuple[object, re.Match[str]], ...]:
    """Where each rule's pattern matches, with what reads it: the same whatever the moment."""
    return tuple((read, match) for pattern, read in _RULES for match in pattern.finditer(text))


def _safely(read: object, match: re.Match[str], moment: Moment) -> Atom | None:
    try:
        return read(match, moment)  # type: ignore[operator]
    except (OverflowError, ValueError):
        return None


def _holiday(match: re.Match[str], moment: Moment) -> Atom:
    def resolve(context: TimeRange | None) -> tuple[TimeRange, ...]:
        year = moment.local(context.start).year if context else moment.today.year
        years = (year,) if context else (year - 1, year, year + 1)
        found = [d for d in (dates(match, y) for y in years) if d is not None]
        found.sort(key=lambda d: abs((d[0] - moment.today).days))
        return tuple(moment.days(d, date.fromordinal(d.toordinal() + n), "day" if n == 1 else "span") for d, n in found)

    return atom(match, Level.DAY, resolve)


def _groups(text: str, atoms: Sequence[Atom]) -> list[tuple[Atom, ...]]:
    """Join neighbours that make one expression."""
    groups: list[list[Atom]] = []
    for item in atoms:
        if groups and _joins(text, groups[-1], item):
            groups[-1].append(item)
        else:
            groups.append([item])
    return [tuple(g) for g in groups]


def _joins(text: str, group: list[Atom], item: Atom) -> bool:
    last = group[-1]
    if item.start - last.end > 12 or len(group) >= 6 or _GLUE.fullmatch(text, last.end, item.start) is None:
        return False
    if Level.SPAN in (item.level, last.level):
        return False
    levels = [a.level for a in group if not a.weekday]
    if item.weekday or (item.level not in levels):
        return not (item.weekday and any(a.weekday for a in group))
    return False


def _resolve(group: Sequence[Atom]) -> tuple[TimeRange, ...]:
    """Read a group from coarse to fine; a weekday beside a date adds nothing."""
    dated = any(a.level == Level.DAY and not a.weekday for a in group)
    parts = sorted((a for a in group if not (a.weekday and dated)), key=lambda a: a.level)
    try:
        ranges = parts[0].resolve(None)
        for part in parts[1:]:
            ranges = tuple(r for context in ranges for r in part.resolve(context))
    except (OverflowError, ValueError):
        return ()
    return tuple(dict.fromkeys(ranges))


def _read(
    text: str, groups: Sequence[tuple[Atom, ...]], moment: Moment, last: int, *, alone: bool, resolve: bool
) -> tuple[Phrase | None, int]:
    """Read one group, or two that make a range; return how many were used."""
    group = groups[0]
    start, end = group[0].start, group[-1].end
    if group[0].newest:
        return Phrase(start=start, end=end, newest=True), 1
    if _RECURRING.search(text[max(last, start - 6) : start]):
        return None, 1
    before = BEFORE.search(text[max(last, start - BEFORE_WINDOW) : start])
    if before and group[0].weak and group[0].level == Level.PART and before[0].lower().startswith("through"):
        before = None  # "through the night" says how long, not until when
    if len(groups) > 1 and (joined := _span(text, groups, before, moment, resolve=resolve)) is not None:
        return joined, 2
    limit = groups[1][0].start if len(groups) > 1 else len(text)
    after = AFTER.match(text, end, limit)
    edge_before = EDGE_BEFORE.search(text[max(last, start - 22) : start])
    dated = after is not None and group[0].level == Level.DAY
    if group[0].weak and len(group) == 1 and not (alone or before or edge_before or dated):
        return None, 1
    if not resolve:
        return Phrase(start=start, end=end), 1
    ranges = _resolve(group)
    if not ranges and len(group) > 1 and not {Level.MONTH, Level.DAY} <= {a.level for a in group}:
        group = (max(group, key=lambda a: (not a.weak, -a.level)),)
        start, end, ranges = group[0].start, group[0].end, _resolve(group)
        before = after = edge_before = None
    if edge_before or (edge_match := EDGE_AFTER.match(text, end, limit)):
        which = edge_before or edge_match  # pyright: ignore[reportPossiblyUnboundVariable]
        name = {"first": "first-half", "second": "second-half"}.get(str(which.lastgroup), str(which.lastgroup))
        parts = cut(moment, ranges, name)
        if parts:
            ranges = parts
            start = start - len(which[0]) if edge_before else start
            end = end if edge_before else which.end()
            before = BEFORE.search(text[max(last, start - BEFORE_WINDOW) : start])
            after = AFTER.match(text, end, limit)
    if not ranges:
        return None, 1
    return opened(text, start, end, ranges, before, after, moment), 1


def _span(
    text: str, groups: Sequence[tuple[Atom, ...]], before: re.Match[str] | None, moment: Moment, *, resolve: bool
) -> Phrase | None:
    """Read ``A 到 B``, "between A and B", "2019-2021"; the second end is the first one after the first."""
    a, b = groups
    if a[0].newest or b[0].newest or b[0].start - a[-1].end > 12:
        return None
    connector = _CONNECT.fullmatch(text, a[-1].end, b[0].start)
    if connector is None or (
        connector["word"].lower() in ("and", "与", "和") and not (before and before.lastgroup == "between")
    ):
        return None
    prefix = before if before and before.lastgroup in ("between", "since", "zsince") else None
    start = a[0].start - (len(prefix[0]) if prefix else 0)
    tail = _BETWEEN_END.match(text, b[-1].end)
    end = tail.end() if tail else b[-1].end
    if not resolve:
        return Phrase(start=start, end=end)
    made: list[TimeRange] = []
    for first in _first_end(a, _resolve(b), moment)[:3]:
        for second in _inherit(first, b, a, moment):
            if second.end > first.start and second.start >= first.start:
                made.append(TimeRange(start=first.start, end=second.end, grain="span"))
                break
    return Phrase(start=start, end=end, ranges=tuple(made)) if made else None


def _first_end(a: Sequence[Atom], seconds: Sequence[TimeRange], moment: Moment) -> tuple[TimeRange, ...]:
    """Read the first end; where only the second names its year, it is of that year (from June to August 2023)."""
    firsts = _resolve(a)
    if len(seconds) == 1 and len(firsts) > 1 and len(a) == 1 and a[0].level in (Level.SEASON, Level.MONTH, Level.DAY):
        year = moment.local(seconds[0].start).year
        return (*a[0].resolve(moment.year(year)), *firsts)
    return firsts


def _inherit(first: TimeRange, b: Sequence[Atom], a: Sequence[Atom], moment: Moment) -> tuple[TimeRange, ...]:
    """Read the second end; what is coarser than it comes from the first (2023年3月到5月, 昨天下午3点到5点)."""
    plain = _resolve(b)
    day = moment.local(first.start)
    context: TimeRange | None = None
    if b[0].level == Level.CLOCK and any(x.level <= Level.PART for x in a):
        context = next(
            (r for x in a if x.level == Level.PART for r in x.resolve(moment.day(day.date()))), moment.day(day.date())
        )
    elif b[0].level == Level.DAY and b[0].weak:
        context = moment.month(day.year, day.month)
    elif b[0].level in (Level.MONTH, Level.SEASON, Level.DAY) and any(x.level == Level.YEAR for x in a):
        context = moment.year(day.year)
    if context is None or len(b) > 1:
        return plain
    try:
        return (*b[0].resolve(context), *plain)
    except (OverflowError, ValueError):
        return plain
