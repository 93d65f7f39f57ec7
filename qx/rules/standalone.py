"""Follow-ups made independent of the conversation, and vague references resolved by it.

- ``and cheaper ones?`` after "best wireless earbuds" is "cheaper best wireless earbuds";
- ``它的电池怎么样`` after "iPhone 15 值得买吗" is "iPhone 15的电池怎么样";
- ``特斯拉最近那个车怎么样`` after a turn that names Model Y is "特斯拉 Model Y 怎么样".

Where the conversation does not say, nothing is invented: ``Standalone.text`` is None and ``vague`` is True.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from qx.rules.followups import Wished, narrowed
from qx.rules.phrases import aligned, is_han
from qx.serial import value
from qx.text import negation
from qx.text.normalise import characters_read
from qx.types import Entity, Turn

Finder = Callable[[str], Sequence[Entity]]

_PRONOUN_ZH = re.compile(
    r"它们|他们|她们|它|这款|那款|这个(?![月年周人])|那个(?![月年周人])|这台|那台|这部|那部|这种|那种|前者|后者|这(?=怎么|如何|多少|能|会|有|是|好)"
)
_PRONOUN_EN = re.compile(
    r"\b(?:its|it|they|them|their|that one|this one|these|those|(?:this|that) (?=work|cost|support|come|have|is|mean))",
    re.IGNORECASE,
)
_ONES = re.compile(r"\b(?:ones?)\b", re.IGNORECASE)
_OPENING = re.compile(
    r"^(?:那么|那|还有|另外|再|或者|然后|and\b|what about|how about|but\b|or\b|also\b|then\b|ok\b,?|so\b)[\s,，]*",
    re.IGNORECASE,
)
_CLOSING = re.compile(r"(?:呢|吗|嘛|吧|的话)?[?？。.!！\s]*$")
_REQUEST = re.compile(
    r"^(?:请问|请|帮我|帮忙|我想要|我想买|我想|想要|想买|我要买|求推荐|推荐一下|推荐几款|推荐一款|推荐|有什么好的|有没有|介绍一下|介绍|"
    r"(?:can|could) you (?:please )?(?:recommend|suggest|find)(?: me)?|please recommend|recommend(?: me)?|suggest(?: me)?|i(?: am|'m) looking for|looking for|"
    r"i want(?: to buy)?|i need|find me|show me|what(?: is|'s| are) the|which|best)\s*(?:a |an |some |the |一款|一个|一台|几款)?",
    re.IGNORECASE,
)
_ASKED = re.compile(
    r"(?:推荐一下|推荐|哪款好|哪个好|哪些好|怎么样|值得买吗|好用吗|好不好|有哪些|有吗|吗)?[?？。.!！\s]*$"
)
_VAGUE_ZH = re.compile(
    r"(?:最近|新出|最新|刚出|上次|之前)?的?(?:那|这)(?:个|款|辆|台|部|本|家|种)(?:新|最新)?的?[\u4e00-\u9fff]{0,8}?(?=怎么|如何|好|多少|值|能|会|有|是|吗|呢|[，。？?]|$)"
)
_VAGUE_EN = re.compile(
    r"\b(?:that|this|the) (?:new|latest|recent|newest|last)(?: \w+)?|\bthat (?:thing|one|car|phone|laptop|model|guy|movie|show|book|app)\b",
    re.IGNORECASE,
)
_ABOUT = re.compile(
    r"^(?:现在|大概)?(?:多少钱|价格|售价|什么价|贵吗|贵不贵|怎么样|好用吗|好不好用|值得买吗|值得吗|有货吗|在哪买|哪里买|续航|拍照|屏幕|电池|重量|多重|配置|参数)"
    r"(?:怎么样|如何|多久|好吗|多少|呢|吗|清楚吗|多大)?[\s?？。!！]*$"
    r"|^(?:price|battery life|reviews?|specs|weight|camera|screen size)[\s?.!]*$",
    re.IGNORECASE,
)
"""A question that names nothing that it is of."""
_PLACED = re.compile(
    r"(?:(?:and|or|what about|how about)\s+)?(?:in|near|around|from|to|at)\s+[\w .'-]{2,40}[?.!]?", re.IGNORECASE
)
"""Nothing but a place: "in Rome" after "hotels in Paris"."""
_MODEL = re.compile(r"[A-Za-z0-9]\d|\d")
_THING = frozenset(
    {
        "product",
        "model-number",
        "technology",
        "topic",
        "media",
        "title",
        "food",
        "place",
        "person",
        "medicine",
        "illness",
        "brand",
    }
)
_GOODS = frozenset({"product", "model-number"})
_TURNS = 8
_LENGTH = 800
_SHORT = 24


@value
class Standalone:
    """``text`` is the independent form, None where there is none; ``vague``: something stays unresolved."""

    text: str | None = None
    vague: bool = False


def resolve(
    text: str, entities: Sequence[Entity], history: Sequence[Turn], find: Finder, wished: Wished, *, chinese: bool
) -> Standalone:
    """Make ``text`` independent of ``history``.

    Args:
        entities: The named entities of ``text``.
        find: Returns the named entities of another text.
        wished: Tells whether a text has words that limit a thing.
    """
    turns = [t for t in history if t.content.strip()][-_TURNS:]
    vague = (_VAGUE_ZH if chinese else _VAGUE_EN).search(characters_read(text))
    if vague is not None:
        named = _referent(text, entities, turns, find)
        if named is not None:
            return Standalone(text=_replace(text, vague.span(), named))
        return Standalone(vague=not _complete(entities))
    if not turns:
        lone = (
            not any(e.type in _THING for e in entities)
            and (_PRONOUN_ZH if chinese else _PRONOUN_EN).search(characters_read(text))
            and len(text) < _SHORT
        )
        return Standalone(vague=bool(lone))
    return _follow_up(text, entities, turns, find, wished, chinese=chinese)


def _follow_up(
    text: str, entities: Sequence[Entity], turns: Sequence[Turn], find: Finder, wished: Wished, *, chinese: bool
) -> Standalone:
    excluded = negation.find(text)
    things = [e for e in entities if e.type in _THING and not any(n.start <= e.start < n.end for n in excluded)]
    if not things:
        said = [t.content for t in turns if t.role == "user" and len(t.content) <= _SHORT * 4]
        if said and (whole := narrowed(text, said, _asked_for, wished, chinese=chinese)):
            return Standalone(text=whole)
    opening = _OPENING.match(characters_read(text))
    pronoun = (_PRONOUN_ZH if chinese else _PRONOUN_EN).search(characters_read(text))
    if pronoun is not None and not things:
        named = _latest(turns, find)
        if named is None:
            return Standalone(vague=True)
        word = pronoun.group().lower()
        filled = f"{named}'s" if word in ("its", "their") else named
        space = "" if chinese else " "
        return Standalone(text=_tidy(f"{text[: pronoun.start()]}{filled}{space}{text[pronoun.end() :]}", opening))
    if (
        not things
        and _ABOUT.match(characters_read(text))
        and (named := _latest(turns, find)) is not None
        and _MODEL.search(named)
    ):
        return Standalone(text=f"{named}{'' if chinese else ' '}{text}")  # "多少钱" of the model spoken of last
    if things and _PLACED.fullmatch(text.strip()) and all(e.type == "place" for e in things):
        return Standalone(text=_swapped(turns, things[0], find, text))
    core = _core(turns, find)
    elliptic = opening is not None or _ONES.search(text) is not None or text.rstrip("?？").endswith("呢")
    if core is None or not elliptic or len(text) > _SHORT * (1 if chinese else 3):
        return Standalone()
    rest = _CLOSING.sub("", text[opening.end() if opening else 0 :]).strip()
    if things:  # "那小米14呢": the same question about another thing
        return Standalone(text=_swapped(turns, things[0], find, rest))
    if _ONES.search(rest):
        return Standalone(text=_ONES.sub(core, rest, count=1))
    if not rest:
        return Standalone()
    return Standalone(text=f"{rest}{core}" if chinese and rest.endswith("的") else f"{rest} {core}")


def _latest(turns: Sequence[Turn], find: Finder) -> str | None:
    """The thing spoken of last: a user's before an answer's, unless the answer names one model of what the user wants."""
    if (model := _answered(turns, find)) is not None:
        return model
    for role in ("user", "assistant"):
        for turn in reversed(turns):
            if turn.role == role:
                things = [e for e in find(turn.content[:_LENGTH]) if e.type in _THING]
                named = [e for e in things if e.type != "brand"] or things
                if named:
                    return _with_brand(named[0], things, turn.content)
    return None


def _answered(turns: Sequence[Turn], find: Finder) -> str | None:
    """The one model that the last answer names, where the question before it named none."""
    if turns[-1].role != "assistant":
        return None
    content = turns[-1].content[:_LENGTH]
    asked = next((t.content[:_LENGTH] for t in reversed(turns) if t.role == "user"), "")
    if any(e.type in _GOODS and _specific(e) for e in find(asked)):
        return None
    things = [e for e in find(content) if e.type in _THING]
    models = [e for e in things if e.type in _GOODS and _specific(e) and any(c.isdigit() for c in e.text)]
    one = {aligned(e.text) for e in models}
    return _with_brand(models[0], things, content) if len(one) == 1 else None


def _with_brand(named: Entity, things: Sequence[Entity], text: str) -> str:
    """The name with the brand or the line before it: Sony WH-CH720N."""
    before = [e for e in things if e.type == "brand" and e.start >= 0 and text[e.end : named.start] in ("", " ")]
    return text[before[0].start : named.end] if before and before[0].start < named.start else named.text


def _core(turns: Sequence[Turn], find: Finder) -> str | None:
    """What the user asked for last, without the words of asking; of a long turn only its thing."""
    for turn in reversed(turns):
        if turn.role != "user":
            continue
        core = _asked_for(turn.content)
        if 1 < len(core) <= 60 and not _OPENING.match(core):
            return core
    return _latest(turns, find)


def _asked_for(turn: str) -> str:
    """What a turn asks for, without the words of asking."""
    return _ASKED.sub("", _REQUEST.sub("", turn.strip())).strip(" ,，。?？")


def _swapped(turns: Sequence[Turn], thing: Entity, find: Finder, rest: str) -> str | None:
    """The user's last question about ``thing``, put in the place of what it was about; a brand goes before the thing."""
    for turn in reversed(turns):
        if turn.role == "user" and len(turn.content) <= 80:
            named = [e for e in find(turn.content) if e.type in _THING and e.start >= 0]
            things = [e for e in named if e.type == thing.type] or [e for e in named if _alike(e, thing)]
            if things:
                return f"{turn.content[: things[0].start]}{thing.text}{turn.content[things[-1].end :]}".strip()
            if named and thing.type == "brand":
                at = named[0].start
                space = "" if is_han(turn.content[at]) else " "
                return f"{turn.content[:at]}{thing.text}{space}{turn.content[at:]}".strip()
            if named:
                return None  # Windows is no laptop: nobody asked for it in the place of one
    return rest


def _alike(one: Entity, other: Entity) -> bool:
    """Whether one thing may stand in the place of the other: a model of a product, or what no list tells apart."""
    return {one.type, other.type} <= _GOODS or not {one.type, other.type} & (_GOODS | {"technology", "brand"})


def _referent(text: str, entities: Sequence[Entity], turns: Sequence[Turn], find: Finder) -> str | None:
    """The product or model that the conversation named last, other than what the query itself names."""
    own = {aligned(e.text) for e in entities}
    for turn in reversed(turns):
        for entity in find(turn.content[:_LENGTH]):
            if (
                entity.type in ("product", "model-number", "title", "person")
                and aligned(entity.text) not in own
                and _specific(entity)
            ):
                return entity.text
    return None


def _specific(entity: Entity) -> bool:
    """A model or a title, not a class of goods (手机)."""
    return entity.type != "product" or any(c.isascii() and (c.isupper() or c.isdigit()) for c in entity.text)


def _replace(text: str, span: tuple[int, int], named: str) -> str:
    before = text[: span[0]].rstrip()
    return " ".join(part for part in (before, named, text[span[1] :].strip()) if part)


def _complete(entities: Sequence[Entity]) -> bool:
    """Whether a specific thing is named besides the reference ("the new iPhone 15 Pro")."""
    return any(_specific(e) and any(c.isdigit() for c in e.text) for e in entities)


def _tidy(text: str, opening: re.Match[str] | None) -> str:
    return " ".join((text[opening.end() :] if opening else text).split())
