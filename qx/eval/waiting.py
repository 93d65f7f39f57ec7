"""Whether expansions wait for the raw query's hits in a run, settled once, so that no result hangs on a busy machine.

In production that is a matter of milliseconds: hits that come at once may make an expansion needless or add to it, and
nobody waits for a slow engine.  A model is slower than any engine, and an index in process faster than any network:
with them expansions always wait.  With rules over an engine elsewhere a few raw queries, one after the other, show what
production would do; that then holds for all conditions over these engines, and for every later run of the dataset.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Sequence

from qx.engine import Engine
from qx.errors import QxError
from qx.eval.asking import Asking
from qx.eval.conditions import asks_model
from qx.eval.values import Condition, EvalQuery
from qx.steps.pace import FAST, Waiting
from qx.types import Query

PROBES = 5


def settled(condition: Condition) -> Waiting | None:
    """Return whether a condition's expansions wait; None where that hangs on how fast its engines are."""
    backends = condition.profile.search.backends.values()
    local = all(block.type == "local" for block in backends)
    return "always" if local or not condition.expand or asks_model(condition.profile) else None


async def probed(engine: Engine, queries: Sequence[EvalQuery], asking: Asking) -> Waiting:
    """Search for the first queries, raw, and return whether the engines answer so fast that expansions wait."""
    took: list[float] = []
    for query in queries[:PROBES]:
        began = time.perf_counter()
        try:
            asked = Query(text=query.text, language=query.language, now=asking.now)
            await engine.search(asked, limit=asking.depth, expand=False, highlights=False)
        except QxError:
            continue
        took.append(time.perf_counter() - began)
    return "always" if took and statistics.median(took) <= FAST else "never"
