"""The command of an operation: made from what its class declares, and run with its events shown as they come."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from qx.cli.operation_options import given, parameters
from qx.cli.output import Node, printable, write_json, write_lines, write_story
from qx.cli.request import RECORDING, ProfileChoice, profile_options, recording
from qx.cli.session import load, open_engine, run
from qx.cli.state import state_of
from qx.cli.streams import live_stdout

if TYPE_CHECKING:
    from pydantic import BaseModel

    from qx.errors import QxError
    from qx.operations.declared import Declared
    from qx.recording import Recording


def operation_command(operation: Declared) -> click.Command:
    """Return the command of ``operation``: its fields as arguments and options, and those that every operation has."""

    @profile_options
    @click.option("--user", metavar="USER", help="Whose data it is about.")
    @click.option("--events", "as_events", is_flag=True, help="Print every event as a line of JSON, the result last.")
    @click.option("--json", "as_json", is_flag=True, help="Print the result as one JSON document.")
    @RECORDING[0]
    @RECORDING[1]
    @click.pass_context
    def command(
        ctx: click.Context,
        choice: ProfileChoice,
        user: str | None,
        as_events: bool,
        as_json: bool,
        record: Path | None,
        replay: Path | None,
        **fields: Any,
    ) -> None:
        if as_json and as_events:
            raise click.UsageError("--json and --events: give one of them")
        request = given(operation.request, fields)
        tape = recording(record, replay)
        call = Call(operation.name, request, choice, user, tape, replays=replay is not None)
        with live_stdout() as write:
            tell = _event_lines(operation, write, ctx) if as_events else _progress(operation, ctx)
            result = call.run(ctx, tell)
        if as_json:
            write_json(_plain(result, ctx))
        elif not as_events:
            _show(operation, result, ctx)
        if (error := _failure(operation, result)) is not None:
            raise error

    made = click.command(operation.name.rpartition(".")[2], help=operation.description)(command)
    made.params = [*parameters(operation.request), *made.params]
    return made


@dataclass(frozen=True, slots=True)
class Call:
    """One call of an operation from the command line; plugins' own commands may use it."""

    operation: str
    request: Mapping[str, Any]
    choice: ProfileChoice
    user: str | None = None
    tape: Recording | None = None
    replays: bool = False

    def run(self, ctx: click.Context, tell: Callable[[BaseModel], None] = lambda event: None) -> BaseModel:
        """Open the profile's engine, call the operation, and return its result; ``tell`` is told every event at once.

        Raises:
            QxError: as ``Engine.call``.
        """
        from qx.operation import Principal

        profile = load(self.choice, ctx, lenient=self.replays)
        if self.tape is not None:
            profile = self.tape.profile(profile)
        principal = Principal(tenant=profile.tenant, user=self.user)

        async def work() -> BaseModel:
            last: BaseModel | None = None
            async with open_engine(profile, ctx, self.tape) as engine:
                call = partial(engine.call, self.operation, self.request, principal=principal)
                asked = {"user": self.user, **self.request}
                events = call() if self.tape is None else self.tape.call(self.operation, asked, profile, call)
                async with aclosing(events) as found:
                    async for last in found:
                        tell(last)
            if last is None:  # a call without a result raises
                raise AssertionError(self.operation)
            return last

        return run(work())


def _plain(item: BaseModel, ctx: click.Context) -> dict[str, Any]:
    """What is shown of ``item``, without secrets: a computed field may hold one too."""
    return state_of(ctx).redactor().value(item.model_dump(mode="json", by_alias=True))


def _event_lines(operation: Declared, write: Callable[[str], None], ctx: click.Context) -> Callable[[BaseModel], None]:
    """Every event as a line of JSON on standard output, at once."""

    def tell(event: BaseModel) -> None:
        line = {"event": operation.kind(event), "data": _plain(event, ctx)}
        write(json.dumps(line, ensure_ascii=False) + "\n")

    return tell


def _progress(operation: Declared, ctx: click.Context) -> Callable[[BaseModel], None]:
    """What a person sees on standard error while it works."""
    quiet = state_of(ctx).quiet

    def tell(event: BaseModel) -> None:
        if quiet or isinstance(event, operation.result):
            return
        for line in _text(operation, event).splitlines():
            with suppress(OSError):
                click.echo(printable(state_of(ctx).redact(line)), err=True)

    return tell


def _show(operation: Declared, result: BaseModel, ctx: click.Context) -> None:
    if _says_itself(operation):
        write_lines(state_of(ctx).redact(_text(operation, result)).splitlines())
        return
    root = Node("", operation.name)
    _grow(root, _plain(result, ctx))
    write_story(root)


def _failure(operation: Declared, result: BaseModel) -> QxError | None:
    """What the operation says has failed, whatever its result is."""
    from qx.containment import contained
    from qx.operation import SupportsFailure

    with contained(f"operation {operation.name}"):
        made = operation.make()
        return made.failure(result) if isinstance(made, SupportsFailure) else None


def _says_itself(operation: Declared) -> bool:
    """Whether what its class makes is ``SupportsText``; the class has the same names."""
    from qx.operation import SupportsText

    return isinstance(operation.make, SupportsText)


def _text(operation: Declared, item: BaseModel) -> str:
    """What the operation says of an event or result itself; else its name and its fields."""
    from qx.containment import contained

    if _says_itself(operation):
        with contained(f"operation {operation.name}"):
            return str(operation.make().text(item) or "")
    fields = item.model_dump(mode="json", by_alias=True)
    return f"{operation.kind(item)}: " + ", ".join(f"{key} {found}" for key, found in fields.items())


def _grow(node: Node, item: Mapping[str, Any] | Sequence[Any]) -> None:
    """Add plain data below ``node``."""
    pairs = item.items() if isinstance(item, Mapping) else [(str(n), one) for n, one in enumerate(item, 1)]
    for key, found in pairs:
        if isinstance(found, (Mapping, list)):
            _grow(node.add(key), cast("Mapping[str, Any] | Sequence[Any]", found))
        elif found is not None:
            node.add(key, str(found))
