"""The operation ``chat.fact``: facts that a user keeps beside the log."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any, Literal
from zoneinfo import ZoneInfo

from pydantic import BaseModel, Field, SerializerFunctionWrapHandler, model_serializer

from qx.errors import UsageError
from qx.model import Model
from qx_chatlog.beside import facts

if TYPE_CHECKING:
    from qx.engine import Engine
    from qx.operation import Principal


class Value(Model):
    """A value that a fact had before."""

    value: str
    time: str


class FactShown(Model):
    """A fact as it holds now; times are ISO 8601 in the user's zone."""

    name: str
    value: str
    time: str
    message_id: str | None = None
    before: tuple[Value, ...] = ()

    @model_serializer(mode="wrap")
    def _plain(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        data = handler(self)
        return {key: item for key, item in data.items() if item or key not in ("message_id", "before")}


class Facts(Model):
    """Facts, the latest first; of ``delete``: those that were there."""

    facts: tuple[FactShown, ...] = ()


class Fact:
    """Keep facts of a user beside the log: set, get, list, delete. Old values stay with them; every fact has its day."""

    needs_user = True
    Result = Facts

    class Request(Model):
        action: Literal["set", "get", "list", "delete"] = Field(description="What to do.")
        name: str = Field(default="", description="What the fact is about.", max_length=200)
        value: str = Field(default="", description="Of set: what holds now.", max_length=4000)
        message: str = Field(default="", description="Of set: the id of the message that it comes from.")

    async def run(self, engine: Engine, request: Request, principal: Principal, /) -> AsyncIterator[BaseModel]:
        store = (await engine.section("chat")).store
        zone = ZoneInfo(engine.profile.timezone)
        name = " ".join(request.name.split())
        if request.action == "set":
            now = engine.begin("", step="chat.fact").clock.now()
            await facts.put(store, principal, name, request.value, now=now, message=request.message or None)
        elif request.action != "list" and not name:
            raise UsageError(f"{request.action}: say which fact")
        found = await facts.known(store, principal, None if request.action == "list" else name)
        if request.action == "delete":
            await store.drop_notes(principal, facts.KIND, key=name)
        yield Facts(facts=tuple(_shown(fact, zone) for fact in found))

    def text(self, item: BaseModel) -> str:
        """Return facts a line each."""
        listed = item.facts if isinstance(item, Facts) else ()
        return "\n".join(map(_line, listed)) or "no such fact"


def _shown(fact: facts.Fact, zone: ZoneInfo) -> FactShown:
    def told(time: Any) -> str:
        return time.astimezone(zone).isoformat(timespec="seconds")

    before = tuple(Value(value=text, time=told(time)) for text, time in fact.before)
    return FactShown(name=fact.name, value=fact.value, time=told(fact.time), message_id=fact.message, before=before)


def _line(fact: FactShown) -> str:
    source = f" [{fact.message_id}]" if fact.message_id else ""
    earlier = f" (before: {'; '.join(one.value for one in fact.before)})" if fact.before else ""
    return f"{fact.time[:10]}  {fact.name}: {fact.value}{earlier}{source}"
