"""Things that no list knows: the nouns of a query, by part of speech in Chinese and by position in English."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from qx.rules.phrases import is_han
from qx.rules.reading import Reading, covered
from qx.text.lexicons import load_set
from qx.text.segment import Word
from qx.types import Entity

_MOST = 4
_NOUNS = ("n", "nz", "nr", "ns", "nt", "nrt", "vn", "an", "ng", "eng", "l", "j", "i", "nrfg")
_NOT_NOUNS_TEXT = """
时候 问题 东西 情况 时间 地方 方面 方式 办法 意思 原因 样子 感觉 大家 别人 有人 自己 家里 有点 大点
小点 种类 特点 关系 内容 事情 事 人 家 时 点 个 款 台 台式 价位 左右 之间 以内 以下 以上 推荐 区别
怎么回事 缺什么 好处 坏处 我家 你家 他家 有没有 方法 步骤 教程 流程 技巧 注意事项 做法 介绍 哪些 什么 最近
现在 今天 明天 昨天 今年 去年
"""
_NOT_NOUNS = frozenset(_NOT_NOUNS_TEXT.split())
_NOT_THINGS_TEXT = """
want wants need needs looking look find get got getting make makes making made do does did doing go goes going
use using used buy buying try trying tried help please know think thinking work works working way ways thing
things something anything someone anyone people time best good better great nice new old big small large cheap
long short high low right wrong fast slow easy hard safe free top many much most more less really very just
still also even ever never always often today tomorrow yesterday now recent latest last next first start
starts starting begin begins keep keeps let say says said tell show shows give gives take takes taking put see
seen saw watch read learn learning learned explain understand compare recommend recommended suggest choose
choosing pick between under over above below around about without within during affordable reliable popular
happened happen happens different difference similar same own able cannot can't won't don't doesn't isn't
didn't become becomes calling call called feel feels come comes came affect affects cause causes fix fixing
fixed repair repairing build building install installing set setup cancel cancelling change changing remove
removing delete convert create write writing ignore print worth anymore lots lot bit together due enough instead only kind kinds type types
hear heard feel fly visit show shows example near found love loves loved hate eat eats ate eating drink close closes opens closed boil cook cooked
open opening opens raw improve rid mean means lease donate transfer reset answers answer answered nobody everyone wash sleep wear
wearing live living stay staying move moving send return arrive arrived pay paid spend save lose lost win won
grow grows sell remember forget bring turn looks seem seems stop stops stopped allow allowed require required
include includes treat prevent avoid reduce increase examples list-of idea ideas tip tips step steps guide
tutorial reviews review stuck rise
cost costs price prices fee fees unlocked
"""
_NOT_THINGS = frozenset(_NOT_THINGS_TEXT.split())


class ThingFinder:
    """Finds what a query speaks of beside the names: 光标, flying buttress, 科技博客."""

    def find(self, reading: Reading, taken: Sequence[tuple[int, int]]) -> tuple[Entity, ...]:
        """Return up to four things in order, none of them within ``taken``."""
        free = [w for w in reading.words if w.content and not covered(w.start, w.end, taken)]
        tags = _tags(reading) if free and reading.chinese else {}
        found: list[Entity] = []
        for run in self._runs(reading, free, tags):
            start, end = run[0].start, run[-1].end
            text = reading.text[start:end]
            if len(text) > 1 or not is_han(text):
                found.append(Entity(text=text, type="thing", canonical=text, start=start, end=end))
        return tuple(found[:_MOST])

    @staticmethod
    def _leads(word: Word, words: Sequence[Word]) -> bool:
        """Whether a word of two characters leads at once to the head of a term."""
        if len(word.text) != 2 or not is_han(word.text[0]):
            return False
        return any(other.start == word.end and other.text in _HEADS for other in words)

    def _runs(self, reading: Reading, words: Sequence[Word], tags: dict[int, str]) -> Iterator[list[Word]]:
        """Yield runs of nouns that stand together; at most two Chinese or three English words make one thing."""
        run: list[Word] = []
        for word in words:
            ends = bool(run) and word.text in _HEADS and word.start == run[-1].end
            if not (_is_noun(word, tags) or ends or self._leads(word, words)):
                if run:
                    yield run
                run = []
                continue
            han = is_han(word.text[0])
            near = bool(run) and reading.text[run[-1].end : word.start] in ("" if han else " ", "-")
            same = bool(run) and is_han(run[-1].text[0]) == han
            if run and not (near and same and len(run) < (2 if han else 3)):
                yield run
                run = []
            run.append(word)
        if run:
            yield run


_HEADS = frozenset(
    [
        "模型",
        "算法",
        "网络",
        "方法",
        "系统",
        "技术",
        "分析",
        "检测",
        "识别",
        "预测",
        "优化",
        "生成",
        "采样",
        "压缩",
        "机制",
        "策略",
        "框架",
        "协议",
        "结构",
        "理论",
        "工程",
        "模板",
    ]
)
"""What ends a term whose first word may be a verb: 扩散模型, 注入检测."""


def _is_noun(word: Word, tags: dict[int, str]) -> bool:
    text = word.text
    if is_han(text[0]):
        return text not in _NOT_NOUNS and tags.get(word.start, "") in _NOUNS
    folded = text.casefold()
    if folded in _NOT_THINGS or folded in load_set("stopwords_en") or not any(c.isalpha() for c in folded):
        return False
    return not (folded.endswith("ly") and len(folded) > 4)


def _tags(reading: Reading) -> dict[int, str]:
    """Return the part of speech of each word by its start; of a word of several parts that of the last one."""
    import rjieba  # a native library: loaded with the first Chinese text

    tags: dict[int, str] = {}
    ends: dict[int, str] = {}
    at = 0
    for piece, tag in rjieba.tag(reading.text, True):
        tags[at] = tag
        at += len(piece)
        ends[at] = tag
    return {w.start: tags[w.start] if _whole(w, tags) else ends.get(w.end, "") for w in reading.words}


def _whole(word: Word, tags: dict[int, str]) -> bool:
    inner = any(position in tags for position in range(word.start + 1, word.end))
    return word.start in tags and not inner
