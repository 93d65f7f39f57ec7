"""What tantivy, SQLite and the disk raise, as the errors of a backend that say what to do."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Generator
from contextlib import contextmanager

from qx.errors import BadResponse, Unavailable

_DAMAGE = re.compile(r"corrupt|FST|Unsupported dictionary|checksum|footer|end of file|unexpected eof|InvalidData", re.I)


@contextmanager
def translated(name: str, endpoint: str) -> Generator[None]:
    """Translate what the body raises.

    Args:
        name: The backend's.
        endpoint: The folder of its index.

    Raises:
        Unavailable: another process writes.
        BadResponse: the index is damaged, or lies where nothing can be read or written.
    """
    where = f"backend {name}: the index {endpoint}"
    try:
        yield
    except sqlite3.OperationalError as error:
        if "readonly" in str(error):
            raise _unwritable(where) from error
        raise Unavailable(f"backend {name}: {endpoint}: {error}") from error
    except sqlite3.Error as error:
        raise _damaged(where, error) from error
    except OSError as error:
        raise BadResponse(f"backend {name}: {endpoint} cannot be read or written: {error}") from error
    except ValueError as error:  # what tantivy raises
        if "Lockfile" in str(error) and "Busy" not in str(error):
            raise _unwritable(where) from error
        if _DAMAGE.search(str(error)):
            raise _damaged(where, error) from error
        raise BadResponse(f"backend {name}: {endpoint}: {error}") from error
    except BaseException as error:
        # a panic of tantivy's, which came upon what it never wrote; no Exception, and not for us to import
        if type(error).__name__ != "PanicException":
            raise
        raise _damaged(where, error) from error


def _damaged(where: str, error: BaseException) -> BadResponse:
    said = " ".join(str(error).split())[:200]
    return BadResponse(
        f"{where} is damaged ({said}): restore the folder from a backup, or remove it and index all documents again"
    )


def _unwritable(where: str) -> BadResponse:
    return BadResponse(
        f"{where} lies where nothing can be written any more: open it again to search it, "
        "put it on a disk that can be written to change it"
    )


__all__ = ["translated"]
