"""What a question speaks of: its words with the other words for them, and how much of it a text says."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache, partial
from typing import TypeAlias

from qx.serial import replace
from qx.text.normalise import characters_read, fold
from qx.text.numerals import value_of
from qx.text.segment import HAN, comparable, words
from qx_answer import ages, days, kinds, measured
from qx_answer.concepts import concept, forms, taken_out, wordings
from qx_answer.expects import is_whether
from qx_answer.naming import asking, labels, names_of, unknown
from qx_answer.opposites import other_sides
from qx_answer.shares import Term, looked_for

_HAN = re.compile(f"[{HAN}]")
_KIND = re.compile(
    r"\b(?:which|what|how\s+many|how\s+much)\s+(?P<en>[a-z]+)\b|哪一?[个家所座位条部]?(?P<asked>[\u4e00-\u9fff]{1,3}?)(?=[的是有在开由]|[?？]|$)"
    r"|的(?P<is>[\u4e00-\u9fff]{2,3})是(?:什么|哪)|什么(?P<what>[\u4e00-\u9fff]{2,3})(?=[?？。]|$)",
    re.IGNORECASE,
)
"""The kind of thing that is asked for: what is found is one, and need not be called so."""
_HEAD = re.compile(
    r"\bwho\s+(?:is|was|are|were)\s+(?:the\s+|[^ ]+['’]s\s+)?(?P<en>[a-z]+)\b|的(?P<zh>[\u4e00-\u9fff]{2,3})是谁",
    re.IGNORECASE,
)
_BY = re.compile(
    r"\bfor\s+(?P<free>free|nothing)\b|\b(?:with|by|using|without)\s+(?:an?\s+|the\s+|my\s+|your\s+)?(?P<en>[a-z]+)\s*[?？]*\s*$|[能以]用(?P<zh>[\u4e00-\u9fff]{2,4}?)(?:来)?(?=[洗付擦开做支刷煮])",
    re.IGNORECASE,
)
"""With what it is done: whoever asks whether it may be done so is not told by how else it is."""
_HOW_IS = re.compile(
    r"\bhow\s+long\s+(?:does|did|will|would)\s+it\s+take\s+(?:[a-z]+\s+)?to\s+(?P<done>[a-z]+)|\bhow\s+[a-z]+\s+(?:is|are|was)\s+(?:the|my|our)\s+(?:[a-z-]+\s+){0,2}?(?P<en>[a-z-]+)(?=\s+(?:of|on|for|in|at|from)\b|\s*[?？]|\s*$)",
    re.IGNORECASE,
)
"""Of what a measure is asked."""
_NUMBER_OF = re.compile(
    r"\bwhat\s+is\s+(?:the\s+|[^ ]+['’]s\s+)(?:[a-z]+\s+)?(?P<en>extension|port|address|code|number)\b|的(?P<zh>[\u4e00-\u9fff]{1,3}(?:号码?|码|口))是多少",
    re.IGNORECASE,
)
"""A number that is no amount: what does not say that it is this one says another."""
_APART = re.compile(
    r"\b(?:the|my|our|a)\s+(?:[a-z-]+\s+){0,2}?(?P<en>deposit|fine|penalty|surcharge|bonus|postage|tax)\b(?=(?:\s+[a-z-]+){0,8}\s*(?:[?？]|$))"
    r"|(?P<zh>押金|定金|订金|保证金|罚款|罚金|违约金|滞纳金|手续费|运费|奖金)(?=(?:[是要有收为交能可会退给还以多少几能否不全部都什么时候怎么如何后一般]){1,8}(?:钱|元)?[吗呢]?[?？]?$)",
    re.IGNORECASE,
)
"""Money beside the price: what does not say that it is this tells the price of the thing, or of something else."""
_SOUGHT = re.compile(
    r"\bwhat\s+(?:is|are|was|were)\s+the\s+(?:[a-z]+\s+)?([a-z]+)\s+(?:of|for|between)\b", re.IGNORECASE
)
"""What is wanted of a thing: the advantages of …; it tells more than the thing, of which there is much."""
_SOUGHT_AMOUNT = re.compile(r"的(?P<zh>[\u4e00-\u9fff]{2,3})(?:是|为|有|达)?(?:多少|几(?!点))")
_TOLD_OTHERWISE_WORDS = (
    "name purpose meaning point use title kind type reason definition weight height length width depth size area volume capacity temperature "
    "speed distance price cost age number time date day month year colour color difference way idea role job aim goal rest best state status "
    "名字 名称 重量 高度 长度 宽度 深度 面积 体积 容量 温度 速度 距离 价格 价钱 数量 人数 年龄 时间 日期 大小 费用 收费 租金 票价 人口 规模 总数"
)
_TOLD_OTHERWISE = frozenset(_TOLD_OTHERWISE_WORDS.split())
"""What is sought and is seldom called so where it is told."""
_HAN_NUMBERS = ("零", "一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "十一", "十二")
_COUNTS = re.compile("(?:几|多少|哪).{0,2}$")
_SPAN = re.compile("[一两几每半](?:个?[年月天周日]|个?(?:小时|星期|季度|钟头))")
"""A length of time within a question: 一年 of 下一年 and of 入职满一年."""
_ONE = re.compile(
    "一个?(?P<time>[年月天周日户人家间班组队次张桶瓶杯份斤针本册套箱袋盒台辆节堂页位晚夜顿餐条只件双]|小时|星期|季度|公斤)"
)
_GENERAL = "general"
"""The pack under all others, of words of every field."""
_Others: TypeAlias = tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...]
"""Word, as words are compared; its other wordings, and those of the pack for everything."""
_TELLS_REFUND = kinds.tells_refund
_OF_A_KIND = 0.25
_OF_COMMON = 0.4
_LIGHT = frozenset("坐乘搭用买办交领报订租停打开关换修丢")
"""Verbs of one character that the dictionary keeps with their thing."""


_SAYING_LITTLE = (
    "go goes went gone get have take make happen happened thing something anything need want use do let come put keep bring allowed allow permitted"
    " 去 要 想 能够 需要 东西 事情 使用 进行 发生 做 弄 搞 允许 一共 总共 总计 究竟 到底"
)


@cache
def _light() -> frozenset[str]:
    """Words that say little of what is asked for: what has them not may answer all the same."""
    return frozenset(comparable(word) for word in _SAYING_LITTLE.split())


def _stands_alone(labels: tuple[str, ...], text: str) -> bool:
    """Whether a text has the number of a thing (三号, 3号), which is not that of another one (十三号)."""
    written = "|".join(map(re.escape, labels))
    return re.search(rf"(?<![\d一二三四五六七八九十百])(?:{written})", text) is not None


def _is_numbered(kind: str, number: str, text: str) -> bool:
    """Whether a text names the thing of that kind and number: plot 17, plots 16 and 17, No. 17, #17, the 17th plot."""
    if number not in text:  # as in most sentences, for which no pattern is made
        return False
    for match in re.finditer(rf"(?<![\d.]){number}(?![\d%]|\.\d)", text):
        if re.match(rf"(?:st|nd|rd|th)\s+{re.escape(kind)}", text[match.end() :]):
            return True
        before = re.search(r"([a-z]+|#)[\s.#:]*(?:\d+(?:\s*(?:,|-|and|or|to|&)\s*))*$", text[: match.start()])
        if before is not None and (
            before[1] in ("number", "no", "nr", "#", "numbers", "nos") or comparable(before[1]) == kind
        ):
            return True
    return False


def _told(text: str) -> Callable[[str], bool] | None:
    """What says a word without it."""
    if text.lower() in kinds.SIZES:
        return kinds.tells_size
    if measured.is_edge(text):
        return measured.tells_stretch
    if text.lower() in kinds.CALLS:
        return kinds.tells_number
    if concept(text) == "phone number":
        return kinds.tells_phone
    if text.lower() in kinds.REFUNDS:
        return kinds.tells_refund
    if text.lower() in kinds.FREE:
        return kinds.tells_price
    return kinds.tells_price if concept(text) in ("price", "payment") else None


@lru_cache(maxsize=512)
def _terms(question: str, others: _Others, given: tuple[str, ...]) -> tuple[Term, ...]:
    known = {form: own for form, own, _ in others}
    broad = {form: joined for form, _, joined in others}
    rest, found = _taken(_read(question))
    for name in given:
        rest = rest.replace(name, " ， ")
    names = (*given, *names_of(rest))
    kinds = {comparable(match[match.lastgroup or 0]) for match in _KIND.finditer(rest)}
    heads = {
        comparable(match[match.lastgroup or 0])
        for match in (
            *(one for one in _HEAD.finditer(rest) if comparable(one[one.lastgroup or 0]) not in _light()),
            *_NUMBER_OF.finditer(rest),
            *_HOW_IS.finditer(rest),
        )
    }
    whether = is_whether(question)
    if whether:
        heads |= {comparable(match[match.lastgroup or 0]) for match in _BY.finditer(rest)}
    apart = {comparable(match[match.lastgroup or 0]) for match in _APART.finditer(rest)} | _sought_itself(rest)
    sought = {comparable(match[1]) for match in _SOUGHT.finditer(rest)} | heads
    for name in names:
        rest = rest.replace(name, " ， ")
    phrases, rest = taken_out(rest)
    said = (
        *((name, True) for name in names),
        *((phrase, False) for phrase in phrases.values()),
        *_content(rest, names),
    )
    for text, is_name in said:
        form = comparable(text)
        if form in found or (form in asking() and not is_name):
            continue
        same = (text, *(() if is_name else _each(text)), *known.get(form, ()))
        same = (*same, *other_sides(text)) if whether and not is_name else same
        joined = () if is_name else (*wordings(text), *broad.get(form, ()))
        made = _term(text, same, name=is_name, kind=form in kinds, required=form in heads, sought=form in sought)
        made = replace(made, apart=form in apart or (whether and made.told is _TELLS_REFUND))
        found[form] = _with_joined(made, joined)
    if (measure := measured.asked(fold(question))) is not None:
        name, told = measure
        weight = _OF_COMMON if name in measured.COMMON else 1.0
        found[f"({name})"] = Term(text=f"({name})", stems=frozenset(), runs=(), weight=weight, implied=True, told=told)
    return tuple(found.values())


def _sought_itself(question: str) -> set[str]:
    """What is sought of a thing, as words are compared, where only its own word tells it: the aperture of the telescope."""
    found = [match[1] for match in (*_SOUGHT.finditer(question), *_SOUGHT_AMOUNT.finditer(question))]
    return {comparable(word) for word in found if word.lower() not in _TOLD_OTHERWISE and _told(word) is None}


_INSIDE = re.compile(r"(?<=[\u4e00-\u9fff]{2})[里内](?=什么|有|能|可|的|是|要|不|禁|哪|怎|多|几|允|让|[，,？?]|$)")
_ASPECT = re.compile(r"(?<=[\u4e00-\u9fff])[了过](?=[\u4e00-\u9fff])")
_LEXICAL = frozenset(
    ("超过", "通过", "经过", "错过", "难过", "不过", "越过", "胜过", "度过", "路过", "跳过", "绕过", "为了", "除了")
)
"""Words that end so, and say more than done."""


def _read(question: str) -> str:
    """A question of Chinese without what only says inside or done: 农园里能, 喝了酒; 过夜 and 超过 stay whole."""
    question = _INSIDE.sub("", question)
    if _ASPECT.search(question) is None:
        return question
    whole = [word for word in words(question) if word.text[0] in "了过" or word.text in _LEXICAL]
    kept = {i for word in whole if len(word.text) > 1 for i in range(word.start, word.end)}
    return _ASPECT.sub(lambda match: match[0] if match.start() in kept else "", question)


def _taken(question: str) -> tuple[str, dict[str, Term]]:
    """A question without the days and the age that it names, and their terms."""
    found: dict[str, Term] = {}
    rest = question
    for start, end, listed in days.days_of(question):
        text = question[start:end]
        same = days.wordings(listed)
        made = _term(text, (text, *same), name=False, kind=False, required=True, sought=False)
        found[comparable(text)] = replace(made, told=partial(days.covers, listed=listed))
        rest = rest.replace(text, " ")
    for start, end in reversed(labels(rest)):
        made = _label(rest, start, end)
        found[made.text] = made
        rest = f"{rest[:start]} {rest[end:]}"
    age = ages.age_in(rest)
    if age is not None:
        text, years = age
        made = _term(text, (text,), name=False, kind=False, required=False, sought=False)
        found[comparable(text)] = replace(made, told=partial(ages.covers, age=years))
        rest = rest.replace(text, " ")
    return rest, found


def _label(question: str, start: int, end: int) -> Term:
    """The 17 of plot 17, the 三 of 三号池: what says another number of it is about another one."""
    text, after = question[start:end], question[end : end + 1]
    number = value_of(text)
    same = {text, *([f"{number:g}", *_HAN_NUMBERS[int(number) : int(number) + 1]] if number is not None else [])}
    if _HAN.match(after):
        return Term(
            text=f"{text}{after}",
            stems=frozenset(),
            runs=(),
            required=True,
            told=partial(_stands_alone, tuple(f"{s}{after}" for s in sorted(same))),
        )
    before = re.search(r"([a-z]+)\W*$", question[:start], re.IGNORECASE)
    kind = comparable(before[1]) if before is not None else ""
    return Term(text=text, stems=frozenset(), runs=(), required=True, told=partial(_is_numbered, kind, text))


def terms(
    question: str,
    synonyms: Mapping[str, Sequence[tuple[str, str]]] | None = None,
    names: Sequence[str] = (),
) -> tuple[Term, ...]:
    """Return what ``question`` speaks of, names first.

    Args:
        synonyms: Other wordings of a word (``context.knowledge.synonyms``).  Those of the profile and of a field's pack are
            meant for what is searched, and count as the word itself; those of the pack for everything are joined as ours are.
        names: What is known to be a name in it, such as the fact of an earlier hop.
    """
    question, names = characters_read(question), tuple(map(characters_read, names))
    others: list[tuple[str, tuple[str, ...], tuple[str, ...]]] = []
    if synonyms:
        for word in words(question):
            if word.content and (same := synonyms.get(fold(word.text))):
                own = tuple(other for other, pack in same if pack != _GENERAL)
                others.append((comparable(word.text), own, tuple(other for other, pack in same if pack == _GENERAL)))
    return _terms(question, tuple(others), tuple(name for name in names if name and name in question))


def _with_joined(term: Term, joined: Sequence[str]) -> Term:
    """A term with the words that a list joins with it, without those that it has itself."""
    stems, runs = looked_for(joined)
    return replace(
        term, joined_stems=stems - term.stems, joined_runs=tuple(run for run in runs if run not in term.runs)
    )


def _term(text: str, wordings: Sequence[str], *, name: bool, kind: bool, required: bool, sought: bool) -> Term:
    stems, runs = looked_for((*wordings, *forms(text)))
    short = len(text) == 1 and _HAN.match(text) is not None  # a verb of one character has many others beside it
    short = short or _SPAN.fullmatch(text) is not None or _ONE.fullmatch(text) is not None
    told = None if name else _told(text)
    weight = 1.6 if name or sought else _OF_A_KIND if kind else 0.5 if short or comparable(text) in _light() else 1.0
    return Term(
        text=text,
        stems=stems,
        runs=runs,
        name=name,
        weight=weight,
        required=required,
        implied=told is not None,
        told=told,
    )


def _content(question: str, names: Sequence[str]) -> list[tuple[str, bool]]:
    inside = {word.text for name in names for word in words(name)}
    runs = unknown(question)
    inside.update(character for run in runs for character in run)
    found: list[tuple[str, bool]] = [(run, False) for run in runs if not any(run in name for name in names)]
    for word in words(question):
        asks = word.text.casefold() in asking() or _COUNTS.match(word.text)
        if word.content and word.text not in inside and not asks:
            if len(word.text) == 1 and not _HAN.match(word.text) and not word.text.isdigit():
                continue
            found.append((_bare(word.text), False))
    return found


def _each(text: str) -> tuple[str, ...]:
    """How a price of 一个月 is told: 每月, 每个月, 一月, 一个月."""
    match = _ONE.fullmatch(text)
    return () if match is None else tuple(f"{of}{match['time']}" for of in ("每", "每个", "每一", "一", "一个"))


def _bare(word: str) -> str:
    """Return a Chinese word without the verb that says little before a thing that a list knows: 坐电梯 is about 电梯."""
    inner = word[1:]
    known = len(word) >= 3 and word[0] in _LIGHT and not wordings(word) and bool(wordings(inner))
    return inner if known else word


def concepts(question: str) -> frozenset[str]:
    """Return what ``question`` speaks of as concepts: the same for 教程, tutorial and guide."""
    several, rest = taken_out(question)
    return frozenset(several) | frozenset(concept(term.text) for term in terms(rest))
