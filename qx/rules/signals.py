"""Signals of a query (``priority``, ``tone``), by the packs' rules on its intents, its mood and its words.

They are read from whatever analysis there is, the rules' or a model's: who is angry by the model's reading is served as
one who is angry.
"""

from __future__ import annotations

from collections.abc import Mapping

from qx.domain import Knowledge, SignalRule
from qx.rules.bounds import analysed
from qx.rules.patterns import Patterns, is_pattern
from qx.rules.phrases import PhraseIndex, aligned
from qx.text.clean import clean
from qx.types import Understanding


class SignalFinder:
    """Reads the signals that ``knowledge`` has rules for.

    Raises:
        PackError: a pattern of a rule is not valid RE2.
    """

    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge
        self._rules = knowledge.signals
        worded = [(word, n) for n, rule in enumerate(self._rules) for word in rule.words]
        self._words: PhraseIndex[int] = PhraseIndex(((w, n) for w, n in worded if not is_pattern(w)), plurals=True)
        self._patterns = Patterns((w[1:-1], w, n) for w, n in worded if is_pattern(w))

    def find(self, text: str, understanding: Understanding) -> Mapping[str, str]:
        """Return the signals of the query ``text`` as ``understanding`` reads it; empty where no pack has rules."""
        if not self._rules:
            return {}
        folded = aligned(analysed(clean(text).text))
        said = {n for hit in self._words.all(folded) for n in hit.items}
        said |= {n for pattern, n in self._patterns.matching(folded) if pattern.search(folded) is not None}
        found: dict[str, str] = {}
        for n, rule in enumerate(self._rules):
            if rule.signal not in found and self._holds(rule, understanding, worded=n in said):
                found[rule.signal] = rule.value
        return found

    def _holds(self, rule: SignalRule, understanding: Understanding, *, worded: bool) -> bool:
        mood = understanding.sentiment
        if rule.intents and not set(rule.intents).intersection(self._knowledge.widened(understanding.intent)):
            return False
        if rule.sentiments and mood.label not in rule.sentiments:
            return False
        return mood.intensity >= rule.above and (worded or not rule.words)
