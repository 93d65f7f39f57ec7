"""What holds for one run of the program: how much it says, whether tracebacks are wanted, which secrets it knows."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

import click

from qx.cli.streams import printing_to_stderr

if TYPE_CHECKING:
    from qx.plugins import Plugins
    from qx.secrets import Redactor

F = TypeVar("F", bound=Callable[..., Any])

_SECRET_NAME = re.compile(r"KEY|TOKEN|SECRET|PASSW|CREDENTIAL", re.IGNORECASE)


@dataclass(slots=True)
class State:
    """``verbosity``: -1 errors only, 0 warnings, 1 information, 2 everything."""

    debug: bool = False
    verbosity: int = 0
    secrets: set[str] = field(default_factory=lambda: set[str]())
    _plugins: Plugins | None = None
    _redactor: tuple[frozenset[str], Redactor] | None = None
    _stop_logging: Callable[[], None] | None = None

    @property
    def quiet(self) -> bool:
        return self.verbosity < 0

    @property
    def is_logging(self) -> bool:
        return self._stop_logging is not None

    def plugins(self) -> Plugins:
        """Return what is installed, looked for once.

        Raises:
            PluginError: ``QX_STRICT=1``, and one of them is broken.
        """
        if self._plugins is None:
            from qx.plugins import Plugins

            with printing_to_stderr():
                self._plugins = Plugins.load()
        return self._plugins

    def redact(self, text: str) -> str:
        """Return ``text`` without the profile's secrets and without what variables named like a key hold."""
        return self.redactor().text(text)

    def redactor(self) -> Redactor:
        """Return what takes those secrets out of texts and values."""
        from qx.secrets import Redactor  # imported late: `qx --help` has nothing to redact

        named = {item for name, item in os.environ.items() if len(item) >= 8 and _SECRET_NAME.search(name)}
        known = frozenset(self.secrets | named)
        if self._redactor is None or self._redactor[0] != known:
            self._redactor = known, Redactor(known)
        return self._redactor[1]

    def start_logging(self) -> None:
        """Send the log to stderr, one line an entry, secrets redacted, until ``stop_logging``."""
        import logging

        from qx.cli.logs import Stderr

        self.stop_logging()
        root, ours = logging.getLogger(), logging.getLogger("qx")
        handler, levels = Stderr(self.redact, lambda: self.debug), (root.level, ours.level)
        level = {-1: logging.ERROR, 0: logging.WARNING, 1: logging.INFO}.get(self.verbosity, logging.DEBUG)
        ours.setLevel(level)
        # of other libraries' troubles we tell ourselves what they mean: with -q they say nothing
        foreign = logging.CRITICAL if level >= logging.ERROR else logging.WARNING
        root.setLevel(logging.DEBUG if self.verbosity > 2 else foreign)
        root.addHandler(handler)
        logging.captureWarnings(True)

        def stop() -> None:
            logging.captureWarnings(False)
            root.removeHandler(handler)
            root.setLevel(levels[0])
            ours.setLevel(levels[1])

        self._stop_logging = stop

    def stop_logging(self) -> None:
        """Leave the log as it was found."""
        if self._stop_logging is not None:
            self._stop_logging()
            self._stop_logging = None


def state_of(ctx: click.Context) -> State:
    """Return the run's ``State``; a fresh one where a command runs by itself."""
    return ctx.ensure_object(State)


def _set_debug(ctx: click.Context, _parameter: click.Parameter, given: bool) -> None:
    if given:
        state_of(ctx).debug = True


def _set_verbosity(ctx: click.Context, parameter: click.Parameter, given: int) -> None:
    if given:
        state = state_of(ctx)
        state.verbosity = -1 if parameter.name == "quiet" else int(given)
        if state.is_logging:  # an option after the command's name comes later than the log's beginning
            state.start_logging()


def common_options(function: F) -> F:
    """Add ``--debug``, ``--verbose`` and ``--quiet``, which every command takes before or after its name."""
    for decorate in (
        click.option(
            "--debug", is_flag=True, expose_value=False, callback=_set_debug, help="Show tracebacks (secrets redacted)."
        ),
        click.option(
            "-v",
            "--verbose",
            count=True,
            expose_value=False,
            callback=_set_verbosity,
            help="Say more on stderr; -vv everything.",
        ),
        click.option(
            "-q", "--quiet", is_flag=True, expose_value=False, callback=_set_verbosity, help="Only errors on stderr."
        ),
    ):
        function = decorate(function)
    return function
