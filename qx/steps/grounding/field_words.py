"""The words by which a query says which field a value is of: ``by``, ``author``, 写的, "in English"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from qx.domain import Knowledge
from qx.serial import value
from qx.steps.collective import DOCUMENTS, DOCUMENTS_ZH, ENDS, ENDS_ZH, names_documents, plurals
from qx.text.negation_en import DOERS
from qx.text.segment import WORD_BEGINS, WORD_ENDS

_MAKERS = (
    "author", "writer", "creator", "artist", "singer", "band", "composer", "director", "performer", "editor",
    "translator", "illustrator", "photographer", "speaker", "reporter", "owner", "maintainer", "maker", "manufacturer",
    "seller", "vendor", "publisher", "teacher", "instructor", "tutor", "coach", "trainer", "lecturer", "professor", "host",
    "presenter", "narrator", "conductor", "designer", "chef", "guide", "leader", "organizer", "organiser", "producer",
)  # fmt: skip
"""Fields of who made a thing: ``by`` speaks of them."""
_LANGUAGES = ("language", "lang", "locale")
_KINDS = ("genre", "category", "kind", "type", "topic", "subject", "section")
_ABOUT = ("topic", "subject", "tag", "keyword", "label", "theme", "category", "section", "area", "domain")
"""Fields of what a document is about: one on travel without a visa has the topic ``visa``."""
_CALLED: Mapping[str, tuple[str, ...]] = {
    "author": ("作者", "作家"), "writer": ("作者", "编剧"), "artist": ("歌手", "艺术家", "画家"), "singer": ("歌手",),
    "composer": ("作曲",), "director": ("导演",), "editor": ("编辑", "主编"), "translator": ("译者", "翻译者"),
    "speaker": ("主讲", "讲者", "主讲人"), "owner": ("负责人", "所有者"), "maintainer": ("维护人", "维护者"),
    "publisher": ("出版社", "出版商"), "teacher": ("老师", "老師", "教师"), "instructor": ("老师", "讲师"), "tutor": ("老师", "导师"),
    "coach": ("教练",), "trainer": ("教练",), "lecturer": ("讲师",), "professor": ("教授",), "host": ("主持人",),
    "conductor": ("指挥",), "designer": ("设计师",), "chef": ("主厨",), "guide": ("导游",), "genre": ("类型", "体裁", "题材"), "category": ("分类", "类别", "类目", "品类"),
    "type": ("类型", "种类"), "kind": ("种类",), "language": ("语言", "语种"), "lang": ("语言", "语种"), "tag": ("标签",),
    "series": ("系列", "丛书"), "status": ("状态",), "state": ("状态",), "department": ("部门",), "team": ("团队", "小组"),
    "project": ("项目",), "city": ("城市",), "country": ("国家",), "material": ("材质", "材料"), "format": ("格式",),
    "ingredient": ("食材", "原料", "配料"), "cuisine": ("菜系",), "course": ("课程",), "topic": ("主题", "话题"),
    "subject": ("主题", "学科", "科目"), "section": ("栏目", "版块"), "priority": ("优先级",), "level": ("等级", "级别"),
    "difficulty": ("难度",), "style": ("风格",), "season": ("季节",), "region": ("地区", "区域"), "supplier": ("供应商",), "seller": ("卖家", "賣家"), "vendor": ("商家", "供应商"),
}  # fmt: skip
_SPOKEN: Mapping[str, tuple[str, ...]] = {
    "english": ("en", "eng", "en-us", "en-gb", "英文", "英语"), "chinese": ("zh", "zh-cn", "zh-tw", "chi", "中文", "汉语", "华语"),
    "japanese": ("ja", "jp", "jpn", "日文", "日语"), "korean": ("ko", "kor", "韩文", "韩语"), "french": ("fr", "fra", "法文", "法语"),
    "german": ("de", "deu", "德文", "德语"), "spanish": ("es", "spa", "西班牙文", "西班牙语"), "russian": ("ru", "rus", "俄文", "俄语"),
    "italian": ("it", "ita", "意大利文", "意大利语"), "portuguese": ("pt", "por", "葡萄牙文", "葡萄牙语"),
    "arabic": ("ar", "ara", "阿拉伯文", "阿拉伯语"),
}  # fmt: skip
"""Languages, with what else a field may hold for each."""
_DOERS_ZH = (
    r"所?(?:老师|老師|教练|教練)?(?:撰写|创作|编写|编著|执导|导演|主演|演唱|作曲|翻译|发表|写|寫|著|唱|画|畫|拍|卖|賣|出售|发布"
    r"|主讲|授课|執教|执教|主持|设计|設計|教|讲|講|带|帶|上)的?"
)
_NOUN_ZH = "|".join(
    sorted((*DOCUMENTS_ZH, "诗", "散文", "科幻", "漫画", "书评", "曲子", "画", "专栏"), key=len, reverse=True)
)
_NOUN = "|".join(form for noun in DOCUMENTS for form in (noun, *plurals(noun)))
_BY = re.compile(
    rf"\b(?:{DOERS}\s+)?by\s+",
    re.IGNORECASE,
)
_OWNS = re.compile(rf"['’]s\s+(?=(?:[\w-]+\s+)?(?:{_NOUN}){ENDS})", re.IGNORECASE)
_MADE_ZH = re.compile(_DOERS_ZH)
_DONE = re.compile(rf"^(?:{DOERS}\s+)?by\s+|{_DOERS_ZH}$", re.IGNORECASE)
_OWNS_ZH = re.compile(rf"的(?=(?:{_NOUN_ZH}){{1,2}}{ENDS_ZH})")
_OF_KIND_ZH = re.compile(r"(?:类型|类别|类|類)(?=的|$|\s)")
_NAMES = "|".join(_SPOKEN)
_IN = re.compile(
    rf"\bin\s+({_NAMES})(?=\s*(?:$|[,.;?!)]|(?:by|from|about|on|before|after|since|under|over|published|with|for)\b))",
    re.IGNORECASE,
)
_SPOKEN_IN = re.compile(rf"\b({_NAMES})[-\s]language\b", re.IGNORECASE)
_WRITTEN = "|".join(sorted((word for words in _SPOKEN.values() for word in words if not word.isascii()), key=len)[::-1])
_WHOLE = re.compile(rf"(?:\s+(?:{_NOUN}))?{ENDS}", re.IGNORECASE)
"""What follows a value and its field's name that belong to no other word: "sales department", not "red team exercise"."""
_WHOLE_ZH = re.compile(rf"的?(?:{_NOUN_ZH}){{0,2}}{ENDS_ZH}")
_HAN = re.compile(r"[\u4e00-\u9fff]")
_IN_ZH = re.compile(
    rf"({_WRITTEN})(?:原版|原著|版|写的|寫的)的?|((?:英|中|日|韩|法|德|俄|西班牙|意大利|葡萄牙|阿拉伯)文)的?(?=(?:{_NOUN_ZH}))"
)


@value
class Mention:
    """A place where a query speaks of a field.

    Attributes:
        follows: Whether the value comes after it; else before it.
        hard: Whether it leaves no doubt.
        sure: Whether a sign joins the two (``author: X``): then any value is meant, however short.
        drops: Whether the words of the place leave the query with the value.
        language: The language that it names itself; "": the value is beside it.
        named: Whether it is the field's own name: beside a value, without a sign, it may be a word of the language
            ("text editor").
        deed: Whether it is a "by".
        told: Whether an "is" joins the two.
    """

    field: str
    start: int
    end: int
    follows: bool = True
    hard: bool = True
    sure: bool = False
    drops: bool = True
    language: str = ""
    named: bool = False
    deed: bool = False
    told: bool = False


def mentions(text: str, fields: Iterable[str], knowledge: Knowledge) -> Iterator[Mention]:
    """Yield where ``text`` speaks of one of ``fields``; the name of a field itself comes first."""
    words = {field.id: field.words for field in knowledge.taxonomy.fields}
    for name in fields:
        yield from _by_name(text, name, words.get(name, ()))
        if speaks_of_maker(name):
            yield from _by_deed(text, name)
        if _base(name) in _LANGUAGES:
            yield from _by_language(text, name)
        if _base(name) in _KINDS:
            for found in _OF_KIND_ZH.finditer(text):
                yield Mention(field=name, start=found.start(), end=found.end(), follows=False, hard=False)


def speaks_of_maker(name: str) -> bool:
    """Whether a field says who made a thing."""
    return _base(name) in _MAKERS


def stands_alone(text: str, at: int) -> bool:
    """Whether a phrase that ends at a place is no part of a longer name: beside a word for any document, or by itself."""
    if _WHOLE.match(text, at):
        return True
    if not _HAN.match(text[:at][-1:]):  # behind Han a space parts words, behind "red team" it does not
        at += len(text[at:]) - len(text[at:].lstrip())
        if not _HAN.match(text, at):
            return False
    return _WHOLE_ZH.match(text, at) is not None


def is_about(name: str) -> bool:
    """Whether a field says what a document is about, rather than what the thing has that it describes."""
    return _base(name) in _ABOUT


def undone(said: str) -> str:
    """Return a maker without what was done: ``刘慈欣写的`` is ``刘慈欣``."""
    return _DONE.sub("", said)


def languages(said: str) -> tuple[str, ...]:
    """Return what a field may hold for a language, as it was said first."""
    own = said.casefold()
    return next(((said, name, *others) for name, others in _SPOKEN.items() if own in (name, *others)), (said,))


def _by_name(text: str, name: str, words: Iterable[str]) -> Iterator[Mention]:
    before, after = _patterns(name, tuple(words))
    for found in after.finditer(text):
        if not (found["sign"] == ":" and text[found.end("sign") : found.end("sign") + 1].strip()):  # else it is syntax
            signed, told = bool(found["sign"]), (found["sign"] or "").casefold() == "is"
            yield Mention(field=name, start=found.start(), end=found.end(), sure=signed, named=not signed, told=told)
    for found in before.finditer(text):
        yield Mention(field=name, start=found.start(), end=found.end(), follows=False, hard=False, named=True)


def _by_deed(text: str, name: str) -> Iterator[Mention]:
    for found in _BY.finditer(text):
        yield Mention(field=name, start=found.start(), end=found.end(), deed=True)
    for found in _MADE_ZH.finditer(text):
        yield Mention(field=name, start=found.start(), end=found.end(), follows=False)
    for pattern in (_OWNS_ZH, _OWNS):
        for found in pattern.finditer(text):
            yield Mention(field=name, start=found.start(), end=found.end(), follows=False, hard=False)


def _by_language(text: str, name: str) -> Iterator[Mention]:
    plainly = [*_SPOKEN_IN.finditer(text), *_IN_ZH.finditer(text)]
    for found in [*plainly, *(_IN.finditer(text) if names_documents(text) else ())]:
        said = next(group for group in found.groups() if group)
        yield Mention(field=name, start=found.start(), end=found.end(), hard=False, language=said)


@lru_cache(maxsize=256)
def _patterns(name: str, words: tuple[str, ...]) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What finds a field's name before and behind its value."""
    latin = {_base(name).replace("_", " "), name.replace("_", " "), *(w for w in words if w.isascii())}
    named = "|".join(sorted(map(re.escape, latin), key=len, reverse=True))
    han = sorted({*_CALLED.get(_base(name), ()), *(w for w in words if not w.isascii())}, key=len, reverse=True)
    spoken = [f"{WORD_BEGINS}(?:{named})s?{WORD_ENDS}", *map(re.escape, han)]
    after = re.compile(rf"(?:{'|'.join(spoken)})\s*(?P<sign>[:：=]|\bis\b|是|为|為)?\s*", re.IGNORECASE)
    ways = [rf"\s+(?:{named}){WORD_ENDS}", *([rf"(?:{'|'.join(map(re.escape, han))})(?=的|\s|$)"] if han else [])]
    return re.compile("|".join(ways), re.IGNORECASE), after


def _base(name: str) -> str:
    """A field's name without the plural: ``authors``, ``ingredients``, ``categories``."""
    own = name.casefold()
    if own.endswith("ies"):
        return f"{own[:-3]}y"
    return own[:-1] if own.endswith("s") and own[:-1] in {*_CALLED, *_MAKERS, *_LANGUAGES, *_KINDS, *_ABOUT} else own


__all__ = ["Mention", "is_about", "languages", "mentions", "speaks_of_maker", "stands_alone", "undone"]
