"""What a pack says in vain: intents that nothing tells apart, synonyms of words that are never replaced.

Each warning comes with what it is about: a location in the pack, the taxonomy or the list of synonyms.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import combinations, islice

from qx.domain import DomainPack, Example, Intent, SynonymSet, Taxonomy, merge
from qx.text.identifiers import find
from qx.text.normalise import fold
from qx.yaml import Loc

Warnings = Iterator[tuple[Loc, str]]

_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_OVERLAP = 0.5
"""Share of words in common from which two definitions overlap, and of cues from which two intents do."""
_TOLD = 5
"""Sets of synonyms that are told one by one."""
_FEW = 3
"""With fewer words than this in a definition, a word in common says nothing about another pack's intent."""


def lint_taxonomy(taxonomy: Taxonomy, *, defined: Collection[str] = ()) -> Warnings:
    """Yield what is wrong with the intents of ``taxonomy``, among themselves; ``defined`` are so elsewhere."""
    for at, intent in enumerate(taxonomy.intents):
        if not _ID.fullmatch(intent.id):
            yield ("intents", at, "id"), f"intent {intent.id!r}: an id is kebab-case such as 'how-to'"
        if intent.id not in defined and not any(text.strip() for text in intent.definition.values()):
            yield ("intents", at), f"intent {intent.id!r} has no definition"
    for (_, one), (at, two) in combinations(enumerate(taxonomy.intents), 2):
        if one.id == two.id:
            yield ("intents", at, "id"), f"intent {one.id!r} is defined twice"
        for tag in _alike(one, two):
            said = f"definitions of {one.id!r} and {two.id!r} overlap in {tag}: say what tells them apart"
            yield ("intents", at, "definition", tag), said
        for cue in sorted(_cues(one) & _cues(two)):
            yield ("intents", at, "cues"), f"cue {cue!r} belongs to both {one.id!r} and {two.id!r}"


def lint_pack(pack: DomainPack, beside: Sequence[DomainPack]) -> Warnings:
    """Yield what ``qx.domain.lint`` tells of a pack, each with where it is in ``pack``."""
    own, others = _whole(pack), [(other, _whole(other)) for other in beside]
    defined = {intent.id for _, taxonomy in others for intent in taxonomy.intents}
    for loc, said in lint_taxonomy(own, defined=defined):
        yield _written(pack, own, loc), said
    for other, taxonomy in others:
        for at, one in enumerate(own.intents):
            for two in taxonomy.intents:
                if two.id != one.id:
                    yield from (
                        (_written(pack, own, ("intents", at, key)), said)
                        for key, said in _against(one, two, other.name)
                    )
        yield from _examples(pack.examples, other)


def lint_synonyms(sets: Iterable[SynonymSet]) -> Iterator[tuple[int, str]]:
    """Yield the sets that change no query, by their place in ``sets``: of each word the guard keeps every letter."""
    vain = ((at, words) for at, one in enumerate(sets) if (words := _replaced(one)) and all(map(_is_kept, words)))
    for at, replaced in islice(vain, _TOLD):
        words = ", ".join(map(repr, replaced[:3])) + (", …" if len(replaced) > 3 else "")
        are = "is" if len(replaced) == 1 else "are"
        yield at, f"{words} {are} never replaced: identifiers, model numbers and versions stay as they are"
    if rest := list(vain):
        first, more = rest[0], len(rest) - 1
        yield first[0], f"{first[1][0]!r} is never replaced either" + (f", nor are {more} sets more" if more else "")


def _replaced(one: SynonymSet) -> tuple[str, ...]:
    return (one.of,) if one.of is not None else one.words


def _is_kept(word: str) -> bool:
    return any((one.start, one.end) == (0, len(word)) for one in find(word))


def _whole(pack: DomainPack) -> Taxonomy:
    """The taxonomy of a pack, which may spread an intent over its files."""
    return merge([pack]).taxonomy if isinstance(pack.taxonomy, Taxonomy) else Taxonomy(name=pack.taxonomy, intents=())


def _written(pack: DomainPack, whole: Taxonomy, loc: Loc) -> Loc:
    """Where what ``loc`` of the whole taxonomy speaks of is first written in ``pack``."""
    name, at, *below = loc
    if isinstance(pack.taxonomy, Taxonomy) and isinstance(at, int):
        id = whole.intents[at].id
        at = next(index for index, intent in enumerate(pack.taxonomy.intents) if intent.id == id)
    return ("taxonomy", name, at, *below)


def _against(own: Intent, other: Intent, pack: str) -> Iterator[tuple[str, str]]:
    """An intent of one's own beside one of another pack: some cues in common are meant so, most of them are not."""
    advice = f"say what tells them apart, or refine {other.id!r} itself by using its id"
    for tag in _alike(own, other, few=_FEW):
        yield "definition", f"definitions of {own.id!r} and of {other.id!r} (pack {pack}) overlap in {tag}: {advice}"
    shared = sorted(_cues(own) & _cues(other))
    if shared and len(shared) / len(_cues(own)) >= _OVERLAP:
        listed = ", ".join(shared[:5]) + (", …" if len(shared) > 5 else "")
        yield "cues", f"most cues of {own.id!r} are those of {other.id!r} (pack {pack}) too: {listed}: {advice}"


def _examples(own: Sequence[Example], other: DomainPack) -> Warnings:
    known = {fold(example.text): _intent(example) for example in other.examples}
    for at, example in enumerate(own):
        theirs = known.get(fold(example.text))
        if theirs and (mine := _intent(example)) and mine != theirs:
            yield (
                ("examples", at),
                f"the example {example.text!r} has the intent {', '.join(mine)} here and {', '.join(theirs)} in pack "
                f"{other.name}: give both the same, or use another example",
            )


def _intent(example: Example) -> tuple[str, ...]:
    named = example.understanding.get("intent", ())
    return (named,) if isinstance(named, str) else tuple(map(str, named))


def _cues(intent: Intent) -> set[str]:
    return {fold(cue) for cue in intent.cues}


def _alike(one: Intent, two: Intent, *, few: int = 1) -> Iterator[str]:
    """The languages in which two definitions have half of their words in common."""
    for tag in one.definition.keys() & two.definition.keys():
        a, b = _terms(one.definition[tag]), _terms(two.definition[tag])
        if min(len(a), len(b)) >= few and len(a & b) / min(len(a), len(b)) >= _OVERLAP:
            yield tag


def _terms(text: str) -> set[str]:
    """Words of Latin script and pairs of Han characters: enough to compare two definitions of one language."""
    words = set(re.findall(r"[a-z]{4,}", fold(text)))
    for run in re.findall(r"[\u4e00-\u9fff]+", text):
        words |= {run[i : i + 2] for i in range(len(run) - 1)}
    return words
