"""A model decides what to search for next: by its own function calls, or by an object of the same calls."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from qx.errors import BadRequest, QxError, UsageError
from qx.llm import Completion, CompletionRequest, Message, Tool, ToolCall
from qx.repair import parse_object
from qx.serial import value
from qx.types import Turn
from qx_chatlog.asking import prompts
from qx_chatlog.asking.evidence import Evidence
from qx_chatlog.asking.question import Question
from qx_chatlog.asking.record import Searched
from qx_chatlog.asking.settings import RESERVE, AskSettings
from qx_chatlog.clipping import clip
from qx_chatlog.log import Log
from qx_chatlog.shown import Messages
from qx_chatlog.tools.calling import TOOLS, Called

AT_ONCE = 4
"""Calls of one turn; further ones are not made."""
_PER_CALL = 2000
"""Tokens of one call's results."""


NOT_NEEDED = Tool(
    name="not_needed",
    description="The question has nothing to do with earlier talk: no log is needed.",
    parameters={"type": "object", "properties": {}, "additionalProperties": False},
)
"""By which a model with function calls says what others say as ``needed: false``."""


class _Call(BaseModel):
    model_config = ConfigDict(extra="ignore")

    tool: str = ""
    arguments: dict[str, Any] = Field(default_factory=dict)


class Plan(BaseModel):
    """What a model without function calls of its own answers."""

    model_config = ConfigDict(extra="ignore")

    needed: bool = True
    notes: str = ""
    calls: list[_Call] = Field(default_factory=list[_Call])
    done: bool = False

    @field_validator("notes")
    @classmethod
    def _short(cls, text: str) -> str:
        return text[:600]


@value
class Step:
    """One turn of planning.

    Attributes:
        searched: What was searched, repeats and refused calls among them.
        new: How many messages are new.
        ended: The model asks for nothing more.
        needed: False: it says that no log is needed.
        readable: Whether its answer could be read at all.
    """

    searched: tuple[Searched, ...] = ()
    new: int = 0
    ended: bool = False
    needed: bool = True
    readable: bool = True


@dataclass(slots=True)
class Planner:
    """Plans and searches for one question, a turn at a time.

    Args:
        log: The principal's; a call names no user, and cannot.
        facts: What the user noted, for the prompt.
        history: The current conversation.

    Attributes:
        notes: What the model noted last.
    """

    log: Log
    question: Question
    evidence: Evidence
    settings: AskSettings
    facts: Sequence[Mapping[str, Any]] = ()
    history: Sequence[Turn] = ()
    notes: str = ""
    _calls: bool = True
    _asked: set[str] = field(default_factory=lambda: set[str]())
    _told: list[Message] = field(default_factory=lambda: list[Message]())
    _searched: list[Searched] = field(default_factory=lambda: list[Searched]())

    def note(self, searched: Sequence[Searched]) -> None:
        """Take down what was searched before the model was asked."""
        self._searched += searched
        self.log.seen = self.evidence.sessions

    async def step(self) -> Step:
        """Ask the model once, and make the calls that it asks for, together.

        Raises:
            ProviderError, BudgetExceeded: it does not answer.
        """
        native = self._calls and self.log.context.capabilities().tools
        completion = await self._complete(native=native)
        if completion.tool_calls:
            return await self._native(completion)
        plan = _read(completion)
        if plan is None:
            # a model with function calls that calls none and writes prose has enough
            ended = native and self._calls and bool(completion.text.strip()) and bool(self.evidence.messages)
            return Step(ended=ended, readable=ended)
        self.notes = plan.notes or self.notes
        if not plan.needed and not self.evidence.messages:
            return Step(ended=True, needed=False)
        if not plan.calls:
            return Step(ended=True)
        called = await self._together([(call.tool, call.arguments) for call in plan.calls])
        return self._stepped(called)

    async def _complete(self, *, native: bool) -> Completion:
        """Ask; a model that takes no function calls after all is asked for an object."""
        try:
            return await self.log.context.complete(self._request(native=native))
        except BadRequest as error:
            if not native or self._told:
                raise
            self._calls = False
            self.log.context.degrade("chat.ask", "calls in an object", str(error))
            return await self.log.context.complete(self._request(native=False))

    async def _native(self, completion: Completion) -> Step:
        if completion.tool_calls[0].name == NOT_NEEDED.name and not self.evidence.messages:
            return Step(ended=True, needed=False)
        self.notes = completion.text[:600] or self.notes
        calls = completion.tool_calls[:AT_ONCE]
        self._told.append(Message(role="assistant", content=completion.text, tool_calls=calls))
        called = await self._together([(call.name, _arguments(call)) for call in calls])
        for call, (_, answer, _) in zip(calls, called, strict=True):
            self._told.append(Message(role="tool", content=answer, tool_call_id=call.id))
        return self._stepped(called)

    def _stepped(self, called: Sequence[tuple[Searched, str, int]]) -> Step:
        self.log.seen = self.evidence.sessions
        searched = tuple(one for one, _, _ in called)
        self._searched += searched
        return Step(searched=searched, new=sum(new for _, _, new in called))

    async def _together(self, calls: Sequence[tuple[str, Mapping[str, Any] | None]]) -> list[tuple[Searched, str, int]]:
        share = max(200, min(_PER_CALL, self.settings.tokens - self.evidence.tokens))
        return list(await asyncio.gather(*(self._call(tool, given, share) for tool, given in calls[:AT_ONCE])))

    async def _call(self, tool: str, given: Mapping[str, Any] | None, tokens: int) -> tuple[Searched, str, int]:
        """Make one call; whatever is wrong with it is its answer."""
        arguments = dict(given or {})
        key = json.dumps([tool, arguments], sort_keys=True, ensure_ascii=False, default=str)
        spec = TOOLS.get(tool.removeprefix("chat_"))
        failed = ""
        if spec is None:
            failed = f"there is no tool {tool[:40]!r}: use one of {', '.join(TOOLS)}"
        elif given is None:
            failed = "its arguments are no JSON object"
        elif key in self._asked:
            failed = "asked before: the answer is above"
        self._asked.add(key)
        if failed or spec is None:
            return _refused(tool, arguments, failed)
        try:
            called = await spec.call(self.log, _request_of(spec.request, arguments, tokens))
        except QxError as error:
            return _refused(tool, arguments, str(error))
        new = self.evidence.add(called.found)
        hits = sum(not one.context for one in called.found)
        return Searched(tool=spec.name, arguments=arguments, found=hits), _written(called), len(new)

    def _request(self, *, native: bool) -> CompletionRequest:
        tongue = prompts.tongue(self.question.chinese)
        system = prompts.PLAN[tongue] if native else f"{prompts.PLAN[tongue]}\n{prompts.FORM[tongue]}"
        payload = self._payload(with_found=not (native and self._told))
        bound = self.log.context.capabilities().schema and not native
        return CompletionRequest(
            model="",
            messages=(Message(role="system", content=system), _data(payload), *self._told),
            tools=(*(spec.tool() for spec in TOOLS.values()), NOT_NEEDED) if native else (),
            schema=plan_schema() if bound else None,
            max_tokens=self.settings.answer_tokens,
            timeout=self._left(),
        )

    def _left(self) -> float:
        """Seconds for a plan: what is left, less what the answer needs."""
        left = self.log.context.budget.remaining().seconds
        return max(1.0, (self.settings.seconds if left is None else left) - RESERVE * self.settings.seconds)

    def _payload(self, *, with_found: bool) -> dict[str, Any]:
        question = self.question
        payload: dict[str, Any] = {
            "question": question.text,
            "now": self.log.now.strftime("%Y-%m-%d %H:%M %A"),
            "keywords": [*question.keywords, *question.resolved],
        }
        if self.history:
            payload["conversation"] = [{"role": turn.role, "content": turn.content[:500]} for turn in self.history[-8:]]
        if self.facts:
            payload["facts"] = list(self.facts)
        if self.notes:
            payload["notes"] = self.notes
        if with_found and self._searched:
            payload["searched"] = [one.model_dump(mode="json") for one in self._searched[-8:]]
        if with_found and self.evidence.messages:
            payload["found"] = [_brief(self.log, one) for one in self.evidence.best(12)]
        return payload


def plan_schema() -> dict[str, Any]:
    """Return the JSON Schema of a plan: the arguments of all tools side by side, so that small models fill them in."""
    text = {"type": "string", "maxLength": 200}
    arguments = {
        "type": "object",
        "properties": {
            **dict.fromkeys(("text", "when", "message", "time", "session", "speaker"), text),
            "order": {"enum": ["relevance", "newest", "oldest"]},
            "role": {"enum": ["user", "assistant"]},
            "participants": {"type": "array", "items": text, "maxItems": 4},
        },
        "additionalProperties": False,
    }
    call = {
        "type": "object",
        "properties": {"tool": {"enum": list(TOOLS)}, "arguments": arguments},
        "required": ["tool", "arguments"],
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": {
            "needed": {"type": "boolean"},
            "notes": {"type": "string", "maxLength": 300},
            "calls": {"type": "array", "items": call, "maxItems": AT_ONCE},
            "done": {"type": "boolean"},
        },
        "required": ["needed", "notes", "calls", "done"],
        "additionalProperties": False,
    }


def _read(completion: Completion) -> Plan | None:
    """The plan that a model wrote; None where it wrote something else."""
    parsed = parse_object(completion.text, Plan)
    plan = parsed.value
    if plan is None or not plan.model_fields_set & {"calls", "done", "needed"}:
        return None
    return plan


def _arguments(call: ToolCall) -> Mapping[str, Any] | None:
    try:
        found: Any = json.loads(call.arguments or "{}")
    except (ValueError, RecursionError):
        return None
    return cast("dict[str, Any]", found) if isinstance(found, dict) else None


def _request_of(model: type[BaseModel], arguments: Mapping[str, Any], tokens: int) -> BaseModel:
    """The request of a call, its results limited to ``tokens``.

    Raises:
        UsageError: it does not fit; says which field.
    """
    given = {key: item for key, item in arguments.items() if item not in (None, "", [], {})}
    if "text" in model.model_fields:
        given.setdefault("text", "")
    try:
        request = model.model_validate(given)
    except ValidationError as error:
        fields = ", ".join(".".join(map(str, one["loc"])) or "?" for one in error.errors(include_input=False))
        raise UsageError(f"these fields do not fit: {fields}") from None
    if "tokens" in model.model_fields:
        return request.model_copy(update={"tokens": min(tokens, getattr(request, "tokens"))})  # noqa: B009
    return request


def _refused(tool: str, arguments: Mapping[str, Any], reason: str) -> tuple[Searched, str, int]:
    noted = Searched(tool=tool[:40], arguments=arguments, note=reason)
    return noted, json.dumps({"error": reason}, ensure_ascii=False), 0


def _written(called: Called) -> str:
    shown = called.shown
    if isinstance(shown, Messages):
        dropped = {"user", "score"}
        data = shown.model_dump(mode="json")
        data["messages"] = [{k: v for k, v in one.items() if k not in dropped} for one in data["messages"]]
        return json.dumps(data, ensure_ascii=False)
    return json.dumps(shown.model_dump(mode="json"), ensure_ascii=False)


def _brief(log: Log, message: Any) -> dict[str, str]:
    sent = message.time.astimezone(log.zone).strftime("%Y-%m-%d %H:%M %a")
    return {
        "id": message.id,
        "session": message.session,
        "time": sent,
        "who": message.who,
        "content": clip(message.content, 120),
    }


def _data(payload: Mapping[str, Any]) -> Message:
    return Message(role="user", content=json.dumps(payload, ensure_ascii=False))
