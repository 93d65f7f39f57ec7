"""A/B tests: who sees what, what they did, and what that shows.  ``qx ab`` on the command line.

================================  =====================================================================================
``assignment.py``                 user -> arm, by a hash: the same in every process
``records.py``, ``log.py``        exposures and outcomes as JSON lines
``horizon.py``                    which rows count, and whether the end that was fixed before has come
``statistics.py``                 ratios whose unit is the user: intervals, differences, percentiles, the sample ratio
``measures.py``                   what is measured of an arm
``analysis.py``                   rows -> ``AbReport``;  ``wording.py``: the same for people
``planning.py``                   how many users an effect needs
================================  =====================================================================================
"""

from qx.eval.ab.assignment import Experiment, assign, bucket
from qx.eval.ab.log import Log
from qx.eval.ab.records import Exposure, Outcome

__all__ = ["Experiment", "Exposure", "Log", "Outcome", "assign", "bucket"]
