"""Chinese time words: years, months, weeks, days, parts of the day, clock times, and what lies so long ago."""

from __future__ import annotations

import re
from datetime import date, timedelta

from qx.text.numerals import value_of
from qx.text.periods import Grain, Moment, TimeRange, edge, first_of
from qx.text.time_atoms import Atom, Level, Rules, ago, amounts, atom, constant, lasting, likely_years, newest

_N = r"(?:[0-9]{1,4}|[一二三四五六七八九十两百零]{1,5}|好几|几十|[几数])"
_UNIT = r"(?:秒钟?|分钟|分鐘|小时|小時|钟头|天|日|周|週|星期|礼拜|个?月|個月|年)"
_UNITS = {"秒": "second", "分": "minute", "小": "hour", "钟": "hour", "天": "day", "日": "day", "周": "week", "週": "week"}
_UNITS |= {"星": "week", "礼": "week", "月": "month", "年": "year"}
_OFFSET = {"上上": -2, "上": -1, "本": 0, "这": 0, "這": 0, "下": 1, "下下": 2, "当": 0}
_DAYS = {"大前天": -3, "大前日": -3, "前天": -2, "前日": -2, "昨天": -1, "昨日": -1, "昨": -1, "今天": 0, "今日": 0, "今儿": 0}
_DAYS |= {"昨儿": -1, "明天": 1, "明日": 1, "明儿": 1, "后天": 2, "後天": 2, "后日": 2, "大后天": 3, "今": 0, "明": 1, "前": -2, "当": 0}
_YEARS = {"大前年": -3, "前年": -2, "去年": -1, "上年": -1, "今年": 0, "本年": 0, "明年": 1, "来年": 1, "后年": 2, "後年": 2}
_PARTS: dict[str, tuple[int, int]] = {
    "凌晨": (0, 6), "清晨": (5, 8), "早上": (6, 10), "早晨": (6, 10), "早": (6, 10), "上午": (6, 12), "中午": (11, 14),
    "午后": (12, 18), "下午": (12, 18), "傍晚": (17, 20), "晚上": (18, 24), "晚": (18, 24), "夜里": (20, 28), "夜": (20, 28),
    "深夜": (22, 28), "半夜": (22, 28), "午夜": (23, 25), "夜间": (20, 28),
}  # fmt: skip
_PART = "|".join(sorted(_PARTS, key=len, reverse=True))
_SEASONS = {"春": 3, "夏": 6, "秋": 9, "冬": 12}


def _unit(text: str) -> str:
    return _UNITS[text.lstrip("个個")[0]]


def _number(text: str) -> int:
    return int(value_of(text) or 0)


def _year(match: re.Match[str], moment: Moment) -> Atom | None:
    text = match["year"]
    number = _number(text) if text.isdigit() else int("".join(str("零一二三四五六七八九".index(c)) for c in text))
    if not 1000 <= number <= 2200:
        if len(text) != 2:
            return None
        number += 2000 if number <= (moment.today.year + 5) % 100 else 1900
    return atom(match, Level.YEAR, constant(moment.year(number)))


def _relative_year(match: re.Match[str], moment: Moment) -> Atom:
    return atom(match, Level.YEAR, constant(moment.year(moment.today.year + _YEARS[match[0]])))


def _month(match: re.Match[str], moment: Moment) -> Atom | None:
    number = _number(match["month"])
    if not 1 <= number <= 12:
        return None

    def resolve(context: TimeRange | None) -> tuple[TimeRange, ...]:
        years = likely_years(moment, lambda y: date(y, number, 1), context)
        return tuple(moment.month(y, number) for y in years)

    return atom(match, Level.MONTH, resolve)


def _relative_month(match: re.Match[str], moment: Moment) -> Atom:
    offset = _OFFSET[match["which"]]
    return atom(match, Level.MONTH, constant(moment.month(moment.today.year, moment.today.month + offset)))


def _day_of_month(match: re.Match[str], moment: Moment) -> Atom | None:
    number = _number(match["day"])
    if not 1 <= number <= 31:
        return None

    def resolve(context: TimeRange | None) -> tuple[TimeRange, ...]:
        if context is not None and context.grain != "month":
            return ()
        start = moment.local(context.start).date() if context else moment.today.replace(day=1)
        found = start + timedelta(days=number - 1)
        return (moment.day(found),) if found.month == start.month else ()

    return atom(match, Level.DAY, resolve, weak=match["suffix"] is not None and not match["after"])


def _edge_of_now(match: re.Match[str], moment: Moment) -> Atom:
    part = {"底": "late", "末": "late", "初": "early", "中": "mid"}[match[0][1]]

    def resolve(context: TimeRange | None) -> tuple[TimeRange, ...]:
        day = moment.local(context.start).date() if context else moment.today
        whole = moment.month(day.year, day.month) if match[0][0] == "月" else moment.year(day.year)
        return edge(moment, whole, part)

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
            return (moment.quarter(moment.today.year, now + _OFFSET[match["which"]]),) if context is None else ()
        number = _number(match["q"])
        years = likely_years(moment, lambda y: first_of(y, 3 * number - 2), context)
        return tuple(moment.quarter(y, number) for y in years)

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


def _week(match: re.Match[str], moment: Moment) -> Atom:
    base = moment.today + timedelta(weeks=_OFFSET[match["which"]])
    day = match["day"]
    if not day:
        return atom(match, Level.WEEK, constant(moment.week(base)))
    if day == "末":
        return atom(match, Level.DAY, constant(moment.weekend(base)))
    return atom(match, Level.DAY, constant(moment.day(base + timedelta(days=_weekday(day) - base.weekday()))), weekday=True)


def _weekday(char: str) -> int:
    return 6 if char in "日天7" else "一二三四五六".find(char) if char in "一二三四五六" else int(char) - 1


def _plain_weekday(match: re.Match[str], moment: Moment) -> Atom:
    day = match["day"]

    def resolve(context: TimeRange | None) -> tuple[TimeRange, ...]:
        if context is not None and context.grain not in ("week", "day"):
            return ()
        base = moment.local(context.start).date() if context else moment.today
        days = (base,) if context else (base, base - timedelta(weeks=1), base + timedelta(weeks=1))
        if day == "末":
            return tuple(moment.weekend(d) for d in days)
        return tuple(moment.day(d + timedelta(days=_weekday(day) - d.weekday())) for d in days)

    return atom(match, Level.DAY, resolve, weekday=True)


def _day(match: re.Match[str], moment: Moment) -> Atom:
    return atom(match, Level.DAY, constant(moment.day(moment.today + timedelta(days=_DAYS[match[0]]))))


def _day_part(match: re.Match[str], moment: Moment) -> Atom:
    first, after = _PARTS[match["part"]]
    return atom(match, Level.PART, constant(moment.hours(moment.today + timedelta(days=_DAYS[match["day"]]), first, after)))


def _part(match: re.Match[str], moment: Moment) -> Atom:
    first, after = _PARTS[match[0]]

    def resolve(context: TimeRange | None) -> tuple[TimeRange, ...]:
        if context is not None and context.grain not in ("day", "weekend"):
            return ()
        return (moment.hours(moment.local(context.start).date() if context else moment.today, first, after),)

    return atom(match, Level.PART, resolve, weak=True)


def _clock(match: re.Match[str], moment: Moment) -> Atom | None:
    hour = _number(match["hour"])
    tail = match["tail"] or ""
    minute = 30 if tail == "半" else 15 * _number(tail[0]) if tail.endswith("刻") else _number(tail.rstrip("分")) if tail else None
    if hour > 24 or (minute or 0) > 59:
        return None
    alone = tail == "半" or match["clock"] is not None

    def resolve(context: TimeRange | None) -> tuple[TimeRange, ...]:
        return clock_in(moment, context, hour, minute)

    return atom(match, Level.CLOCK, resolve, weak=not alone)


def clock_in(moment: Moment, context: TimeRange | None, hour: int, minute: int | None) -> tuple[TimeRange, ...]:
    """Read a clock time within a day or a part of one (3 of an afternoon is 15)."""
    if context is None or context.grain == "day":
        day = moment.local(context.start).date() if context else moment.today
        if not 1 <= hour <= 12:
            return (moment.clock(day, hour, minute),)
        hours = (hour + 12, hour) if hour < 7 else (hour, (hour + 12) % 24)
        return tuple(moment.clock(day, h, minute) for h in hours)
    if context.grain != "part":
        return ()
    start = moment.local(context.start)
    midnight = start.replace(hour=0)
    candidates = [h for h in (hour, hour + 12, hour + 24) if hour <= 12 or h == hour]
    first, length = start.hour, (moment.local(context.end) - start).total_seconds() / 3600
    inside = [h for h in candidates if first - 1 <= h <= first + length] or candidates[:1]
    return (moment.clock(midnight.date(), inside[0], minute),)


def _ago(match: re.Match[str], moment: Moment) -> Atom:
    low, high = (0, 0) if match["n"] == "半" else amounts(match["n"])
    half = match["n"] == "半" or bool(match["half"] or match["half2"])
    sign = -1 if "前" in match["when"] else 1
    level, resolve = ago(moment, _unit(match["unit"]), low, high, half=half, sign=sign)
    return atom(match, level, resolve)


def _last(match: re.Match[str], moment: Moment) -> Atom:
    unit, sign = _unit(match["unit"]), 1 if match["which"] in ("未来", "接下来", "今后", "往后") else -1
    if match["n"] == "半":
        return atom(match, Level.SPAN, constant(lasting(moment, unit, 0, half=True, sign=sign)))
    low, high = amounts(match["n"])
    half = bool(match["half"] or match["half2"])
    if match["which"] in ("前", "这", "這") and low != high and match["which"] == "前":
        return atom(match, *ago(moment, unit, low, high))
    return atom(match, Level.SPAN, constant(lasting(moment, unit, high, half=half, sign=sign)))


def _decade(match: re.Match[str], moment: Moment) -> Atom | None:
    text = match["decade"]
    number = _number(text) if text[0].isdigit() else _number(text)
    if number % 10 or not (number <= 90 or 1800 <= number <= 2090):
        return None
    start = number if number > 100 else number + (1900 if number >= 30 or match["century"] else 2000)
    grain: Grain = "decade"
    return atom(match, Level.YEAR, constant(moment.days(date(start, 1, 1), date(start + 10, 1, 1), grain)))


def _rule(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_NOT_UP = r"(?<![马早晚以])"
RULES: Rules = (
    (_rule(rf"(?P<n>半|{_N})(?:(?P<half>个半)|[个個])?(?P<unit>{_UNIT})(?P<half2>半)?(?:多)?(?P<when>之前|以前|前(?![台端面进天年沿])|之后|以后(?!的)|后(?![台端面续的]))"), _ago),
    (_rule(rf"(?P<which>最近(?:的)?(?:这)?|近|过去(?:的)?|這|这|前(?=[几两数]|[0-9])|未来(?:的)?|接下来(?:的)?|今后|往后)(?P<n>半|{_N})(?:(?P<half>个半)|[个個])?(?P<unit>{_UNIT})(?P<half2>半)?(?:以来|之内|以内|里|间|内)?(?![个份])"), _last),
    (_rule(r"这阵子|近段时间|最近(?!的?(?:地铁|加油|医院|银行|餐厅|车站|机场|超市|药店|厕所|网点|门店|停车|派出所|邮局|商场|酒店|公交|便利店|一家|路线))|最新|近期|近来|近日|这段时间|新出的?|刚出的?|刚上市|新上市|现阶段"), newest),
    (_rule(r"(?<![0-9.])(?P<year>[12][0-9]{3}|[一二][零一二三四五六七八九]{3}|[0-9]{2}(?=年[0-9]{1,2}月))年(?:度|份)?(?![前后间历以来左右级寿])"), _year),
    (_rule(r"(?<![0-9])(?P<year>(?:19|20)[0-9]{2})年(?=以[后前来]|[后前](?![端台])|来)"), _year),
    (_rule(r"大前年|(?<!以)前年|去年|今年|本年(?=度|[^轮])|明年|来年|后年|後年|" + _NOT_UP + "上年(?![级纪])"), _relative_year),
    (_rule(r"(?<![0-9.])(?<![个第一二三四五六七八九十])(?P<month>1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])月(?:份)?(?!天(?!气)|[亮球龄子嫂经薪饼租供光神])"), _month),
    (_rule(_NOT_UP + r"(?<!日)(?P<which>上上|下下|上|下|本|这|這|当)[个個]?月(?:份)?(?![亮球饼光])"), _relative_month),
    (_rule(r"(?:(?P<after>(?<=月)|(?<=月份))|(?<![0-9.一二三四五六七八九十百第]))(?P<day>3[01]|[12][0-9]|0?[1-9]|三十一?|二?十[一二三四五六七八九]?|[一二三四五六七八九])(?P<suffix>[号號日])(?![线線楼电房门店机球选染元本刊])"), _day_of_month),
    (_rule(r"(?P<after>(?<=月)|(?<=月份))(?P<day>3[01]|[12][0-9]|0?[1-9])(?P<suffix>(?!x)x)?(?![0-9月个点年天级:%元块])"), _day_of_month),
    (_rule(r"(?<![上下本这個个月0-9一二三四五六七八九十])(?:月底|月末|月初|月中(?=旬|的|$|[\s,，]))|(?<![去前今明后後来本0-9一二三四五六七八九十零多])(?:年底|年末|年初|年中(?=的|$|[\s,，]))"), _edge_of_now),
    (_rule(r"上半年|下半年"), _half_year),
    (_rule(r"第?(?P<q>[一二三四1-4])季度|(?P<which>上|本|这|這|下)(?:一)?个?季度"), _quarter),
    (_rule(r"(?P<this>今|去|前|明)(?P<season>[春夏秋冬])(?![季雨奥])|(?<=年)的?(?P<season2>[春夏秋冬])(?:天|季)"), _season),
    (_rule(_NOT_UP + r"(?<![日一两几])(?P<which>上上|下下|上|下|本|这|這)(?:一)?[个個]?(?:周(?![杰边期岁年围转])|週|星期|礼拜|禮拜)(?P<day>[一二三四五六日天末1-6](?![次个種种]))?"), _week),
    (_rule(r"(?<![每双一二三四五六七八九两几数单上下本这個个0-9])(?:周|週|星期|礼拜|禮拜)(?P<day>[一二三四五六日天末1-6](?![次个種种岁0-9]))(?!福)"), _plain_weekday),
    (_rule(r"大前天|大后天|(?<!大)(?:前天|后天(?![性努形培获])|後天)|昨天|昨日(?!重现)|今天|今日(?!头条|头版)|今儿|昨儿|明天|明儿|明日(?!方舟|之后|香)|前日"), _day),
    (_rule(rf"(?<![目之以])(?P<day>[今昨明前])(?P<part>早|晚|夜)(?![餐饭安报会期])(?:上|里|晨)?"), _day_part),
    (_rule(rf"(?<!早)(?:{_PART})(?![年餐饭安报会期上])"), _part),
    (_rule(r"(?<![0-9.:])(?P<hour>[01]?[0-9]|2[0-4]|[一二三四五六七八九两]|十[一二]?|二十[一二三四]?)(?:点|點|时(?!间|代|候))(?P<clock>钟|鐘|整)?(?P<tail>半|[一三]刻|[0-5]?[0-9]分?(?![0-9.%个])|[一二三四五零]?十?[一二三四五六七八九]?分)?(?![赞评击建])"), _clock),
    (_rule(r"(?P<century>上(?:个)?世纪|二十世纪|20世纪)?(?P<decade>(?:19|20)?[0-9]0|[二三四五六七八九]十)年代"), _decade),
)  # fmt: skip
