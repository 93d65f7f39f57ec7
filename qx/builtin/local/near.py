"""Near words: what Taiwan, Hong Kong and the mainland, or office and shop, call one thing by different names."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import resources

from qx.text.normalise import simplified


@cache
def near_words() -> Mapping[str, tuple[str, ...]]:
    """Return word -> near words, all in Simplified Chinese after conversion of Taiwan's words."""
    found: dict[str, dict[str, None]] = {}
    text = resources.files("qx.builtin.local").joinpath("near_words.txt").read_text("utf-8")
    for line in text.splitlines():
        words = list(dict.fromkeys(simplified(word) for word in line.partition("#")[0].split()))
        for word in words:
            found.setdefault(word, {}).update((other, None) for other in words if other != word)
    return {word: tuple(others) for word, others in found.items()}
