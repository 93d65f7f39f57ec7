"""``qx tune``: which settings of a profile prove better on one's own queries; expansion off where nothing does.

================================  =====================================================================================
``search.py``                     START HERE: ``tune``: split, search on one side, decide on the other
``splitting.py``                  training and held-out queries
``space.py``                      what is searched: settings, their values, draws and changes
``trials.py``                     measures one setting on the training queries
``decision.py``                   what the held-out queries prove, and which profile follows from it
``writing.py``                    that profile as YAML, with the figures in a comment
``values.py``                     ``TuneReport``;  ``wording.py``: the same for people
================================  =====================================================================================
"""

from qx.eval.tuning.search import tune
from qx.eval.tuning.values import Budget, Progress, TuneReport

__all__ = ["Budget", "Progress", "TuneReport", "tune"]
