"""Find atoms, join neighbours (上个月 + 3号 + 下午), and read what stands around them: since, before, between, 以来, 底."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

from qx.text import (
    time_nearby,
    times_counted,
    times_en,
    times_en_dates,
    times_reckoned,
    times_zh,
    times_zh_dates,
    weekday_beside,
)
from qx.text.holiday_spans import around, days
from qx.text.holidays import HOLIDAY, dates
from qx.text.periods import Moment, TimeRange
from qx.text.remembered import remembered
from qx.text.time_atoms import Atom, Level
from qx.text.time_bounds import AFTER, BEFORE, BEFORE_WINDOW, EDGE_AFTER, EDGE_BEFORE, INNER, Phrase, cut, edges, opened

_TRIGGER = re.compile(
    r"[0-9年月日号號天周週星期礼拜点點时時秒今昨前后後去明最近新晚早]|[节節庆慶夜]|黑五|中秋|端午|双|除夕|五一|六一|元旦|圣诞|暑|寒假|清明|过年|季度|半年|过去|未来|当|刚"
    r"|\b(?:yester|today|tonight|tomorrow|last|past|previous|recent|latest|newest|lately|nowadays|these|this|next|coming|current|ago|since|"
    r"before|after|until|till|mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|early|late|mid|week|month|"
    r"year|day|night|noon|midnight|q[1-4]|up.to|most|newly|christmas|xmas|halloween|easter|thanksgiving|new.year|spring|summer|autumn|"
    r"fall|winter|valentine|mother|father|black|cyber|independence|fourth|labou?r|memorial|chinese|lunar|lantern|dragon|women|children|"
    r"half|quarter|first|second|third|in|fortnight|golden|national.day|the.[0-9]{1,2}(?:st|nd|rd|th)|the.other|at.[0-9])",
    re.IGNORECASE,
)
_GLUE = re.compile(
    r"(?:的|'s\b|\s|,|，|、(?=周)|那天|大约|大概|\(|（|\b(?:on|at|in|of|the|around|about)\b){0,6}", re.IGNORECASE
)
_CONNECT = re.compile(r"\s?(?P<word>到|至|~|-{1,2}|to|until|till|through|and|与|和)\s?(?:the\s)?", re.IGNORECASE)
_BETWEEN_END = re.compile(r"\s?(?:之间|期间|间)")
_RECURRING = re.compile(r"(?:每|\b(?:every|each)\s)$", re.IGNORECASE)
_BOTH = (*times_reckoned.RULES, *times_counted.RULES)
_CHINESE = (*times_zh.RULES, *times_zh_dates.RULES)
_ENGLISH = (*times_en.RULES, *times_en_dates.RULES)
_HAN, _LATIN = re.compile(r"[一-鿿]"), re.compile(r"[A-Za-z0-9]")
"""What each rule of a language holds: a text of one language is spared the others."""
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
        while found and i < len(groups) and groups[i][0].start < found[-1].end:
            i += 1  # a part of what was just read: 至月底 of 10月中旬至月底
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
    rules = (*_BOTH, *(_CHINESE if _HAN.search(text) else ()), *(_ENGLISH if _LATIN.search(text) else ()))
    return tuple((read, match) for pattern, read in rules for match in pattern.finditer(text))


def _safely(read: object, match: re.Match[str], moment: Moment) -> Atom | None:
    try:
        return read(match, moment)  # type: ignore[operator]
    except (OverflowError, ValueError):
        return None


_WHICH = re.compile(r"(?:\b(?P<last>last|past|previous)|\b(?P<this>this)|\b(?P<next>next|coming))\s$|(?P<zlast>上个|上一个|上次|上一次)$", re.IGNORECASE)  # fmt: skip
"""Before a holiday: "last Christmas"."""


def _holiday(match: re.Match[str], moment: Moment) -> Atom:
    before = _WHICH.search(match.string[max(0, match.start() - 9) : match.start()])
    which = (before.lastgroup or "").removeprefix("z") if before else ""
    start, end, way = around(match.string, match.start(), match.end())

    def resolve(context: TimeRange | None) -> tuple[TimeRange, ...]:
        year = moment.local(context.start).year if context else moment.today.year
        years = (year,) if context or which == "this" else (year - 1, year, year + 1)
        found = [d for d in (dates(match, y) for y in years) if d is not None]
        if which in ("last", "next"):
            found = [d for d in found if (d[0] < moment.today) == (which == "last")]
        found.sort(key=lambda d: abs((d[0] - moment.today).days))
        found = [days(match[0], *d, way) for d in (found[:1] if which else found)]
        return tuple(moment.days(d, date.fromordinal(d.toordinal() + n), "day" if n == 1 else "span") for d, n in found)

    start = match.start() - len(before[0]) if before else start
    return Atom(start=start, end=end, level=Level.DAY, resolve=resolve)


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
    if item.start - last.end > 12 or len(group) >= 6:
        return False
    inner = (
        item.level == Level.CLOCK
        and last.level in (Level.DAY, Level.PART)
        and INNER.fullmatch(text, last.end, item.start)
    )
    if not inner and _GLUE.fullmatch(text, last.end, item.start) is None:
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
    if before and before.lastgroup == "by" and group[0].level not in (Level.WEEK, Level.DAY, Level.CLOCK):
        before = None  # "by May Smith"
    if len(groups) > 1 and (reckoned := _weekday_beside(text, groups, moment, resolve=resolve)) is not None:
        return reckoned, 2
    if len(group) == 1 and weekday_beside.is_of_an_event(text, start, end):
        return None, 1  # whose day nobody knows here
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
    part = _part(text, start, end, last, limit, ranges, edge_before, moment)
    if part is not None:
        start, end, ranges = part
        before, after = _around(text, start, end, last, limit)
    if not ranges:
        return None, 1
    moved = _near(text, Phrase(start=start, end=end, ranges=ranges), last, group, moment)
    if moved.ranges != ranges:
        start, end, ranges = moved.start, moved.end, moved.ranges
        before, after = _around(text, start, end, last, limit)
    inner = _inner(text, group)
    within = _day_of(group) if before or after or inner else None
    return opened(text, start, end, ranges, inner or before, after, moment, inside=inner is not None, within=within), 1


def _around(
    text: str, start: int, end: int, last: int, limit: int
) -> tuple[re.Match[str] | None, re.Match[str] | None]:
    """The words of a bound before and after a time."""
    return BEFORE.search(text[max(last, start - BEFORE_WINDOW) : start]), AFTER.match(text, end, limit)


def _part(
    text: str,
    start: int,
    end: int,
    last: int,
    limit: int,
    ranges: tuple[TimeRange, ...],
    edge_before: re.Match[str] | None,
    moment: Moment,
) -> tuple[int, int, tuple[TimeRange, ...]] | None:
    """The early, middle or late part of a time, where the words around it ask for one: "early March", 月底."""
    which = edge_before or EDGE_AFTER.match(text, end, limit)
    if which is None:
        return None
    name = {"first": "first-half", "second": "second-half"}.get(str(which.lastgroup), str(which.lastgroup))
    parts = cut(moment, ranges, name)
    if not parts:
        return None
    start = start - len(which[0]) if edge_before else start
    end = end if edge_before else which.end()
    return edges(text, start, end, last, parts, ranges, moment)


def _weekday_beside(text: str, groups: Sequence[tuple[Atom, ...]], moment: Moment, *, resolve: bool) -> Phrase | None:
    """Read "the Monday before Christmas", 国庆前的周五: a weekday alone, and a time on one side of it."""
    for place, (day, other) in enumerate((groups, groups[::-1])):
        weekday = weekday_beside.name(text[day[0].start : day[-1].end]) if len(day) == 1 else None
        if weekday is None or other[0].newest:
            continue
        first, second = groups[0], groups[1]
        before = weekday_beside.side(text[first[-1].end : second[0].start], weekday_first=place == 0)
        if before is None:
            continue
        start = weekday_beside.begin(text, first[0].start) if place == 0 else first[0].start
        if not resolve:
            return Phrase(start=start, end=second[-1].end)
        ranges = weekday_beside.reckoned(moment, _resolve(other), weekday, before=before)
        return Phrase(start=start, end=second[-1].end, ranges=ranges) if ranges else None
    return None


def _inner(text: str, group: Sequence[Atom]) -> re.Match[str] | None:
    """The word of a bound between a day and its clock time: "yesterday after 8pm"."""
    if len(group) < 2 or group[-1].level != Level.CLOCK:
        return None
    return BEFORE.search(text[group[-2].end : group[-1].start])


def _day_of(group: Sequence[Atom]) -> tuple[TimeRange, ...] | None:
    """The day that a clock time is of, where one is named."""
    if group[-1].level != Level.CLOCK and group[0].level != Level.CLOCK:
        return None
    days = [a for a in group if a.level <= Level.DAY or (a.level == Level.PART and not a.weak)]
    return _resolve(days) if days else None


def _near(text: str, phrase: Phrase, last: int, group: Sequence[Atom], moment: Moment) -> Phrase:
    """Widen, cut or move the readings where the words around them say so."""
    start, end, ranges = phrase.start, phrase.end, phrase.ranges
    window = text[max(last, start - 24) : start]
    if counted := time_nearby.counted(text, start, end, last, ranges, group[-1].level, moment):
        return Phrase(start=counted[0], end=counted[1], ranges=counted[2])
    if group[-1].level <= Level.DAY and not group[-1].newest:
        beside = time_nearby.BESIDE_BEFORE.search(window)
        behind = None if beside else time_nearby.BESIDE_AFTER.match(text, end)
        if match := beside or behind:
            moved = time_nearby.beside(moment, ranges, match)
            return Phrase(
                start=start - len(match[0]) if beside else start, end=end if beside else match.end(), ranges=moved
            )
    earlier = time_nearby.EARLIER_BEFORE.search(window)
    later = None if earlier else time_nearby.EARLIER_AFTER.match(text, end)
    if (match := earlier or later) and (parts := time_nearby.cut_at_now(moment, ranges, str(match.lastgroup))):
        return Phrase(
            start=start - len(match[0]) if earlier else start, end=end if earlier else match.end(), ranges=parts
        )
    if vague := time_nearby.vague_span(text, start, end, last, group):
        return Phrase(start=vague[0], end=vague[1], ranges=tuple(time_nearby.widened(moment, r) for r in ranges))
    return phrase


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
        seconds = [r for r in _inherit(first, b, a, moment) if r.end > first.start and r.start >= first.start]
        if seconds:
            made.append(TimeRange(start=first.start, end=seconds[0].end, grain="span"))
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
    plain = tuple(
        sorted(_resolve(b), key=lambda r: r.start)
    )  # the first one that follows: 上周三到周五 ends in that week
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
