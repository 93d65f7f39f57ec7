"""A plugin as others would write it: notes kept per user, with a section ``notes`` and operations on it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any, ClassVar, Literal

import click
from pydantic import BaseModel, Field, SecretStr

from qx import Contribution, Engine, hookimpl
from qx.cli.public import ProfileChoice, load, open_engine, profile_options, run, write_json
from qx.errors import Unavailable
from qx.hookspecs import Services
from qx.llm import CompletionRequest, Message
from qx.model import Model
from qx.operation import Principal


class Store(Model):
    type: Literal["memory", "remote"] = "memory"
    url: str | None = None
    token: SecretStr | None = None
    path: str | None = None


class NotesSettings(Model):
    limit: int = Field(default=3, ge=1, le=50)
    store: Store = Store()


class Notes:
    """The section: what the notes of this engine are kept in."""

    Settings = NotesSettings
    opened: ClassVar[list[Notes]] = []
    failing = 0

    def __init__(self, settings: NotesSettings, tenant: str) -> None:
        self.settings = settings
        self.tenant = tenant
        self.kept: dict[str, list[str]] = {}
        self.closed = False
        self.services: Any = None

    @classmethod
    async def create(cls, settings: NotesSettings, services: Services, /) -> Notes:
        await asyncio.sleep(0)
        if cls.failing:
            cls.failing -= 1
            raise Unavailable("the store of the notes is down")
        made = cls(settings, services.tenant)
        made.services = services
        cls.opened.append(made)
        return made

    async def aclose(self) -> None:
        self.closed = True


class Plain:
    """A section that opens nothing."""

    class Settings(Model):
        colour: str = "white"


class Add:
    """Keep a note of the user."""

    needs_user = True

    class Request(Model):
        text: str = Field(description="What is to be kept.")
        tags: tuple[str, ...] = ()

    class Result(Model):
        count: int

    async def run(self, engine: Engine, request: Any, principal: Principal, /) -> AsyncIterator[BaseModel]:
        notes: Notes = await engine.section("notes")
        mine = notes.kept.setdefault(principal.user or "", [])
        mine.append(request.text)
        yield self.Result(count=len(mine))


class Reading(Model):
    """Where it is."""

    n: int
    of: int


class Warned(Model):
    why: str


class Ask:
    """Search, read the first hits and let the model say something of them."""

    class Request(Model):
        question: str
        limit: int = Field(default=2, ge=1, le=5)
        style: Literal["short", "long"] = "short"
        read: bool = True

    class Result(Model):
        answer: str
        hits: tuple[str, ...] = ()
        degraded: tuple[str, ...] = ()
        calls: int = 0

    Events = (Reading, Warned)
    left: ClassVar[list[str]] = []

    async def run(self, engine: Engine, request: Any, principal: Principal, /) -> AsyncIterator[BaseModel]:
        context = engine.begin(request.question, step="ask")
        try:
            found = await context.search(request.question, limit=request.limit)
            for number, _ in enumerate(found.hits, 1):
                yield Reading(n=number, of=len(found.hits))
            text = ""
            if context.has_model:
                messages = (Message(role="user", content=request.question),)
                async for delta in context.stream(CompletionRequest(model="", messages=messages)):
                    text += delta.text
            yield self.Result(
                answer=text,
                hits=tuple(hit.id for hit in found.hits),
                degraded=tuple(one.rung for one in context.degraded),
                calls=context.usage.calls,
            )
        finally:
            self.left.append(request.question)

    def text(self, item: BaseModel, /) -> str:
        if isinstance(item, Reading):
            return f"reading {item.n} of {item.of}"
        return f"Answer: {item.answer}" if isinstance(item, self.Result) else ""


class Count:
    """Count to a number, slowly."""

    class Request(Model):
        to: int = 3

    class Step(Model):
        n: int

    class Result(Model):
        total: int

    Events = (Step,)

    async def run(self, engine: Engine, request: Any, principal: Principal, /) -> AsyncIterator[BaseModel]:
        for n in range(request.to):
            await asyncio.sleep(1)
            yield self.Step(n=n + 1)
        yield self.Result(total=request.to)


@click.command()
def shout() -> None:
    """Say it aloud."""
    click.echo("NOTES")


@click.command()
@profile_options
@click.pass_context
def limit(ctx: click.Context, choice: ProfileChoice) -> None:
    """Print the limit of the profile's notes."""
    profile = load(choice, ctx)

    async def work() -> int:
        async with open_engine(profile, ctx) as engine:
            return (await engine.section("notes")).settings.limit

    write_json({"limit": run(work())})


@hookimpl
def qx_profile_sections() -> list[Contribution[Any]]:
    return [
        Contribution(name="notes", target="notebook:Notes", help="Notes that users keep."),
        Contribution(name="plain", target="notebook:Plain"),
    ]


@hookimpl
def qx_operations() -> list[Contribution[Any]]:
    return [
        Contribution(name="notes.add", target="notebook:Add", help="Keep a note."),
        Contribution(name="notes.ask-all", target="notebook:Ask", help="Ask about what is found."),
        Contribution(name="count", target="notebook:Count"),
    ]


@hookimpl
def qx_commands() -> list[Contribution[Any]]:
    return [
        Contribution(name="notes.shout", target="notebook:shout", help="Say it aloud."),
        Contribution(name="notes.limit", target="notebook:limit"),
    ]
