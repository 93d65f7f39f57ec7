"""Personal data in a text: found, masked with placeholders, and put back."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, cast

from qx.serial import value
from qx.text.redact_telephones import telephones

_PATTERNS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("KEY", re.compile(
        r"(?<![A-Za-z0-9_-])(?:sk-[A-Za-z0-9_-]{16,200}|(?:AKIA|ASIA)[A-Z0-9]{16}|gh[pousr]_[A-Za-z0-9]{30,100}|github_pat_\w{30,100}"
        r"|glpat-[\w-]{18,40}|xox[abprs]-[A-Za-z0-9-]{10,200}|AIza[\w-]{35}|(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{16,100}"
        r"|eyJ[\w-]{8,2000}\.eyJ[\w-]{8,4000}\.[\w-]{8,1000}|hf_[A-Za-z0-9]{30,60}|npm_[A-Za-z0-9]{30,60})(?![A-Za-z0-9_-])"
        r"|-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----[\s\S]{1,8000}?-----END [A-Z ]{0,20}PRIVATE KEY-----")),
    ("EMAIL", re.compile(r"(?<![A-Za-z0-9_.+-])[A-Za-z0-9][A-Za-z0-9_.+%-]{0,63}@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}")),
    ("IBAN", re.compile(r"(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?:\s?[A-Z0-9]{4}){2,7}(?:\s?[A-Z0-9]{1,3})?(?![A-Za-z0-9])")),
    ("ID", re.compile(r"(?<![A-Za-z0-9])[1-9]\d{5}(?:18|19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dXx](?![A-Za-z0-9])")),
    ("CARD", re.compile(r"(?<![A-Za-z0-9_.,+-])[2-69](?:[ -]?\d){12,18}(?![A-Za-z0-9_]|[.,-]\d)")),
)  # fmt: skip
_PLACEHOLDER = re.compile(r"<[A-Z][A-Z0-9_]{0,40}_\d{1,6}>")

Extra = Callable[[str], Iterable["Sensitive"]]
"""Finds further data in a text that is to be hidden: what a field's packs know of."""


@value
class Sensitive:
    """A piece of personal data; ``start`` and ``end`` are code points of the text, end exclusive.

    Attributes:
        kind: ``KEY`` (of the forms in which services hand them out), ``EMAIL``, ``PHONE``, ``CARD`` (Luhn), ``ID`` (Chinese identity number, checksum), ``IBAN`` (checksum), or
            what a caller's own finder calls it, in capitals.
    """

    kind: str
    start: int
    end: int
    text: str


def find(text: str, extra: Extra | None = None) -> tuple[Sensitive, ...]:
    """Return the personal data of ``text`` in order; none overlap.

    Card, identity and account numbers count only where their check digits are right.

    Args:
        extra: Finds further data; what it finds goes before what is found here.
    """
    taken = bytearray(len(text))
    found: list[Sensitive] = []
    for item in extra(text) if extra is not None else ():
        if not any(taken[item.start : item.end]):
            taken[item.start : item.end] = b"\x01" * (item.end - item.start)
            found.append(item)
    for kind, start, end in _candidates(text):
        if not any(taken[start:end]):
            taken[start:end] = b"\x01" * (end - start)
            found.append(Sensitive(kind=kind, start=start, end=end, text=text[start:end]))
    return tuple(sorted(found, key=lambda s: s.start))


def _candidates(text: str) -> Iterator[tuple[str, int, int]]:
    """What may be hidden: kind, start, end; where two overlap the first counts."""
    for kind, pattern in _PATTERNS:
        for match in pattern.finditer(text):
            if _valid(kind, match[0]):
                yield kind, *match.span()
    for start, end in telephones(text):
        yield "PHONE", start, end


def mask(text: str) -> tuple[str, Mapping[str, str]]:
    """Return ``text`` with placeholders (``<EMAIL_1>``) for personal data, and what each stands for.

    One value has one placeholder.  Placeholders that the text itself holds are not used.
    """
    names = _Names((text,))
    return names.masked(text), names.meaning


def mask_messages(texts: Sequence[str], extra: Extra | None = None) -> tuple[tuple[str, ...], Mapping[str, str]]:
    """Return several texts masked alike, and what each placeholder stands for; ``extra`` as for ``find``.

    Of a text that is JSON the values are masked, each by itself: in the written form an escape such as ``\\n`` would
    hide the border of a number behind it.
    """
    names = _Names(texts, extra)
    if extra is not None:  # what is known by its words in one place ("order no. 4711") is hidden where it stands alone
        for text in texts:
            _message(text, names)
    return tuple(_message(text, names) for text in texts), names.meaning


class _Names:
    """The placeholders of some texts, given out as values are met."""

    def __init__(self, texts: Sequence[str], extra: Extra | None = None) -> None:
        self._extra = extra
        self._kinds: dict[str, str] = {}
        self._own = {name for text in texts for name in _PLACEHOLDER.findall(text)}
        self._names: dict[str, str] = {}
        self._counts: dict[str, int] = {}

    @property
    def meaning(self) -> dict[str, str]:
        """Placeholder -> what it stands for."""
        return {name: original for original, name in self._names.items()}

    def masked(self, text: str) -> str:
        parts: list[str] = []
        at = 0
        for item in find(text, self._hidden):
            parts += (text[at : item.start], self._name(item))
            at = item.end
        return "".join((*parts, text[at:]))

    def _hidden(self, text: str) -> Iterator[Sensitive]:
        """What the caller's finder finds, then what it found before, wherever that stands."""
        if self._extra is None:
            return
        for item in self._extra(text):
            self._kinds.setdefault(item.text, item.kind)
            yield item
        for known, kind in self._kinds.items():
            for match in re.finditer(rf"(?<![A-Za-z0-9]){re.escape(known)}(?![A-Za-z0-9])", text):
                yield Sensitive(kind=kind, start=match.start(), end=match.end(), text=known)

    def _name(self, item: Sensitive) -> str:
        name = self._names.get(item.text, "")
        while not name or name in self._own:
            self._counts[item.kind] = self._counts.get(item.kind, 0) + 1
            name = f"<{item.kind}_{self._counts[item.kind]}>"
        self._names[item.text] = name
        return name


def _message(text: str, names: _Names) -> str:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return names.masked(text)
    hidden = _values(data, names)
    return text if hidden == data else json.dumps(hidden, ensure_ascii=False)


def _values(data: Any, names: _Names) -> Any:
    if isinstance(data, dict):
        return {names.masked(key): _values(item, names) for key, item in cast("dict[str, Any]", data).items()}
    if isinstance(data, list):
        return [_values(item, names) for item in cast("list[Any]", data)]
    if isinstance(data, str):
        return names.masked(data)
    if isinstance(data, (int, float)):  # a number may be a telephone's; it is hidden as text
        hidden = names.masked(str(data))
        return data if hidden == str(data) else hidden
    return data


def unmask(text: str, mapping: Mapping[str, str]) -> str:
    """Return ``text`` with the placeholders of ``mapping`` replaced by what they stand for."""
    return _PLACEHOLDER.sub(lambda m: mapping.get(m[0], m[0]), text)


def _valid(kind: str, text: str) -> bool:
    if kind == "CARD":
        return _luhn([int(c) for c in text if c.isdecimal()])
    if kind == "ID":
        return _identity(text)
    if kind == "IBAN":
        return _iban("".join(text.split()))
    return True


def _luhn(digits: list[int]) -> bool:
    if len(set(digits)) == 1:
        return False
    doubled = [d * 2 - 9 if d > 4 else d * 2 for d in digits[-2::-2]]
    return (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0


def _identity(text: str) -> bool:
    """Check digit of GB 11643 (ISO 7064, MOD 11-2)."""
    total = sum(int(c) * (2 ** (17 - i) % 11) for i, c in enumerate(text[:17]))
    return "10X98765432"[total % 11] == text[17].upper()


def _iban(text: str) -> bool:
    """Check digits of ISO 13616 (MOD 97-10)."""
    if not 15 <= len(text) <= 34:
        return False
    return int("".join(str(int(c, 36)) for c in text[4:] + text[:4])) % 97 == 1
