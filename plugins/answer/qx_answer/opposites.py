"""Whether a statement says the opposite of its quote: allowed and forbidden, 有效 and 无效, within and after; no model is asked.

Only what can be decided is: both speak of the same, one side of a pair stands in the statement, the other alone in the
quote, and neither is turned round by a negation elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib import resources

from qx.text.numerals import fold_width
from qx.text.segment import HAN, comparable, words
from qx_answer import bounds, negations
from qx_answer.sentences import spans

ALIKE = 0.6
"""Share of a statement's other words that the quote's sentence must have."""
_PREFIXED = re.compile(r"(?:un(?!i|d)|non-?|dis|in|im|il|ir)(?P<rest>[a-z]{4,})")
_QUALITY = (
    "able",
    "ible",
    "al",
    "ent",
    "ant",
    "ive",
    "ct",
    "ate",
    "id",
    "ary",
    "ete",
    "lar",
    "ble",
    "ure",
    "ed",
    "ly",
    "ful",
    "sible",
)
_EXCEPT = re.compile(
    r"\b(?:except(?:\s+for)?|excluding|apart\s+from|other\s+than|but\s+not)\s+(?P<en>(?:the\s+)?[a-z]+(?:\s+(?:and|or)\s+[a-z]+)?)"
    r"|除了?(?P<zh>[^，,。除]{2,10}?)(?:以外|之外|外)|(?P<late>[^，,。（(]{2,10}?)除外",
    re.IGNORECASE,
)
_ORDINALS = {
    word: n
    for n, word in enumerate(
        [
            "first",
            "second",
            "third",
            "fourth",
            "fifth",
            "sixth",
            "seventh",
            "eighth",
            "ninth",
            "tenth",
            "eleventh",
            "twelfth",
        ],
        start=1,
    )
}
_COUNTING = frozenset(comparable(word) for word in _ORDINALS)
_ORDINAL = re.compile(
    rf"\b(?P<n>\d{{1,3}}(?=(?:st|nd|rd|th)\b)|{'|'.join(_ORDINALS)})(?:st|nd|rd|th)?\s+(?:[a-z]+\s+)??(?P<of>[a-z]{{3,}})",
    re.IGNORECASE,
)


def opposed(statement: str, quote: str) -> str | None:
    """Return what is wrong where a statement says the opposite of its quote in nearly the same words, else None."""
    said = fold_width(statement)
    sentences = [fold_width(quote[start:end]) for start, end in spans(quote)]
    mine = _content(said)
    near = [one for one in sentences if _alike(mine, _content(one)) >= ALIKE]
    if not near:
        return None
    whole = fold_width(quote)
    for sentence in near:
        found = (
            _other_side(said, sentence, whole)
            or (bounds.opposite(said, sentence, whole) if same_sides(said, sentence) else None)
            or _other_ordinal(said, whole)
            or _excepted(said, sentence)
        )
        if found:
            return found
    return None


def alike(statement: str, other: str) -> float:
    """Return the share of what a statement speaks of that another text speaks of, too: 0..1."""
    return _alike(_content(fold_width(statement)), _content(fold_width(other)))


@cache
def _lists() -> tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]:
    """The words of both sides of each pair, as they are listed."""
    text = resources.files("qx_answer").joinpath("data/opposites.txt").read_text("utf-8")
    lines = (line.split("|") for line in text.splitlines() if line.strip() and not line.startswith("#"))
    sides = (tuple(tuple(word.strip() for word in side.split(",")) for side in line) for line in lines)
    return tuple((one, two) for one, two in sides)


@cache
def _pairs() -> tuple[tuple[re.Pattern[str], re.Pattern[str], frozenset[str]], ...]:
    """For each pair the patterns of its sides, and all of its words in the form in which words are compared."""
    return tuple((_any(one), _any(two), frozenset(map(comparable, (*one, *two)))) for one, two in _lists())


def _any(listed: tuple[str, ...]) -> re.Pattern[str]:
    found = sorted(listed, key=lambda word: -len(word))
    return re.compile("|".join(rf"\b{re.escape(w)}\b" if w.isascii() else re.escape(w) for w in found), re.IGNORECASE)


def other_sides(word: str) -> tuple[str, ...]:
    """Return the words that say the opposite of ``word``: who asks whether it is allowed hears that it is forbidden."""
    form = comparable(word)
    found = [other for mine, others in _others() if form in mine for other in others]
    return tuple(dict.fromkeys(found))


@cache
def _others() -> tuple[tuple[frozenset[str], tuple[str, ...]], ...]:
    """For each side its words as they are compared, and those of the other side."""
    both = (sides for one, two in _lists() for sides in ((one, two), (two, one)))
    return tuple((frozenset(map(comparable, mine)), others) for mine, others in both)


@cache
def _sided() -> frozenset[str]:
    """Every word that has an opposite: it does not tell what is spoken of."""
    return frozenset(word for _, _, listed in _pairs() for word in listed)


def content(text: str) -> frozenset[str]:
    """Return the words that tell what a text speaks of, without those that have an opposite."""
    return _content(fold_width(text))


def _content(text: str) -> frozenset[str]:
    """The words that tell what is spoken of, Han by its pairs: 办公室内 and 办公室 have two in common."""
    latin = {comparable(w.text) for w in words(text) if w.content and w.text.isascii() and not w.text.isdigit()}
    rest = text
    if not text.isascii():
        for one, two, _ in _pairs():
            rest = two.sub("，", one.sub("，", rest))
        rest = re.sub("[内后前以之上下起]", "，", rest)
    runs = re.findall(f"[{HAN}]{{2,}}", rest)
    pairs = {run[i : i + 2] for run in runs for i in range(len(run) - 1)}
    return frozenset((latin | pairs) - _sided() - _COUNTING)


def _alike(mine: frozenset[str], theirs: frozenset[str]) -> float:
    plain = {_unprefixed(word) for word in theirs} | theirs
    return sum(w in plain or _unprefixed(w) in plain for w in mine) / len(mine) if mine else 0.0


def _unprefixed(word: str) -> str:
    """A word without the prefix that denies it, as words are compared: one with a hyphen is not stemmed."""
    rest = _PREFIXED.sub(r"\g<rest>", word)
    return comparable(rest) if "-" in word else rest


def _other_side(said: str, sentence: str, whole: str) -> str | None:
    """Two words turned round say the same once more (nobody is allowed, everybody is forbidden): an odd number does not."""
    found = [why for one, two, _ in _pairs() if (why := _on_other_sides(one, two, said, sentence, whole))]
    prefixed = _prefixed(said, sentence, whole)
    found += [prefixed] if prefixed and not found else []
    return found[0] if len(found) % 2 else None


def _on_other_sides(one: re.Pattern[str], two: re.Pattern[str], said: str, sentence: str, whole: str) -> str | None:
    mine = {*_signs(one, two, said)}
    if len(mine) != 1:
        return None
    theirs = {*_signs(one, two, sentence)}
    if len(theirs) != 1 or {*_signs(one, two, whole)} != theirs or theirs == mine:
        return None
    if _turned_elsewhere(one, two, said) or _turned_elsewhere(one, two, sentence):
        return None
    a, b = one.search(said) or two.search(said), two.search(sentence) or one.search(sentence)
    return f"the statement says {_worded(a)!r}, the quote {_worded(b)!r}" if a and b else None


def _worded(match: re.Match[str]) -> str:
    """A word with the negation right before it, without which both sides may read the same."""
    found = negations.before(match.string, match.start())
    return match.string[found[0] if found else match.start() : match.end()]


def same_sides(said: str, sentence: str) -> bool:
    """Whether no word of the statement that has an opposite is strange to the quote's sentence; bounds aside."""
    bare, other = bounds.without(said), sentence.lower()
    found = [m[0].lower() for one, two, _ in _pairs() for side in (one, two) for m in side.finditer(bare)]
    return all(word in other for word in found)


def _signs(one: re.Pattern[str], two: re.Pattern[str], text: str) -> Iterator[int]:
    """Which side of a pair each place in ``text`` takes, turned by a negation right before it."""
    denying = [(match.start(), match.end()) for match in two.finditer(text)]
    for start, _ in denying:
        yield 1 if _is_denied(text, start) else -1
    for match in one.finditer(text):
        if not any(a <= match.start() < b for a, b in denying):
            yield -1 if _is_denied(text, match.start()) else 1


def _is_denied(text: str, at: int) -> bool:
    return negations.before(text, at) is not None


def _turned_elsewhere(one: re.Pattern[str], two: re.Pattern[str], text: str) -> bool:
    """Whether a negation is left that is neither a side of the pair nor right before one."""
    sides = [*one.finditer(text), *two.finditer(text)]
    rest = two.sub(lambda m: "，" * len(m[0]), text)
    for at in (match.start() for match in sides):
        found = negations.before(text, at)
        if found is not None:
            rest = rest[: found[0]] + "，" * (at - found[0]) + rest[at:]
    return negations.denies(rest)


def _prefixed(said: str, sentence: str, whole: str) -> str | None:
    """valid and invalid, likely and unlikely: the same word with a prefix that denies it."""
    mine = {w.lower() for w in re.findall(r"[A-Za-z-]{4,}", said)}
    theirs = {w.lower() for w in re.findall(r"[A-Za-z-]{4,}", sentence)}
    everything = {w.lower() for w in re.findall(r"[A-Za-z-]{4,}", whole)}
    for these, others, all_others in ((mine, theirs, everything), (theirs, mine, mine)):
        for word in these:
            match = _PREFIXED.fullmatch(word)
            plain = match["rest"] if match else ""
            if plain not in others or word in all_others or plain in these or not _denies(word, plain):
                continue
            if not any(negations.denies(_plainly(text, word, plain)) for text in (said, sentence)):
                a, b = (word, plain) if these is mine else (plain, word)
                return f"the statement says {a!r}, the quote {b!r}"
    return None


def _plainly(text: str, word: str, plain: str) -> str:
    """A text without the prefix of one of its words: "non-refundable" denies, and what is looked for is another denial."""
    return re.sub(rf"\b{re.escape(word)}\b", plain, text, flags=re.IGNORECASE)


def _denies(word: str, plain: str) -> bool:
    return word.startswith(("un", "non")) or plain.endswith(_QUALITY)


def _other_ordinal(said: str, whole: str) -> str | None:
    """Another number of the same thing, where each speaks of one alone: of several, any may be meant."""
    mine, theirs = _by_thing(said), _by_thing(whole)
    for of, numbers in mine.items():
        others = theirs.get(of, set())
        if len(numbers) == len(others) == 1 and numbers != others:
            return f"the statement says number {min(numbers)} of {of}, the quote {min(others)}"
    return None


def _by_thing(text: str) -> dict[str, set[int]]:
    found: dict[str, set[int]] = {}
    for n, of in _ordinals(text):
        found.setdefault(of, set()).add(n)
    return found


def _ordinals(text: str) -> Iterator[tuple[int, str]]:
    for match in _ORDINAL.finditer(text):
        n = match["n"].lower()
        yield (int(n) if n.isdigit() else _ORDINALS[n]), comparable(match["of"])


def _excepted(said: str, sentence: str) -> str | None:
    """What is wrong where a statement says of the exception what the quote says of the others."""
    if negations.denies(said) or _EXCEPT.search(said):
        return None
    named = _exception(said, sentence)
    return f"the quote makes an exception of {named!r}" if named else None


def _exception(said: str, sentence: str) -> str:
    """The exception of an affirming sentence that the statement begins with; empty: none."""
    match = _EXCEPT.search(sentence)
    if match is None or re.search("[也还]", sentence[match.end() :]):
        return ""
    if negations.denies(sentence[: match.start()] + sentence[match.end() :]):
        return ""
    group = match["en"] or match["zh"] or match["late"]
    names = [w.strip() for w in re.split(r"\s+(?:and|or)\s+|[、和与及]", group.removeprefix("the "))]
    subject = said.strip()[: max(len(name) for name in names) + 8].lower()
    return next((name for name in names if len(name) >= 2 and name.lower() in subject), "")


def turned_twice(statement: str, quote: str) -> bool:
    """Whether a statement denies the other side of what its quote says: "no refunds after 30 days", "refunds within 30"."""
    said, whole = fold_width(statement), fold_width(quote)
    if bounds.turned_round(said, whole):
        return True
    sentences = [whole[start:end] for start, end in spans(whole)]
    return negations.denies(said) and any(_exception(said, one) for one in sentences)
