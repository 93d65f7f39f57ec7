"""Words of two languages that mean the same, for telling a repeated search: 教程, tutorial and guide are one concept."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib import resources

from qx.text.normalise import fold, simplified
from qx.text.segment import comparable
from qx_answer.listed import rows


def concept(word: str) -> str:
    """Return the concept that ``word`` stands for; of a word that no list has, the form in which words are compared."""
    return _group(word) or comparable(word)


def wordings(word: str) -> tuple[str, ...]:
    """Return the other words of the concept of ``word``, in both languages; none where no list has it."""
    group = _group(word)
    return () if group is None else _groups()[1][group]


def _group(word: str) -> str | None:
    """As it is written before by its stem: a building is no form of "build"."""
    of = _groups()[0]
    return of.get(word.casefold()) or of.get(comparable(word))


def taken_out(text: str) -> tuple[dict[str, str], str]:
    """Return the concepts that several words of ``text`` name together (``due date``, 截止日期), and the text without them.

    Returns:
        Concept -> how the text names it, and the rest.
    """
    found: dict[str, str] = {}

    def keep(match: re.Match[str]) -> str:
        several = _phrases()[1]
        found[several.get(match[0]) or several[match[0].removesuffix("s")]] = match[0]
        return " "

    rest = _phrases()[0].sub(keep, simplified(fold(text)))
    return found, rest


@cache
def _phrases() -> tuple[re.Pattern[str], dict[str, str]]:
    of = {simplified(fold(word)): name for name, listed in _groups()[1].items() for word in listed}
    several = {word: name for word, name in of.items() if " " in word or (not word.isascii() and len(word) > 2)}
    listed = sorted(several, key=lambda word: -len(word))
    return re.compile("|".join(rf"\b{re.escape(w)}s?\b" if w.isascii() else re.escape(w) for w in listed)), several


def across(word: str, language: str) -> str | None:
    """Return the first word for ``word`` in ``language`` (``zh``, ``en``); None where no list has one."""
    return next((one for one in wordings(word) if one.isascii() is (language == "en")), None)


def forms(word: str) -> tuple[str, ...]:
    """Return the forms of an English verb that no stem brings together (grow, grew, grown); none of another word."""
    return _verbs().get(word.casefold(), ())


@cache
def _verbs() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for line in _lines("verbs"):
        listed = tuple(line.split())  # a form may be one of two verbs: lay
        for form in listed:
            found[form] = (*found.get(form, ()), *listed)
    return found


def _lines(name: str) -> Iterator[str]:
    text = resources.files("qx_answer").joinpath(f"data/{name}.txt").read_text("utf-8")
    return (line for line in text.splitlines() if line.strip() and not line.startswith("#"))


@cache
def _groups() -> tuple[dict[str, str], dict[str, tuple[str, ...]]]:
    """(word, and form in which words are compared -> concept; concept -> wordings)"""
    of: dict[str, str] = {}
    members: dict[str, tuple[str, ...]] = {}
    for _, (listed,) in rows("concepts"):
        members[listed[0]] = listed
        for word in listed:
            of.setdefault(word.casefold(), listed[0])
    for name, listed in members.items():
        for word in listed:
            of.setdefault(comparable(word), name)
    return of, members
