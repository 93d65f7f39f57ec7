"""A passage that would answer the query, written by the model and searched by meaning.

Source: Wang et al., "Query2doc: Query Expansion with Large Language Models" (2023); Gao et al., "Precise Zero-Shot
Dense Retrieval without Relevance Labels" (HyDE, 2022).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from qx.rules.wording import Wording
from qx.steps.strategies.asking import ask
from qx.steps.strategies.candidates import candidate, why
from qx.types import Query, SubQuery, Understanding

if TYPE_CHECKING:
    from qx.context import Context

_TASK = (
    "Write the two or three sentences of a good document that would answer the search query, at most {characters} "
    "characters, in the query's own language and script. Repeat its numbers, identifiers and exclusions exactly and "
    "invent no figures."
)
_CHARACTERS = 300


class PseudoDocumentStrategy:
    """Nothing without a model; for backends that search by vector."""

    async def expand(self, query: Query, understanding: Understanding, context: Context, /) -> Sequence[SubQuery]:
        if not context.has_model:
            return ()
        wording = Wording.of(query, understanding, context.knowledge)
        task = _TASK.format(characters=_CHARACTERS)
        text = await ask(context, task, {"query": wording.text, "language": wording.language}, max_tokens=320)
        if not text:
            return ()
        return (candidate(text, "pseudo-document", why(wording, "pseudo-document"), target="vector"),)
