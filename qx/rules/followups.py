"""Follow-ups that only narrow what was asked before: "not Lenovo please", 不要联想的, 黑色的, "in black", "under $500".

Each says something of the thing that an earlier turn names, so that it is put beside that turn's words, never in their
place.  Where a text may be a question of its own, nothing is made of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from qx.rules.replacements import Wished, replaced
from qx.text import negation, quantities
from qx.text.lexicons import load_set
from qx.text.normalise import characters_read

_LONGEST_FOLLOWUP = {True: 16, False: 60}
"""Characters of a follow-up at most, Chinese or not."""
_LEAD = re.compile(
    r"^(?:那么|那就|那|还有|另外|或者|然后|再|就|有没有|有无|有|来个|来点|我?想?要|我想|换成|换个|换|看看|给我|只要|最好是?|能不能|"
    r"(?:and|but|or|also|then|ok|so|what about|how about|any(?:thing)?|got any|do you have|is there|are there|i(?:'d)? prefer|prefer|"
    r"maybe|just|only|make it|show me|i want|something|preferably|but)\b)[\s,，]*",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"[\s,，]*(?:(?:有吗|有没有|行吗|可以吗|好吗|呢|吗|嘛|吧|的话|谢谢)|\b(?:either|as well|than (?:that|this|it|those|these|them)|please|instead|then|though|too|thanks|thank you|maybe|if possible)\b)?"
    r"[\s?？。.!！]*$",
    re.IGNORECASE,
)
_FILLER = re.compile(
    r"的|地|了|那种|那些|款|牌子?|\b(?:ones?|brands?|the|a|an|any|it|and|or|just|models?)\b|[\W_]", re.IGNORECASE
)
_IDLE = frozenset({"thanks", "thank", "need", "idea", "problem", "worries", "sure", "more", "了", "谢谢", "钱"})
_COMPARATIVE = re.compile(
    r"^(?:再|更|稍微?)?[\u4e00-\u9fff]{1,4}(?:一点儿?|点儿?|一些|些)的?$|^(?:更|最)[\u4e00-\u9fff]{1,3}的$"
    r"|^(?:内存|运存|存储|硬盘|屏幕?|电池|续航|拍照|摄像头?|像素|音质|声音|性能|重量|价格|容量|尺寸|字体?|画质|颜值)[\u4e00-\u9fff]{0,2}(?:更|再|最)[\u4e00-\u9fff]{1,4}的$"
    r"|^(?:a (?:bit|little) |even |much |slightly )?(?:[a-z]{2,10}er|(?:more|less) [a-z]+)(?: ones?)?$",
    re.IGNORECASE,
)
_WANTED = re.compile(
    r"(?:那|那就|就)?我?(?:想|只|就)?(?:要|推荐|给我推荐|帮我找|来个)(?:个|一[个本台件双款])?"
    r"(?P<kind>(?!好的|真的|别的|別的|其他|其它|另外|这样|那样|这种|那种|你的|我的|什么|更多|新的$)[\u4e00-\u9fffA-Za-z0-9]{1,6}的)"
    r"(?:吧|谢谢)?[。.!！]*"
)
"""What is wanted of the thing in so many words, known as a wish or not: 要精装的, 给我推荐长款的."""
_GETTING = re.compile(
    r"我?(?:想|要|想要|打算|准备)?(?:买|找|租|订|求购|推荐)(?:个|一[个本台件双款间辆])?(?=[\u4e00-\u9fff]{2})"
)
_LIMITING = re.compile(
    r"^(?:in|with|for|under|below|above|over|around|at least|up to|less than|within|from|by)\b", re.IGNORECASE
)
_FOR_WHOM = re.compile(
    r"for (?!(?:sure|example|instance|now|real|free|me|us|you|it|that|this|what|which|whom|how|all|long|good)\b)[a-z0-9]",
    re.IGNORECASE,
)
"""Whom or what a thing is for: "for two people" after "tents under $200"."""
_PARTS = (
    r"memory|ram|storage|space|screen|display|battery|battery life|camera|keyboard|speakers?|sound|resolution|range|power|ports|"
    r"warranty|refresh rate|cpu|gpu|graphics|processor|performance|features|pockets|room|capacity"
)
_MORE = re.compile(
    rf"^with (?:a |an )?(?:(?:much|even|a bit|slightly) )?(?:more|better|bigger|larger|longer|faster|less|smaller|higher|lower|brighter|stronger|newer)"
    rf" (?:{_PARTS})$",
    re.IGNORECASE,
)
"""More of a part of what is looked for: "with more memory"."""
_MEASURED = re.compile(
    rf"内存|运存|运行内存|显存|硬盘|固态|存储|屏幕|屏|电池|续航|刷新率|像素|重量|以上|(?<![a-z])(?:with|has|of|have|{_PARTS}|ssd|hdd|disk)(?![a-z])",
    re.IGNORECASE,
)
"""What an amount is of, in a follow-up that says nothing else: 32G内存的."""
_QUESTION = re.compile(
    r"什么|怎么|为什么|如何|哪|谁|多少|几|\b(?:what|how|why|which|who|where|when|is|are|does|do|can)\b", re.IGNORECASE
)
_OPEN = re.compile(r"(?:怎么样|值得买吗|好用吗|好不好|有哪些|有吗|吗|呢)?[\s?？。.!！]*$")


def narrowed(
    text: str, turns: Sequence[str], core_of: Callable[[str], str], wished: Wished, *, chinese: bool
) -> str | None:
    """Return ``text`` put beside what it narrows, or None where it is no such follow-up.

    Args:
        turns: What the user said before, in order.
        core_of: What a turn asks for, without the words of asking.
        wished: Tells words that limit a thing.
    """
    base = ""
    for turn in turns:
        base = (base and _beside(turn, base, core_of(base), wished, chinese=chinese)) or turn.strip()
    return _beside(text, base, core_of(base), wished, chinese=chinese) if base else None


def _beside(text: str, base: str, core: str, wished: Wished, *, chinese: bool) -> str | None:
    rest = _stripped(text)
    read = characters_read(rest)
    if not rest or len(rest) > _LONGEST_FOLLOWUP[chinese]:
        return None
    asked = _OPEN.sub("", base)
    if excluded := _excluded(rest):
        return f"{asked} {excluded}"
    if (made := replaced(rest, asked, wished, elliptic=_is_elliptic(text))) is not None:
        return made
    if _QUESTION.search(read):
        return None
    measured = quantities.find(rest)
    if measured and not _left(rest, [(q.start, q.end) for q in measured], _MEASURED):
        return _replaced(rest, measured[0], asked, chinese=chinese)
    limiting = not chinese and _LIMITING.match(rest) and len(rest.split()) <= 4
    if limiting and (_MORE.match(rest) or _FOR_WHOM.match(rest) or wished(rest)):
        return f"{core} {rest}"
    bare = rest if chinese else _ARTICLES.sub("", rest)
    if _COMPARATIVE.match(bare) and not chinese and bare.lower() not in load_set("not_comparatives_en"):
        return _before(bare, core, chinese=False)
    if (_COMPARATIVE.match(read) and rest.lower() not in load_set("not_comparatives_en")) or (
        _only_wish(rest, chinese) and wished(rest)
    ):
        return _before(rest, core, chinese=chinese)
    wanted = _WANTED.fullmatch(characters_read(text.strip())) if chinese else None
    if wanted is None:
        return None
    start, end = wanted.span("kind")
    return _before(text.strip()[start:end], core, chinese=True)


_ELLIPTIC = re.compile(r"^(?:那|还有|and\b|or\b|what about|how about)|呢[?？]?$", re.IGNORECASE)


def _is_elliptic(text: str) -> bool:
    return _ELLIPTIC.search(characters_read(text.strip())) is not None


def _stripped(text: str) -> str:
    rest, last = text.strip(), None
    while rest != last:
        last = rest
        lead = _LEAD.match(characters_read(rest))
        rest = rest[lead.end() :] if lead else rest
        tail = _TAIL.search(characters_read(rest))
        rest = (rest[: tail.start()] if tail else rest).strip()
    return rest


def _excluded(rest: str) -> str:
    """The words of exclusion, where they are all that ``rest`` says."""
    found = negation.find(rest)
    if not found or any(n.target.lower() in _IDLE for n in found) or _left(rest, [(n.start, n.end) for n in found]):
        return ""
    return rest[found[0].start : found[-1].end].strip()


def _left(rest: str, spans: Sequence[tuple[int, int]], idle: re.Pattern[str] | None = None) -> str:
    kept = list(rest)
    for start, end in spans:
        kept[start:end] = " " * (end - start)
    return _FILLER.sub("", idle.sub(" ", "".join(kept)) if idle else "".join(kept))


def _replaced(rest: str, amount: quantities.Quantity, base: str, *, chinese: bool) -> str:
    """``base`` with its amount of the same kind replaced, else with the new one beside it."""
    for known in quantities.find(base):
        if known.kind == amount.kind:
            return f"{base[: known.start]}{amount.text}{base[known.end :]}"
    return f"{base} {rest.removesuffix('的') if chinese else _ARTICLES.sub('', rest)}"


_ARTICLES = re.compile(r"^(?:the|an?) | (?:ones?|models?|versions?)$")


def _only_wish(rest: str, chinese: bool) -> bool:
    return rest.endswith("的") if chinese else len(rest.split()) <= 2


def _before(rest: str, core: str, *, chinese: bool) -> str:
    if chinese:
        if verb := _GETTING.match(core):
            return f"{verb[0]}{rest.removesuffix('的')}的{core[verb.end() :]}"  # 买男款的羽绒服
        return f"{rest if rest.endswith('的') else rest + '的'}{core}"
    return f"{re.sub(r' ones?$', '', rest)} {core}"
