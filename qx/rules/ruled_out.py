"""What a query rules out, told apart from the thing that it looks for: 苹果 of 非苹果手机, "black" of "not black laptop"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from qx.rules.phrases import is_han
from qx.rules.reading import Reading, covered
from qx.rules.replacements import WishHit
from qx.serial import replace
from qx.text.negation import Negation, is_doubtful
from qx.types import Entity

_HEADS = frozenset({"product", "food", "media", "service"})
"""Types of what is looked for."""
_KNOWN = frozenset({"brand", "food", "component", "technology"})
"""Types of what somebody avoids."""
_BESIDES = frozenset({"除了", "除开", "除去", "除", "以外", "除外"})
_PART = frozenset({"without", "w/o"})
_SUBJECTS = frozenset({"technology", "product", "food", "media", "service"})
_EXCHANGED = re.compile(
    r"\b(?:what|anything|something|use|substitute|can i|can you)\b.{0,30}\b(?:instead of|rather than)\b"
)
"""Who asks what takes the place of a thing rules nothing out."""
_JOINT = re.compile(r"\s*,?\s*(?:and|&)\s+(?:the\s+|in\s+)?|的?(?:和|与|及|以及|、|或者?)")


def ruled_out(
    reading: Reading, names: Sequence[Entity], wishes: Sequence[WishHit], company: Callable[[str], bool]
) -> tuple[Negation, ...]:
    """Return the exclusions of ``reading``, none of which takes in the thing that is looked for.

    Args:
        names: The named entities.
        wishes: The words that are values of fields: what is joined to an excluded one is excluded too.
        company: Tells whether an ambiguous word is read as a maker here: 苹果.
    """
    found: list[Negation] = []
    exchanged = _EXCHANGED.search(reading.folded) is not None
    for negation in (_whole_name(reading, one, names) for one in reading.negations):
        if negation.start < negation.target_start and any(
            e.start <= negation.start and negation.target_end <= e.end for e in names
        ):
            continue  # it is a name: "No Country for Old Men"
        if exchanged and negation.cue.lower() in ("instead of", "rather than"):
            continue  # "what can I use instead of corn starch" is about corn starch
        kept = _without_head(reading, negation, names, wishes)
        if is_doubtful(negation) and not _meant(reading, kept, names, wishes, company):
            continue
        found += [kept, *_joined(reading, kept, wishes)]
    return tuple(found)


def _meant(
    reading: Reading,
    negation: Negation,
    names: Sequence[Entity],
    wishes: Sequence[WishHit],
    company: Callable[[str], bool],
) -> bool:
    """Whether a doubtful exclusion names what is known, and something else is looked for: "avoid HP laptop"."""
    start, end = negation.target_start, negation.target_end
    if not any(e.type in _HEADS and not (start <= e.start < end) for e in names):
        return False
    known = any(e.type in _KNOWN and start <= e.start < end for e in names)
    valued = any(not h.items[0].soft and start <= h.start < end for h in wishes)
    return (
        known
        or valued
        or company(negation.target.strip().lower())
        or (reading.text[start].isupper() and reading.text[start : start + 2] != "I ")
    )


def _whole_name(reading: Reading, negation: Negation, names: Sequence[Entity]) -> Negation:
    """The exclusion with all of the name that it begins: 不要美的 rules out 美的, not what is 美."""
    for entity in names:
        if entity.start == negation.target_start and entity.end > negation.target_end == negation.end:
            target = reading.text[entity.start : entity.end]
            return replace(negation, target=target, target_end=entity.end, end=entity.end)
    return negation


def _without_head(reading: Reading, negation: Negation, names: Sequence[Entity], wishes: Sequence[WishHit]) -> Negation:
    start, end = negation.target_start, negation.target_end
    if _stands_first(reading, negation):
        return negation
    if negation.cue.lower() in _PART and _subject(reading, negation, names):
        return negation  # of "windows 11 without microsoft account" the account is no thing that is looked for
    heads = [e for e in names if e.type in _HEADS and not e.verbatim]
    others = {e.canonical for e in heads if not (start <= e.start and e.end <= end)}
    for head in heads:
        if start < head.start and head.end == end:
            spans = [(e.start, e.end) for e in names if e.type == "brand"] + [(h.start, h.end) for h in wishes]
            known = any(start <= s and e <= head.start for s, e in spans)
            if not others or (head.canonical in others and known):
                return _until(reading, negation, head.start)
    if others or negation.cue in _BESIDES or not reading.chinese or not is_han(reading.text[start]):
        return negation
    return _without_last_word(reading, negation)


def _stands_first(reading: Reading, negation: Negation) -> bool:
    """Whether what is ruled out stands before its cue: 苹果华为都不要."""
    cue = negation.cue.lower()
    return reading.folded.find(cue, negation.target_end) >= 0 and reading.folded.find(cue, 0, negation.target_end) < 0


def _subject(reading: Reading, negation: Negation, names: Sequence[Entity]) -> bool:
    return any(e.type in _SUBJECTS and e.end <= negation.start for e in names)


def _without_last_word(reading: Reading, negation: Negation) -> Negation:
    """An exclusion that is all of the query holds what is looked for in its last word: 不含酒精洗手液."""
    spans = [(n.start, n.end) for n in reading.negations]
    if any(w.content and not covered(w.start, w.end, spans) for w in reading.words):
        return negation
    inner = [
        w for w in reading.words if negation.target_start <= w.start and w.end <= negation.target_end and w.content
    ]
    last = len(inner) - 1
    if last > 0 and inner[last].end - inner[last].start == 1:
        last -= 1  # 杆 of 窗帘杆
    return _until(reading, negation, inner[last].start) if last > 0 else negation


def _until(reading: Reading, negation: Negation, end: int) -> Negation:
    target = reading.text[negation.target_start : end].rstrip().removesuffix("的")
    stop = negation.target_start + len(target)
    return replace(negation, target=target, target_end=stop, end=stop) if target.strip() else negation


def _joined(reading: Reading, negation: Negation, wishes: Sequence[WishHit]) -> Iterator[Negation]:
    """Further values of the field that a value of it is ruled out of: "not dairy and nuts"."""
    own = {h.items[0].field for h in wishes if negation.target_start <= h.start and h.end <= negation.target_end}
    end = negation.end
    while own and (joint := _JOINT.match(reading.folded, end)):
        hit = next((h for h in wishes if h.start == joint.end()), None)
        if hit is None or hit.items[0].soft or hit.items[0].field not in own:
            return
        if not covered(hit.start, hit.end, [(n.start, n.end) for n in reading.negations]):
            target = reading.text[hit.start : hit.end]
            yield Negation(
                cue=negation.cue,
                target=target,
                start=hit.start,
                end=hit.end,
                target_start=hit.start,
                target_end=hit.end,
            )
        end = hit.end


__all__ = ["ruled_out"]
