"""The word lists that ship with qx (``qx/text/data``): words apart by white space, ``#`` begins a comment.

A line that begins with ``=`` is one entry with its spaces.  A list is read when it is first asked for, once.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from qx.errors import PackError


@cache
def load(name: str) -> tuple[str, ...]:
    """Return the entries of the list ``name`` in the order of the file, each once.

    Args:
        name: File name without ``.txt``: ``stopwords_zh``, ``stopwords_en``, ``words_zh``, ``words_en``...

    Raises:
        PackError: there is no such list, or a line of it cannot be read; with the file and the line.
    """
    file = files("qx.text") / "data" / f"{name}.txt"
    try:
        return entries(file.read_bytes(), str(file))
    except OSError as error:
        raise PackError("this word list of qx cannot be read", file=str(file), hint="install qx-query again") from error


@cache
def load_set(name: str) -> frozenset[str]:
    """Return the entries of the list ``name`` as a set; errors as ``load``."""
    return frozenset(load(name))


def entries(content: bytes, file: str) -> tuple[str, ...]:
    """Read the bytes of a word list.

    Args:
        file: Its name, for messages.

    Raises:
        PackError: a line is no UTF-8, or names nothing after its ``=``.
    """
    found: list[str] = []
    for number, line in enumerate(content.splitlines(), 1):
        try:
            text = line.decode("utf-8")
        except UnicodeDecodeError as error:
            raise PackError("this line is no UTF-8", file=file, line=number) from error
        if not text.startswith("="):
            found.extend(text.split("#", 1)[0].split())
        elif entry := text[1:].strip():
            found.append(entry)
        else:
            raise PackError("an entry should follow the =", file=file, line=number)
    return tuple(dict.fromkeys(found))
