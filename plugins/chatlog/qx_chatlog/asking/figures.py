"""The last or first figure that somebody named: 和老王争论预算时他最后妥协的数字, "Ben's final price for the rent".

Without a name it is anybody's: 预算最后定了多少.
"""

from __future__ import annotations

import re
from collections import Counter
from datetime import UTC, datetime
from typing import Final

from qx.text import numerals, times
from qx_chatlog.asking import wording
from qx_chatlog.asking.question import Question
from qx_chatlog.log import Ask, Log, touches
from qx_chatlog.message import Message
from qx_chatlog.store import Filters
from qx_chatlog.when import When

_DEALING = """
定 定下 定下来 敲定 说定 谈定 谈成 谈妥 成交 拍板 成 下来 争论 争 争执 吵 吵架 争吵 谈判 谈价 砍价 还价 讨价还价 杀价 妥协 让步 松口 同意 答应 接受 报价 出价 开价 给出 让到 退到 底线 最终
argue argued arguing argument haggle haggled haggling negotiate negotiated negotiating negotiation bargain bargained settle settled settling
concede conceded compromise compromised agree agreed accept accepted offer offered final price figure amount end gave give bid name named quote
quoted finally
"""
DEALING: Final = frozenset(_DEALING.split())
"""Words of dealing, which those who deal do not say."""
_SETTLED = re.compile(
    r"定(?:了|下来?|在|成|为|的)|[卖花付](?:了|掉)?多少|敲定|说定|谈(?:成|妥|定|拢|到)|成交|拍板"
    r"|\b(?:settled?|agreed?|end(?:ed)? up|s[eo]ld? for|pa(?:y|id) for|closed? (?:at|on)|final (?:price|figure|amount|number|offer))\b",
    re.IGNORECASE,
)
"""A question for what came out of dealing, whoever dealt."""
_CLOCK = re.compile(
    r"[0-9一二三四五六七八九十两]{1,3}\s?(?:[点點时](?:半|整|钟|[0-9]{1,2}分?)?(?![0-9万千百元块])|:[0-9]{2}|[号號日月](?![码碼]))"
    r"|(?:周|星期|礼拜)[一二三四五六]|\b[0-9]{1,2}(?:st|nd|rd|th|\s?[ap]\.?m)\b"
    r"|\bat (?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b",
    re.IGNORECASE,
)
"""Times of day and dates, as they stand in any sentence."""
_POOL: Final = 50
_MOST: Final = 0.75
"""Of the most topic words that one conversation holds."""
_THEN: Final = datetime(2025, 6, 15, 12, tzinfo=UTC)
"""Any moment: where times stand in a text hangs on none."""


def whose(question: Question) -> str | None:
    """Return the person whose last or first number is asked for; empty: anybody's; None: the question is another one."""
    if question.wants != "number" or question.order == "relevance":
        return None
    if not question.people:
        return "" if _SETTLED.search(question.text) and topic(question) and not question.stranger else None
    if question.spoken_by or len(question.people) == 1:
        return question.spoken_by or question.people[0]
    chosen = (wording.OLDEST if question.order == "oldest" else wording.NEWEST).search(question.text)
    before = question.text[: chosen.start()] if chosen else question.text
    return max(question.people, key=lambda name: before.rfind(name.split()[0]))


def topic(question: Question) -> list[str]:
    """Return the words that say what it was about, without people, talk and dealing."""
    names = {part.casefold() for name in question.people for part in (name, *name.split())}
    passed = DEALING | wording.TALK
    words = [word.removesuffix("'s").removesuffix("’s") for word in question.searched.split()]
    return [word for word in words if word.casefold() not in passed and word.casefold() not in names]


async def read(log: Log, question: Question, who: str, when: When) -> tuple[Message, ...]:
    """Return what ``who`` (empty: anybody) says with a figure in it where everybody named speaks, as it is ordered.

    Only conversations count that hold the topic, whoever names it in them; no figure is a time of day or a date.  Of
    anybody's figures those go first of the conversation that names most: it is where they were dealt out.
    """
    about = topic(question)
    sessions = await _sessions(log, question, about, when) if about else ()
    if about and not sessions:
        return ()
    filters = Filters(speakers=(who,) if who else (), participants=question.people, sessions=sessions)
    outcome = await log.search(Ask(when=when, filters=filters, limit=_POOL, order=question.order))
    found = [one.message for one in outcome.hits if is_figure(one.message.searched)]
    if not who:
        named = Counter(one.session for one in found)
        found.sort(key=lambda one: -named[one.session])
    return tuple(found)


def is_figure(text: str) -> bool:
    """Whether ``text`` names a figure other than a time, and other than the 一 of 让一步 or the "one" of "this one"."""
    folded = numerals.fold_width(text)
    for one in reversed(times.find(folded, now=_THEN, zone=UTC)):
        folded = f"{folded[: one.start]} {folded[one.end :]}"
    folded = _CLOCK.sub(" ", folded)
    return any(folded[one.start : one.end].casefold() not in ("一", "one") for one in numerals.numbers(folded))


async def _sessions(log: Log, question: Question, about: list[str], when: When) -> tuple[str, ...]:
    """The conversations of everybody named that hold most of the topic."""
    filters = Filters(participants=question.people)
    held: dict[str, set[str]] = {}
    for word in about:
        outcome = await log.search(Ask(text=word, how="keyword", when=when, filters=filters, limit=_POOL))
        for hit in outcome.hits:
            if touches([word], hit.message):
                held.setdefault(hit.message.session, set()).add(word)
    most = max(map(len, held.values()), default=0)
    return tuple(session for session, words in held.items() if len(words) >= _MOST * most)
