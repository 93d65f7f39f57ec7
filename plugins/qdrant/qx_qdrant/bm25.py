"""BM25 as a product of two sparse vectors: the document's holds what depends on it, the query's its words.

    score = sum over t of  idf(t) * tf(t) * (k1 + 1) / (tf(t) + k1 * (1 - b + b * length / average))

Qdrant multiplies by ``idf`` itself (``modifier: idf``).  The average length is kept with the collection; when it has
moved by a fifth the stored vectors are made anew.

Source: Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), with the fields' word
counts added up, weighted, before they saturate (BM25F).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from qx_qdrant.analysis import Analysis, term_id

K1 = 1.2
B = 0.75
Sparse = tuple[list[int], list[float]]
"""Term numbers, ascending and each once, and their weights."""


def weighted(parts: Iterable[tuple[str, float]], analysis: Analysis) -> tuple[dict[str, float], float]:
    """Return the term frequencies and the length of a document's fields, each text with its boost."""
    frequencies: dict[str, float] = {}
    total = 0.0
    for text, boost in parts:
        terms, length = analysis.document_terms(text)
        total += boost * length
        for term, count in terms.items():
            frequencies[term] = frequencies.get(term, 0.0) + boost * count
    return frequencies, total


def document_vector(frequencies: Mapping[str, float], length: float, average: float) -> Sparse:
    """Return a document's side of the product."""
    norm = K1 * (1 - B + B * length / average)
    by_id: dict[int, float] = {}
    for term, count in frequencies.items():  # terms whose numbers collide count as one: an index may stand only once
        number = term_id(term)
        by_id[number] = by_id.get(number, 0.0) + count
    ids = sorted(by_id)
    return ids, [by_id[i] * (K1 + 1) / (by_id[i] + norm) for i in ids]


def with_id(vector: Sparse, id: str) -> Sparse:
    """Return a document's side with its id as one more term, of weight 1."""
    weights = dict(zip(*vector, strict=True)) | {term_id(id_term(id)): 1.0}
    ids = sorted(weights)
    return ids, [weights[i] for i in ids]


def id_term(id: str) -> str:
    """Return the term that stands for a document's id: no text has it."""
    return f"\0id:{id}"


def query_vector(terms: Mapping[str, float], limit: int) -> Sparse:
    """Return a query's side: at most ``limit`` terms, the first ones."""
    by_id: dict[int, float] = {}
    for term, weight in terms.items():
        number = term_id(term)
        if number in by_id or len(by_id) < limit:
            by_id[number] = by_id.get(number, 0.0) + weight
    ids = sorted(by_id)
    return ids, [by_id[i] for i in ids]
