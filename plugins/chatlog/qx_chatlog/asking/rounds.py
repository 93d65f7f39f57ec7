"""Searching in rounds without a model: the anchor first, then what followed it, then what changed it, then other words."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from qx_chatlog.asking import changes, figures, kinds, reading_on, wording
from qx_chatlog.asking.evidence import Evidence
from qx_chatlog.asking.fitness import counting, holds, prefer
from qx_chatlog.asking.question import Question
from qx_chatlog.asking.reading_on import CLOSE
from qx_chatlog.asking.record import Searched, given
from qx_chatlog.index.answering import asks, names_time
from qx_chatlog.index.slips import may_slip
from qx_chatlog.log import Ask, Log, Outcome, coverage, touches, weak
from qx_chatlog.message import NOBODYS, Found, Message
from qx_chatlog.store import Filters
from qx_chatlog.tools.calling import synonyms
from qx_chatlog.when import Span, When

_POOL = 30
"""Candidates of a round, from which those that hold what is wanted go first."""
_KEPT, _READ = 8, 12
"""Messages of a round that are answered from, and that are read at most, their neighbours beside."""
_BESIDE = 2
"""Neighbours that may stand among what was found: those that fit better by the words around them."""
_LATER = 40
"""Messages after an anchor that are looked through."""
_ANCHORS = 3
_NEXT, _SHORT = 2, 40
"""Messages after an anchor, and characters of one, that may take it back without a word of it: 改到周六了."""
_CHANGES = 0.5
"""Of the words that the best anchor holds: what has fewer corrects another matter."""
_READ_ON = 0.2
"""Of the best score: what they count as evidence, behind all that was found."""
_TALKING = frozenset(["聊天", "聊", "谈", "说话", "交流", "chat", "conversation", "speak", "discussion", "about"])


@dataclass(slots=True)
class RuleSearch:
    """Searches the log for one question by rules, a round at a time.

    Attributes:
        anchors: What the question speaks of, best first.
        answers: What followed the anchors, where the question asks for that, in the order of the talk.
        filters: The conditions under which the anchors were found.
        fuzzy, also: Whether words with a slip count, and which other wordings do.
        changed: What took something of the anchors back, in the order of the talk.
        by_time: Whether the anchors were found by time and people alone.
        searched: Whether anchors were looked for.
        lead: The anchor that holds hardly a word of the question, and answers one that does.
        following: What was said right after the best anchors, which may answer.
    """

    log: Log
    question: Question
    evidence: Evidence
    window: int = 2
    filters: Filters = field(default_factory=Filters)
    fuzzy: bool = False
    also: tuple[str, ...] = ()
    anchors: list[Message] = field(default_factory=lambda: list[Message]())
    answers: list[Message] = field(default_factory=lambda: list[Message]())
    changed: list[Message] = field(default_factory=lambda: list[Message]())
    by_time: bool = False
    searched: bool = False
    lead: Message | None = None
    following: list[Message] = field(default_factory=lambda: list[Message]())

    def rounds(self) -> Sequence[Callable[[], Awaitable[tuple[Searched, ...]]]]:
        """Return the rounds in their order; each says what it searched."""
        plan: list[Callable[[], Awaitable[tuple[Searched, ...]]]] = [self.find_anchor]
        if figures.whose(self.question) is not None:
            return plan  # the newest figure is the last word already
        if (self.question.then and not self._asks_by_time()) or self.question.answered_by:
            plan.append(self.find_what_followed)
        if len(plan) == 1:
            plan.append(self.read_on)
        plan += [self.find_changes, self.find_otherwise]
        return plan

    async def find_anchor(self) -> tuple[Searched, ...]:
        """Find what the question speaks of; conditions that leave nothing are given up, the softest first."""
        done: list[Searched] = []
        when = self.question.when
        self.searched = True
        if (who := figures.whose(self.question)) is not None:
            return (await self._read_figures(who),)
        if self._asks_by_time() and (when.spans or self.question.spoken_by):
            done.append(await self._read_by_time())
            self.by_time = bool(self.anchors)
        for filters, dropped in () if self.anchors else _softened(self.question):
            outcome = await self._search(filters=filters, when=when)
            done.append(self._noted("keyword_search", outcome, filters=filters, when=when, dropped=dropped))
            if taken := self._take(outcome):
                self.anchors, self.filters = taken, filters
                break
        if not self.anchors and self._asks_by_time() and not self.question.spoken_by and not when.spans:
            done.append(await self._read_by_time())
            self.by_time = bool(self.anchors)
        if not self.anchors and _is_of_event(self.question):
            outcome = await self._search(filters=Filters(), when=When())
            done.append(self._noted("keyword_search", outcome, filters=Filters(), when=When(), dropped="the time"))
            self.anchors = self._take(outcome)
        return tuple(done)

    def _asks_by_time(self) -> bool:
        """Whether people or a time lead there without any word: 昨天聊了什么."""
        question = self.question
        bare = set(question.keywords) <= {*question.people, *_TALKING, *wording.LIGHT}
        return bare and bool(question.people or question.when.spans)

    async def _read_by_time(self) -> Searched:
        """Read what was said then, or by them, in its order; what holds what is wanted goes first."""
        question = self.question
        speakers = (question.spoken_by,) if question.spoken_by else ()
        filters = Filters(speakers=speakers, participants=question.people)
        ask = Ask(when=question.when, filters=filters, limit=_POOL, order=question.order)
        outcome = await self.log.search(ask)
        found = [one for one in outcome.hits if question.wants is None or holds(question.wants, one.message.searched)]
        self.anchors, self.filters = [one.message for one in found[:_KEPT]], filters
        self.evidence.add(found[:_KEPT])
        return self._noted("keyword_search", outcome, filters=filters, when=question.when, text="")

    async def _read_figures(self, who: str) -> Searched:
        """Read the figures that one person named, the newest or the oldest first."""
        question = self.question
        said = await figures.read(self.log, question, who, question.when)
        self.anchors = list(said[:_KEPT])
        self.evidence.add(Found(message=one, score=1 / (1 + place)) for place, one in enumerate(self.anchors))
        self.filters = Filters(speakers=(who,) if who else (), participants=question.people)
        arguments = given(
            text=" ".join(figures.topic(question)),
            when=question.when.said if question.when.spans else "",
            speaker=who,
            participants=", ".join(question.people),
            order=question.order,
        )
        return Searched(tool="keyword_search", arguments=arguments, found=len(said))

    async def find_what_followed(self) -> tuple[Searched, ...]:
        """Read on in the anchors' sessions, then search later ones: who answered, and what was said then."""
        done: list[Searched] = []
        question = self.question
        speakers = (question.spoken_by,) if question.spoken_by and (question.role or question.then) else ()
        roles = (question.answered_by,) if question.answered_by and not speakers else ()
        for anchor in self.anchors[:_ANCHORS]:
            filters = Filters(
                sessions=(anchor.session,), since=anchor.time, roles=roles, speakers=speakers, without=NOBODYS
            )
            read = await self.log.read(filters, limit=_LATER)
            later = [one for one in read if one.id != anchor.id]
            self._follow(later[:_KEPT])
            whose = ", ".join((*roles, *speakers))
            done.append(Searched(tool="search_around", arguments=given(message=anchor.id, of=whose), found=len(later)))
        if self.anchors:
            first = min(anchor.time for anchor in self.anchors)
            when = When(said=f"since {first.date()}", spans=(Span(start=first),))
            later_filters = Filters(roles=roles, speakers=speakers)
            outcome = await self._search(filters=later_filters, when=when)
            known = {anchor.id for anchor in self.anchors}
            self._follow([one.message for one in outcome.hits if one.message.id not in known][:_KEPT])
            done.append(self._noted("keyword_search", outcome, filters=later_filters, when=when))
        return tuple(done)

    async def find_changes(self) -> tuple[Searched, ...]:
        """Look for later messages that take back or change what the anchors say."""
        if not self.anchors:
            return ()
        first = min(anchor.time for anchor in self.anchors)
        when = When(said=f"since {first.date()}", spans=(Span(start=first),))
        outcome = await self._search(filters=Filters(), when=when)
        words = self.words()
        held = {anchor.id: coverage(words, anchor) for anchor in self.anchors[:_ANCHORS]}
        least = _CHANGES * max(held.values())
        near = [one.message for one in outcome.found if touches(words, one.message)]
        # what holds fewer words of the question may be of another matter, and its correction with it
        first_anchors = [one for one in self.anchors[:_ANCHORS] if held[one.id] >= CLOSE * max(held.values())]
        near = [one for one in near if changes.takes_back(one, first_anchors, self.question, words, self.log, least)]
        for anchor in self.anchors[:1]:
            after = await self.log.around(anchor.id, before=0, after=_NEXT)
            short = [one.message for one in after if len(one.message.content) <= _SHORT]
            near += [one for one in short if changes.takes_back(one, [anchor], self.question, words, self.log, least)]
            near += await changes.by_name(anchor, self.question, self.log)
        found = {one.id: one for one in near if wording.CORRECTION.search(one.content) and one.time > first}
        self.changed = sorted(found.values(), key=lambda one: one.time)
        if self.changed:
            named = await reading_on.instead(self.log, self.question, words, self.changed[-1])
            self.changed += [named] if named is not None else []
        self.evidence.add(Found(message=one, score=self._best() / 2) for one in self.changed)
        return (self._noted("keyword_search", outcome, filters=Filters(), when=when),)

    async def find_otherwise(self) -> tuple[Searched, ...]:
        """Search with slips and synonyms allowed, where what was found holds little of the question."""
        hits = [Found(message=one) for one in self.anchors]
        if not weak(self.question.searched, hits):
            return ()
        self.also = synonyms(self.log, self.question.searched)
        if not self.also and not any(map(may_slip, self.question.searched.split())):
            return ()  # it would be the same search again
        self.fuzzy = True
        outcome = await self._search(filters=self.filters, when=self.question.when)
        self.anchors += [one for one in self._take(outcome) if one not in self.anchors]
        return (self._noted("keyword_search", outcome, filters=self.filters, when=self.question.when),)

    async def read_on(self) -> tuple[Searched, ...]:
        """Read around the best anchors: what answers stands beside them, and seldom repeats the words of the question."""
        if self.by_time or not self.anchors:
            return ()
        read = await reading_on.read(self.log, self.question, self.words(), self.anchors, self.filters)
        self.anchors, self.lead, self.following = read.anchors, read.lead, read.following
        self.evidence.add(Found(message=one, score=self._best() * _READ_ON) for one in self.following)
        return read.searched

    async def _search(self, *, filters: Filters, when: When) -> Outcome:
        question = self.question
        ask = Ask(
            text=question.sought,
            when=when,
            filters=filters,
            limit=_POOL if question.wants or question.order != "relevance" else 10,
            fuzzy=self.fuzzy,
            also=self.also,
            window=self.window,
            wants=question.wants or "statement",
            likely=question.when.spans if when is not question.when else (),
        )
        return await self.log.search(ask)

    def _take(self, outcome: Outcome) -> list[Message]:
        """Keep the best of what was found with its neighbours; those that hold what is wanted go first."""
        words = self.words()
        sure = self.log.context.has_embedder or not words  # what is found by meaning shares no word
        hits = [one for one in outcome.hits if sure or touches(words, one.message)]  # a slip alone is no answer
        if self.question.order != "relevance":  # else the store has weighed it already
            hits = list(prefer(self.question.wants, self._in_order(hits, words)))
        more, hits = hits[_KEPT:_READ], hits[:_KEPT]
        kept = {one.message.id for one in hits}
        sessions = {one.message.session for one in hits}
        beside = [one for one in outcome.found if one.context and one.message.session in sessions]
        beside.sort(key=lambda one: -one.score)
        self.evidence.add([*hits, *more, *(one for one in beside if one.message.id not in kept)][: _KEPT * 3])
        if self.question.wants is None and self.question.order == "relevance" and hits:
            least = min(one.score for one in hits)
            best = sorted(
                [*hits, *sorted((one for one in beside if one.score > least), key=lambda one: -one.score)[:_BESIDE]],
                key=lambda one: -one.score,
            )
            return [one.message for one in best][:_KEPT]
        found = _with_replies([one.message for one in hits], outcome)
        if self.question.order == "relevance" and self.question.wants in ("number", "date"):
            least = max((coverage(words, one) for one in found), default=0.0) / 2  # a number alone answers nothing
            found.sort(key=lambda one: not (coverage(words, one) >= least and self._tells(one)))
            if (counts := counting(self.question.text)) is not None:
                found.sort(key=lambda one: counts.search(one.searched) is None)
        return found[:_KEPT]

    def told(self, *, beside: bool = True) -> bool:
        """Whether anything that was found tells the number, price or colour that is asked for; True where none is.

        Args:
            beside: What shares no word with the question counts too: it stands beside an anchor, or means the like.
        """
        kind = kinds.asked(self.question.text)
        if kind not in ("price", "number", "colour") and self.question.wants != "number":
            return True
        found = [*self.anchors, *self.answers, *self.changed]
        if not beside:
            words = self.words()
            found = [one for one in found if one is not self.lead and touches(words, one)]
        if kind is None or kind not in kinds.STATED:
            return any(self._tells(one) for one in found)
        return any(kinds.tells(kind, one.searched) for one in found)

    def follows(self, changed: Sequence[Message]) -> list[Message]:
        """Return what was said after the best anchors, without what takes back another matter."""
        return [
            one
            for one in self.following
            if one in changed
            or not (named := changes.subject(one, self.log))
            or changes.named_in(named, self.question.text, self.anchors)
        ]

    def together(self) -> bool:
        """Whether one of the anchors holds all content words of the question."""
        words = self.words()
        return any(coverage(words, one) == 1.0 for one in self.anchors)

    def _tells(self, message: Message) -> bool:
        """Whether a message says, and does not ask, a number or a time."""
        if asks(message.content):
            return False
        return figures.is_figure(message.searched) if self.question.wants == "number" else names_time(message.searched)

    def _in_order(self, hits: list[Found], words: list[str]) -> list[Found]:
        """For the first or the last time, by time: of those that hold most of the words, since 数据 is not 数据库."""
        if self.question.order == "relevance" or not hits:
            return hits
        held = [coverage(words, one.message) for one in hits]
        close = [one for one, part in zip(hits, held, strict=True) if part >= CLOSE * max(held)]
        return sorted(close, key=lambda one: one.message.time, reverse=self.question.order == "newest")

    def words(self) -> list[str]:
        """Return the words that a message has to hold one of: a name alone is in too many."""
        names = {part for name in self.question.people for part in (name, *name.split())}
        words = [*self.question.searched.split(), *self.also]
        return [word for word in words if word not in names] or words

    def _follow(self, later: Sequence[Message]) -> None:
        known = {one.id for one in self.answers}
        self.answers += [one for one in later if one.id not in known]
        self.evidence.add(Found(message=one, score=self._best() * 0.9) for one in later)

    def _best(self) -> float:
        return max(self.evidence.scores.values(), default=1.0)

    def _noted(
        self, tool: str, outcome: Outcome, *, filters: Filters, when: When, dropped: str = "", text: str | None = None
    ) -> Searched:
        order = self.question.order
        arguments = given(
            text=self.question.searched if text is None else text,
            fuzzy="yes" if self.fuzzy else "",
            also=", ".join(self.also) if self.fuzzy else "",
            when=when.said if when.spans else "",
            role=", ".join(filters.roles),
            speaker=", ".join(filters.speakers),
            participants=", ".join(filters.participants),
            order="" if order == "relevance" else order,
        )
        note = "; ".join((*outcome.notes, *((f"without {dropped}",) if dropped else ())))
        return Searched(tool=tool, arguments=arguments, found=len(outcome.hits), note=note)


def _with_replies(hits: Sequence[Message], outcome: Outcome) -> list[Message]:
    """``hits``, each that asks followed by the next thing that another one says: what answers seldom repeats the words."""
    order = [one.message for one in outcome.found]
    found: list[Message] = []
    for hit in hits:
        found.append(hit)
        if asks(hit.content):
            later = [one for one in order if one.session == hit.session and one.time > hit.time and one.who != hit.who]
            found += [one for one in sorted(later, key=lambda one: one.time)[:1] if one not in hits]
    return list({one.id: one for one in found}.values())


def _is_of_event(question: Question) -> bool:
    """Whether the time of a question is that of what happened, which may have been told later: no word says it was said."""
    return bool(question.when.spans) and wording.SAYING.search(question.text) is None


def _softened(question: Question) -> list[tuple[Filters, str]]:
    """The conditions of a question, then fewer and fewer of them: whose words it was, and who was there, are guesses."""
    roles = (question.role,) if question.role else ()
    # "what I reported … what did the engineer say": the asker's words lead there, the engineer's are the answer
    speakers = (question.spoken_by,) if question.spoken_by and not (roles or question.then) else ()
    full = Filters(roles=roles, speakers=speakers, participants=question.people)
    steps = [(full, "")]
    if roles or speakers:
        steps.append((Filters(participants=question.people), "role or speaker"))
    if question.people:
        steps.append((Filters(), "role, speaker or participants"))
    return steps
