"""A judge on this machine: an ONNX model that reads passage and statement together and tells whether one entails the other.

Needs the extra ``cross-encoder`` (onnxruntime, tokenizers, numpy).  A model is a folder with ``tokenizer.json``,
``model.onnx`` (or ``onnx/model.onnx``) and, where its outputs have names, ``config.json``, as the hubs keep them.
"""

from __future__ import annotations

import json
import math
from collections.abc import Awaitable, Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, cast

from qx.errors import BadResponse, PluginError, ProfileError
from qx_answer.judge import Judgement, Label, Pair
from qx_answer.judge_settings import JudgeSettings

_MODELS = ("model.onnx", "onnx/model.onnx", "model_quantized.onnx", "onnx/model_quantized.onnx")
_USUAL = ("contradiction", "entailment", "neutral")
_MEANS: Mapping[str, Label] = {"entailment": "follows", "contradiction": "contradicts", "neutral": "not-said"}
_HINT = "pip install 'qx-query-answer[cross-encoder]'"
RunCpu = Callable[[Callable[[], Any]], Awaitable[Any]]


class CrossEncoderJudge:
    """Implements ``Judge``.

    Args:
        session: An ``onnxruntime.InferenceSession``.
        tokenizer: A ``tokenizers.Tokenizer`` that cuts and pads.
        labels: What the outputs of the model mean, in order; none: it has one, the score of entailment.
        run_cpu: Where it reads: ``context.run_cpu``.
    """

    name = "cross-encoder"

    def __init__(
        self, session: Any, tokenizer: Any, *, labels: Sequence[str], threshold: float, batch: int, run_cpu: RunCpu
    ) -> None:
        self._session = session
        self._tokenizer = tokenizer
        self._labels = tuple(labels)
        self._threshold = threshold
        self._batch = batch
        self._run_cpu = run_cpu
        self._inputs = [found.name for found in session.get_inputs()]

    def over(self, run_cpu: RunCpu) -> CrossEncoderJudge:
        """Return the same judge, which reads by ``run_cpu``."""
        return CrossEncoderJudge(
            self._session,
            self._tokenizer,
            labels=self._labels,
            threshold=self._threshold,
            batch=self._batch,
            run_cpu=run_cpu,
        )

    async def judge(self, pairs: Sequence[Pair], /) -> Sequence[Judgement]:
        """Read the pairs batch by batch.

        Raises:
            BadResponse: the model's output is not what its labels say.
        """
        judgements: list[Judgement] = []
        for start in range(0, len(pairs), self._batch):
            part = pairs[start : start + self._batch]
            judgements += await self._run_cpu(lambda part=part: self._read(part))
        return judgements

    def _read(self, pairs: Sequence[Pair]) -> list[Judgement]:
        numpy: Any = import_module("numpy")
        encoded = self._tokenizer.encode_batch([(pair.passage, pair.statement) for pair in pairs])
        columns = {
            "input_ids": [e.ids for e in encoded],
            "attention_mask": [e.attention_mask for e in encoded],
            "token_type_ids": [e.type_ids for e in encoded],
        }
        feed = {name: numpy.asarray(columns[name], dtype=numpy.int64) for name in self._inputs if name in columns}
        rows: list[list[float]] = numpy.asarray(self._session.run(None, feed)[0]).reshape(len(pairs), -1).tolist()
        return [self._judgement(row) for row in rows]

    def _judgement(self, row: Sequence[float]) -> Judgement:
        if len(row) not in (1, len(self._labels)) or not all(map(math.isfinite, row)):
            raise BadResponse(
                f"the cross-encoder gave {len(row)} outputs a pair, and has the labels {list(self._labels)}"
            )
        if len(row) == 1:
            probability = 1.0 / (1.0 + math.exp(-max(-60.0, min(60.0, row[0]))))
            return self._said("entailment" if probability >= self._threshold else "neutral", probability)
        best = max(row)
        weights = [math.exp(score - best) for score in row]
        shares = {label: w / sum(weights) for label, w in zip(self._labels, weights, strict=True)}
        label = next(
            (one for one in ("entailment", "contradiction") if shares.get(one, 0.0) >= self._threshold), "neutral"
        )
        return self._said(label, shares.get(label, 1.0 - max(shares.values())))

    def _said(self, label: str, probability: float) -> Judgement:
        return Judgement(label=_MEANS[label], why=f"{label} {probability:.2f}")


def load(folder: Path, settings: JudgeSettings, run_cpu: RunCpu) -> CrossEncoderJudge:
    """Load a model from a folder, or from its ``.onnx`` file; takes seconds.

    Raises:
        PluginError: the libraries of the extra are missing.
        ProfileError: there is no such model, or it cannot be read.
    """
    model, tokens = _files(folder)
    onnxruntime, tokenizers = _library("onnxruntime"), _library("tokenizers")
    _library("numpy")
    try:
        session = onnxruntime.InferenceSession(str(model), providers=["CPUExecutionProvider"])
        tokenizer = tokenizers.Tokenizer.from_file(str(tokens))
        tokenizer.enable_truncation(max_length=settings.length, strategy="only_first")
        if tokenizer.padding is None:
            tokenizer.enable_padding()
    except Exception as error:  # both libraries raise plain exceptions of their own
        raise ProfileError(f"answer.judge: the model {model} cannot be loaded: {str(error)[:300]}") from error
    return CrossEncoderJudge(
        session,
        tokenizer,
        labels=settings.labels or _labels(tokens.parent / "config.json"),
        threshold=settings.threshold,
        batch=settings.batch,
        run_cpu=run_cpu,
    )


def _files(folder: Path) -> tuple[Path, Path]:
    """The model and its tokenizer."""
    names = (folder.name,) if folder.is_file() else _MODELS
    folder = folder.parent if folder.is_file() else folder
    model = next((folder / name for name in names if (folder / name).is_file()), None)
    tokens = next((p / "tokenizer.json" for p in (folder, folder.parent) if (p / "tokenizer.json").is_file()), None)
    if model is None or tokens is None:
        missing = " or ".join(names) if model is None else "tokenizer.json"
        raise ProfileError(f"answer.judge.path: {folder} has no {missing}", hint="export the model to ONNX")
    return model, tokens


def _labels(config: Path) -> tuple[str, ...]:
    """What the outputs mean, as the model's own configuration says.

    Raises:
        ProfileError: it names them otherwise, so that nobody knows.
    """
    if not config.is_file():
        return _USUAL
    try:
        read = json.loads(config.read_bytes())
        named: Mapping[str, str] = read.get("id2label") or {}
        labels = tuple(_label(named[key]) for key in sorted(named, key=int))
    except (ValueError, AttributeError, TypeError, OSError) as error:
        raise ProfileError(f"answer.judge: {config} cannot be read: {error}") from error
    if len(labels) > 1 and not set(labels) <= set(_USUAL):
        names = ", ".join(map(str, cast("Mapping[str, object]", named).values()))
        raise ProfileError(
            f"answer.judge: the outputs of the model are called {names}",
            hint="say what they mean: `labels: [contradiction, neutral, entailment]`",
        )
    return labels if len(labels) > 1 else _USUAL


def _label(name: str) -> str:
    folded = name.strip().lower().replace("_", "-")
    if folded in ("not-entailment", "non-entailment"):
        return "neutral"
    return next((label for label in _USUAL if folded.startswith(label[:7]) or label.startswith(folded)), folded)


def _library(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError as error:
        raise PluginError(f"`answer.judge: {{type: cross-encoder}}` needs {name}: {_HINT}") from error
