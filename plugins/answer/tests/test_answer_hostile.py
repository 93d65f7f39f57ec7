"""Long texts that are meant to keep a pattern busy: each is read in time that grows with its length alone."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from qx_answer import ages, bounds, expects, kinds, markers, measured, moments, naming, permissions

LENGTH = 100_000
SECONDS = 1.5
READERS: dict[str, Callable[[str], object]] = {
    "ages": ages.age_in,
    "an age in a text": lambda text: ages.covers(f"children of 4{text[:20_000]}", 5),
    "bounds": lambda text: bounds.without(f"5{text[:20_000]}"),
    "expects": expects.expects,
    "comparing": expects.takes_for_granted,
    "has a time": lambda text: expects.has("time", text),
    "kinds": kinds.asked,
    "measured": measured.asked,
    "markers": markers.without_markers,
    "labels": naming.labels,
    "rules": permissions.rule,
    "times": lambda text: list(moments.times(text)),
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("piece", ["a", " ", "[", "1", "一", "how much ", "what is the ", "half past "])
def test_hostile_text_is_read_in_time(reader: str, piece: str):
    text = piece * (LENGTH // len(piece) // (5 if reader in ("rules", "labels", "times", "markers") else 1))
    began = time.process_time()
    READERS[reader](text)
    assert time.process_time() - began < SECONDS


@pytest.mark.parametrize("piece", ["[", "【", " [", "[[1", "[1,"])
def test_brackets_in_pieces_are_read_in_time(piece: str):
    reader = markers.Renumbered(markers.Numbering(["a"]))
    began = time.process_time()
    for _ in range(300):
        reader.feed(piece)
    assert time.process_time() - began < SECONDS
