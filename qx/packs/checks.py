"""What must hold in a pack beyond the types of its keys: patterns, references, synonyms, places, defaults."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from qx import synonym_files
from qx.domain import DomainPack, SiteRule, SynonymSet, Taxonomy
from qx.errors import PackError
from qx.packs.files import Joined
from qx.packs.languages import check_languages
from qx.packs.parts import check_conditions, check_platforms, check_search, check_units
from qx.registry import Registry, suggest
from qx.settings import Profile, Prompts
from qx.synonym_files import pairs, wrong_word
from qx.validation import Locate, Problem, validate
from qx.yaml import Loc

PLACES = frozenset({"entities", "keywords", "core", "need", "year", "constraint", "platform"})
"""The places that a template's text may have."""

DEFAULTS = frozenset(
    {"timezone", "language", "deadline", "reserve", "understand", "expand", "search", "prompts", "synonyms", "lexicon"}
)
"""The sections that a pack's ``defaults`` may have: never an endpoint, a secret, a file or whom it is for."""

SLOTS = frozenset(Prompts.model_fields) - {"variant"}

_PLACE = re.compile(r"\{([^{}]*)\}")
Found = Iterator[tuple[Loc, str, str | None]]


def check(
    pack: DomainPack,
    files: Joined,
    *,
    known: Callable[[], Iterable[str]] | Sequence[str],
    strategies: Registry | None = None,
) -> list[Problem]:
    """Return what is wrong with ``pack``.

    Args:
        pack: The pack, whose types are right.
        files: What it was read from.
        known: Intents of other taxonomies that it may refer to; asked only when it refers to one that is not its own.
        strategies: Those that templates may be for; None: not known yet.
    """
    found = [
        *_patterns(pack),
        *_intents(pack, known),
        *_broader(pack),
        *_signals(pack),
        *check_synonyms(pack.synonyms),
        *_doubled(pack, files),
        *check_platforms(pack),
        *check_units(pack),
        *check_conditions(pack),
        *check_languages(pack),
        *check_search(pack),
        *_templates(pack),
        *(check_strategies(pack, strategies) if strategies else ()),
        *_rest(pack),
    ]
    problems = [
        Problem(message=f"{_dotted(loc)}: {said}", place=files.place(loc), hint=hint) for loc, said, hint in found
    ]
    if not problems:
        _defaults(pack, files.place)
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
        if not rule.pattern.strip():
            yield ("patterns", index, "pattern"), "an empty pattern", "remove it"
        elif said := pattern_problem(rule.pattern):
            yield ("patterns", index, "pattern"), f"not an RE2 pattern: {said}", hint
        if rule.type is None and rule.intent is None and rule.field is None:
            yield (
                ("patterns", index),
                "a pattern gives a type, an intent or a condition",
                "add 'type:', 'intent:' or 'field:'",
            )
    if isinstance(pack.taxonomy, str):
        return
    for index, intent in enumerate(pack.taxonomy.intents):
        for at, cue in enumerate(intent.cues):
            if not cue.strip("/ "):
                yield ("taxonomy", "intents", index, "cues", at), "an empty cue", "remove it"
            elif len(cue) > 1 and cue[0] == cue[-1] == "/" and (said := pattern_problem(cue[1:-1])):
                yield ("taxonomy", "intents", index, "cues", at), f"not an RE2 pattern: {said}", hint


def _signals(pack: DomainPack) -> Found:
    """What is wrong with the rules of signals: a pattern, or a rule that can never count, since one before always does."""
    always: set[str] = set()
    for index, rule in enumerate(pack.signals):
        for at, word in enumerate(rule.words):
            if len(word) > 1 and word[0] == word[-1] == "/" and (said := pattern_problem(word[1:-1])):
                yield (
                    ("signals", index, "words", at),
                    f"not an RE2 pattern: {said}",
                    "no look-around, no back-references",
                )
        if rule.signal in always:
            yield ("signals", index), f"it never counts: a rule of {rule.signal!r} before it always holds", "move it up"
        if not (rule.intents or rule.sentiments or rule.words or rule.above):
            always.add(rule.signal)


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


def _broader(pack: DomainPack) -> Found:
    """Intents that are a kind of themselves, or of one that is a kind of another: there is one step, not a tree."""
    if isinstance(pack.taxonomy, str):
        return
    kinds = {i.id for i in pack.taxonomy.intents if i.broader is not None}
    for index, intent in enumerate(pack.taxonomy.intents):
        if intent.broader in (intent.id, *kinds):
            loc: Loc = ("taxonomy", "intents", index, "broader")
            yield loc, f"{intent.broader!r} has a broader intent itself", "name one that is a kind of no other"


def _references(pack: DomainPack) -> Iterator[tuple[Loc, str]]:
    if isinstance(pack.taxonomy, Taxonomy):
        for index, intent in enumerate(pack.taxonomy.intents):
            if intent.broader is not None:
                yield ("taxonomy", "intents", index, "broader"), intent.broader
    for index, signal in enumerate(pack.signals):
        yield from ((("signals", index, "intents", at), id) for at, id in enumerate(signal.intents))
    for index, template in enumerate(pack.templates):
        yield from ((("templates", index, "intents", at), id) for at, id in enumerate(template.intents))
    for index, site in enumerate(pack.sites):
        yield from ((("sites", index, "intents", at), id) for at, id in enumerate(site.intents))
    for index, one in enumerate(pack.platforms):
        yield from ((("platforms", index, "intents", at), id) for at, id in enumerate(one.intents))
    for index, rule in enumerate(pack.patterns):
        if rule.intent is not None:
            yield ("patterns", index, "intent"), rule.intent
    for index, example in enumerate(pack.examples):
        named = example.understanding.get("intent", ())
        for at, id in enumerate([named] if isinstance(named, str) else named):
            yield ("examples", index, "understanding", "intent", at), str(id)


def check_synonyms(sets: Sequence[SynonymSet]) -> Found:
    """Yield what is wrong with ``synonyms:`` of a pack or a profile: location, text, hint."""
    total = 0
    for index, one in enumerate(sets):
        loc: Loc = ("synonyms", index)
        if one.file is not None:
            if one.words or one.of is not None:
                yield (*loc, "file"), "a file brings its own words", "put words and a file into two entries"
            continue
        for at, word in enumerate(one.words):
            if not word.strip():
                yield (*loc, "words", at), "an empty word", "remove it"
            elif problem := wrong_word(word):
                yield (*loc, "words", at), *problem
        if one.of is not None and (problem := wrong_word(one.of)):
            yield (*loc, "of"), *problem
        if len(one.words) > synonym_files.MOST_WORDS:
            said = f"{len(one.words):,} words in one set, {synonym_files.MOST_WORDS} are the most"
            yield (*loc, "words"), said, "keep those that say the same, or say 'of:' which word they may replace"
        if total <= synonym_files.MOST_PAIRS < total + pairs(one):
            said = f"more than {synonym_files.MOST_PAIRS:,} replacements in all"
            yield (*loc, "words"), said, "leave out what nobody asks for"
        total += pairs(one)
        if one.of is None and len(set(one.words)) < 2:
            yield (
                (*loc, "words"),
                "a set needs two words",
                "add another, say 'of:' which word they may replace, or name a 'file:'",
            )
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


def check_strategies(pack: DomainPack, strategies: Registry) -> Found:
    """Yield the templates, and queries of examples, of a strategy which is not there: location, text, hint."""
    said: list[tuple[Loc, str]] = [
        (("templates", at, "strategy"), template.strategy) for at, template in enumerate(pack.templates)
    ]
    said += [
        (("examples", at, "queries", number, "strategy"), query["strategy"])
        for at, example in enumerate(pack.examples)
        for number, query in enumerate(example.queries)
        if "strategy" in query
    ]
    for loc, name in said:
        if name not in strategies and not strategies.is_refused(name):
            yield loc, f"there is no strategy {name!r}", strategies.hint(name)


def _doubled(pack: DomainPack, files: Joined) -> Found:
    """What one pack says twice.  A further file may add to an intent, a type or a field of the first."""
    groups: list[tuple[Loc, str, Sequence[Any], bool]] = [
        (("patterns",), "name", pack.patterns, False),
        (("contrasts",), "name", pack.contrasts, False),
        (("senses",), "word", pack.senses, False),
        (("units",), "unit", pack.units, False),
    ]
    if isinstance(pack.taxonomy, Taxonomy):
        for name in ("intents", "entity_types", "fields"):
            groups.append((("taxonomy", name), "id", getattr(pack.taxonomy, name), True))
    for at, key, items, spread in groups:
        first: dict[tuple[str, str], int] = {}
        for index, item in enumerate(items):
            said = (str(getattr(item, key)), getattr(item, "language", None) or "")
            before = first.setdefault(said, index)
            if before == index or (spread and _adds(items[before], item, files, at, before, index)):
                continue
            place = files.place((*at, before, key))
            where = f"{place.file}, line {place.line}" if place.file else f"line {place.line}"
            yield (
                (*at, index, key),
                f"{said[0]!r} is defined twice, first in {where}",
                "give it another name, or merge the two",
            )


def _adds(one: Any, two: Any, files: Joined, at: Loc, before: int, index: int) -> bool:
    """Whether ``two``, in another file, adds to ``one`` rather than define it again."""
    if files.file((*at, before)) == files.file((*at, index)):
        return False
    return not (getattr(one, "definition", None) and getattr(two, "definition", None))


_SITE = re.compile(r"\.?[\w-]+(?:\.[\w-]+)*(?::\d{1,5})?(?:/[^\s?#]*)?")
_FILETYPE = re.compile(r"[A-Za-z0-9]{1,10}")


def _host(site: str | None, loc: Loc) -> Found:
    if site and not _SITE.fullmatch(site):
        host = re.sub(r"^[a-z][a-z0-9+.-]*://", "", site.strip(), flags=re.IGNORECASE).split("?")[0].strip("/ ")
        hint = f"did you mean {host!r}?" if host and _SITE.fullmatch(host) else "write a host such as docs.python.org"
        yield loc, "not a site, which is a host and perhaps a path, without https://", hint


def _site(rule: SiteRule, loc: Loc) -> Found:
    if not rule.site and not rule.filetype:
        yield loc, "neither a site nor a file type", "add 'site:' or 'filetype:'"
    yield from _host(rule.site, (*loc, "site"))
    if rule.filetype and not _FILETYPE.fullmatch(rule.filetype):
        bare = rule.filetype.strip(" .*")
        hint = f"did you mean {bare!r}?" if _FILETYPE.fullmatch(bare) else "write an ending such as pdf"
        yield (*loc, "filetype"), "not the ending of files' names", hint


def _rest(pack: DomainPack) -> Found:
    for index, site in enumerate(pack.sites):
        yield from _site(site, ("sites", index))
    for index, one in enumerate(pack.platforms):
        yield from _host(one.site, ("platforms", index, "site"))
    for index, need in enumerate(pack.needs):
        if not need.when:
            yield ("needs", index, "when"), "needs of no topic", "add 'when:', or put them under an intent"
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
