"""Run the fast tests on the newest Python at hand, against a built wheel instead of the tree.

The pages and the command line, which take longest, are left out: they only show what the rest does.
Prints which Python it took; with none newer than the running one it says so and does nothing.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]


def newest() -> Path | None:
    """The interpreter with the highest version above the running one, up to 3.14."""
    for minor in range(14, sys.version_info.minor, -1):
        names = [shutil.which(f"python3.{minor}")]
        names += sorted(str(p) for p in Path.home().glob(f".pyenv/versions/3.{minor}*/bin/python"))
        for name in filter(None, names):
            probe = [name, "-c", "import sys, venv, sqlite3, ssl; print(sys.version_info[1])"]
            if subprocess.run(probe, capture_output=True, text=True, check=False).stdout.strip() == str(minor):
                return Path(name)
    return None


def main() -> int:
    python = newest()
    if python is None:
        print(f"no Python newer than {sys.version.split()[0]} is at hand: nothing more to run")
        return 0
    print(f"running the fast tests on {python}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        venv, wheels = Path(folder, "venv"), Path(folder, "wheels")
        subprocess.run([python, "-m", "venv", venv], check=True)
        pip = [venv / "bin" / "pip"]
        subprocess.run([*pip, "install", "-q", "-U", "pip>=25.1"], check=True)
        subprocess.run([*pip, "wheel", "-q", "--no-deps", "-w", wheels, ROOT], check=True)
        wheel = next(wheels.glob("qx_query-*.whl"))
        subprocess.run(
            [*pip, "install", "-q", "-c", ROOT / "constraints.txt", wheel, "--group", f"{ROOT}/pyproject.toml:dev"],
            check=True,
        )
        # outside the tree, so that the wheel is what gets imported
        tests = Path(folder, "checkout")
        ignore = shutil.ignore_patterns("__pycache__", ".hypothesis")
        for name in ("tests", "docs", "benchmarks"):
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, tests / name, ignore=ignore)
        for name in ("conftest.py", "pyproject.toml", "README.md", "CHANGELOG.md", "constraints.txt"):
            shutil.copy(ROOT / name, tests / name)
        processes = str(max(1, (os.cpu_count() or 2) // 2))  # the slow tests run beside these
        command = [venv / "bin" / "python", "-m", "pytest", "-n", processes, "-m", "not slow", "-q", "tests"]
        command += ["--ignore=tests/docs", "--ignore=tests/cli"]
        return subprocess.run(command, cwd=tests, env=os.environ | {"PYTHONHASHSEED": "7"}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
