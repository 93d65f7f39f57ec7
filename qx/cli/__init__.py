"""The command line.  ``main`` is the program ``qx``; each command is a file, imported when it is called."""

from __future__ import annotations

from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run ``qx`` with ``arguments`` (None: those of the process) and return its exit code."""
    from qx.cli.app import run

    return run(arguments)
