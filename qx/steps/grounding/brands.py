"""Brands that no list knows: what the engines hold as a ``brand`` is one, wanted (``HP laptop``) or not (``not HP``).

A word is taken for a brand that the field holds, or that the profile's field map names.  Where nobody can say what the
field holds, only a short word in capitals that the query rules out beside a product is: what it is not excludes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from qx.backend import SearchBackend, SupportsFilter
from qx.context import Context
from qx.domain import Knowledge
from qx.rules.kinds import type_of
from qx.rules.protection import base_text
from qx.serial import replace, value
from qx.steps.collective import names_documents
from qx.steps.grounding.held import held
from qx.steps.grounding.spellings import mapped, same, spellings
from qx.text import negation
from qx.text.segment import keywords
from qx.types import Constraint, Entity, Understanding
from qx.vocabulary import Held

FIELD = "brand"
_OTHERWISE = frozenset({"comparison", "troubleshooting", "how-to", "research"})
"""Intents of who looks for no product: "HP laptop won't boot" is answered by whom it concerns, of whatever brand."""
_CAPITALS = re.compile(r"[A-Z][A-Z0-9&]{1,5}")
_GOODS = re.compile(r"\b(?:products?|items?|goods|models?)\b|产品|商品|东西|的货", re.IGNORECASE)
_CALLED = re.compile(r"\s*(?:brand(?:ed)?s?|品牌|牌子|牌)?\s*的?\s*", re.IGNORECASE)
"""Between a brand and its product."""
_MADE_BY = re.compile(r"\s+(?:(?:made\s)?(?:by|from)\s+)?|\s*[,，]?\s*(?:品牌|牌子)[:：是要]?\s*", re.IGNORECASE)
"""Between a product and its brand."""
_ANOTHERS = re.compile(
    r"(?:\b(?:for|like|than|vs\.?|versus|or|and|with|fits?|to|of|as|not|no|without|except)|[/&,，、+]|适用于?|適用|兼容|比|和|与|"
    r"跟|或者?|还是|給|给|类似|像|配|除了|不要|非)\s*(?:an?\s+|the\s+|my\s+|your\s+)?$",
    re.IGNORECASE,
)
"""Before a brand that is one of several, or that of another thing: "charger for HP laptop"."""
_OR_ANOTHER = re.compile(
    r"\s*(?:[/&、+]|(?:or|and|vs\.?|versus|compared)\b|或|和|与|跟|还是|對比|对比|比)", re.IGNORECASE
)


@value
class _Candidate:
    constraint: Constraint
    sure: bool
    """Whether the query's words alone tell that it is a brand."""


async def branded(understanding: Understanding, context: Context, *, ask: bool) -> Understanding:
    """Return the analysis with the brands that it does not know as such, as constraints on ``brand``.

    Args:
        ask: False uses only what is remembered of the engines.
    """
    vocabulary = context.vocabulary
    if vocabulary is None or FIELD not in context.filterable:
        return understanding
    found = tuple(_candidates(base_text(context.query, understanding), understanding, context.knowledge))
    able = [b for b in vocabulary.backends if isinstance(b, SupportsFilter) and FIELD in b.fields]
    if not found or not able:
        return understanding
    known = await held(FIELD, able, context, ask=ask)
    made = [c.constraint for c in found if _is_brand(c, known, able, context.knowledge)]
    return replace(understanding, constraints=(*understanding.constraints, *made)) if made else understanding


def _is_brand(one: _Candidate, known: Held | None, able: Sequence[SearchBackend], knowledge: Knowledge) -> bool:
    word = str(one.constraint.value)
    if mapped(word, [backend.fields[FIELD] for backend in able]):
        return True
    if known is None or not known.complete:
        excluded = one.constraint.op == "ne" and one.sure
        return excluded or (known is not None and bool(same(word, known.values, knowledge)))
    return bool((spellings if one.sure else same)(word, known.values, knowledge))


def _candidates(text: str, understanding: Understanding, knowledge: Knowledge) -> Iterator[_Candidate]:
    ruled_out = negation.find(text)
    beside = any(type_of(entity, knowledge) == "product" for entity in understanding.entities)
    said = [c.text for c in understanding.constraints if c.field == FIELD]
    for one in ruled_out:
        whole = text[one.start : one.end]
        if whole not in said and any(one.target in word or word in one.target for word in understanding.negations):
            made = Constraint(field=FIELD, op="ne", value=one.target.strip(), text=whole)
            yield _Candidate(constraint=made, sure=beside and bool(_CAPITALS.fullmatch(one.target.strip())))
    if all(c.op == "ne" for c in understanding.constraints if c.field == FIELD):
        yield from _wanted(text, understanding, [(n.start, n.end) for n in ruled_out], knowledge)


def _wanted(
    text: str, understanding: Understanding, ruled_out: Sequence[tuple[int, int]], knowledge: Knowledge
) -> Iterator[_Candidate]:
    """The one brand that a product is to be of; soft: it is the first condition to go where nothing meets them all."""
    if not _OTHERWISE.isdisjoint(knowledge.widened(understanding.intent)):
        return
    said = [entity for known in understanding.entities for entity in _parted(known)]
    placed = [(start, e) for e in said if (start := text.find(e.text)) >= 0]
    spans = [(start, start + len(e.text)) for start, e in placed]
    things = [
        (at, at + len(e.text))
        for at, e in placed
        if type_of(e, knowledge) == "product" and not _is_part(e.text, knowledge)
    ] or [*_unknown_product(placed), *_any_document(text, placed)]
    found: list[_Candidate] = []
    for start, entity in placed:
        if type_of(entity, knowledge) == "product" or entity.verbatim or any(s <= start < e for s, e in ruled_out):
            continue
        if any(_of(text, (start, start + len(entity.text)), thing, spans) for thing in things):
            made = Constraint(field=FIELD, op="eq", value=entity.text, text=entity.text, hard=False)
            found.append(_Candidate(constraint=made, sure=entity.type == FIELD))
    if len(found) == 1 and not _others(found[0], placed):
        yield found[0]


def _parted(entity: Entity) -> Sequence[Entity]:
    """``Castor products`` as two: a name, and the word for any product."""
    end = _GOODS.search(entity.text)
    if entity.type != "thing" or end is None or end.end() != len(entity.text) or not (name := _bare(entity.text, end)):
        return (entity,)
    return (replace(entity, text=name), replace(entity, text=end[0]))


def _bare(text: str, goods: re.Match[str]) -> str:
    return text[: goods.start()].rstrip(" 的")


def _unknown_product(placed: Sequence[tuple[int, Entity]]) -> list[tuple[int, int]]:
    """Where beside a brand stands one word that no list knows, it is the product (``hewlett packard toner``).

    More words than one may be a thing that belongs to another (``HP laserjet toner``).
    """
    others = [(at, e) for at, e in placed if e.type != FIELD]
    if len(placed) != 2 or len(others) != 1 or others[0][1].type != "thing" or len(keywords(others[0][1].text)) != 1:
        return []
    at, entity = others[0]
    return [(at, at + len(entity.text))]


def _any_document(text: str, placed: Sequence[tuple[int, Entity]]) -> list[tuple[int, int]]:
    """Where one entity stands beside a word for any product (``Castor products``, 小米的产品): that word."""
    if len([1 for _, entity in placed if not names_documents(entity.text)]) != 1:
        return []
    return [(m.start(), m.end()) for m in _GOODS.finditer(text)]


def _is_part(product: str, knowledge: Knowledge) -> bool:
    """Whether a thing belongs to another one: the "HP laptop charger" may be anybody's."""
    own = product.casefold()
    names = (kind.names for kind in knowledge.taxonomy.entity_types if kind.is_any({"product"}))
    return any(
        len(own) > len(name) and own.startswith(f"{name.casefold()} " if name.isascii() else name)
        for known in names
        for canonical, others in known.items()
        for name in (canonical, *others)
    )


def _others(one: _Candidate, placed: Sequence[tuple[int, Entity]]) -> bool:
    """Whether more brands are named: one of them alone is not what is wanted."""
    return any(entity.type == FIELD and entity.text != one.constraint.text for _, entity in placed)


def _of(text: str, brand: tuple[int, int], product: tuple[int, int], things: Sequence[tuple[int, int]]) -> bool:
    """Whether the product is of the brand, and nothing else is looked for that only belongs to it (``HP printer ink``)."""
    if brand[1] <= product[0]:
        if not _CALLED.fullmatch(text[brand[1] : product[0]]):
            return False
    elif not (product[1] <= brand[0] and _MADE_BY.fullmatch(text[product[1] : brand[0]])):
        return False
    first, last = min(brand[0], product[0]), max(brand[1], product[1])
    if _ANOTHERS.search(text[:first]) or _OR_ANOTHER.match(text, last):
        return False
    follows = text[last:].lstrip()
    return not any(start == len(text) - len(follows) for start, _ in things)


__all__ = ["FIELD", "branded"]
