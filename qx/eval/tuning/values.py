"""What flows through tuning."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any, Literal

from qx.errors import UsageError
from qx.eval.values import Provenance
from qx.serial import empty, value
from qx.types import Usage

Choice = Literal["tuned", "before", "off"]


@value
class Budget:
    """When the search ends, whichever comes first; the held-out queries are asked in any case.

    Attributes:
        trials: Settings that are tried.
        seconds: Of this process.
        calls: Model calls of all trials together, those that were kept of an earlier run too.
        cost: Likewise, in the money of ``llm.prices``.
    """

    trials: int = 40
    seconds: float | None = None
    calls: int | None = None
    cost: float | None = None

    def __post_init__(self) -> None:
        if self.trials < 1:
            raise UsageError(f"budget of {self.trials} trials: give at least 1")

    def spent(self, seconds: float, usage: Usage) -> str:
        """Return which limit is reached, besides that of trials; empty: none."""
        if self.seconds is not None and seconds >= self.seconds:
            return f"{self.seconds:g} seconds"
        if self.calls is not None and usage.calls >= self.calls:
            return f"{self.calls} model calls"
        if self.cost is not None and usage.cost is not None and usage.cost >= self.cost:
            return f"{self.cost:g} {usage.currency}"
        return ""


@value
class Trial:
    """One setting, measured on training queries.

    Attributes:
        changes: Dotted setting -> value; what is not there is the profile's own.
        queries: How many queries it was measured on.
        gains: Measure -> mean gain over no expansion, a fraction of 1 (above 0 is better, whichever way the measure runs).
        score: What the search goes by: the mean over measures of gain less its standard error.
    """

    changes: Mapping[str, Any]
    queries: int
    gains: Mapping[str, float]
    score: float


@value
class Progress:
    """How far a search is: ``best`` is the highest score so far on all training queries, None before there is one."""

    trial: int
    trials: int
    best: float | None
    stage: str


@value
class Side:
    """A profile against no expansion on one measure, on one side of the split; fractions of 1.

    ``without`` is the mean without expansion there, ``figure`` the profile's; ``p`` is corrected for what is compared on that side.
    """

    name: str
    measure: str
    without: float
    figure: float
    difference: float
    low: float
    high: float
    p: float
    queries: int


@value
class TuneReport:
    """What ``qx tune --json`` prints.

    Attributes:
        command: What would do the same again.
        train, held: Numbers of queries.
        trials: In the order in which they were tried; settings that went on to all training queries stand twice.
        changes: What the best trial changes.
        training, held_out: ``before`` and ``tuned`` against no expansion; only ``held_out`` proves anything.
        beside: ``tuned`` against ``before`` on the held-out queries (``without`` is ``before``'s figure there).
        choice: ``tuned``; ``before``: the profile as it was; ``off``: no expansion.
        reason: Why.
        written: The new profile's file, empty where none was written.
        provenance: When it was made, by which version and settings; None from Python.
    """

    dataset: str
    profile: str
    command: str
    seed: int
    measures: tuple[str, ...]
    train: int
    held: int
    trials: tuple[Trial, ...]
    changes: Mapping[str, Any]
    training: tuple[Side, ...]
    held_out: tuple[Side, ...]
    choice: Choice
    reason: str
    ended: str = ""
    usage: Usage = field(default_factory=Usage)
    written: str = ""
    notes: tuple[str, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=empty)
    beside: tuple[Side, ...] = ()
    provenance: Provenance | None = None
