"""Who judges statements: the block ``judge:`` of the section ``answer:``."""

from __future__ import annotations

from typing import Literal

from qx.domain import Model


class JudgeSettings(Model):
    """The block ``judge:``."""

    type: Literal["auto", "model", "cross-encoder", "off"] = "auto"
    """``model``: the profile's model; ``cross-encoder``: an entailment model of this machine; ``off``: nobody, and every
    claim says so; ``auto``: the model where the profile has one, else ``off``."""
