"""``qx chat ask``: as made from the operation, with the current conversation read from a file."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, cast

import click

from qx.cli.public import operation_command
from qx.operations.declared import declared
from qx_chatlog.asking.operation import Ask

_MOST = 2_000_000
_LINE = re.compile(r"(?P<role>user|assistant|我|用户|助手)\s*[:：]\s*(?P<content>.+)", re.IGNORECASE)
_ROLES = {"我": "user", "用户": "user", "助手": "assistant"}
_TURNS = 200


def conversation(text: str) -> list[dict[str, str]]:
    """Read the current conversation: a JSON list of turns, one turn a line, or lines such as ``user: …``.

    Raises:
        ValueError: it starts as JSON and is not that.
    """
    if text.lstrip().startswith("["):
        found: Any = json.loads(text)
    elif text.lstrip().startswith("{"):
        found = [json.loads(line) for line in text.splitlines() if line.strip()]
        if len(found) == 1 and "messages" in found[0]:
            found = found[0]["messages"]
    else:
        return _plain(text)
    if not isinstance(found, list):
        raise ValueError("it is not a list of turns")
    return [turn for one in cast("list[Any]", found) if (turn := _turn(one)) is not None][-_TURNS:]


def _turn(item: Any) -> dict[str, str] | None:
    """A turn; None for what is neither the person's nor the assistant's."""
    turn = cast("dict[str, Any]", item) if isinstance(item, dict) else {}
    role, content = turn.get("role", "user"), turn.get("content")
    if not (isinstance(role, str) and isinstance(content, str)):
        raise ValueError("every turn has a role and a content, both text")
    return {"role": role, "content": content} if role in ("user", "assistant") else None


def _plain(text: str) -> list[dict[str, str]]:
    turns: list[dict[str, str]] = []
    for line in text.splitlines():
        if match := _LINE.fullmatch(line.strip()):
            role = match["role"].casefold()
            turns.append({"role": _ROLES.get(role, role), "content": match["content"]})
        elif turns:
            turns[-1]["content"] += f"\n{line}"
        elif line.strip():
            turns.append({"role": "user", "content": line})
    return turns[-_TURNS:]


def _read(ctx: click.Context, parameter: click.Parameter, path: Path | None) -> tuple[str, ...]:
    if path is None:
        return ()
    try:
        with click.open_file(str(path), encoding="utf-8") as file:
            text = file.read(_MOST + 1)
        if len(text) > _MOST:
            raise ValueError(f"it has more than {_MOST} characters")
        turns = conversation(text)
    except (OSError, ValueError) as error:
        raise click.BadParameter(f"{path}: {error}") from None
    return tuple(json.dumps(turn, ensure_ascii=False) for turn in turns)


def _command() -> click.Command:
    command = operation_command(declared("chat.ask", Ask))
    option = click.Option(
        ["--context", "field_context"],
        type=click.Path(dir_okay=False, allow_dash=True, path_type=Path),
        callback=_read,
        help="The current conversation: a file of turns as JSON, or lines such as `user: …` (- for standard input).",
    )
    command.params = [option if one.name == "field_context" else one for one in command.params]
    return command


ask = _command()
"""``qx chat ask``."""
