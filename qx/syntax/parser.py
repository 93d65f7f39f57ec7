"""Text -> expression.

::

    expression  = alternative { [ AND ] alternative }       AND before words that belong to different places
    alternative = operand { OR operand }                    OR binds its neighbours: "flights paris OR london"
    operand     = ( "-" | NOT ) operand | "(" expression ")" | field ":" operand | phrase | word | site | …

An operator without something to work on (``AND`` alone, a last ``OR``) is a word.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from qx.syntax.lexer import FIELDS, Token, tokens
from qx.syntax.tree import (
    NOTHING,
    Expression,
    FileType,
    Phrase,
    Range,
    Site,
    Terms,
    conjunction,
    disjunction,
    negation,
    within,
)
from qx.text.remembered import ENTRIES, LONGEST_REMEMBERED


def parse(text: str, *, fields: Iterable[str] = ()) -> Expression:
    """Read a query with web syntax.  Never raises; linear time.

    Args:
        text: What a person typed.
        fields: Names beside ``intitle`` and ``author`` that may stand before a colon (``brand:apple``).
    """
    names = FIELDS.union([name.casefold() for name in fields])
    return _remembered(text, names) if len(text) <= LONGEST_REMEMBERED else _parsed(text, names)


def _parsed(text: str, names: frozenset[str]) -> Expression:
    return _Parser(tokens(text, names)).expression()


_remembered = lru_cache(maxsize=ENTRIES)(_parsed)
"""One request has the same few texts parsed for each engine, and by rules, guard and reranker."""


def lexical(text: str) -> Terms:
    """Return the words of text that is no syntax, whatever it looks like: generated text, the words of a page."""
    return Terms(words=tuple(text.split()))


class _Parser:
    def __init__(self, found: list[Token]) -> None:
        self.tokens = found
        self.at = 0

    def expression(self) -> Expression:
        """Read up to the end of the group."""
        parts: list[Expression] = []
        words: list[str] = []

        def flush() -> None:
            if words:
                parts.append(Terms(words=tuple(words)))
                words.clear()

        while (token := self._peek()) is not None and token.kind != "close":
            if self._is("AND") and (parts or words) and self._operand_follows(1):
                self.at += 1
                flush()
            found = self._alternative()
            if isinstance(found, Terms):
                words += found.words
            else:
                flush()
                parts.append(found)
        flush()
        return conjunction(parts)

    def _alternative(self) -> Expression:
        parts = [self._operand()]
        while self._is("OR") and self._operand_follows(1):
            self.at += 1
            parts.append(self._operand())
        return disjunction(parts)

    def _operand(self) -> Expression:
        excluded = False
        while (token := self.tokens[self.at]).kind == "minus" or (self._is("NOT") and self._operand_follows(1)):
            excluded = not excluded
            self.at += 1
            if token.kind == "minus" and self.tokens[self.at].kind == "word":
                break  # "-NOT" excludes a word
        found = self._atom()
        return negation(found) if excluded else found

    def _atom(self) -> Expression:
        token = self.tokens[self.at]
        self.at += 1
        if token.kind == "open":
            inner = self.expression()
            self.at += 1  # the lexer pairs parentheses; past the last token where the clauses ran out
            return inner
        if token.kind == "field":
            return within(token.text, self._atom()) if self.at < len(self.tokens) else NOTHING
        if token.kind == "phrase":
            return Phrase(text=token.text)
        if token.kind == "site":
            host, slash, path = token.text.partition("/")
            return Site(host=host.casefold() + slash + path)
        if token.kind == "filetype":
            return FileType(extension=token.text)
        return _range(token) if token.kind == "range" else Terms(words=(token.text,))

    def _peek(self) -> Token | None:
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def _is(self, operator: str) -> bool:
        token = self._peek()
        return token is not None and token.kind == "word" and token.text == operator

    def _operand_follows(self, ahead: int) -> bool:
        """Whether what comes next is something to work on, not the end or another operator."""
        at = self.at + ahead
        if at >= len(self.tokens) or self.tokens[at].kind == "close":
            return False
        return self.tokens[at].kind != "word" or self.tokens[at].text not in ("AND", "OR")


def _range(token: Token) -> Range:
    if token.text:
        return Range(field=token.text, low=_end(token.low), high=_end(token.high))
    return Range(
        field="published",
        low=_end(token.low, dated=True),
        high=_end(token.high, dated=True),
        exclusive=token.high is not None,
    )


def _end(text: str | None, *, dated: bool = False) -> int | float | str | None:
    """Return a number, or a date as ISO; four digits alone are a number unless the field is a date's."""
    if text is None:
        return None
    if dated or "/" in text or "-" in text[1:]:
        return "-".join(part.zfill(2) for part in text.replace("/", "-").split("-"))
    return float(text) if "." in text else int(text)
