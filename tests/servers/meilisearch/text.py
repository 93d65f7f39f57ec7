"""Words as Meilisearch sees them, and a query text read as it reads one."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field

import rjieba

HAN = "\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_TOKEN = re.compile(
    rf"(?P<han>[{HAN}]+)|(?P<word>(?:[^\W_{HAN}])+)|(?P<emoji>[\U0001f000-\U0001ffff])|(?P<other>.)", re.S
)
LONGEST = 250
TEN = 10


def fold(text: str) -> str:
    """Return ``text`` without case, width and accents."""
    plain = unicodedata.normalize("NFKD", text)
    return "".join(c for c in plain if not unicodedata.combining(c)).lower()


def lexed(text: str) -> list[tuple[bool, str]]:
    """Return the tokens of ``text``: whether each is a word, and its form."""
    found: list[tuple[bool, str]] = []
    for match in _TOKEN.finditer(fold(text)):
        if match.lastgroup == "han":
            found += [(True, word) for word in rjieba.cut(match[0], False)]
        else:
            found.append((match.lastgroup != "other", match[0]))
    return found


def words(text: str) -> list[str]:
    """Return the words of ``text``; too long ones are not indexed."""
    return [word for is_word, word in lexed(text) if is_word and len(word.encode()) <= LONGEST]


@dataclass
class Term:
    """``words``: one, or those of a phrase.  ``prefix``: it may begin a longer word."""

    words: tuple[str, ...]
    phrase: bool = False
    prefix: bool = False


@dataclass
class QueryText:
    terms: list[Term] = field(default_factory=list)
    excluded: list[Term] = field(default_factory=list)


def read(text: str) -> QueryText:
    """Read a query text: phrases in quotes, ``-`` excludes, the last word is a prefix, ten terms count."""
    found, tokens = QueryText(), lexed(text)[:1000]
    phrase: list[str] | None = None
    excludes, excludes_phrase, after_space = False, False, True

    def close() -> None:
        if phrase:
            into = found.excluded if excludes_phrase else found.terms
            into.append(Term(tuple(phrase), phrase=True))

    for place, (is_word, form) in enumerate(tokens):
        if len(found.terms) >= TEN:
            return found
        if is_word:
            if phrase is not None:
                phrase.append(form)
            elif excludes:
                found.excluded.append(Term((form,)))
                excludes = False
            else:
                found.terms.append(Term((form,), prefix=place == len(tokens) - 1))
        else:
            if form == '"':
                if phrase is not None:
                    close()
                    phrase, excludes_phrase = None, False
                else:
                    phrase, excludes_phrase = [], excludes
            excludes = phrase is None and form == "-" and after_space
        after_space = form[-1:].isspace()
    close()
    return found
