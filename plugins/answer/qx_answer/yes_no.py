"""What says neither yes nor no: a price or opening hours, to whoever asks whether a thing can be done.

"The deposit is 150 EUR" names the deposit, and tells nobody whether he has it back.
"""

from __future__ import annotations

import re

from qx.text.normalise import characters_read, fold
from qx_answer import days, moments
from qx_answer.expects import expects, is_whether
from qx_answer.kinds import denies, tells_price
from qx_answer.permissions import allows_or_forbids

_OF_MONEY = re.compile(
    r"\b(?:free|pay|paid|cost|costs|price|prices|charges?|charged|fees?|cheap|cheaper|expensive|extra|included?|includes|money|discounts?|"
    r"rent|hire|buy|order|tickets?)\b"
    r"|免|收费|付费|付款|付钱|花钱|要钱|费用|贵|便宜|价|另收|另付|包含|包括|含|优惠|打折|折扣|租(?!金|客|户)|买|订购",
    re.IGNORECASE,
)
"""To these a price says yes or no: what has one can be had."""
_OF_TIME = re.compile(
    r"\b(?:open|opens|close|closed|closes|shut|hours?|start|starts|begin|begins|end|ends|late|later|early|earlier|night|evening|afternoon|"
    r"morning|noon|today|tonight|tomorrow|weekdays?|holidays?|before|after|until|by)\b"
    r"|开门|关门|开放|营业|开始|结束|早|晚|夜里|夜间|凌晨|上午|中午|下午|全天|今天|明天|节假日|假期|工作日|[之以]?[前后](?=[能可开关还要])|点钟?",
    re.IGNORECASE,
)
"""To these an hour does."""
_BOUND = re.compile(
    r"\b(?:must|should|need|needs|required|compulsory|only|unless|if)\b|必须|须|需要|只|凭|应当|否则|除非",
    re.IGNORECASE,
)
_DIGIT = re.compile(r"\d")


def money_is_no_answer(question: str) -> bool:
    """Whether a question asks for yes or no, and not for what costs money."""
    return asks(question) and _OF_MONEY.search(characters_read(question)) is None


def hours_are_no_answer(question: str) -> bool:
    """Whether a question asks for yes or no, and not for what has its time."""
    read = characters_read(question)
    if not asks(question) or _OF_TIME.search(read) or days.days_of(read) or _DIGIT.search(read):
        return False
    return not any(moments.times(fold(read)))


def asks(question: str) -> bool:
    """Whether yes or no answers a question, and nothing more is asked within it."""
    return is_whether(question) and expects(question) == "thing"


def tells_amount_alone(sentence: str, *, money: bool, hours: bool) -> bool:
    """Whether a sentence tells a price or hours, and allows, forbids, wants and denies nothing.

    Args:
        money, hours: Which of the two.
    """
    read = characters_read(sentence)
    folded = fold(read)
    if not ((money and tells_price(folded)) or (hours and any(moments.times(folded)))):
        return False
    return rules_nothing(read)


def rules_nothing(sentence: str) -> bool:
    """Whether a sentence allows, forbids, wants and denies nothing."""
    read = characters_read(sentence)
    return not (denies(read) or allows_or_forbids(read) or _BOUND.search(read))
