"""Meilisearch's filter grammar: read into a tree, refused with its own messages.

Grammar as documented (``expression = or``, ``or = and ("OR" and)*``...); the messages are those of our recordings.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

KEYWORDS = frozenset(
    ("AND", "OR", "IN", "NOT", "TO", "EXISTS", "IS", "NULL", "EMPTY", "CONTAINS", "STARTS", "WITH", "_geoRadius", "_geoBoundingBox")
)  # fmt: skip
OPERATIONS = (
    "`=`, `!=`, `>=`, `>`, `<=`, `<`, `IN`, `NOT IN`, `TO`, `EXISTS`, `NOT EXISTS`, `IS NULL`, `IS NOT NULL`, "
    "`IS EMPTY`, `IS NOT EMPTY`, `CONTAINS`, `NOT CONTAINS`, `STARTS WITH`, `NOT STARTS WITH`, `_geoRadius`, "
    "`_geoBoundingBox` or `_geoPolygon`"
)
_WORD = re.compile(r"[\w.\-]+")
_ESCAPE = re.compile(r"\\(?:u\{([0-9a-fA-F]+)\}|(.))", re.S)
_SIMPLE = {"n": "\n", "t": "\t", "r": "\r", "0": "\0"}


class Refused(Exception):
    """A filter that is not understood; the text is Meilisearch's message."""

    code = "invalid_search_filter"


class NotEnabled(Refused):
    code = "feature_not_enabled"


@dataclass
class Condition:
    attribute: str
    op: str  # = != > >= < <= IN TO EXISTS NULL EMPTY STARTS
    values: tuple[str, ...] = ()


Tree = tuple[str, Any] | Condition  # ("and" | "or", [trees]) or ("not", tree)


def parse(found: Any) -> Tree | None:
    """Read a filter: text, or a list (all) of texts and lists (any)."""
    if isinstance(found, list):
        parts = [parse(item) if isinstance(item, str) else ("or", [parse(i) for i in item]) for item in found]
        return ("and", [part for part in parts if part is not None])
    return _Parser(found).whole() if found and found.strip() else None


class _Parser:
    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0

    def whole(self) -> Tree:
        tree = self._or()
        self._space()
        if self.at < len(self.text):
            rest = self.text[self.at :]
            shown = rest.replace("'", "\\'")
            raise self._refused(
                f"Found unexpected characters at the end of the filter: `{shown}`. You probably forgot an `OR` or an `AND` rule.",
                self.at,
            )
        return tree

    def _or(self) -> Tree:
        return self._many("or", "OR", self._and)

    def _and(self) -> Tree:
        return self._many("and", "AND", self._not)

    def _many(self, name: str, word: str, part: Callable[[], Tree]) -> Tree:
        parts = [part()]
        while self._keyword(word):
            parts.append(part())
        return parts[0] if len(parts) == 1 else (name, parts)

    def _not(self) -> Tree:
        if self._keyword("NOT"):
            return ("not", self._not())
        self._space()
        if self.text[self.at : self.at + 1] == "(":
            self.at += 1
            tree = self._or()
            self._space()
            if self.text[self.at : self.at + 1] != ")":
                raise self._refused("Expression `(` is missing the following closing delimiter: `)`.", self.at)
            self.at += 1
            return tree
        return self._condition()

    def _condition(self) -> Tree:
        self._space()
        start = self.at
        if start == len(self.text):
            raise self._refused(f"Was expecting an operation {OPERATIONS} but instead got nothing.", start)
        attribute = self._value()
        negated = self._keyword("NOT")
        found = self._operation(attribute, negated)
        return ("not", found) if negated else found

    def _operation(self, attribute: str, negated: bool) -> Condition | tuple[str, Any]:
        if self._keyword("IN"):
            return Condition(attribute, "IN", tuple(self._list()))
        if self._keyword("EXISTS"):
            return Condition(attribute, "EXISTS")
        if self._keyword("STARTS") and self._keyword("WITH"):
            return Condition(attribute, "STARTS", (self._value(),))
        if not negated and self._keyword("IS"):
            negative = self._keyword("NOT")
            kind = "NULL" if self._keyword("NULL") else "EMPTY" if self._keyword("EMPTY") else ""
            if kind:
                return ("not", Condition(attribute, kind)) if negative else Condition(attribute, kind)
        self._space()
        start = self.at
        if self._keyword("CONTAINS"):
            raise self._refused(
                "Using `CONTAINS` in a filter requires enabling the `contains filter` experimental feature. "
                "See https://github.com/orgs/meilisearch/discussions/763",
                start,
                NotEnabled,
                end=start + 8,
            )
        for sign in ("!=", ">=", "<=", "=", ">", "<"):
            if self.text.startswith(sign, self.at):
                self.at += len(sign)
                return Condition(attribute, sign, (self._value(),))
        if start < len(self.text):
            low = self._value()
            if self._keyword("TO"):
                return Condition(attribute, "TO", (low, self._value()))
        raise self._refused(f"Was expecting an operation {OPERATIONS} at `{self.text[start:]}`.", start)

    def _list(self) -> list[str]:
        self._space()
        if self.text[self.at : self.at + 1] != "[":
            raise self._refused("Expected `[` after `IN` keyword.", self.at)
        self.at += 1
        values: list[str] = []
        while True:
            self._space()
            if self.text[self.at : self.at + 1] == "]":
                self.at += 1
                return values
            values.append(self._value())
            self._space()
            if self.text[self.at : self.at + 1] == ",":
                self.at += 1
            elif self.text[self.at : self.at + 1] != "]":
                raise self._refused("Expected only comma-separated field names inside `IN[..]`.", self.at)

    def _value(self) -> str:
        self._space()
        start = self.at
        quote = self.text[start : start + 1]
        if quote in ("'", '"') and quote:
            return self._quoted(quote, start)
        match = _WORD.match(self.text, start)
        if match is None:
            raise self._refused("Was expecting a value but instead got nothing.", len(self.text))
        if match[0] in KEYWORDS:
            raise self._refused(
                f"Was expecting a value but instead got `{match[0]}`, which is a reserved keyword. To use `{match[0]}` "
                "as a field name or a value, surround it by quotes.",
                start,
            )
        self.at = match.end()
        return match[0]

    def _quoted(self, quote: str, start: int) -> str:
        at = start + 1
        while at < len(self.text) and self.text[at] != quote:
            at += 2 if self.text[at] == "\\" else 1
        if at >= len(self.text):
            shown = self.text[start:].replace("\\", "\\\\").replace('"', '\\"').replace("'", "\\'")
            raise self._refused(f"Expression `{shown}` is missing the following closing delimiter: `{quote}`.", start)
        inner = self.text[start + 1 : at].replace(f"\\{quote}", quote)
        self.at = at + 1
        return _ESCAPE.sub(_unescaped, inner)

    def _keyword(self, word: str) -> bool:
        self._space()
        match = _WORD.match(self.text, self.at)
        if match is None or match[0] != word:
            return False
        self.at = match.end()
        return True

    def _space(self) -> None:
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1

    def _refused(self, message: str, start: int, kind: type[Refused] = Refused, *, end: int | None = None) -> Refused:
        last = len(self.text) if end is None else end
        return kind(f"{message}\n{start + 1}:{last + 1} {self.text}")


def _unescaped(match: re.Match[str]) -> str:
    if match[1]:
        return chr(int(match[1], 16))
    return _SIMPLE.get(match[2], match[2])
