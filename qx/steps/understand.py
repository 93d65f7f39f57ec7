"""The step ``understand``: Query -> Understanding.

The rules always read the query first: they cost a millisecond, decide in mode ``auto`` whether a model is worth it,
complete what the model overlooks, and are the rung below it.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict

from qx.context import Context
from qx.domain import Knowledge
from qx.errors import BudgetExceeded, ProviderError
from qx.moment import moment, speaks_of_time, spoken_date
from qx.repair import SubQueryDraft, parse_object, parse_queries, queries_in
from qx.rules.understand import Begun, RuleUnderstanding
from qx.serial import replace
from qx.settings import Mode, Profile
from qx.steps.abstain import abstain
from qx.steps.ask import Asker, Reading
from qx.steps.drafts import DraftError, Stage, labels, read_queries, read_understanding
from qx.steps.reconcile import reconcile
from qx.steps.typed import range_constraints
from qx.syntax import without_ranges
from qx.text.clean import clean
from qx.types import Query, SubQuery, Understanding

log = logging.getLogger("qx")

SURE = 0.6
"""Rules at least this confident about a simple query need no model in mode ``auto``."""
LONGEST_QUERY = 4000
"""Characters of a query that a model is shown: the first three quarters and the last."""
TURNS = 6

Answer = tuple[Understanding | None, tuple[SubQuery, ...]]


class Loose(BaseModel):
    """Any JSON object; the readers of ``drafts`` check it part by part."""

    model_config = ConfigDict(extra="allow")


def shown(text: str, limit: int = LONGEST_QUERY) -> str:
    """Cut ``text`` to what a model is shown."""
    return text if len(text) <= limit else f"{text[: limit * 3 // 4]} … {text[-limit // 4 :]}"


def spoken(query: Query, context: Context) -> Query:
    """Return the query without ranges that were typed (``price:..200``): they are filters, and no words."""
    text = without_ranges(query.text, (*context.filterable, "published"))
    return query if text == query.text else replace(query, text=text)


def resolve_mode(mode: Mode | None, profile: Profile) -> Mode:
    """``expand.mode`` defaults to ``understand.mode``; ``auto`` without a model is ``rules``."""
    chosen = mode or profile.understand.mode
    return "rules" if chosen == "auto" and profile.llm is None else chosen


_READ = 256
"""Queries whose reading by rules is remembered: several steps of a request ask for it, and people ask the same again."""


def _reading_key(query: Query) -> int | Query:
    """What a reading by rules depends on: where the query speaks of time, on the moment of this very request."""
    if len(query.text) > LONGEST_QUERY or speaks_of_time(query):
        return id(query)
    return query


def _failed(query: Query, error: Exception, context: Context) -> Begun:
    context.degrade("understand", "raw", f"rules failed: {type(error).__name__}")
    return Begun(understanding=Understanding(language=query.language or "und"), needs=None)


class UnderstandStep:
    """Reads queries by rules, a model, or both.

    Args:
        profile: Mode, tiers, limits.
        rules: The rung below the model.
        asker: None where the profile names no model.
    """

    def __init__(self, profile: Profile, rules: RuleUnderstanding, asker: Asker | None) -> None:
        self._profile = profile
        self._rules = rules
        self._asker = asker
        self._mode = resolve_mode(None, profile)
        self._expand_mode = resolve_mode(profile.expand.mode, profile)
        self.labels = labels(profile.expand.strategies, profile.expand.without)
        self._read: dict[int | Query, tuple[Query, Begun]] = {}

    async def __call__(self, query: Query, context: Context, /) -> Understanding:
        begun = self._begun(query, context, whole=self._asker is None or self._mode == "rules")
        base = begun.understanding
        stage, tier = self.plan(query, base, context)
        if stage is None or self._asker is None:
            return self._whole(query, begun, context)
        prompt = self._asker.prompt(
            stage,
            self.payload(query, context),
            language=base.language,
            count=self._profile.expand.limit,
            strategies=self.labels,
            tier=tier,
        )
        try:
            answer = await self._asker.ask(prompt, self.reader(stage, context.knowledge), context, tier=tier)
        except (ProviderError, BudgetExceeded, DraftError) as error:
            context.degrade("understand", base.source, str(error))
            return self._whole(query, begun, context)
        if answer[0] is None or not answer[0].implicit_needs:
            base = self._whole(query, begun, context)
        return self.finish(query, base, answer, stage, context)

    def by_rules(self, query: Query, context: Context) -> Understanding:
        """Read the query without a model, once a request; a bug in the rules costs the analysis, not the request."""
        return self._whole(query, self._begun(query, context, whole=True), context)

    def _begun(self, query: Query, context: Context, *, whole: bool) -> Begun:
        """As ``by_rules``; what was read before, or is not to be ``whole``, may lack its implicit needs."""
        key = _reading_key(query)
        known = self._read.get(key)
        if known is not None and known[0] == query:
            return known[1]
        now, zone = moment(query, self._profile, context.clock)
        try:
            with context.span("rules"):
                read = self._rules.begin(spoken(query, context), now=now, zone=zone)
                read = read.whole() if whole else read
        except Exception as error:  # whatever it is, it is our bug: it is logged with its traceback
            log.exception("rules could not read a query; the raw query is used")
            return _failed(query, error, context)
        if typed := range_constraints(query.text):
            found = read.understanding
            read = replace(read, understanding=replace(found, constraints=(*found.constraints, *typed)))
        return self._remember(key, query, read)

    def _whole(self, query: Query, begun: Begun, context: Context) -> Understanding:
        """What was read, with its implicit needs: where a model names any, nobody asks for these."""
        if begun.needs is None:
            return begun.understanding
        try:
            return self._remember(_reading_key(query), query, begun.whole()).understanding
        except Exception as error:
            log.exception("rules could not find the needs of a query; the raw query is used")
            return _failed(query, error, context).understanding

    def _remember(self, key: int | Query, query: Query, read: Begun) -> Begun:
        if len(self._read) >= _READ:
            self._read.clear()
        self._read[key] = (query, read)
        return read

    def plan(self, query: Query, base: Understanding, context: Context) -> tuple[Stage | None, str | None]:
        """Choose the call to make, if any, and the model tier: by the profile's routes, else in mode ``auto`` by kind."""
        worth = "never" if self._profile.expand.abstain == "never" else "auto"
        if self._mode == "rules" or abstain(query, base, worth):
            return None, None
        routed = context.tier(base.kind)
        if self._mode == "llm":
            return "understand", routed
        both = self._expand_mode in ("llm-single", "auto")
        if self._mode == "llm-single":
            return ("single" if both else "understand"), routed
        if base.kind == "simple" and base.confidence >= SURE:
            return None, None
        tier = routed or ("hard" if base.kind in ("complex", "specialist") else "easy")
        return ("single" if both else "understand"), tier

    def payload(self, query: Query, context: Context) -> dict[str, Any]:
        """What the model is told of the query: data only."""
        now, _ = moment(query, self._profile, context.clock)
        parts: dict[str, Any] = {
            "query": shown(clean(query.text).text),
            "conversation": [{"role": t.role, "content": shown(t.content, 500)} for t in query.history[-TURNS:]],
            "today": spoken_date(query, now),
        }
        return {key: part for key, part in parts.items() if part}

    def reader(self, stage: Stage, knowledge: Knowledge) -> _Reader:
        """Return what reads the answer to ``stage``."""
        return _Reader(stage, knowledge, self.labels)

    def finish(
        self, query: Query, base: Understanding, answer: Answer, stage: Stage, context: Context
    ) -> Understanding:
        """Join what the model found with what rules know."""
        model, proposals = answer
        source = "llm-single" if stage == "single" else "llm"
        if model is None:
            context.degrade("understand", base.source, "the model gave queries but no analysis that can be read")
            return replace(base, proposals=proposals)
        joined = reconcile(query, model, base, knowledge=context.knowledge)
        return self._rules.signalled(query, replace(joined, proposals=proposals, source=source))


class _Reader:
    """Reads an analysis, and the queries beside it in stage ``single``."""

    def __init__(self, stage: Stage, knowledge: Knowledge, labels: tuple[str, ...]) -> None:
        self._stage = stage
        self._knowledge = knowledge
        self._labels = labels

    def __call__(self, text: str) -> Reading[Answer]:
        parsed = parse_object(text, Loose)
        found = (parsed.value.model_extra or {}) if parsed.value is not None else {}
        drafts: Sequence[SubQueryDraft] = ()
        if self._stage == "single":  # the queries stand beside the analysis; else anywhere in the text
            drafts = queries_in(found) or parse_queries(text).value or ()
        proposals, error = read_queries(drafts, self._labels), parsed.error
        if parsed.value is not None:
            try:
                return Reading((self.analysis(found), proposals), parsed.rung)
            except DraftError as problem:
                error = str(problem)
        if proposals:
            return Reading((None, proposals), parsed.rung, error)
        return Reading(None, parsed.rung, error)

    def analysis(self, data: Mapping[str, Any]) -> Understanding:
        """Read the analysis part.

        Raises:
            DraftError: it names no intent of the list.
        """
        understanding, left_out = read_understanding(data, self._knowledge)
        for note in left_out:
            log.debug("left out of the model's analysis: %s", note)
        return understanding

    def item(self, data: Mapping[str, Any]) -> Answer:
        """Read one entry of a batch's answer.

        Raises:
            DraftError: the entry cannot be used.
        """
        drafts = queries_in(data) if self._stage == "single" else ()
        return self.analysis(data), read_queries(drafts, self._labels)
