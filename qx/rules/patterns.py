"""The packs' RE2 patterns, tried on a text all at once."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Generic, TypeVar

from qx.domain import Knowledge
from qx.errors import PackError
from qx.text.redact import Sensitive

T = TypeVar("T")


def is_pattern(cue: str) -> bool:
    """Return whether a pack's cue is a pattern, between slashes, and no words."""
    return len(cue) > 2 and cue.startswith("/") and cue.endswith("/")


def compiled(pattern: str, name: str) -> Any:
    """Compile an RE2 pattern of a pack.

    Raises:
        PackError: it is not valid RE2 (no look-around, no back-references).
    """
    import re2  # a native library: loaded when an engine opens

    engine: Any = re2
    try:
        return engine.compile(pattern, options=_quiet())
    except engine.error as error:
        raise PackError(
            f"pattern {name!r} is not valid RE2: {error}", hint="look-around and back-references do not exist in RE2"
        ) from error


def sensitive(knowledge: Knowledge) -> Callable[[str], Iterable[Sensitive]] | None:
    """Return what finds the data that patterns of ``knowledge`` mark as sensitive, named by their type; None: there are none.

    Raises:
        PackError: a pattern is not valid RE2.
    """
    rules = [p for p in knowledge.patterns if p.sensitive and p.type is not None]
    if not rules:
        return None
    patterns = Patterns((p.pattern, p.name, _placeholder(p.type or "")) for p in rules)

    def find(text: str) -> Iterator[Sensitive]:
        for pattern, kind in patterns.matching(text):
            for match in pattern.finditer(text):
                start, end = entity_span(match)
                if start < end:
                    yield Sensitive(kind=kind, start=start, end=end, text=text[start:end])

    return find


def _placeholder(type_: str) -> str:
    """``order-number`` in capitals, as the other kinds of personal data are written: ``ORDER_NUMBER``."""
    return re.sub(r"[^A-Z0-9]+", "_", type_.upper()).strip("_")[:40] or "HIDDEN"


def entity_span(match: Any) -> tuple[int, int]:
    """Where the entity of a match is: what the group named ``entity`` matched, where there is one, else all of it."""
    group = match.re.groupindex.get("entity", 0)
    start, end = match.span(group)
    return (start, end) if start >= 0 else match.span()


class Patterns(Generic[T]):
    """Patterns with what they stand for.  One pass over a text finds those that match it: few do.

    Args:
        entries: (pattern, its name for messages, what it stands for).

    Raises:
        PackError: a pattern is not valid RE2.
    """

    def __init__(self, entries: Iterable[tuple[str, str, T]]) -> None:
        import re2

        engine: Any = re2
        self._entries: list[tuple[Any, T]] = []
        self._set: Any = engine.Set.SearchSet(_quiet())
        for pattern, name, item in entries:
            self._entries.append((compiled(pattern, name), item))
            self._set.Add(pattern)
        self._always: int = self._set.Add("")
        self._set.Compile()

    def matching(self, text: str) -> list[tuple[Any, T]]:
        """Return the compiled patterns that match somewhere in ``text``, in their order."""
        if not self._entries:
            return []
        hits: list[int] = self._set.Match(text)
        if self._always not in hits:  # RE2 ran out of memory for the set and says nothing: try each
            return self._entries
        return [self._entries[at] for at in sorted(hits) if at != self._always]


def _quiet() -> Any:
    import re2

    engine: Any = re2
    options = engine.Options()
    options.log_errors = False
    return options
