"""The fact that a quote says: the name that answers one hop and stands in the question of the next."""

from __future__ import annotations

import re

from qx.text import quotes
from qx.text.normalise import characters_read
from qx.text.segment import HAN, is_content, words
from qx_answer import hops
from qx_answer.concepts import wordings
from qx_answer.naming import LATIN_NAME, is_ordinary
from qx_answer.shares import JOINED, prepared, share
from qx_answer.terms import terms
from qx_answer.values import Expects

_HAN_RUN = re.compile(f"[{HAN}·]{{2,}}")
_SAYS = re.compile(r"(?:是|为|叫做?|名叫|位于|坐落于|生于|出生于|出生在|毕业于|就读于|来自|在|于|由|现任|即|：|:)")
_ENDS = re.compile(
    "授课|任教|执教|教授|教练|老师|的|了|和|与|及|并|是|为|由|在|于|于是|创[办立建作]|执导|编导|担任|撰写|创作|写[成的了]?|导演|发明|设计|建造|开发|研发|推出|出品|运营|制[造作]|研制|"
    "主演|出[版生品]|成立|毕业|就读|一[家所位座部个]|著名|[，。；、！？,;]"
)
_CLAUSE = re.compile(r"[^,，;；]+")
_LED = 4
"""Characters by which a name after 是, 由 or the like counts as nearer."""
_YEARS = re.compile(r"\b\d{4}\b|\d{1,4}\s*年(?:\d{1,2}月)?(?:\d{1,2}日)?")
_NUMBERS = re.compile(r"\d[\d,.]*(?:\s?(?:%|[a-zA-Z]+|[万亿千百]?[人米元个公里岁天年]*))?")


def fact(question: str, quote: str, expects: Expects, title: str = "") -> str:
    """Return the thing that ``quote`` gives as the answer to ``question``; empty where no rule can tell.

    It is a name that the question does not have, the nearest to what the question speaks of; where the quote has none, and
    so speaks of what its document is about, that one's title.
    """
    if expects == "time" and (found := _YEARS.search(quote)):
        return found[0].strip()
    if expects == "number" and (found := _NUMBERS.search(quote)):
        return found[0].strip()
    quote, written = characters_read(quote), quote
    asked = prepared(question)
    new = [
        one for one in _candidates(quote) if not _is_in(one[1], asked.folded) and not _is_asked(one[1], asked.folded)
    ]
    if not new:
        return title if title and len(title) <= 60 and not _is_in(title, asked.folded) else ""
    if expects == "person":  # the anthem has a title, who composed it a name
        quoted = {(phrase.start, quote[phrase.start : phrase.end]) for phrase in quotes.phrases(quote)}
        new = [one for one in new if one not in quoted] or new
    new = _in_its_clause(question, quote, new)
    places = _places(question, quote)
    at, name = min(new, key=lambda one: (_far(one, places) - _LED * _is_led(quote, one[0]), one[0]))
    if expects == "person" and (role := hops.role_before(name)):
        at, name = at + len(role), name[len(role) :]
    return written[at : at + len(name)] if quote.startswith(name, at) else name


def _in_its_clause(question: str, quote: str, found: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """Those of the part of a sentence that says more of the question than its other parts: 初级班由甲授课，提高班由乙授课."""
    asked = terms(question)
    scored: dict[tuple[int, int], float] = {}
    for match in _CLAUSE.finditer(quote):
        text = prepared(match[0])
        scored[match.span()] = sum(share(term, text) for term in asked)
    most = max(scored.values(), default=0.0)
    best = [span for span, score in scored.items() if score == most]
    inside = [one for one in found if len(best) == 1 and best[0][0] <= one[0] < best[0][1]]
    return inside or found


def _is_led(quote: str, at: int) -> bool:
    """Whether 是, 由 or the like stands before it."""
    return re.search(rf"{_SAYS.pattern}$", quote[max(0, at - 4) : at]) is not None


def _is_asked(text: str, folded: str) -> bool:
    """Whether a name of Han has no word but those of the question: 营地管理员, of 云杉营地的管理员."""
    found = [word.text for word in words(text) if word.content]
    return text[:1] > "\u3000" and len(found) > 1 and all(word in folded for word in found)


def _is_in(text: str, folded: str) -> bool:
    return prepared(text).folded in folded


def _places(question: str, quote: str) -> list[int]:
    """Where the quote speaks of what the question asks, its names aside."""
    wanted = [term for term in terms(question) if not term.name]
    return [w.start for w in words(quote) if w.content and any(share(t, prepared(w.text)) >= JOINED for t in wanted)]


def _far(candidate: tuple[int, str], places: list[int]) -> int:
    at, text = candidate
    return min(
        (0 if at <= p <= at + len(text) else min(abs(at - p), abs(at + len(text) - p)) for p in places), default=0
    )


def _candidates(quote: str) -> list[tuple[int, str]]:
    """Names of a quote with their places."""
    found = [(phrase.start, quote[phrase.start : phrase.end]) for phrase in quotes.phrases(quote)]
    for match in LATIN_NAME.finditer(quote):
        at, text = match.start(), re.sub(r"['’]s$", "", match[0]).rstrip(".,")
        first = not quote[:at].strip() or quote[:at].rstrip()[-1:] in ".?!"
        pieces = text.split()
        if first and len(pieces) == 1 and (is_ordinary(text) or not is_content(text)):
            continue
        if first and len(pieces) > 1 and not is_content(pieces[0]):
            text = " ".join(pieces[1:])
        if is_content(text.split()[0]) or len(text.split()) > 1:
            found.append((at, text))
    return [*found, *_han(quote)]


def _han(quote: str) -> list[tuple[int, str]]:
    """Runs of Han between the words that join them: after 是, 由, 位于, and before a verb."""
    if not _HAN_RUN.search(quote):
        return []
    found: list[tuple[int, str]] = []
    at = 0
    for piece in re.split(f"({_SAYS.pattern}|{_ENDS.pattern}|《[^》]*》|[^{HAN}·])", quote):
        if piece and _is_name(piece) and not quote[at - 1 : at].isdigit():  # 12个登机口 is counted, not named
            found.append((at, piece))
        at += len(piece or "")
    return found


def _is_name(piece: str) -> bool:
    """Whether a run between joining words can be a name: short, Han alone, and not itself a joining word."""
    if not 2 <= len(piece) <= 12 or _HAN_RUN.fullmatch(piece) is None:
        return False
    joins = _SAYS.fullmatch(piece) is not None or _ENDS.fullmatch(piece) is not None
    found = [word.text for word in words(piece) if is_content(word.text)]
    return not joins and bool(found) and not all(wordings(word) for word in found)
