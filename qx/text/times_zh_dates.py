"""Chinese years, months, days of the month, quarters, halves, seasons and decades."""

from __future__ import annotations

import re
from datetime import date, timedelta

from qx.text.periods import Moment, TimeRange, edge, first_of
from qx.text.time_atoms import Atom, Level, Rules, atom, constant, likely_years
from qx.text.times_counted import of_months
from qx.text.times_zh_words import NOT_UP, OFFSET, number, rule

_YEARS = {
    "大前年": -3,
    "前年": -2,
    "去年": -1,
    "上年": -1,
    "今年": 0,
    "本年": 0,
    "明年": 1,
    "来年": 1,
    "后年": 2,
    "後年": 2,
}
_SEASONS = {"春": 3, "夏": 6, "秋": 9, "冬": 12}


def _year(match: re.Match[str], moment: Moment) -> Atom | None:
    text = match["year"]
    count = number(text) if text.isdigit() else int("".join(str("零一二三四五六七八九".index(c)) for c in text))
    if not 1000 <= count <= 2200:
        if len(text) != 2:
            return None
        count += 2000 if count <= (moment.today.year + 5) % 100 else 1900
    return atom(match, Level.YEAR, constant(moment.year(count)))


def _of_our_era(match: re.Match[str], moment: Moment) -> Atom | None:
    count = int(match["year"])
    return atom(match, Level.YEAR, constant(moment.year(count))) if count <= 2200 else None


def _relative_year(match: re.Match[str], moment: Moment) -> Atom:
    return atom(match, Level.YEAR, constant(moment.year(moment.today.year + _YEARS[match[0]])))


def _month(match: re.Match[str], moment: Moment) -> Atom | None:
    count = number(match["month"])
    if not 1 <= count <= 12:
        return None

    def resolve(context: TimeRange | None) -> tuple[TimeRange, ...]:
        years = likely_years(moment, lambda y: date(y, count, 1), context)
        return tuple(moment.month(y, count) for y in years)

    return atom(match, Level.MONTH, resolve)


def _relative_month(match: re.Match[str], moment: Moment) -> Atom:
    offset = OFFSET[match["which"]]
    return atom(match, Level.MONTH, constant(moment.month(moment.today.year, moment.today.month + offset)))


def _day_of_month(match: re.Match[str], moment: Moment) -> Atom | None:
    count = number(match["day"])
    if not 1 <= count <= 31:
        return None

    def resolve(context: TimeRange | None) -> tuple[TimeRange, ...]:
        if context is not None and context.grain != "month":
            return ()
        if context is None:
            return of_months(moment, count)
        start = moment.local(context.start).date()
        found = start + timedelta(days=count - 1)
        return (moment.day(found),) if found.month == start.month else ()

    return atom(match, Level.DAY, resolve, weak=match["suffix"] is not None and not match["after"])


def _edge_of_now(match: re.Match[str], moment: Moment) -> Atom:
    part = {"底": "late", "末": "late", "初": "early", "中": "mid"}[match[0][1]]

    def resolve(context: TimeRange | None) -> tuple[TimeRange, ...]:
        day = moment.local(context.start).date() if context else moment.today
        month = match[0][0] == "月"
        found = edge(moment, moment.month(day.year, day.month) if month else moment.year(day.year), part)
        if context is None and found[0].start > moment.now:  # 月底 said on the 6th may be the one that is just over
            before = moment.month(day.year, day.month - 1) if month else moment.year(day.year - 1)
            found = (*found, *edge(moment, before, part))
        return found

    return atom(match, Level.MONTH, resolve)


def _half_year(match: re.Match[str], moment: Moment) -> Atom:
    first = 1 if match[0][0] == "上" else 7

    def resolve(context: TimeRange | None) -> tuple[TimeRange, ...]:
        year = moment.local(context.start).year if context else moment.today.year
        return (moment.days(date(year, first, 1), first_of(year, first + 6)),)

    return atom(match, Level.SEASON, resolve)


def _quarter(match: re.Match[str], moment: Moment) -> Atom:
    def resolve(context: TimeRange | None) -> tuple[TimeRange, ...]:
        now = (moment.today.month + 2) // 3
        if match["which"]:
            return (moment.quarter(moment.today.year, now + OFFSET[match["which"]]),) if context is None else ()
        count = number(match["q"])
        years = likely_years(moment, lambda y: first_of(y, 3 * count - 2), context)
        return tuple(moment.quarter(y, count) for y in years)

    return atom(match, Level.SEASON, resolve)


def _season(match: re.Match[str], moment: Moment) -> Atom:
    season = _SEASONS[match["season"] or match["season2"]]
    shifts = {"今": 0, "去": -1, "前": -2, "明": 1}

    def resolve(context: TimeRange | None) -> tuple[TimeRange, ...]:
        if match["this"]:
            years = (moment.today.year + shifts[match["this"]],)
        else:
            years = likely_years(moment, lambda y: date(y, season, 1), context)
        return tuple(moment.days(first_of(y, season), first_of(y, season + 3)) for y in years)

    return atom(match, Level.SEASON, resolve, weak=not match["this"])


def _decade(match: re.Match[str], moment: Moment) -> Atom | None:
    text = match["decade"]
    count = number(text)
    if count % 10 or not (count <= 90 or 1800 <= count <= 2090):
        return None
    start = count if count > 100 else count + (1900 if count >= 30 or match["century"] else 2000)
    return atom(match, Level.YEAR, constant(moment.days(date(start, 1, 1), date(start + 10, 1, 1), "decade")))


RULES: Rules = (
    (rule(r"(?<![0-9.])(?P<year>[12][0-9]{3}|[一二][零一二三四五六七八九]{3}|[0-9]{2}(?=年(?:[0-9]{1,2}月|q[1-4]|第?[一二三四1-4]季度)))年(?:度|份)?(?![前后间历以之来左右级寿]|\s?[前后]的)"), _year),
    (rule(r"(?<![0-9])(?P<year>(?:19|20)[0-9]{2})年(?=[以之][后後前来來间間]|[后後前](?![端台])|来)"), _year),
    (rule(r"(?<![0-9.])(?P<year>1[0-8][0-9]{2})年(?=[以之][后後前来來间間])"), _year),
    (rule(r"公元(?P<year>[1-9][0-9]{0,3})年"), _of_our_era),
    (rule(r"大前年|(?<!以)前年|去年|今年|本年(?=度|[^轮])|明年|来年|后年|後年|" + NOT_UP + "上年(?![级纪])"), _relative_year),
    (rule(r"(?<![0-9.])(?<![个第一二三四五六七八九十])(?P<month>1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])月(?:份)?(?!天(?!气)|[亮球龄子嫂经薪饼租供光神])"), _month),
    (rule(NOT_UP + r"(?<!日)(?P<which>大上|上上|下下|上|下|本|这|這|当)[个個]?月(?:份)?(?![亮球饼光])"), _relative_month),
    (rule(r"(?:(?P<after>(?<=月)|(?<=月份))|(?<![0-9.一二三四五六七八九十百第]))(?P<day>3[01]|[12][0-9]|0?[1-9]|三十一?|二?十[一二三四五六七八九]?|[一二三四五六七八九])(?P<suffix>[号號日])(?![线線楼电房门店机球选染元本刊])"), _day_of_month),
    (rule(r"(?P<after>(?<=月)|(?<=月份))(?P<day>3[01]|[12][0-9]|0?[1-9])(?P<suffix>(?!x)x)?(?![0-9月个点年天级:%元块])"), _day_of_month),
    (rule(r"(?<![上下本这個个月0-9一二三四五六七八九十])(?:月底|月末|月初|月中(?=旬|的|$|[\s,，]))|(?<![去前今明后後来本0-9一二三四五六七八九十零多])(?:年底|年末|年初|年中(?=的|$|[\s,，]))"), _edge_of_now),
    (rule(r"上半年|下半年"), _half_year),
    (rule(r"第?(?P<q>[一二三四1-4])季度|(?P<which>上|本|这|這|下)(?:一)?个?季度"), _quarter),
    (rule(r"(?P<this>今|去|前|明)(?P<season>[春夏秋冬])(?![季雨奥游泳威令装裤训]|(?<=去.)天)|(?<=年)的?(?P<season2>[春夏秋冬])(?:天|季)"), _season),
    (rule(r"(?P<century>上(?:个)?世纪|二十世纪|20世纪)?(?P<decade>(?:19|20)?[0-9]0|[二三四五六七八九]十)年代"), _decade),
)  # fmt: skip
