"""The step ``expand``: Understood -> Expansion.

Candidates come from a model or from rules, pass the guard, then the profile's processors, and are cut to the limit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from qx.context import Context
from qx.errors import BudgetExceeded, ProviderError
from qx.moment import moment, spoken_date
from qx.processor import QueryProcessor
from qx.repair import parse_queries, queries_in
from qx.rules import expand as rules
from qx.rules.wording import Wording
from qx.serial import replace
from qx.settings import Profile
from qx.steps.abstain import abstain
from qx.steps.ask import Asker, Reading
from qx.steps.drafts import MODEL_STRATEGIES, DraftError, analysis_json, labels, read_queries
from qx.steps.grounding.misspelt import respelt
from qx.steps.guard import guard
from qx.steps.iterate import iterate
from qx.steps.mix import Mix, Parted, none_held
from qx.steps.processors import processed
from qx.steps.referring import readings
from qx.steps.strategies.candidates import candidate, why
from qx.steps.typed import demands_site, with_demands, worded
from qx.steps.understand import resolve_mode, shown
from qx.strategy import Strategy, reads_hits
from qx.text.clean import clean
from qx.text.normalise import fold
from qx.types import Dropped, Expansion, Hit, Query, SubQuery, Understanding, Understood

_OURS = frozenset({"zh", "zh-Hant", "en", "und"})
"""Languages that rules write; ``und`` has no words of any."""
_NO_WEB = "for web engines alone, and none is here"


class ExpandStep:
    """Turns an understood query into the queries to run.

    Args:
        profile: Modes, strategies, limits.
        strategies: Every strategy that may run, by name.
        processors: The profile's query processors by name, in order.
        asker: None where the profile names no model.
        read: Reads a query without a model, for the queries that rules add to a model's list.
        web: Whether an engine here takes queries of the web, or none is known: else they take no place of the limit.
    """

    def __init__(
        self,
        profile: Profile,
        strategies: Mapping[str, Strategy],
        processors: Sequence[tuple[str, QueryProcessor]],
        asker: Asker | None,
        read: Callable[[Query, Context], Understanding],
        *,
        web: bool = True,
    ) -> None:
        self._web = web
        self._read = read
        self._profile = profile
        self._settings = profile.expand
        self._strategies = {name: made for name, made in strategies.items() if name not in profile.expand.without}
        self._processors = processors
        self._asker = asker
        self._mode = resolve_mode(profile.expand.mode, profile)
        self.labels = labels(profile.expand.strategies, profile.expand.without)

    async def __call__(self, value: Understood, context: Context, /) -> Expansion:
        reason = abstain(value.query, value.understanding, self._settings.abstain)
        if reason is not None or self._settings.limit == 0:
            return replace(self.alone(value), abstained=reason or "the profile's limit is 0")
        candidates = await self._by_model(value, context) if self.wants_model(value) else None
        return await self.finish(value, candidates, context)

    async def by_rules(self, value: Understood, context: Context) -> Expansion:
        """Expand without a model, whatever the mode."""
        reason = abstain(value.query, value.understanding, self._settings.abstain)
        if reason is not None:
            return replace(self.alone(value), abstained=reason)
        return await self.finish(value, None, context)

    async def warm_up(self, value: Understood, context: Context) -> None:
        """Load what our own strategies and the guard load on first use; a plugin's code waits for a request's deadline."""
        chosen = rules.choose(value.query, value.understanding, context.knowledge)
        made = await self._by_rules(value, chosen, context)
        self._guard(value.query, value.understanding, made, context)

    async def wider(self, value: Understood, context: Context, *, forced: bool) -> tuple[SubQuery, ...]:
        """More general queries, for a list that came back too short.

        Args:
            forced: The query was left alone before; other wordings of it are tried as well.
        """
        names = ("spelling", "synonym", "generalize") if forced else ("generalize",)
        made = await self._by_rules(value, names, context)
        kept, _ = self._guard(value.query, value.understanding, made, context)
        return with_demands(kept, value.query.text, context.filterable)

    @property
    def names_hits(self) -> bool:
        """Whether the profile itself names a strategy that reads hits."""
        named = self._settings.strategies or ()
        return any(reads_hits(made) for name, made in self._strategies.items() if name in named)

    def reading_hits(self, expansion: Expansion) -> tuple[str, ...]:
        """Return the strategies that would add to ``expansion`` what they read in the hits of the first pass."""
        named = self._settings.strategies
        wanted = rules.FROM_HITS if named is None else named
        if not self._settings.limit or expansion.abstained is not None:
            return ()
        return tuple([name for name, made in self._strategies.items() if name in wanted and reads_hits(made)])

    async def from_hits(self, expansion: Expansion, context: Context) -> Expansion:
        """Add what strategies read in the hits of the first pass, which must be there.

        It is never kept with the rest of an expansion: hits change with the index.
        """
        names, limit = self.reading_hits(expansion), self._settings.limit
        if not names:
            return expansion
        query, understanding = context.query, expansion.understanding
        made = await self._run(query, understanding, names, context)
        kept, dropped = self._guard(query, understanding, made, context)
        kept = with_demands(kept[:limit], query.text, context.filterable)
        return self._joined(replace(expansion, dropped=(*expansion.dropped, *dropped)), kept)

    def _joined(self, expansion: Expansion, more: Sequence[SubQuery]) -> Expansion:
        """Put ``more`` at the end, in the place of what is then over the limit."""
        limit = self._settings.limit
        queries, over = expansion.queries[: limit + 1 - len(more)], expansion.queries[limit + 1 - len(more) :]
        cut = tuple(Dropped(text=q.text, reason=f"over the limit of {limit}", strategy=q.strategy) for q in over)
        return replace(expansion, queries=(*queries, *more), dropped=(*expansion.dropped, *cut))

    def from_names(self, expansion: Expansion, hits: Sequence[Hit], context: Context) -> Expansion:
        """Add what a vague reference may mean by the names in the first hits; never kept, like all that hits tell."""
        named = self._settings.strategies
        if (
            "senses" not in self._strategies
            or (named is not None and "senses" not in named)
            or not self._settings.limit
        ):
            return expansion
        understanding = expansion.understanding
        found = readings(context.query, understanding, hits, lambda query: self._read(query, context))
        wording = Wording.of(context.query, understanding, context.knowledge)
        have = {fold(query.text) for query in expansion.queries}
        made = [
            candidate(text, "senses", why(wording, "named", name)) for name, text in found if fold(text) not in have
        ]
        return self._joined(
            expansion, with_demands(made[: self._settings.limit], context.query.text, context.filterable)
        )

    async def from_index(self, expansion: Expansion, hits: Sequence[Hit], context: Context) -> Expansion:
        """Add the query with words that no document holds as the index spells them.

        Like what is read in hits it is never kept with the rest of an expansion.

        Args:
            hits: The first hits of the query as typed.
        """
        named = self._settings.strategies
        wanted = "spelling" in self._strategies and (named is None or "spelling" in named)
        if not wanted or not self._settings.limit or not self._profile.understand.spelling:
            return expansion
        text = expansion.queries[0].text
        found = await respelt(text, hits, context)
        if found is None or any(fold(found) == fold(query.text) for query in expansion.queries):
            return expansion
        wording = Wording.of(context.query, expansion.understanding, context.knowledge)
        made = candidate(
            found,
            "spelling",
            why(
                wording,
                "spelling",
                f"{text} → {found}",
                wording.say("索引") if wording.language.startswith("zh") else "index",
            ),
        )
        return self._joined(expansion, (made,))

    def alone(self, value: Understood, more: Sequence[SubQuery] = (), dropped: Sequence[Dropped] = ()) -> Expansion:
        """The expansion that holds nothing but the original, and what comes beside it."""
        query, understanding = value.query, value.understanding
        text = understanding.standalone or clean(query.text).text
        why = "standalone form" if understanding.standalone else ""
        first = SubQuery(text=text, strategy="original", weight=1.0, why=why)
        queries = with_demands((first,), query.text, ())
        return Expansion(
            original=query.text, queries=(*queries, *more), understanding=understanding, dropped=tuple(dropped)
        )

    def wants_model(self, value: Understood) -> bool:
        """Whether a model should write this query's expansions."""
        if self._asker is None or self._mode == "rules":
            return False
        if self._mode == "auto":  # it was worth a model to understand, so it is worth one to expand
            return value.understanding.source in ("llm", "llm-single")
        return True

    async def finish(self, value: Understood, candidates: Sequence[SubQuery] | None, context: Context) -> Expansion:
        """Guard, fill up, iterate, process and cut ``candidates`` (None: rules make them)."""
        kept, dropped = await self._guarded(value, candidates, context)
        if candidates is not None:  # a list that rules made is not worth a model's judgement
            kept, dropped = await self._iterated(value, kept, dropped, context)
        expansion = self.alone(value, with_demands(kept, value.query.text, context.filterable), dropped)
        return self._cut(await processed(expansion, self._processors, context))

    async def _by_model(self, value: Understood, context: Context) -> tuple[SubQuery, ...] | None:
        understanding = value.understanding
        if understanding.proposals and self._mode in ("llm-single", "auto"):
            return understanding.proposals
        if self._asker is None:
            return None
        tier = context.tier(understanding.kind)
        prompt = self._asker.prompt(
            "expand",
            self.payload(value, context),
            language=understanding.language,
            count=self._settings.limit,
            strategies=self.labels,
            tier=tier,
        )
        try:
            return await self._asker.ask(prompt, self.read, context, tier=tier)
        except (ProviderError, BudgetExceeded, DraftError) as error:
            context.degrade("expand", "rules", str(error))
            return None

    def payload(self, value: Understood, context: Context) -> dict[str, Any]:
        """What the model is told: the query, its analysis, and the date where it matters."""
        query, understanding = value.query, value.understanding
        now, _ = moment(query, self._profile, context.clock)
        parts: dict[str, Any] = {
            "query": shown(understanding.standalone or clean(query.text).text),
            "analysis": analysis_json(understanding),
            "today": spoken_date(query, now),
        }
        return {key: part for key, part in parts.items() if part}

    def read(self, text: str) -> Reading[tuple[SubQuery, ...]]:
        """Read the model's list of queries."""
        parsed = parse_queries(text)
        queries = read_queries(parsed.value or (), self.labels)
        return Reading(queries or None, parsed.rung, parsed.error or (None if queries else "it holds no query"))

    def item(self, data: Mapping[str, Any]) -> tuple[SubQuery, ...] | None:
        """Read one entry of a batch's answer; None where it holds no query."""
        return read_queries(queries_in(data), self.labels) or None

    async def _guarded(
        self, value: Understood, candidates: Sequence[SubQuery] | None, context: Context
    ) -> tuple[tuple[SubQuery, ...], tuple[Dropped, ...]]:
        if candidates is None:
            made = await self._by_rules(value, self._chosen(value, context), context)
            return self._guard(value.query, value.understanding, made, context)
        return await self._mixed(value, candidates, context)

    def _chosen(self, value: Understood, context: Context) -> Sequence[str]:
        return self._settings.strategies or rules.choose(value.query, value.understanding, context.knowledge)

    async def _mixed(
        self, value: Understood, candidates: Sequence[SubQuery], context: Context
    ) -> tuple[tuple[SubQuery, ...], tuple[Dropped, ...]]:
        """A model's candidates with what rules add; they are asked for more only where there are places for it."""
        limit = self._settings.limit
        beside = [s for s in (self._settings.strategies or ("spelling",)) if s not in MODEL_STRATEGIES]
        mix = Mix(value, context.knowledge, beside=frozenset(beside))
        model, made, kept, dropped = Parted(), (), (), ()
        read = value
        for everything in (False, True) if len(candidates) >= limit else (True,):
            names = [*beside, *self._chosen(value, context)] if everything else beside
            if everything:
                read = self._read_by_rules(value, context)
            by_rules = await self._by_rules(read, names, context)
            kept, dropped = self._guard(value.query, value.understanding, (*candidates, *by_rules), context)
            model = mix.parted([query for query in kept if query not in by_rules])
            made = tuple(query for query in kept if query in by_rules)
            if len(model.stay) >= limit:
                break
        if told := none_held(candidates, made, kept, dropped):
            context.note(told)
        return mix.filled(model, made, limit=limit, needs=read.understanding.implicit_needs), dropped

    def _read_by_rules(self, value: Understood, context: Context) -> Understood:
        """The query as rules read it: what a weak model took for a need or a part would spoil their queries as well."""
        query, standalone = value.query, value.understanding.standalone
        if standalone:
            query = replace(query, text=standalone, history=())
        read = self._read(query, context)
        senses = value.understanding.senses  # held against the query when they were taken over
        return replace(value, understanding=replace(read, standalone=standalone or read.standalone, senses=senses))

    async def _by_rules(self, value: Understood, names: Sequence[str], context: Context) -> tuple[SubQuery, ...]:
        known = dict.fromkeys(name for name in names if name in self._strategies)
        lasting = [name for name in known if not reads_hits(self._strategies[name])]
        return await self._run(value.query, value.understanding, lasting, context) if lasting else ()

    async def _run(
        self, query: Query, understanding: Understanding, names: Sequence[str], context: Context
    ) -> tuple[SubQuery, ...]:
        with context.span("strategies", names=", ".join(names)):
            now, _ = moment(query, self._profile, context.clock)
            picked = {name: self._strategies[name] for name in names if name != "site" or not demands_site(query.text)}
            query, understanding = worded(query, understanding, context.filterable)
            query = replace(query, now=now)  # the year of a template is the user's, not Greenwich's
            return await rules.expand(query, understanding, context, picked, filtered=context.filterable)

    def _guard(
        self, query: Query, understanding: Understanding, made: Sequence[SubQuery], context: Context
    ) -> tuple[tuple[SubQuery, ...], tuple[Dropped, ...]]:
        query, understanding = worded(query, understanding, context.filterable)
        idle = () if self._web else tuple([q for q in made if q.target == "web"])
        lost = tuple([Dropped(text=q.text, reason=_NO_WEB, strategy=q.strategy) for q in idle])
        if self._asker is not None:
            told = self._asker.repeating(made, query.text)
            lost += tuple([Dropped(text=q.text, reason="repeats the instructions", strategy=q.strategy) for q in told])
            idle += told
        with context.span("guard", candidates=len(made)):
            kept, dropped = guard(
                query,
                understanding,
                [q for q in made if q not in idle] if idle else made,
                settings=self._settings,
                knowledge=context.knowledge,
                filtered=context.filterable,
            )
        return kept, (*dropped, *lost)

    async def _iterated(
        self, value: Understood, kept: tuple[SubQuery, ...], dropped: tuple[Dropped, ...], context: Context
    ) -> tuple[tuple[SubQuery, ...], tuple[Dropped, ...]]:
        """Let the model judge the list; what it adds takes its place within the limit."""
        limit = self._settings.limit
        if self._asker is None:
            return kept, dropped
        for _ in range(self._settings.iterate):
            try:
                step = await iterate(value, kept[:limit], self._asker, context, limit=limit, strategies=self.labels)
            except (ProviderError, BudgetExceeded, DraftError) as error:
                context.degrade("expand", "without iterating", str(error))
                break
            marginal = [
                Dropped(text=q.text, reason="marginal, by the model", strategy=q.strategy) for q in step.marginal
            ]
            stay = max(0, limit - len(step.added))
            again = (*step.kept[:stay], *step.added, *step.kept[stay:], *kept[limit:])
            kept, lost = self._guard(value.query, value.understanding, again, context)
            dropped = (*dropped, *marginal, *lost)
            if not step.added:
                break
        return kept, dropped

    def _cut(self, expansion: Expansion) -> Expansion:
        limit = self._settings.limit
        queries, over = expansion.queries[: limit + 1], expansion.queries[limit + 1 :]
        cut = tuple(Dropped(text=q.text, reason=f"over the limit of {limit}", strategy=q.strategy) for q in over)
        read = expansion.understanding
        foreign = read.language if read.source in ("rules", "raw") and read.language not in _OURS else ""
        notes = (*expansion.notes, *rules.shortfall(queries, expansion.dropped, limit=limit, foreign=foreign))
        return replace(expansion, queries=queries, dropped=(*expansion.dropped, *cut), notes=notes)
