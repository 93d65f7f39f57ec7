"""Query forms of the packs, filled with the words of one query."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from qx.domain import Template
from qx.rules.terms import has_han, holds, holds_exact, plain, segmenter
from qx.rules.wording import Wording, family
from qx.text.lexicons import load_set

_PREPOSITION = re.compile(r"(?:between|under|over|at|in|for|with|without|from|less|more|up)\b", re.IGNORECASE)
_SUPERLATIVE = re.compile(
    r"(?:top|most|least|worth|what|how|where|which|who|why|when|[a-z]{2,}(?<!b)(?<!int)(?<!t)est)\b", re.IGNORECASE
)
_DENIED = re.compile(r"\b(?:not|no|without|except|lost|broken)\b", re.IGNORECASE)
_GENRE = re.compile(
    r"(?:(?:recent|new|latest|good|important|key|some|any) )?(?:(?:research|review|journal|academic|scientific|survey) )?"
    r"(?:papers?|articles?|studies|literature|publications|preprints|research|surveys?|reviews?) (?:on|about|of|in|into|regarding|for) (?=\S)",
    re.IGNORECASE,
)
"""The kind of writing before its subject."""
_JOINING = frozenset({"to", "in", "of", "for"})
"""Words that a template's own words need between them: "introduction to", whether or not the query has a "to"."""
_HOW = re.compile(r"做法|方法|办法|步骤|技巧|流程")
_TOKEN = re.compile(r"pros and cons|\S+")
"""Words of a template; a fixed phrase is one, so that no half of it goes."""
_PLACE = re.compile(r"\{(\w+)\}")


def matches(when: Sequence[str], wording: Wording) -> bool:
    """Whether one of ``when`` is in the query; always where it is empty.

    An entry is a word, an entity type as ``@brand``, or several of them, ``在哪里 + @place``, which must all be there.
    """
    if not when:
        return True
    types, other = wording.types, wording.read_otherwise

    def there(word: str) -> bool:
        if word.startswith("@"):
            return word[1:] in types
        # The rust of a car is no language: a word that the query reads as another thing says nothing.
        return (
            (folded := plain(word)) not in other and holds_exact(wording.folded, folded) and _is_word(folded, wording)
        )

    return any(all(there(part) for part in entry.split(" + ")) for entry in when)


def _is_word(term: str, wording: Wording) -> bool:
    """Whether a single Chinese character is a word of the query or ends one: 书 of 好书, not of 书包."""
    if len(term) > 1 or not has_han(term):
        return True
    return any(piece.endswith(term) for piece in segmenter(wording.knowledge.lexicon).pieces(wording.folded))


def speaks(language: str | None, wording: Wording) -> bool:
    """Whether data of ``language`` (None: any) serves the query's language."""
    return language is None or family(language) == family(wording.language)


def applicable(strategy: str, wording: Wording) -> tuple[Template, ...]:
    """The templates of ``strategy`` that apply: those whose ``when`` matches, then the general ones of the first intent."""
    known = wording.applicable
    if strategy not in known:
        known[strategy] = _applicable(strategy, wording)
    return known[strategy]


def _applicable(strategy: str, wording: Wording) -> tuple[Template, ...]:
    intents = [frozenset(wording.knowledge.widened((id,))) for id in wording.understanding.intent]
    found: list[tuple[int, int, int, Template]] = []
    for at, template in enumerate(wording.knowledge.templates):
        if template.strategy != strategy or not speaks(template.language, wording):
            continue
        ranks = [i for i, kinds in enumerate(intents) if not kinds.isdisjoint(template.intents)]
        if (template.intents and not ranks) or not matches(template.when, wording):
            continue
        if template.unless and matches(template.unless, wording):
            continue
        if not template.when and min(ranks, default=0) > 0:
            continue
        found.append((0 if template.when else 1, min(ranks, default=0), at, template))
    return tuple(entry[3] for entry in sorted(found, key=lambda entry: entry[:3]))


def has_place(template: Template, place: str) -> bool:
    """Whether ``template`` has the place ``{place}``."""
    return f"{{{place}}}" in template.text


def fill(
    template: Template, wording: Wording, *, core: str | None = None, need: str = "", platform: str = ""
) -> str | None:
    """Return the template with its places filled, or None where one is empty or nothing is added.

    Words of the template that the query has already are left out (``best {core}`` for "best laptop").
    """
    core = wording.core if core is None else core
    places = {
        "core": core,
        "entities": wording.subject,
        "keywords": " ".join(wording.understanding.keywords),
        "need": need,
        "platform": platform,
        "year": wording.year,
        "constraint": " ".join(c.text for c in wording.understanding.constraints if c.hard),
    }
    if led := _GENRE.match(core):
        own = plain(literal(template)).split()
        if not template.text.startswith("{") or any(word in load_set("genres") for word in own):
            core = places["core"] = core[led.end() :]  # "recent advances in papers on" a subject
    folded = plain(core)
    if not template.text.startswith("{") and _PREPOSITION.match(core):
        return None  # "best between 300 and 500 dollars"
    if template.text.startswith("best ") and (_SUPERLATIVE.match(core) or _DENIED.search(core)):
        return None  # "best cheapest way", "best tv not smart"
    out: list[str] = []
    added = False
    for token in _TOKEN.findall(template.text):
        named = _PLACE.fullmatch(token)
        if named:
            filled = places.get(named[1], "")
            if not filled:
                return None
            if named[1] == "year" and (_lasting(wording) or re.search(r"(?<!\d)20[1-3]\d(?!\d)", core)):
                continue
            added = added or named[1] in {"need", "year", "platform"}
            out.append(filled)
        else:
            word = wording.say(token)
            joins = plain(word) in _JOINING and bool(out) and not out[-1].startswith(core)
            if (holds(folded, plain(word)) and not joins) or (plain(word) == "方法" and _HOW.search(plain(core))):
                continue
            out.append(word)
            added = added or plain(word) not in {"in", "to", "of", "for", "the", "a", "and", "how"}
    return wording.complete(" ".join(out)) if added else None


_TIMELESS = frozenset({"local-service", "food", "animal", "symptom", "illness", "medicine"})
_SUBSTITUTE = re.compile(r"\b(?:substitutes?|replacements?) for\b|\binstead of\b|\brecipes?\b|替代|代替")


def _lasting(wording: Wording) -> bool:
    """Whether the query looks for a trade nearby, a dish or a remedy, of which nobody wants this year's."""
    made = any(e.type in ("product", "brand", "media", "model-number") for e in wording.understanding.entities)
    lasting = any(e.type in _TIMELESS for e in wording.understanding.entities)
    return (lasting and not made) or _SUBSTITUTE.search(wording.folded) is not None


def own_words(template: Template) -> tuple[str, ...]:
    """The template's own words, a fixed phrase as one."""
    return tuple(word for word in _TOKEN.findall(template.text) if not word.startswith("{"))


def literal(template: Template) -> str:
    """The template's own words, without its places."""
    return " ".join(_PLACE.sub(" ", template.text).split())


def overlaps(text: str, others: Iterable[str], wording: Wording) -> bool:
    """Whether ``text`` (a template's words, a need) says what one of ``others`` says."""
    segments = segmenter(wording.knowledge.lexicon)
    words = {plain(w) for w in segments.keywords(text)}
    specific = words - load_set("generic_words") or words
    for other in others:
        folded = plain(other)
        if any(holds(folded, w) for w in specific if not has_han(w) or len(w) > 1):
            return True
    return False
