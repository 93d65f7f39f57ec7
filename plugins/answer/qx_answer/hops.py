"""Questions with a question inside: taken apart by rules, and the fact of one hop found for the next.

``Where was the author of 'Salt Harbour' born?`` is ``Who is the author of 'Salt Harbour'?`` and ``Where was {1} born?``.
Only what rules can be sure of is taken apart: a known role (author, capital, 创始人) of something that is named.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib import resources

from qx_answer.expects import expects
from qx_answer.values import Part, Plan

MOST = 4
"""Hops of one question."""


@cache
def _roles() -> tuple[str, str]:
    """Alternatives of a regular expression: roles and kinds of things, in English and in Chinese, the longest first."""
    text = resources.files("qx_answer").joinpath("data/roles.txt").read_text("utf-8")
    listed = [word.strip() for line in text.splitlines() if not line.startswith("#") for word in line.split(",")]
    found = sorted({word for word in listed if word}, key=lambda word: -len(word))
    return (
        "|".join(re.escape(word) for word in found if word.isascii()),
        "|".join(re.escape(word) for word in found if not word.isascii()),
    )


@cache
def _patterns() -> Mapping[str, re.Pattern[str]]:
    english, chinese = _roles()
    name = r"(?:['‘\"“][^'’\"”]{1,80}['’\"”]|\{\d\}|(?:the\s+)?[A-Z0-9][\w.&-]*(?:\s+(?:(?:of|and|the|de|van)\s+)?[A-Z0-9][\w.&-]*)*)"
    noun = rf"(?:[a-z-]+\s+){{0,2}}?(?:{english})"
    the, verb = r"\b(?:the|an?)\s+", r"(?P<verb>[a-z]+(?:\s+(?!born\b)[a-z]+){0,3}?)"
    place = r"(?P<verb>(?:was|is|were)\s+[a-z]+|[a-z]+(?:s|ed))"
    made = {
        "of": rf"{the}(?P<noun>{noun})\s+(?:of|behind|in|at)\s+(?P<name>{name})",
        "that": rf"{the}(?P<noun>{noun})\s+(?:that|which|who)\s+{verb}\s+(?P<name>{name})",
        "where": rf"{the}(?P<noun>{noun})\s+(?:where|in\s+which)\s+(?P<name>{name})\s+{place}\b",
        "whose": rf"{the}(?P<noun>{noun})\s+whose\s+(?P<role>{noun})\s+is\s+(?P<name>{name})",
        "'s": rf"(?P<name>{name})['’]s\s+(?P<noun>{noun})\b",
        "的": rf"^(?P<first>.{{1,40}}?)的(?P<noun>{chinese})(?P<rest>.+)$",
    }
    return {key: re.compile(pattern) for key, pattern in made.items()}


def decompose(question: str) -> Plan:
    """Return the questions that ``question`` consists of, each after those that it builds on; itself alone where it is one."""
    parts = _chinese(question) if re.search(r"[\u4e00-\u9fff]", question) else _english(question)
    return Plan(parts=tuple(parts))


def _english(question: str) -> list[Part]:
    rest, parts = question.strip(), list[Part]()
    while len(parts) < MOST - 1 and (found := _innermost(rest)) is not None:
        start, end, asked = found
        after = f"{rest[:start]}{{{len(parts) + 1}}}{rest[end:]}"
        if not _says_more(after, len(parts) + 1):
            break
        parts.append(_part(len(parts) + 1, asked))
        rest = after
    parts.append(_part(len(parts) + 1, rest))
    return parts


def _innermost(text: str) -> tuple[int, int, str] | None:
    """The last described thing whose description names something: (start, end, the question for it)."""
    found: list[tuple[int, int, str]] = []
    for key, pattern in _patterns().items():
        if key != "的":
            found += [(match.start(), match.end(), _asked(key, match)) for match in pattern.finditer(text)]
    return max(found, key=lambda one: one[0], default=None)


def _asked(key: str, match: re.Match[str]) -> str:
    """The question for a described thing."""
    noun, name = match["noun"], match["name"]
    if key == "that":
        return f"Which {noun} {match['verb']} {name}?"
    if key == "where":
        be, _, participle = match["verb"].partition(" ")
        return (
            f"In which {noun} {be} {name} {participle}?" if participle else f"In which {noun} {name} {match['verb']}?"
        )
    if key == "whose":
        return f"Which {noun} has {name} as {match['role']}?"
    return f"{_asking(noun)} is {match[0]}?"


def _asking(noun: str) -> str:
    return "Who" if expects(noun) == "person" else "What"


_FRAME = re.compile(r"\b(?:who|what|which|is|was|are|were|the|name|of|tell|me|called)\b|[?.,!\s]", re.IGNORECASE)


def _says_more(question: str, number: int) -> bool:
    """Whether something is asked of ``{number}`` beyond what it is."""
    return bool(_FRAME.sub("", question.replace(f"{{{number}}}", "")))


_COPULA = re.compile(
    r"^(?:名字|姓名)?(?:是|叫|为|在|位于)?(?:谁|什么|哪一?[里儿个位座所]?(?:城市|地方|国家|省|市|人)?|何人|何处|几|叫什么|名字)?[?？。\s]*$"
)
_VAGUE = re.compile(r"^(?:最|怎么|什么|哪|这|那|我|你|他|她|它|如何|为什么|新|好)|[，,。；;]")


def _chinese(question: str) -> list[Part]:
    rest, parts = question.strip(), list[Part]()
    pattern = _patterns()["的"]
    while len(parts) < MOST - 1 and (match := pattern.match(rest)) is not None:
        first, noun, tail = match["first"], match["noun"], match["rest"]
        if _VAGUE.search(first) or not _telling(first) or _COPULA.match(tail):
            break
        number = len(parts) + 1
        asked = f"{first}的{noun}{'是谁' if expects(noun) == 'person' else '是什么'}？"
        parts.append(_part(number, asked))
        rest = f"{{{number}}}{tail}"
    parts.append(_part(len(parts) + 1, rest))
    return parts


def _telling(first: str) -> bool:
    """Whether what stands before 的 names something: a title, Latin letters, an earlier hop, or a name of two characters."""
    return bool(re.search(r"[《「“\"'{]|[A-Za-z0-9]", first)) or len(first) >= 2


def _part(number: int, text: str) -> Part:
    return Part(id=str(number), text=text, expects=expects(text), needs=tuple(re.findall(r"\{(\d)\}", text)))
