"""How is said that a step went a simpler way."""

from __future__ import annotations

import pytest

from qx.cli.story import degradations
from qx.names import fallen
from qx.types import Degraded


@pytest.mark.parametrize(
    ("step", "rung", "said"),
    [
        ("expand", "rules", "expand fell to rules"),
        ("search", "without grounding", "search went on without grounding"),
        ("process", "without processor dedupe", "process went on without processor dedupe"),
        ("search", "the raw query's hits", "search fell to the raw query's hits"),
    ],
)
def test_a_step_falls_to_something_and_goes_on_without_something(step: str, rung: str, said: str) -> None:
    assert fallen(step, rung) == said


def test_a_terminal_says_it_so_too() -> None:
    items = (
        Degraded(step="search", rung="without vectors", reason="down"),
        Degraded(step="expand", rung="rules", reason="down"),
    )
    assert list(degradations(items)) == [
        ("search went on without vectors", "down"),
        ("expand fell back to rules", "down"),
    ]
