"""Chinese time words: weeks, days, parts of the day, clock times, and what lies so long ago."""

from __future__ import annotations

import re
from datetime import date, timedelta

from qx.text.periods import Moment, TimeRange
from qx.text.time_atoms import Atom, Level, Rules, ago, amounts, atom, clock_in, constant, lasting, newest
from qx.text.times_zh_words import NOT_UP, OFFSET, number, rule

_N = r"(?:(?<![0-9.])[0-9]{1,3}|[一二三四五六七八九十两百零]{1,5}|好几|几十|[几数])"
_UNIT = r"(?:秒钟?|分钟|分鐘|小时|小時|钟头|天|日|周|週|星期|礼拜|个?月|個月|年)"
_SPAN = r"(?:秒钟?|分钟|分鐘|小时|小時|钟头|天|日|周|週|星期|礼拜|[个個]月|(?<=[个個两几数半])月|年)"
"""As ``_UNIT``; without 个 a month is one of the year: 五月之前 is before May."""
_UNITS = {
    "秒": "second",
    "分": "minute",
    "小": "hour",
    "钟": "hour",
    "天": "day",
    "日": "day",
    "周": "week",
    "週": "week",
} | {"星": "week", "礼": "week", "月": "month", "年": "year"}
_DAYS = {
    "大前天": -3,
    "大前日": -3,
    "前天": -2,
    "前日": -2,
    "昨天": -1,
    "昨日": -1,
    "昨": -1,
    "今天": 0,
    "今日": 0,
    "今儿": 0,
} | {
    "昨儿": -1,
    "明天": 1,
    "明日": 1,
    "明儿": 1,
    "后天": 2,
    "後天": 2,
    "后日": 2,
    "大后天": 3,
    "今": 0,
    "明": 1,
    "前": -2,
    "当": 0,
}
_PARTS: dict[str, tuple[int, int]] = {
    "凌晨": (0, 6), "清晨": (5, 8), "早上": (6, 10), "早晨": (6, 10), "早": (6, 10), "上午": (6, 12), "中午": (11, 14),
    "午后": (12, 18), "下午": (12, 18), "傍晚": (17, 20), "晚上": (18, 24), "晚": (18, 24), "夜里": (20, 28), "夜": (20, 28),
    "深夜": (22, 28), "半夜": (22, 28), "午夜": (23, 25), "夜间": (20, 28),
}  # fmt: skip
_PART = "|".join(sorted(_PARTS, key=len, reverse=True))


def _unit(text: str) -> str:
    return _UNITS[text.lstrip("个個")[0]]


def _week(match: re.Match[str], moment: Moment) -> Atom:
    base = moment.today + timedelta(weeks=OFFSET[match["which"]])
    day = match["day"]
    if not day:
        return atom(match, Level.WEEK, constant(moment.week(base)))
    if day == "末":
        return atom(match, Level.DAY, constant(moment.weekend(base)))
    return atom(
        match, Level.DAY, constant(moment.day(base + timedelta(days=_weekday(day) - base.weekday()))), weekday=True
    )


def _weekday(char: str) -> int:
    return 6 if char in "日天7" else "一二三四五六".find(char) if char in "一二三四五六" else int(char) - 1


_COMING = re.compile(
    r"开门|開門|营业|營業|开放|開放|上班|有空|预约|預約|天气|天氣|几点|幾點|会不会|會不會|要不要|能不能|可以|提醒|考试|面试|放假|限行|"
    r"比赛|直播|去哪|准备|打算|计划|想去|要去|安排|上映|开会|約|约|聚|还有|有什么|适合|值班|门诊|出诊|吗"
)
"""Words of what is to come: 周一开门吗 asks for the Monday ahead."""
_PAST = re.compile(
    r"了(?!解)|过(?![敏期年滤])|昨|发生|的(?:邮件|消息|记录|会议纪要|照片|日志|报告)|结果|回放|比分|发的|写的|收到|更新的|修改的"
)


def _on(base: date, day: str) -> date:
    return base + timedelta(days=_weekday(day) - base.weekday())


def _plain_weekday(match: re.Match[str], moment: Moment) -> Atom:
    day = match["day"]

    def resolve(context: TimeRange | None) -> tuple[TimeRange, ...]:
        if context is not None and context.grain not in ("week", "day"):
            return ()
        base = moment.local(context.start).date() if context else moment.today
        days = (base,) if context else (base, base - timedelta(weeks=1), base + timedelta(weeks=1))
        if (
            context is None
            and day != "末"
            and _on(base, day) < base
            and _COMING.search(match.string)
            and not _PAST.search(match.string)
        ):
            days = (base + timedelta(weeks=1), base, base - timedelta(weeks=1))
        if day == "末":
            return tuple(moment.weekend(d) for d in days)
        return tuple(moment.day(_on(d, day)) for d in days)

    return atom(match, Level.DAY, resolve, weekday=True)


def _day(match: re.Match[str], moment: Moment) -> Atom:
    return atom(match, Level.DAY, constant(moment.day(moment.today + timedelta(days=_DAYS[match[0]]))))


def _day_part(match: re.Match[str], moment: Moment) -> Atom:
    first, after = _PARTS[match["part"]]
    return atom(
        match, Level.PART, constant(moment.hours(moment.today + timedelta(days=_DAYS[match["day"]]), first, after))
    )


def _part(match: re.Match[str], moment: Moment) -> Atom:
    first, after = _PARTS[match[0]]

    def resolve(context: TimeRange | None) -> tuple[TimeRange, ...]:
        if context is not None and context.grain not in ("day", "weekend"):
            return ()
        return (moment.hours(moment.local(context.start).date() if context else moment.today, first, after),)

    return atom(match, Level.PART, resolve, weak=True)


def _clock(match: re.Match[str], moment: Moment) -> Atom | None:
    hour = number(match["hour"])
    tail = match["tail"] or ""
    minute = (
        30
        if tail == "半"
        else 15 * number(tail[0])
        if tail.endswith("刻")
        else number(tail.rstrip("分"))
        if tail
        else None
    )
    if hour > 24 or (minute or 0) > 59:
        return None
    alone = tail == "半" or match["clock"] is not None

    def resolve(context: TimeRange | None) -> tuple[TimeRange, ...]:
        return clock_in(moment, context, hour, minute)

    return atom(match, Level.CLOCK, resolve, weak=not alone)


def _ago(match: re.Match[str], moment: Moment) -> Atom:
    low, high = (0, 0) if match["n"] == "半" else amounts(match["n"])
    half = match["n"] == "半" or bool(match["half"] or match["half2"])
    sign = -1 if "前" in match["when"] else 1
    level, resolve = ago(moment, _unit(match["unit"]), low, high, half=half, sign=sign)
    return atom(match, level, resolve)


def _just_now(match: re.Match[str], moment: Moment) -> Atom:
    return atom(match, Level.SPAN, constant(lasting(moment, "hour", 1)), weak=match["weak"] is not None)


def _last(match: re.Match[str], moment: Moment) -> Atom:
    unit, sign = _unit(match["unit"]), 1 if match["which"] in ("未来", "接下来", "今后", "往后") else -1
    if match["n"] == "半":
        return atom(match, Level.SPAN, constant(lasting(moment, unit, 0, half=True, sign=sign)))
    low, high = amounts(match["n"])
    half = bool(match["half"] or match["half2"])
    if match["which"] in ("前", "这", "這") and low != high and match["which"] == "前":
        return atom(match, *ago(moment, unit, low, high))
    return atom(match, Level.SPAN, constant(lasting(moment, unit, high, half=half, sign=sign)))


RULES: Rules = (
    (rule(rf"(?<!月)(?<!月份)(?P<n>半|{_N})(?:(?P<half>个半)|[个個])?(?P<unit>{_SPAN})(?P<half2>半)?(?:多)?(?P<when>之前|以前|前(?![台端面进天年沿])|之后|以后(?!的)|后(?![台端面续的]))"), _ago),
    (rule(rf"(?P<which>最近(?:的)?(?:这)?|近|过去(?:的)?|這|这|(?<!提)前(?=[几两数]|[0-9]{1,3}[^0-9])|未来(?:的)?|接下来(?:的)?|今后|往后)(?P<n>半|{_N})(?:(?P<half>个半)|[个個])?(?P<unit>{_UNIT})(?P<half2>半)?(?:以来|之内|以内|里|间|内)?(?![个份])"), _last),
    (rule(r"刚才|方才|(?P<weak>刚刚(?!好))"), _just_now),
    (rule(r"这阵子|近段时间|最近(?!的?(?:地铁|加油|医院|银行|餐厅|车站|机场|超市|药店|厕所|网点|门店|停车|派出所|邮局|商场|酒店|公交|便利店|一家|路线))|最新|近期|近来|近日|这段时间|新出的?|刚出的?|刚上市|新上市|现阶段"), newest),
    (rule(NOT_UP + r"(?<![日一两几])(?P<which>大上|上上|下下|上|下|本|这|這)(?:一)?[个個]?(?:周(?![杰边期岁年围转])|週|星期|礼拜|禮拜)(?P<day>[一二三四五六日天末1-6](?![次个種种]))?"), _week),
    (rule(r"(?<![每双一二三四五六七八九两几数单上下本这個个0-9])(?:周|週|星期|礼拜|禮拜)(?P<day>[一二三四五六日天末1-6](?![次个種种岁0-9]))(?!福)"), _plain_weekday),
    (rule(r"大前天|大后天|(?<!大)(?:前天|后天(?![性努形培获])|後天)|昨天|昨日(?!重现)|今天|今日(?!头条|头版)|今儿|昨儿|明天|明儿|明日(?!方舟|之后|香)|前日"), _day),
    (rule(r"(?<![目之以])(?P<day>[今昨明前])(?P<part>早|晚|夜)(?![餐饭安报会期])(?:上|里|晨)?"), _day_part),
    (rule(rf"(?<!早)(?:{_PART})(?![年餐饭安报会期上])"), _part),
    (rule(r"(?<![0-9.:])(?P<hour>[01]?[0-9]|2[0-4]|[一二三四五六七八九两]|十[一二]?|二十[一二三四]?)(?:点|點|时(?!间|代|候))(?P<clock>钟|鐘|整)?(?P<tail>半|[一三]刻|[0-5]?[0-9]分?(?![0-9.%个])|[一二三四五零]?十?[一二三四五六七八九]?分)?(?![赞评击建])"), _clock),
)  # fmt: skip
