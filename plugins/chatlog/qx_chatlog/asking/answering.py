"""One question from beginning to end: read, searched for in rounds, answered, checked."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any, Literal

from qx.errors import BudgetExceeded, ProviderError
from qx.model import Model
from qx.serial import replace
from qx.types import Turn
from qx_chatlog.asking import attribution, figures, kinds, presence, prompts, writing
from qx_chatlog.asking import question as questions
from qx_chatlog.asking.attribution import of_another, said_more
from qx_chatlog.asking.claims import Claim
from qx_chatlog.asking.evidence import Evidence
from qx_chatlog.asking.planning import Planner
from qx_chatlog.asking.question import Question
from qx_chatlog.asking.record import Searched, Stopped
from qx_chatlog.asking.rounds import RuleSearch
from qx_chatlog.asking.settings import RESERVE, AskSettings
from qx_chatlog.asking.writing import Written
from qx_chatlog.beside import facts as noted
from qx_chatlog.log import Log
from qx_chatlog.message import Message

History = Literal["auto", "always", "never"]
_FRUITLESS = 2
"""Rounds in a row without anything new, after which no more is searched."""


class Looking(Model):
    """It is being looked up: said at once, before anything is searched."""

    text: str


class Round(Model):
    """A round of searching is over."""

    number: int
    searched: tuple[Searched, ...]
    new: int


class Answer(Model):
    """An answer with what bears it out.

    Attributes:
        answer: Its text.
        claims: What it says, each with the message that it cites and whether that holds.
        searches: What was searched.
        stopped_because: Why no more was searched.
    """

    answer: str
    claims: tuple[Claim, ...] = ()
    searches: tuple[Searched, ...] = ()
    stopped_because: Stopped = "enough"


@dataclass(slots=True)
class Answering:
    """Answers one question from one principal's log.

    Args:
        log: The principal's.
        history: The current conversation, oldest first.
        need: Whether to look into the log: ``auto`` judges it.
    """

    log: Log
    text: str
    settings: AskSettings
    history: Sequence[Turn] = ()
    need: History = "auto"
    evidence: Evidence = field(default_factory=Evidence)
    searches: list[Searched] = field(default_factory=lambda: list[Searched]())
    _began: float = 0.0
    _rules_alone: bool = False
    _doubted: bool = False
    """The model sees no need for the log."""

    async def run(self) -> AsyncGenerator[Looking | Round | Answer]:
        """Yield ``Looking`` at once, a ``Round`` for each, and the ``Answer`` last."""
        self._began = self.log.context.clock.monotonic()
        if not any(character.isalnum() for character in self.text):
            tongue = prompts.tongue(questions.read(self.text, self.log, history=self.history).chinese)
            yield Answer(answer=prompts.NOTHING_ASKED[tongue], stopped_because="not needed")
            return
        question = questions.read(self.text, self.log, history=self.history)
        if self.need == "never" or (self.need == "auto" and question.need == "no"):
            yield self._unneeded(question)
            return
        yield Looking(text=prompts.LOOKING[prompts.tongue(question.chinese)])  # before anything takes its time
        question = questions.read(self.text, self.log, speakers=await self.log.speakers(), history=self.history)
        rules = RuleSearch(self.log, question, self.evidence, self.settings.window)
        facts = await noted.about(self.log, question.searched)
        stopped: Stopped = "enough"
        async with aclosing(self._rounds(question, rules, [fact.shown() for fact in facts])) as rounds:
            async for one in rounds:
                if isinstance(one, Round):
                    self.searches += one.searched
                    yield one
                else:
                    stopped = one
        if self._doubted and await self._is_unneeded(question, rules):
            yield self._unneeded(question)
            return
        if not self.evidence.messages and not rules.anchors:
            async with aclosing(self._rescued(rules)) as rounds:
                async for one in rounds:
                    self.searches += one.searched
                    yield one
        written = await self._written(question, rules, facts)
        if not written.found and stopped in ("enough", "nothing new"):
            stopped = "nothing found"
        yield Answer(
            answer=written.answer, claims=written.claims, searches=tuple(self.searches), stopped_because=stopped
        )

    async def _is_unneeded(self, question: Question, rules: RuleSearch) -> bool:
        """Whether the log, too, has nothing to do with a question of which a model says so: small ones say it of any."""
        if not rules.anchors or await presence.unheard(self.log, question):
            return True
        self._fell("the model saw no need for the log, which speaks of it")
        return False

    async def _is_unheard(self, question: Question, rules: RuleSearch) -> bool:
        """Whether what was found only looks like what is asked."""
        apart = not rules.told(beside=False) and not rules.together()
        return await presence.unheard(self.log, question, half=not rules.told(), apart=apart)

    def _unneeded(self, question: Question) -> Answer:
        text = prompts.NOT_NEEDED[prompts.tongue(question.chinese)]
        return Answer(answer=text, searches=tuple(self.searches), stopped_because="not needed")

    async def _rounds(
        self, question: Question, rules: RuleSearch, facts: Sequence[dict[str, Any]]
    ) -> AsyncGenerator[Round | Stopped]:
        """Search: by rules where there is no model, and first for the common forms; then as the model plans."""
        if not self.log.context.has_model:
            async with aclosing(self._by_rules(rules, 0)) as found:
                async for one in found:
                    yield one
            return
        number = 0
        planner = Planner(self.log, question, self.evidence, self.settings, facts, self.history)
        if question.need == "yes" and question.keywords:
            number, first = 1, await rules.find_anchor()
            planner.note(first)
            yield self._ended(number, first)
        unread = 0
        while (stopped := self._stopped(number)) is None:
            number += 1
            try:
                step = await planner.step()
            except (ProviderError, BudgetExceeded) as error:
                self._fell(str(error))
                break
            if step.ended and self.evidence.messages:
                yield "enough"
                return
            if step.ended:
                self._doubted = not step.needed and self.need != "always"
                break  # it has enough without having looked: the rules look
            unread = 0 if step.readable else unread + 1
            yield self._ended(number, step.searched)
            if unread >= _FRUITLESS or (unread and not self.evidence.messages):
                self._fell("the model's plan cannot be read")
                break
        if stopped is None:
            async with aclosing(self._by_rules(rules, number)) as found:
                async for one in found:
                    yield one
        else:
            yield stopped

    async def _by_rules(self, rules: RuleSearch, number: int) -> AsyncGenerator[Round | Stopped]:
        steps = rules.rounds() if not rules.anchors else rules.rounds()[1:]
        for step in steps:
            if (stopped := self._stopped(number)) is not None:
                yield stopped
                return
            searched = await step()
            if searched:
                number += 1
                yield self._ended(number, searched)
        yield "enough"

    async def _rescued(self, rules: RuleSearch) -> AsyncGenerator[Round]:
        """Search by rules where the model's plan led to nothing: it takes milliseconds, whatever was spent before."""
        if not self.log.context.has_model or rules.searched:
            return
        number = 0
        for step in rules.rounds():
            if searched := await step():
                number += 1
                yield self._ended(number, searched)
        if rules.anchors:
            self._fell("what the model planned found nothing")
            self._rules_alone = True

    def _ended(self, number: int, searched: Sequence[Searched]) -> Round:
        new = len(self.evidence.messages) - self.evidence.counted
        self.evidence.ended_round(new)
        return Round(number=number, searched=tuple(searched), new=new)

    def _stopped(self, number: int) -> Stopped | None:
        """Why no further round may begin; None: it may."""
        if number >= self.settings.rounds:
            return "rounds"
        if self.evidence.tokens >= self.settings.tokens:
            return "tokens"
        if self._spent() >= self.settings.seconds * (1 - RESERVE):
            return "seconds"
        if self.evidence.fruitless >= _FRUITLESS:
            return "nothing new"
        return None

    def _spent(self) -> float:
        return self.log.context.clock.monotonic() - self._began

    def _fell(self, reason: str) -> None:
        self.log.context.degrade("chat.ask", "rules", reason)

    async def _written(self, question: Question, rules: RuleSearch, facts: Sequence[noted.Fact]) -> Written:
        """The model's answer where there is a model and it holds, else the passages."""
        refused: tuple[Claim, ...] = ()
        if self.log.context.has_model and not self._rules_alone and (self.evidence.messages or facts):
            shown = [fact.shown() for fact in facts]
            try:
                written = await writing.write(self.log, question, self.evidence, self.settings, shown)
            except (ProviderError, BudgetExceeded) as error:
                self._fell(str(error))
            else:
                if written.note:
                    self.log.context.note(written.note)
                if written.answer:
                    return written
                refused = written.claims
                self._fell(written.note)
        made = await self._passages(question, rules, facts, [fact.line(self.log.zone) for fact in facts])
        return replace(made, claims=(*made.claims, *refused))

    async def _passages(
        self, question: Question, rules: RuleSearch, facts: Sequence[noted.Fact], lines: Sequence[str]
    ) -> Written:
        """The messages themselves, where what was found is of what is asked at all."""
        dealt = figures.whose(question) is not None
        anchors = rules.anchors or ([] if dealt else list(self.evidence.best(6)))
        by_words = not (dealt or rules.by_time)
        unsaid = kinds.asked(question.text) == "colour" and not rules.told()  # a statement of no colour is none of it
        if anchors and by_words and (unsaid or await self._is_unheard(question, rules)):
            return writing.passages(self.log, question, (), facts=lines)
        later = noted.contradicting(facts, list(self.evidence.messages.values()))
        changed = [*rules.changed, *(one for one in later if one not in rules.changed)]
        changed.sort(key=lambda one: one.time)
        another = None if dealt else await self._another(question, rules, anchors)
        following = [] if another is not None or rules.answers else rules.follows(changed)
        return writing.passages(self.log, question, anchors, [*rules.answers, *following], changed, lines, another)

    async def _another(self, question: Question, rules: RuleSearch, anchors: Sequence[Message]) -> str | None:
        """Who said what the question takes for somebody else's words; None: nobody."""
        if len(question.people) != 1 or not question.keywords:
            return None
        named = question.people[0]
        asked = " ".join((question.text, *question.resolved))  # a name stands in it as a whole
        another = await of_another(self.log.store, self.log.principal, asked, await self.log.speakers())
        if another is None or attribution.tells_otherwise(question.text, named, anchors, another):
            return None
        read = [*anchors, *self.evidence.messages.values()]
        return another if said_more(rules.words(), read, named, another) else None
