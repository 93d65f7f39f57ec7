"""Claims with the message that bears each out, checked: the message was read, the quotation is in it, it says as much."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from qx.model import Model
from qx.serial import value
from qx.text import negation, numerals, quotes
from qx.text.normalise import fold
from qx_chatlog.asking.wording import certainty
from qx_chatlog.message import Message

Verdict = Literal["supported", "overstated", "unsupported", "quote-not-found", "unknown-message"]
_LEAST = 2
"""Letters and digits of a quotation; fewer are in every message."""
_WORDS = re.compile(r"[A-Za-z0-9㐀-鿿]")


class Claim(Model):
    """One statement of an answer and what bears it out.

    Attributes:
        message_id: The message that it cites.
        quote: Its words.
        start, end: Where they stand in the message's content: code points, end exclusive; null: nowhere.
        verdict: ``supported``; ``overstated``: the message says it less surely (可能 is not 必须); ``unsupported``: its
            numbers or negations are others; ``quote-not-found``; ``unknown-message``: it was not among those read.
    """

    statement: str
    message_id: str
    quote: str
    start: int | None = None
    end: int | None = None
    verdict: Verdict = "supported"


@value
class Draft:
    """A claim as a model makes it."""

    statement: str
    message_id: str
    quote: str


def verified(drafts: Iterable[Draft], messages: Mapping[str, Message]) -> tuple[Claim, ...]:
    """Check claims against the messages that were read.

    A quotation that stands word for word in another message that was read is cited from there.

    Args:
        messages: By id; nothing else can be cited.
    """
    return tuple(_checked(draft, messages) for draft in drafts)


def quoted(message: Message, quote: str | None = None, statement: str = "") -> Claim:
    """Return a claim that is a message's own words."""
    said = message.content if quote is None else quote
    start = message.content.find(said)
    return Claim(statement=statement or said, message_id=message.id, quote=said, start=start, end=start + len(said))


def _checked(draft: Draft, messages: Mapping[str, Message]) -> Claim:
    plain = Claim(statement=draft.statement, message_id=draft.message_id, quote=draft.quote)
    cited = messages.get(draft.message_id)
    if len(_WORDS.findall(draft.quote)) < _LEAST:
        return _judged(plain, "unknown-message" if cited is None else "quote-not-found")
    others = [one for one in messages.values() if one is not cited]
    for message in ([cited] if cited is not None else []) + others:
        place = quotes.locate(draft.quote, message.content)
        if place is not None:
            return _found(draft, message, place.start, place.end)
    return _judged(plain, "unknown-message" if cited is None else "quote-not-found")


def _found(draft: Draft, message: Message, start: int, end: int) -> Claim:
    said = message.content[start:end]
    claim = Claim(statement=draft.statement, message_id=message.id, quote=said, start=start, end=end)
    if not _numbers_hold(draft.statement, message) or _turned(draft.statement, said):
        return _judged(claim, "unsupported")
    if _surer(draft.statement, said):
        return _judged(claim, "overstated")
    return claim


def _judged(claim: Claim, verdict: Verdict) -> Claim:
    return claim.model_copy(update={"verdict": verdict})


def _numbers_hold(statement: str, message: Message) -> bool:
    """Whether every number of ``statement`` is in the message, or in the day and the hour that it was sent."""
    known = _numbers(message.searched)
    sent = message.local_time
    known |= {float(part) for part in (sent.year, sent.month, sent.day, sent.hour, sent.minute)}
    known |= {float(part) for part in (message.time.month, message.time.day, message.time.hour)}
    return _numbers(statement) <= known


def _numbers(text: str) -> set[float]:
    """The numbers of ``text`` that are written in digits; 一下 and 一起 count nothing."""
    folded = numerals.fold_width(text)
    return {
        bound
        for one in numerals.numbers(folded)
        if any(c.isdecimal() for c in folded[one.start : one.end]) or one.high > 10
        for bound in (one.low, one.high)
    }


def _turned(statement: str, quote: str) -> bool:
    """Whether one of the two denies what the other says: the target of a negation stands in the other undenied."""
    return _denies(statement, quote) or _denies(quote, statement)


def _denies(one: str, other: str) -> bool:
    targets = [fold(found.target) for found in negation.find(one) if len(found.target) > 1]
    denied = [fold(found.target) for found in negation.find(other)]
    folded = fold(other)
    return any(target in folded and not any(target in no or no in target for no in denied) for target in targets)


def _surer(statement: str, quote: str) -> bool:
    """Whether ``statement`` is surer than ``quote``: what may be is not what is, and still less what must be."""
    said, claimed = certainty(quote), certainty(statement)
    return (said == "possible" and claimed != "possible") or (claimed == "certain" and said != "certain")


def supported(claims: Sequence[Claim]) -> tuple[Claim, ...]:
    """Return those that hold."""
    return tuple(claim for claim in claims if claim.verdict == "supported")
