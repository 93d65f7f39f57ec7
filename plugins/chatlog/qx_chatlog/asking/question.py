"""A question about a log, read by rules: its time, people, role, words, which end, what it wants to hear."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from qx.serial import value
from qx.text import language, quotes, segment, times
from qx.types import Turn
from qx_chatlog import when
from qx_chatlog.asking import references, strangers, wording
from qx_chatlog.index.speakers import named
from qx_chatlog.log import Log
from qx_chatlog.store import Order
from qx_chatlog.when import When

Need = Literal["yes", "no", "unsure"]
SpokenBy = Literal["user", "assistant"]
_POINTED = re.compile(r"^(?:那|这|哪)(?:个|本|家|件|次|位|部|款|种|首|条|篇|场|些|张|份|台|只|座)(?=.)")
"""那本 of 那本书."""


@value
class Question:
    """What a question asks of a log.

    Attributes:
        text: As it was asked.
        keywords: The words to look for, as they stand in the question.
        resolved: Words that the current conversation gives for ``他说的那个方法`` or ``苹果``.
        when: The time that it names.
        order: Which end it chooses: 最后, 第一次.
        wants: What it wants to hear.
        role: Whose words lead to the place: the asker's own, or those of who answers.
        answered_by: Whose words answer it, where it says so.
        then: It asks what came after.
        people: Speakers of the log that it names.
        spoken_by: The one of them whose words are meant.
        stranger: Whose words it asks for who does not speak in the log.
        need: Whether the log is needed to answer it at all.
        chinese: Whether its language is Chinese.
    """

    text: str
    keywords: tuple[str, ...] = ()
    resolved: tuple[str, ...] = ()
    when: When = When()
    order: Order = "relevance"
    wants: wording.Wanted | None = None
    role: SpokenBy | None = None
    answered_by: SpokenBy | None = None
    then: bool = False
    people: tuple[str, ...] = ()
    spoken_by: str = ""
    stranger: str = ""
    need: Need = "unsure"
    chinese: bool = False

    @property
    def sought(self) -> str:
        """What the store is given: of an English question all of it, since the store knows which words say little."""
        if self.chinese or not self.keywords:
            return self.searched
        return " ".join((self.text, *self.resolved))

    @property
    def searched(self) -> str:
        """The words to search with."""
        return " ".join(dict.fromkeys((*self.keywords, *self.resolved)))


def read(text: str, log: Log, *, speakers: Sequence[str] = (), history: Sequence[Turn] = ()) -> Question:
    """Read ``text`` by rules.

    Args:
        log: Whose now and zone its times are read by.
        speakers: Names that speak in the log.
        history: The current conversation, oldest first.
    """
    asked = when.mentioned(text, now=log.now, zone=log.zone)
    people = named(text, speakers)
    order = _order(text, asked)
    then = wording.THEN.search(text) is not None
    own, others = wording.OWN.search(text) is not None, wording.OTHERS.search(text) is not None
    keywords = _keywords(text, log, people)
    return Question(
        text=text,
        keywords=keywords,
        resolved=references.resolved(text, keywords, history, speakers),
        when=asked,
        order=order,
        wants=wording.wanted(text),
        role="user" if own else None,
        answered_by="assistant" if others else None,
        then=then,
        people=people,
        spoken_by=next((name for name in people if _speaks(text, name)), ""),
        stranger="" if people else strangers.stranger(text, speakers),
        need=_need(text, asked, people, own=own or others),
        chinese=language.identify(text).startswith("zh"),
    )


_SAYS = r"[^，。,.?!？！]{0,8}?(?:说|提|讲|答|回复|建议|推荐|告诉|认为|觉得|妥协|答应)"
_SAID = (
    r"(?:'s)?(?: \w+){0,2} (?:say|said|says|mention(?:ed)?|tell|told|suggest(?:ed)?|recommend(?:ed)?|think|thought|promised?"
    r"|agreed?|offer(?:ed)?|wanted?|answer(?:ed)?|repl(?:y|ied))"
)


def _speaks(text: str, name: str) -> bool:
    """Whether ``text`` asks for the words of ``name``."""
    forms = {name, name.split()[0]} if name else set[str]()
    return any(re.search(re.escape(form) + (_SAID if form.isascii() else _SAYS), text, re.IGNORECASE) for form in forms)


def _order(text: str, asked: When) -> Order:
    """The end that a question chooses; "last Wednesday" chooses a day and no end."""
    rest = text.replace(asked.said, " ") if asked.said and asked.spans else text
    if wording.OLDEST.search(rest):
        return "oldest"
    newest = wording.NEWEST.search(rest) is not None or asked.newest
    return "newest" if newest else "relevance"


def _keywords(text: str, log: Log, people: Sequence[str]) -> tuple[str, ...]:
    """The content words, without times and words of asking; what is quoted stays whole."""
    rest = text
    for one in times.find(text, now=log.now, zone=log.zone):
        rest = rest.replace(one.text, " ")
    rest = wording.ASKING.sub(" ", rest)
    for name in people:
        if not name.isascii():  # else it would be cut into words of its own: 孙 and 姐
            rest = rest.replace(name, " ")
    quoted = tuple(phrase.text for phrase in quotes.phrases(text))
    cut = [_POINTED.sub("", word) for word in segment.keywords(rest)]
    words = [word for word in cut if word and word.casefold() not in wording.TALK]
    words = [word for word in words if word not in wording.LIGHT] or words
    kept = tuple(dict.fromkeys((*quoted, *words)))
    return kept or tuple(people) or quoted


def _need(text: str, asked: When, people: Sequence[str], *, own: bool) -> Need:
    if wording.NO_NEED.fullmatch(text) and not wording.EARLIER.search(text):
        return "no"
    if own or people or asked.spans or wording.EARLIER.search(text):
        return "yes"
    return "unsure"
