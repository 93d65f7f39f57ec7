"""What all requests of one engine share."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from qx.clock import Clock
from qx.containment import contained
from qx.domain import Knowledge
from qx.observer import Event, Observer
from qx.serial import replace
from qx.text import redact

if TYPE_CHECKING:
    from qx.calls.completer import Completer
    from qx.calls.embedding import Embedding
    from qx.calls.fetching import Fetching
    from qx.request import RequestContext
    from qx.spending.routing import Router
    from qx.types import SearchResult
    from qx.vocabulary import Vocabulary

Search = Callable[["RequestContext", bool], Awaitable["SearchResult"]]
"""Runs a search for the query of a context; told whether to expand it.  The engine's."""

log = logging.getLogger("qx")


@dataclass(slots=True)
class Resources:
    """What all requests of one engine share."""

    tenant: str
    clock: Clock
    knowledge: Knowledge
    executor: ThreadPoolExecutor
    reserve: float = 0.0
    mask: bool = False
    hidden: redact.Extra | None = None
    completer: Completer | None = None
    embedding: Embedding | None = None
    observers: Sequence[Observer] = ()
    filterable: frozenset[str] = frozenset()
    vocabulary: Vocabulary | None = None
    fetching: Fetching | None = None
    search: Search | None = None
    router: Router | None = None
    deaf: set[int] = field(default_factory=lambda: set[int]())

    def tell(self, event: Event) -> None:
        """Pass ``event`` to every observer, without its content to those that did not ask for it."""
        bare = replace(event, content={}) if event.content else event
        for observer in self.observers:
            try:
                with contained(f"observer {type(observer).__name__}"):
                    observer.on_event(event if observer.wants_content else bare)
            except Exception as error:  # noqa: BLE001 an observer's bug must not fail a request
                if id(observer) not in self.deaf:
                    self.deaf.add(id(observer))
                    log.warning("observer %s failed and will not be reported again: %r", type(observer).__name__, error)
