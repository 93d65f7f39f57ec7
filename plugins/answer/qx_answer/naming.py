"""The names in a question: quoted titles, identifiers, capitalised words, Han that no dictionary holds; and words that ask."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from importlib import resources

from qx.text import identifiers, quotes
from qx.text.frequencies import english
from qx.text.segment import HAN, Word, comparable, is_content, words
from qx_answer.concepts import wordings
from qx_answer.days import is_day

_HAN = re.compile(f"[{HAN}]")
LATIN_NAME = re.compile(
    r"(?<![A-Za-z0-9'’-])[A-Z]W*(?:\s+(?:(?:of|the|de|da|van|von|al|and)\s+)?[A-Z0-9]W*)*".replace(
        "W", "[A-Za-z0-9À-ɏ.&'’-]"
    )
)
"""Capitalised words beside each other."""
_SURNAMES = frozenset(
    "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪田任姜范"
    "方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文庞樊兰殷施陶洪翟安颜倪严牛温芦季俞章鲁葛伍韦申尤毕聂柳"
)
_MEASURES = frozenset("天年月日个位种次本台辆条件份名人元块公里米斤岁小时分钟秒晚夜针张间杯瓶")
_COUNTED = re.compile("(?:多少|[几每一两二三四五六七八九十半0-9])$")
_LIGHT = frozenset("打用做坐乘给让叫帮带洗住吃喝买卖拿放停开关修换借还")
"""Verbs of one character, which begin no name."""


@cache
def asking() -> frozenset[str]:
    """Return the words that ask, and say nothing of what is asked."""
    text = resources.files("qx_answer").joinpath("data/asking.txt").read_text("utf-8")
    return frozenset(word for line in text.splitlines() if not line.startswith("#") for word in line.split())


_LABELLED = re.compile(
    r"(?<![\d.])\b(?:number|no\.|nr\.|plot|room|lane|building|floor|level|gate|platform|line|chapter|section|article|paragraph|rule|step|page|"
    r"unit|house|bus|tram|route|track|flat|door|port|zone|hall|class|grade|table|figure|question|part|volume|team|desk|box|locker|form|seat|row)"
    r"\s*#?\s*(?P<en>\d{1,6})\b(?![.,:]\d|\s*%)"
    r"|#(?P<sign>\d{1,6})\b|第(?P<zh>\d{1,6}|[一二三四五六七八九十百]{1,4})(?=[条章节页款号项步册卷栋层排道])|(?P<of>\d{1,6}|[一二三四五六七八九十]{1,3})(?=号(?!码|线索)|[栋幢]|号线)",
    re.IGNORECASE,
)


def labels(question: str) -> tuple[tuple[int, int], ...]:
    """Return where the numbers stand that tell one thing from another of its kind: plot 17, 三号池, 第5条."""
    found = (next(name for name, said in match.groupdict().items() if said) for match in _LABELLED.finditer(question))
    return tuple(match.span(name) for match, name in zip(_LABELLED.finditer(question), found, strict=True))


def names_of(question: str) -> tuple[str, ...]:
    """Quoted titles, identifiers, capitalised words that are no ordinary ones, and Han that no dictionary holds."""
    found = [phrase.text for phrase in quotes.phrases(question)]
    rest = question
    for phrase in quotes.phrases(question):
        rest = rest.replace(question[phrase.start : phrase.end], " ， ")
    found += [one.text for one in identifiers.find(rest)]
    for match in LATIN_NAME.finditer(rest):
        before = rest[: match.start()].rstrip(" \"'“(")
        pieces = re.sub(r"['’]s$", "", match[0]).rstrip(".").split()
        opens = not before or before[-1] in ".?!"
        if opens and pieces and (is_ordinary(pieces[0]) or not is_content(pieces[0])):
            pieces = pieces[1:]  # the capital of a sentence
        pieces = [] if pieces and all(is_day(piece) for piece in pieces) else pieces
        if len(pieces) == 1 and pieces[0].isupper() and wordings(pieces[0]):
            continue  # TV and PC are things of which there are many
        if pieces and (name := " ".join(pieces)) and comparable(name) not in asking() and is_content(pieces[-1]):
            found.append(name)
    found += [run for run in unknown(rest) if run[0] in _SURNAMES and len(run) < 5]
    whole = [bare for one in found if (bare := re.sub(r"^(?:the|an?)\s+(?=\S)", "", one.strip())).strip()]
    return tuple(dict.fromkeys(one for one in whole if not any(one != o and one in o for o in whole)))


def opening(sentence: str) -> str:
    """Return the name of a person, a place or the like that a sentence begins with; empty: it begins with none."""
    match = LATIN_NAME.match(sentence)
    if match is not None:
        pieces = re.sub(r"['’]s$", "", match[0]).rstrip(".").split()
        if len(pieces) > 1 and not is_content(pieces[0]):
            return ""  # The Park Road …: what it is called, and not who
        return pieces[0] if len(pieces) > 1 and not is_day(pieces[0]) else ""
    run = next(iter(unknown(sentence[:12])), "")
    return run[:2] if run and run[0] in _SURNAMES and sentence.startswith(run) else ""


def is_ordinary(word: str) -> bool:
    """Whether an English word is one of the usual ones, so that a capital alone makes no name of it."""
    plain = word.casefold()
    counts = english()
    return counts.get(plain, 0) > 0 and _rank().get(plain, 10**9) < 12_000


@lru_cache(maxsize=1)
def _rank() -> dict[str, int]:
    counts = english()
    return {word: n for n, word in enumerate(sorted(counts, key=lambda w: -counts[w])[:12_000])}


def unknown(text: str) -> list[str]:
    """Runs of Han characters that stand alone in every dictionary: 林 若 溪 is a name.  What is counted begins none."""
    runs: list[str] = []
    run: list[Word] = []
    for word in (*words(text), None):
        single = word is not None and word.content and len(word.text) == 1 and _HAN.match(word.text) is not None
        if single and word is not None and (not run or run[-1].end == word.start):
            counted = not run and word.text in _MEASURES and _COUNTED.search(text[: word.start]) is not None
            run = run if counted else [*run, word]
            continue
        runs += _unknown_of("".join(one.text for one in run))
        run = [word] if single and word is not None else []
    return runs


def _unknown_of(run: str) -> list[str]:
    """What of a run of characters can be one word: all of it where a surname begins it, else without known words at its ends."""
    if not (run[:1] in _SURNAMES and len(run) < 5):
        while run and _is_known(run[0]):
            run = run[1:]
        while run and _is_known(run[-1]):
            run = run[:-1]
    return [run] if len(run) > 1 else []


def _is_known(character: str) -> bool:
    return character in _LIGHT or bool(wordings(character))
