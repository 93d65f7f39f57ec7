"""Which amounts are of memory and which of storage: "8gb ram 256gb ssd", 内存8G硬盘256G, "16GB or more, 1TB SSD"."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from qx.rules.phrases import PhraseIndex
from qx.rules.reading import Reading
from qx.text.quantities import Quantity

_FIELDS = ("memory", "storage")
_BEFORE, _BEHIND = 8, 12
"""Characters before and behind an amount in which a word may name it."""
_PACKED = re.compile(r"压缩|\b(?:compress(?:ed|ing)?|shrink|resize|zip)\b")
_FILES = re.compile(
    r"文件|附件|图片|证件照|照片|截图|头像|扫描件|视频|上传|传输|邮件|\b(?:files?|attachments?|uploads?|images?|photos?|pictures?|videos?|pdfs?|emails?)\b"
)
"""Where an amount of bytes is that of a file, no thing's memory."""
_APART = re.compile("[,，;；、。/+|]")
_OR = re.compile(r"\s*(?:or|/|或者?|还是|、)\s*", re.IGNORECASE)
_LARGE = 100
"""Gigabytes from which an amount that no word names is of storage."""
_TIMES = 4
"""How many times the memory beside it an amount is that is of storage."""
_GIGABYTES = {"KB": 1e-6, "MB": 1e-3, "GB": 1.0, "TB": 1e3, "PB": 1e6}


def memory_fields(reading: Reading, words: PhraseIndex[str]) -> Mapping[int, str]:
    """Return ``memory`` or ``storage`` of each amount of bytes, by where it begins.

    A word names one amount: the nearest, of two as near the one behind it.  What is the size of a file has no entry.
    """
    amounts = reading.quantities
    named = _named(reading, words)
    found: dict[int, str] = {}
    for n, amount in enumerate(amounts):
        if amount.kind == "memory" and (n in named or not _of_file(reading, amount)):
            found[amount.start] = named.get(n) or _joined(reading, n, named) or _by_size(amounts, n, named)
    return found


def _of_file(reading: Reading, amount: Quantity) -> bool:
    """Whether an amount is how large a file may be: "compress a pdf to 2MB", 照片不超过500KB."""
    small = amount.unit in ("KB", "MB") and _FILES.search(reading.folded) is not None
    return small or _PACKED.search(reading.folded) is not None


def _named(reading: Reading, words: PhraseIndex[str]) -> dict[int, str]:
    hits = [(h.start, h.end, h.items[0]) for h in words.longest(reading.folded) if h.items[0] in _FIELDS]
    taken: set[int] = set()
    found: dict[int, str] = {}
    for n, amount in enumerate(reading.quantities):
        if amount.kind != "memory":
            continue
        first = reading.quantities[n - 1].end if n else 0
        last = reading.quantities[n + 1].start if n + 1 < len(reading.quantities) else len(reading.folded)
        near = [
            (distance, start, name)
            for start, end, name in hits
            if start not in taken
            and first <= start
            and end <= last
            and (distance := _distance(reading.folded, amount, start, end)) is not None
        ]
        if near:
            _, start, found[n] = min(near)
            taken.add(start)
    return found


def _distance(text: str, amount: Quantity, start: int, end: int) -> int | None:
    """How far a word stands from the amount; None: too far, or something stands between."""
    if end <= amount.start:
        apart, most = (end, amount.start), _BEFORE
    elif start >= amount.end:
        apart, most = (amount.end, start), _BEHIND
    else:
        return 0
    length = apart[1] - apart[0]
    return None if length > most or _APART.search(text, *apart) else length


def _joined(reading: Reading, n: int, named: Mapping[int, str]) -> str | None:
    """The name of the amount that an "or" joins: "16GB RAM or 64GB", 64G或128G存储."""
    for other in (n + 1, n - 1):
        if other in named:
            left, right = sorted((reading.quantities[n], reading.quantities[other]), key=lambda q: q.start)
            between = reading.folded[left.end : right.start]
            if _OR.search(between) and len(between) <= _BEHIND:
                return named[other]
    return None


def _by_size(amounts: Sequence[Quantity], n: int, named: Mapping[int, str]) -> str:
    size = _size(amounts[n])
    if size >= _LARGE:
        return "storage"
    smaller = (
        named.get(m, "memory") == "memory" and 0 < _size(other) * _TIMES <= size
        for m, other in enumerate(amounts)
        if m != n and other.kind == "memory"
    )
    return "storage" if any(smaller) else "memory"


def _size(amount: Quantity) -> float:
    return (amount.high or amount.low or 0) * _GIGABYTES.get(amount.unit or "GB", 1.0)
