"""What commands of plugins import before they do anything."""

import subprocess
import sys


def test_importing_it_brings_nothing_heavy() -> None:
    code = "import sys, qx.cli.public; print([m for m in ('pydantic', 'jinja2', 'yaml', 'rich', 'aiohttp') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
