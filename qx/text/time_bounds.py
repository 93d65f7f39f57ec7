"""The words that open or cut a range of time: since, after, before, until, early, the end of, 以来, 以前, 底, 中旬."""

from __future__ import annotations

import re

from qx.serial import value
from qx.text import denied_bounds
from qx.text.periods import EARLIEST, LATEST, Grain, Moment, TimeRange, edge

EDGE_BEFORE = re.compile(
    r"\b(?:(?P<early>early|(?:the\s)?(?:beginning|start)\sof)|(?P<mid>mid|(?:the\s)?middle\sof)|(?P<late>late|(?:the\s)?end\sof)"
    r"|(?P<first>(?:the\s)?first\shalf\sof)|(?P<second>(?:the\s)?second\shalf\sof))[\s-](?:in\s)?(?:the\s)?$",
    re.IGNORECASE,
)
EDGE_AFTER = re.compile(
    r"的?(?:(?P<late>底|末|下旬)|(?P<early>初(?!中|级|一|步|始)|上旬)|(?P<mid>中旬|中期|中(?=的|$|[\s,，]))|(?P<first>上半(?:年|月))|(?P<second>下半(?:年|月)))"
)
"""Words before and after a range that keep a part of it; the name of the group is the part."""
BEFORE = re.compile(
    r"(?:\b(?P<since>since|ever\ssince|from)|\b(?P<after>after|(?:later|newer)\sthan)|\b(?P<until>until|till|up\sto|through)|\b(?P<by>by)|\b(?P<before>before|prior\sto|(?:earlier|older)\sthan)"
    r"|\b(?P<between>between)|(?P<zsince>自从|自|从|從)|(?P<zuntil>截至|截止|截止到|直到)|(?P<zbefore>早于|先于)|(?P<zafter>晚于|迟于))\s?(?:the\s)?$",
    re.IGNORECASE,
)
AFTER = re.compile(
    r"(?:的)?(?:(?P<since>[或及](?:以后|之后)|\s(?:or|and)\s(?:later|newer|after)\b|\+(?![\w+])|以来|以來|至今|到现在|到今天|起(?![来码点])|开始|\s(?:onwards?|to\spresent|till\snow|until\snow|to\snow))"
    r"|(?P<after>以后|之后|以後|之後|后(?![台端面果续来]))|(?P<before>以前|之前|前(?![后天年台端面言景提途进沿锋]))|(?P<until>为止|[或及](?:以前|之前)|\s(?:or|and)\s(?:earlier|older|before)\b(?!\s[0-9])))",
    re.IGNORECASE,
)
"""Words before and after a range that open it on one side."""
INNER = re.compile(r"\s(?:after|before|since|until|till|from|past)\s(?:about\s|around\s)?", re.IGNORECASE)
"""The word of a bound between a day and its clock time."""
BEFORE_WINDOW = 16
"""Characters before a range in which ``BEFORE`` is looked for."""
_ENDS = ("", "的", " ", ",", "，", "。", ";", "；", "!", "！")


_EDGE_FROM = re.compile(r"\b(?P<part>early|mid|late)[\s-](?:to|through)[\s-]$", re.IGNORECASE)
_EDGE_TO = re.compile(
    r"(?:到|至|~|-{1,2})(?:当?月)?(?:(?P<early>上旬|初)|(?P<mid>中旬|中(?=的|$|[\s,，]))|(?P<late>下旬|底|末))"
)
"""The other end where a stretch reaches from one part to another: early to mid November, 11月初到中旬."""


@value
class Phrase:
    """One time expression: its readings, best first; none where it only asks for the newest."""

    start: int
    end: int
    ranges: tuple[TimeRange, ...] = ()
    newest: bool = False


def cut(moment: Moment, ranges: tuple[TimeRange, ...], part: str) -> tuple[TimeRange, ...]:
    """Keep the ``early``, ``mid`` or ``late`` part of each reading; none where its grain has no such part.

    Of a stretch that now lies in, followed by the one before it ("the end of the month"), that one stays an alternative
    where the part is still to come.
    """
    parts = tuple(found for r in ranges for found in edge(moment, r, part))
    if len(ranges) == 2 and ranges[1].end == ranges[0].start and parts and parts[0].start <= moment.now:
        return parts[:1]
    return parts


def edges(
    text: str,
    start: int,
    end: int,
    last: int,
    parts: tuple[TimeRange, ...],
    whole: tuple[TimeRange, ...],
    moment: Moment,
) -> tuple[int, int, tuple[TimeRange, ...]]:
    """Return where ``parts`` of ``whole`` begin and end, widened to the other part that stands beside the words."""
    if head := _EDGE_FROM.search(text[max(last, start - 16) : start]):
        firsts = cut(moment, whole, head["part"].lower())
        start -= len(head[0])
    elif tail := _EDGE_TO.match(text, end):
        firsts, parts = parts, cut(moment, whole, str(tail.lastgroup))
        end = tail.end()
    else:
        return start, end, parts
    pairs = ((a, b) for a, b in zip(firsts, parts, strict=False) if a.start < b.end)
    return start, end, tuple(TimeRange(start=a.start, end=b.end, grain="span") for a, b in pairs)


_GOES_ON = re.compile(r"\bsince\b|以[来來]|至今|到现在|到今天|\b(?:to present|(?:till|until|to) now)\b", re.IGNORECASE)
"""What has begun already: 周二以来 is of no Tuesday ahead, as 周二开始 may be."""


def opened(
    text: str,
    start: int,
    end: int,
    ranges: tuple[TimeRange, ...],
    before: re.Match[str] | None,
    after: re.Match[str] | None,
    moment: Moment,
    *,
    inside: bool = False,
    within: tuple[TimeRange, ...] | None = None,
) -> Phrase:
    """Open a range on one side where the words around it say so: since, after, before, until.

    ``inside``: the word stands within the phrase ("yesterday after 8pm").  ``within``: the days that a clock time is of;
    what is after 8pm yesterday is of yesterday, or else of any time since.
    """
    word = before.lastgroup if before and before.lastgroup not in ("between",) else None
    if before and before[0].lower().strip().startswith("from"):
        word = None if after is None else "since"
    if word == "zsince" and after is None:
        word = "since"
    kind = word if word and word != "zsince" else (after.lastgroup if after else None)
    if kind is None:
        return Phrase(start=start, end=end, ranges=ranges)
    if word and before and not inside:
        start -= len(before[0])
    if after and (word in (None, "zsince", "since") or kind == after.lastgroup):
        end = after.end()
    chinese = after is not None and kind == "after"
    kind = kind.removeprefix("z")
    if kind in ("before", "after"):
        kind, start, end = _denied(text, kind, start, end, behind=not (word and before), chinese=chinese)
    if any(said and _GOES_ON.search(said[0]) for said in (before, after)):  # a reading ahead only for want of others
        begun = moment.fixed(moment.now)
        ranges = tuple(r for r in ranges if r.start < begun) or ranges
    made = tuple(r for r in (_opened(kind, r, moment, chinese) for r in ranges) if r is not None)
    if within and kind in ("after", "before", "from", "until"):
        made = tuple(dict.fromkeys(x for r in made for x in (*_inside(r, within), r)))
    return Phrase(start=start, end=end, ranges=made or ranges)


def _inside(opened: TimeRange, days: tuple[TimeRange, ...]) -> tuple[TimeRange, ...]:
    """Cut an open range to the day that its bound is of."""
    bound = opened.start if opened.open_end else opened.end
    for day in days:
        if day.start <= bound <= day.end:
            start, end = (bound, day.end) if opened.open_end else (day.start, bound)
            if start < end:
                return (TimeRange(start=start, end=end, grain="span"),)
    return ()


def _denied(text: str, kind: str, start: int, end: int, *, behind: bool, chinese: bool) -> tuple[str, int, int]:
    """Turn a bound that is ruled out: "not before", 不早于, 不要2020年以前的, 2020年以前的不要."""
    denied = denied_bounds.refusal(text, start) if behind else denied_bounds.denial(text, start)
    if behind and denied is not None and text[end : end + 1] not in _ENDS:
        denied = None  # 不要6点以后吃东西 rules out the eating
    if denied is not None:
        start = denied
    elif (closes := denied_bounds.refused_after(text, end)) is not None:
        end = closes
    else:
        return kind, start, end
    return "from" if kind == "before" else "before" if chinese else "until", start, end


def _opened(kind: str, whole: TimeRange, moment: Moment, chinese: bool) -> TimeRange | None:
    grain: Grain = "span"
    clock = whole.grain in ("hour", "minute")
    match kind:
        case "since":
            now = moment.fixed(moment.now)
            if whole.start < now:
                return TimeRange(start=whole.start, end=now, grain=grain)
            return TimeRange(start=whole.start, end=LATEST, grain=grain, open_end=True)
        case "after":
            # after 8pm begins at 8, not when the hour is over
            start = whole.start if clock or (chinese and whole.grain in ("year", "decade")) else whole.end
            return TimeRange(start=start, end=LATEST, grain=grain, open_end=True) if start < LATEST else None
        case "from":
            return TimeRange(start=whole.start, end=LATEST, grain=grain, open_end=True)
        case "before":
            return (
                TimeRange(start=EARLIEST, end=whole.start, grain=grain, open_start=True)
                if whole.start > EARLIEST
                else None
            )
        case _:
            end = whole.start if whole.grain == "hour" else whole.end
            return TimeRange(start=EARLIEST, end=end, grain=grain, open_start=True)
