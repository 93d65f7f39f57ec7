"""The guard: every candidate passes here, whoever made it, before it becomes a sub-query.

It only ever drops: what it returns is a part of what it was given, spaces aside, in the same order, and guarding that
again drops nothing.  It judges by strategy:

====================  ==========================================================================================
all                   no number, identifier, model number or exclusion is changed; identifiers, quoted phrases,
                      numbers, exclusions and hard constraints stay, as words or (``filtered``) as a filter; no
                      exclusion and no alternative (``OR``) that is not the query's; no other entity of the same
                      kind, no other model of a name, nothing that a word of the query excludes (adults for kids);
                      something of the analysis; the query's language
synonym, refine, ...  soft constraints stay too
generalize, step-back may lose modifiers and soft constraints
decompose             its parts keep all of it together; each part alone need not
translate             may change the language
====================  ==========================================================================================

Duplicates and near-duplicates go (of the original too) before the caller cuts the list to its limit.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property

from qx.domain import Knowledge
from qx.rules import drift, negations, tokens, variants
from qx.rules.bounds import analysed
from qx.rules.contrasts import Contrasts
from qx.rules.demands import unasked
from qx.rules.likeness import Likeness, added, alike, exchanged, likening, reworded
from qx.rules.protection import Protected, base_text, protection
from qx.rules.subjects import Subjects
from qx.rules.terms import has_han, holds, keeps_entity, plain
from qx.serial import replace
from qx.settings import Expand
from qx.text.clean import clean
from qx.text.frequencies import english
from qx.text.language import same_language
from qx.text.normalise import has_traditional
from qx.types import Dropped, Query, SubQuery, Understanding

_SOFT = drift.WIDENING | {"pseudo-document"}
_LABEL = {
    "identifier": "identifier",
    "phrase": "quoted phrase",
    "number": "number",
    "negation": "exclusion",
    "constraint": "constraint",
}

_LONGEST_WORDING = 8
_COMMON = 1_000_000
"""Occurrences from which an English word is surely one."""
_DENYING = frozenset({"不是", "并非", "非", "无", "未", "别", "不要", "never", "nor", "neither", "except"})
"""Words that negate without telling that something fails."""
_BEING = frozenset({"不是", "并非", "不算"})
"""Words that deny what something is, which is no fault that a need could answer."""
_OPEN = frozenset({"recommendation", "comparison"})
"""Intents that models of a name answer: an iPad Air who wants to have an iPad recommended."""
_CUE = re.compile(r"\bwithout\b|\bbut not\b|不要|不含|不带|不帶", re.I)
_OPEN_QUOTE = re.compile(r'(?:^|[\s(])"[^"]+$')
"""A quote that begins and does not end: a list that was cut off in its middle."""
_OPERATOR = re.compile(r"(?<!\S)-?[a-z]+:\S+", re.I)
_CODE = re.compile(r"(?<![^\W_])[^\W_]+(?:[_.][^\W_]+)+(?:\(\))?|(?<![^\W_])[^\W_]+\(\)")
"""``bulk_create``, ``dict.fromkeys``, ``set()``: written the same in every language."""
_SIGN = re.compile(r"[:_.(]")
"""What text with operators or code has; most has none."""

_CHINESE = re.compile("[\u4e00-\u9fffA-Za-z0-9 ]{1,400}")


def guard(
    query: Query,
    understanding: Understanding,
    candidates: Sequence[SubQuery],
    *,
    settings: Expand,
    knowledge: Knowledge,
    filtered: frozenset[str] = frozenset(),
) -> tuple[tuple[SubQuery, ...], tuple[Dropped, ...]]:
    """Return the candidates that are true to the query, in their order, and what was dropped, each with its reason.

    Args:
        query: The query as typed; its own text is not among the results.
        understanding: Its analysis; entities, negations and numbers are also read from the text itself.
        candidates: What strategies or a model proposed, best first.
        settings: ``max_length`` and ``similarity`` apply; ``limit`` is the caller's to apply, afterwards.
        knowledge: Synonyms and names, to tell another wording from another thing.
        filtered: Canonical fields whose constraints go to the engine as filters, so that words need not say them.
    """
    judge = _Judge(query, understanding, settings, knowledge, filtered)
    named = [c if (text := tidy(c.text)) == c.text else replace(c, text=text) for c in candidates]
    reasons = [judge.reason(c) for c in named]
    judge.parts(named, reasons)
    judge.duplicates(named, reasons)
    passed = tuple(c for c, reason in zip(named, reasons, strict=True) if reason is None)
    dropped = tuple(
        Dropped(text=c.text, reason=reason, strategy=c.strategy)
        for c, reason in zip(named, reasons, strict=True)
        if reason is not None
    )
    return passed, dropped


def tidy(text: str) -> str:
    """Return ``text`` on one line with single spaces, without control characters and tags; case and width stay."""
    for _ in range(3):  # taking tags away may leave another one
        if ("<" not in text and "\x1b" not in text) or (cleaned := clean(text).text) == text:
            break
        text = cleaned
    if not text.isprintable():
        text = "".join(ch if ch.isprintable() else " " for ch in text)
    return " ".join(text.split())


class _Judge:
    """The guard of one query."""

    def __init__(
        self,
        query: Query,
        understanding: Understanding,
        settings: Expand,
        knowledge: Knowledge,
        filtered: frozenset[str],
    ) -> None:
        self._understanding = understanding
        self._settings = settings
        self._knowledge = knowledge
        self._text = base_text(query, understanding)
        standalone = understanding.standalone or query.text  # the corrected spelling is a candidate like any other
        self._likeness = likening(knowledge.lexicon)
        self._originals = tuple(self._likeness(tidy(t)) for t in dict.fromkeys(map(analysed, (query.text, standalone))))
        self._protection = protection(query, understanding, knowledge, filtered=filtered)
        self._folded = plain(self._text)
        self._chinese = has_han(self._folded)
        self._open = not _OPEN.isdisjoint(knowledge.widened(understanding.intent))
        self._cues = [cue.lower() for cue in _CUE.findall(self._text)]
        self._contrasts = Contrasts(self._text, knowledge)
        self._subjects = Subjects(self._text, understanding, knowledge)
        self._free = drift.is_free(understanding, knowledge)
        self._breakable = tokens.breakable(self._text)
        self._modelled = variants.concerned(self._text, knowledge, open_=self._open)
        self._entities = tuple(e for e in understanding.entities if not e.verbatim)

    def reason(self, candidate: SubQuery) -> str | None:
        """Why this candidate alone is dropped, or None."""
        text, strategy = candidate.text, candidate.strategy
        if not any(map(str.isalnum, text)):
            return "empty"
        if text.count('"') % 2 and _OPEN_QUOTE.search(text) and not self._text.count('"') % 2:
            return "a quote that does not close"
        if len(text) > self._settings.max_length:
            return f"longer than {self._settings.max_length} characters"
        return (
            self._protection.changed(text)
            or self._taken_apart(text)
            or self._doubled(text)
            or self._half_excluded(text)
            or unasked(text, self._text, self._understanding, self._knowledge)
            or (None if strategy == "translate" else self._other_language(text))
            or self._foreign(candidate)
            or (None if strategy == "decompose" else self._lost(candidate))
        )

    def _taken_apart(self, text: str) -> str | None:
        token = tokens.broken(self._text, text) if self._breakable else None
        return None if token is None else f"takes {token} apart"

    def _doubled(self, text: str) -> str | None:
        own = self._cues
        if not own:
            return None
        cues = [cue.lower() for cue in _CUE.findall(text)]
        twice = next((cue for cue in cues if cues.count(cue) > max(1, own.count(cue))), None)
        return f"says {twice!r} twice" if twice in own else None

    def _half_excluded(self, text: str) -> str | None:
        target = negations.half_excluded(self._text, text)
        return None if target is None else f"does not exclude all of {target!r}"

    def _other_language(self, text: str) -> str | None:
        language = self._understanding.language
        if language == "zh" and not text.isascii() and _CHINESE.fullmatch(text) and not has_traditional(text):
            return None  # as nearly every candidate for a Chinese query
        spoken = _spoken(text)
        if language in {"", "und"} or same_language(spoken, language) or not _words(spoken):
            # A Latin query of several words "fits" Chinese by its script alone: it must be made of the query's words.
            if self._chinese and not has_han(spoken) and not all(map(self._said, _words(spoken))):
                return f"not in the query's language ({language})"
            return None
        if language == "en" and all(w in self._folded or english().get(w, 0) >= _COMMON for w in _words(spoken)):
            return None  # laissez faire is the query's own word; what is beside it is English
        return f"not in the query's language ({language})"

    def _said(self, word: str) -> bool:
        """Whether a Latin word is the query's, or what a synonym writes for one of the query's."""
        return word in self._folded or word in self._latin

    @cached_property
    def _latin(self) -> frozenset[str]:
        """The Latin words that synonyms of packs and profile write for the query's Chinese ones: VPN for 梯子."""
        own = self._folded
        pieces = {own[at : at + size] for at in range(len(own)) for size in range(1, _LONGEST_WORDING + 1)}
        known = self._knowledge.synonyms
        return frozenset(w for p in pieces if p in known for other, _ in known[p] for w in _words(other))

    def _foreign(self, candidate: SubQuery) -> str | None:
        moved = self._altered(candidate.text) if candidate.strategy != "spelling" else None
        if moved is not None:
            return f"puts {moved[0]} in the place of {moved[1]}"
        if candidate.strategy in drift.FREE:
            return None
        owned, wider = self._protection.owned, candidate.strategy in drift.WIDENING
        other = drift.replaced(candidate.text, owned, self._knowledge, wider=wider) if owned else None
        if other is not None:
            return f"puts {other[0]} in the place of {other[1]}"
        moved = self._subjects.displaced(candidate.text)
        if moved is not None:
            return f"puts {moved[0]} in the place of {moved[1]}"
        if drift.shares_nothing(candidate.text, self._text, self._understanding, self._knowledge):
            return "shares no entity, keyword or need with the query"
        if self._free:
            return None
        gone = drift.lost_subject(
            candidate.text, candidate.strategy, self._understanding, self._knowledge, original=self._folded
        )
        return f"loses the subject: {', '.join(gone)}" if gone else None

    def _altered(self, text: str) -> tuple[str, str] | None:
        """Another model of a name, or what a word of the query excludes."""
        other = variants.altered(self._text, text, self._knowledge, open_=self._open) if self._modelled else None
        return other or self._contrasts.opposed(text)

    def _lost(self, candidate: SubQuery) -> str | None:
        missing = self._protection.lost(candidate.text, widening=candidate.strategy in _SOFT)
        if candidate.strategy == "translate":  # words are translated; only what no language changes can be checked
            missing = tuple(t for t in missing if t.kind in {"identifier", "number"})
        if missing:
            return _loses(missing[0])
        if candidate.strategy not in drift.FREE and self._protection.turns_round(candidate.text):
            return None if self._answers(candidate) else self._turned()
        return None

    def _answers(self, candidate: SubQuery) -> bool:
        """Whether a candidate is what the packs say that such people need: 退款进度 查询 of 退款还没到账."""
        needs = self._understanding.implicit_needs
        folded = plain(candidate.text)
        denied = {plain(word) for word in self._protection.denials}
        if not denied.isdisjoint(_BEING):
            return False  # what is good for the original part is no answer to who says that his is not (不是原装)
        said = [w for w in map(plain, self._understanding.keywords) if w not in denied]
        if said and self._folded.isascii() and all(holds(folded, word) for word in said):
            return False  # "phone charge possible causes" says of the verb that it does what it does not
        return candidate.strategy == "refine" and any(plain(need) in plain(candidate.text) for need in needs)

    def _turned(self) -> str:
        """Why what says the contrary is dropped: the query tells a fault, or negates something else."""
        words = self._protection.denials
        return next(
            (f"loses the negation {w!r}" for w in words if plain(w) in _DENYING), "loses that something does not work"
        )

    def parts(self, candidates: Sequence[SubQuery], reasons: list[str | None]) -> None:
        """Drop the parts of a decomposition that leave something out together, but for those that stand alone."""
        at = [i for i, c in enumerate(candidates) if c.strategy == "decompose" and reasons[i] is None]
        if not at:
            return
        left = self._uncovered([candidates[i].text for i in at])
        if left is None:
            return
        for i in at:
            if self._lost(replace(candidates[i], strategy="refine")) is not None:
                reasons[i] = f"the parts together leave out {left}"

    def _uncovered(self, texts: Sequence[str]) -> str | None:
        """What no part keeps: an identifier, number, limit, exclusion, or entity."""
        open_things = list(self._protection.things)
        for text in texts:
            lost = self._protection.lost(text)
            open_things = [t for t in open_things if t in lost]
        if open_things:
            return open_things[0].text
        if all(self._protection.turns_round(text) for text in texts):
            return "that something does not work"
        folded = [plain(text) for text in texts]
        for entity in self._entities:
            if not any(keeps_entity(text, entity, self._knowledge, wider=True) for text in folded):
                return entity.text
        return None

    def duplicates(self, candidates: Sequence[SubQuery], reasons: list[str | None]) -> None:
        """Drop what is one query with the original or with a better one; parts of a decomposition need each other."""
        kept: list[tuple[Likeness, str]] = [(one, "the original") for one in self._originals]
        parts_first = sorted(range(len(candidates)), key=lambda i: candidates[i].strategy != "decompose")
        for i in parts_first:
            if reasons[i] is not None:
                continue
            own = self._likeness(candidates[i].text)
            strategy = candidates[i].strategy
            for one, name in kept:
                if alike(own, one, self._settings.similarity) and self._one_query(own, one, strategy):
                    reasons[i] = f"duplicate of {name}"
                    break
            else:
                kept.append((own, repr(candidates[i].text)))

    def _one_query(self, a: Likeness, b: Likeness, strategy: str) -> bool:
        """Whether what is alike is one query."""
        if a.key == b.key:
            return True
        if strategy == "spelling":
            return False  # it is near to the original, or it would be no correction
        if strategy == "synonym" and reworded(a, b, self._knowledge):
            return False
        if added(a, b, self._knowledge):
            return False  # "in stock", 推荐: a word that the other lacks makes another query
        return self._covered(a.text) == self._covered(b.text) and not exchanged(a, b, self._knowledge)

    def _covered(self, folded: str) -> frozenset[str]:
        return frozenset(e.text for e in self._entities if keeps_entity(folded, e, self._knowledge))


def _spoken(text: str) -> str:
    """What of ``text`` is of a language: without operators such as ``site:`` and without code."""
    return _CODE.sub(" ", _OPERATOR.sub(" ", text)) if _SIGN.search(text) else text


def _words(text: str) -> list[str]:
    return [w for w in "".join(ch if ch.isalnum() else " " for ch in plain(text)).split() if w not in {"and", "or"}]


def _loses(thing: Protected) -> str:
    return f"loses the {_LABEL[thing.kind]} {thing.text!r}"
