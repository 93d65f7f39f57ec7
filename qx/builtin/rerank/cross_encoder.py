"""``rerank by: cross-encoder``: an ONNX model that reads query and hit together, from a folder or a model hub.

Needs the extra ``cross-encoder`` (onnxruntime, tokenizers; huggingface-hub for models by name).  A model is a folder
with ``tokenizer.json`` and ``model.onnx`` (or ``onnx/model.onnx``), as the hubs keep them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from qx.builtin.own_file import place
from qx.builtin.rerank.method import Task
from qx.builtin.vectors import said
from qx.errors import BadResponse, PluginError, ProfileError

if TYPE_CHECKING:
    from qx.context import Context
    from qx.hookspecs import Services

BATCH = 8
"""Pairs that the model reads at once; between batches the time is looked at."""
_MODELS = ("model.onnx", "onnx/model.onnx", "model_quantized.onnx", "onnx/model_quantized.onnx")
_HINT = "pip install 'qx-query[cross-encoder]'"


class CrossEncoder:
    """Implements ``Method``.

    Args:
        session: An ``onnxruntime.InferenceSession``.
        tokenizer: A ``tokenizers.Tokenizer`` that cuts and pads.
        clip: Code points of a hit's title and text that the model is shown.
    """

    pace = 0.02
    top = 50

    def __init__(self, session: Any, tokenizer: Any, *, clip: int) -> None:
        self._session = session
        self._tokenizer = tokenizer
        self._clip = clip
        self._inputs = [found.name for found in session.get_inputs()]

    async def scores(self, task: Task, context: Context, /) -> Sequence[float | None]:
        """Score the hits batch by batch, best ranked first, as long as there is time.

        Raises:
            BadResponse: the model's output is no score for each pair.
        """
        texts = [said(hit, self._clip) for hit in task.hits]
        end = context.clock.monotonic() + task.seconds
        scores: list[float | None] = []
        longest = 0.0
        for start in range(0, len(texts), BATCH):
            began = context.clock.monotonic()
            if scores and began + longest > end:
                break
            pairs = [(task.query, text) for text in texts[start : start + BATCH]]
            scores += await context.run_cpu(lambda pairs=pairs: self.read(pairs))
            longest = max(longest, context.clock.monotonic() - began)
        return [*scores, *[None] * (len(texts) - len(scores))]

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[float | None]:
        """Return the model's score of each pair."""
        numpy: Any = import_module("numpy")
        encoded = self._tokenizer.encode_batch(list(pairs))
        columns = {
            "input_ids": [e.ids for e in encoded],
            "attention_mask": [e.attention_mask for e in encoded],
            "token_type_ids": [e.type_ids for e in encoded],
        }
        feed = {name: numpy.asarray(columns[name], dtype=numpy.int64) for name in self._inputs if name in columns}
        rows: list[Any] = numpy.asarray(self._session.run(None, feed)[0]).reshape(len(pairs), -1).tolist()
        scores = [_score(row) for row in rows]
        if not all(math.isfinite(score) for score in scores):
            raise BadResponse("the cross-encoder's scores are no numbers", step="process")
        return list(scores)


def _score(row: Sequence[float]) -> float:
    """One number is the score; of two classes, how much likelier the second (relevant) is."""
    if len(row) not in (1, 2):
        raise BadResponse(f"the cross-encoder has {len(row)} outputs a pair, not a score", step="process")
    return float(row[0]) if len(row) == 1 else float(row[1]) - float(row[0])


async def load(
    services: Services, *, path: Path | None, model: str, file: str | None, length: int, clip: int
) -> CrossEncoder:
    """Load a model from ``path``, or by its name from a hub.

    Raises:
        PluginError: the libraries of the extra are missing.
        ProfileError: there is no such model, or it cannot be read.
        NotAllowed: ``path`` leads out of the profile's folder.
    """
    folder = place(path, services, default="") if path is not None else None
    return await services.run_cpu(lambda: _loaded(_files(folder, model, file), length=length, clip=clip))


def _loaded(files: Mapping[str, Path], *, length: int, clip: int) -> CrossEncoder:
    onnxruntime, tokenizers = _library("onnxruntime"), _library("tokenizers")
    try:
        session = onnxruntime.InferenceSession(str(files["model"]), providers=["CPUExecutionProvider"])
        tokenizer = tokenizers.Tokenizer.from_file(str(files["tokenizer"]))
        tokenizer.enable_truncation(max_length=length, strategy="only_second")
        if tokenizer.padding is None:
            tokenizer.enable_padding()
    except Exception as error:  # both libraries raise plain exceptions of their own
        raise ProfileError(f"the cross-encoder {files['model']} cannot be loaded: {str(error)[:300]}") from error
    return CrossEncoder(session, tokenizer, clip=clip)


def _files(folder: Path | None, model: str, file: str | None) -> dict[str, Path]:
    if folder is None:
        return _from_hub(model, file or "onnx/model.onnx")
    if folder.is_file():
        folder, file = folder.parent, folder.name
    wanted = (file,) if file else _MODELS
    found = next((folder / name for name in wanted if (folder / name).is_file()), None)
    tokenizer = next((p for p in (folder, folder.parent) if (p / "tokenizer.json").is_file()), None)
    if found is None or tokenizer is None:
        missing = " or ".join(wanted) if found is None else "tokenizer.json"
        raise ProfileError(f"the cross-encoder's folder {folder} has no {missing}", hint="export the model to ONNX")
    return {"model": found, "tokenizer": tokenizer / "tokenizer.json"}


def _from_hub(model: str, file: str) -> dict[str, Path]:
    hub = _library("huggingface_hub")
    try:
        names = {"model": file, "tokenizer": "tokenizer.json"}
        return {kind: Path(hub.hf_hub_download(model, name)) for kind, name in names.items()}
    except Exception as error:  # the hub's own exceptions, and those of its HTTP client
        raise ProfileError(
            f"the cross-encoder {model!r} cannot be had from the hub: {type(error).__name__}: {str(error)[:200]}",
            hint="download it and name its folder as `path`",
        ) from error


def _library(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError as error:
        raise PluginError(f"`rerank by: cross-encoder` needs {name}: {_HINT}") from error


__all__ = ["BATCH", "CrossEncoder", "load"]
