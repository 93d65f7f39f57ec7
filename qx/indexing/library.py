"""The libraries that read files which qx itself cannot: each comes with an extra."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

from qx.errors import UsageError


def library(name: str, extra: str, path: Path) -> Any:
    """Import a library.

    Raises:
        UsageError: it is not installed; names the extra.
    """
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise UsageError(
            f"{path}: reading this kind of file needs an extra: pip install 'qx-query[{extra}]' ({error})"
        ) from error
