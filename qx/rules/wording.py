"""The words that expansions are made of: what is left of a query when talk is taken away, ready to be put together.

``想买一台给爸妈用的手机屏幕大点字大声大预算2000左右`` becomes the core ``给爸妈用 手机 屏幕大点 字大 声大 2000左右``.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise
from typing import Any, cast

from qx.domain import Knowledge
from qx.rules import figures, tokens
from qx.rules.protection import Protection, base_text, protection
from qx.rules.terms import FUNCTION, GENERIC, has_han, holds, plain, segmenter
from qx.text import negation
from qx.text.clean import clean
from qx.text.normalise import characters_simplified
from qx.text.segment import Word
from qx.types import Constraint, Entity, Query, Understanding

_TALK = re.compile(
    r"^(?:(?:please|hi|hello|hey|so|well)\b[\s,]*)*"
    r"(?:(?:can|could|would) (?:you|someone|anyone)(?: please)?(?: (?:tell|show|help|recommend|explain)(?: (?:me|us))?)?\b"
    r"|(?:i am|i'm|im|we are|we're) (?:looking for|trying to|searching for|interested in)\b"
    r"|(?:i|we)(?:'d| would)? (?:want|need|like|wish)(?: to)?(?: (?:know|buy|find|get))?\b"
    r"|(?:does anyone know|(?:recommend|suggest)(?: (?:me|us))?\b(?: (?:a|some)(?: good)?)?|do you know|tell me(?: about)?|help me(?: to)?|how (?:do|can|should|would|does|to)(?: (?:i|you|we|one))?"
    r"|what(?:'s| is| are| was| were)(?: the)?(?: best way to)?|who (?:is|was|are)|where (?:is|are|can i(?: (?:find|buy|get))?)"
    r"|(?:is|was|does|will|would|can|could) it\b|are (?:there|they)\b|when (?:is|was|does|will|did)|why (?:is|are|does|do|did|won't|isn't)|which(?: is| are| one)?|is there|are there)\b)\s*"
    r"(?:(?:a|an|the|some|my|any|buy|get)\s+)*",
    re.IGNORECASE,
)
_LOOSE = re.compile(r"\s+([,;])")
_HOW = re.compile(r"how (?:do|does|did) (?!(?:i|you|we|one|people)\b)", re.IGNORECASE)
_LEADING = re.compile(
    r"^(?:(?:a|an|the|my|our|some|any|i|we|is|are|was|were|do|does|(?:this|these|those)(?!\s+(?:week|month|year|season|morning|"
    r"evening|weekend|summer|winter|spring|autumn|fall|days?)\b))\s+)+",
    re.IGNORECASE,
)
_TALK_ZH = re.compile(
    r"(?:^推荐(?:几款|几个|一款|一些|几本|下)?|帮我找(?:一款|一个|一台|一家|一些|几款|几个|个|家|下)?|(?:需要|要|得|大概)?花多少钱|请问|请教一下|请教|求助|大家好|你好|谁知道|有没有人知道|想问一下|想问下|想问|问一下|我想知道|想知道|帮我|麻烦|"
    r"我想要|我想|我要|想要买|想买|我们|我的|一下|先学哪个|选哪个|选哪款|买哪个|有没有|有什么|有哪些|什么样的|哪些|哪个好|哪个更好|哪个|哪款|哪种|"
    r"怎么样|怎么办|怎么回事|怎么弄|怎么做|怎样才能|怎样|怎么|如何|为什么|为啥|是什么|什么是|什么意思|要准备什么|"
    r"多少钱(?:一[\u4e00-\u9fff](?=$|[?？\s]))?|是不是|能不能|会不会|要不要|可不可以|好不好|该怎么|应该|求推荐|推荐一下|呢|吗|吧|啊|呀)"
)
_ASKED_END = re.compile(r"(?:什么|哪|怎么|啥)[^,，。]{0,12}?(?P<end>(?:比较|更|最|才)?[好出算选弄搞])[?？。!！\s]*$")
"""The end of a question: 好 of 吃什么药好, 出 of 什么时候出."""
_NEGATIVE = frozenset({"not", "no", "without", "cannot", "never", "不", "没", "无"}) | frozenset(
    [
        "不会",
        "不能",
        "不可",
        "不可以",
        "不让",
        "不给",
        "不肯",
        "不敢",
        "不想",
        "不愿",
        "没有",
        "没法",
        "无法",
        "从不",
        "不再",
        "不够",
        "不用",
        "不要",
        "不必",
        "不需要",
        "未",
        "别",
    ]
)
_KEEP_SINGLE = frozenset("差慢快热冷痛疼痒咳坏卡吵贵重轻薄厚大小高低红白黑蓝绿黄灰好")
COMPLEMENTS = frozenset("上了到开出动掉住起通完下见着")
"""What follows a verb and 不 to say that it cannot be done: 连接不上, 下载不了."""
_NUMERALS = frozenset("一二三四五六七八九十")
_LETTERED = re.compile(r"[A-Z]$")
_WHAT = frozenset({"什么", "啥", "什麼"})
_WHERE = frozenset({"哪里", "哪儿", "哪裡"})
_STAYING = frozenset("住停放买買")
_ASKING = frozenset("吃用送买買看学學玩穿喝选選养養种種带帶涂喂做")
_JOINTS = frozenset("和与跟、/")
_LIGHT = frozenset(
    [
        *[
            "从零开始",
            "零基础",
            "运营",
            "成功",
            "做好",
            "打造",
            "制作",
            "入门",
            "新手",
            "开始",
            "准备",
            "选择",
            "注意",
            "需要",
            "适合",
            "怎么",
            "如何",
            "学习",
            "自己",
            "一个",
        ],
        *[
            "start",
            "starting",
            "successful",
            "success",
            "scratch",
            "create",
            "build",
            "make",
            "run",
            "begin",
            "beginner",
            "new",
            "own",
            "want",
            "need",
            "choose",
        ],
    ]
)
"""Words that a need says better: ``科技博客 主题定位``, not ``从零开始运营 成功 科技博客 主题定位``."""
TELLING = frozenset({"price", "audience", "temperature"})
"""Fields of soft constraints that are kept while others can go: without them the query asks for something else."""
_EDGE = " \t,.;:!?，。；：！？、~～…"


def local(text: str, language: str) -> str:
    """Write data (Simplified) as the query's readers do: in Traditional characters for ``zh-Hant``."""
    if language != "zh-Hant" or not has_han(text):
        return text
    return str(_traditional().convert(text)).replace("計算機", "電腦")  # a 計算機 is a calculator in Taiwan


@cache
def _traditional() -> Any:
    from opencc import OpenCC  # a native library: loaded at first use

    return cast(Any, OpenCC("s2twp"))


def family(language: str) -> str:
    """The language of data for a query's language: ``zh`` for ``zh-Hant``."""
    return language.split("-", 1)[0] or "und"


_shared: ContextVar[list[Wording] | None] = ContextVar("wording", default=None)


@contextmanager
def sharing() -> Generator[None]:
    """Let the strategies that run inside share one ``Wording`` for each query instead of cutting it again."""
    token = _shared.set([])
    try:
        yield
    finally:
        _shared.reset(token)


@dataclass(frozen=True)
class Wording:
    """The parts of one query, cut once and shared by its strategies."""

    query: Query
    understanding: Understanding
    knowledge: Knowledge

    @classmethod
    def of(cls, query: Query, understanding: Understanding, knowledge: Knowledge) -> Wording:
        """The wording of a query, shared inside of ``sharing()``."""
        made = _shared.get()
        for known in made or ():
            if known.query is query and known.understanding is understanding and known.knowledge is knowledge:
                return known
        wording = cls(query, understanding, knowledge)
        if made is not None:
            made.append(wording)
        return wording

    @cached_property
    def text(self) -> str:
        """The text to expand, cleaned."""
        return _told(clean(base_text(self.query, self.understanding)).text).strip()

    @property
    def language(self) -> str:
        """The query's language; ``und`` is read by its script."""
        tag = self.understanding.language
        return ("zh" if has_han(self.text) else "en") if tag in {"", "und"} else tag

    @cached_property
    def protection(self) -> Protection:
        """What must stay."""
        return protection(self.query, self.understanding, self.knowledge)

    @cached_property
    def folded(self) -> str:
        """``text`` for comparison."""
        return plain(self.text)

    @cached_property
    def entities(self) -> tuple[Entity, ...]:
        """The entities that stand in the text, in its order, without those inside of others."""
        found = [e for e in self.understanding.entities if e.text and plain(e.text) in self.folded]
        found.sort(key=lambda e: self.folded.find(plain(e.text)))
        return tuple(
            e
            for e in found
            if not any(o is not e and plain(e.text) != plain(o.text) and plain(e.text) in plain(o.text) for o in found)
        )

    def _fixed(self, text: str, keep: Sequence[str]) -> list[tuple[int, int]]:
        """Spans that stay as they were typed: verbatim things, limits, exclusions, ``keep``; joined where they overlap."""
        lowered = text.lower()
        if len(lowered) != len(text):
            return []
        spans: list[tuple[int, int]] = []
        for item in (*self._whole, *keep):
            at = lowered.find(item.lower()) if item else -1
            if at >= 0:
                spans.append((at, at + len(item)))
        spans += (*tokens.spans(text), *tokens.said(text))
        joined: list[tuple[int, int]] = []
        for start, end in sorted(spans):
            if joined and start < joined[-1][1]:
                joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
            else:
                joined.append((start, end))
        return joined

    @cached_property
    def _whole(self) -> tuple[str, ...]:
        """What is never cut: protected things, constraints, and short wordings that the packs know (光标在闪)."""
        found = [t.text for t in self.protection.things]
        found += [c.text for c in self.understanding.constraints]
        places = [e for e in self.entities if e.type == "place"]
        found += [m[0] for a, b in pairwise(places) if (m := way(a.text, b.text).search(self.text))]
        shadow = characters_simplified(self.text)
        if has_han(shadow) and len(shadow) == len(self.text):
            known = self.knowledge.synonyms
            for at in range(len(shadow) - 3):
                if shadow[at : at + 4] in known:
                    found.append(self.text[at : at + 4])
        return tuple(dict.fromkeys(found))

    @cached_property
    def core(self) -> str:
        """The content of the query as people type it into a search box: no question form, no filler."""
        return self.core_of(self.text)

    @cached_property
    def keywords(self) -> str:
        """The content words alone; of Chinese that is the core."""
        return self._words_of(self.text)

    def core_of(self, text: str, keep: Sequence[str] = ()) -> str:
        """The core of another wording of the query; phrases of ``keep`` stay whole.

        Chinese loses its function words; other languages keep those inside: ``history of the Silk Road``.
        """
        if has_han(text):
            return self._words_of(text, keep)
        match = _TALK.match(text)
        fixed = self._fixed(text, keep)
        start = match.end() if match and not any(s < match.end() for s, _ in fixed) else 0
        rest = _LOOSE.sub(r"\1", " ".join(text[start:].split()).strip(_EDGE))
        if start and _HOW.match(text) and not _LEADING.match(rest):
            rest = f"how {rest}"  # "how vaccines work", not "vaccines work"
        return _LEADING.sub("", rest).strip(_EDGE) or text

    def _words_of(self, text: str, keep: Sequence[str] = ()) -> str:
        fixed = self._fixed(text, keep)
        match = _TALK.match(text)
        start = match.end() if match and not (fixed and fixed[0][0] < match.end()) else 0
        shadow = characters_simplified(text)
        talk = [m.span() for m in _TALK_ZH.finditer(shadow)] if has_han(text) and len(shadow) == len(text) else []
        talk += [m.span("end") for m in _ASKED_END.finditer(shadow)] if talk or "什么" in shadow else []
        pieces: list[tuple[int, int]] = []
        for word in segmenter(self.knowledge.lexicon).words(text):
            span = next(((s, e) for s, e in fixed if s < word.end and word.start < e), None)
            if span is not None:
                pieces += _overlapping(word, span, text, pieces)
            elif (
                word.start >= start and (self._counts(word, text) or _completes(word, text)) and not _inside(word, talk)
            ):
                pieces.append((word.start, word.end))
        return _join(text, pieces, fixed).strip(_EDGE) or text

    def _counts(self, word: Word, text: str) -> bool:
        if not word.content:
            if word.text in _WHERE and text[max(0, word.start - 1) : word.start] in _STAYING:
                return True
            if word.text in _ASKING and text.startswith(tuple(_WHAT), word.end):
                return True
            if word.text in _WHAT and text[max(0, word.start - 1) : word.start] in _ASKING:
                return True  # 吃什么药 is what people type
            if word.text in _NUMERALS and text[word.end : word.end + 1] in _JOINTS and word.start:
                return True  # 数学一和数学二
            if _LETTERED.match(word.text) and _glued(word, text):
                return True
            own = word.text.casefold()
            return own in _NEGATIVE or own.endswith(("n't", "n’t")) or own in _KEEP_SINGLE
        return True

    @cached_property
    def core_words(self) -> tuple[str, ...]:
        """The content words of ``core``."""
        return segmenter(self.knowledge.lexicon).keywords(self.core)

    @cached_property
    def droppable(self) -> tuple[Constraint, ...]:
        """The soft constraints without which the query still asks for the same thing: no numbers, no audience."""
        soft = [c for c in self.understanding.constraints if not c.hard and c.text and c.field not in TELLING]
        return tuple(c for c in soft if not figures.find(c.text))

    @cached_property
    def subject(self) -> str:
        """What the query is about, without its soft limits; short where the rest is light: ``科技博客``."""
        text = self.text
        for constraint in self.droppable:
            text = without(text, constraint.text)
        core = self.core_of(text) if any(ch.isalnum() for ch in text) else self.core
        names = [e.text for e in self.entities if e.type != "thing" and plain(e.text) not in _LIGHT]
        folded = [plain(name) for name in names]
        words = [plain(w) for w in segmenter(self.knowledge.lexicon).keywords(core)]
        rest = [w for w in words if w not in _LIGHT and w not in GENERIC and not any(holds(n, w) for n in folded)]
        short = " ".join(dict.fromkeys(names))
        light = any(w in _LIGHT for w in words)
        return short if names and light and not rest and len(short) < len(core) else core

    def complete(self, text: str, *, widening: bool = False) -> str:
        """Write after ``text`` what it lost of the things that must stay."""
        lost = self.protection.lost(text, widening=widening)
        parts = dict.fromkeys(t.text for t in lost if plain(t.text) not in plain(text))
        return " ".join([text, *parts]) if parts else text

    def say(self, text: str) -> str:
        """``text``, which is data, in the characters of the query."""
        return local(text, self.language)

    @cached_property
    def year(self) -> str:
        """The year of the query's now, empty where it is not known."""
        return str(self.query.now.year) if self.query.now is not None else ""


_DANGLING = re.compile(r"(?:[\s,]+(?:open|that|which|who|with|and|or|but|the|an?))+[\s,]*$", re.IGNORECASE)


_BEFORE = r"(?:\b(?:in|on|at|for|during|with|by|this|of)\s+)?"
"""A preposition that goes with what it leads to."""


def without(text: str, words: str) -> str:
    """``text`` without ``words`` and the preposition that leads to them, once."""
    return re.sub(rf"{_BEFORE}{re.escape(words)}", " ", text, count=1)


def way(start: str, end: str) -> re.Pattern[str]:
    """From one place to another, which only the word between tells: 北京到上海."""
    return re.compile(rf"{re.escape(start)}\s?[到至去飞飛回]\s?{re.escape(end)}")


def _overlapping(
    word: Word, span: tuple[int, int], text: str, pieces: Sequence[tuple[int, int]]
) -> list[tuple[int, int]]:
    """The fixed span that ``word`` runs into, and what of the word lies beyond it: 手机 of 国产手机 where 国产 is fixed."""
    before, beyond = (word.start, span[0]), (span[1], word.end)
    parts = [before, span, beyond] if word.content else [span]
    return [p for p in parts if p not in pieces[-1:] and p[0] < p[1] and _tells(text[p[0] : p[1]], p == span)]


def _tells(part: str, fixed: bool) -> bool:
    return fixed or (has_han(part) and any(ch not in FUNCTION for ch in part))


def whole(text: str) -> str:
    """``text`` from which something was taken away, without the words that led to it: "tent that" is "tent"."""
    return _DANGLING.sub("", text).strip(_EDGE)


def _told(text: str) -> str:
    """``text`` without what it asks the one who helps to leave (请不要让我换新的), unless that is all of it."""
    rest = text
    for start, end in reversed(negation.requests(text)):
        rest = f"{rest[:start].rstrip(_EDGE)} {rest[end:].lstrip(_EDGE)}"
    return rest if any(ch.isalnum() for ch in rest) else text


def _glued(word: Word, text: str) -> bool:
    """Whether Chinese touches ``word``: the T of T恤, the C of 维生素C."""
    return has_han(text[max(0, word.start - 1) : word.start]) or has_han(text[word.end : word.end + 1])


def _completes(word: Word, text: str) -> bool:
    """Whether ``word`` says of what it is that it does not come about: 上 in 连接不上."""
    return word.text[:1] in COMPLEMENTS and text[max(0, word.start - 1) : word.start] == "不" and word.start > 1


def _inside(word: Word, spans: Sequence[tuple[int, int]]) -> bool:
    return any(start <= word.start and word.end <= end for start, end in spans)


def _join(text: str, pieces: Sequence[tuple[int, int]], fixed: Sequence[tuple[int, int]]) -> str:
    """Put pieces together: none between Chinese neighbours, else a space; fixed ones stand apart."""
    apart = set(fixed)
    out: list[str] = []
    last = (-1, -1)
    for piece in pieces:
        start, end = piece
        touching = start == last[1] and has_han(text[max(0, start - 1) : start + 1])
        if out and (not touching or piece in apart or last in apart):
            out.append(" ")
        out.append(text[start:end].strip(_EDGE))
        last = piece
    return " ".join("".join(out).split())
