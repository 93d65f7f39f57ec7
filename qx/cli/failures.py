"""What becomes of an error: one line on stderr and an exit code; a traceback only with ``--debug``."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from qx.cli.output import printable

if TYPE_CHECKING:
    from qx.cli.state import State

USAGE, INTERNAL, INTERRUPTED, BROKEN_PIPE = 2, 5, 130, 141


def guarded(program: Callable[[], Any], state: State) -> int:
    """Run ``program`` and return its exit code; whatever it raises becomes a line and a code."""
    try:
        result = program()
        sys.stdout.flush()
    except BrokenPipeError:
        _forget_stdout()
        return BROKEN_PIPE
    except (KeyboardInterrupt, click.Abort):
        return INTERRUPTED
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else int(stop.code is not None)
    except click.ClickException as error:
        if type(error).__name__ == "NoArgsIsHelpError":  # from click 8.2 on an error, before it was the help
            click.echo(error.format_message())
            return 0
        return _say(_usage(error), USAGE, error, state)
    except Exception as error:  # noqa: BLE001 the last one to catch it: nobody sees a bare traceback
        return _fail(error, state)
    finally:
        state.stop_logging()
    if result == BROKEN_PIPE:
        _forget_stdout()
    return result if isinstance(result, int) and not isinstance(result, bool) else 0


def _fail(error: Exception, state: State) -> int:
    from qx.errors import QxError

    if isinstance(error, QxError):
        return _say(str(error), error.exit_code, error, state)
    what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    hint = "" if state.debug else " (a fault inside qx; --debug shows where)"
    return _say(f"{what}{hint}", INTERNAL, error, state)


def _usage(error: click.ClickException) -> str:
    context = getattr(error, "ctx", None)
    path = context.command_path if isinstance(context, click.Context) else "qx"
    return f"{error.format_message().rstrip('.')} (see '{path} --help')"


def _say(message: str, code: int, error: BaseException, state: State) -> int:
    if state.debug:
        import traceback

        click.echo(state.redact("".join(traceback.format_exception(error))), err=True, nl=False)
    for line in state.redact(message).splitlines() or [""]:
        click.echo(f"error: {printable(line.rstrip())}", err=True)
    return code


def _forget_stdout() -> None:
    """Let the interpreter's last flush go nowhere, or it would complain of the broken pipe."""
    try:
        descriptor = sys.stdout.fileno()
    except (OSError, ValueError):
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, descriptor)
    os.close(nowhere)
