"""Think blocks and fences: which stretches of a model's text may hold the answer, most likely first."""

from __future__ import annotations

import re
from typing import Literal

from qx.serial import value

Wrapping = Literal["json", "think", "fences"]

_THINK = re.compile(
    r"<(/?)\s*(?:think|thinking|thought|thoughts|reasoning|reflection|scratchpad)\s*>|◁(/?)think▷", re.I
)
_CHANNEL = re.compile(
    r"<\|(?:start|end|channel|message|return|im_start|im_end|endoftext|eot_id)\|>(?:assistant|final)?"
)
_FENCE = re.compile(r"^[ \t>]*(?:`{3,}|~{3,})[ \t]*([\w+.-]*)[ \t]*$|(`{3,})", re.M)

_BODIES = 40
LIMIT = 200_000
"""Characters of one stretch that are looked at: its head, then its tail."""


@value
class Region:
    """One stretch of the text.

    Attributes:
        text: The stretch.
        wrapping: What had to be taken off to get it.
        thought: It lies inside a think block: only JSON counts there, the last first.
    """

    text: str
    wrapping: Wrapping = "json"
    thought: bool = False


def split_thoughts(text: str) -> tuple[str, str]:
    """Return (answer, thoughts): what lies outside and inside of think blocks, closed, unclosed or never opened."""
    outside: list[str] = []
    inside: list[str] = []
    position, depth = 0, 0
    for tag in _THINK.finditer(text):
        piece = text[position : tag.start()]
        closing = bool(tag.group(1) or tag.group(2))
        if depth:
            inside.append(piece)
        elif closing:  # never opened: all that came before was thought
            inside += [*outside, piece]
            outside = []
        else:
            outside.append(piece)
        depth = max(0, depth - 1) if closing else 1
        position = tag.end()
    (inside if depth else outside).append(text[position:])
    return "\n".join(outside), "\n".join(inside)


def fenced(text: str) -> tuple[list[str], str]:
    """Return the bodies of the fenced blocks (the last one may lack its end) and the text without the marks."""
    marks = list(_FENCE.finditer(text))
    bodies: list[str] = []
    for opening, closing in zip(marks[::2], [*marks[1::2], None], strict=False):
        body = text[opening.end() : closing.start() if closing else len(text)]
        if opening.group(2):  # ```json {"queries": …}``` on one line
            body = re.sub(r"\A(?:json5?|python|text|txt)\b", "", body, flags=re.I)
        bodies.append(body)
    return bodies[:_BODIES], _FENCE.sub("\n", text) if marks else text


def regions(text: str) -> list[Region]:
    """Return the stretches that may hold the answer, most likely first: the answer's, then the thoughts'."""
    answer, thoughts = split_thoughts(_CHANNEL.sub("\n", text))
    found: list[Region] = []
    outer: Wrapping = "think" if thoughts.strip() or answer != text else "json"
    for piece in pieces(answer):
        found += [Region(text=body.strip(), wrapping="fences") for body in fenced(piece)[0]]
        found.append(Region(text=piece, wrapping=outer))
    found += [Region(text=piece, wrapping="think", thought=True) for piece in reversed(pieces(thoughts))]
    return [region for region in found if region.text]


def pieces(text: str) -> list[str]:
    """Return what is looked at of a text: all of it, or its head and its tail."""
    text = text.strip()
    return [text] if len(text) <= LIMIT else [text[:LIMIT], text[-LIMIT:]]
