"""What a pack says in vain: intents that nothing tells apart, synonyms of words that are never replaced."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import combinations

from qx.domain import DomainPack, Example, Intent, SynonymSet, Taxonomy, merge
from qx.text.identifiers import find
from qx.text.normalise import fold

_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_OVERLAP = 0.5
"""Share of words in common from which two definitions overlap, and of cues from which two intents do."""
_LOOKED_AT = 2_000
_TOLD = 5
"""Sets of synonyms that are looked at, and those that are told one by one."""
_FEW = 3
"""With fewer words than this in a definition, a word in common says nothing about another pack's intent."""


def lint_taxonomy(taxonomy: Taxonomy, *, defined: Collection[str] = ()) -> tuple[str, ...]:
    """Return what is wrong with the intents of ``taxonomy``, among themselves; ``defined`` are so elsewhere."""
    problems: list[str] = []
    for intent in taxonomy.intents:
        if not _ID.fullmatch(intent.id):
            problems.append(f"intent {intent.id!r}: an id is kebab-case such as 'how-to'")
        if intent.id not in defined and not any(text.strip() for text in intent.definition.values()):
            problems.append(f"intent {intent.id!r} has no definition")
    for one, two in combinations(taxonomy.intents, 2):
        if one.id == two.id:
            problems.append(f"intent {one.id!r} is defined twice")
        for tag in _alike(one, two):
            problems.append(f"definitions of {one.id!r} and {two.id!r} overlap in {tag}: say what tells them apart")
        for cue in sorted(_cues(one) & _cues(two)):
            problems.append(f"cue {cue!r} belongs to both {one.id!r} and {two.id!r}")
    return tuple(problems)


def lint_pack(pack: DomainPack, beside: Sequence[DomainPack]) -> tuple[str, ...]:
    """See ``qx.domain.lint``."""
    own, others = _whole(pack), [(other, _whole(other)) for other in beside]
    defined = {intent.id for _, taxonomy in others for intent in taxonomy.intents}
    problems = list(lint_taxonomy(own, defined=defined))
    for other, taxonomy in others:
        for one in own.intents:
            problems += [p for two in taxonomy.intents if two.id != one.id for p in _against(one, two, other.name)]
        problems += _examples(pack.examples, other)
    return tuple(problems)


def lint_synonyms(sets: Sequence[SynonymSet]) -> tuple[str, ...]:
    """Return the sets that change no query: of each word that they would replace the guard keeps every letter."""
    found: list[str] = []
    for at, one in enumerate(sets[:_LOOKED_AT]):
        replaced = (one.of,) if one.of is not None else one.words
        if replaced and all(map(_is_kept, replaced)):
            words = ", ".join(map(repr, replaced[:3])) + (", …" if len(replaced) > 3 else "")
            are = "is" if len(replaced) == 1 else "are"
            found.append(
                f"synonyms.{at}: {words} {are} never replaced: identifiers, model numbers and versions stay as they are"
            )
    return (*found[:_TOLD], *([f"and {len(found) - _TOLD} more such sets"] if len(found) > _TOLD else ()))


def _is_kept(word: str) -> bool:
    return any((one.start, one.end) == (0, len(word)) for one in find(word))


def _whole(pack: DomainPack) -> Taxonomy:
    """The taxonomy of a pack, which may spread an intent over its files."""
    return merge([pack]).taxonomy if isinstance(pack.taxonomy, Taxonomy) else Taxonomy(name=pack.taxonomy, intents=())


def _against(own: Intent, other: Intent, pack: str) -> Iterator[str]:
    """An intent of one's own beside one of another pack: some cues in common are meant so, most of them are not."""
    advice = f"say what tells them apart, or refine {other.id!r} itself by using its id"
    for tag in _alike(own, other, few=_FEW):
        yield f"definitions of {own.id!r} and of {other.id!r} (pack {pack}) overlap in {tag}: {advice}"
    shared = sorted(_cues(own) & _cues(other))
    if shared and len(shared) / len(_cues(own)) >= _OVERLAP:
        listed = ", ".join(shared[:5]) + (", …" if len(shared) > 5 else "")
        yield f"most cues of {own.id!r} are those of {other.id!r} (pack {pack}) too: {listed}: {advice}"


def _examples(own: Sequence[Example], other: DomainPack) -> Iterator[str]:
    known = {fold(example.text): _intent(example) for example in other.examples}
    for example in own:
        theirs = known.get(fold(example.text))
        if theirs and (mine := _intent(example)) and mine != theirs:
            yield (
                f"the example {example.text!r} has the intent {', '.join(mine)} here and {', '.join(theirs)} in pack "
                f"{other.name}: give both the same, or use another example"
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
