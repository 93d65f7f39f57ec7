"""A question as the name of what it asks for: "how tall is the tower" is "the tower height", 谁发明了拉链 is 拉链 发明者.

Documents name an attribute and its thing; hardly one repeats the question.  Each entry is a question form and the nouns
that stand for its question words; the name is written after what the question is about, as people type it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

_BE = r"(?:is|are|was|were|['’]s)"
_THE = r"(?:the |an? )?"
_WITHIN = re.compile(r" (?=(?:at|in|on|for|from|during|after|before|under|per|with|without|between)\b)")
_MADE = {
    "invented": "inventor", "wrote": "author", "written": "author", "directed": "director", "founded": "founder", "painted": "painter",
    "discovered": "discoverer", "composed": "composer", "built": "builder", "designed": "designer", "won": "winner", "sings": "singer",
    "sang": "singer", "created": "creator", "owns": "owner", "discovers": "discoverer", "makes": "manufacturer", "hosts": "host",
    "runs": "head", "leads": "leader", "produced": "producer", "coached": "coach", "owned": "owner",
}  # fmt: skip
_DONE = {
    "built": "construction date", "founded": "founding date", "invented": "invention date", "released": "release date",
    "published": "publication date", "discovered": "discovery date", "established": "founding date", "introduced": "release date",
    "born": "date of birth", "signed": "signing date", "opened": "opening date", "abolished": "abolition date", "created": "creation date",
    "completed": "completion date", "launched": "launch date",
}  # fmt: skip
_MEASURES = {
    "tall": ("height",), "high": ("height", "elevation"), "old": ("age",), "long": ("length",), "deep": ("depth",), "wide": ("width",),
    "heavy": ("weight",), "fast": ("speed",), "big": ("size",), "large": ("size",), "hot": ("temperature",), "cold": ("temperature",),
    "thick": ("thickness",), "strong": ("strength",), "loud": ("noise level",), "bright": ("brightness",),
    "expensive": ("price", "cost"), "far": ("distance",),
}  # fmt: skip
_ENGLISH = tuple(
    (re.compile(pattern, re.IGNORECASE), nouns)
    for pattern, nouns in (
        (rf"^how (?P<asked>{'|'.join(_MEASURES)}) {_BE} {_THE}(?P<x>(?!it\b|that\b|this\b).{{3,60}})$", "measure"),
        (rf"^how far (?:away )?{_BE} (?:it )?{_THE}(?P<x>.{{3,40}} (?:from|to) .{{2,40}})$", ("distance",)),
        (r"^how long (?:does|do|did|will|would|should) (?:it|i|you|we) (?:take |need )?(?:to )?(?P<x>.{4,60})$", ("time",)),
        (rf"^how long (?:does|do|did|will) {_THE}(?P<x>.{{3,50}}) (?:take|last|stay good|keep)(?P<rest> .{{2,30}})?$", ("duration",)),
        (rf"^how much (?:does|do|did|will) {_THE}(?P<x>.{{3,50}}) weigh$", ("weight",)),
        (rf"^how much (?:does|do|did|will) {_THE}(?P<x>.{{3,50}}) cost$", ("price", "cost")),
        (rf"^how many calories (?:are |is )?(?:there )?in {_THE}(?P<x>.{{3,50}})$", ("calories", "nutrition facts")),
        (r"^how many people (?:live|are there) in (?P<x>.{3,50})$", ("population",)),
        (rf"^who (?P<asked>{'|'.join(_MADE)}) {_THE}(?P<x>.{{3,60}})$", "made"),
        (rf"^when (?:was|were|did) {_THE}(?P<x>.{{2,50}}) (?P<asked>{'|'.join(_DONE)})$", "done"),
        (rf"^when did {_THE}(?P<x>.{{2,50}}) die$", ("date of death",)),
        (rf"^when did {_THE}(?P<x>.{{2,50}}) (?:start|begin)$", ("start date",)),
        (rf"^when did {_THE}(?P<x>.{{2,50}}) (?:end|finish)$", ("end date",)),
        (rf"^(?:when|what time) (?:does|do|will) {_THE}(?P<x>.{{3,50}}) (?:open|close)(?P<rest> .{{3,30}})?$", ("opening hours",)),
        (rf"^where {_BE} {_THE}(?P<x>.{{3,50}}?)(?: located)?$", ("location",)),
        (r"^where (?:was|were) (?P<x>.{3,50}) born$", ("birthplace",)),
        (rf"^what (?:does|do) {_THE}(?P<x>.{{2,50}}) mean(?P<rest> in .{{3,30}})?$", ("meaning", "definition")),
        (rf"^what colou?rs? {_BE} {_THE}(?P<x>.{{3,50}})$", ("color",)),
        (rf"^what(?:'s|’s| {_BE}) {_THE}(?P<asked>(?!the\b|an?\b|best\b|point\b|purpose\b|difference\b|name\b|way\b)[a-z]+(?: [a-z]+){{0,2}}) of {_THE}(?P<x>.{{2,60}})$", "attribute"),
        (r"^can (?P<whom>[a-z]+s|babies|children|you|i|we) (?:eat|drink|have) (?P<x>.{3,40})$", "safe"),
        (r"^is it (?P<asked>safe|legal|dangerous|healthy|bad|rude|illegal) to (?P<x>.{4,60})$", "judged"),
        (r"^(?:do|does) (?:i|you|we|one) need (?:an? |the |any )?(?P<x>.{3,40}? (?:for|to|in) .{3,40})$", ("requirements",)),
    )
)  # fmt: skip
_OPENING = re.compile(r"how|who|when|what|where|can|is|do", re.IGNORECASE)
"""How each of them begins."""
_JUDGED = {"safe": "safety", "legal": "legality", "illegal": "legality", "dangerous": "dangers", "healthy": "health effects", "bad": "risks", "rude": "etiquette"}  # fmt: skip

_MEASURES_ZH = {
    "高": ("高度", "海拔"), "重": ("重量",), "长": ("长度",), "深": ("深度",), "远": ("距离",), "快": ("速度",), "厚": ("厚度",), "宽": ("宽度",),
    "热": ("温度",), "冷": ("温度",), "贵": ("价格",), "大": ("大小",), "久": ("时间",), "长时间": ("时长",),
}  # fmt: skip
_MADE_ZH = {
    "发明": "发明者", "写": "作者", "导演": "导演", "执导": "导演", "创立": "创始人", "创办": "创始人", "发现": "发现者", "设计": "设计者", "画": "作者",
    "唱": "原唱", "演": "主演", "建": "建造者", "修建": "建造者", "提出": "提出者", "翻译": "译者",
}  # fmt: skip
_MAKING = "|".join(_MADE_ZH)
_CHINESE = tuple(
    (re.compile(pattern), nouns)
    for pattern, nouns in (
        (r"^(?P<x>[^，,。?？]{2,24}?)(?:有|是|要|需要|得|大概|大约|能)*多(?P<asked>长时间|高|重|长|深|远|快|厚|宽|热|冷|贵|久)$", "measure"),
        (r"^(?P<x>[^，,。?？]{2,24}?)(?:是|今年)?(?:几岁|多少岁|多大年纪)$", ("年龄",)),
        (r"^(?P<x>[^，,。?？]{2,24}?)有多少(?:个)?人口?$", ("人口",)),
        (rf"^谁(?P<asked>{_MAKING})(?:了|的)?(?P<x>[^，,。?？]{{2,24}}?)$", "made"),
        (rf"^(?P<x>[^，,。?？]{{2,24}}?)是?谁(?P<asked>{_MAKING})(?:的|了)?$", "made"),
        (r"^(?P<x>[^，,。?？]{2,24}?)(?:是|在)?(?:什么时候|哪一?年|哪天|何时)(?P<asked>[\u4e00-\u9fff]{1,4}?)(?:的|了)?$", "when"),
        (r"^(?P<x>[^，,。?？]{2,24}?)是?(?:哪天|几月几[日号]|几号)$", ("日期",)),
        (r"^(?P<x>[^，,。?？]{2,24}?)(?:早上|晚上|下午|中午)?几点(?P<asked>开门|关门|营业|下班|上班|开始|结束|发车|开盘|收盘)$", "when"),
        (r"^(?P<x>[^，,。?？]{2,24}?)(?:是|位于)?在?(?:哪里|哪儿|哪个(?:城市|国家|省|区)|什么地方)$", ("位置",)),
        (r"^(?P<x>[^，,。?？]{1,24}?)(?:是|代表|指的?是)?什么意思$", ("含义", "释义")),
        (r"^(?P<x>[^，,。?？]{2,24}?)(?:里|中)?(?:含|有)?多少(?:大卡|卡路里|热量|卡)$", ("热量",)),
    )
)  # fmt: skip
_ASKING_ZH = re.compile("[多几谁什哪何]")
"""A character of each of their question words."""
_OPENED_ZH = {"开门": "营业时间", "关门": "营业时间", "营业": "营业时间"}


def named(text: str, *, chinese: bool) -> Iterator[tuple[str, str]]:
    """Yield how the question ``text`` is written as a name, at most two, with the noun that stands for its question word.

    Args:
        text: A question in one clause; a question mark at its end does not matter.
        chinese: Its language; English otherwise.
    """
    asked = text.strip().rstrip("?？!！.。 ").strip()
    for pattern, nouns in _CHINESE if chinese else _ENGLISH:
        if (match := pattern.match(asked)) is None:
            continue
        yield from _written(match, nouns) if not chinese else _written_zh(match, nouns)
        return


def _written(match: re.Match[str], nouns: str | tuple[str, ...]) -> Iterator[tuple[str, str]]:
    said = match.groupdict()
    about, rest = said["x"].strip(), said.get("rest") or ""
    word = (said.get("asked") or "").lower()
    if nouns == "attribute":
        thing, *where = _WITHIN.split(about, maxsplit=1)
        yield f"{thing} {word}{' ' + where[0] if where else ''}", word
        return
    if nouns == "safe":
        whom = said["whom"].lower()
        yield (f"{about} safe to eat" if whom in ("you", "i", "we") else f"{about} safe for {whom}"), "safe"
        return
    found = {"measure": _MEASURES.get(word, ()), "made": (_MADE.get(word, ""),), "done": (_DONE.get(word, ""),), "judged": (_JUDGED.get(word, ""),)}  # fmt: skip
    for noun in nouns if isinstance(nouns, tuple) else found[nouns]:
        yield f"{about} {noun}{rest}", noun


def _written_zh(match: re.Match[str], nouns: str | tuple[str, ...]) -> Iterator[tuple[str, str]]:
    said = match.groupdict()
    word = said.get("asked") or ""
    when = _OPENED_ZH.get(word, f"{word}时间")
    found = {"measure": _MEASURES_ZH.get(word, ()), "made": (_MADE_ZH.get(word, ""),), "when": (when,)}
    for noun in nouns if isinstance(nouns, tuple) else found[nouns]:
        yield f"{said['x'].strip()} {noun}", noun


def stands_for(term: str, folded: str, question: str) -> bool:
    """Whether ``term`` is a question word of ``question`` for which ``folded`` has the noun: the "tall" of "how tall is".

    All of them are folded.
    """
    return any(map(folded.__contains__, standing_for(term, question)))


def standing_for(term: str, question: str) -> tuple[str, ...]:
    """The nouns that stand for ``term``, where it is a question word of ``question``; both of them are folded."""
    asked = _asked(question)
    return asked[1] if asked is not None and term in asked[0] else ()


@lru_cache(maxsize=512)
def _asked(question: str) -> tuple[str, tuple[str, ...]] | None:
    """The words of a question beside what it is about, and the nouns that stand for them."""
    text = question.strip().rstrip("?？!！.。 ").strip()
    english = _ENGLISH if _OPENING.match(text) else ()
    for chinese, forms in ((False, english), (True, _CHINESE if _ASKING_ZH.search(text) else ())):
        match = next((m for pattern, _ in forms if (m := pattern.match(text)) is not None), None)
        if match is not None:
            start, end = match.span("x")
            nouns = tuple(noun for _, noun in named(text, chinese=chinese))
            return f"{text[:start]} {text[end:]}", nouns
    return None


__all__ = ["named", "standing_for", "stands_for"]
