"""``rerank by: api``: the ``/rerank`` of Cohere, Jina, Text Embeddings Inference (TEI) and those that speak like them.

::

    cohere, jina   POST {model, query, documents, top_n}   -> {results: [{index, relevance_score}]}
    tei            POST {query, texts, truncate}           -> [{index, score}]
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, cast

from qx.builtin.rerank.method import Task
from qx.builtin.vectors import said
from qx.clock import Clock
from qx.errors import BadResponse
from qx.http import Http, place
from qx.settings import Secret
from qx.wire.refusal import refusal

if TYPE_CHECKING:
    from qx.context import Context

Form = Literal["cohere", "jina", "tei"]


class Api:
    """Implements ``Method``: one POST.

    Args:
        http: The engine's client.
        url: The whole address, such as ``https://api.jina.ai/v1/rerank``.
        clip: Code points of a hit's title and text that are sent.
    """

    pace = 0.0
    top = 100

    def __init__(
        self, http: Http, clock: Clock, *, url: str, form: Form, model: str, api_key: Secret | None, clip: int
    ) -> None:
        self._http = http
        self._clock = clock
        self._url = url
        self._form = form
        self._model = model
        self._key = api_key.get_secret_value() if api_key else ""
        self._clip = clip

    async def scores(self, task: Task, context: Context, /) -> Sequence[float | None]:
        """Score the hits; those that the service leaves out get None.

        Raises:
            ProviderError: the service failed, refused, or answered something that cannot be read.
        """
        del context
        texts = [said(hit, self._clip) for hit in task.hits]
        headers = {"Authorization": f"Bearer {self._key}"} if self._key else {}
        reply = await self._http.send(
            "POST", self._url, json=self._body(task.query, texts), headers=headers, timeout=task.seconds
        )
        where = place(self._url)
        if reply.status != 200:
            raise refusal(reply, place=where, model=self._model, now=self._clock.now())
        return read(reply.json(place=where), len(texts), where)

    def _body(self, query: str, texts: Sequence[str]) -> dict[str, Any]:
        if self._form == "tei":
            return {"query": query, "texts": list(texts), "truncate": True}
        body: dict[str, Any] = {"query": query, "documents": list(texts), "top_n": len(texts)}
        if self._model:
            body["model"] = self._model
        return body | ({"return_documents": False} if self._form == "jina" else {})


def read(answer: object, count: int, where: str) -> list[float | None]:
    """Return the scores of ``count`` texts from an answer in any of the forms.

    Raises:
        BadResponse: it is none of them, or names a text that was not sent.
    """
    rows: object = answer
    if isinstance(answer, Mapping):
        fields = cast("Mapping[str, object]", answer)
        rows = fields.get("results", fields.get("data"))
    if not isinstance(rows, list):
        raise BadResponse(f"{where} answered no list of results")
    scores: list[float | None] = [None] * count
    for row in cast("list[object]", rows):
        found: Mapping[str, object] = cast("Mapping[str, object]", row) if isinstance(row, Mapping) else {}
        index = found.get("index")
        score = found.get("relevance_score", found.get("score"))
        if not isinstance(index, int) or isinstance(index, bool) or not 0 <= index < count:
            raise BadResponse(f"{where} answered for a text that was not sent: index {str(index)[:20]}")
        if isinstance(score, bool) or not isinstance(score, (int, float)) or not math.isfinite(score):
            raise BadResponse(f"{where} answered a score that is no number")
        scores[index] = float(score)
    if count and all(score is None for score in scores):
        raise BadResponse(f"{where} answered no scores")
    return scores


__all__ = ["Api", "Form", "read"]
