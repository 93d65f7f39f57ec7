"""The options of one request, and the ``Query`` and ``Profile`` that they come to."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from qx.cli.state import common_options

if TYPE_CHECKING:
    from qx.recording import Recording
    from qx.settings import Profile
    from qx.types import Query, Turn

MODES = ("rules", "llm", "llm-single", "auto")
MAX_BYTES = 4_000_000
"""Of standard input or a history file: more is a mistake, not a query."""


@dataclass(frozen=True, slots=True)
class ProfileChoice:
    """Which profile, and which file of environment variables."""

    profile: str | None
    env_file: Path | None


@dataclass(frozen=True, slots=True)
class Request:
    """What the command line asks, before the profile is known."""

    words: tuple[str, ...]
    choice: ProfileChoice
    mode: str | None
    now: datetime | None
    timezone: str | None
    language: str | None
    history: Path | None
    record: Path | None = None
    replay: Path | None = None
    user_class: str | None = None

    def recording(self) -> Recording | None:
        """Return the file that is recorded into or replayed, None where neither was asked for.

        Raises:
            click.UsageError: both were.
            ProfileError: there is nothing to replay.
        """
        return recording(self.record, self.replay)

    def text(self) -> str:
        """Return the query's text: the arguments, or standard input for ``-``.  Broken bytes are replaced."""
        if self.words == ("-",):
            return _read(sys.stdin.buffer.read(MAX_BYTES + 1), "standard input").rstrip("\r\n")
        # an argument that is not UTF-8 arrives with surrogates in it
        return os.fsencode(" ".join(self.words)).decode("utf-8", "replace")

    def query(self, profile: Profile) -> Query:
        """Return the query; a moment without a zone is in ``--timezone``, else the profile's."""
        from zoneinfo import ZoneInfo

        from qx.types import Query

        now = self.now
        if now is not None and now.tzinfo is None:
            now = now.replace(tzinfo=ZoneInfo(self.timezone or profile.timezone))
        turns = () if self.history is None else read_history(self.history)
        return Query(
            text=self.text(),
            language=self.language,
            now=now,
            timezone=self.timezone,
            history=turns,
            user_class=self.user_class,
        )

    def apply(self, profile: Profile) -> Profile:
        """Return ``profile`` with the mode that was asked for, in both steps."""
        if self.mode is None:
            return profile
        understand = profile.understand.model_copy(update={"mode": self.mode})
        expand = profile.expand.model_copy(update={"mode": None})
        return profile.model_copy(update={"understand": understand, "expand": expand})


def recording(record: Path | None, replay: Path | None) -> Recording | None:
    """Return the file that is recorded into or replayed; raises as ``Request.recording``."""
    from qx.recording import Recording

    if record and replay:
        raise click.UsageError("--record and --replay: give one of them")
    if record and not record.absolute().parent.is_dir():
        raise click.UsageError(f"--record: there is no folder {record.parent}")
    path = replay or record
    return Recording(path, "replay" if replay else "record") if path else None


def _read(data: bytes, what: str) -> str:
    if len(data) > MAX_BYTES:
        raise click.UsageError(f"{what}: more than {MAX_BYTES // 1_000_000} MB, the most that is read")
    return data.decode("utf-8", "replace").removeprefix("\ufeff")


def read_history(path: Path) -> tuple[Turn, ...]:
    """Read the earlier turns of a conversation: ``[{"role": "user", "content": "..."}]``, oldest first.

    Messages of other roles (system, tool) are no turns and are left out.

    Raises:
        click.UsageError: the file is not of that form; says where.
    """
    import json

    from qx.types import Turn

    form = 'a list like [{"role": "user", "content": "..."}]'
    try:
        with path.open("rb") as stream:
            messages = json.loads(_read(stream.read(MAX_BYTES + 1), f"--history {path}"))
    except OSError as error:
        raise click.UsageError(f"--history {path}: cannot be read: {error.strerror or error}") from error
    except json.JSONDecodeError as error:
        raise click.UsageError(f"--history {path}: not JSON: line {error.lineno}: {error.msg}") from error
    except RecursionError as error:
        raise click.UsageError(f"--history {path}: lists in lists, thousands deep: not {form}") from error
    except ValueError as error:  # a number of thousands of digits
        raise click.UsageError(f"--history {path}: not JSON that can be read: {error}") from error
    if not isinstance(messages, list):
        raise click.UsageError(f"--history {path}: not {form}")
    turns: list[Turn] = []
    for number, message in enumerate(cast("list[Any]", messages), 1):
        fields = cast("dict[str, Any]", message) if isinstance(message, dict) else {}
        role, content = fields.get("role"), fields.get("content")
        if role in ("system", "developer", "tool"):
            continue
        if role not in ("user", "assistant") or not isinstance(content, str):
            raise click.UsageError(f"--history {path}: message {number} is not as in {form}")
        turns.append(Turn(role=role, content=content))
    return tuple(turns)


def _moment(_ctx: click.Context, _parameter: click.Parameter, given: str | None) -> datetime | None:
    try:
        return None if given is None else datetime.fromisoformat(given)
    except ValueError as error:
        raise click.BadParameter(
            f"{given!r} is not a moment such as 2026-11-29T14:30 or 2026-11-29T14:30:00+08:00"
        ) from error


def _zone(_ctx: click.Context, _parameter: click.Parameter, given: str | None) -> str | None:
    from qx.zones import is_zone, zone_hint

    if given is not None and not is_zone(given):
        raise click.BadParameter(
            f"{given!r} is not an IANA time zone such as Asia/Shanghai or UTC ({zone_hint(given)})"
        )
    return given


def _tag(_ctx: click.Context, _parameter: click.Parameter, given: str | None) -> str | None:
    from qx.addresses import language_problem

    if given is not None and (problem := language_problem(given)):
        raise click.BadParameter(f"{given!r} is {problem}")
    return given


def complete_profile(_ctx: click.Context, _parameter: click.Parameter, incomplete: str) -> list[Any]:
    """Complete the names of profiles and the profile files of this folder; where there is none, any file.

    An item of type "file" beside names would be all that is offered: bash forgets the names then.
    """
    from click.shell_completion import CompletionItem

    from qx.profiles import list_profiles

    beside = sorted(path.name for ending in ("*.yaml", "*.yml") for path in Path().glob(ending))
    known = dict.fromkeys([*(entry.name for entry in list_profiles() if not entry.shadowed), *beside])
    found = [CompletionItem(name) for name in known if name.startswith(incomplete)]
    return found or [CompletionItem(incomplete, type="file")]


env_file_option = click.option(
    "--env-file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Read variables from this file besides ./.env; what is set already wins.",
)

_PROFILE = (
    click.option(
        "--profile",
        "-p",
        metavar="NAME|FILE",
        shell_complete=complete_profile,
        help="A profile: a file, or a name in ./profiles, $QX_HOME/profiles or built in.  [default: default]",
    ),
    env_file_option,
)

RECORDING = (
    click.option(
        "--record",
        type=click.Path(dir_okay=False, path_type=Path),
        metavar="FILE",
        help="Keep all that models and engines answer in FILE; what it holds already stays.",
    ),
    click.option(
        "--replay",
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
        metavar="FILE",
        help="Answer from what --record kept: no model and no engine is asked.",
    ),
)
"""The options ``record`` and ``replay`` (see ``recording``)."""

_REQUEST = (
    click.argument("words", metavar="TEXT", nargs=-1, required=True),
    *_PROFILE,
    click.option("--mode", type=click.Choice(MODES), help="How to read and expand, instead of what the profile says."),
    click.option("--now", metavar="ISO", callback=_moment, help='The moment that "yesterday" is relative to.'),
    click.option("--timezone", metavar="ZONE", callback=_zone, help="Where the user is; instead of the profile's."),
    click.option("--language", metavar="TAG", callback=_tag, help="The query's language; instead of finding out."),
    click.option(
        "--history",
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
        help='Earlier turns as JSON: [{"role": "user", "content": "..."}].',
    ),
    click.option("--user-class", metavar="NAME", help="What kind of user asks, for llm.tiers.routes of the profile."),
    *RECORDING,
)


def profile_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add ``--profile`` and ``--env-file``: the function gets ``choice``."""

    @functools.wraps(function)
    def wrapped(*, profile: str | None, env_file: Path | None, **others: Any) -> Any:
        return function(choice=ProfileChoice(profile, env_file), **others)

    return _decorate(wrapped, _PROFILE)


def request_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the argument TEXT and the options of a request: the function gets ``request``."""

    @functools.wraps(function)
    def wrapped(
        *,
        words: tuple[str, ...],
        profile: str | None,
        env_file: Path | None,
        mode: str | None,
        now: datetime | None,
        timezone: str | None,
        language: str | None,
        history: Path | None,
        record: Path | None,
        replay: Path | None,
        user_class: str | None,
        **others: Any,
    ) -> Any:
        choice = ProfileChoice(profile, env_file)
        request = Request(words, choice, mode, now, timezone, language, history, record, replay, user_class)
        return function(request=request, **others)

    return _decorate(wrapped, _REQUEST)


def _decorate(function: Callable[..., Any], options: tuple[Callable[..., Any], ...]) -> Callable[..., Any]:
    function = common_options(function)
    for option in reversed(options):
        function = option(function)
    return function
