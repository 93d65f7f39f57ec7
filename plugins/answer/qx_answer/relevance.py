"""How much passages and sentences say of a question, by its words: no model, Chinese and English alike.

    coverage(text) = sum over terms of  weight · idf · share  /  sum over terms of  weight · idf

``share`` is how much of a term the text has (``qx_answer.terms``), idf is by the sources that were read.  A sentence counts
by its own words and, half, by those of its title and of the sentence before it, which it goes on from.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from qx.serial import value
from qx.text.normalise import characters_read, fold
from qx.text.numerals import fold_width
from qx.text.segment import HAN, comparable
from qx_answer import compounds, counting, kinds, measured, moments, rates, yes_no
from qx_answer.expects import asks_amount, asks_where, counted, expects, has, is_whether, tells_where
from qx_answer.kinds import denies
from qx_answer.shares import JOINED, Prepared, Term, is_looked_into, prepared, share, share_of_words
from qx_answer.terms import terms
from qx_answer.values import Expects

_GOES_ON = 0.3
"""Coverage that the sentence before adds from which on both are quoted."""
_COUNTS = re.compile(
    r"\bhow\s+many\b|[几多少][个名人位件样台本张间种只条]|多少(?:人|个|件)"
    r"|多少(?!钱|元|块|时间|时候|度|分|天|年|月|周|日|小时|公|米|千|毫|厘|平方|升|斤|克|吨|瓦|伏|倍|岁|费|租|押)[\u4e00-\u9fff]{2}(?=[?？]|$)",
    re.IGNORECASE,
)
_ASKS_HOUR = re.compile(r"\b(?:what|which)\s+(?:time|hour)\b|几点(?!了)", re.IGNORECASE)
_ALL_DAY = re.compile(
    r"\b(?:all\s+day|24\s+hours|at\s+any\s+time|cancelled|closed)\b|全天|24小时|通宵|随时|取消|停运", re.IGNORECASE
)
_MONEY = re.compile(
    r"[€$£¥]\s?\d[\d.,]*|(?:\d[\d.,]*|[一二三四五六七八九十百千万两半]+)\s?(?:元|块钱?|角|欧元|美元|eur\b|euros?\b|usd\b|gbp\b|pounds?\b|dollars?\b|[€$£%])",
    re.IGNORECASE,
)
_LIGHT = 0.5
"""Weight of a word that says little."""
_SAYS = 0.5
"""Share of a yes/no question, names aside, that a sentence must say itself to go on from the one before it."""
_BACKS = 0.5
"""Share of a term from which on it backs another one."""
_NONE = re.compile(r"\b(?:no|none)\b(?!\s+(?:more|less|fewer)\s+than)", re.IGNORECASE)
_NEXT, _BEFORE_THING = 40, 3
"""Characters, and words, after "no" in which what it counts stands."""
_IT = re.compile(r"(?:it|this|that|they|these|which)\b|[该此它这其]", re.IGNORECASE)
"""Begins a sentence that goes on from the one before."""
_HAN_CHARACTER = re.compile(f"[{HAN}]")


Shares: TypeAlias = tuple[float, ...]
"""How much of each term of a question a text has, 0..1."""


@value
class Weighed:
    """What a sentence says of a question.

    Attributes:
        joined: Whether it is quoted with the sentence before it: only that names the thing, or says of what it goes on.
        named: Whether every name is there.
        coverage, itself, asked: As of ``Sentence``.
        beside: How much it says of what its title does not.
        said: Indices of the terms that it says itself.
        rest: How much it says itself of what is no name; 1 where there is nothing else.
        beyond: How much it says of what is asked beyond its title and the kind of thing; 1 where nothing is.
    """

    joined: bool
    named: bool
    coverage: float
    itself: float
    asked: float
    beside: float
    said: frozenset[int]
    rest: float
    beyond: float


class Question:
    """A question that texts are measured against.

    Args:
        text: The question.
        texts: What was read, for how much each term tells.
        synonyms: Other wordings of words.
        names: What is known to be a name in it.
    """

    def __init__(
        self,
        text: str,
        texts: Sequence[Prepared],
        synonyms: Mapping[str, Sequence[tuple[str, str]]] | None = None,
        names: Sequence[str] = (),
    ) -> None:
        self.text = text
        self.terms = terms(text, synonyms, names)
        self._stems = frozenset[str]().union(*(term.stems | term.joined_stems for term in self.terms))
        self._by_stems: dict[tuple[frozenset[str], bool], tuple[Shares, tuple[int, ...]]] = {}
        self.expects: Expects = expects(text)
        self._kinds = kinds.asked(text)
        self._counts = _COUNTS.search(text) is not None
        self.is_chinese = _HAN_CHARACTER.search(text) is not None
        self._where = asks_where(text)
        self._measure = measured.asked(fold(text))
        self._asks_hour = _ASKS_HOUR.search(text) is not None
        self.asks_kind = (
            self._asks_hour or self._where or asks_amount(text) or bool(self._kinds) or self._measure is not None
        )
        """Whether nothing answers it that has no thing of the kind."""
        self._whether = is_whether(text)
        self._no_money = yes_no.money_is_no_answer(text)
        self._no_hours = yes_no.hours_are_no_answer(text)
        self._compounds = compounds.kinds_of(text, [one.folded for one in texts])
        self._yes_no = yes_no.asks(text)
        self.may_be_left_open = self._yes_no or any(term.apart for term in self.terms)
        """Whether an amount may be none of what is asked (``is_left_open``, ``leaves_out_what_is_sought``)."""
        self._periods = rates.periods_of(fold(text)) if self.expects == "number" else frozenset[str]()
        own = set(re.findall(r"\d+(?:\.\d+)?", text))
        self._own_numbers = re.compile(rf"(?<![\d.])(?:{'|'.join(map(re.escape, own))})(?!\.?\d)") if own else None
        self.counted = _index_of(counted(text), self.terms)
        self.folded = prepared(text).folded
        said = [self._said(one) for one in texts]
        counts = [sum([shares[i] >= JOINED for shares in said]) for i in range(len(self.terms))]
        total = max(len(texts), 1)
        self.weights = [
            term.weight * math.log(1 + (total + 1) / (count + 0.5))
            for term, count in zip(self.terms, counts, strict=True)
        ]
        self._all = sum(self.weights) or 1.0
        self._weighed: dict[tuple[Shares, Shares, Shares | None, Shares], Weighed] = {}

    def shares(self, text: Prepared, title: Shares = ()) -> Shares:
        """Return how much of each term a text has; another word for one counts only beside another word of the question.

        Alone it may mean another thing: to tap the screen, where a tap is asked of.

        Args:
            title: The shares of its source's title: a name of the question in it backs what its sentences say.
        """
        found = self._said(text)
        if JOINED in found and not self._is_backed(found, title):
            return tuple([0.0 if one == JOINED else one for one in found])
        return found

    def _said(self, text: Prepared) -> Shares:
        """The share of each term; what a text's words alone decide is worked out once for all that have the same of them."""
        key = self._stems & text.stems, text.folded.isascii()
        known = self._by_stems.get(key)
        if known is None:
            shares = tuple([share_of_words(term, key[0]) for term in self.terms])
            left = [i for i, term in enumerate(self.terms) if shares[i] < 1 and is_looked_into(term, ascii=key[1])]
            known = self._by_stems[key] = shares, tuple(left)
        shares, left = known
        if not left:
            return shares
        found = list(shares)
        for i in left:
            found[i] = share(self.terms[i], text)
        return tuple(found)

    def _is_backed(self, found: Sequence[float], title: Shares) -> bool:
        """Whether a text has two terms of the question, be it in other words; a measure and a day are no words of it."""
        if any(term.name and share >= 1 for term, share in zip(self.terms, title, strict=False)):
            return True
        whole = [term for term, share in zip(self.terms, title, strict=False) if share >= 1 and term.weight >= _LIGHT]
        if len(whole) > 1:
            return True  # the owner of the Half Slope teahouse, in a source of that title
        said = [self.terms[i] for i, one in enumerate(found) if one >= _BACKS]
        counted = [1 + (" " in term.text) for term in said if not term.implied and term.weight >= _LIGHT]
        return sum(counted) > 1  # "annual leave" is two words of the question, and one term

    def weighed(self, own: Shares, title: Shares, before: Shares | None, lead: Shares = ()) -> Weighed:
        """Return what a sentence says, worked out once for all that say the same: there are few different ones.

        Args:
            own, title, before: The shares of the sentence, of its title, of the sentence right before it (None: there is none
                that may be quoted with it).
            lead: What the first sentence of its source gives it.
        """
        key = own, title, before, lead
        known = self._weighed.get(key)
        if known is None:
            known = self._weighed[key] = self._weigh(own, title, before, lead)
        return known

    def _weigh(self, own: Shares, title: Shares, before: Shares | None, lead: Shares) -> Weighed:
        around = tuple(map(max, own, title))
        named, joined = self.named(around), False
        if before is not None:
            wider = tuple(map(max, around, before))
            only_so = not named and self.named(wider) and self.coverage(own) > 0
            only_so = only_so and (not self._whether or self.asked(own) >= _SAYS)
            if only_so or (named and self.goes_on(around, own, before)):
                around, named, joined = wider, True, True
        around = tuple(map(max, around, lead)) if lead else around
        return Weighed(
            joined=joined,
            named=named,
            coverage=self.coverage(around),
            itself=self.coverage(own),
            asked=self.asked(around),
            beside=self.beside(own, title),
            said=frozenset(i for i, s in enumerate(own) if s >= JOINED),
            rest=self.asked(own),
            beyond=self._beyond(own, title, lead, before if joined else None),
        )

    def coverage(self, shares: Sequence[float]) -> float:
        """Return how much of the question these shares are, 0..1."""
        return sum(w * s for w, s in zip(self.weights, shares, strict=True)) / self._all if self.terms else 0.0

    def asked(self, shares: Sequence[float]) -> float:
        """Return the same without names; 1 where there is nothing else."""
        rest = [(w, s) for t, w, s in zip(self.terms, self.weights, shares, strict=True) if not t.name]
        total = sum(w for w, _ in rest)
        return sum(w * s for w, s in rest) / total if total else 1.0

    def beside(self, own: Sequence[float], title: Sequence[float]) -> float:
        """Return how much of what the title does not say a sentence says: all of its source speaks of the title's thing."""
        rest = [(w, s) for w, s, t in zip(self.weights, own, title, strict=True) if t < 1]
        total = sum(w for w, _ in rest)
        return sum(w * s for w, s in rest) / total if total else self.coverage(own)

    def _beyond(self, own: Shares, title: Shares, lead: Shares, before: Shares | None) -> float:
        if self._measure is not None and self._measure[0] in measured.TELLING:
            return 1.0
        rest = [i for i, t in enumerate(self.terms) if title[i] < 1 and not (t.name or t.implied) and t.weight > _LIGHT]
        said = tuple(map(max, own, lead)) if lead else own
        said = said if before is None else tuple(map(max, said, before))
        total = sum(self.weights[i] for i in rest)
        return sum(self.weights[i] * said[i] for i in rest) / total if total else 1.0

    def has_kind(self, text: str) -> bool:
        """Whether a text has a thing of the kind that is asked for; the 2 of "building 2" counts no floors."""
        if self.expects == "number" and self._own_numbers is not None:
            text = self._own_numbers.sub(" ", text)
        if self.expects == "number" and self._counts:
            text = counting.without_measures(_MONEY.sub(" ", _without_moments(text)), self.text)  # nor does a price
            text = _NONE.sub(lambda found: found[0] if self._is_of_what_is_counted(found) else " ", text)
        if self._periods and (told := rates.told_by(fold(text))) and not self._periods & told:
            return False  # so much an hour is another amount than so much a day
        if self._asks_hour:
            fits = _tells_hour(text)
        else:
            fits = has(self.expects, text) if self._measure is None else self._measure[1](fold(text))
        if not fits or (self._where and not tells_where(text)):
            return False
        read = characters_read(text) if self._kinds else text
        return all(pattern.search(read) is not None for pattern in self._kinds)

    def leaves_out_what_is_sought(self, text: str, around: Shares) -> bool:
        """Whether a sentence does not name what only its own word tells (the deposit, the aperture), nor goes on with "it".

        Args:
            around: What it says with its title.
        """
        unsaid = any(term.apart and one < JOINED for term, one in zip(self.terms, around, strict=True))
        return unsaid and _IT.match(text) is None

    def _is_of_what_is_counted(self, none: re.Match[str]) -> bool:
        """Whether "no" counts what is asked for: no rooms, and not the rooms without a television."""
        if self.counted is None:
            return False  # "no ovens" counts no things
        after = none.string[none.end() : none.end() + _NEXT].split()[:_BEFORE_THING]
        known = self.terms[self.counted]
        return any(share(known, prepared(word.strip(".,;:!?"))) >= JOINED for word in after) or none[0] == "none"

    def is_of_another_kind(self, text: str, beside: str) -> bool:
        """Whether a sentence speaks of another kind of the thing: the main telescope, for the solar telescope.

        Args:
            beside: Its title, and what it goes on from.
        """
        return bool(self._compounds) and compounds.is_of_another(self._compounds, text, beside)

    def is_left_open(self, text: str, said: Shares, lead: Shares) -> bool:
        """Whether a text says neither yes nor no to what is asked: not all of the question, and no rule, or an amount alone.

        Args:
            said: What it says with what it goes on from.
            lead: What the first sentence of its source gives it.
        """
        if not self._yes_no or min(said, default=1.0) >= _BACKS:
            return False
        if yes_no.tells_amount_alone(text, money=self._no_money, hours=self._no_hours):
            return True
        if yes_no.tells_amount_alone(text, money=not self._no_money, hours=not self._no_hours):
            return False  # open at 7 pm: from 10 am to 8 pm
        wider = tuple(map(max, said, lead)) if lead else said
        unsaid = any(
            term.weight >= 1 and not term.implied and one < _BACKS for term, one in zip(self.terms, wider, strict=True)
        )
        return unsaid and yes_no.rules_nothing(text)

    def is_extended(self, title: str) -> bool:
        """Whether a title has a word of the question with more of a name on it: 星灯Max, where 星灯 is asked of."""
        folded = prepared(title).folded
        runs = [re.escape(run) for term in self.terms for run in term.runs if _HAN_CHARACTER.match(run)]
        found = re.search(rf"(?:{'|'.join(runs)})([a-z0-9]+)", folded) if runs and folded else None
        return found is not None and found[1] not in self.folded

    def goes_on(self, around: Sequence[float], own: Sequence[float], before: Sequence[float]) -> bool:
        """Whether a sentence says what is asked for, and the one before it of what: 分机号是8021, of the head of IT."""
        sought = any(term.required and s >= JOINED for term, s in zip(self.terms, own, strict=True))
        wider = [max(a, b) for a, b in zip(around, before, strict=True)]
        return sought and self.coverage(wider) - self.coverage(around) >= _GOES_ON

    def named(self, shares: Sequence[float]) -> bool:
        """Whether every name is there."""
        return all(s >= JOINED for term, s in zip(self.terms, shares, strict=True) if term.name or term.required)


def _tells_hour(text: str) -> bool:
    """Whether a text has a time of day, or says that there is none."""
    folded = fold(text)
    return (
        measured.tells_stretch(folded)
        or any(moments.times(folded))
        or _ALL_DAY.search(text) is not None
        or denies(text)
    )


def _without_moments(text: str) -> str:
    """A sentence without its dates and times of day, which count nothing: who asks how many is not told by "from 1 to 5 pm"."""
    folded = fold_width(text).lower()
    for moment in [*moments.times(folded), *moments.dates(folded)]:
        folded = folded[: moment.start] + " " * (moment.end - moment.start) + folded[moment.end :]
    return folded


def _index_of(word: str, found: Sequence[Term]) -> int | None:
    """Which of the terms says what is counted; None: none does."""
    form = comparable(word) if word else ""
    return next((i for i, term in enumerate(found) if form and comparable(term.text) == form), None)
