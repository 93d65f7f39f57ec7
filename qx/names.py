"""Names that plugins give to commands, operations and sections: their form, and which of them are qx's own."""

from __future__ import annotations

import re

COMMANDS = frozenset(
    [
        *("understand", "expand", "explain", "plugins", "profile", "cache", "doctor", "completion", "version", "help"),
        *("cassette", "schema", "search", "index", "eval", "ab", "tune", "usage", "new"),
    ]
)
"""Names of qx's own commands, now or soon; no plugin has a command, operation or group of that name."""

SECTIONS = frozenset(
    [
        *("extends", "name", "source", "folder", "sections", "tenant", "timezone", "language", "domains", "plugins"),
        *("deadline", "reserve", "llm", "embedder", "understand", "expand", "search", "rewrite", "prompts", "synonyms"),
        *("lexicon", "budget", "cache", "observers", "fetch"),
    ]
)
"""Keys of a profile that are qx's own; no plugin owns a section of that name."""

RESERVED_FOR = {
    "answer": "qx-query-answer",
    "verify": "qx-query-answer",
    "chat": "qx-query-chatlog",
    "serve": "qx-query-service",
    "mcp": "qx-query-mcp",
}
"""Name -> the distribution that alone may bring it: so that another one cannot pass for it."""

PROGRAM = "this program"
"""The origin of modules that a program brings itself: it may use any name but qx's own."""

_KEY = re.compile(r"[a-z][a-z0-9_-]{0,40}")
_DOTTED = re.compile(r"[a-z][a-z0-9-]{0,40}(?:\.[a-z][a-z0-9-]{0,40})?")


def name_problem(kind: str, name: str) -> str | None:
    """Return what is wrong with a name of ``kind``, or None."""
    if kind == "sections" and not _KEY.fullmatch(name):
        return f"the section {name!r}: its name is a key such as `chat`, in small letters"
    if kind in ("operations", "commands") and not _DOTTED.fullmatch(name):
        noun = kind.removesuffix("s")
        return f"the {noun} {name!r}: its name is NAME or GROUP.NAME, in small letters, digits and '-'"
    return None


def is_reserved(kind: str, name: str, origin: str) -> bool:
    """Whether the distribution ``origin`` may not give the name."""
    first = name.partition(".")[0]
    if kind == "sections":
        own = SECTIONS
    elif kind in ("operations", "commands"):
        own = COMMANDS
    else:
        return False
    owner = RESERVED_FOR.get(first)
    return first in own or (owner is not None and origin != PROGRAM and normal(origin) != owner)


def normal(name: str) -> str:
    """Return the name of a distribution as registries compare them: lower case, ``-`` for ``_`` and ``.``."""
    return re.sub(r"[-_.]+", "-", name.strip()).lower()


def fallen(step: str, rung: str, fell: str = "fell to") -> str:
    """Return how is said that ``step`` went a simpler way: ``expand fell to rules``, ``search went on without vectors``."""
    return f"{step} went on {rung}" if rung.startswith("without ") else f"{step} {fell} {rung}"
