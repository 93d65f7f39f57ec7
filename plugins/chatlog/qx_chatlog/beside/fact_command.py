"""``qx chat fact set | get | list | delete``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, TypeVar

import click

from qx.cli.public import Call, ProfileChoice, profile_options, write_json, write_lines

F = TypeVar("F", bound=Callable[..., Any])


@click.group(help="Facts that a user keeps beside the log.")
def fact() -> None:
    """Make the group."""


def _options(function: Callable[..., Mapping[str, str]]) -> click.Command:
    """The command of ``function``, which says what is asked."""

    @profile_options
    @click.option("--user", metavar="USER", help="Whose facts they are.")
    @click.option("--json", "as_json", is_flag=True, help="Print the result as one JSON document.")
    @click.pass_context
    @wraps(function)
    def command(ctx: click.Context, choice: ProfileChoice, user: str | None, as_json: bool, **given: Any) -> None:
        from qx_chatlog.beside.fact_operation import Fact

        result = Call("chat.fact", function(**given), choice, user).run(ctx)
        if as_json:
            write_json(result.model_dump(mode="json"))
        else:
            write_lines(Fact().text(result).splitlines())

    return click.command(help=function.__doc__)(command)


def _set(name: str, value: tuple[str, ...], message: str) -> Mapping[str, str]:
    """Note what holds now; what held before stays beside it."""
    return {"action": "set", "name": name, "value": " ".join(value), "message": message}


def _get(name: str) -> Mapping[str, str]:
    """Show one fact with its earlier values."""
    return {"action": "get", "name": name}


def _list() -> Mapping[str, str]:
    """Show all facts, the latest first."""
    return {"action": "list"}


def _delete(name: str) -> Mapping[str, str]:
    """Remove one fact with its earlier values."""
    return {"action": "delete", "name": name}


_NAME = click.argument("name", metavar="NAME")
_VALUE = click.argument("value", metavar="VALUE...", nargs=-1, required=True)
_MESSAGE = click.option("--message", default="", metavar="ID", help="The message that it comes from.")

# click adds an argument behind those that are there
fact.add_command(_MESSAGE(_VALUE(_NAME(_options(_set)))), "set")
fact.add_command(_NAME(_options(_get)), "get")
fact.add_command(_options(_list), "list")
fact.add_command(_NAME(_options(_delete)), "delete")
