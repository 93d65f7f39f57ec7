"""Grounding: conditions and added words are checked against what the engines hold, where they can say.

``vocabulary`` asks and remembers; ``conditions`` puts the values of constraints as the index spells them; ``additions``
judges the words that expansion added.
"""

from qx.steps.grounding.additions import UNHELD, weighed
from qx.steps.grounding.conditions import Grounded, grounded, relieved, restored
from qx.steps.grounding.vocabulary import Vocabularies

__all__ = ["UNHELD", "Grounded", "Vocabularies", "grounded", "relieved", "restored", "weighed"]
