"""RM3: the raw query's first hits, taken for relevant, weigh words; those are searched together with the query's own.

    RM1:  P(w|R)  = sum over d of the first k hits  tf(w, d) / |d| * P(Q|d) / sum P(Q|d)
    RM3:  P'(w|R) = alpha * tf(w, Q) / |Q| + (1 - alpha) * P(w|R) of the n likeliest words, scaled to 1

with k = 10, n = 10, alpha = 0.5.  Sources: Lavrenko, Croft, "Relevance-Based Language Models", SIGIR 2001 (RM1);
Abdul-Jaleel et al., "UMass at TREC 2004: Novelty and HARD", TREC 2004 (the interpolation).  P(Q|d) is the BM25 score of
d, which is what Lucene's and Anserini's RM3 take (Lin, "The Neural Hype and Comparisons Against Weak Baselines", SIGIR
Forum 2019, measures with it).

**Weights without a language for them.**  BM25 adds up over the words of a query, and a word that is said n times counts n
times.  So the weighted query is a text in which each word stands as often as its weight asks for: the same ranking as
with weights, up to rounding them to hundredths, in one call of the same engine.  An engine that does not count repeated
words cannot run RM3, and the result says that.

Words are qx's own: Chinese by the segmenter, without stop words; forms that compare as one (stemmed, Simplified) are one
word, in its most frequent form.  As in Anserini, a word that more than a tenth of all documents hold adds nothing, where
the engine says how many do.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence

from qx.backend import SupportsCount
from qx.context import Context
from qx.eval.baselines.second_query import First
from qx.ranking import Ranking
from qx.rules.terms import has_han
from qx.syntax import FileType, Not, Site, render
from qx.syntax.tree import And, conjunction
from qx.text.segment import comparable, is_content, pieces

SHARES = 100
"""Parts that the weights are rounded to."""
MOST = 200
"""Words (and Chinese characters) of the second query at most: Elasticsearch takes 1,000 clauses over all its fields."""
CANDIDATES = 50
"""Words whose document frequency is asked for."""
COMMON = 0.1
"""Share of the documents above which a word tells nothing."""
_TERM = re.compile(r"[^\W_]{2,20}")


class RM3:
    """Implements ``Rewriting``.

    Args:
        documents: First hits of each backend that are taken for relevant.
        terms: Words that they add.
        original: The query's own share, 0 to 1.
    """

    name = "rm3"
    needs_hits = True

    def __init__(self, documents: int = 10, terms: int = 10, original: float = 0.5) -> None:
        self._documents = documents
        self._terms = terms
        self._original = original

    async def rewrite(self, first: First, context: Context, /) -> str | None:
        deaf = (
            [backend.name for backend in context.vocabulary.backends if not backend.bm25] if context.vocabulary else []
        )
        if deaf:
            said = f"{', '.join(deaf)} does not count a word twice that is said twice: its words have no weights"
            context.degrade("expand", "rm3 without weights", said)
        forms: dict[str, Counter[str]] = {}
        likely = _relevance(first.lists, self._documents, forms)
        candidates = sorted(likely, key=lambda word: (-likely[word], word))[:CANDIDATES]
        common = await _common([_spelt(forms[word]) for word in candidates], context)
        kept = {word: likely[word] for word in candidates if _spelt(forms[word]) not in common}
        weights = self.weights(first.words, kept, forms)
        return None if not weights else " ".join([*repeated(weights), *_demands(first)])

    def weights(
        self, asked: Sequence[str], likely: Mapping[str, float], forms: dict[str, Counter[str]]
    ) -> dict[str, float]:
        """Return the words of the second query with their weights, which add up to 1; none where nothing is likely.

        Args:
            asked: The words of the raw query, as they were typed.
            likely: Form of a word -> P(w|R), not scaled.
            forms: Form -> how often it was seen in which spelling; the query's are added.
        """
        own = Counter(_form(word, forms) for word in _content(" ".join(asked)))
        best = sorted(likely, key=lambda word: (-likely[word], word))[: self._terms]
        if not own or not best:
            return {}
        whole, length = sum(likely[word] for word in best), own.total()
        mixed = {word: self._original * count / length for word, count in own.items()}
        for word in best:
            mixed[word] = mixed.get(word, 0.0) + (1 - self._original) * likely[word] / whole
        return {_spelt(forms[word]): weight for word, weight in mixed.items()}


def _relevance(lists: Sequence[Ranking], documents: int, forms: dict[str, Counter[str]]) -> dict[str, float]:
    """P(w|R): shares of words in the first hits, weighed by the hits' scores within their list."""
    likely: dict[str, float] = {}
    full = [ranking for ranking in lists if ranking.keys]
    for ranking in full:
        scores = [max(0.0, score) for score in ranking.scores[:documents]]
        whole = sum(scores)
        for at, score in enumerate(scores):
            hit = ranking.hit(at)
            found = Counter(
                _form(word, forms) for word in _content(f"{hit.title}\n{hit.text}") if _TERM.fullmatch(word)
            )
            share = (score / whole if whole else 1 / len(scores)) / len(full)
            for word, count in found.items():
                likely[word] = likely.get(word, 0.0) + share * count / found.total()
    return likely


async def _common(words: Sequence[str], context: Context) -> set[str]:
    """The words that more than a tenth of the documents of an engine hold, as far as engines say."""
    vocabulary, known = context.vocabulary, dict[str, int]()
    if vocabulary is None or not words or not vocabulary.tells("frequencies"):
        return set()
    for backend in vocabulary.backends:
        if isinstance(backend, SupportsCount):
            known[backend.name] = await backend.count(None)
    found = await vocabulary.frequencies(words, context.budget.remaining().seconds)
    return {
        word
        for name, counts in found.items()
        for word, count in counts.items()
        if count > COMMON * known.get(name, math.inf)
    }


def repeated(weights: Mapping[str, float]) -> list[str]:
    """Return words as often as their weights ask for, heaviest first; numbers last: beside one, "GB" means an amount."""
    cost = {word: len(word) if has_han(word) else 1 for word in weights}
    each = sum(weight * cost[word] for word, weight in weights.items())
    shares = min(SHARES, MOST / each)
    order = sorted(weights, key=lambda word: (word[0].isdecimal(), -weights[word], word))
    return [word for word in order for _ in range(round(weights[word] * shares))]


def _content(text: str) -> list[str]:
    """The content words of a text, each as often as it stands there; all words where none has content."""
    found = pieces(text)
    return [word for word in found if is_content(word)] or [word for word in found if word[0].isalnum()]


def _spelt(seen: Counter[str]) -> str:
    """The most frequent spelling of a word."""
    return max(seen, key=lambda text: (seen[text], text))


def _form(word: str, forms: dict[str, Counter[str]]) -> str:
    form = comparable(word)
    forms.setdefault(form, Counter())[word.casefold()] += 1
    return form


def _demands(first: First) -> list[str]:
    """What the query rules out and where it looks, as it was typed: the second query asks no less."""
    parts = first.expression.parts if isinstance(first.expression, And) else (first.expression,)
    kept = [part for part in parts if isinstance(part, (Not, Site, FileType))]
    return [render(conjunction(kept), "qx").text] if kept else []


__all__ = ["RM3", "repeated"]
