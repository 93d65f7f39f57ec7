"""The names of the suites that ``qx plugins check`` runs: of each contribution its own, by which its report is found."""

from __future__ import annotations


def title(kind: str, name: str) -> str:
    """Return the name of the suite of a contribution, which no other one has.

    pytest takes ``.``, ``:``, ``/`` and brackets in it apart, so they are written as their code points.
    """
    return f"Test_{kind}__" + "".join(c if c.isalnum() or c in "-_" else f"~{ord(c):x}~" for c in name)
