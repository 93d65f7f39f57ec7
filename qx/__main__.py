"""``python -m qx``: the same as ``qx``."""

from __future__ import annotations

from qx.cli import main

if __name__ == "__main__":
    main()
