"""The base of everything that is read from YAML."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import BaseModel, ConfigDict


class Model(BaseModel):
    """The base of everything read from YAML: frozen, unknown keys are errors, numbers finite, no inputs in messages."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True, allow_inf_nan=False)


Text = Mapping[str, str]
"""Language tag -> text, such as ``{"en": "How-to", "zh": "操作方法"}``."""
