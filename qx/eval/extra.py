"""The libraries of the extra ``eval``, imported where they are first used."""

from __future__ import annotations

import importlib
from types import ModuleType

from qx.errors import UsageError


def need(module: str) -> ModuleType:
    """Return the imported ``module``: ``need("ir_measures")``, ``need("scipy.stats")``.

    Raises:
        UsageError: it is not installed; the text says what to install.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        name = module.partition(".")[0]
        if error.name is not None and error.name.partition(".")[0] != name:
            said = f"{name} cannot be imported: {error}"
        else:
            said = f"{name} is not installed"
        raise UsageError(f"{said}: evaluation needs it: pip install 'qx-query[eval]'") from error
