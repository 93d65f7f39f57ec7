"""A judge that asks the profile's model; it chooses one of three labels for each claim, and writes nothing."""

from __future__ import annotations

import json
from collections.abc import Sequence

from qx.context import Context
from qx.errors import QxError
from qx.grading import grade
from qx.text.language import identify
from qx_answer.judge import LABELS, Judgement, Pair

_TASKS = {
    "en": (
        "Each pair has a passage of a source and a statement. Judge the statement by its passage alone, not by what you "
        "know. `follows`: the passage says everything that the statement says. `contradicts`: the passage says the "
        "opposite, or another number, name, time or condition. `not-said`: the passage leaves it open, or says only a part "
        "of it."
    ),
    "zh": (
        "每一对里有来源中的一段话（passage）和一个陈述（statement）。只根据这段话判断，不要用你自己的知识。`follows`：陈述里的每一点，"
        "这段话都说了。`contradicts`：这段话说的正相反，或者数字、名称、时间、条件不同。`not-said`：这段话没有说，或只说了一部分。"
    ),
}


class ModelJudge:
    """Implements ``Judge`` for one request.

    Args:
        context: The request, whose model is asked and whose budget counts.
        batch: Claims of one call.
        seconds: For one call, where the budget leaves them.
    """

    name = "model"

    def __init__(self, context: Context, *, batch: int = 8, seconds: float = 60.0) -> None:
        self._context = context
        self._batch = batch
        self._seconds = seconds

    async def judge(self, pairs: Sequence[Pair], /) -> Sequence[Judgement]:
        """Ask about the pairs in batches; of a batch that fails the claims are not judged.

        Raises:
            QxError: no batch was answered.
        """
        judgements: list[Judgement] = []
        failed: QxError | None = None
        for start in range(0, len(pairs), self._batch):
            part = pairs[start : start + self._batch]
            try:
                judgements += await self._ask(part)
            except QxError as error:
                failed = error
                judgements += [Judgement(label=None, why=str(error))] * len(part)
        if failed is not None and all(one.label is None for one in judgements):
            raise failed
        return judgements

    async def _ask(self, pairs: Sequence[Pair]) -> list[Judgement]:
        texts = {
            str(i): json.dumps({"passage": pair.passage, "statement": pair.statement}, ensure_ascii=False)
            for i, pair in enumerate(pairs, 1)
        }
        chinese = identify(" ".join(pair.statement for pair in pairs)).startswith("zh")
        query = "陈述是否由这段话得出？" if chinese else "Does the statement follow from the passage?"
        left = self._context.budget.remaining().seconds
        found = await grade(
            self._context,
            _TASKS["zh" if chinese else "en"],
            texts,
            LABELS,
            query=query,
            called="pairs",
            timeout=self._seconds if left is None else max(0.1, min(self._seconds, left)),
        )
        return [Judgement(label=next((label for label in LABELS if label == found.get(key)), None)) for key in texts]
