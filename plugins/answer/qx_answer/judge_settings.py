"""Who judges statements: the block ``judge:`` of the section ``answer:``."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, Self

from pydantic import Field, model_validator

from qx.model import Model


class JudgeSettings(Model):
    """The block ``judge:``."""

    type: Literal["auto", "model", "cross-encoder", "off"] = "auto"
    """`model`: the profile's model; `cross-encoder`: an entailment model on this machine; `off`: nobody, and every claim
    says so; `auto`: the model where the profile has one, else `off`."""
    path: Path | None = None
    """Of `cross-encoder`: the folder of the model, with `model.onnx` and `tokenizer.json`, relative to the profile's."""
    labels: tuple[Literal["contradiction", "neutral", "entailment"], ...] = Field(default=(), max_length=3)
    """What its outputs mean, in order; empty: as `config.json` beside the model says, else `contradiction, entailment, neutral`."""
    threshold: float = Field(default=0.5, gt=0, lt=1)
    """The probability from which on a statement follows, or is contradicted."""
    length: int = Field(default=512, ge=16, le=8192)
    """Tokens of passage and statement together."""
    batch: int = Field(default=8, ge=1, le=50)
    """Claims that are judged in one call."""

    @model_validator(mode="after")
    def _has_a_path(self) -> Self:
        if self.type == "cross-encoder" and self.path is None:
            raise ValueError("`type: cross-encoder` needs `path`, the folder of the model")
        return self
