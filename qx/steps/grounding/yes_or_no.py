"""Fields of yes or no that a query names: ``vegetarian recipes``, 素食, "not vegetarian".

Only before what it describes, or as the whole of what is asked besides words for any document; so "how is it used" says
nothing of a field ``used``.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from qx.domain import Knowledge
from qx.steps.collective import DOCUMENTS, DOCUMENTS_ZH, ENDS, plurals
from qx.steps.grounding.everyday import asks_about
from qx.text.negation import Negation
from qx.types import Constraint

_CALLED: Mapping[str, tuple[str, ...]] = {
    "vegetarian": ("素食", "素菜", "全素"), "vegan": ("纯素", "全素"), "waterproof": ("防水",), "organic": ("有机",),
    "wireless": ("无线",), "gluten_free": ("无麸质",), "refurbished": ("翻新",), "second_hand": ("二手",), "used": ("二手",),
    "in_stock": ("有货", "现货"), "available": ("有货", "现货"), "discounted": ("打折",), "on_sale": ("打折", "促销"),
    "rechargeable": ("可充电",), "foldable": ("可折叠",), "spicy": ("辣的",), "halal": ("清真",), "archived": ("已归档",),
    "pet_friendly": ("可带宠物",), "remote": ("远程",), "peer_reviewed": ("同行评审",), "open_access": ("开放获取",),
}  # fmt: skip
_NOUN = "|".join(form for noun in DOCUMENTS for form in (noun, *plurals(noun)))
_NOUN_ZH = "|".join(sorted(DOCUMENTS_ZH, key=len, reverse=True))
_AMBIGUOUS = frozenset(
    {"used", "new", "free", "open", "active", "live", "public", "private", "sold", "available", "remote"}
)
"""Words that say other things as well: only right before a word for any document, and not where how it is done is asked."""
_VERBS = frozenset({"read"})
"""Words that before a document rather say what to do with it."""


def named_flags(
    text: str, fields: Iterable[str], ruled_out: Sequence[Negation], products: Collection[str], knowledge: Knowledge
) -> Iterator[Constraint]:
    """Yield the conditions on fields of yes or no that ``text`` names.

    Args:
        fields: Canonical names of such fields.
        ruled_out: What the query says that it does not want.
        products: The things of the query that the name may describe.
    """
    words = {field.id: field.words for field in knowledge.taxonomy.fields}
    described = "|".join(map(re.escape, sorted(filter(None, products), key=len, reverse=True)))
    asks = asks_about(text)
    for name in fields:
        spoken = _spoken(name)
        if spoken in _VERBS or (asks and spoken in _AMBIGUOUS):
            continue
        for found in _pattern(name, tuple(words.get(name, ())), described).finditer(text):
            denied = next((one for one in ruled_out if one.start <= found.start() < one.end), None)
            said = found["name"] if denied is None else text[denied.start : found.end("name")]
            yield Constraint(field=name, op="eq", value=denied is None, text=said, hard=denied is not None)
            break


def doubtful_phrase(text: str, flag: Constraint) -> str:
    """Return a flag with the noun that it stands before, where documents may say both of something else; else ""."""
    if flag.value is not True or _spoken(flag.field) not in _AMBIGUOUS:
        return ""
    found = re.search(rf"{re.escape(flag.text)}\s+(?:{_NOUN})", text, re.IGNORECASE)
    return found[0] if found else ""


@lru_cache(maxsize=256)
def _pattern(name: str, words: tuple[str, ...], described: str) -> re.Pattern[str]:
    spoken = _spoken(name)
    latin = {re.escape(spoken).replace("_", r"[\s_-]"), *(re.escape(w) for w in words if w.isascii())}
    han = {*_CALLED.get(spoken, ()), *(w for w in words if not w.isascii())}
    between = "" if spoken in _AMBIGUOUS else r"(?:[\w-]{1,30}\s+){0,2}"
    things = _NOUN if spoken in _AMBIGUOUS or not described else f"{_NOUN}|{described}"
    ends = ENDS if spoken in _AMBIGUOUS else r"(?![^\W_])"
    ways = [rf"(?<![^\W_])(?:{'|'.join(sorted(latin, key=len, reverse=True))})(?=\s+{between}(?:{things}){ends})"]
    if han:
        named = "|".join(sorted(map(re.escape, han), key=len, reverse=True))
        things = f"{_NOUN_ZH}|{described}" if described else _NOUN_ZH
        ways.append(rf"(?:{named})(?=的?\s*(?:{things})|[\s,，]|$)")
    return re.compile(rf"(?P<name>{'|'.join(ways)})", re.IGNORECASE)


def _spoken(name: str) -> str:
    return name.casefold().removeprefix("is_")


__all__ = ["doubtful_phrase", "named_flags"]
