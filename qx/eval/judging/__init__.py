"""A model as judge: of relevance (0-3), of sets of queries, of answers; held against people before it may rank.

::

    rubrics.py  scales and texts      judge.py     one call, both orders      pool.py    what was judged is kept
    subjects.py what is judged        filling.py   only what is new           trust.py   agreement with people
    report.py   the ranking, or none  qrels.py     grades for `qx eval run`
"""

from qx.eval.judging.filling import Filled, Filling, Subject
from qx.eval.judging.judge import Judge, Verdict
from qx.eval.judging.opening import model_of, opened_judge
from qx.eval.judging.pool import Judged, Pool, pool_place
from qx.eval.judging.report import JudgeReport
from qx.eval.judging.trust import THRESHOLD, Trust, trust

__all__ = [
    "THRESHOLD",
    "Filled",
    "Filling",
    "Judge",
    "JudgeReport",
    "Judged",
    "Pool",
    "Subject",
    "Trust",
    "Verdict",
    "model_of",
    "opened_judge",
    "pool_place",
    "trust",
]
