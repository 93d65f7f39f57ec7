"""``python -m qx``: the same as ``qx``."""

from __future__ import annotations

import sys

from qx.cli import main

if __name__ == "__main__":
    sys.exit(main())
