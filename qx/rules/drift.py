"""Whether a candidate still speaks of the query's subject.

Two ways to drift: another entity of the same kind stands in an entity's place (华为 for 小米), or the subject itself is
gone.  Bringing in a part or a cause (内存条 for a black screen) is neither.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import lru_cache

from qx.domain import Knowledge, Taxonomy
from qx.rules import figures
from qx.rules.attributes import standing_for, stands_for
from qx.rules.kinds import type_of
from qx.rules.terms import (
    folded_text,
    has_han,
    holds,
    holds_exact,
    is_modifier,
    keeping,
    keeps,
    keeps_entity,
    plain,
    segmenter,
    terms,
)
from qx.serial import value
from qx.text.lexicons import load, load_set
from qx.text.remembered import made_once, remembering
from qx.text.segment import stem
from qx.types import Understanding

WIDENING = frozenset({"generalize", "step-back"})
"""Strategies that may lose modifiers and soft constraints."""
FREE = frozenset({"translate", "spelling"})
"""Strategies whose words are all others than the query's."""

_OPEN_TYPES = frozenset(
    [
        "thing",
        "topic",
        "concept",
        "product",
        "products",
        "component",
        "part",
        "parts",
        "hardware",
        "symptom",
        "problem",
        "fault",
        "feature",
        "material",
        "audience",
        "attribute",
        "action",
        "event",
        "accessory",
        "time",
        "date",
        "number",
        "field",
        "device",
        "subject",
        "need",
    ]
)
"""Types of which a query may well name several: naming another one replaces nothing."""
_OPEN_INTENTS = frozenset({"troubleshooting", "research", "recommendation", "comparison"})
"""Intents whose good answers often name a cause, a work or a model instead of the query's own words."""
_LOOSE_INTENTS = _OPEN_INTENTS - {"research"} | {"how-to"}
"""Intents whose answers need not keep every noun of a long phrase."""

_NAMED = frozenset({"product", "brand", "technology", "service"})

Names = dict[str, tuple[str, str]]


def closed_names(taxonomy: Taxonomy) -> Names:
    """Folded name -> (kind, canonical name), of the types where one thing excludes another (brands, places).

    The kind is the entity type, with the family where the name has one: ``technology/database``.
    """
    index: Names = {}
    for kind in taxonomy.entity_types:
        if kind.is_any(_OPEN_TYPES):
            continue
        family = {name: f"{kind.id}/{family}" for family, names in kind.families.items() for name in names}
        for canonical, others in kind.names.items():
            for name in (canonical, *others):
                if len(name) > 1:
                    index.setdefault(plain(name), (family.get(canonical, kind.id), canonical))
    return index


@made_once
def _names(taxonomy: Taxonomy) -> tuple[Names, dict[str, list[int]]]:
    """``closed_names``, and the lengths of those that begin with two characters, longest first."""
    index = closed_names(taxonomy)
    sizes: dict[str, set[int]] = defaultdict(set)
    for name in index:
        if len(name) > 1:
            sizes[name[:2]].add(len(name))
    return index, {first: sorted(lengths, reverse=True) for first, lengths in sizes.items()}


@made_once
def _found(taxonomy: Taxonomy) -> Callable[[str], tuple[tuple[str, str, str], ...]]:
    """Folded text -> the names that it holds: (type, canonical, name), longest first at each place."""
    index, sizes = _names(taxonomy)

    def names(folded: str) -> Iterator[tuple[str, str, str]]:
        end = 0
        for at in [at for at in range(len(folded) - 1) if folded[at : at + 2] in sizes]:  # few places begin a name
            for size in sizes[folded[at : at + 2]] if at >= end else ():
                name = folded[at : at + size]
                if name in index and holds_exact(folded, name):
                    yield (*index[name], name)
                    end = at + size
                    break

    return remembering(lambda folded: tuple(names(folded)), entries=256)  # guard and fit ask of the same candidates


Owned = tuple[tuple[str, str], ...]
"""(kind, canonical name) of each thing that the query names, of types where one thing excludes another."""


def owned(original: str, understanding: Understanding, knowledge: Knowledge) -> Owned:
    """What the query names: known names in its text, and the entities of its analysis."""
    found = {(kind, canonical) for kind, canonical, _ in _found(knowledge.taxonomy)(plain(original))}
    known, _ = _names(knowledge.taxonomy)
    for entity in understanding.entities:
        if type_of(entity, knowledge) not in _OPEN_TYPES:  # known by its text: "Python (编程语言)" is Python
            found.add(known.get(plain(entity.text), (entity.type, entity.canonical or entity.text)))
    return tuple(sorted(found))


def replaced(text: str, ours: Owned, knowledge: Knowledge, *, wider: bool = False) -> tuple[str, str] | None:
    """Return (new name, name it replaced) if ``text`` puts a known thing in the place of another of its type.

    A part of it (拉萨 for 西藏) replaces nothing; what it is a part of only where ``text`` may be wider.
    """
    if not ours:
        return None
    inside = _inside(knowledge.taxonomy)
    folded = plain(text)
    theirs = _found(knowledge.taxonomy)(folded)
    present = {(kind, canonical) for kind, canonical, _ in theirs}
    for kind, canonical, name in theirs:
        if (kind, canonical) in ours:
            continue
        for own_kind, own in ours:
            if not _rival(kind, own_kind) or plain(name) in plain(own) or plain(own) in plain(name):
                continue  # 博客 is what 科技博客 is, not another thing
            if any(own in inside.get(one, ()) for _, one in present) or (
                wider and (canonical in inside.get(own, ()) or canonical in _wider(knowledge).get(own, ()))
            ):
                continue
            if (kind, own) not in present and not keeps(folded, own, knowledge):
                return name, own
    return None


@made_once
def _inside(taxonomy: Taxonomy) -> dict[str, frozenset[str]]:
    """Canonical name -> all that it lies in: 拉萨 in 西藏, 中国 and 亚洲."""
    near: dict[str, set[str]] = defaultdict(set)
    for kind in taxonomy.entity_types:
        for whole, parts in kind.parts.items():
            for part in parts:
                near[part].add(whole)
    found: dict[str, frozenset[str]] = {}
    for part in near:
        seen: set[str] = set()
        left = [part]
        while left:
            fresh = near.get(left.pop(), set()) - seen
            seen |= fresh
            left += fresh
        found[part] = frozenset(seen)
    return found


@made_once
def _wider(knowledge: Knowledge) -> dict[str, frozenset[str]]:
    """Canonical name -> those of what the packs say it is a kind of, whatever name they say it by: bread of sourdough."""
    names, _ = _names(knowledge.taxonomy)
    found: dict[str, frozenset[str]] = {}
    for word, others in knowledge.generalize.items():
        if (own := names.get(plain(word))) is not None:
            over = frozenset(names[plain(other)][1] for other in others if plain(other) in names)
            found[own[1]] = found.get(own[1], frozenset()) | over
    return found


def _rival(one: str, other: str) -> bool:
    """Whether things of these kinds exclude one another: of one family, or of one type where one has no family."""
    (type_, _, family), (other_type, _, other_family) = one.partition("/"), other.partition("/")
    return type_ == other_type and (family == other_family or not family or not other_family)


def serves_need(text: str, understanding: Understanding, knowledge: Knowledge) -> bool:
    """Whether ``text`` speaks of an implicit need of the query."""
    return any(serves(text, need, knowledge) for need in understanding.implicit_needs)


def serves(text: str, need: str, knowledge: Knowledge) -> bool:
    """Whether ``text`` speaks of ``need``: of half of its telling words at least."""
    return serving(knowledge)(need)(plain(text))


@made_once
def serving(knowledge: Knowledge) -> Callable[[str], Callable[[str], bool]]:
    """Need -> ``serves`` of a folded text; asked of the same few needs for every candidate."""
    words_of, keeper = segmenter(knowledge.lexicon).keywords, keeping(knowledge)

    def made(need: str) -> Callable[[str], bool]:
        wording = plain(need)
        parts = (part for word in words_of(need) for part in _halves(word))
        kept = tuple([keeper(part, False) for part in parts if plain(part) not in load_set("generic_words")])

        def speaks_of_it(folded: str) -> bool:
            said = folded_text(folded)
            if said.holds(wording):
                return True
            return bool(kept) and 2 * sum([keeps(said) for keeps in kept]) >= len(kept)

        return speaks_of_it

    return lru_cache(maxsize=1024)(made)


def _halves(word: str) -> tuple[str, ...]:
    """Four Chinese characters are two words, though a dictionary may hold them as one: 降雨 and 概率."""
    return (word[:2], word[2:]) if len(word) == 4 and all(has_han(ch) for ch in word) else (word,)


@made_once
def _narrower(knowledge: Knowledge) -> dict[str, list[str]]:
    """Wider term -> its narrower ones: who asks for rain asks for the weather, who names 拉萨 names 西藏."""
    found: dict[str, list[str]] = defaultdict(list)
    for word, others in knowledge.generalize.items():
        for other in others:
            found[plain(other)].append(plain(word))
    names = {
        canonical: [plain(name) for name in (canonical, *others)]
        for kind in knowledge.taxonomy.entity_types
        for canonical, others in kind.names.items()
    }
    for part, wholes in _inside(knowledge.taxonomy).items():
        for name in (name for whole in wholes for name in names.get(whole, [plain(whole)])):
            found[name] += names.get(part, [plain(part)])
    return dict(found)


def kept_terms(
    text: str, understanding: Understanding, knowledge: Knowledge, *, wider: bool = False
) -> tuple[str, ...]:
    """The distinct terms of the analysis that ``text`` still holds, in some wording or as what is a kind of them."""
    folded, keeper, narrower = plain(text), keeping(knowledge), _narrower(knowledge)
    said = folded_text(folded)
    return tuple(
        t
        for t in terms(understanding)
        if keeper(t, wider)(said)
        or any(holds(folded, n) for n in narrower.get(plain(t), ()))
        or _measured(t, text)
        or _at_its_site(plain(t), folded, knowledge)
    )


def _measured(term: str, text: str) -> bool:
    """Whether ``text`` has the measure that ``term`` is, in another spelling: 27.2mm as 27.2 millimetres."""
    wanted = figures.find(term) if any(ch.isdigit() for ch in term) else ()
    if not wanted or any(figure.unit is None for figure in wanted):
        return False
    held = figures.find(text)
    return all(figures.kept(figure, held) for figure in wanted)


def _at_its_site(term: str, folded: str, knowledge: Knowledge) -> bool:
    """Whether ``term`` names a platform of whose site the text asks: ``site:jd.com`` says 京东."""
    if "site:" not in folded:
        return False
    return any(
        one.site and f"site:{one.site}" in folded and any(term in plain(name) for name in (one.name, *one.names))
        for one in knowledge.platforms
    )


def shares_nothing(text: str, original: str, understanding: Understanding, knowledge: Knowledge) -> bool:
    """Whether ``text`` has no entity, keyword or implicit need of the analysis, nor a sense or cue of it."""
    folded = plain(text)
    for entity in understanding.entities:
        if keeps_entity(folded, entity, knowledge, wider=True):
            return False
    heads = (
        {_halves(plain(e.text))[-1] for e in understanding.entities}
        - load_set("generic_words")
        - load_set("broad_heads_zh")
    )  # 博客 for 科技博客
    if any(holds(folded, head) for head in heads):
        return False
    tails = [e.text.rsplit(" ", 1)[-1] for e in understanding.entities if " " in e.text]  # earbuds of wireless earbuds
    if any(keeps(folded, tail, knowledge) for tail in tails if plain(tail) not in load_set("generic_words")):
        return False
    wanted = terms(understanding) or understanding.keywords
    if any(keeps(folded, word, knowledge, wider=True) for word in wanted):
        return False
    if serves_need(text, understanding, knowledge):
        return False
    if any(said_otherwise(plain(word), folded, plain(original), knowledge) for word in wanted):
        return False  # the shop says that what it calls a kettle is a "water boiler"
    if not wanted and not understanding.entities:  # no analysis: the words of the query itself
        own = segmenter(knowledge.lexicon).keywords(original)
        return not any(keeps(folded, word, knowledge) for word in own) if own else False
    return True


@value
class _Subject:
    """What ``lost_subject`` asks of the query itself.

    Attributes:
        terms: The terms of its analysis.
        names: Its names of products, brands and the like, folded.
        latin: Whether one of them is in Latin letters.
        strict: Whether its intent asks for neither causes nor works.
        whole_phrase: Whether it is a specialist's phrase.
    """

    terms: tuple[str, ...]
    names: frozenset[str]
    latin: bool
    strict: bool
    whole_phrase: bool

    @property
    def free(self) -> bool:
        """Whether a candidate may lose any of it."""
        return not self.whole_phrase and not (self.strict and (self.latin or len(self.terms) <= 2))


@made_once
def _subject(knowledge: Knowledge) -> Callable[[Understanding], _Subject]:
    """What tells the subject of a query, once for each; it is another one for other packs."""

    @made_once
    def told(understanding: Understanding) -> _Subject:
        wanted, intents = terms(understanding), set(knowledge.widened(understanding.intent))
        names = frozenset([plain(e.text) for e in understanding.entities if type_of(e, knowledge) in _NAMED])
        return _Subject(
            terms=wanted,
            names=names,
            latin=any(map(str.isascii, names)),
            strict=not intents & _OPEN_INTENTS,
            whole_phrase=len(wanted) >= 4 and not intents & _LOOSE_INTENTS,
        )

    return told


def is_free(understanding: Understanding, knowledge: Knowledge) -> bool:
    """Whether ``lost_subject`` finds nothing lost by any text."""
    return _subject(knowledge)(understanding).free


def lost_subject(
    text: str, strategy: str, understanding: Understanding, knowledge: Knowledge, *, original: str = ""
) -> tuple[str, ...]:
    """Return the terms of the subject that ``text`` may not lose but did.

    Of one or two terms none may go (in English, no name), unless the intent asks for causes or works; of a
    specialist's phrase of four or more, no noun, whatever the strategy: widening drops modifiers, not ``buttress``.
    """
    if strategy in FREE or strategy == "decompose":
        return ()
    subject = _subject(knowledge)(understanding)
    if subject.free:
        return ()
    wanted, names, whole_phrase = subject.terms, subject.names, subject.whole_phrase
    wider = strategy in WIDENING
    strict = not wider and subject.strict
    abroad = strict and subject.latin and has_han(text)
    if not (strict and len(wanted) <= 2) and not abroad and not whole_phrase:
        return ()
    kept = kept_terms(text, understanding, knowledge, wider=wider)
    gone = tuple(t for t in wanted if t not in kept)
    if len(wanted) <= 2:
        if kept and serves_need(text, understanding, knowledge):
            return ()  # 东京 降雨概率 has no 天气 any more, but all that it was asked for
        gone = tuple(t for t in gone if not said_otherwise(plain(t), plain(text), original, knowledge))
        return gone if any(has_han(t) for t in wanted) else tuple(t for t in gone if t[:1].isupper())
    named = tuple(t for t in gone if plain(t) in names and t.isascii())
    if abroad and named and not any(plain(t) in names for t in kept):  # Django says Python too
        return named  # 微信 for Telegram
    if not whole_phrase:
        return ()
    whole = " ".join((plain(" ".join(wanted)), original))
    gone = tuple(t for t in gone if not said_otherwise(plain(t), plain(text), whole, knowledge))
    gone = tuple(t for t in gone if not stands_for(plain(t), plain(text), original))
    if any(has_han(t) for t in wanted):
        return gone if len(gone) * 2 > len(wanted) else ()
    return tuple(t for t in gone if not is_modifier(stem(plain(t))) and not is_modifier(plain(t)))


def said_otherwise(term: str, folded: str, original: str, knowledge: Knowledge) -> bool:
    """Whether a wording of the query that holds ``term`` is replaced as a whole: ``load paths`` by "load transfer".

    Args:
        term: Folded.
        folded: The candidate, folded.
        original: The query, folded.
        knowledge: Whose synonyms say what means the same.
    """
    nouns, others = _otherwise(knowledge)(term, original)
    return any(map(folded.__contains__, nouns)) or any(map(folded_text(folded).holds, others))


@made_once
def _otherwise(knowledge: Knowledge) -> Callable[[str, str], tuple[tuple[str, ...], tuple[str, ...]]]:
    """(Term, query), folded -> the nouns and the wordings that say the term otherwise; asked of every candidate."""

    def of(term: str, original: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        nouns = standing_for(term, original)  # the "tall" of "how tall is" by "height"
        if term in load_set("genres"):  # the papers of "recent advances in"
            return nouns, tuple([genre for genre in load("genres") if genre != term])
        sets = [
            knowledge.synonyms[key]
            for key in _wordings(knowledge)(original)
            if key != term and (" " in key or term in key) and holds(key, term)
        ]
        return nouns, tuple(dict.fromkeys([plain(other) for found in sets for other, _ in found]))

    return lru_cache(maxsize=1024)(of)


@made_once
def _wordings(knowledge: Knowledge) -> Callable[[str], tuple[str, ...]]:
    """Folded query -> the wordings in it that have synonyms; asked of the same query for every candidate."""
    known, sizes = knowledge.synonyms, defaultdict[str, set[int]](set)
    for wording in known:
        sizes[wording[:1]].add(len(wording))

    def within(original: str) -> tuple[str, ...]:
        pieces = {original[at : at + size] for at, first in enumerate(original) for size in sizes.get(first, ())}
        return tuple(sorted(piece for piece in pieces if piece in known and holds(original, piece)))

    return lru_cache(maxsize=256)(within)
