"""Prompts: templates compiled once, few-shot chosen per query, the query last and as JSON data."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any, Literal, get_args

from qx.domain import Example, Knowledge
from qx.llm import Message
from qx.serial import value
from qx.settings import Prompts, Variant
from qx.steps import drafts
from qx.steps.drafts import MODEL_STRATEGIES, Stage
from qx.steps.instructions import Instructions
from qx.text import normalise, tokens

Language = Literal["zh", "en"]
_WRITTEN = json.JSONEncoder(ensure_ascii=False).encode


@value
class RenderedPrompt:
    """``tokens`` estimates each part: ``system``, ``examples``, ``query``."""

    step: str
    messages: tuple[Message, ...]
    schema: Mapping[str, Any]
    tokens: Mapping[str, int]


@value
class _Shot:
    """A few-shot example as one stage shows it; ``cost`` is in tokens."""

    text: str
    messages: tuple[Message, Message]
    cost: int


def prompt_language(tag: str) -> Language:
    """The language of the instructions for a query in ``tag``: Chinese for Chinese, else English."""
    return "zh" if tag.startswith("zh") else "en"


class PromptBook:
    """All prompts of one engine.

    Args:
        knowledge: Intents, fields and examples.
        slots: The profile's plain-text slots and variant.
        examples: How many few-shot examples at most.
        example_tokens: And how many tokens they may take together.
    """

    def __init__(self, knowledge: Knowledge, slots: Prompts, *, examples: int, example_tokens: int) -> None:
        import jinja2  # imported late: only engines with a model need it

        environment = jinja2.Environment(
            loader=jinja2.PackageLoader("qx", "prompts"),
            autoescape=False,  # noqa: S701 plain text for a model, not HTML
            undefined=jinja2.StrictUndefined,
            keep_trailing_newline=False,
        )
        for name in environment.list_templates():  # what a template includes would else be compiled when it is rendered
            environment.get_template(name)
        self._templates = {
            (stage, language): environment.get_template(f"{stage}.{language}.j2")
            for stage in ("understand", "expand", "single", "iterate")
            for language in ("zh", "en")
        }
        self._knowledge = knowledge
        self._slots = slots
        self._system = lru_cache(maxsize=64)(self._rendered)  # neither of the two depends on the query
        self._schema = lru_cache(maxsize=64)(self._shaped)
        self._shots: dict[tuple[Stage, Language], list[_Shot]] = {
            (stage, language): [_shot(stage, e) for e in knowledge.examples if prompt_language(e.language) == language]
            for stage in get_args(Stage)
            for language in get_args(Language)
        }
        self._examples = examples
        self._example_tokens = example_tokens
        notes = [slots.domain_notes, *(knowledge.prompts.get(k, "") for k in ("domain_notes",))]
        hints = [slots.intent_hints, knowledge.prompts.get("intent_hints", "")]
        rules = [slots.extra_rules, knowledge.prompts.get("extra_rules", "")]
        self._filled = {
            "role": slots.role or knowledge.prompts.get("role", ""),
            "domain_notes": "\n".join(n for n in notes if n),
            "extra_rules": "\n".join(r for r in rules if r),
            "intent_hints": "\n".join(h for h in hints if h),
        }

    @cached_property
    def instructions(self) -> Instructions:
        """What all the prompts tell a model, the words of the profile and its packs among it."""
        return Instructions(*self._filled.values())

    def render(
        self,
        stage: Stage,
        payload: Mapping[str, Any],
        *,
        language: str,
        count: int,
        strategies: Sequence[str] | None = None,
        variant: Variant | None = None,
        think: bool = False,
        batch: bool = False,
    ) -> RenderedPrompt:
        """Render one stage for ``payload``, which becomes the last message as JSON."""
        tongue = prompt_language(language)
        variant = variant or self._slots.variant
        labels = tuple(strategies or MODEL_STRATEGIES)
        system = self._system(stage, tongue, variant, count=count, labels=labels, think=think, batch=batch)
        shown = (
            () if batch or variant == "reasoning" else self._few_shot(stage, str(payload.get("query", "")), language)
        )
        messages = (Message(role="system", content=system), *shown, _data(payload))
        schema = self._schema(stage, labels, count, batch)
        return RenderedPrompt(step=stage, messages=messages, schema=schema, tokens=_tokens(messages))

    def render_iteration(
        self, payload: Mapping[str, Any], *, language: str, count: int, strategies: Sequence[str]
    ) -> RenderedPrompt:
        """Render the question what a set of queries still lacks."""
        template = self._templates["iterate", prompt_language(language)]
        shape = drafts.shape("expand", iterate=True)
        system = template.render(slots=self._filled, count=count, strategies=strategies, shape=shape)
        messages = (Message(role="system", content=system), _data(payload))
        schema = drafts.coverage_schema(strategies, count)
        return RenderedPrompt(step="iterate", messages=messages, schema=schema, tokens=_tokens(messages))

    def _shaped(self, stage: Stage, labels: tuple[str, ...], count: int, batch: bool) -> Mapping[str, Any]:
        return drafts.schema(stage, self._knowledge, labels, count, batch=batch)

    def _rendered(
        self,
        stage: Stage,
        tongue: Language,
        variant: Variant,
        *,
        count: int,
        labels: tuple[str, ...],
        think: bool,
        batch: bool,
    ) -> str:
        taxonomy = self._knowledge.taxonomy
        intents = [
            {"id": i.id, "definition": i.definition.get(tongue) or next(iter(i.definition.values()), "")}
            for i in taxonomy.intents
        ]
        return self._templates[stage, tongue].render(
            slots=self._filled,
            variant=variant,
            think=think,
            batch=batch,
            count=count,
            strategies=labels,
            intents=intents,
            fields=[f.id + (f" ({f.unit})" if f.unit else "") for f in taxonomy.fields],
            shape=drafts.shape(stage),
        )

    def _few_shot(self, stage: Stage, text: str, language: str) -> tuple[Message, ...]:
        """The nearest examples in the query's own language (mixed languages make small models switch)."""
        own = sorted(
            self._shots[stage, prompt_language(language)], key=lambda shot: -normalise.similarity(shot.text, text)
        )
        messages: list[Message] = []
        left = self._example_tokens
        for shot in own[: self._examples]:
            if shot.cost > left:
                continue
            left -= shot.cost
            messages = [*shot.messages, *messages]  # the nearest stands last, next to the query
        return tuple(messages)


def _shot(stage: Stage, example: Example) -> _Shot:
    ask: dict[str, Any] = {"query": example.text}
    answer: dict[str, Any] = {}
    if stage == "expand":
        ask["analysis"] = dict(example.understanding)
    else:
        answer |= example.understanding
    if stage != "understand":
        answer["queries"] = [dict(q) for q in example.queries]
    pair = (_data(ask), Message(role="assistant", content=json.dumps(answer, ensure_ascii=False)))
    return _Shot(text=example.text, messages=pair, cost=sum(tokens.estimate(m.content) for m in pair))


def _data(payload: Mapping[str, Any]) -> Message:
    return Message(role="user", content=_WRITTEN(payload))


def _tokens(messages: Sequence[Message]) -> dict[str, int]:
    system, *shown, query = (tokens.estimate(message.content) for message in messages)
    return {"system": system, "examples": sum(shown), "query": query}
