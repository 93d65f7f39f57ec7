"""What must hold in a pack beyond the types of its keys: patterns, references, synonyms, places, defaults."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from qx.domain import DomainPack, SynonymSet, Taxonomy
from qx.errors import PackError
from qx.registry import suggest
from qx.settings import Profile, Prompts
from qx.validation import Locate, Problem, validate
from qx.yaml import Loc

PLACES = frozenset({"entities", "keywords", "core", "need", "year", "constraint"})
"""The places that a template's text may have."""

DEFAULTS = frozenset(
    {"timezone", "language", "deadline", "reserve", "understand", "expand", "prompts", "synonyms", "lexicon"}
)
"""The sections that a pack's ``defaults`` may have: never an endpoint, a secret, a file or whom it is for."""

SLOTS = frozenset(Prompts.model_fields) - {"variant"}

_PLACE = re.compile(r"\{([^{}]*)\}")
Found = Iterator[tuple[Loc, str, str | None]]


def check(pack: DomainPack, locate: Locate, *, known: Callable[[], Iterable[str]] | Sequence[str]) -> list[Problem]:
    """Return what is wrong with ``pack``.

    Args:
        pack: The pack, whose types are right.
        locate: Gives the place of a location.
        known: Intents of other taxonomies that it may refer to; asked only when it refers to one that is not its own.
    """
    found = [
        *_patterns(pack),
        *_intents(pack, known),
        *check_synonyms(pack.synonyms),
        *_templates(pack),
        *_rest(pack),
    ]
    problems = [Problem(message=f"{_dotted(loc)}: {said}", place=locate(loc), hint=hint) for loc, said, hint in found]
    if not problems:
        _defaults(pack, locate)
    return problems


def _dotted(loc: Loc) -> str:
    return ".".join(str(part) for part in loc)


def pattern_problem(pattern: str) -> str | None:
    """Return why RE2 refuses ``pattern``, else None."""
    re2: Any = importlib.import_module("re2")  # loaded with the first pack; it has no types
    options = re2.Options()
    options.log_errors = False
    try:
        re2.compile(pattern, options)
    except re2.error as exc:
        said = exc.args[0]
        return said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)
    return None


def _patterns(pack: DomainPack) -> Found:
    hint = "patterns run on RE2: no look-around, no back-references; quote them in '...'"
    for index, rule in enumerate(pack.patterns):
        if said := pattern_problem(rule.pattern):
            yield ("patterns", index, "pattern"), f"not an RE2 pattern: {said}", hint
        if rule.type is None and rule.intent is None:
            yield ("patterns", index), "a pattern gives a type or an intent", "add 'type:' or 'intent:'"
    if isinstance(pack.taxonomy, str):
        return
    for index, intent in enumerate(pack.taxonomy.intents):
        for at, cue in enumerate(intent.cues):
            if len(cue) > 1 and cue[0] == cue[-1] == "/" and (said := pattern_problem(cue[1:-1])):
                yield ("taxonomy", "intents", index, "cues", at), f"not an RE2 pattern: {said}", hint


def _intents(pack: DomainPack, known: Callable[[], Iterable[str]] | Sequence[str]) -> Found:
    if isinstance(pack.taxonomy, str) and pack.taxonomy != "general":
        return  # only known when the plugins are
    own = {i.id for i in pack.taxonomy.intents} if isinstance(pack.taxonomy, Taxonomy) else set[str]()
    unknown = [(loc, id) for loc, id in _references(pack) if id not in own]
    if not unknown:
        return
    everything = own | set(known() if callable(known) else known)
    for loc, id in unknown:
        if id not in everything:
            near = suggest(id, everything) or f"known: {', '.join(sorted(everything))}"
            yield loc, f"there is no intent {id!r}", near


def _references(pack: DomainPack) -> Iterator[tuple[Loc, str]]:
    for index, template in enumerate(pack.templates):
        yield from ((("templates", index, "intents", at), id) for at, id in enumerate(template.intents))
    for index, site in enumerate(pack.sites):
        yield from ((("sites", index, "intents", at), id) for at, id in enumerate(site.intents))
    for index, rule in enumerate(pack.patterns):
        if rule.intent is not None:
            yield ("patterns", index, "intent"), rule.intent
    for index, example in enumerate(pack.examples):
        named = example.understanding.get("intent", ())
        for at, id in enumerate([named] if isinstance(named, str) else named):
            yield ("examples", index, "understanding", "intent", at), str(id)


def check_synonyms(sets: Sequence[SynonymSet]) -> Found:
    """Yield what is wrong with ``synonyms:`` of a pack or a profile: location, text, hint."""
    for index, one in enumerate(sets):
        loc: Loc = ("synonyms", index)
        for at, word in enumerate(one.words):
            if not word.strip():
                yield (*loc, "words", at), "an empty word", "remove it"
        if one.of is None and len(set(one.words)) < 2:
            yield (*loc, "words"), "a set needs two words", "add another, or say 'of:' which word they may replace"
        if one.of is not None and not one.words:
            yield (*loc, "words"), "no word replaces it", "list at least one"
        if one.of is not None and one.of in one.words:
            yield (*loc, "of"), f"{one.of!r} cannot replace itself", "list only the words that may replace it"


def _templates(pack: DomainPack) -> Found:
    for index, template in enumerate(pack.templates):
        for place in _PLACE.findall(template.text):
            if place not in PLACES:
                known = ", ".join(f"{{{name}}}" for name in sorted(PLACES))
                hint = suggest(place, PLACES) or f"known: {known}"
                yield ("templates", index, "text"), f"there is no place {{{place}}}", hint
        if not template.text.strip():
            yield ("templates", index, "text"), "an empty template", "remove it"


def _rest(pack: DomainPack) -> Found:
    for index, site in enumerate(pack.sites):
        if not site.site and not site.filetype:
            yield ("sites", index), "neither a site nor a file type", "add 'site:' or 'filetype:'"
    for index, rule in enumerate(pack.senses):
        if len(rule.senses) < 2:
            yield ("senses", index, "senses"), "an ambiguous word has two readings or more", "add another"
    for name in pack.prompts:
        if name not in SLOTS:
            yield (
                ("prompts", name),
                "there is no such slot",
                suggest(name, SLOTS) or f"known: {', '.join(sorted(SLOTS))}",
            )
    for name in pack.defaults:
        if name not in DEFAULTS:
            hint = suggest(name, DEFAULTS) or f"a pack may set: {', '.join(sorted(DEFAULTS))}"
            yield ("defaults", name), "a pack cannot set this", hint


def _defaults(pack: DomainPack, locate: Locate) -> None:
    if pack.defaults:
        validate(Profile, pack.defaults, locate=lambda loc: locate(("defaults", *loc)), error=PackError)
