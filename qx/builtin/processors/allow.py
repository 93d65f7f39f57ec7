"""The processor ``allow``: keeps only the hits that its ids, URLs, domains or patterns name."""

from __future__ import annotations

from qx.builtin.processors.lists import ByList, Settings


class Allow(ByList):
    """Registered as ``allow`` through ``qx_post_processors``."""

    name = "allow"

    def why(self, rule: str | None) -> str | None:
        """Return why a hit goes that no rule means."""
        return None if rule else "not on the allow list"


__all__ = ["Allow", "Settings"]
