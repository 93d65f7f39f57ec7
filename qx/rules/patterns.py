"""The packs' RE2 patterns, tried on a text all at once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Generic, TypeVar

from qx.errors import PackError

T = TypeVar("T")


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
