"""``qx eval run`` as ``python killed_run.py NTH ARGUMENTS…``: it is killed in the middle of its NTH row.

Half of that row's line is written; no handler, no ``finally`` and no thread of the program runs after it, as after
``kill -9``.
"""

from __future__ import annotations

import os
import signal
import sys

from qx.cli import main
from qx.eval.row_file import RowFile

_add = RowFile.add
_rows = 0


def deadly(self: RowFile, line: bytes) -> None:
    global _rows
    _rows += 1
    if _rows == int(sys.argv[1]):
        _add(self, line[: len(line) // 2])
        os.kill(os.getpid(), signal.SIGKILL)
    _add(self, line)


if __name__ == "__main__":
    RowFile.add = deadly  # type: ignore[method-assign]
    main(["eval", "run", *sys.argv[2:]])
