"""``Engine.expand_many``: the steps of many queries, several queries to a model call."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from qx.memo import Memo
from qx.parts import Parts
from qx.report import noted, reported
from qx.request import RequestContext
from qx.steps.abstain import abstain
from qx.steps.ask import Asker
from qx.steps.batch import ask_batch, split
from qx.steps.drafts import DraftError, Stage
from qx.steps.prompt import prompt_language
from qx.types import Expansion, Query, SubQuery, Understanding, Understood

Alone = Callable[[Query], Awaitable[Expansion]]


@dataclass(slots=True)
class _Item:
    """One query on its way: ``done`` once it is expanded."""

    context: RequestContext
    base: Understanding
    stage: Stage | None
    tier: str | None
    understanding: Understanding | None = None
    candidates: tuple[SubQuery, ...] | None = None
    done: Expansion | None = None


class Many:
    """Expands many queries over one engine's parts.

    Args:
        alone: How one query is expanded by itself: for what needs no model, and what falls out of a batch.
    """

    def __init__(self, parts: Parts, memo: Memo, alone: Alone) -> None:
        self._parts = parts
        self._memo = memo
        self._alone = alone

    async def run(self, contexts: Sequence[RequestContext]) -> tuple[Expansion, ...]:
        """Return the expansions in the order of ``contexts``; equal queries are done once."""
        items: dict[Query, _Item] = {}
        for context in contexts:
            if context.query not in items:
                items[context.query] = await self._prepare(context)
        todo = [item for item in items.values() if item.done is None and item.stage is not None]
        await self._understand(todo)
        await self._expand([item for item in todo if item.understanding is not None])
        for item in items.values():
            if item.done is None:
                item.done = await self._alone(item.context.query)
        return tuple(_done(items[context.query]) for context in contexts)

    async def _prepare(self, context: RequestContext) -> _Item:
        context.budget = self._parts.budget()  # its time begins now, not when the list was handed in
        await context.route()
        kept = await self._memo.find("expand", Expansion, context)
        if kept is not None:
            item = _Item(context, kept.understanding, None, None)
            item.done = reported(kept, context)
            return item
        base = self._parts.understand.by_rules(context.query, context.at("understand"))
        stage, tier = self._parts.understand.plan(context.query, base, context)
        return _Item(context, base, stage, tier)

    async def _understand(self, items: Sequence[_Item]) -> None:
        step = self._parts.understand
        groups: dict[tuple[Stage, str | None, str], list[_Item]] = defaultdict(list)
        for item in items:
            if item.stage is not None:
                groups[item.stage, item.tier, prompt_language(item.base.language)].append(item)
        for (stage, tier, _), group in groups.items():
            payloads = [step.payload(i.context.query, i.context) for i in group]
            for item, entry in await self._ask(stage, tier, group, payloads, step.labels):
                try:
                    answer = step.reader(stage, item.context.knowledge).item(entry)
                except DraftError:
                    continue
                at = item.context.at("understand")
                item.understanding = step.finish(item.context.query, item.base, answer, stage, at)
                key = self._memo.key("understand", item.context)
                if key is not None:
                    await self._memo.keep(key, item.understanding, item.context.report)

    async def _expand(self, items: Sequence[_Item]) -> None:
        step = self._parts.expand
        values = {id(i): Understood(query=i.context.query, understanding=i.understanding or i.base) for i in items}
        asking = [i for i in items if self._needs_call(values[id(i)])]
        groups: dict[tuple[str, str | None], list[_Item]] = defaultdict(list)
        for item in asking:
            tier = item.context.tier(values[id(item)].understanding.kind)
            groups[prompt_language(item.base.language), tier].append(item)
        for (_, tier), group in groups.items():
            payloads = [step.payload(values[id(i)], i.context) for i in group]
            for item, entry in await self._ask("expand", tier, group, payloads, step.labels):
                item.candidates = step.item(entry)
        for item in items:
            expansion = await noted(item.context, partial(self._finished, item, values[id(item)]))
            key = self._memo.key("expand", item.context)
            if key is not None:
                await self._memo.keep(key, expansion, item.context.report)
            item.done = reported(expansion, item.context)

    async def _finished(self, item: _Item, value: Understood, at: RequestContext) -> Expansion:
        at.budget = self._parts.budget()
        step = self._parts.expand
        if item.candidates is None:  # abstained, made together with the analysis, or fallen out of the batch
            return await step(value, at)
        return await step.finish(value, item.candidates, at)

    def _needs_call(self, value: Understood) -> bool:
        step = self._parts.expand
        leave = abstain(value.query, value.understanding, self._parts.profile.expand.abstain)
        return step.wants_model(value) and not value.understanding.proposals and leave is None

    async def _ask(
        self,
        stage: Stage,
        tier: str | None,
        items: Sequence[_Item],
        payloads: Sequence[Mapping[str, Any]],
        labels: Sequence[str],
    ) -> list[tuple[_Item, Mapping[str, Any]]]:
        asker: Asker | None = self._parts.asker
        if asker is None or not items:
            return []
        profile = self._parts.profile
        language, count = items[0].base.language, profile.expand.limit
        empty = asker.prompt(stage, {}, language=language, count=count, strategies=labels, batch=True)
        overhead = sum(empty.tokens.values())
        window = items[0].context.capabilities(tier).context
        answered: list[tuple[_Item, Mapping[str, Any]]] = []
        answer = asker.answer_tokens(stage)
        for part in split(payloads, answer=answer, size=profile.expand.batch, overhead=overhead, window=window):
            first = items[part.start].context
            context = first.at("understand" if stage != "expand" else "expand")
            context.budget = self._parts.budget(len(part))
            chosen = [payloads[i] for i in part]
            before = len(context.report.degraded)
            entries = await ask_batch(
                stage, chosen, asker, context, language=language, count=count, strategies=labels, tier=tier
            )
            fell = context.report.degraded[before:]  # the call was everybody's: so is what became of it
            for i in part[1:]:
                items[i].context.report.degraded += fell
            answered += [(items[part.start + i], entry) for i, entry in sorted(entries.items())]
        return answered


def _done(item: _Item) -> Expansion:
    if item.done is None:
        raise RuntimeError("a query of expand_many was not expanded")  # run() leaves none undone
    return item.done
