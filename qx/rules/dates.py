"""Times of a query as constraints: when documents were published, when something is, the year of a model."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime, time, timedelta

from qx.rules.plans import coming, gone, looks_ahead, looks_back
from qx.rules.reading import Reading, covered
from qx.text.holiday_spans import is_estimated
from qx.text.times import EARLIEST, LATEST, TimeMention, TimeRange
from qx.types import Constraint, Entity

_YEAR = re.compile(r"\b((?:19|20)\d\d)\s?(?:款|新款|年款|model|models|edition)")
_MODEL = re.compile(r"(?:19|20)\d\d")
_PUBLISHED = re.compile(
    r"新闻|论文|综述|研究|进展|报告|文章|发布|更新|修改过|编辑过|上传|创建|上市|推出|问世|面世|发售|出版|消息|动态|数据|统计|销量|趋势|以来|近.{0,3}(?:年|月|周|天)|"
    r"meta.?analys|\b(?:randomi[sz]ed|clinical)\s(?:controlled\s)?trials?|systematic\sreview|news|paper|stud|survey|report|article|publish|since|past|last \d|statistics|sales|trend|data|updates?|literature|research|"
    r"\b(?:released|launched|announced|unveiled|introduced|came\sout)\b"
    r"|年(?:之前|以前|之后|以后|以来|代)?的[\u4e00-\u9fff]{0,6}?(?:小说|电影|影片|电视剧|连续剧|专辑|书籍?|漫画|动漫|动画片?|纪录片)(?:$|[^\u4e00-\u9fff]|推荐|有哪些|排行)"
    r"|\b(?:novels?|movies?|films?|albums?|songs?|documents?|docs|pages?|posts?|files|tv\s(?:shows|series)|documentar(?:y|ies)|anime|books?|fiction)"
    r"(?:\sby(?:\s[\w.'’-]{1,30}){1,5}?)?"
    r"\s(?:from\s(?:between\s|before\s)?|made\sin\s|after\s|before\s|since\s|between\s)(?:the\s)?(?:1[0-9]|20)\d\d"
)
_NAMED_TIMES = {"year": 4, "month": 7, "day": 10}
"""How much of an ISO date names a time of that grain."""
_ACCOUNTS = re.compile(r"财报|季报|年报|营收|财年|\b(?:earnings|revenues?|fiscal|balance\ssheets?)\b")
"""What is of a time that it is published after."""


def speaks_of_documents(reading: Reading) -> bool:
    """Whether what is looked for appeared at a time: a paper, news, a thing that was released."""
    return _PUBLISHED.search(reading.folded) is not None


def model_years(reading: Reading) -> Iterator[tuple[Constraint, tuple[int, int]]]:
    """Yield the years of models, with their spans: 2024款, "2024 model"."""
    for match in _YEAR.finditer(reading.folded):
        words = reading.text[match.start() : match.end()]
        yield Constraint(field="year", op="eq", value=int(match[1]), text=words), match.span()


def dated(
    reading: Reading, entities: Sequence[Entity], taken: Sequence[tuple[int, int]], *, documents: bool
) -> Iterator[tuple[Constraint, tuple[int, int]]]:
    """Yield what the times of a query limit, with their spans.

    Args:
        taken: Spans that say something else already: prices, patterns of packs.
        documents: Whether what is looked for appeared at a time.
    """
    models = [m.span() for m in _YEAR.finditer(reading.folded)]
    models += [(i.start, i.end) for i in reading.identifiers if not _is_time(i.start, i.end, reading)]
    models += taken
    planned: bool | None = None
    for mention in reading.times:
        if covered(mention.start, mention.end, models):
            continue  # the year of GB/T 19001-2016 is a part of its name
        if _MODEL.fullmatch(words := reading.text[mention.start : mention.end].strip()) and any(
            e.type in ("brand", "product") and 0 <= e.start - mention.end <= 1 for e in entities
        ):  # "2015 honda civic"
            yield Constraint(field="year", op="eq", value=int(words), text=words), (mention.start, mention.end)
            continue
        if planned is None and mention.others:
            planned = looks_ahead(reading.folded)
        if planned:
            mention = coming(mention, reading.now)
        elif mention.others and looks_back(reading.folded):
            mention = gone(mention, reading.now)
        refused = any(n.target_start <= mention.start and mention.end <= n.target_end for n in reading.negations)
        for constraint in _unwanted(reading, mention) if refused else _limits(reading, mention, documents=documents):
            yield constraint, (mention.start, mention.end)


def _is_time(start: int, end: int, reading: Reading) -> bool:
    """Whether a code is a time itself: 2024Q3."""
    return any(t.start <= start and end <= t.end for t in reading.times)


def _unwanted(reading: Reading, mention: TimeMention) -> Iterator[Constraint]:
    """A year, month or day that is ruled out: 不要2020年的论文; of other times, that have no name, nothing is said."""
    length = _NAMED_TIMES.get(mention.range.grain, 0) if mention.range else 0
    if mention.range is None or not length or not speaks_of_documents(reading):
        return
    words = reading.text[mention.start : mention.end]
    named = mention.range.start.date().isoformat()[:length]
    yield Constraint(field="published", op="ne", value=named, text=words, hard=True)


def _limits(reading: Reading, mention: TimeMention, *, documents: bool) -> Iterator[Constraint]:
    """A time as a limit: of publication (``published``) where documents of that time are meant, else ``date``, soft."""
    words = reading.text[mention.start : mention.end]
    if mention.newest:
        yield Constraint(field="published", op="prefer", value="newest", text=words, hard=False)
        return
    span = mention.range
    if span is None:
        return
    published = documents and span.start <= reading.now
    published = published and not _ACCOUNTS.search(reading.folded)
    field = "published" if published else "date"
    hard = published and not is_estimated(words)  # no calendar says when "over easter" ends
    if span.start > EARLIEST:
        yield Constraint(field=field, op="ge", value=_when(span.start, span), text=words, hard=hard)
    if span.end < LATEST and (not published or span.end < reading.now - timedelta(days=1)):
        yield Constraint(field=field, op="lt", value=_when(span.end, span), text=words, hard=hard)


def _when(moment: datetime, span: TimeRange) -> str:
    """The day in ISO 8601, with the time of day only where the words speak of it: "at three", "the last two hours"."""
    first = span.end if span.start <= EARLIEST else span.start
    hours = span.grain == "span" and first.time() != time.min  # spans of days begin at midnight
    fine = hours or span.grain in ("hour", "minute", "second")
    return moment.isoformat(timespec="minutes") if fine else moment.date().isoformat()
