"""From what an index holds to a field map: which stored field is the price, in what scale and unit.

Names decide what a field means (``price_cents``, ``售价``, ``ram_gb``), values decide its type.  All of it is a proposal
that a person reads: every guess comes with its reason.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

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

_NAMES: Mapping[str, tuple[str, ...]] = {
    "title": ("title", "name", "headline", "subject", "product name", "标题", "名称", "商品名", "品名"),
    "text": ("text", "body", "content", "description", "abstract", "summary", "正文", "内容", "描述", "简介", "摘要"),
    "url": ("url", "link", "href", "permalink", "链接", "网址"),
    "published": ("published", "published at", "publication date", "pubdate", "date", "created", "created at", "timestamp", "发布时间", "日期", "发布日期"),
    "price": ("sale price", "list price", "unit price", "现价", "原价"),
    "brand": ("brand", "brand name", "manufacturer", "maker", "vendor", "品牌", "厂商", "制造商"),
}  # fmt: skip
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
    """The values found at one path."""

    path: str
    type: FieldType
    values: tuple[object, ...]

    @property
    def words(self) -> tuple[str, ...]:
        """The words of the last part of the path: ``priceCents`` and ``price_cents`` are (price, cents)."""
        return tuple(part.casefold() for part in _PARTS.split(self.path.rpartition(".")[2]) if part)


def columns(hits: Iterable[Hit]) -> list[Column]:
    """Return what the metadata of ``hits`` holds, path by path."""
    found: dict[str, list[object]] = {}
    for hit in hits:
        for path, item in leaves(hit.metadata):
            found.setdefault(path, []).append(item)
    return [Column(path=path, type=type_of(items), values=tuple(items)) for path, items in found.items()]


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

    Args:
        hits: Documents of the index.
        known: The canonical fields of the packs, whose words name them.
    """
    found = columns(hits)
    made: dict[str, Inferred] = {}
    for column in found:
        for proposal in _proposals(column, found, known):
            if proposal.canonical not in made:
                made[proposal.canonical] = proposal
                break
    return list(made.values())


def _proposals(column: Column, others: Sequence[Column], known: Sequence[ConstraintField]) -> Iterable[Inferred]:
    """What a column may be, the likeliest first; at last, itself under its own name."""
    words, hint = _without_hint(column)
    name = " ".join(words)
    for canonical_name, names in _NAMES.items():
        if name in names and _fits(canonical_name, column):
            yield _made(canonical_name, column, others, hint, reason=f"named {name}")
    for field in known:
        wanted = "number" if field.type in ("number", "money") else None
        if (name == field.id or name in field.words) and wanted in (None, column.type):
            yield _made(field.id, column, others, hint or (1.0, field.unit), reason=f"named {name}")
    own = re.sub(r"\W+", "_", column.path.rpartition(".")[2]).strip("_")
    if own and column.type != "text":
        yield _made(own, column, others, hint, reason="")


def _fits(canonical_name: str, column: Column) -> bool:
    wanted: Mapping[str, tuple[FieldType, ...]] = {
        "title": ("text", "keyword"),
        "text": ("text", "keyword"),
        "url": ("keyword", "text"),
        "published": ("date",),
        "price": ("number",),
        "brand": ("keyword", "text"),
    }
    return column.type in wanted[canonical_name]


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
    name: str, column: Column, others: Sequence[Column], hint: tuple[float, str | None] | None, *, reason: str
) -> Inferred:
    scale, unit = hint or (1.0, None)
    if name == "price" and unit is None:
        unit = _currency(others)
        reason += f", in {unit} by the field of its currency" if unit else ""
    if scale != 1:
        reason += ", in hundredths by its name"
    kind: FieldType = "text" if name in ("title", "text") else "keyword" if name in ("url", "brand") else column.type
    return Inferred(
        canonical=name, path=column.path, type=kind, scale=scale, unit=unit, reason=reason, shown=_shown(column)
    )


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
