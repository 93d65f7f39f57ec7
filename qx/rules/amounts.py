"""From amounts (``qx.text.quantities``) to constraints on canonical fields."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator, Mapping, Sequence

from qx.domain import ConstraintField
from qx.rules.memories import memory_fields
from qx.rules.phrases import PhraseIndex
from qx.rules.reading import Reading
from qx.serial import replace
from qx.text.lexicons import load_set
from qx.text.quantities import Quantity, is_read_off
from qx.types import Constraint, Entity, Op

_NEAR = 8
"""Characters around an amount in which a word may name its field."""
_ABOUT = 0.2
_GENERATION = re.compile(r"[2-6]g", re.IGNORECASE)
_KINDS: Mapping[str, str] = {
    "money": "price",
    "temperature": "temperature",
    "memory": "memory",
    "weight": "weight",
    "battery": "battery_capacity",
    "power": "power",
    "frequency": "refresh_rate",
    "age": "age",
    "duration": "duration",
    "length": "length",
    "size": "size",
    "volume": "capacity",
}
_SPECIFIES = frozenset({"memory", "storage", "screen", "refresh_rate", "battery_capacity", "resolution", "capacity"})
_SCREEN = re.compile(
    r"屏|显示|电视|笔记本|平板|\b(?:screens?|displays?|monitors?|tvs?|televisions?|laptops?|notebooks?|tablets?|chromebooks?|ultrabooks?|"
    r"phones?|smartphones?|ipads?|imacs?|macbooks?|surface|thinkpads?|kindles?|e-?readers?|smart ?watch(?:es)?)\b|matebook|拯救者|小新|手机|一体机|电纸书|阅读器|相框"
)
"""What has a screen that its size is given of."""
_INFANT = re.compile(r"(?:宝宝|婴儿|新生儿|娃|小孩|孩子|女儿|儿子|幼猫|小猫|小狗|幼犬|奶狗|奶猫)(?:才|刚|现在|快|都)?$")
"""Of whom a stretch of time is the age: 宝宝六个月."""
_OLDER = re.compile(r"(?:older|newer|younger)\sthan", re.IGNORECASE)
_FEET = re.compile(r"['′]|ft|feet|foot|英尺", re.IGNORECASE)
_WAITED = re.compile(
    r"(?:[等过用买坏拖卡断病疼痛吃住催修烧咳]了(?:快|都|有|好)?|已经|都快|连续)$"
    r"|\b(?:waited|waiting|been|already|lasted|after|(?:for|over|about|almost|nearly)\s(?:the\s(?:past|last)\s)?)\s?$",
)
_SINCE = re.compile(
    r"(?:了|还?[没未不](?!错|要|超|到|用))|\s(?:and\s)?(?:still|now|already|late|overdue|without\s(?:a\s)?(?:reply|response|answer|update))\b"
)
_FAR = 30
"""Metres below which a length is that of the thing, not the way to it."""
_BOUGHT = frozenset({"product", "brand", "service", "food"})
_LEAST = 100
_FEW = 10
"""The least that "gifts under 30" can cost."""
_GIVEN = re.compile(r"\b(?:gifts?|presents?|books?)$")
_UNDER = re.compile(r"(?:under|below|less\sthan|cheaper\sthan)\s", re.IGNORECASE)
_CLAUSE = re.compile("[,，。;；、!！?？]|人|粉丝")
_YEARS = range(1900, 2101)
_NOT_COUNTED = re.compile(
    r"[,，.。;；!?？)]|的?(?:$|[,，。])|(?:with|without|for|and|or|but|that|which|who|having|not|no|except|excluding|please|in|on|at|by|from|if|i|we|my|can|is|are|"
    r"good|best|cheap|new|used)(?![\w-])"
)
_TOO = re.compile(r"太|\btoo\b")
_BARE = re.compile(r"^(?:在|是|有|带|买|那种|任何|an?\s|any\s|the\s|with\s|in\s|of\s|size\s)+|的$")
_OTHER_WAY: Mapping[str, Op] = {"eq": "ne", "le": "gt", "lt": "ge", "ge": "lt", "gt": "le"}
_OPS: Mapping[str, Op] = {"le": "le", "lt": "lt", "ge": "ge", "gt": "gt"}


def amounts(
    reading: Reading,
    fields: Mapping[str, ConstraintField],
    words: PhraseIndex[str],
    entities: Sequence[Entity],
    *,
    looking: bool,
) -> Iterator[tuple[Constraint, tuple[int, int]]]:
    """Yield the constraints of each amount with the span that it takes up."""
    memories: Mapping[int, str] = {}
    if any(q.kind == "memory" for q in reading.quantities):
        memories = memory_fields(reading, words)
    for quantity in reading.quantities:
        if any(e.start < quantity.end and quantity.start < e.end and e.verbatim for e in entities):
            continue
        if quantity.kind == "memory" and quantity.start not in memories:
            continue
        if quantity.kind == "weight" and _GENERATION.fullmatch(quantity.text.strip()):
            continue  # "5g和4g有什么不同" weighs nothing
        if quantity.kind == "duration" and quantity.op == "eq" and _elapsed(reading, quantity):
            continue
        field = memories.get(quantity.start) or _field(reading, quantity, words, entities, looking=looking)
        if (
            field in ("duration", "age")
            and "published" in fields
            and (since := _published(reading, quantity)) is not None
        ):
            yield since, (quantity.start, quantity.end)
            continue
        if field is None or field not in fields:
            continue
        unit = _currency(reading, quantity) if field == "price" else quantity.unit
        made = _constraints(field, quantity, unit or fields[field].unit, looking=looking)
        refused = next(
            (n for n in reading.negations if n.target_start <= quantity.start and quantity.end <= n.target_end), None
        )
        if refused is not None:
            between = reading.folded[refused.target_start : quantity.start]
            if _TOO.search(reading.folded[refused.start : quantity.start]):
                refused = None  # 别太贵5000以内 refuses what is dear
            elif not _covers(between, words):
                continue  # 不要三星5000以下的: of the two, which?
        for constraint in made if refused is None else _refused(made, reading.text[refused.start : refused.end]):
            yield constraint, (quantity.start, quantity.end)


_RENMINBI = re.compile(r"(?i)人民|rmb|cny|yuan|[¥￥]")


def _currency(reading: Reading, quantity: Quantity) -> str:
    """The currency of a price: the one that was said, else that of those who write so.

    A bare 元 of Traditional text is recorded as Taiwan's; a field in another currency that is counted in 元 takes it for
    its own (``qx.filters.inference``).
    """
    unit = quantity.unit or ("CNY" if reading.chinese else "USD")
    bare = unit == "CNY" and reading.language == "zh-Hant" and not _RENMINBI.search(quantity.text)
    return "TWD" if bare else unit


_DOCUMENTS = re.compile(
    r"(?:内|以内|之内)?的?(?:学术|中文|英文|最新|相关|高质量|核心|期刊|会议)?(?:论文|文献|文章|综述|研究|报告|资料|新闻|专利|期刊|教材|数据)"
    r"|\s*(?:old\s+|of\s+age\s+)?(?:papers?|articles?|stud(?:y|ies)|literature|surveys?|reviews?|reports?|news|patents?|publications?|textbooks?)\b"
)
_DOCUMENTS_BEFORE = re.compile(
    r"(?:论文|文献|文章|综述|研究|报告|资料|专利|教材)(?:时间|年份|发表时间|出版时间|年限)?(?:要|在|是|需要?|必须|最好)?\s?$"
    r"|\b(?:papers?|articles?|stud(?:y|ies)|literature|surveys?|reviews?|reports?|publications?|patents?|textbooks?)(?:\s+(?:that|which)\s+are|\s+no)?\s+$"
)


def _published(reading: Reading, quantity: Quantity) -> Constraint | None:
    """The age of documents as when they were published: 不超过5年的论文, "papers less than 3 years old"."""
    years = {"year": 1.0, "month": 1 / 12}.get(quantity.unit or "")
    bound = quantity.high if quantity.op in ("le", "lt") else quantity.low if quantity.op in ("ge", "gt") else None
    if years is None or bound is None:
        return None
    after = _DOCUMENTS.match(reading.folded, quantity.end)
    before = _DOCUMENTS_BEFORE.search(reading.folded[: quantity.start])
    if after is None and (
        before is None or re.match(r"\s*(?:$|[,，。.;]|old\b|的?$)", reading.folded[quantity.end :]) is None
    ):
        return None
    months = round(bound * years * 12)
    year, month = divmod(reading.now.year * 12 + reading.now.month - 1 - months, 12)
    day = min(reading.now.day, monthrange(year, month + 1)[1])
    since = f"{year:04d}-{month + 1:02d}-{day:02d}"
    newer = quantity.op in ("le", "lt")
    words = reading.text[quantity.start : quantity.end]
    return Constraint(field="published", op="ge" if newer else "lt", value=since, text=words, hard=True)


def _covers(between: str, words: PhraseIndex[str]) -> bool:
    """Whether what stands before a refused amount only names it: 不要内存8G的."""
    left = _BARE.sub("", between).strip()
    return not left or any(hit.end - hit.start >= len(left) for hit in words.all(left))


def _field(
    reading: Reading, quantity: Quantity, words: PhraseIndex[str], entities: Sequence[Entity], *, looking: bool
) -> str | None:
    named = _named(reading, quantity, words)
    kind = quantity.kind
    if kind == "length" and quantity.unit == "inch":
        whole = (quantity.low or quantity.high or 0) >= 1 and not _FEET.search(quantity.text)
        return "screen" if whole and (named == "screen" or _screened(reading, entities)) else "length"
    if kind == "length" and quantity.unit in ("km", "m", "mile"):
        near = quantity.unit == "m" and (quantity.high or quantity.low or 0) < _FAR and named != "distance"
        return named if named not in (None, "distance") else "length" if near else "distance"
    if kind == "duration":
        if _OLDER.search(quantity.text):  # else a time: "papers not older than 5 years"
            aged = quantity.unit == "year" and not any(
                quantity.start < t.end and t.start < quantity.end for t in reading.times
            )
            return "age" if aged else None
        if _INFANT.search(reading.folded[max(0, quantity.start - 6) : quantity.start]) and quantity.unit != "hour":
            return "age"
        return "battery_life" if named == "battery_life" else "duration"
    if kind == "plain":
        if looking and not quantity.counted and _is_price(reading, quantity, entities):
            return "price"
        return named if named in ("price", "age", "size", "refresh_rate") else None
    return _KINDS.get(kind)


def _refused(made: Iterator[Constraint], text: str) -> Iterator[Constraint]:
    """The limits of what is ruled out, the other way round: 不要8GB内存的; of a range and of what is about nothing is said."""
    found = [c for c in made if c.op != "prefer"]
    if len(found) == 1 and found[0].op in _OTHER_WAY:
        yield replace(found[0], op=_OTHER_WAY[found[0].op], text=text, hard=True)


def _elapsed(reading: Reading, quantity: Quantity) -> bool:
    """Whether a time is told of, not asked for: 三天没更新了, "waited 10 days"."""
    before = reading.folded[max(0, quantity.start - 20) : quantity.start]
    return bool(_WAITED.search(before) or _SINCE.match(reading.folded, quantity.end))


def _screened(reading: Reading, entities: Sequence[Entity]) -> bool:
    """Whether the query speaks of a thing with a screen."""
    if _SCREEN.search(reading.folded):
        return True
    return any(e.canonical in load_set("screened_products") for e in entities if e.type == "product")


def _is_price(reading: Reading, quantity: Quantity, entities: Sequence[Entity]) -> bool:
    """Whether a bare range or bound of a thing to buy is money: "phone between 3000 and 5000", "sub-3000 phone"."""
    low, high = quantity.low or quantity.high or 0, quantity.high or quantity.low or 0
    goods = [e for e in entities if e.type in _BOUGHT]
    if quantity.op == "about" or is_read_off(reading.folded, quantity.start):
        return False
    if low < _LEAST:
        return low >= _FEW and _bare_bound(reading, quantity, goods)
    if not goods:
        return False
    if reading.folded.startswith("的", quantity.end):  # 两三千的手机
        on = quantity.end + 1
        return any(on <= e.start and not _CLAUSE.search(reading.folded, on, e.start) for e in goods)
    if quantity.op == "eq":
        return False
    if quantity.op == "range" and low in _YEARS and high in _YEARS:
        return False
    before, after = reading.folded[: quantity.start].rstrip(), reading.folded[quantity.end :].lstrip()
    follows = len(reading.folded) - len(after)
    if after and not (any(e.start == follows for e in goods) or _NOT_COUNTED.match(after)):
        return False
    said = quantity.text[:1].isalpha()
    return said or not before or not before[-1].isalpha() or any(e.end == len(before) for e in goods)


def _bare_bound(reading: Reading, quantity: Quantity, goods: Sequence[Entity]) -> bool:
    """Whether all that is said of a thing is a bound: "christmas gifts under 30", not "gifts for women under 30"."""
    if not _UNDER.match(quantity.text) or reading.folded[quantity.end :].strip(" .!?"):
        return False
    before = reading.folded[: quantity.start].rstrip()
    return _GIVEN.search(before) is not None or any(e.end == len(before) for e in goods)


def _named(reading: Reading, quantity: Quantity, words: PhraseIndex[str]) -> str | None:
    """Return the field whose word stands nearest to the amount."""
    best: tuple[int, str] | None = None
    start = max(0, quantity.start - _NEAR)
    end = min(len(reading.folded), quantity.end + _NEAR + 4)
    for hit in words.all(reading.folded[start:end]):
        left, right = hit.start + start, hit.end + start
        distance = max(quantity.start - right, left - quantity.end, 0)
        if best is None or distance < best[0]:
            best = (distance, hit.items[0])
    return best[1] if best else None


def _constraints(field: str, quantity: Quantity, unit: str | None, *, looking: bool) -> Iterator[Constraint]:
    text, op = quantity.text.strip(), quantity.op

    def make(op: Op, number: float, *, hard: bool) -> Constraint:
        return Constraint(field=field, op=op, value=_plain(number), unit=unit, text=text, hard=hard)

    if op in _OPS:
        bound = quantity.high if op in ("le", "lt") else quantity.low
        if bound is not None:
            yield make(_OPS[op], bound, hard=True)
        return
    low, high = quantity.low, quantity.high
    if op == "range" and low is not None and high is not None:
        yield make("ge", low, hard=True)
        yield make("le", high, hard=True)
        return
    number = low if low is not None else high
    if number is None:
        return
    if op == "about" or field == "price":
        if field == "price" and op == "eq" and not looking:
            return  # "how much is 100 dollars in euros" limits nothing
        yield make("prefer", number, hard=False)
        yield make("ge", number * (1 - _ABOUT), hard=False)
        yield make("le", number * (1 + _ABOUT), hard=False)
        return
    yield make("eq", number, hard=field in _SPECIFIES)


def _plain(number: float) -> int | float:
    rounded = round(number, 6)
    return int(rounded) if float(rounded).is_integer() else rounded
