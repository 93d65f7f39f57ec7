"""The ways of saying that something is not to be too much: 不要太贵, 不是很贵, "not too heavy", "isn't very heavy"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

_NO_ZH = ("不要", "不能", "不用", "不是", "不会", "不必", "不需要", "别", "不想要", "不要求", "不")
_TOO_ZH = ("太", "很", "特别", "那么")
_OTHER_ZH = ("不算太", "不算很", "没那么", "不怎么", "不是多么", "不可以太", "不宜太")
_NO = ("not", "isn't", "is not", "aren't", "are not", "won't be", "doesn't have to be", "nothing", "never")
_TOO = ("too", "very", "so", "that", "overly", "terribly", "super", "really")
_MAY = ("should not", "shouldn't", "must not", "mustn't", "can't", "cannot")
_SOFTENED: Mapping[str, Sequence[str]] = {
    "不要太": [*(f"{no}{too}" for no in _NO_ZH for too in _TOO_ZH), *_OTHER_ZH],
    "not too ": [*(f"{no} {too} " for no in _NO for too in _TOO), *(f"{may} be too " for may in _MAY)],
    "not expensive": [
        "isn't expensive",
        "is not expensive",
        "aren't expensive",
        "are not expensive",
        "not pricey",
        "isn't pricey",
    ],
}
"""Beginnings of such a wish in the packs, with the others that say the same of any adjective."""


def softened(soft: Mapping[str, str]) -> Mapping[str, str]:
    """The wishes of a field with the other ways of saying those that something is not to be too much: 不是很贵."""
    made: dict[str, str] = {}
    for word, wanted in soft.items():
        for first, forms in _SOFTENED.items():
            if word.startswith(first):
                made |= {form + word.removeprefix(first): wanted for form in forms}
    return {**made, **soft}
