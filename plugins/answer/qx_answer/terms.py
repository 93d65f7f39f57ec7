"""What a question speaks of: its words with the other words for them, and how much of it a text says."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from qx.serial import value
from qx.text import identifiers, quotes
from qx.text.frequencies import english
from qx.text.normalise import fold, simplified
from qx.text.segment import HAN, KANA, Word, comparable, is_content, words
from qx_answer.concepts import concept, taken_out, wordings

_LATIN = re.compile(rf"[^\W_{HAN}{KANA}]+(?:['’.-][^\W_{HAN}{KANA}]+)*")
_HAN = re.compile(f"[{HAN}]")
_SURNAMES = frozenset(
    "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪田任姜范"
    "方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文庞樊兰殷施陶洪翟安颜倪严牛温芦季俞章鲁葛伍韦申尤毕聂柳"
)
_MEASURES = frozenset("天年月日个位种次本台辆条件份名人元块公里米斤岁小时分钟秒")
_KIND = re.compile(
    r"\b(?:which|what)\s+(?P<en>[a-z]+)\b|哪一?[个家所座位条部]?(?P<asked>[\u4e00-\u9fff]{1,3}?)(?=[的是有在开由]|[?？]|$)"
    r"|的(?P<is>[\u4e00-\u9fff]{2,3})是(?:什么|哪)|什么(?P<what>[\u4e00-\u9fff]{2,3})(?=[?？。]|$)",
    re.IGNORECASE,
)
"""The kind of thing that is asked for: what is found is one, and need not be called so."""
_COUNTS = re.compile("(?:几|多少|哪).{0,2}$")
_OF_A_KIND = 0.25
_ASKING = frozenset(
    [
        "who",
        "whom",
        "whose",
        "what",
        "which",
        "when",
        "where",
        "why",
        "how",
        "many",
        "much",
        "long",
        "far",
        "old",
        "often",
        "name",
        "tell",
        "explain",
        "describe",
        "list",
        "give",
        "show",
        "谁",
        "哪",
        "哪个",
        "哪位",
        "哪里",
        "哪儿",
        "哪年",
        "何时",
        "什么",
        "怎么",
        "如何",
        "怎样",
        "为什么",
        "多少",
        "几",
        "多大",
        "多久",
        "多长",
        "吗",
        "呢",
        "请问",
        "请",
        "告诉",
        "介绍",
        "是否",
    ]
)


@value
class Term:
    """One thing that a question speaks of.

    Attributes:
        text: As the question writes it.
        stems: Single Latin words that say it, in the form in which words are compared.
        runs: Han, and Latin of several words, that say it, folded.
        name: It is a name, an identifier or a quoted title: what does not have it is about something else.
        weight: How much it counts.
    """

    text: str
    stems: frozenset[str]
    runs: tuple[str, ...]
    name: bool = False
    weight: float = 1.0


@value
class Prepared:
    """A text in the forms that terms are looked for in."""

    folded: str
    stems: frozenset[str]


@lru_cache(maxsize=4096)
def prepared(text: str) -> Prepared:
    """Return ``text`` in the forms in which it is compared."""
    folded = simplified(fold(text))
    found: set[str] = set()
    for word in _LATIN.findall(folded):
        found.add(comparable(word))
        if "-" in word or "'" in word or "’" in word:
            found.update(comparable(part) for part in re.split(r"['’-]", word) if part)
    return Prepared(folded=folded, stems=frozenset(found))


def share(term: Term, text: Prepared) -> float:
    """Return how much of ``term`` a text has, 0..1; a long run of Han counts by its pairs where it is not there whole."""
    if not term.stems.isdisjoint(text.stems) or any(run in text.folded for run in term.runs):
        return 1.0
    if term.name:
        return 0.0
    best = 0.0
    for run in term.runs:
        if len(run) > 2 and _HAN.match(run):
            pairs = [run[i : i + 2] for i in range(len(run) - 1)]
            best = max(best, sum(pair in text.folded for pair in pairs) / len(pairs))
    return best * 0.8


@lru_cache(maxsize=512)
def _terms(question: str, others: tuple[tuple[str, tuple[str, ...]], ...], given: tuple[str, ...]) -> tuple[Term, ...]:
    known = dict(others)
    rest = question
    for name in given:
        rest = rest.replace(name, " ， ")
    names = (*given, *_names(rest))
    kinds = {comparable(match[match.lastgroup or 0]) for match in _KIND.finditer(rest)}
    found: dict[str, Term] = {}
    for text, is_name in (*((name, True) for name in names), *_content(rest, names)):
        form = comparable(text)
        if form in found or (form in _ASKING and not is_name):
            continue
        same = (text, *(() if is_name else wordings(text)), *known.get(form, ()))
        found[form] = _term(text, same, name=is_name, kind=form in kinds)
    return tuple(found.values())


def terms(
    question: str,
    synonyms: Mapping[str, Sequence[tuple[str, str]]] | None = None,
    names: Sequence[str] = (),
) -> tuple[Term, ...]:
    """Return what ``question`` speaks of, names first.

    Args:
        synonyms: Other wordings of a word (``context.knowledge.synonyms``).
        names: What is known to be a name in it, such as the fact of an earlier hop.
    """
    others: list[tuple[str, tuple[str, ...]]] = []
    if synonyms:
        for word in words(question):
            if word.content and (same := synonyms.get(fold(word.text))):
                others.append((comparable(word.text), tuple(other for other, _ in same)))
    return _terms(question, tuple(others), tuple(name for name in names if name and name in question))


def _term(text: str, wordings: Sequence[str], *, name: bool, kind: bool) -> Term:
    stems: set[str] = set()
    runs: list[str] = []
    for wording in wordings:
        folded = simplified(fold(wording))
        if _HAN.search(folded) or len(_LATIN.findall(folded)) != 1:
            runs.append(folded)
        else:
            stems.add(comparable(folded))
    weight = 1.6 if name else _OF_A_KIND if kind else 1.0
    return Term(text=text, stems=frozenset(stems), runs=tuple(dict.fromkeys(runs)), name=name, weight=weight)


def _names(question: str) -> tuple[str, ...]:
    """Quoted titles, identifiers, capitalised words that are no ordinary ones, and Han that no dictionary holds."""
    found = [phrase.text for phrase in quotes.phrases(question)]
    rest = question
    for phrase in quotes.phrases(question):
        rest = rest.replace(question[phrase.start : phrase.end], " ， ")
    found += [one.text for one in identifiers.find(rest)]
    for match in re.finditer(
        r"(?<![\w'’-])[A-Z][\w'’-]*(?:\s+(?:(?:of|the|de|van|von|al)\s+)?[A-Z0-9][\w'’-]*)*", rest
    ):
        run = re.sub(r"['’]s$", "", match[0])
        first = (
            re.match(r"\s*[\"'“(]?\s*$", rest[: match.start()]) is not None
            or rest[: match.start()].rstrip()[-1:] in ".?!"
        )
        pieces = run.split()
        if first and pieces and (is_ordinary(pieces[0]) or not is_content(pieces[0])):
            pieces = pieces[1:]
        if pieces and (name := " ".join(pieces)) and comparable(name) not in _ASKING and is_content(pieces[-1]):
            found.append(name)
    found += [run for run in _unknown(rest) if run[0] in _SURNAMES and len(run) < 5]
    whole = [one for one in found if one.strip()]
    return tuple(dict.fromkeys(one for one in whole if not any(one != o and one in o for o in whole)))


def is_ordinary(word: str) -> bool:
    """Whether an English word is one of the usual ones, so that a capital alone makes no name of it."""
    plain = word.casefold()
    counts = english()
    return counts.get(plain, 0) > 0 and _rank().get(plain, 10**9) < 12_000


@lru_cache(maxsize=1)
def _rank() -> dict[str, int]:
    counts = english()
    return {word: n for n, word in enumerate(sorted(counts, key=lambda w: -counts[w])[:12_000])}


def _unknown(text: str) -> list[str]:
    """Runs of Han characters that stand alone in every dictionary: 林 若 溪 is a name.  What is counted begins none."""
    runs: list[str] = []
    run: list[Word] = []
    for word in (*words(text), None):
        single = word is not None and word.content and len(word.text) == 1 and _HAN.match(word.text) is not None
        if single and word is not None and (not run or run[-1].end == word.start):
            counted = not run and word.text in _MEASURES and text[: word.start].endswith(("多少", "几", "每"))
            run = run if counted else [*run, word]
            continue
        if len(run) > 1:
            runs.append("".join(one.text for one in run))
        run = [word] if single and word is not None else []
    return runs


def _content(question: str, names: Sequence[str]) -> list[tuple[str, bool]]:
    inside = {word.text for name in names for word in words(name)}
    runs = _unknown(question)
    inside.update(character for run in runs for character in run)
    found: list[tuple[str, bool]] = [(run, False) for run in runs if not any(run in name for name in names)]
    for word in words(question):
        asks = word.text.casefold() in _ASKING or _COUNTS.match(word.text)
        if word.content and word.text not in inside and not asks:
            if len(word.text) == 1 and not _HAN.match(word.text) and not word.text.isdigit():
                continue
            found.append((word.text, False))
    return found


def concepts(question: str) -> frozenset[str]:
    """Return what ``question`` speaks of as concepts: the same for 教程, tutorial and guide."""
    several, rest = taken_out(question)
    return several | frozenset(concept(term.text) for term in terms(rest))
