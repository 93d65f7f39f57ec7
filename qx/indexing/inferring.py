"""From what an index holds to a field map: which stored field is the price, in what scale and unit.

Names decide what a field means (``price_cents``, ``售价``, ``ram_gb``), values decide its type.  All of it is a proposal
that a person reads: every guess comes with its reason.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

from qx.domain import ConstraintField
from qx.filters.conversion import canonical
from qx.filters.fieldmap import FieldType
from qx.indexing.sampling import leaves
from qx.serial import value
from qx.text import units
from qx.types import Hit

LONG = 80
"""Characters from which on a value is text that is searched, not a value that is filtered."""
FEW = 0.9
"""Share of different values above which short text is no value that is filtered either, but a name."""
SHOWN = 5
_BY_PACKS, _DOUBTFUL, _BY_ITSELF = 100, 500, 1000
"""Ranks of what packs call so, of a column that few documents have or that holds no value of the field's, and of a column's
own name: below every name that is listed here."""
MOST = 40
"""Columns that are proposed under their own names."""
COMMON = 0.05
"""Share of the documents that have such a column."""
_RARE = 0.1
"""Share of the documents of the most frequent claimant of a field, below which another claimant is doubtful."""
_LARGEST: Mapping[str, tuple[float, str]] = {"kg": (100, "g"), "cm": (100, "mm"), "GB": (20_000, "MB")}
"""Unit -> the median above which a column is rather in the smaller unit, and that."""

_NAMES: Mapping[str, tuple[str, ...]] = {
    "title": ("title", "name", "headline", "subject", "product name", "product title", "标题", "名称", "商品名", "品名"),
    "text": ("text", "body", "content", "description", "abstract", "summary", "正文", "内容", "描述", "简介", "摘要"),
    "url": ("url", "link", "href", "permalink", "链接", "网址"),
    "published": ("published", "published at", "published date", "published on", "publication date", "publish date",
        "publish time", "pubdate", "pub date", "date published", "release date", "released", "released at", "released on", "release",
        "launch date", "launched", "launched at", "date", "datetime", "posted", "posted at", "created", "created at", "created on",
        "creation date", "date created", "timestamp", "发布时间", "发布日期", "发表时间", "出版日期", "出版时间", "上市时间", "上市日期",
        "上架时间", "日期", "时间", "创建时间"),
    "price": ("price", "sale price", "selling price", "current price", "list price", "unit price", "retail price", "msrp", "amount",
        "现价", "原价", "价钱", "定价"),
    "brand": ("brand", "brand name", "manufacturer", "maker", "vendor", "品牌", "厂商", "制造商", "生产厂家"),
    "memory": ("memory", "ram", "mem", "memory size", "ram size", "internal memory", "ram capacity", "memory capacity",
        "installed memory", "installed ram", "system memory", "内存大小", "内存容量", "运行内存", "运行内存容量"),
    "storage": ("storage", "storage size", "storage capacity", "disk", "disk size", "ssd", "rom", "hard disk",
        "internal storage", "internal storage capacity", "total storage capacity", "ssd capacity", "hdd capacity", "硬盘容量", "存储容量",
        "机身存储"),
    "screen": ("screen", "screen size", "screen diagonal", "display size", "display", "display diagonal", "diagonal",
        "屏幕尺寸", "屏幕大小", "屏幕对角线"),
    "colour": ("colour", "color", "product colour", "product color", "main colour", "main color", "colour name",
        "color name", "颜色", "颜色分类", "产品颜色", "机身颜色", "主色"),
    "weight": ("weight", "net weight", "item weight", "净重", "毛重"),
    "battery_capacity": ("battery capacity", "电池容量"),
    "refresh_rate": ("refresh rate", "刷新率"),
    "year": ("year", "model year", "年份", "年款"),
}  # fmt: skip
"""Canonical field -> the names that it goes by in databases, the surest first."""
_TYPES: Mapping[str, tuple[FieldType, ...]] = {
    "title": ("text", "keyword"),
    "text": ("text", "keyword"),
    "url": ("keyword", "text"),
    "published": ("date",),
    "brand": ("keyword", "text"),
    "colour": ("keyword",),
}
"""What a column must hold to be such a field; of those left out, numbers."""
_DATES = frozenset({"date", "year"})
"""Names that a query's conditions have beside ``published``."""
_CENTS = {"cents": None, "cent": None, "fen": "CNY", "分": "CNY", "pence": "GBP", "eurocents": "EUR"}
"""Name of a hundredth -> the currency that it is of, where the name says so."""
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2})?.*)?\Z")
_PARTS = re.compile(r"[\W_]+|(?<=[a-z])(?=[A-Z])")


@value
class Inferred:
    """A canonical field and where it is stored; ``reason`` says what spoke for it, ``shown`` what it holds."""

    canonical: str
    path: str
    type: FieldType
    scale: float = 1.0
    unit: str | None = None
    reason: str = ""
    shown: str = ""


@value
class Column:
    """The values found at one path, and how many documents have any."""

    path: str
    type: FieldType
    values: tuple[object, ...]
    documents: int = 0

    @property
    def words(self) -> tuple[str, ...]:
        """The words of the last part of the path: ``priceCents`` and ``price_cents`` are (price, cents)."""
        return tuple(part.casefold() for part in _PARTS.split(self.path.rpartition(".")[2]) if part)


def columns(hits: Iterable[Hit]) -> list[Column]:
    """Return what the metadata of ``hits`` holds, path by path."""
    found: dict[str, list[object]] = {}
    having = Counter[str]()
    for hit in hits:
        here = list(leaves(hit.metadata))
        having.update({path for path, _ in here})
        for path, item in here:
            found.setdefault(path, []).append(item)
    return [
        Column(path=path, type=type_of(items), values=tuple(items), documents=having[path])
        for path, items in found.items()
    ]


def type_of(items: Sequence[object]) -> FieldType:
    """Return what all of ``items`` are."""
    if all(isinstance(item, bool) for item in items):
        return "bool"
    if all(isinstance(item, (int, float)) and not isinstance(item, bool) for item in items):
        return "number"
    texts = [str(item) for item in items]
    if all(_DATE.match(text) for text in texts):
        return "date"
    different = len(set(texts)) / len(texts)
    wordy = sum(" " in text or len(text) > LONG for text in texts) / len(texts)
    is_text = max(map(len, texts)) > LONG or (different > FEW and wordy > 0.5 and len(texts) >= SHOWN)
    return "text" if is_text else "keyword"


def infer(hits: Sequence[Hit], known: Sequence[ConstraintField]) -> list[Inferred]:
    """Propose a canonical field for each path; each canonical field is given once, to the best of its claimants.

    What a name tells comes first.  Of the columns that keep their own names there are ``MOST`` at most, those that the most
    documents have, and none that fewer than ``COMMON`` of them do.

    Args:
        hits: Documents of the index.
        known: The canonical fields of the packs, whose words name them.
    """
    found = columns(hits)
    claims = [(rank, at, made) for at, column in enumerate(found) for rank, made in _proposals(column, found, known)]
    most: dict[str, int] = {}
    for _, at, proposal in claims:
        most[proposal.canonical] = max(most.get(proposal.canonical, 0), found[at].documents)
    named: dict[int, Inferred] = {}
    own: list[tuple[int, Inferred]] = []
    given: set[str] = set()
    ranked = [
        (_doubted(rank, found[at], most[made.canonical]), -found[at].documents, at, made) for rank, at, made in claims
    ]
    for rank, _, at, proposal in sorted(ranked, key=lambda claim: claim[:3]):
        if at in named or proposal.canonical in given:
            continue
        if rank < _BY_ITSELF:
            named[at] = proposal
        elif found[at].documents >= COMMON * len(hits):
            own.append((at, proposal))
        else:
            continue
        given.add(proposal.canonical)
    return [*(named[at] for at in sorted(named)), *(proposal for _, proposal in own[:MOST])]


def canonical_name(name: str, known: Sequence[ConstraintField]) -> str | None:
    """Return the canonical field that goes by ``name`` in databases (``screen_size`` -> ``screen``); None for none, or itself.

    Args:
        known: The canonical fields of the packs.
    """
    if name in _NAMES or name in _DATES or any(field.id == name for field in known):
        return None
    said = " ".join(_without_hint(Column(path=name, type="number", values=()))[0])
    named = (canonical for canonical, names in _NAMES.items() if said == canonical or said in names)
    by_packs = (field.id for field in known if said == field.id or said in field.words)
    return next(chain(named, by_packs), None)


def _doubted(rank: int, column: Column, most: int) -> int:
    return rank + _DOUBTFUL if rank < _DOUBTFUL and column.documents < _RARE * most else rank


def _proposals(
    column: Column, others: Sequence[Column], known: Sequence[ConstraintField]
) -> Iterable[tuple[int, Inferred]]:
    """What a column may be, each with its rank among all that claim to be it; at last, itself under its own name."""
    words, hint = _without_hint(column)
    name = " ".join(words)
    fields = {field.id: field for field in known}
    for canonical_name, names in _NAMES.items():
        if name in names and _fits(canonical_name, column):
            field = fields.get(canonical_name)
            made = _made(canonical_name, column, others, hint, field and field.unit, reason=f"named {name}")
            yield names.index(name) + (0 if field is None or _is_like(column, field) else _DOUBTFUL), made
    for field in known:
        wanted = "number" if field.type in ("number", "money") else None
        if (name == field.id or name in field.words) and wanted in (None, column.type):
            made = _made(field.id, column, others, hint, field.unit, reason=f"named {name}")
            yield _BY_PACKS + (0 if _is_like(column, field) else _DOUBTFUL), made
    own_name = re.sub(r"\W+", "_", column.path.rpartition(".")[2]).strip("_")
    if own_name and column.type != "text":
        yield _BY_ITSELF, _made(own_name, column, others, hint, None, reason="")


def _is_like(column: Column, field: ConstraintField) -> bool:
    """Whether a column holds any value that the field is known to have (a colour); a field of no known values has any."""
    if not field.values or column.type != "keyword":
        return not field.values
    meant = {item.casefold() for pair in field.values.items() for item in pair}
    return any(
        word in meant for item in column.values for word in (str(item).casefold(), *str(item).casefold().split())
    )


def _fits(canonical_name: str, column: Column) -> bool:
    return column.type in _TYPES.get(canonical_name, ("number",))


def _without_hint(column: Column) -> tuple[tuple[str, ...], tuple[float, str | None] | None]:
    """The words of a name, and the scale and unit that its end tells: ``price_cents``, ``ram_gb``, ``price_eur``."""
    words = column.words
    if column.type != "number" or len(words) < 2:
        return words, None
    last = words[-1]
    if last in _CENTS:
        return words[:-1], (100.0, _CENTS[last])
    unit, factor = canonical(last)
    is_unit = (last in units.UNITS or last in units.CURRENCIES) and unit is not None and factor == 1
    return (words[:-1], (1.0, unit)) if is_unit else (words, None)


def _made(
    name: str,
    column: Column,
    others: Sequence[Column],
    hint: tuple[float, str | None] | None,
    usual: str | None,
    *,
    reason: str,
) -> Inferred:
    """A proposal; ``usual`` is the unit that the packs give the field, where the name tells none."""
    scale, unit = hint or (1.0, _unit(column, usual))
    if unit != usual and hint is None:
        reason += f", in {unit} by its numbers"
    if name == "price" and unit is None:
        unit = _currency(others)
        reason += f", in {unit} by the field of its currency" if unit else ""
    if scale != 1:
        reason += ", in hundredths by its name"
    kind: FieldType = "text" if name in ("title", "text") else "keyword" if name in ("url", "brand") else column.type
    return Inferred(
        canonical=name, path=column.path, type=kind, scale=scale, unit=unit, reason=reason, shown=_shown(column)
    )


def _unit(column: Column, usual: str | None) -> str | None:
    """The usual unit, or the smaller one that the numbers speak for: nobody sells things of 4,000 kg beside some of 5."""
    numbers = sorted(item for item in column.values if isinstance(item, (int, float)))
    if usual is None or usual not in _LARGEST or not numbers:
        return usual
    largest, smaller = _LARGEST[usual]
    return smaller if numbers[len(numbers) // 2] > largest else usual


def _currency(others: Sequence[Column]) -> str | None:
    """The one currency that a field named so holds."""
    for column in others:
        if column.words and column.words[-1] in ("currency", "币种", "货币"):
            held = {str(item).upper() for item in column.values}
            if len(held) == 1 and (unit := canonical(held.pop())[0]):
                return unit
    return None


def _shown(column: Column) -> str:
    """A few of the values, for the comment."""
    if column.type == "number":
        numbers = sorted(item for item in column.values if isinstance(item, (int, float)))
        return f"{numbers[0]:g} to {numbers[-1]:g}" if numbers[0] != numbers[-1] else f"{numbers[0]:g}"
    if column.type == "text":
        return ""
    common = Counter(str(item) for item in column.values).most_common()
    more = len(common) - SHOWN
    return ", ".join(text for text, _ in common[:SHOWN]) + (f" and {more} more" if more > 0 else "")
