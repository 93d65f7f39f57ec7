"""The processor ``block``: drops the hits that its ids, URLs, domains or patterns name."""

from __future__ import annotations

from qx.builtin.processors.lists import ByList, Settings


class Block(ByList):
    """Registered as ``block`` through ``qx_post_processors``."""

    name = "block"

    def why(self, rule: str | None) -> str | None:
        """Return which rule drops a hit."""
        return f"blocked: {rule}" if rule else None


__all__ = ["Block", "Settings"]
