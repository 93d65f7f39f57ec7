"""The command line.  ``main`` is the program ``qx``; each command is a file, imported when it is called."""

from __future__ import annotations

from qx.cli.app import cli as main

__all__ = ["main"]
