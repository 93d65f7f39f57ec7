"""Grading snippets without a model: how much of what the query says stands in title and text, and what it rules out.

Words are those of ``rerank by: lexical`` (stems, Chinese characters that stand together), so any script will do.
Quantities are compared as amounts: a laptop of 7,999 is no answer to "below 5,000".  It cannot see that another wording
means the same: documents that only an expansion's words find get low grades here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from qx.eval.graded import Given, Pools
from qx.eval.values import EvalQuery
from qx.text import negation, quantities
from qx.text.quantities import Quantity

_GRADES = ((0.85, 3), (0.6, 2), (0.3, 1))
"""The share of the query's words that a document must have, and the grade that this gives."""
_BROKEN = 1
"""The most that a document gets which breaks a condition."""
_LIMITS = frozenset({"le", "lt", "ge", "gt", "range"})


class ByWording:
    """Implements ``qx.eval.graded.Classifier``."""

    about = (
        "graded by rules from title and snippet, 0 to 3, by the words and amounts of the query: what says the same in "
        "other words gets too little, so that expansion looks worse than it is; grade by a model to see those"
    )

    async def grades(self, queries: Sequence[EvalQuery], pools: Pools, /) -> Given:
        """Grade every snippet."""
        return Given(
            grades={
                query.id: {one.id: grade(query.text, one.title, one.text) for one in pools.get(query.id, ())}
                for query in queries
            }
        )


def grade(query: str, title: str, text: str) -> int:
    """Return the grade of a document for a query, 0 to 3."""
    from qx.builtin.rerank.terms import counted, wanted

    limits = [q for q in quantities.find(query) if q.op in _LIMITS and q.kind != "plain"]
    terms = wanted(_without(query, limits)) or wanted(query)
    whole = {term: weight for term, weight in terms.items() if weight == 1}
    if not whole:
        return 0
    found = counted(f"{title}\n{text}", terms)
    share = sum(_covered(term, terms, found.count) for term in whole) / len(whole)
    reached = next((number for least, number in _GRADES if share >= least), 0)
    broken = any(_breaks(limit, f"{title}\n{text}") for limit in limits) or _has_excluded(query, title, text)
    return min(reached, _BROKEN) if broken else reached


def _covered(term: str, terms: Mapping[str, float], count: Callable[[str], int]) -> float:
    """1 where the word is there; of a longer Chinese word the share of its pairs of characters that is."""
    if count(term):
        return 1.0
    pairs = [term[at : at + 2] for at in range(len(term) - 1) if terms.get(term[at : at + 2], 1.0) < 1]
    return sum(count(pair) > 0 for pair in pairs) / len(pairs) if pairs else 0.0


def _without(query: str, limits: Sequence[Quantity]) -> str:
    """The query without its amounts, which are compared as such."""
    kept = list(query)
    for limit in limits:
        kept[limit.start : limit.end] = " " * (limit.end - limit.start)
    return "".join(kept)


def _breaks(limit: Quantity, text: str) -> bool:
    """Whether the document names amounts of that kind, and none of them is within the limit."""
    amounts = [q for q in quantities.find(text) if q.kind == limit.kind and _comparable(limit, q)]
    return bool(amounts) and not any(_within(limit, amount) for amount in amounts)


def _comparable(limit: Quantity, amount: Quantity) -> bool:
    return limit.unit is None or amount.unit is None or limit.unit == amount.unit


def _within(limit: Quantity, amount: Quantity) -> bool:
    least = amount.low if amount.low is not None else amount.high
    most = amount.high if amount.high is not None else amount.low
    if least is None or most is None:
        return True
    below = limit.high is None or (least < limit.high if limit.op == "lt" else least <= limit.high)
    above = limit.low is None or (most > limit.low if limit.op == "gt" else most >= limit.low)
    return below and above


def _has_excluded(query: str, title: str, text: str) -> bool:
    """Whether the document has a word that the query excludes, and does not exclude it itself."""
    return any(_stands_in(found.target, title, text) for found in negation.find(query))


def _stands_in(target: str, title: str, text: str) -> bool:
    from qx.builtin.rerank.terms import counted, wanted

    whole = [term for term, weight in wanted(target).items() if weight == 1]
    found = counted(" ".join(_said(f"{title}\n{text}")), whole)
    return bool(whole) and all(found.count(term) for term in whole)


def _said(text: str) -> Iterator[str]:
    """The pieces of a text that are not themselves an exclusion: "不含糖" says nothing of sugar."""
    at = 0
    for found in negation.find(text):
        yield text[at : found.start]
        at = found.end
    yield text[at:]
