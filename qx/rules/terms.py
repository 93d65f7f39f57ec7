"""Whether a text holds a term: in another case or form, as a synonym, as a wider term.

The guard asks what a query lost, the processor ``fit`` how much of it is left, the strategies what they may replace.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache

from qx.domain import Knowledge
from qx.text.lexicons import load_set
from qx.text.normalise import fold, simplified
from qx.text.remembered import made_once, remembering
from qx.text.segment import Segmenter, stem
from qx.types import Entity, Understanding

_HAN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]")
_KANA = re.compile(r"[\u3040-\u30ff\uac00-\ud7af]")
_FOLDED = re.compile("[\u4e00-\u9fffa-z0-9]+(?: [\u4e00-\u9fffa-z0-9]+)*")
"""What folding leaves as it is, as nearly every Chinese candidate."""
_WORD = re.compile(r"[^\W_]+(?:[.+#'’-]+[^\W_]+)*[+#]*")
_SUFFIXES = ("al", "ive", "ous", "ful", "less", "able", "ible", "ic", "ing", "ed", "ary", "ern", "ish", "ian", "ly")
_ADJECTIVES = ("ive", "ous", "ful", "less", "able", "ible", "ical", "ional", "ish", "eval")


def has_han(text: str) -> bool:
    """Whether ``text`` has Chinese characters and no kana or hangul."""
    return not text.isascii() and bool(_HAN.search(text)) and not _KANA.search(text)


@lru_cache(maxsize=8192)
def plain(text: str) -> str:
    """Fold for comparison, across Traditional and Simplified."""
    folded = text if _FOLDED.fullmatch(text) else fold(text)
    return simplified(folded) if not folded.isascii() and _HAN.search(folded) else folded


@made_once
def segmenter(lexicon: tuple[str, ...]) -> Segmenter:
    """The segmenter of one lexicon, made once."""
    return Segmenter(lexicon)


@lru_cache(maxsize=4096)
def _stems(folded: str) -> frozenset[str]:
    return frozenset(stem(word) for word in _WORD.findall(folded))


@lru_cache(maxsize=4096)
def _bounded(folded: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![^\W_])(?:{re.escape(folded)})(?![^\W_])")


def without(text: str, said: str) -> str:
    """Return ``text`` with a space for the first ``said``: for one that is no part of a Latin word, where there is such."""
    if not said or said not in text:
        return text
    whole = re.search(rf"(?<![A-Za-z0-9]){re.escape(said)}(?![A-Za-z0-9])", text)
    at = whole.start() if whole is not None else text.index(said)
    return f"{text[:at]} {text[at + len(said) :]}"


def holds_exact(folded: str, term: str) -> bool:
    """Whether the folded text holds the folded term: whole words where it is Latin, anywhere where it is Chinese."""
    if not term or term not in folded:
        return False
    if not term.isascii() and (_HAN.search(term) or _KANA.search(term)):
        return True
    # Latin beside Chinese is bounded by it: `Python里` holds `python`.
    return bool(_bounded(term).search(folded if folded.isascii() else _HAN.sub(" ", folded)))


def holds(folded: str, term: str) -> bool:
    """As ``holds_exact``, plural and -ing forms and the order of Latin words aside, and Chinese words split or joined."""
    if not term:
        return False
    if not term.isascii() and _HAN.search(term):
        return term in folded or (len(term) > 1 and term.replace(" ", "") in folded.replace(" ", ""))
    if holds_exact(folded, term):
        return True
    wanted = _stems(term)
    return bool(wanted) and wanted <= _stems(folded)


def synonyms(term: str, knowledge: Knowledge) -> tuple[tuple[str, str], ...]:
    """The other wordings of ``term`` and where each comes from."""
    key = plain(term)
    found = knowledge.synonyms.get(key, ())
    if not found and not _HAN.search(key) and " " not in key:
        found = knowledge.synonyms.get(stem(key), ())
    return found


@made_once
def wider_terms(knowledge: Knowledge) -> Mapping[str, tuple[str, ...]]:
    """``knowledge.generalize`` with folded keys, made once for each."""
    return {plain(word): others for word, others in knowledge.generalize.items()}


def wordings(term: str, knowledge: Knowledge, *, wider: bool = False) -> tuple[str, ...]:
    """``term`` and what may stand for it, folded; with ``wider`` also its wider terms."""
    return _memory(knowledge).wordings(term, wider)


class Folded:
    """A folded text made ready to be asked for many terms, as ``holds`` of each.

    Attributes:
        text: The folded text.
        pressed: It without spaces: Chinese words split or joined are in it all the same.
        characters: Its characters.
    """

    __slots__ = ("_latin", "characters", "pressed", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.pressed = text.replace(" ", "")
        self.characters = frozenset(text)
        self._latin: dict[str, bool] | None = None

    def holds(self, term: str) -> bool:
        """Whether the text holds the folded term."""
        if not term.isascii() and _HAN.search(term):
            return term.replace(" ", "") in self.pressed
        return self.holds_latin(term)

    def holds_latin(self, term: str) -> bool:
        """As ``holds``, of a term without Chinese characters; they cost more to look for, and are remembered."""
        if self._latin is None:
            self._latin = {}
        known = self._latin.get(term)
        if known is None:
            if len(self._latin) >= _ASKED:
                self._latin.clear()
            known = self._latin[term] = holds(self.text, term)
        return known


_ASKED = 1024
"""Terms of which one text remembers whether it holds them."""
folded_text = remembering(Folded, entries=256)
"""The ``Folded`` of a folded text: guard, fit and strategies ask of the same candidates."""

Keeper = Callable[[Folded], bool]
"""Tells whether a text keeps one term."""


class _Memory:
    """What was lately asked of one knowledge: guard, fit and strategies ask the same of the same candidates."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge
        self.wordings = lru_cache(maxsize=2048)(self._wordings)
        self.keeper = lru_cache(maxsize=2048)(self._keeper)

    def _wordings(self, term: str, wider: bool) -> tuple[str, ...]:
        knowledge = self._knowledge
        forms = [plain(term), *(plain(other) for other, _ in synonyms(term, knowledge))]
        if wider:
            forms += [plain(other) for other in wider_terms(knowledge).get(plain(term), ())]
        return tuple(dict.fromkeys(form for form in forms if form))

    def keeps(self, folded: str, term: str, wider: bool) -> bool:
        return self.keeper(term, wider)(folded_text(folded))

    def _keeper(self, term: str, wider: bool) -> Keeper:
        if wider and plain(term) not in wider_terms(self._knowledge):
            return self.keeper(term, False)
        forms = self.wordings(term, wider)
        chinese = tuple([form.replace(" ", "") for form in forms if _HAN.search(form)])
        latin = tuple([form for form in forms if not _HAN.search(form)])
        content = _content_characters(forms[0]) if forms else frozenset[str]()
        most = max(2, -(-3 * len(content) // 5))

        def kept(said: Folded) -> bool:  # as ``holds`` of each form, else by the characters of the first one
            pressed = said.pressed
            for form in chinese:
                if form in pressed:
                    return True
            for form in latin:
                if said.holds_latin(form):
                    return True
            return len(content) > 1 and len(content & said.characters) >= most

        return kept


@made_once
def _memory(knowledge: Knowledge) -> _Memory:
    return _Memory(knowledge)


def _content_characters(term: str) -> frozenset[str]:
    """The characters of a Chinese term of which most, at least two, say it in another form: 付款 for 付不了款."""
    return frozenset(ch for ch in term if _HAN.match(ch) and ch not in load_set("particles_zh"))


def keeping(knowledge: Knowledge) -> Callable[[str, bool], Keeper]:
    """(Term, wider) -> ``keeps`` of that term: looked up once, for who asks it of every candidate."""
    return _memory(knowledge).keeper


def keeps(folded: str, term: str, knowledge: Knowledge, *, wider: bool = False) -> bool:
    """Whether the folded text keeps ``term`` by its own, another, or (``wider``) a wider wording."""
    return _memory(knowledge).keeps(folded, term, wider)


def entity_forms(entity: Entity) -> tuple[str, ...]:
    """The text of an entity and its canonical name."""
    return tuple(dict.fromkeys(form for form in (entity.text, entity.canonical) if form))


def keeps_entity(folded: str, entity: Entity, knowledge: Knowledge, *, wider: bool = False) -> bool:
    """Whether the folded text names ``entity``."""
    keeper, said = _memory(knowledge).keeper, folded_text(folded)
    return keeper(entity.text, wider)(said) or (bool(entity.canonical) and keeper(entity.canonical, wider)(said))


def is_adjective(word: str) -> bool:
    """Whether an English word is surely an adjective."""
    return word in load_set("modifiers_en") or (len(word) > 6 and word.endswith(_ADJECTIVES))


def is_modifier(word: str) -> bool:
    """Whether an English word looks like an adjective: its going makes a phrase wider, not another phrase."""
    return word in load_set("modifiers_en") or (len(word) > 5 and word.endswith(_SUFFIXES))


@made_once
def terms(understanding: Understanding) -> tuple[str, ...]:
    """The distinct terms of the analysis: keywords that say something, entities where no keyword covers them."""
    found = [word for word in understanding.keywords if plain(word) not in load_set("generic_words")]
    joined = plain(" ".join(found))
    found += [e.text for e in understanding.entities if not e.verbatim and not holds(joined, plain(e.text))]
    return tuple(dict.fromkeys(found))
