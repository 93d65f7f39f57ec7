"""How well every message of a user fits a search by words: its own, its neighbours', and who said it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from qx.serial import replace, value
from qx_chatlog.index import answering, literal, nearness, speakers
from qx_chatlog.index.analysis import Term, query_terms
from qx_chatlog.index.columns import Mask, Rows, Scores
from qx_chatlog.index.ranking import Postings, contributions
from qx_chatlog.index.slips import respelled
from qx_chatlog.index.view import View
from qx_chatlog.store import Search


@value
class Fit:
    """Scores of all messages, by number.

    Attributes:
        score: What messages are ordered by.
        own: By the words that they hold themselves; what has none is found with its neighbours only.
    """

    score: Scores
    own: Scores


async def fit(view: View, rows: Rows, search: Search, keep: Mask) -> Fit:
    """Return how well messages fit; only those that are kept are looked at for what kind of message they are."""
    controls = search.controls
    terms = list(query_terms(search.text))
    terms += [one for words in search.also for one in query_terms(words, weight=0.5) if one.text not in search.text]
    labels = speakers.present(rows, keep, await view.labels("speaker")) if controls.speakers else {}
    names = speakers.named(search.text, labels)
    if names:
        parts = speakers.named_terms(terms, names)
        terms = [replace(one, weight=one.weight * speakers.NAME) if one in parts else one for one in terms]
    weighted = await _postings(view, terms, fuzzy=search.fuzzy)

    def score() -> Fit:
        given = list(contributions(rows, weighted))
        own = np.zeros(len(rows))
        for numbers, scores in given:
            own[numbers] += scores
        near = nearness.spread(nearness.talks(rows), given) if controls.near else own
        near = answering.at_likely_time(rows, near, search.likely)
        return Fit(score=speakers.preferred(rows, near, labels, names), own=own)

    found = await view.run(score)
    if signed := literal.literals(search.text):
        held = await view.messages(answering.best(found.score, keep, pool=literal.POOL))
        found = replace(found, score=literal.preferred(found.score, held, signed))
    if search.wants is None:
        return found
    pool = answering.best(found.score, keep)
    return replace(found, score=answering.fitting(found.score, await view.messages(pool), search.wants))


async def _postings(view: View, terms: Sequence[Term], *, fuzzy: bool) -> list[tuple[Postings, float]]:
    found = dict(zip(terms, await view.postings(terms), strict=True))
    absent = [term for term, (numbers, _) in found.items() if not len(numbers)] if fuzzy else []
    if absent:
        vocabulary = await view.vocabulary()
        near = await view.run(lambda: [one for term in absent for one in respelled(term, vocabulary)])
        near = list(dict.fromkeys(near))
        found |= dict(zip(near, await view.postings(near), strict=True))
    return [(postings, term.weight) for term, postings in found.items()]
