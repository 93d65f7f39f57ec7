"""What becomes of an error: one line on stderr and an exit code; a traceback only with ``--debug``."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from qx.cli.output import printable
from qx.cli.streams import fill_missing, forget_stdout

if TYPE_CHECKING:
    from qx.cli.state import State

USAGE, FILE, OUTPUT, INTERNAL, INTERRUPTED, BROKEN_PIPE = 2, 3, 4, 5, 130, 141


def guarded(program: Callable[[], Any], state: State) -> int:
    """Run ``program`` and return its exit code; whatever it raises becomes a line and a code."""
    fill_missing()
    try:
        result = program()
        sys.stdout.flush()
    except BrokenPipeError:
        forget_stdout()
        return BROKEN_PIPE
    except (KeyboardInterrupt, click.Abort):
        return INTERRUPTED
    except SystemExit as stop:
        return _stopped(stop, state)
    except click.ClickException as error:
        if type(error).__name__ == "NoArgsIsHelpError":  # from click 8.2 on an error, before it was the help
            click.echo(error.format_message())
            return 0
        return _say(_usage(error), USAGE, error, state)
    except BaseException as error:  # noqa: BLE001 the last one to catch it: nobody sees a bare traceback
        return _fail(error, state)
    finally:
        state.stop_logging()
    if result == BROKEN_PIPE:
        forget_stdout()
    return result if isinstance(result, int) and not isinstance(result, bool) else 0


def _stopped(stop: SystemExit, state: State) -> int:
    """The code of a plugin's command that ends the program by itself; a text instead of a code goes to stderr."""
    if stop.code is None or isinstance(stop.code, int):
        return stop.code or 0
    return _say(str(stop.code), 1, stop, state)


def _fail(error: BaseException, state: State) -> int:
    from qx.containment import described
    from qx.errors import QxError

    if isinstance(error, QxError):
        return _say(str(error), error.exit_code, error, state)
    if isinstance(error, OSError) and (known := _of_the_system(error)) is not None:
        return _say(known[1], known[0], error, state)
    hint = "" if state.debug else " (a fault inside qx; --debug shows where)"
    return _say(f"{described(error)}{hint}", INTERNAL, error, state)


def _codes(*names: str) -> frozenset[int]:
    """The numbers of those errors that this system knows."""
    return frozenset(code for name in names if (code := getattr(errno, name, None)) is not None)


_ABOUT_OUTPUT = _codes("ENOSPC", "EDQUOT", "EFBIG", "EIO", "EBADF", "EROFS", "EACCES", "EPERM", "EINVAL")
_ABOUT_FILES = _ABOUT_OUTPUT | _codes(
    *("ENOENT", "EEXIST", "ENOTDIR", "EISDIR", "ENAMETOOLONG", "ELOOP", "EMFILE", "ENFILE", "ENOTEMPTY", "EBUSY"),
    *("ETXTBSY", "ESTALE", "ENXIO", "ENODEV"),
)


def _of_the_system(error: OSError) -> tuple[int, str] | None:
    """Code and text for what the system refuses: a file that cannot be used, an output that takes no more."""
    said = error.strerror or str(error)
    if error.filename is not None and error.errno in _ABOUT_FILES:
        return FILE, f"{os.fsdecode(error.filename)}: {said}"
    if error.errno in _ABOUT_OUTPUT:
        forget_stdout()
        return OUTPUT, f"the output cannot be written: {said}"
    if error.errno in _ABOUT_FILES:  # without a file's name: the working folder was removed, too many are open
        return FILE, f"{said} (is the working folder still there?)" if error.errno == errno.ENOENT else said
    return None


def _usage(error: click.ClickException) -> str:
    context = getattr(error, "ctx", None)
    path = context.command_path if isinstance(context, click.Context) else "qx"
    return f"{error.format_message().rstrip('.')} (see '{path} --help')"


def _say(message: str, code: int, error: BaseException, state: State) -> int:
    with contextlib.suppress(OSError, ValueError):  # stderr may be full or closed: the code still says it
        if state.debug:
            import traceback

            click.echo(state.redact("".join(traceback.format_exception(error))), err=True, nl=False)
        tell(message, state)
    return code


def tell(message: str, state: State) -> None:
    """Print an error on stderr, each of its lines by itself, secrets redacted."""
    for line in state.redact(message).splitlines() or [""]:
        click.echo(f"error: {printable(line.rstrip())}", err=True)
