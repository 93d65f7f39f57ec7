"""Questions with a question inside: taken apart by rules, and the fact of one hop found for the next.

``Where was the author of 'Salt Harbour' born?`` is ``Who is the author of 'Salt Harbour'?`` and ``Where was {1} born?``.
Only what rules can be sure of is taken apart: a known role (author, capital, 创始人) of something that is named.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib import resources

from qx.text.normalise import characters_read
from qx.text.segment import words
from qx_answer import comparing
from qx_answer.expects import expects
from qx_answer.values import Part, Plan

MOST = 4
"""Hops of one question."""
_HAN = re.compile(r"[\u4e00-\u9fff]")


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


_PERSONAL = (
    r"(?:(?:phone|telephone|mobile|office)\s+)?number|(?:tele)?phone|e-?mail|(?:office|room|extension)(?:\s+number)?|address|birthday|birthplace"
    r"|date\s+of\s+birth|home\s*town|nationality|age|profession|job|wife|husband|children"
)
"""What is told of a person by name: who asks for the warden's phone number first needs to know who that is."""


@cache
def _people() -> re.Pattern[str]:
    """What a person of Chinese is called before the name: 作曲家, 店长."""
    found = [role for role in _roles()[1].split("|") if len(role) > 1 and expects(role) == "person"]
    return re.compile(rf"(?:{'|'.join(found)})(?=[\u4e00-\u9fff]{{2}})")


@cache
def _of_whom() -> re.Pattern[str]:
    """Somebody told by a role at a place, and what is told of a person by name: 图书角负责人的电话."""
    found = [role for role in _roles()[1].split("|") if len(role) > 1 and expects(role) == "person"]
    personal = "(?:办公)?电话|手机|邮箱|电子邮件|生日|年龄|住址|办公室|分机|籍贯|职业"
    return re.compile(rf"(?P<who>[\u4e00-\u9fffA-Za-z0-9]{{2,12}}?(?:{'|'.join(found)}))(?=的(?:{personal}))")


def role_before(name: str) -> str:
    """Return the role that a name of Chinese begins with (作曲家 of 作曲家林安); empty: none."""
    match = _people().match(name)
    return match[0] if match is not None else ""


@cache
def _patterns() -> Mapping[str, re.Pattern[str]]:
    english, chinese = _roles()
    name = r"(?:['‘\"“][^'’\"”]{1,80}['’\"”]|\{\d\}|(?:the\s+)?[A-Z0-9][A-Za-z0-9À-ɏ.&-]*(?:\s+(?:(?:of|and|the|de|van)\s+)?[A-Z0-9][A-Za-z0-9À-ɏ.&-]*){0,8})"
    noun = rf"(?:[a-z-]+\s+){{0,2}}?(?:{english})"
    the, verb = r"\b(?:the|an?)\s+", r"(?P<verb>[a-z]+(?:\s+(?!born\b)[a-z]+){0,3}?)"
    place = r"(?P<verb>(?:was|is|were)\s+[a-z]+|[a-z]+(?:s|ed))"
    name = rf"(?:(?:the\s+)?(?:{english})\s+)?{name}"
    people = "|".join(role for role in english.split("|") if expects(role.replace("\\", "")) == "person")
    made = {
        "of": rf"{the}(?P<noun>{noun})\s+(?:of|behind|in|at)\s+(?P<name>{name})",
        "that": rf"{the}(?P<noun>{noun})\s+(?:that|which|who)\s+{verb}\s+(?P<name>{name})",
        "where": rf"{the}(?P<noun>{noun})\s+(?:where|in\s+which)\s+(?P<name>{name})\s+{place}\b",
        "whose": rf"{the}(?P<noun>{noun})\s+whose\s+(?P<role>{noun})\s+is\s+(?P<name>{name})",
        "who": r"(?<=\s)(?:the|an?)\s+(?P<noun>person|man|woman|one|volunteer|teacher|instructor|trainer|employee|member|colleague)\s+(?:who|that)\s+(?P<name>(?:[a-z]+s|[a-z]+ed)\s+(?:the\s+)?[a-z]+(?:\s+[a-z]+)?)(?=\s+[a-z]+(?:\s+from)?\s*\?*$)",
        "'s": rf"(?<![A-Za-z0-9À-ɏ.&-])(?P<name>{name})['’]s\s+(?P<noun>{noun})\b",
        "own": rf"(?P<whole>{the}(?P<noun>(?:[a-z-]+\s+){{0,2}}?(?:{people})))(?=['’]s\s+(?:{_PERSONAL})\b)",
        "of whom": rf"\b(?:{_PERSONAL})\s+of\s+(?P<whole>the\s+(?:[a-z-]+\s+){{0,2}}?(?P<noun>{people}))(?=\s*(?:[?？]|$))",
        "的": rf"^(?P<first>.{{1,40}}?)的(?P<noun>{chinese})(?P<rest>.+)$",
    }
    return {key: re.compile(pattern) for key, pattern in made.items()}


def decompose(question: str) -> Plan:
    """Return the questions that ``question`` consists of, each after those that it builds on; itself alone where it is one.

    One in Traditional characters is taken apart in Simplified ones, as the core reads it.
    """
    found = _decomposed(characters_read(question))
    return found if len(found.parts) > 1 else Plan(parts=(_part(1, question),))


def _decomposed(question: str) -> Plan:
    compared = comparing.parts(question)
    if compared:
        return Plan(parts=tuple(_part(n, text) for n, text in enumerate(compared, start=1)))
    parts: list[Part] = []
    for text in _several(question):
        if parts and (carried := _PRONOUN.sub(f"{{{len(parts)}}}", text, count=1)) != text:
            parts.append(_part(len(parts) + 1, carried))
            continue
        inner = _chinese(text) if _HAN.search(text) else _english(text)
        if len(parts) + len(inner) > MOST:
            return Plan(parts=(_part(1, question),))
        parts += [_moved(part, len(parts)) for part in inner]
    return Plan(parts=tuple(parts))


_ASKS = r"(?:what|who|when|where|which|how|why|whose|is|are|was|were|does|do|did|can|should)\b"
_ASKS_ZH = re.compile("谁|什么|哪|怎么|怎样|多少|如何|为什么|为何|几|何时|吗|多[大久长高远]")
_JOINT = re.compile(
    rf"[?？]\s*(?:and\s+)?(?=\S)|,?\s{{1,4}}and\s{{1,4}}(?={_ASKS})|[，；,;](?:以及|并且|还有|另外|而且)?|以及|还有",
    re.IGNORECASE,
)
_PRONOUN = re.compile(r"\b(?:he|she|it|they|that one)\b|[他她它]们?", re.IGNORECASE)


def _several(question: str) -> list[str]:
    """The questions that stand beside each other: ``who wrote it, and when``; each must ask something itself."""
    pieces: list[str] = []
    at = 0
    for match in _JOINT.finditer(question):
        before, after = question[at : match.start()].strip(), question[match.end() :].strip()
        if _is_asking(before) and _is_asking(after):
            pieces.append(f"{before}{match[0] if match[0].strip() in '?？' and match[0].strip() else ''}".strip())
            at = match.end()
    return [*pieces, question[at:].strip()] if pieces and len(pieces) < MOST else [question]


def _is_asking(text: str) -> bool:
    if _HAN.search(text):
        return len(text) >= 4 and _ASKS_ZH.search(text) is not None
    return len(text.split()) >= 3 and re.match(_ASKS, text, re.IGNORECASE) is not None


def _moved(part: Part, by: int) -> Part:
    """A part as it is numbered after ``by`` others."""
    if not by:
        return part
    text = re.sub(r"\{(\d)\}", lambda match: f"{{{int(match[1]) + by}}}", part.text)
    phrase = re.sub(r"\{(\d)\}", lambda match: f"{{{int(match[1]) + by}}}", part.phrase)
    return _part(int(part.id) + by, text, phrase)


def _english(question: str) -> list[Part]:
    rest, parts = question.strip(), list[Part]()
    while len(parts) < MOST - 1 and (found := _innermost(rest)) is not None:
        start, end, asked = found
        after = f"{rest[:start]}{{{len(parts) + 1}}}{rest[end:]}"
        if not _says_more(after, len(parts) + 1):
            break
        parts.append(_part(len(parts) + 1, asked, rest[start:end]))
        rest = after
    parts.append(_part(len(parts) + 1, rest))
    return parts


def _innermost(text: str) -> tuple[int, int, str] | None:
    """The last described thing whose description names something: (start, end, the question for it)."""
    found: list[tuple[int, int, str]] = []
    for key, pattern in _patterns().items():
        if key != "的":
            whole = "whole" if "whole" in pattern.groupindex else 0
            found += [(match.start(whole), match.end(whole), _asked(key, match)) for match in pattern.finditer(text)]
    return max(found, key=lambda one: one[0], default=None)


def _asked(key: str, match: re.Match[str]) -> str:
    """The question for a described thing."""
    if key in ("own", "of whom"):
        return f"Who is {match['whole']}?"
    noun, name = match["noun"], match["name"]
    if key == "who":
        return f"Who {name}?"
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
    of = _of_whom().match(rest)
    if of is not None and not _VAGUE.search(of["who"]):
        who = of["who"]
        return [_part(1, f"{who}是谁？", who), _part(2, f"{{1}}{rest[of.end('who') :]}")]
    pattern = _patterns()["的"]
    while len(parts) < MOST - 1 and (match := pattern.match(rest)) is not None:
        first, noun, tail = match["first"], match["noun"], match["rest"]
        if _VAGUE.search(first) or not _telling(first) or _COPULA.match(tail) or _cuts_a_word(rest, match.end("noun")):
            break
        number = len(parts) + 1
        asked = f"{first}的{noun}{'是谁' if expects(noun) == 'person' else '是什么'}？"
        parts.append(_part(number, asked, f"{first}的{noun}"))
        rest = f"{{{number}}}{tail}"
    parts.append(_part(len(parts) + 1, rest))
    return parts


def _cuts_a_word(text: str, at: int) -> bool:
    """Whether a place is within a word: the 岛 of 岛主 is no island, the 书 of 书店 no book."""
    return any(word.start < at < word.end for word in words(text))


def _telling(first: str) -> bool:
    """Whether what stands before 的 names something: a title, Latin letters, an earlier hop, or a name of two characters."""
    return bool(re.search(r"[《「“\"'{]|[A-Za-z0-9]", first)) or len(first) >= 2


def _part(number: int, text: str, phrase: str = "") -> Part:
    needs = tuple(re.findall(r"\{(\d)\}", text))
    return Part(id=str(number), text=text, expects=expects(text), needs=needs, phrase=phrase)
