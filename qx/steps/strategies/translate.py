"""The query in another language (Chinese to English, all others to English, English to Chinese), by the model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from qx.rules.wording import Wording, family
from qx.steps.strategies.asking import ask
from qx.steps.strategies.candidates import candidate, why
from qx.types import Query, SubQuery, Understanding

if TYPE_CHECKING:
    from qx.context import Context

_TASK = (
    "Translate the search query into {language} as a native speaker would type it into a search engine. "
    "Keep numbers, units, model numbers, identifiers, quoted phrases and exclusions exactly."
)


class TranslateStrategy:
    """Nothing without a model."""

    async def expand(self, query: Query, understanding: Understanding, context: Context, /) -> Sequence[SubQuery]:
        if not context.has_model:
            return ()
        wording = Wording.of(query, understanding, context.knowledge)
        language = "Simplified Chinese" if family(wording.language) == "en" else "English"
        text = await ask(context, _TASK.format(language=language), {"query": wording.text})
        return (candidate(text, "translate", why(wording, "translate", language)),) if text else ()
