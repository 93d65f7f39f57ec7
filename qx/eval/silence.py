"""Who was asked and did not answer: what stands in the place of such an answer is not the condition's own."""

from __future__ import annotations

from qx.types import Expansion, SearchResult

_SILENT = frozenset({"AuthError", "ProviderError", "QuotaExhausted", "RateLimited", "Unavailable"})
"""Errors of who did not answer; a question that was refused, and an answer that cannot be read, are answers."""
_ASKING = frozenset({"model", "embed"})
"""Spans of questions to a model."""


def silent(found: SearchResult | Expansion) -> str:
    """Return why engines and models did not answer, each cause once; empty where all did.

    Who was too late for the profile's deadline is as slow as the profile lets him be: that is an answer too.
    """
    rankings = found.rankings if isinstance(found, SearchResult) else ()
    causes = [f"{one.backend}: {one.reason}" for one in rankings if one.error in _SILENT]
    for span in found.trace.spans:
        if span.name.rpartition(".")[2] in _ASKING and span.attributes.get("kind") in _SILENT:
            causes.append(str(span.attributes["error"]))
    return "; ".join(dict.fromkeys(causes))


__all__ = ["silent"]
