"""Text for a line of output: nothing in it breaks the line, is obeyed by a terminal, or reorders what stands beside it."""

from __future__ import annotations

import unicodedata

_UNSAFE = frozenset({"Cc", "Cf", "Cs"})
_JOINERS = "\u200c\u200d\u00ad"


def printable(text: str) -> str:
    """Return ``text`` on one line, with nothing in it that a terminal would obey or that would reorder the line.

    Line breaks and tabs become spaces; control and format characters and halves of surrogate pairs become U+FFFD, but for
    the joiners that scripts and emoji need.
    """
    spaced = "".join(" " if c in "\t\n\r\v\f\x85\u2028\u2029" else c for c in text)
    return "".join("\ufffd" if unicodedata.category(c) in _UNSAFE and c not in _JOINERS else c for c in spaced)


__all__ = ["printable"]
