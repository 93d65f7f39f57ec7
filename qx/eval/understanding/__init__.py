"""``qx eval understand``: how well queries are read, against rows that say what they mean.

``rows.py`` reads the set, ``running.py`` runs a profile over it, ``matching.py`` and ``keeping.py`` say when something
is right, ``scoring.py`` scores a row, ``unscorable.py`` tells rows that no
reading can be right on, ``contradicting.py`` those that want two of one query, ``summary.py`` adds rows up, ``table.py`` prints.
"""

from qx.eval.understanding.rows import Row, Wanted, read_rows
from qx.eval.understanding.running import read_all, report
from qx.eval.understanding.unscorable import unknown_intents, unscorable
from qx.eval.understanding.values import UnderstandingReport

__all__ = ["Row", "UnderstandingReport", "Wanted", "read_all", "read_rows", "report", "unknown_intents", "unscorable"]
